//! The engine carries data from crate to crate: it indexes, retrieves and answers. The doors (command line, servers) speak to
//! it through [`api`] and nothing else.
//!
//! Read `retrieve::gather` first: a question becomes a ranked list there, in under a page; then `pack::make`, where a task becomes
//! a pack. Then `index` (a working tree becomes rows), `providers` (the ways to find), `current` (a hit is checked against
//! the file as it is now).
//!
//! The engine has no logic of the crates below it, prints nothing and reads no clock: `now` is an argument.

mod added;
mod ages;
mod answers;
pub mod api;
mod brief;
mod budget;
mod central;
mod co_changes;
mod code_facts;
mod code_units;
mod conventions;
mod covering;
mod current;
mod cut;
mod door;
mod embed;
mod engine;
mod error;
mod feedback;
mod globs;
mod health;
mod history;
mod imports;
mod index;
mod index_state;
mod indexable;
mod live;
mod matched;
mod matching;
mod meaning;
mod memory;
mod names;
mod neighbours;
mod occurrences;
mod open;
mod options;
mod pack;
mod packages;
mod parallel;
mod past;
mod place;
mod providers;
mod request;
mod resolve;
mod retrieve;
mod reuse;
mod run;
mod scope;
mod session;
mod stated;
mod trend;
mod uses;
mod variety;
mod watch;

pub use answers::{AnswerKind, DataMark, NewAnswer};
pub use engine::{Answer, Ask, Engine, Evidence, Provider, Row};
pub use error::EngineError;
pub use kitbag_embed::{ApiKey, EndpointOptions, Source as Embedder, VectorModel};
pub use kitbag_pack::Weights;
pub use kitbag_rank::fuse::Fusion;
pub use kitbag_repo::secrets::SecretRules;
pub use kitbag_repo::{
    Alarm, BoundaryOptions, RootKind, default_store, find_root, global_ignore_path, open_named,
};
pub use kitbag_store::{ChunkRef, ChunkRow};
pub use kitbag_syntax::ChunkSettings;
pub use kitbag_tokens::Tokenizer;
pub use kitbag_types::{ChunkKind, Query, RepoPath, Scope, Stop, Timestamp};
pub use options::{Options, Packing, ProviderOptions, Searching, Window};
pub use run::{Phase, Progress, Work};
pub use session::Delivery;
pub use watch::WatchOptions;
