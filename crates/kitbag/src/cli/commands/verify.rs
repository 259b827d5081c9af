//! `kitbag verify`: which items of a pack still hold, which moved, which changed; `--refresh` prints what changed (PACK-62).

use std::path::Path;
use std::time::Instant;

use kitbag_engine::api::{self, SavedPack, VerifiedItem, VerifyReply};
use kitbag_engine::{Engine, Tokenizer};

use super::pack::warnings;
use crate::cli::answer::Answer;
use crate::cli::arguments::Verify;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use crate::cli::saved::find;
use crate::cli::tokenizer::custom_tokenizer;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, grouped};

pub(crate) fn run(context: &Context, arguments: &Verify) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let found = find(context, &engine, arguments.pack.as_deref())?;
    let reply = api::verify(&engine, &found.saved.reply);
    if arguments.refresh {
        return refresh(context, &engine, &found.saved, &reply);
    }
    let exit = if reply.holds() {
        Exit::Fine
    } else {
        Exit::NothingFound
    };
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).exit(exit);
    let n_files = reply.items.len() - reply.given;
    Ok(if n_files == 0 {
        answer.remark(context, "nothing in this pack was read from a file")
    } else {
        answer.remark(context, &counts(&reply))
    })
}

fn render(page: &mut Page, reply: &VerifyReply) {
    let columns = [
        (Align::Left, None),
        (Align::Left, Some(Style::Label)),
        (Align::Left, Some(Style::Path)),
        (Align::Left, Some(Style::Quiet)),
    ];
    let mut table = Table::new(&columns);
    for item in &reply.items {
        let place = format!(
            "{}:{}-{}  {}",
            item.path, item.line_start, item.line_end, item.label
        );
        table.row(&[item.state, &item.citation, place.trim_end(), &now(item)]);
    }
    table.print(page);
}

/// Its present place, or why there is none.
fn now(item: &VerifiedItem) -> String {
    match (item.new_line_start, item.new_line_end) {
        (Some(start), Some(end)) => format!("now {start}-{end}"),
        _ => item.detail.clone(),
    }
}

fn counts(reply: &VerifyReply) -> String {
    let counts = [
        (reply.same, "same"),
        (reply.moved, "moved"),
        (reply.changed, "changed"),
        (reply.gone, "gone"),
        (reply.given, "given"),
    ];
    let words = counts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{} {word}", grouped(*n as u64)));
    let verdict = if reply.holds() {
        "the pack holds"
    } else {
        "the pack no longer holds"
    };
    format!("{verdict}: {}", words.collect::<Vec<_>>().join(", "))
}

/// The changed items as a pack. If nothing changed it is empty, which is not a failure.
fn refresh(
    context: &Context,
    engine: &Engine,
    saved: &SavedPack,
    verified: &VerifyReply,
) -> Result<Answer, Failure> {
    let tokenizer = tokenizer(context, &saved.reply.tokenizer)?;
    if saved.template.is_none() && saved.reply.format == "template" {
        let message = "the pack was made with a template, and only its JSON is known";
        return Err(
            Failure::wrong_use("FORMATTING_ERROR", message).with_hint("make it again with `kitbag pack`")
        );
    }
    let started = Instant::now();
    let reply = metered(context, |report| {
        api::pack(
            engine,
            &api::refresh(saved, verified, &tokenizer),
            report,
            &|| started.elapsed(),
            context.around.now,
        )
    });
    let mut reply = reply?;
    if reply.items.is_empty() {
        // Headings around nothing are not a pack.
        reply.text.clear();
        reply.tokens = 0;
    }
    let gone = verified.items.iter().filter(|item| item.state == "gone");
    let gone: Vec<String> = gone
        .map(|item| format!("{}:{} is gone: {}", item.path, item.line_start, item.detail))
        .collect();
    let answer = Answer::own(context, &reply, |reply| &reply.text);
    Ok(answer
        .warn(context, &warnings(&reply))
        .warn(context, &gone)
        .remark(context, &counts(verified)))
}

/// The tokenizer of the pack, which may be a file.
fn tokenizer(context: &Context, name: &str) -> Result<Tokenizer, Failure> {
    match Tokenizer::of_model(name) {
        Some(tokenizer) => Ok(tokenizer),
        None => custom_tokenizer(context, Path::new(name)),
    }
}
