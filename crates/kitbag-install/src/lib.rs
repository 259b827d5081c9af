//! Kitbag and the coding agents of a machine: `install` adds it to their configuration and removes it, `doctor` finds problems and
//! says what to do about them. The command line calls both and shows their results.
#![expect(
    clippy::disallowed_methods,
    reason = "it reads and writes the files of other programs, and starts them"
)]

pub mod doctor;
pub mod install;
