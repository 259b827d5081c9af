//! The built binary in a folder of its own: one transcript a verb, for people and as JSON, and the manners of CLI-3.
//!
//! These check wiring, not ranking. `world.rs` makes the folder; every process gets a clean environment, a home of its
//! own and a fixed clock.
#![expect(clippy::disallowed_methods, reason = "tests start the real program")]

mod answers;
mod brief;
mod config;
mod contention;
mod crowd;
mod damage;
mod denied;
mod doctor;
mod documents;
mod doors;
mod eval;
mod eval_compare;
mod facts;
mod files;
mod fuzz;
mod hostile;
mod hostile_corpus;
mod index;
mod install;
mod jobs;
mod kill;
mod manners;
mod mcp;
mod mcp_projects;
mod memory;
mod moving;
mod pack;
mod pack_afterwards;
mod pack_errors;
mod pack_schema;
mod pack_sources;
mod pack_trust;
mod packages;
mod rebuild;
mod requests;
mod rude;
mod search;
mod serve;
mod session;
mod session_delivery;
mod stats;
mod status;
mod symbol;
mod terminal;
mod tokens;
mod typed;
mod watch;
mod world;
