//! `kitbag check-docs`: statements in documents that are not true. Exit code 1 if there are any, for CI.

use kitbag_engine::api::{self, CheckDocsReply, CheckDocsRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::CheckDocs;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style, counted};

pub(crate) fn run(context: &Context, arguments: CheckDocs) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let files = arguments.files.iter();
    let files = files.map(|path| super::packages::project_path(context, &engine, path));
    let request = CheckDocsRequest {
        files: files.collect::<Result<_, _>>()?,
    };
    let reply = api::check_docs(&engine, &request, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply));
    let answer = answer
        .warn(context, &reply.warnings)
        .remark(context, &summary(&reply));
    Ok(match reply.findings.is_empty() {
        true => answer,
        false => answer.exit(Exit::NothingFound),
    })
}

fn render(page: &mut Page, reply: &CheckDocsReply) {
    for one in &reply.findings {
        page.styled(Style::Path, &format!("{}:{}", one.file, one.line));
        page.put(&format!(": {} `{}`: {}", one.kind, one.claim, one.problem));
        if let Some(nearest) = &one.nearest {
            page.put("; nearest: ").styled(Style::Label, nearest);
        }
        page.end_line();
    }
}

fn summary(reply: &CheckDocsReply) -> String {
    let checked = &reply.checked;
    format!(
        "{} in {}; checked: {}, {}, {}, {}",
        counted(reply.findings.len() as u64, "finding"),
        counted(reply.files.len() as u64, "document"),
        counted(checked.links, "link"),
        counted(checked.paths, "path"),
        counted(checked.commands, "command"),
        counted(checked.symbols, "name"),
    )
}
