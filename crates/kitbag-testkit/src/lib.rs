//! Shared helpers for the tests of every room: a folder built from one string, a `git` that no user configuration can
//! reach, one sample of every kind of secret, and projects that somebody made to harm.
//!
//! A dev-dependency only. Panics instead of returning errors: a test that cannot be set up has failed.
#![expect(
    clippy::disallowed_methods,
    reason = "tests build real folders and run the real git"
)]

pub mod fuzz;
mod git;
#[cfg(unix)]
pub mod hostile;
pub mod random;
pub mod secret_shapes;
pub mod secrets;
mod tree;

pub use git::{git, git_output, git_with_input};
pub use tree::TempTree;
