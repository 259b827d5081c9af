//! `kitbag list-indexable`: every file that the rules allow, one per line; or every path that they skip, and why.

use kitbag_engine::api;

use crate::cli::answer::Answer;
use crate::cli::arguments::ListIndexable;
use crate::cli::context::Context;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Align, Style, Table};

pub(crate) fn run(context: &Context, arguments: &ListIndexable) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let reply = api::list_indexable(&engine, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| {
        if !arguments.skipped {
            for file in &reply.files {
                page.line(&file.path);
            }
            return;
        }
        let columns = [
            (Align::Left, Some(Style::Path)),
            (Align::Left, None),
            (Align::Left, Some(Style::Quiet)),
        ];
        let mut table = Table::new(&columns);
        for skipped in &reply.skipped {
            table.row(&[&skipped.path, skipped.reason, &skipped.detail]);
        }
        table.print(page);
    });
    Ok(answer.warn(context, &reply.warnings))
}
