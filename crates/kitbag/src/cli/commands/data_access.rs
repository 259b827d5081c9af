//! `kitbag data-access`: the functions that read or write data.

use kitbag_engine::api::{self, DataAccessReply, InsightsRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::DataAccess;
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table};

pub(crate) fn run(context: &Context, arguments: DataAccess) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = InsightsRequest {
        package: arguments.where_to_look.package,
        paths: arguments.where_to_look.path,
        framework: arguments.store,
        table: arguments.table,
        sensitive: arguments.sensitive,
        ..InsightsRequest::default()
    };
    let mut meter = Meter::new(context);
    let update = !arguments.where_to_look.no_update;
    let mut report = |progress: kitbag_engine::Progress<'_>| meter.report(progress);
    let reply = api::data_access(&engine, &request, update, &mut report, context.around.now);
    meter.finish();
    let reply = reply?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings);
    Ok(if reply.data_accessors.is_empty() {
        answer
            .remark(context, "no functions that touch data found")
            .exit(Exit::NothingFound)
    } else {
        answer
    })
}

fn render(page: &mut Page, reply: &DataAccessReply) {
    let mut table = Table::new(&[
        (Align::Left, Some(Style::Label)),
        (Align::Left, None),
        (Align::Left, None),
        (Align::Left, Some(Style::Path)),
    ]);
    table.row(&["function", "does", "tables", "place"]);
    for accessor in &reply.data_accessors {
        let mark = if accessor.sensitive { " !" } else { "" };
        table.row(&[
            &accessor.function,
            &format!("{}{mark}", accessor.operations.join(", ")),
            &accessor.tables.join(", "),
            &format!("{}:{}", accessor.file, accessor.line),
        ]);
    }
    table.fit(3).print(page);
    let reasons = reply.data_accessors.iter().flat_map(|accessor| &accessor.reasons);
    let reasons: std::collections::BTreeSet<&String> = reasons.collect();
    if !reasons.is_empty() {
        page.end_line().line("! sensitive");
        for reason in reasons {
            page.put("  ").line(reason);
        }
    }
}
