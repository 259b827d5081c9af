//! From a question and lists of results to one ordered list. Arithmetic on plain data: nothing here reads a file, a clock or a
//! table.
//!
//! `query` parses a question; `bm25` scores text matches; `fuse` merges the lists of several providers; `factors` is what Kitbag
//! knows about code (definitions, paths, tests, exports); `diversity` moves near duplicates down; `paths` classifies files by path;
//! `fuzzy` matches misspelt names; `graph` finds central files; `thread` scores candidates for a conversation; `measure` says how
//! good an order is. All numbers that can be tuned are in `tuning`.
//!
//! Read `factors` first: it has the largest effect.

pub mod bm25;
pub mod diversity;
pub mod factors;
pub mod fuse;
pub mod fuzzy;
pub mod graph;
pub mod measure;
pub mod paths;
pub mod query;
#[cfg(test)]
mod tests;
pub mod thread;
pub mod tuning;
