//! `kitbag cite`: lists the sources that an answer cites (PACK-61).

use std::io::{self, IsTerminal as _};

use kitbag_engine::api;

use crate::cli::answer::Answer;
use crate::cli::arguments::Cite;
use crate::cli::context::Context;
use crate::cli::input::{STDIN, check_stdin, text_at};
use crate::cli::saved::{USER, find, update};
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Style, counted};

/// No answer is larger (SEC-4).
const MAX_BYTES: u64 = 16_000_000;

pub(crate) fn run(context: &Context, arguments: &Cite) -> Result<Answer, Failure> {
    if arguments.answer.is_none() && io::stdin().is_terminal() {
        let failure = Failure::wrong_use("INVALID_ARGUMENTS", "there is no answer to look into");
        return Err(failure.with_hint("name a file, or pipe the answer in"));
    }
    let path = arguments.answer.as_deref().unwrap_or(STDIN.as_ref());
    check_stdin([path].into_iter().chain(arguments.pack.as_deref()))?;
    let (engine, _) = context.open(Vec::new())?;
    let mut found = find(context, &engine, arguments.pack.as_deref())?;
    let text = text_at(context, path, MAX_BYTES)?;
    let before = found.saved.used.clone();
    let reply = api::cite(&mut found.saved, &text);
    if found.kept && !reply.sources.is_empty() {
        // As below: not worth failing for.
        let _ = api::count_cited(&engine, USER, &found.saved, &reply, context.around.now);
    }
    // If the use cannot be recorded, the command still succeeds.
    if found.kept
        && found.saved.used != before
        && let Err(failure) = update(&engine, &found)
        && context.everywhere.verbose
    {
        context.say("not marked", &failure.message);
    }
    let answer = Answer::new(context, &reply, |page| {
        for source in &reply.sources {
            page.styled(Style::Label, &format!("[{}]", source.citation))
                .put(" ");
            let place = format!("{}:{}-{}", source.path, source.line_start, source.line_end);
            page.styled(Style::Path, &place);
            if !source.label.is_empty() {
                page.put(" ").put(&source.label);
            }
            page.end_line();
        }
    });
    let unknown: Vec<String> = reply
        .unknown
        .iter()
        .map(|citation| format!("[{citation}] is not in the pack"))
        .collect();
    let answer = answer.warn(context, &unknown);
    Ok(if reply.sources.is_empty() {
        answer
            .remark(context, "the answer cites nothing from the pack")
            .exit(Exit::NothingFound)
    } else {
        let n_items = counted(found.saved.reply.items.len() as u64, "item");
        answer.remark(
            context,
            &format!("{} of {n_items} used so far", found.saved.used.len()),
        )
    })
}
