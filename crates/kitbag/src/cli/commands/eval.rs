//! `kitbag eval`: measures queries with known answers, or compares two saved runs (RET-42).

mod conventions;
mod memories;
mod parse;
mod place;
mod render;

use std::path::{Path, PathBuf};
use std::time::Instant;

use kitbag_engine::Engine;
use kitbag_engine::api::{self, EvalHistory, EvalHistoryRequest, EvalQuery, EvalRequest, EvalRun};

use crate::cli::answer::Answer;
use crate::cli::arguments::Eval;
use crate::cli::context::Context;
use crate::cli::input::{check_stdin, text_at};
use crate::cli::meter::Meter;
use crate::cli::outfile::write_whole;
use crate::cli::paths::inside;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{counted, json};

/// Runs of thousands of queries have megabytes.
const MAX_BYTES: u64 = 500_000_000;

pub(crate) fn run(context: &Context, arguments: &Eval) -> Result<Answer, Failure> {
    if let [before, after] = arguments.compare.as_slice() {
        check_stdin([before.as_path(), after.as_path()])?;
        let comparison = api::compare_evals(&saved_run(context, before)?, &saved_run(context, after)?)?;
        return Ok(Answer::new(context, &comparison, |page| {
            render::comparison(page, &comparison);
        }));
    }
    if !arguments.report.is_empty() {
        let runs = arguments.report.iter().map(|path| saved_run(context, path));
        let runs: Vec<EvalRun> = runs.collect::<Result<_, _>>()?;
        let run = api::join_evals(runs).ok_or_else(|| invalid("there is no run to report"))?;
        return Ok(Answer::new(context, &run, |page| render::run(page, &run)));
    }
    if let Some(commits) = arguments.memories {
        return memories::run(context, commits, arguments.cited);
    }
    if arguments.conventions {
        return conventions::run(context, arguments);
    }
    // Read before anything is indexed, so that errors in the file are reported at once.
    let given = read_queries(context, arguments)?;
    let (engine, _) = context.open(Vec::new())?;
    let (queries, notes, warnings) = match arguments.from_history {
        Some(n) => {
            let history = history(context, &engine, n, !arguments.no_update)?;
            if history.queries.is_empty() {
                let remark = match history.commits {
                    0 => "there are no commits to make queries from".to_owned(),
                    _ => made_of(&history),
                };
                let nothing = serde_json::json!({"results": [], "notes": [remark]});
                return Ok(Answer::new(context, &nothing, |_| {})
                    .remark(context, &remark)
                    .exit(Exit::NothingFound));
            }
            if let Some(path) = &arguments.write {
                write(context, path, &parse::lines(&history.queries))?;
            }
            (history.queries.clone(), notes(&history), history.warnings)
        }
        None => {
            let warnings = mixed(&given);
            (given, Vec::new(), warnings)
        }
    };
    let request = EvalRequest {
        queries,
        top: arguments.top.into(),
        without: arguments.without.clone(),
        passed_over: own_files(context, &engine, arguments),
        ablate: arguments.ablate,
        packs: arguments.packs.clone(),
        include_brief: (arguments.brief || arguments.no_brief).then_some(arguments.brief),
        update: !arguments.no_update && arguments.from_history.is_none(),
    };
    let mut meter = Meter::new(context);
    let started = Instant::now();
    let done = api::eval(
        &engine,
        &request,
        &mut |progress| meter.report(progress),
        &|| started.elapsed(),
        context.around.now,
    );
    meter.finish();
    let mut done = done?;
    done.notes = notes;
    done.warnings.splice(0..0, warnings);
    if let Some(path) = &arguments.output {
        write(context, path, &json(&done, false))?;
    }
    let answer = Answer::new(context, &done, |page| render::run(page, &done));
    Ok(answer.warn(context, &done.warnings))
}

fn read_queries(context: &Context, arguments: &Eval) -> Result<Vec<EvalQuery>, Failure> {
    check_stdin(arguments.files.iter().map(PathBuf::as_path))?;
    let mut found = Vec::new();
    for path in &arguments.files {
        let text = text_at(context, path, MAX_BYTES)?;
        found.extend(parse::queries(path, &text)?);
    }
    if arguments.files.is_empty() {
        return Ok(Vec::new());
    }
    let mut repos: Vec<&str> = found.iter().map(|found| found.query.repo.as_str()).collect();
    repos.sort_unstable();
    repos.dedup();
    if let Some(wanted) = &arguments.repo
        && !repos.contains(&wanted.as_str())
    {
        let known = repos.join(", ");
        return Err(invalid(format!(
            "there is no query of the repository {wanted}; there are queries of {known}"
        )));
    }
    if let Some(wanted) = &arguments.repo {
        found.retain(|found| found.query.repo == *wanted);
    }
    parse::check_ids(&found)?;
    Ok(found.into_iter().map(|found| found.query).collect())
}

/// The files of queries that lie in the project itself.
fn own_files(context: &Context, engine: &Engine, arguments: &Eval) -> Vec<String> {
    let files = arguments.files.iter().chain(&arguments.write);
    files
        .filter_map(|path| inside(engine.root(), &context.around.cwd, path))
        .collect()
}

/// Only one index answers, so queries about other repositories could only fail.
fn mixed(queries: &[EvalQuery]) -> Vec<String> {
    let mut repos: Vec<&str> = queries.iter().map(|query| query.repo.as_str()).collect();
    repos.sort_unstable();
    repos.dedup();
    let n_repos = repos.len();
    let warning = (n_repos > 1)
        .then(|| format!("the queries are of {n_repos} repositories; --repo takes those of one"));
    warning.into_iter().collect()
}

fn history(context: &Context, engine: &Engine, n: u32, update: bool) -> Result<EvalHistory, Failure> {
    let mut meter = Meter::new(context);
    let request = EvalHistoryRequest {
        queries: n as usize,
        update,
    };
    let history = api::eval_history(
        engine,
        request,
        &mut |progress| meter.report(progress),
        context.around.now,
    );
    meter.finish();
    Ok(history?)
}

fn notes(history: &EvalHistory) -> Vec<String> {
    let tree = "the tree of today was searched, not the one before each commit: the figures are too good, but fit for comparing";
    vec![made_of(history), tree.to_owned()]
}

/// `12 queries from 40 commits; left out: 20 no source files, 8 formatting`, the most frequent reason first.
fn made_of(history: &EvalHistory) -> String {
    let made = match history.queries.len() {
        1 => "1 query".to_owned(),
        n => format!("{n} queries"),
    };
    let mut reasons: Vec<(&str, usize)> = history.skipped.iter().map(|(why, n)| (*why, *n)).collect();
    reasons.sort_by_key(|(why, n)| (std::cmp::Reverse(*n), *why));
    let reasons: Vec<String> = reasons.iter().map(|(why, n)| format!("{n} {why}")).collect();
    let left_out = match reasons.is_empty() {
        true => String::new(),
        false => format!("; left out: {}", reasons.join(", ")),
    };
    format!(
        "{made} from {}{left_out}",
        counted(history.commits as u64, "commit")
    )
}

/// A file may have several runs, one after the other, as `>>` writes them: they count as one.
fn saved_run(context: &Context, path: &Path) -> Result<EvalRun, Failure> {
    let text = text_at(context, path, MAX_BYTES)?;
    let no_run = |problem: String| {
        invalid(problem).with_hint("runs are made with `kitbag eval FILE --output RUN` or `--json`")
    };
    if !text.trim_start().starts_with('{') {
        return Err(no_run(format!("{} is not a saved run", path.display())));
    }
    let runs = serde_json::Deserializer::from_str(&text).into_iter::<EvalRun>();
    let runs: Vec<EvalRun> = runs
        .collect::<Result<_, _>>()
        .map_err(|error| no_run(place::problem_of_json(path, 1, &error)))?;
    api::join_evals(runs).ok_or_else(|| no_run(format!("{} holds no run", path.display())))
}

fn write(context: &Context, path: &Path, text: &str) -> Result<(), Failure> {
    write_whole(&context.around.cwd.join(path), text).map_err(|error| {
        let message = format!("{} cannot be written: {error}", path.display());
        Failure::trouble("OUTPUT_ERROR", message)
    })
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::wrong_use("INVALID_EVAL", message)
}
