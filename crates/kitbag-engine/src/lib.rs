//! The engine carries data from room to room: it indexes, retrieves and answers. The doors (command line, servers) speak to
//! it through [`api`] and nothing else.
//!
//! Read `retrieve::gather` first: a question becomes a ranked list there, in under a page. Then `index` (a working tree
//! becomes rows), `providers` (the ways to find), `current` (a hit is checked against the file as it is now).
//!
//! The engine holds no logic of the rooms below it, prints nothing and reads no clock: `now` is an argument.

mod ages;
pub mod api;
mod current;
mod embed;
mod engine;
mod error;
mod health;
mod history;
mod imports;
mod index;
mod indexable;
mod live;
mod matching;
mod names;
mod options;
mod pack;
mod packages;
mod providers;
mod resolve;
mod retrieve;
mod scope;
mod session;
mod uses;
mod variety;
mod watch;

pub use engine::Engine;
pub use error::EngineError;
pub use index::{Phase, Progress, Work};
pub use kitbag_embed::{ApiKey, EndpointOptions, Source as Embedder};
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
pub use options::{Options, Packing, ProviderOptions, Window};
pub use providers::{Answer, Ask, Evidence, Provider, Row};
pub use session::Delivery;
pub use watch::WatchOptions;
