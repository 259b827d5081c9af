//! `kitbag project-stats`: the project in numbers.

use kitbag_engine::api::{self, StatsReply};

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Align, Page, Style, Table, grouped, sized};

pub(crate) fn run(context: &Context) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let reply = metered(context, |report| {
        api::project_stats(&engine, report, context.around.now)
    });
    let reply = reply?;
    Ok(Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings))
}

fn render(page: &mut Page, reply: &StatsReply) {
    let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
    table.row(&["root", &reply.root]);
    table.row(&["files", &grouped(reply.files)]);
    table.row(&["lines", &grouped(reply.lines)]);
    table.row(&["size", &sized(reply.bytes)]);
    table.row(&["chunks", &grouped(reply.chunks)]);
    table.row(&["symbols", &grouped(reply.symbols)]);
    table.print(page);
    if !reply.languages.is_empty() {
        let mut languages: Vec<_> = reply.languages.iter().collect();
        languages.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.language.cmp(&b.language)));
        page.end_line();
        let right = (Align::Right, None);
        let mut table = Table::new(&[(Align::Left, None), right, right, right]);
        table.row(&["language", "files", "lines", "size"]);
        for language in languages {
            let (n_files, n_lines) = (grouped(language.files), grouped(language.lines));
            table.row(&[&language.language, &n_files, &n_lines, &sized(language.bytes)]);
        }
        table.print(page);
    }
    if !reply.central.is_empty() {
        page.end_line()
            .line("most used files (share of all references, by PageRank)");
        let mut table = Table::new(&[
            (Align::Right, Some(Style::Quiet)),
            (Align::Left, Some(Style::Path)),
        ])
        .indented(2);
        for file in &reply.central {
            table.row(&[&format!("{:.1} %", file.rank * 100.0), &file.path]);
        }
        table.print(page);
    }
    if !reply.skipped.is_empty() {
        page.end_line().line("left out (a folder counts once)");
        let mut table = Table::new(&[(Align::Right, None), (Align::Left, None)]).indented(2);
        for (reason, n) in &reply.skipped {
            table.row(&[&grouped(*n), reason]);
        }
        table.print(page);
    }
}
