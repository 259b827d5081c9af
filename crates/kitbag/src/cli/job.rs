//! Runs a job for the command line: shows progress, cancels it on Ctrl-C, calls the webhook at the end, and answers with the
//! job.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_engine::Engine;
use kitbag_engine::api::{self, JobReply, OpenJob};

use super::answer::Answer;
use super::context::Context;
use super::meter::Meter;
use super::paths::meant;
use super::signals::on_signal;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, counted, grouped};
use kitbag_door::settings::Settings;
use kitbag_server::webhook;

pub(crate) fn run(
    context: &Context,
    engine: &Engine,
    settings: &Settings,
    open: OpenJob,
) -> Result<Answer, Failure> {
    let (id, missing) = (open.id(), open.missing().join(", "));
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Arc::clone(&stop);
    on_signal(move || stopping.store(true, Ordering::Relaxed))?;
    let mut meter = Meter::new(context);
    let done = api::run_job(
        engine,
        open,
        &mut |progress| meter.report(progress),
        &stop,
        &context.around.ticking(),
    );
    meter.finish();
    if let Some(url) = &settings.webhook_url
        && let Err(line) = webhook::tell(engine, url, &id, context.around.now)
        && context.everywhere.verbose
    {
        context.say("webhook", &line);
    }
    let reply = done?;
    let answer = Answer::new(context, &reply, |page| {
        if !context.everywhere.quiet {
            summary(page, &reply);
        }
    });
    let answer = match missing.as_str() {
        "" => answer,
        missing => answer.remark(context, &format!("not found: {missing}")),
    };
    Ok(if reply.status == "cancelled" {
        answer.exit(Exit::Trouble)
    } else {
        answer
    })
}

/// Paths for the engine, from the folder in which the command was started.
pub(crate) fn absolute(
    context: &Context,
    engine: &Engine,
    paths: &[PathBuf],
) -> Result<Vec<String>, Failure> {
    let absolute = |path: &PathBuf| {
        let path = meant(engine.root(), &context.around.cwd, path)
            .into_os_string()
            .into_string();
        path.map_err(|path| {
            let message = format!("{} is not valid UTF-8", PathBuf::from(path).display());
            Failure::wrong_use("PATH_DENIED", message)
        })
    };
    paths.iter().map(absolute).collect()
}

fn summary(page: &mut Page, reply: &JobReply) {
    let count = |name: &str| reply.metrics.get(name).copied().unwrap_or(0);
    if reply.status != "completed" {
        let done = format!("{} of {}", grouped(reply.processed), counted(reply.total, "file"));
        page.line(&format!("{} was {} after {done}", reply.id, reply.status));
        if reply.kind == "rebuild_full" {
            page.line("the index is as it was");
        }
        return;
    }
    let word = if reply.kind == "refresh" {
        "refreshed"
    } else {
        "rebuilt"
    };
    page.styled(Style::Good, word).put(" ");
    let (files, chunks) = (counted(count("files"), "file"), counted(count("chunks"), "chunk"));
    page.put(&format!("{files}, {chunks}: "));
    let counts = [
        ("parsed", "parsed"),
        ("removed", "removed"),
        ("unchanged", "unchanged"),
        ("skipped", "not text"),
        ("failed", "failed"),
    ];
    let said: Vec<String> = counts
        .iter()
        .filter(|(name, _)| count(name) > 0)
        .map(|(name, word)| format!("{} {word}", grouped(count(name))))
        .collect();
    page.line(&if said.is_empty() {
        "nothing to do".to_owned()
    } else {
        said.join(", ")
    });
    if count("failed") > 0 {
        page.line("`kitbag status` lists what failed");
    }
}

/// A job in full.
pub(crate) fn render(page: &mut Page, reply: &JobReply) {
    let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
    table.row(&["job", &reply.id]);
    table.row(&["type", reply.kind]);
    table.row(&[
        "status",
        if reply.cancelling {
            "stopping"
        } else {
            reply.status
        },
    ]);
    if !reply.scope.is_empty() {
        table.row(&["scope", &reply.scope.join(", ")]);
    }
    if reply.total > 0 {
        let files = format!("{} of {}", grouped(reply.processed), grouped(reply.total));
        table.row(&["files", &files]);
    }
    if let Some(path) = &reply.current_file {
        table.row(&["at", path]);
    }
    if let (Some(started), Some(finished)) = (reply.started_at, reply.finished_at) {
        table.row(&["took", &format!("{:.1} s", (finished - started) as f64 / 1000.0)]);
    }
    if let Some(error) = &reply.error {
        table.row(&["error", &format!("{} ({})", error.message, error.code)]);
    }
    for (name, value) in &reply.metrics {
        table.row(&[name, &grouped(*value)]);
    }
    table.print(page);
    if !reply.log.is_empty() {
        page.end_line();
        for line in &reply.log {
            page.put("  ").line(line);
        }
    }
}
