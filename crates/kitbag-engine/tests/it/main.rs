//! The engine on real folders, with real git, a real store and the shipped languages. One binary, one list of rooms.

#![expect(clippy::disallowed_methods, reason = "tests look at real files")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod ages;
mod answers;
mod brief;
mod damage;
mod degraded;
mod fresh;
mod fuzz;
mod golden;
mod hostile;
mod insights;
mod jobs;
mod links;
mod live;
mod matched;
mod meaning;
mod memory;
mod neighbours;
mod packages;
mod patterns;
mod progress;
mod providers;
mod query;
mod questions;
mod reuse;
mod sameness;
mod schema;
mod search;
mod secrets;
mod stopping;
mod symbols;
mod usage;
mod variety;
mod watch;
mod world;
