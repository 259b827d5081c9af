//! `kitbag search`: finds places for a question, and prints them with a few lines of each, best first.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use kitbag_engine::api::{self, AllPlaces, Hit, Matched, SearchReply, SearchRequest};
use kitbag_engine::{Engine, EngineError};

use crate::cli::answer::Answer;
use crate::cli::arguments::Search;
use crate::cli::commands::history::print_commits;
use crate::cli::context::Context;
use crate::cli::excerpt::{Words, excerpt};
use crate::cli::meter::metered;
use crate::cli::paths::{inside, meant, path_inside};
use crate::cli::since::since;
use crate::cli::spare_store::{FALLBACK, with_spare_store};
use crate::cli::usage::{DOOR, note};
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table};
use kitbag_door::settings::Flag;

pub(crate) fn run(context: &Context, mut arguments: Search) -> Result<Answer, Failure> {
    let started = Instant::now();
    let look = ResultView {
        files: arguments.files,
        n_lines: usize::from(arguments.lines),
        explain: arguments.explain,
    };
    let has_top = arguments.top.is_some();
    let mut flags = Vec::new();
    let is_diverse = arguments.diverse || arguments.mmr_lambda.is_some();
    let given = [
        ("--mmr-lambda", "query.mmr_lambda", arguments.mmr_lambda),
        ("--top", "query.default_k", arguments.top),
        ("--min-score", "query.min_score_threshold", arguments.min_score),
    ];
    for (flag, key, text) in given {
        flags.extend(text.map(|text| Flag { flag, key, text }));
    }
    let since = arguments
        .since
        .as_deref()
        .map(|text| since(text, context.around.now))
        .transpose()?;
    let (engine, settings) = context.open(flags.clone())?;
    let active = arguments
        .active
        .as_ref()
        .map(|path| path_inside(context, &engine, path))
        .transpose()?;
    let folders = folders(context, &engine, &mut arguments.query);
    arguments.path.extend(folders);
    let is_paged = (arguments.all || arguments.cursor.is_some()) && !has_top;
    let request = SearchRequest {
        top: Some(settings.options().searching.top).filter(|_| !is_paged),
        paths: arguments.path,
        exclude: arguments.exclude,
        languages: arguments.lang,
        kinds: arguments.kind,
        packages: arguments.package,
        scope: arguments.scope.as_deref().map(api::scope).transpose()?,
        since_ms: since.map(|since| since.0),
        min_score: Some(settings.options().searching.min_score),
        mmr_lambda: is_diverse.then_some(settings.query.mmr_lambda),
        active,
        update: !arguments.no_update,
        without: arguments.without,
        all: arguments.all,
        cursor: arguments.cursor,
        ignore_case: arguments.ignore_case,
        ..SearchRequest::new(arguments.query.join(" "))
    };
    let found = |engine: &Engine| {
        metered(context, |report| {
            api::search(engine, &request, report, context.around.now)
        })
    };
    let here = || match found(&engine) {
        Err(error @ EngineError::Store(_)) if request.update => {
            let warning = format!("the store cannot be used: {error}; {FALLBACK}");
            let mut reply = with_spare_store(context, flags, error, found)?;
            reply.warnings.push(warning);
            Ok(reply)
        }
        other => Ok(other?),
    };
    let reply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/search", &request),
        |failure| Some(SearchReply::nothing(&request.query, failure.message.clone())),
    );
    let reply = reply?;
    let took = started.elapsed();
    note(context, &engine, &settings, || {
        api::usage_of_search(&engine, DOOR, &reply, took)
    });
    let answer = Answer::new(context, &reply, |page| render(page, &reply, &look));
    let answer = answer.warn(context, &reply.warnings);
    let has_places = reply.places.as_ref().is_some_and(|places| places.total_lines > 0);
    let is_nothing = reply.results.is_empty() && reply.history.is_none() && !has_places;
    Ok(
        if let Some(places) = reply.places.as_ref().filter(|_| is_nothing) {
            answer.remark(context, &places.statement).exit(Exit::NothingFound)
        } else if is_nothing {
            answer
                .remark(context, &nothing(&request, &reply))
                .exit(Exit::NothingFound)
        } else {
            answer
        },
    )
}

/// What a person wants to see of the results.
struct ResultView {
    files: bool,
    n_lines: usize,
    explain: bool,
}

/// Removes folders at the end of the question (`search retry lib/`) and returns them as patterns. A word of the question that is
/// the name of a folder by chance has no slash.
fn folders(context: &Context, engine: &Engine, words: &mut Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    while words.len() > 1
        && let Some(last) = words.last().filter(|word| word.contains('/'))
    {
        let meant = meant(engine.root(), &context.around.cwd, Path::new(last));
        let folder = inside(engine.root(), &context.around.cwd, &meant);
        let Some(folder) = folder.filter(|folder| engine.root().join(folder).is_dir()) else {
            break;
        };
        let everything = folder.is_empty() || folder == ".";
        found.push(if everything {
            "**".to_owned()
        } else {
            format!("{folder}/**")
        });
        words.pop();
    }
    found
}

fn nothing(request: &SearchRequest<'_>, reply: &SearchReply) -> String {
    let filters = [
        ("--path", !request.paths.is_empty()),
        ("--exclude", !request.exclude.is_empty()),
        ("--lang", !request.languages.is_empty()),
        ("--kind", !request.kinds.is_empty()),
        ("--since", request.since_ms.is_some()),
        ("--min-score", request.min_score.is_some_and(|least| least > 0.0)),
    ];
    let filters: Vec<&str> = filters
        .iter()
        .filter(|(_, used)| *used)
        .map(|(flag, _)| *flag)
        .collect();
    if reply.index.files == 0 && !reply.index.complete {
        // The warning before this says why.
        "nothing found: there was no index to search".to_owned()
    } else if reply.index.files == 0 {
        "nothing found: no file of this project is indexed (`kitbag list-indexable --skipped` says why)"
            .to_owned()
    } else if filters.is_empty() {
        format!(
            "nothing found in {}",
            kitbag_door::printer::counted(reply.index.files, "file")
        )
    } else {
        format!("nothing found with {}", filters.join(", "))
    }
}

fn render(page: &mut Page, reply: &SearchReply, look: &ResultView) {
    if look.files {
        let mut seen = BTreeSet::new();
        for hit in reply.results.iter().filter(|hit| seen.insert(&hit.path)) {
            page.styled(Style::Path, &hit.path).end_line();
        }
        return;
    }
    if let Some(places) = &reply.places {
        return render_places(page, places);
    }
    let words = Words::new(&reply.query);
    if let Some(history) = &reply.history {
        print_commits(page, &history.commits, look.n_lines == 0);
        for line in history.said() {
            page.line(&line);
        }
        if !reply.results.is_empty() {
            page.end_line();
        }
    }
    // If nothing was found, standard output stays empty; the message on standard error says so.
    if let Some(said) = reply.matched.say().filter(|_| !reply.results.is_empty()) {
        page.styled(Style::Quiet, &said).end_line().end_line();
    }
    for hit in &reply.results {
        if hit.rank > 1 && look.n_lines > 0 {
            page.end_line();
        }
        // Beside the score, which is relative, how well the best matches at all (RET-26).
        let matched = (hit.rank == 1 && reply.matched.word != "unknown").then_some(&reply.matched);
        render_hit(page, hit, matched, &words, look.n_lines);
        if look.explain {
            let mut table =
                Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Right, None)]).indented(4);
            for reason in &hit.reasons {
                table.row(&[&reason.factor, &format!("{:.4}", reason.value)]);
            }
            table.print(page);
        }
    }
}

/// Files and their lines, then what the list is.
fn render_places(page: &mut Page, places: &AllPlaces) {
    for file in &places.files {
        page.styled(Style::Path, &file.path).end_line();
        let width = file.lines.last().map_or(0, |line| line.line.to_string().len());
        for line in &file.lines {
            page.put("  ")
                .styled(Style::Quiet, &format!("{:>width$}", line.line))
                .put("  ");
            page.code(line.text.trim_end()).end_line();
        }
    }
    if places.total_lines == 0 {
        return;
    }
    page.end_line().line(&places.statement);
    let n_shown: usize = places.files.iter().map(|file| file.lines.len()).sum();
    if n_shown as u64 != places.total_lines {
        let (from, to) = (places.skipped + 1, places.skipped + n_shown as u64);
        page.line(&format!(
            "Lines {from} to {to} of {} are shown.",
            places.total_lines
        ));
    }
    if let Some(cursor) = &places.cursor {
        page.line(&format!("Next page: --cursor {}", quoted(cursor)));
    }
}

/// As a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = word
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-'));
    match is_plain {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn render_hit(page: &mut Page, hit: &Hit, matched: Option<&Matched>, words: &Words, n_lines: usize) {
    let label = if hit.label.is_empty() {
        hit.kind.to_string()
    } else {
        hit.label_with_part()
    };
    page.styled(
        Style::Path,
        &format!("{}:{}-{}", hit.path, hit.line_start, hit.line_end),
    );
    page.put("  ").styled(Style::Label, &label);
    page.put("  ").put(&format!("{:.3}", hit.score));
    if let Some(matched) = matched {
        let text = format!("  {} match {:.2}", matched.word, matched.score);
        page.styled(Style::Quiet, &text);
    }
    page.end_line();
    let lines = excerpt(&hit.text, hit.line_start, &hit.label, words, n_lines);
    let width = lines.last().map_or(0, |line| line.number.to_string().len());
    for line in &lines {
        page.put("    ")
            .styled(Style::Quiet, &format!("{:>width$}", line.number))
            .put("  ");
        for (text, is_match) in &line.pieces {
            if *is_match {
                page.styled_code(Style::Match, text)
            } else {
                page.code(text)
            };
        }
        page.end_line();
    }
}
