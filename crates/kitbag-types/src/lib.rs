//! The nouns of Kitbag: what flows from room to room.
//!
//! Plain data with public fields, except where a type has an invariant to keep (`RepoPath`, `LineRange`). No I/O, no
//! serde (only `kitbag_engine::api` decides what the outside world sees), nothing but `std`. The one piece of logic that
//! lives here is [`terms`], because the index and the query must cut text into the same words or nothing is ever found.
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
pub use query::{Filter, Query, QueryShape, Reference, Scope, Title};
pub use source::{FileStamp, SourceFile};
pub use stop::{Stop, Stopped};
pub use symbol::{Link, LinkKind, Symbol, SymbolKind, Visibility};
pub use text_field::TextField;
pub use time::Timestamp;
