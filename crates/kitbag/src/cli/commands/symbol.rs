//! `kitbag symbol`: where a name is defined, and what uses it.

use kitbag_engine::api::{self, Definition, SymbolReply, SymbolRequest, Use};

use crate::cli::answer::Answer;
use crate::cli::arguments::Symbol;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use crate::cli::paths::path_inside;
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table};

pub(crate) fn run(context: &Context, arguments: Symbol) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let request = SymbolRequest {
        limit: Some(arguments.limit),
        packages: arguments.package,
        scope: arguments.scope.as_deref().map(api::scope).transpose()?,
        active: arguments
            .active
            .map(|path| path_inside(context, &engine, &path))
            .transpose()?,
        update: !arguments.no_update,
        ..SymbolRequest::new(arguments.name)
    };
    let here = || {
        let reply = metered(context, |report| {
            api::symbol(&engine, &request, report, context.around.now)
        });
        Ok(reply?)
    };
    let reply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/symbol", &request),
        |_| None,
    );
    let reply = reply?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings);
    if !reply.definitions.is_empty() {
        return Ok(answer);
    }
    Ok(answer.remark(context, &nothing(&reply)).exit(Exit::NothingFound))
}

/// Why there is no definition, and what there is instead.
fn nothing(reply: &SymbolReply) -> String {
    if let Some(said) = reply.said_elsewhere() {
        return said;
    }
    let mut remark = format!("no definition of `{}`", reply.name);
    if !reply.similar.is_empty() {
        remark.push_str(&format!("; similar names: {}", reply.similar.join(", ")));
    }
    remark
}

fn render(page: &mut Page, reply: &SymbolReply) {
    for definition in &reply.definitions {
        render_definition(page, definition);
    }
    let totals = &reply.totals;
    render_more(page, "", reply.definitions.len(), totals.definitions);
    let lists = [
        ("callers", &reply.callers, totals.callers),
        ("callees", &reply.callees, totals.callees),
        ("implementors", &reply.implementors, totals.implementors),
        ("tests", &reply.tests, totals.tests),
    ];
    for (title, uses, total) in lists {
        render_uses(page, title, uses);
        render_more(page, "  ", uses.len(), total);
    }
}

/// How many are not shown, and how to see them.
fn render_more(page: &mut Page, indent: &str, n_shown: usize, total: usize) {
    if total > n_shown {
        let more = format!("{indent}… {} more: --limit {total}", total - n_shown);
        page.styled(Style::Quiet, &more).end_line();
    }
}

fn render_definition(page: &mut Page, definition: &Definition) {
    page.styled(
        Style::Path,
        &format!(
            "{}:{}-{}",
            definition.path, definition.line_start, definition.line_end
        ),
    );
    page.put("  ")
        .put(&definition.kind)
        .put("  ")
        .styled(Style::Label, &definition.name)
        .end_line();
    for line in definition.signature.lines() {
        page.put("    ").code(line).end_line();
    }
    if let Some(summary) = definition.doc.lines().find(|line| !line.trim().is_empty()) {
        page.wrapped(Style::Quiet, summary, 4);
    }
    if definition.members.is_empty() {
        return;
    }
    page.line("    members");
    let columns = [
        (Align::Left, Some(Style::Path)),
        (Align::Left, None),
        (Align::Left, Some(Style::Quiet)),
    ];
    let mut table = Table::new(&columns).indented(6);
    for member in &definition.members {
        let place = if member.path == definition.path {
            member.line.to_string()
        } else {
            format!("{}:{}", member.path, member.line)
        };
        table.row(&[&place, &member.name, &member.kind]);
    }
    table.fit(1).print(page);
    render_more(page, "      ", definition.members.len(), definition.members_total);
}

fn render_uses(page: &mut Page, title: &str, uses: &[Use]) {
    if uses.is_empty() {
        return;
    }
    page.end_line().line(title);
    let columns = [
        (Align::Left, Some(Style::Path)),
        (Align::Left, None),
        (Align::Left, Some(Style::Quiet)),
    ];
    let mut table = Table::new(&columns).indented(2);
    for used in uses {
        // Say how sure it is, unless it is certain: another definition may have the same name.
        let mut remark = if used.count > 1 {
            format!("{}×", used.count)
        } else {
            String::new()
        };
        if let Some(doubt) = used.doubt() {
            remark.push_str(if remark.is_empty() { "" } else { ", " });
            remark.push_str(&doubt);
        }
        table.row(&[&format!("{}:{}", used.path, used.line), &used.name, &remark]);
    }
    table.fit(0).print(page);
}
