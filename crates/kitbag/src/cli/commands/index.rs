//! `kitbag index`: bring the index up to date and say what that took.

use kitbag_engine::api::{self, IndexReply, IndexRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Index;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Page, Style, counted, grouped};

pub(crate) fn run(context: &Context, arguments: Index) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = IndexRequest {
        wait: !arguments.no_wait,
        thorough: arguments.thorough,
        stop: None,
    };
    let reply = metered(context, |report| {
        api::index(&engine, request, report, context.around.now)
    });
    let reply = reply?;
    Ok(Answer::new(context, &reply, |page| {
        if !context.everywhere.quiet {
            render(page, &reply);
        }
    })
    .warn(context, &reply.warnings))
}

fn render(page: &mut Page, reply: &IndexReply) {
    page.styled(Style::Good, "indexed").put(" ");
    page.put(&format!(
        "{}, {}: ",
        counted(reply.files, "file"),
        counted(reply.chunks, "chunk")
    ));
    let counts = [
        (reply.added, "added"),
        (reply.changed, "changed"),
        (reply.removed, "removed"),
        (reply.unchanged, "unchanged"),
        (reply.skipped, "not text"),
        (reply.failed, "failed"),
    ];
    let said: Vec<String> = counts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{} {word}", grouped(*n)))
        .collect();
    page.line(&if said.is_empty() {
        "nothing to index".to_owned()
    } else {
        said.join(", ")
    });
    if !reply.complete {
        page.line("the index is not complete yet: run `kitbag index` again");
    }
    if reply.failed > 0 {
        page.line("`kitbag status` lists what failed");
    }
}
