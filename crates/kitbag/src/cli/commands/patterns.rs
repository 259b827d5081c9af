//! `kitbag patterns`: the conventions of the code with counts, an example and outliers; and what people decide about them.

use kitbag_engine::Engine;
use kitbag_engine::api::{self, DecideReply, DecideRequest, Pattern, PatternsReply, PatternsRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::{PatternDecision, Patterns};
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use crate::cli::outfile::write_whole;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style, counted, grouped};

/// Outliers that are printed; JSON has more.
const OUTLIERS: usize = 3;

pub(crate) fn run(context: &Context, arguments: Patterns) -> Result<Answer, Failure> {
    if let Some(decision) = arguments.decide {
        return decide(context, decision);
    }
    let (engine, _) = context.open(Vec::new())?;
    let request = PatternsRequest {
        package: arguments.where_to_look.package,
        paths: arguments.where_to_look.path,
        category: arguments.category,
        all: arguments.all,
    };
    let mut meter = Meter::new(context);
    let update = !arguments.where_to_look.no_update;
    let mut report = |progress: kitbag_engine::Progress<'_>| meter.report(progress);
    let reply = api::patterns(&engine, &request, update, &mut report, context.around.now);
    meter.finish();
    let reply = reply?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings);
    let answer = match reply.hidden {
        0 => answer,
        hidden => answer.remark(
            context,
            &format!("{} more with --all", counted(hidden, "weaker convention")),
        ),
    };
    Ok(match reply.patterns.is_empty() && reply.layers.is_empty() {
        true => answer
            .remark(context, "no conventions found")
            .exit(Exit::NothingFound),
        false => answer,
    })
}

fn decide(context: &Context, decision: PatternDecision) -> Result<Answer, Failure> {
    let (ids, status) = match decision {
        PatternDecision::Approve(ids) => (ids.ids, "approved"),
        PatternDecision::Ignore(ids) => (ids.ids, "ignored"),
        PatternDecision::Forget(ids) => (ids.ids, "discovered"),
    };
    let (engine, _) = context.open(Vec::new())?;
    let request = DecideRequest {
        ids,
        status: status.to_owned(),
    };
    let reply = api::decide_patterns(&engine, &request, context.around.now)?;
    write_decisions(&engine, &reply)?;
    let told = format!(
        "{} in {}: {}",
        counted(reply.ids.len() as u64, "convention"),
        reply.file,
        reply.status
    );
    Ok(Answer::new(context, &reply, |page| {
        page.line(&told);
    }))
}

pub(crate) fn write_decisions(engine: &Engine, reply: &DecideReply) -> Result<(), Failure> {
    let path = engine.root().join(&reply.file);
    write_whole(&path, &reply.text).map_err(|error| {
        let message = format!("{} cannot be written: {error}", path.display());
        Failure::trouble("OUTPUT_ERROR", message)
    })
}

/// By category, in the order in which they come.
fn render(page: &mut Page, reply: &PatternsReply) {
    let mut categories: Vec<&str> = Vec::new();
    for one in &reply.patterns {
        if !categories.contains(&one.category.as_ref()) {
            categories.push(&one.category);
        }
    }
    for (idx, category) in categories.iter().enumerate() {
        if idx > 0 {
            page.end_line();
        }
        page.line(category);
        for one in reply.patterns.iter().filter(|one| one.category == *category) {
            pattern(page, one);
        }
    }
    if !reply.layers.is_empty() {
        if !categories.is_empty() {
            page.end_line();
        }
        page.line("layers");
        for layer in &reply.layers {
            page.put("  ").styled(Style::Path, &layer.from);
            page.put(" never imports ").styled(Style::Path, &layer.to);
            page.line(&format!(" (0 of {} imports)", grouped(layer.could)));
        }
    }
}

fn pattern(page: &mut Page, one: &Pattern) {
    let percent = (one.confidence * 1000.0).floor() / 10.0;
    page.put(&format!("  {percent:>5.1} %  "));
    page.put(&one.statement);
    page.put(&format!(
        " ({} of {})",
        grouped(one.occurrences),
        grouped(one.applicable)
    ));
    match one.status.as_ref() {
        "discovered" => {}
        status => {
            page.put(" ").styled(Style::Good, status);
        }
    }
    page.end_line();
    page.put("           ").styled(Style::Quiet, &one.id).end_line();
    if let Some(site) = &one.example {
        page.put("           like ");
        page.styled(Style::Path, &format!("{}:{}", site.file, site.line))
            .end_line();
    }
    let outliers: Vec<String> = one
        .outliers
        .iter()
        .take(OUTLIERS)
        .map(|site| format!("{}:{}", site.file, site.line))
        .collect();
    if !outliers.is_empty() {
        page.put("           not  ");
        page.styled(Style::Path, &outliers.join(", ")).end_line();
    }
}
