//! `kitbag completions`: a script for a shell, made from the same table as the help.

use clap::CommandFactory as _;

use crate::cli::answer::Answer;
use crate::cli::arguments::{Arguments, Completions};

pub(crate) fn run(arguments: &Completions) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "kitbag", &mut script);
    Answer::text(String::from_utf8_lossy(&script).into_owned())
}
