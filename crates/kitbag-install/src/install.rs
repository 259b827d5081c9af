//! Adds Kitbag to the configuration of coding agents and removes it again (MCP-6).
//!
//! Begin with `agents.rs`, the table with one row per agent. `plan.rs` turns rows into changes of files without touching any,
//! `file.rs` carries them out. Texts are edited by splicing (`json.rs`, `toml.rs`, `block.rs`): a parser finds the places, and
//! everything that is not ours keeps its bytes. Writing a parsed document out again would lose comments, order, line ends or
//! indentation, depending on the format.

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
