//! `kitbag completions`: a script for a shell, made from the same table as the help.

use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::arguments::{Completions, command};
use crate::cli::context::Context;

#[derive(Serialize)]
struct CompletionsReply {
    shell: String,
    script: String,
}

pub(crate) fn run(context: &Context, arguments: &Completions) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "kitbag", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    Answer::own(
        context,
        &CompletionsReply {
            shell: arguments.shell.to_string(),
            script,
        },
        |reply| &reply.script,
    )
}
