//! `kitbag`, the program: a door. Words come in, the engine answers, and a person or a program reads the reply.
//!
//! The clock, the environment, the arguments and the streams are touched here and nowhere below. Read `cli.rs` for what
//! can be said, then one file of `cli/commands`. Nothing in this crate decides what is relevant.
#![expect(
    clippy::disallowed_methods,
    reason = "a door reads the clock, the environment and its own files"
)]

mod cli;
mod client;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os().collect()).into()
}
