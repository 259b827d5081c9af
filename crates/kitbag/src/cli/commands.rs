//! One file per verb: build a request, ask the engine, render the reply. A new command is a file here, a row in
//! `arguments.rs`, an arm in `cli::answer`, and a transcript in `tests/it`.

pub(crate) mod agents_md;
pub(crate) mod check_docs;
pub(crate) mod check_file;
pub(crate) mod cite;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod constraints;
pub(crate) mod data_access;
pub(crate) mod doctor;
pub(crate) mod entry_points;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod index;
pub(crate) mod install;
pub(crate) mod jobs;
pub(crate) mod key_files;
pub(crate) mod languages;
pub(crate) mod list_indexable;
pub(crate) mod map;
pub(crate) mod mcp;
pub(crate) mod pack;
pub(crate) mod packages;
pub(crate) mod patterns;
pub(crate) mod project_stats;
pub(crate) mod rebuild;
pub(crate) mod refresh;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod symbol;
pub(crate) mod tokens;
pub(crate) mod validate_config;
pub(crate) mod verify;
pub(crate) mod watch;
