//! `kitbag agents-md`: shows how the marked block of AGENTS.md should be, and writes it when told to.

use kitbag_engine::api::{self, AgentsMdReply, AgentsMdRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::AgentsMd;
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use crate::cli::outfile::write_whole;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style};

pub(crate) fn run(context: &Context, arguments: AgentsMd) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let file = arguments
        .file
        .map(|path| super::packages::project_path(context, &engine, &path));
    let request = AgentsMdRequest {
        file: file.transpose()?,
    };
    let mut meter = Meter::new(context);
    let mut report = |progress: kitbag_engine::Progress<'_>| meter.report(progress);
    let reply = api::agents_md(&engine, &request, &mut report, context.around.now);
    meter.finish();
    let reply = reply?;
    if arguments.write && reply.changed {
        let path = engine.root().join(&reply.file);
        write_whole(&path, &reply.text).map_err(|error| {
            let message = format!("{} cannot be written: {error}", path.display());
            Failure::trouble("OUTPUT_ERROR", message)
        })?;
    }
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings);
    let said = match (reply.changed, arguments.write) {
        (false, _) => format!("{} is up to date", reply.file),
        (true, true) => format!("{} is written", reply.file),
        (true, false) => format!("{} would change; --write changes it", reply.file),
    };
    let answer = answer.remark(context, &said);
    Ok(match arguments.check && reply.changed {
        true => answer.exit(Exit::NothingFound),
        false => answer,
    })
}

fn render(page: &mut Page, reply: &AgentsMdReply) {
    for line in &reply.removed {
        page.styled(Style::Error, &format!("-{line}")).end_line();
    }
    for line in &reply.added {
        page.styled(Style::Good, &format!("+{line}")).end_line();
    }
}
