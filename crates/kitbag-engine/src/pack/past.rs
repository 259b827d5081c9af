//! A question about history in a pack (RET-13): the commits that answer it are items of their own, each with its hunks, cited like code; who
//! wrote the lines and what changes with them stand in one more. The code that the question is about comes after them.

use kitbag_pack::Origin;
use kitbag_rank::query::{HistoryKind, history_question};
use kitbag_types::Filter;

use super::PackJob;
use crate::EngineError;
use crate::past::{commit_text, of_question, short};
use crate::request::PackSource;

/// What the best commit counts, and how much less each further one.
const BEST: f64 = 1.0;
const STEP: f64 = 0.04;
/// What code counts beside the commits: for why, nearly as much, because the answer may stand in a comment.
const CODE_SHARE: f64 = 0.7;
const CODE_SHARE_OF_WHY: f64 = 0.95;

/// What history says, as sources.
pub(super) struct PastSources {
    /// The words that say what the question is about.
    pub about: String,
    pub sources: Vec<PackSource>,
    pub found_share: f64,
    pub warnings: Vec<String>,
}

/// `None`: the task asks for something else, or history is switched off.
pub(super) fn read(
    job: PackJob<'_>,
    task: &str,
    has_change: bool,
    filter: &Filter,
) -> Result<Option<PastSources>, EngineError> {
    let is_off = has_change || job.request.sources_only || !job.engine.is_on("git_history");
    let Some(question) = history_question(task).filter(|_| !is_off) else {
        return Ok(None);
    };
    let past = of_question(job.engine, job.snapshot, &question, filter, job.request.stop)?;
    let mut sources: Vec<PackSource> = Vec::new();
    let mut relevance = BEST;
    let source = |label: String, content: String, relevance: f64| PackSource {
        // What has no hunks is not to be read like a log.
        kind: match content.contains("\n@@ -") {
            true => Origin::ToolResult.as_str().to_owned(),
            false => Origin::Message.as_str().to_owned(),
        },
        content: Some(content),
        label: Some(label),
        relevance: Some(relevance),
        ..PackSource::default()
    };
    let said = past.say();
    // Of who wrote it and what changes with it, this is the answer; of the others, what stands beside it.
    let is_answer = matches!(question.kind, HistoryKind::Who | HistoryKind::With);
    if !said.is_empty() {
        let places: Vec<String> = past.places.iter().map(|place| place.say()).collect();
        let label = format!("git history of {}", places.join(", "));
        let worth = if is_answer { BEST } else { BEST - 2.0 * STEP };
        sources.push(PackSource {
            pinned: is_answer,
            ..source(label, said.join("\n") + "\n", worth)
        });
    }
    for (change, n_hidden) in past.changes.iter().zip(&past.n_hidden) {
        let label = format!("commit {}", short(&change.id));
        sources.push(PackSource {
            commit: Some(change.id.clone()),
            ..source(label, commit_text(change, *n_hidden), relevance)
        });
        relevance -= STEP;
    }
    Ok(Some(PastSources {
        about: question.subject,
        sources,
        found_share: match question.kind {
            HistoryKind::Why => CODE_SHARE_OF_WHY,
            _ => CODE_SHARE,
        },
        warnings: past.warnings,
    }))
}
