//! `kitbag key-files`: the files that the rest depends on and that change most, and what changed lately.

use kitbag_engine::api::{self, KeyFilesReply, KeyFilesRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::KeyFiles;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, grouped};

pub(crate) fn run(context: &Context, arguments: KeyFiles) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let path = arguments
        .path
        .map(|path| super::packages::project_path(context, &engine, &path));
    let request = KeyFilesRequest {
        package: arguments.package,
        path: path.transpose()?,
    };
    let reply = metered(context, |report| {
        api::key_files(&engine, &request, report, context.around.now)
    });
    let reply = reply?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply));
    let answer = answer.warn(context, &reply.warnings);
    Ok(match reply.key_files.is_empty() {
        true => answer
            .remark(context, "no source files were found")
            .exit(Exit::NothingFound),
        false => answer,
    })
}

fn render(page: &mut Page, reply: &KeyFilesReply) {
    let columns = [
        (Align::Left, Some(Style::Path)),
        (Align::Right, None),
        (Align::Right, None),
        (Align::Right, None),
    ];
    let mut table = Table::new(&columns);
    table.row(&["file", "score", "central", "changes"]);
    for file in &reply.key_files {
        table.row(&[
            &file.path,
            &format!("{:.2}", file.score),
            &format!("{:.4}", file.central),
            &grouped(file.changes),
        ]);
    }
    table.fit(0).print(page);
    if !reply.recent_changes.is_empty() {
        page.end_line().line("changed lately");
        for change in &reply.recent_changes {
            page.put("  ").styled(Style::Quiet, &change.commit).put(" ");
            page.line(&change.subject);
        }
    }
    if !reply.changes_together.is_empty() {
        page.end_line().line("changes together with it");
        for file in &reply.changes_together {
            page.put("  ").styled(Style::Path, &file.path);
            page.line(&format!(" {}", grouped(file.changes)));
        }
    }
}
