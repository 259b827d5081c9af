//! `kitbag pack`: makes the text for a prompt from a task. Standard output has only the pack; messages about it are on standard
//! error.

mod sources;
pub(in crate::cli) mod summary;

use std::time::Instant;

use kitbag_engine::api::{
    self, Door, PackExcluded, PackReply, PackRequest, PackWarning, PackWindow, SavedPack,
};
use kitbag_engine::{Engine, EngineError, Stop, Tokenizer};

use super::explain;
use crate::cli::answer::Answer;
use crate::cli::arguments::Pack;
use crate::cli::clipboard::copy;
use crate::cli::context::Context;
use crate::cli::input::{STDIN, text_at, text_of_stdin};
use crate::cli::meter::metered;
use crate::cli::outfile::write_whole;
use crate::cli::saved::USER;
use crate::cli::spare_store::{FALLBACK, with_spare_store};
use crate::cli::tokenizer::custom_tokenizer;
use crate::cli::usage::{DOOR, note};
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, json as to_json, sized};
use kitbag_door::settings::{self, Flag, Mode};

/// More than the engine accepts, so that the engine reports what is too long.
const MAX_TASK_BYTES: u64 = 1 << 20;
const MAX_TEMPLATE_BYTES: u64 = 1 << 20;

pub(crate) fn run(context: &Context, mut arguments: Pack) -> Result<Answer, Failure> {
    let started = Instant::now();
    let flags = flags(&mut arguments);
    let (engine, settings) = context.open_if_off(flags.clone())?;
    let tokenizer = match &arguments.tokenizer {
        Some(path) => custom_tokenizer(context, path)?,
        None => api::tokenizer_of(&settings.tokenizer_model)?,
    };
    let given = sources::collect(context, &engine, &arguments)?;
    let task = match arguments.task.as_slice() {
        [word] if word == STDIN => {
            if context.looks.stdin_is_terminal {
                context.say("reading the task from the keyboard", "end it with Ctrl-D");
            }
            text_of_stdin(MAX_TASK_BYTES)?
        }
        words => words.join(" "),
    };
    let template = arguments.template.as_deref();
    let template = template
        .map(|path| text_at(context, path, MAX_TEMPLATE_BYTES))
        .transpose()?;
    if arguments.tokenizer.is_some() && settings.engine.mode == Mode::Standalone {
        let message = "a server counts with the tokenizers it knows, not with a file of yours";
        return Err(Failure::wrong_use("TOKEN_COUNTING_ERROR", message).with_hint("use --model"));
    }
    let request = PackRequest {
        task,
        max_tokens: arguments.budget,
        window: window(&arguments, &settings.budget),
        complexity: arguments.complexity,
        model: Some(settings.tokenizer_model.clone()),
        intent: arguments.intent.clone(),
        format: Some(arguments.format.clone()),
        template,
        line_numbers: arguments.line_numbers,
        sources: given.sources.clone(),
        diff: arguments.diff.clone().map(Option::unwrap_or_default),
        sources_only: arguments.sources_only,
        symbols: given.symbols.clone(),
        paths: arguments.path.clone(),
        exclude: arguments.exclude.clone(),
        languages: arguments.lang.clone(),
        packages: arguments.package.clone(),
        scope: arguments.scope.as_deref().map(api::scope).transpose()?,
        session: arguments.session.clone(),
        preview: arguments.preview,
        // `kitbag explain` needs it later.
        explain: true,
        update: !arguments.no_update,
        tokenizer: Some(&tokenizer),
        door: Door::Terminal,
        // Ctrl-C ends the process.
        stop: Stop::never(),
        ..told(&arguments)
    };
    let here = || packed_somehow(context, &engine, flags, &request, started);
    let reply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/pack", &request),
        |failure| {
            Some(PackReply {
                task: request.task.clone(),
                warnings: vec![PackWarning {
                    source: "server".to_owned(),
                    reason: failure.message.clone(),
                    fallback: "the pack is empty".to_owned(),
                }],
                ..PackReply::default()
            })
        },
    );
    let mut reply = reply?;
    given.add_to(&mut reply);
    // Previews too: `explain` is about the last pack, and that is what the person saw.
    keep(context, &engine, &request, &reply);
    let took = started.elapsed();
    if arguments.preview {
        // Nobody received it, so it does not count as a use of Kitbag.
        reply.text.clear();
    } else {
        note(context, &engine, &settings, || {
            api::usage_of_pack(&engine, DOOR, &reply, took)
        });
    }
    let mut answer = answer(context, &arguments, &reply)?;
    answer.delivery = reply.session.as_mut().and_then(|session| session.delivery.take());
    Ok(talk(context, &arguments, answer, &reply, &tokenizer, started))
}

/// With an index for this answer only, if the store cannot be used (ENG-70).
fn packed_somehow(
    context: &Context,
    engine: &Engine,
    flags: Vec<Flag>,
    request: &PackRequest<'_>,
    started: Instant,
) -> Result<PackReply, Failure> {
    match packed(context, engine, request, started) {
        Err(error @ EngineError::Store(_)) if request.update => {
            let reason = format!("the store cannot be used: {error}");
            let spare = |engine: &Engine| packed(context, engine, request, started);
            let mut reply = with_spare_store(context, flags, error, spare)?;
            reply.warnings.push(PackWarning {
                source: "store".to_owned(),
                reason,
                fallback: FALLBACK.to_owned(),
            });
            Ok(reply)
        }
        other => Ok(other?),
    }
}

fn packed(
    context: &Context,
    engine: &Engine,
    request: &PackRequest<'_>,
    started: Instant,
) -> Result<PackReply, EngineError> {
    metered(context, |report| {
        let clock = || started.elapsed();
        api::pack(engine, request, report, &clock, context.around.now)
    })
}

/// What is asked of the brief.
fn told(arguments: &Pack) -> PackRequest<'static> {
    PackRequest {
        depth: arguments.depth.clone(),
        include_brief: (arguments.brief || arguments.no_brief).then_some(arguments.brief),
        include_snippets: match (arguments.snippets, arguments.no_snippets) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        },
        include_dependencies: arguments.dependencies,
        min_confidence: arguments.min_confidence,
        categories: arguments.category.clone(),
        user: USER,
        ..PackRequest::default()
    }
}

/// Flags that are settings under another name.
fn flags(arguments: &mut Pack) -> Vec<Flag> {
    let given = [
        ("--window", "budget.total_tokens", &mut arguments.window),
        (
            "--system-reserve",
            "budget.system_reserve",
            &mut arguments.system_reserve,
        ),
        (
            "--response-reserve",
            "budget.response_reserve",
            &mut arguments.response_reserve,
        ),
        ("--model", "tokenizer.model", &mut arguments.model),
    ];
    given
        .into_iter()
        .filter_map(|(flag, key, text)| Some((flag, key, text.clone()?)))
        .map(|(flag, key, text)| Flag { flag, key, text })
        .collect()
}

/// The window, if one of its flags is given.
fn window(arguments: &Pack, budget: &settings::Budget) -> Option<PackWindow> {
    let flags = [
        &arguments.window,
        &arguments.system_reserve,
        &arguments.response_reserve,
    ];
    flags.iter().any(|flag| flag.is_some()).then_some(PackWindow {
        total: budget.total_tokens,
        system_reserve: budget.system_reserve,
        response_reserve: budget.response_reserve,
    })
}

/// Keeps the pack for `explain`, `verify` and `cite`. If the store cannot be written, the pack is printed anyway.
fn keep(context: &Context, engine: &Engine, request: &PackRequest<'_>, reply: &PackReply) {
    if reply.items.is_empty() {
        return;
    }
    let saved = SavedPack {
        reply: reply.clone(),
        template: request.template.clone(),
        line_numbers: request.line_numbers,
        made_at: context.around.now.0,
        used: Vec::new(),
    };
    if let Err(error) = api::keep_pack(engine, USER, &saved)
        && context.everywhere.verbose
    {
        context.say("not kept", &error.to_string());
    }
}

/// Writes the pack to standard output, or to the clipboard or a file.
fn answer(context: &Context, arguments: &Pack, reply: &PackReply) -> Result<Answer, Failure> {
    let looks = &context.looks;
    let mut answer = Answer::text(if looks.json {
        let mut reply = reply.clone();
        if !arguments.explain {
            reply.excluded.retain(PackExcluded::is_refused);
        }
        to_json(&reply, looks.stdout_is_terminal)
    } else if arguments.preview {
        let mut page = looks.page();
        summary::preview(&mut page, &reply.items);
        more(&mut page, arguments, reply);
        page.into_text()
    } else {
        reply.text.clone()
    });
    if reply.is_empty() {
        answer = answer.exit(Exit::NothingFound);
    }
    let mut sent = Vec::new();
    if arguments.copy {
        match copy(&reply.text, &context.around.variables) {
            Ok(how) => sent.push(how),
            Err(why) => answer = answer.warn(context, &[format!("not copied: {why}")]),
        }
    }
    if let Some(path) = &arguments.out {
        write_whole(&context.around.cwd.join(path), &answer.text).map_err(|error| {
            let message = format!("{} cannot be written: {error}", path.display());
            Failure::trouble("OUTPUT_ERROR", message)
        })?;
        sent.push(format!(
            "wrote {} ({})",
            path.display(),
            sized(answer.text.len() as u64)
        ));
        answer.text.clear();
    } else if !sent.is_empty() && !looks.json {
        answer.text.clear();
    }
    for how in sent {
        answer = answer.remark(context, &how);
    }
    Ok(answer)
}

/// `--explain` and `--stats`, each after an empty line.
fn more(page: &mut Page, arguments: &Pack, reply: &PackReply) {
    if arguments.explain {
        page.end_line();
        explain::render(page, &api::explain(reply, None));
    }
    if arguments.stats {
        page.end_line();
        summary::stats(page, reply);
    }
}

/// Messages on standard error: sources that could not be used, warnings, the summary.
fn talk(
    context: &Context,
    arguments: &Pack,
    answer: Answer,
    reply: &PackReply,
    tokenizer: &Tokenizer,
    started: Instant,
) -> Answer {
    if context.looks.json || context.everywhere.quiet {
        return answer;
    }
    let answer = answer
        .warn(context, &refused(reply))
        .warn(context, &warnings(reply));
    let mut page = context.looks.talk_page();
    if !arguments.preview {
        more(&mut page, arguments, reply);
        if arguments.explain || arguments.stats {
            page.end_line();
        }
    }
    summary::summary(&mut page, reply, tokenizer, started.elapsed());
    let mut answer = answer;
    answer.talk.push_str(&page.into_text());
    if reply.is_empty() {
        return answer.remark(context, &nothing(arguments, reply));
    }
    answer
}

/// Sources that could not be used, each once, with the reason (PACK-2).
fn refused(reply: &PackReply) -> Vec<String> {
    let mut said: Vec<String> = reply
        .excluded
        .iter()
        .filter(|one| one.is_refused())
        .map(|one| format!("{} is not used: {} ({})", one.path, one.reason, one.detail))
        .collect();
    said.dedup();
    said
}

pub(super) fn warnings(reply: &PackReply) -> Vec<String> {
    // That tokens are over-estimated stands in the summary.
    let warnings = reply
        .warnings
        .iter()
        .filter(|warning| warning.source != "tokenizer");
    warnings
        .map(|warning| match warning.fallback.as_str() {
            "" => warning.reason.clone(),
            fallback => format!("{}; {fallback}", warning.reason),
        })
        .collect()
}

fn nothing(arguments: &Pack, reply: &PackReply) -> String {
    let filters = [
        ("--path", !arguments.path.is_empty()),
        ("--exclude", !arguments.exclude.is_empty()),
        ("--lang", !arguments.lang.is_empty()),
    ];
    let filters: Vec<&str> = filters
        .iter()
        .filter(|(_, used)| *used)
        .map(|(flag, _)| *flag)
        .collect();
    if reply.budget == 0 {
        "the pack is empty: the budget is 0 tokens".to_owned()
    } else if arguments.sources_only && reply.excluded.iter().any(|one| one.is_refused()) {
        "the pack is empty: none of the sources that were handed in could be used".to_owned()
    } else if arguments.sources_only && reply.stats.candidates == 0 {
        "the pack is empty: nothing was handed in, and with --sources-only nothing is searched".to_owned()
    } else if reply.stats.candidates > 0 {
        format!(
            "the pack is empty: nothing fits into {} tokens; raise --budget",
            reply.budget
        )
    } else if filters.is_empty() {
        "the pack is empty: nothing found; use other words, or name files with --open or --ref".to_owned()
    } else {
        format!("the pack is empty: nothing found with {}", filters.join(", "))
    }
}
