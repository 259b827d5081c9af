//! `get_context_stats`: the state of the index and the use of Kitbag, in a few lines.

use kitbag_engine::api::{self, ContextStats, ContextStatsRequest, DoorState, IndexingNow};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::{STATS as NAME, arguments};
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{budget, fitting};
use kitbag_door::failure::Failure;
use kitbag_door::printer::grouped;

const DEFAULT_TOKENS: usize = 500;
/// Files that could not be read, and last requests, in the text.
const LISTED: usize = 5;

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Core,
    description: "State and use of the index. Use it when answers seem stale.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<ContextStatsRequest>,
    reply: answer::<ContextStats>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: ContextStatsRequest = arguments(NAME, given)?;
    let open = project.current();
    let tokens = budget(given.max_tokens, DEFAULT_TOKENS, None, &open);
    let steps = project.steps();
    let door = DoorState {
        enabled: open.settings.engine.enabled,
        mode: open.settings.engine.mode.as_str().to_owned(),
        indexing: Some(IndexingNow {
            phase: steps.describe(),
            done: steps.n_done,
            total: steps.n_total,
            percent: steps.percent(),
            runs: steps.n_runs,
        }),
        configuration_refused: project.refused(),
        uptime_seconds: Some(project.uptime().as_secs()),
    };
    let stats = api::context_stats(&open.engine, &given, door, asked.user, asked.now)?;
    let mut lines = index_lines(&stats, asked.now.0);
    let failure = steps.failure.iter();
    lines.extend(failure.map(|why| format!("indexing failed and is tried again: {why}")));
    lines.extend(usage_lines(&stats));
    let count = |text: &str| open.tokenizer.count(text).tokens;
    Ok(OperationReply::new(fitting(&lines, tokens, &count), &stats))
}

/// What is there to answer from.
fn index_lines(stats: &ContextStats, now: i64) -> Vec<String> {
    let index = &stats.index;
    let state = if index.complete {
        "complete".to_owned()
    } else {
        format!(
            "not complete ({:.0} % of the text, {:.0} % of the vectors)",
            (index.text * 100.0).floor(),
            (index.vectors * 100.0).floor()
        )
    };
    let phase = stats.door.indexing.as_ref().map_or("", |now| now.phase.as_str());
    let (files, chunks) = (grouped(index.files), grouped(index.chunks));
    let mut lines = Vec::new();
    if !stats.door.enabled {
        lines.push("Kitbag is switched off for this project: engine.enabled is false".to_owned());
    }
    lines.push(format!("index: {files} files, {chunks} chunks, {state}; {phase}"));
    if let Some(at) = index.updated_at {
        let seconds = now.saturating_sub(at) / 1_000;
        lines.push(format!("last change indexed {seconds} s ago"));
    }
    if let Some(job) = &stats.rebuild {
        let (done, total) = (grouped(job.processed), grouped(job.total));
        lines.push(format!(
            "rebuild {}: {}, {done} of {total} files",
            job.id, job.status
        ));
    }
    if !index.failures.is_empty() {
        lines.push(format!("{} files could not be read:", index.failures.len()));
        let shown = index.failures.iter().take(LISTED);
        lines.extend(shown.map(|failure| format!("  {}: {}", failure.path, failure.message)));
    }
    let refused = stats.door.configuration_refused.iter();
    lines.extend(refused.map(|why| format!("the configuration is not in force: {why}")));
    let missing = stats.providers.iter().filter_map(|provider| {
        let why = provider.missing.as_ref()?;
        Some(format!("provider {} does not answer: {why}", provider.name))
    });
    lines.extend(missing);
    lines
}

/// What it was used for.
fn usage_lines(stats: &ContextStats) -> Vec<String> {
    let usage = &stats.usage;
    let mut lines = vec![format!(
        "last {} days: {} requests, {} tokens delivered",
        usage.days,
        grouped(usage.requests),
        grouped(usage.tokens_delivered)
    )];
    if let Some(tokens) = usage.saving.median_saved_tokens {
        lines.push(format!(
            "about {tokens} tokens saved against grep-and-read by the median of {} requests (an estimate)",
            usage.saving.counted
        ));
    }
    let languages = stats.languages.iter().map(|one| {
        let (files, chunks, tokens) = (grouped(one.files), grouped(one.chunks), grouped(one.tokens));
        format!(
            "  {}: {files} files, {chunks} chunks, {tokens} tokens",
            one.language
        )
    });
    lines.push("languages:".to_owned());
    lines.extend(languages);
    lines
}
