//! `kitbag mcp`: serves an agent over standard input and output until it hangs up.

use crate::cli::answer::Answer;
use crate::cli::arguments::Mcp;
use crate::cli::context::Context;
use kitbag_door::failure::Failure;
use kitbag_server::Projects;
use kitbag_server::mcp;

pub(crate) fn run(context: Context, arguments: &Mcp) -> Result<Answer, Failure> {
    if context.looks.stdin_is_terminal {
        context.say(
            "waiting for an agent on standard input",
            "`kitbag install` sets one up; Ctrl-D ends this",
        );
    }
    let projects = Projects::anywhere(context.around)?;
    mcp::serve(projects, &arguments.sets())?;
    Ok(Answer::text(String::new()))
}
