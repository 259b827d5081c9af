//! Kitbag in the configuration of coding agents: what is written where, and how it is taken back (MCP-6).
//!
//! Begin with `agents.rs`, the table: one row per agent. `plan.rs` turns rows into changes of files without touching any,
//! `file.rs` carries them out. The texts in between are edited by splicing (`json.rs`, `toml.rs`, `block.rs`): a parser says where
//! things stand, and everything that is not ours keeps its bytes. Writing a parsed document out again was the obvious other way;
//! it costs comments, order, line ends or indentation, depending on the format.

pub mod agents;
pub mod block;
pub mod config;
pub mod diff;
pub mod entry;
pub mod file;
mod json;
pub mod plan;
pub mod programs;
mod splice;
mod toml;
