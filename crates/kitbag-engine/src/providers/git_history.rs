//! `git_history`: files of commits whose messages share words with the question (RET-13). Of each file it takes the chunk that is
//! nearest to the question in meaning, or the first.

use std::collections::BTreeMap;

use kitbag_rank::tuning;
use kitbag_types::RepoPath;

use super::{Answer, Ask, Evidence, Provider, Row};
use crate::EngineError;
use crate::history::sounding_like;

pub(super) struct GitHistory;

impl Provider for GitHistory {
    fn name(&self) -> &'static str {
        "git_history"
    }

    fn after(&self) -> &'static [&'static str] {
        &["semantic"]
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let files = touched(ask)?;
        Ok(Answer {
            found: chunks(ask, &files)?,
            evidence: Evidence::history(files),
            ..Answer::default()
        })
    }
}

/// One chunk of each of the best files.
fn chunks(ask: &Ask<'_>, files: &BTreeMap<RepoPath, f64>) -> Result<Vec<(Row, Option<f64>)>, EngineError> {
    let mut files: Vec<(&RepoPath, f64)> = files.iter().map(|(path, share)| (path, *share)).collect();
    files.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let mut rows = Vec::new();
    for (path, share) in files {
        ask.stop.check()?;
        let Some(file) = ask.snapshot.file(path)? else {
            continue;
        };
        let Some(parse) = file.parse.filter(|_| ask.allowed.file(file.id)) else {
            continue;
        };
        let meaning = ask.evidence.meaning();
        let chunk = match meaning.and_then(|meaning| meaning.nearest_of(file.id, parse)) {
            Some(chunk) => ask.snapshot.chunk(chunk)?.map(Row::from),
            None => ask.snapshot.chunk_at(file.id, parse, 1)?.map(Row::from),
        };
        let chunk = chunk.filter(|row| ask.allowed.row(row));
        rows.extend(chunk.map(|row| (row, Some(share))));
        if rows.len() == tuning::HISTORY_CANDIDATES {
            break;
        }
    }
    Ok(rows)
}

/// The files of the commits whose messages match the question best, each with its score relative to the best.
fn touched(ask: &Ask<'_>) -> Result<BTreeMap<RepoPath, f64>, EngineError> {
    let commits = sounding_like(ask.snapshot, &ask.query.terms, ask.stop)?;
    let mut files: BTreeMap<RepoPath, f64> = BTreeMap::new();
    for (commit, score) in commits {
        ask.stop.check()?;
        let Some(commit) = ask.snapshot.commit(commit)? else {
            continue;
        };
        // A commit that touches many files says less about each.
        let share = score / (commit.paths.len() as f64).sqrt();
        for path in commit.paths {
            if let Ok(path) = RepoPath::new(path) {
                *files.entry(path).or_insert(0.0) += share;
            }
        }
    }
    let best = files.values().copied().fold(0.0, f64::max);
    files.values_mut().for_each(|score| *score /= best);
    Ok(files)
}
