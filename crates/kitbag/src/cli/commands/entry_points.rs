//! `kitbag entry-points`: where the program is entered from outside.

use kitbag_engine::api::{self, EntryPoint, EntryPointsReply, InsightsRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::EntryPoints;
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, counted};

pub(crate) fn run(context: &Context, arguments: EntryPoints) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = InsightsRequest {
        package: arguments.where_to_look.package,
        paths: arguments.where_to_look.path,
        kinds: arguments.kind,
        framework: arguments.framework,
        ..InsightsRequest::default()
    };
    let mut meter = Meter::new(context);
    let update = !arguments.where_to_look.no_update;
    let mut report = |progress: kitbag_engine::Progress<'_>| meter.report(progress);
    let reply = api::entry_points(&engine, &request, update, &mut report, context.around.now);
    meter.finish();
    let reply = reply?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings);
    Ok(
        if reply.entry_points.is_empty() && reply.hidden.is_empty() && reply.unlisted_exports == 0 {
            answer
                .remark(context, "no entry points found")
                .exit(Exit::NothingFound)
        } else {
            answer
        },
    )
}

/// Kinds in this order, with their headings.
const KINDS: [(&str, &str); 6] = [
    ("api", "requests"),
    ("cli", "commands"),
    ("job", "jobs"),
    ("event", "events"),
    ("main", "programs"),
    ("export", "public interface of libraries"),
];

fn render(page: &mut Page, reply: &EntryPointsReply) {
    let mut is_first = true;
    for (kind, heading) in KINDS {
        let own: Vec<&EntryPoint> = reply
            .entry_points
            .iter()
            .filter(|entry| entry.kind == kind)
            .collect();
        if own.is_empty() {
            continue;
        }
        if !is_first {
            page.end_line();
        }
        is_first = false;
        page.line(&format!("{heading} ({})", own.len()));
        let mut table = Table::new(&[
            (Align::Left, None),
            (Align::Left, Some(Style::Label)),
            (Align::Left, Some(Style::Path)),
        ]);
        for entry in own {
            let what = if kind == "api" { &entry.method } else { &entry.name };
            let place = entry.handler.as_ref().map_or_else(
                || format!("{}:{}", entry.file, entry.line),
                |handler| format!("{}:{}", handler.file, handler.line),
            );
            table.row(&[&format!("  {what}"), &entry.path, &place]);
        }
        table.fit(2).print(page);
    }
    if !reply.hidden.is_empty() {
        page.end_line().line("made at run time, not listed");
        for hidden in &reply.hidden {
            page.put("  ").put(&hidden.what).put(" ");
            page.styled(Style::Path, &format!("{}:{}", hidden.at.path, hidden.at.line))
                .end_line();
        }
    }
    if reply.unlisted_exports > 0 {
        if !(is_first && reply.hidden.is_empty()) {
            page.end_line();
        }
        page.line(&format!(
            "{} of libraries not listed: kitbag entry-points --kind export",
            counted(reply.unlisted_exports, "public name")
        ));
    }
}
