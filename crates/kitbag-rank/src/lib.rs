//! From questions and lists to one ordered list. Arithmetic on plain data: nothing here reads a file, a clock or a table.
//!
//! `query` takes a question apart; `bm25` scores text matches; `fuse` joins the lists of several providers; `boost` is what
//! Kitbag knows about code (definitions, paths, tests, exports); `paths` says what kind of file a path names; `fuzzy`
//! forgives typing; `graph` finds what is central. Every number that can be argued about is in `tuning`.
//!
//! Read `boost` first: it decides more than everything else together.

pub mod bm25;
pub mod boost;
pub mod fuse;
pub mod fuzzy;
pub mod graph;
pub mod paths;
pub mod query;
pub mod tuning;
