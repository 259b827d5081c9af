//! `kitbag explain`: why each item of a pack is in, at its rank and in its form, and why the rest is out (PACK-15).

use kitbag_engine::api::{self, ExplainReply, PackExcluded, PackItem};

use super::pack::summary::{place, place_of_excluded};
use crate::cli::answer::Answer;
use crate::cli::arguments::Explain;
use crate::cli::context::Context;
use crate::cli::saved::find;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, grouped};

/// The parts of a score; the other factors of an item explain the relevance from the search.
const PARTS: [&str; 3] = ["relevance", "recency", "source"];

pub(crate) fn run(context: &Context, arguments: &Explain) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let found = find(context, &engine, arguments.pack.as_deref())?;
    let target = arguments.target.as_deref();
    let reply = api::explain(&found.saved.reply, target);
    let answer = Answer::new(context, &reply, |page| match target {
        Some(_) => closely(page, &reply),
        None => render(page, &reply),
    });
    Ok(match target {
        Some(target) if reply.items.is_empty() && reply.excluded.is_empty() => answer
            .remark(
                context,
                &format!("`{target}` is neither in the pack nor among what was left out: nothing found it"),
            )
            .exit(Exit::NothingFound),
        _ => answer,
    })
}

fn factor(item: &PackItem, name: &str) -> f64 {
    let found = item.factors.iter().find(|factor| factor.factor == name);
    found.map_or(0.0, |factor| factor.value)
}

fn heading(page: &mut Page, reply: &ExplainReply) {
    let weights = &reply.weights;
    let told = if reply.intent_inferred {
        ", inferred from the task"
    } else {
        ""
    };
    let sum = format!(
        "score = {:.2} relevance + {:.2} recency + {:.2} source",
        weights.relevance, weights.recency, weights.source
    );
    page.line(&sum);
    page.line(&format!("intent: {}{told}", reply.intent));
}

/// Everything, two lines each: what and how good, then why.
pub(super) fn render(page: &mut Page, reply: &ExplainReply) {
    heading(page, reply);
    page.end_line();
    for item in &reply.items {
        let [relevance, recency, source] = PARTS.map(|name| factor(item, name));
        page.put(&format!("{:>3}  ", item.rank));
        page.styled(Style::Label, &item.citation).put("  ");
        page.styled(Style::Path, &place(item)).end_line();
        let why = format!(
            "score {:.3}: relevance {relevance:.3}, recency {recency:.3}, source {source:.3}; {}",
            item.score, item.selection_reason
        );
        page.wrapped(Style::Quiet, &why, 5);
    }
    left_out(page, &reply.excluded);
}

fn left_out(page: &mut Page, excluded: &[PackExcluded]) {
    if excluded.is_empty() {
        return;
    }
    page.end_line().line("left out");
    for one in excluded {
        // An item that never was a candidate has neither.
        let facts = one
            .score
            .zip(one.tokens)
            .map_or(String::new(), |(score, tokens)| {
                format!(" (score {score:.3}, {} tokens)", grouped(tokens as u64))
            });
        page.put("  ")
            .styled(Style::Path, &place_of_excluded(one))
            .end_line();
        let why = format!("{}: {}{facts}", one.reason, one.detail);
        page.wrapped(Style::Quiet, &why, 5);
    }
}

/// The items that were asked about, with all details.
fn closely(page: &mut Page, reply: &ExplainReply) {
    let weights = &reply.weights;
    for (idx, item) in reply.items.iter().enumerate() {
        if idx > 0 {
            page.end_line();
        }
        page.styled(Style::Label, &item.citation).put("  ");
        page.styled(Style::Path, &place(item)).end_line();
        let rows = [
            ("in", item.selection_reason.clone()),
            (
                "as",
                format!(
                    "{}, {} tokens, under {}",
                    item.resolution,
                    grouped(item.tokens as u64),
                    item.section
                ),
            ),
            (
                "score",
                format!(
                    "{:.3} = {:.2} × {:.3} relevance + {:.2} × {:.3} recency + {:.2} × {:.2} source ({})",
                    item.score,
                    weights.relevance,
                    factor(item, "relevance"),
                    weights.recency,
                    factor(item, "recency"),
                    weights.source,
                    factor(item, "source"),
                    item.source
                ),
            ),
            ("found by", found_by(item)),
            ("copies", item.copies.join(", ")),
            ("like", like(item)),
        ];
        let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]).indented(2);
        for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
            table.row(&[name, value]);
        }
        table.print(page);
    }
    if reply.items.is_empty() && !reply.excluded.is_empty() {
        page.line("not in the pack");
    }
    left_out(page, &reply.excluded);
}

/// Edited copies that it replaces.
fn like(item: &PackItem) -> String {
    let places = item.like.iter();
    let words = places.map(|like| format!("{} ({} % of the lines)", like.place, like.percent));
    words.collect::<Vec<_>>().join(", ")
}

/// The factors of the search ([ranking](docs/ranking.md)).
fn found_by(item: &PackItem) -> String {
    let of_search = item
        .factors
        .iter()
        .filter(|factor| !PARTS.contains(&factor.factor.as_str()));
    let words = of_search.map(|factor| format!("{} {:.4}", factor.factor, factor.value));
    words.collect::<Vec<_>>().join(", ")
}
