//! `kitbag status`: what is indexed, where, and what went wrong. Loads no grammar and no tokenizer.

use kitbag_engine::api::{self, StatusReply};

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Align, Page, Style, Table, ago, grouped, sized};

pub(crate) fn run(context: &Context) -> Result<Answer, Failure> {
    let (engine, _) = context.open_if_off(Vec::new())?;
    let reply = api::status(&engine)?;
    Ok(Answer::new(context, &reply, |page| {
        render(page, &reply, context.around.now.0)
    }))
}

fn render(page: &mut Page, reply: &StatusReply, now: i64) {
    let state = match reply.updated_at {
        None if !reply.damage.is_empty() => "damaged: run `kitbag index`".to_owned(),
        None => "not indexed yet: run `kitbag index`".to_owned(),
        Some(at) if reply.complete => format!("complete, {}", ago(at, now)),
        Some(at) if !reply.damage.is_empty() => format!(
            "damaged, {:.0} % of the text and {:.0} % of the vectors searchable, {}: run `kitbag index`",
            (reply.text * 100.0).floor(),
            (reply.vectors * 100.0).floor(),
            ago(at, now)
        ),
        Some(at) => format!(
            "{} of {} files searchable, {:.0} % of the text, {:.0} % of the vectors, {}: run `kitbag index`",
            grouped(reply.files),
            grouped(reply.expected),
            (reply.text * 100.0).floor(),
            (reply.vectors * 100.0).floor(),
            ago(at, now)
        ),
    };
    let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
    table.row(&["root", &reply.root]);
    table.row(&["store", &reply.store]);
    table.row(&["index", &state]);
    if reply.updated_at.is_some() {
        table.row(&["files", &grouped(reply.files)]);
        table.row(&["chunks", &grouped(reply.chunks)]);
        table.row(&["symbols", &grouped(reply.symbols)]);
        table.row(&["packages", &grouped(reply.packages)]);
        table.row(&["redacted", &grouped(reply.redacted)]);
        table.row(&["on disk", &sized(reply.bytes)]);
    }
    table.print(page);
    if !reply.damage.is_empty() {
        page.end_line().line("damaged");
        for what in &reply.damage {
            page.put("  ").line(what);
        }
    }
    if !reply.set_aside.is_empty() {
        page.end_line()
            .line("set aside because it was damaged; nothing reads it, and it may be deleted (`rm -r`)");
        let columns = [(Align::Left, Some(Style::Path)), (Align::Right, None)];
        let mut table = Table::new(&columns).indented(2);
        for aside in &reply.set_aside {
            table.row(&[&aside.path, &sized(aside.bytes)]);
        }
        table.print(page);
    }
    if !reply.languages.is_empty() {
        let mut languages: Vec<(&String, &u64)> = reply.languages.iter().collect();
        languages.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        page.end_line().line("files by language");
        let mut table = Table::new(&[(Align::Left, None), (Align::Right, None)]).indented(2);
        for (language, n_files) in languages {
            table.row(&[language, &grouped(*n_files)]);
        }
        table.print(page);
    }
    if !reply.manifests.is_empty() {
        page.end_line().line("manifests that could not be read");
        for what in &reply.manifests {
            page.put("  ").line(what);
        }
    }
    if !reply.failures.is_empty() {
        page.end_line().line("could not be read");
        let columns = [
            (Align::Left, Some(Style::Path)),
            (Align::Left, None),
            (Align::Left, Some(Style::Quiet)),
        ];
        let mut table = Table::new(&columns).indented(2);
        for failure in &reply.failures {
            table.row(&[&failure.path, &failure.kind, &failure.message]);
        }
        table.print(page);
    }
}
