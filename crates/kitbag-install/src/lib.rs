//! Kitbag among the coding agents of a machine: `install` writes it into their configuration and takes it out again, `doctor` says
//! what is wrong and what to do about it. Both are asked by the command line, which shows what they give.
#![expect(
    clippy::disallowed_methods,
    reason = "it reads and writes the files of other programs, and starts them"
)]

pub mod doctor;
pub mod install;
