//! `get_context_stats`: the state of the index and the use of Kitbag, in a few lines.

use kitbag_engine::api::{self, StatusReply, UsageReply};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting};
use kitbag_door::failure::Failure;
use kitbag_door::printer::grouped;

const NAME: &str = "get_context_stats";
const DEFAULT_TOKENS: usize = 500;
const DAYS: u64 = 30;

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Core,
    description: "State of the index (files, completeness, age, failures) and usage with tokens saved. Use it when answers seem stale or \
                  incomplete.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<Arguments>,
    reply: answer::<Stats>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Default 500.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Stats {
    index: StatusReply,
    usage: UsageReply,
    indexing: IndexingNow,
    /// Why the configuration files are not in force, if they are not.
    configuration_refused: Option<String>,
    uptime_seconds: u64,
}

#[derive(Serialize, JsonSchema)]
struct IndexingNow {
    phase: String,
    done: usize,
    total: usize,
    percent: u64,
    runs: usize,
}

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let open = project.current();
    let tokens = budget(given.max_tokens, DEFAULT_TOKENS, None, &open);
    let status = api::status(&open.engine)?;
    let usage = api::usage_stats(&open.engine, DAYS, asked.now)?;
    let steps = project.steps();
    let mut lines = vec![format!(
        "index: {} files, {} chunks, {}; {}",
        grouped(status.files),
        grouped(status.chunks),
        if status.complete {
            "complete".to_owned()
        } else {
            format!(
                "not complete ({:.0} % of the text, {:.0} % of the vectors)",
                (status.text * 100.0).floor(),
                (status.vectors * 100.0).floor()
            )
        },
        steps.describe()
    )];
    if let Some(at) = status.updated_at {
        let seconds = asked.now.0.saturating_sub(at) / 1_000;
        lines.push(format!("last change indexed {seconds} s ago"));
    }
    if !status.failures.is_empty() {
        lines.push(format!("{} files could not be read:", status.failures.len()));
        let shown = status.failures.iter().take(5);
        lines.extend(shown.map(|failure| format!("  {}: {}", failure.path, failure.message)));
    }
    lines.extend(
        steps
            .failure
            .iter()
            .map(|why| format!("indexing failed and is tried again: {why}")),
    );
    lines.extend(
        project
            .refused()
            .map(|why| format!("the configuration is not in force: {why}")),
    );
    lines.push(format!(
        "last {DAYS} days: {} requests, {} tokens delivered",
        grouped(usage.requests),
        grouped(usage.tokens_delivered)
    ));
    if let Some(tokens) = usage.saving.median_saved_tokens {
        lines.push(format!(
            "about {tokens} tokens saved against grep-and-read by the median of {} requests (an estimate)",
            usage.saving.counted
        ));
    }
    let languages: Vec<String> = status
        .languages
        .iter()
        .map(|(name, n)| format!("{name} {n}"))
        .collect();
    lines.push(format!("languages: {}", languages.join(", ")));
    let count = |text: &str| open.tokenizer.count(text).tokens;
    let data = Stats {
        index: status,
        usage,
        indexing: IndexingNow {
            phase: steps.describe(),
            done: steps.n_done,
            total: steps.n_total,
            percent: steps.percent(),
            runs: steps.n_runs,
        },
        configuration_refused: project.refused(),
        uptime_seconds: project.uptime().as_secs(),
    };
    Ok(OperationReply::new(fitting(&lines, tokens, &count), &data))
}
