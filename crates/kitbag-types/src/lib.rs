//! The types that the rooms of Kitbag exchange.
//!
//! Plain data with public fields, except where a type has an invariant (`RepoPath`, `LineRange`). No I/O, no serde (only
//! `kitbag_engine::api` decides what callers outside see), only `std`. Logic that two rooms must do alike is here, above all
//! [`terms`]: the index and the query must split text into the same words.
//!
//! Start with [`Chunk`], then [`Candidate`].

mod amount;
pub mod bytes;
mod candidate;
mod chunk;
mod conventions;
pub mod fact;
mod note;
mod parsed;
mod path;
mod prefix;
mod query;
mod source;
mod stop;
mod symbol;
pub mod terms;
mod text_field;
mod time;

pub use amount::amount;
pub use candidate::{Candidate, Reason};
pub use chunk::{Chunk, ChunkKind, LineRange};
pub use conventions::{Conventions, Naming};
pub use fact::{Fact, FactKind, Value};
pub use note::Note;
pub use parsed::Parsed;
pub use path::{InvalidPath, RepoPath, leads_to};
pub use prefix::prefix;
pub use query::{Filter, Query, QueryShape, Reference, Scope, Title};
pub use source::{FileStamp, SourceFile};
pub use stop::{Stop, Stopped};
pub use symbol::{Link, LinkKind, Symbol, SymbolKind, Visibility};
pub use text_field::TextField;
pub use time::Timestamp;
