//! The store: SQLite as the system of record, and a full-text index derived from it.
//!
//! Rows come in through a [`Writer`] (one at a time, under a lock that dies with its process), answers go out of a
//! [`Snapshot`] (any number, in any number of processes, while one writes). The database is the truth. The text index
//! holds a number, the last change it has seen; whatever is missing is replayed from the database, and if the index is
//! missing, damaged or of another version it is built again. So there is one way of repair, and it is used every day.
//!
//! Start with `schema.rs` (the tables and why they are shaped so), then `write.rs`. No SQL and no tantivy type leaves
//! this crate, and nothing here decides what is relevant.

#![expect(
    clippy::disallowed_methods,
    reason = "this room owns the store folder and nothing else"
)]

mod ages;
mod codec;
mod damaged;
mod database;
mod error;
mod facts;
mod history;
mod journal;
mod lock;
mod packages;
mod packs;
mod parsing;
mod path_kind;
mod recent;
mod rows;
mod runs;
mod schema;
mod seal;
mod snapshot;
mod store;
mod text;
mod vectors;
mod write;

pub use ages::{AgesRow, NewAges};
pub use damaged::SetAside;
pub use error::StoreError;
pub use facts::FactsRow;
pub use history::{CommitRow, Mention, NewCommit};
pub use journal::{
    AddedText, CitationRow, DeliveryRow, FeedbackRow, JobKind, JobLock, JobRow, JobStatus, Journal,
    MemoryRow, MessageRow, NewDelivery, NewJob, NotCreated, PlaceRow, ThreadRow, UsageRow,
};
pub use lock::{WatchLock, WriterLock};
pub use packages::{ImportRow, ManifestRow, NewManifest, PackagesRow};
pub use packs::Packs;
pub use parsing::{Parsing, has_crashed};
pub use rows::{
    ChunkRef, ChunkRow, Covered, FileFailure, FileRow, FileState, LinkRow, NewParse, ParseId, ParseKey,
    StoredFile, SymbolRow, TreeId, TreeState,
};
pub use runs::Fault;
pub use schema::{SCHEMA_VERSION, TEXT_VERSION};
pub use snapshot::Snapshot;
pub use store::{OpenMode, Store};
pub use text::TextIndex;
pub use vectors::Vectors;
pub use write::{Change, ChunkText, Embedding, FileText, Unembedded, Writer};
