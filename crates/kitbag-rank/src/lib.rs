//! From questions and lists to one ordered list. Arithmetic on plain data: nothing here reads a file, a clock or a table.
//!
//! `query` takes a question apart; `bm25` scores text matches; `fuse` joins the lists of several providers; `factors` is
//! what Kitbag knows about code (definitions, paths, tests, exports); `diversity` moves down what is nearly the same as something above it; `paths` says what
//! kind of file a path names; `fuzzy` forgives typing; `graph` finds what is central; `thread` scores what a conversation
//! draws on; `measure` says how good an order is.
//! Every number that can be argued about is in `tuning`.
//!
//! Read `factors` first: it decides more than everything else together.

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
