//! What commits say (RET-13): at the end of a run the last thousand messages are kept by their words. The provider
//! `git_history` looks for those that sound like a question.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_rank::query::is_stop_word;
use kitbag_rank::{bm25, tuning};
use kitbag_repo::{Ages, Commit, checked_out, commits};
use kitbag_store::{FileRow, NewCommit, Snapshot, StoreError, Writer};
use kitbag_types::terms::{each_term, each_word};
use kitbag_types::{Stop, Timestamp};

use crate::{Engine, EngineError};

/// Git may take this long; a history that takes longer is done without.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Of a message that quotes a log or lists every change of a release.
const MAX_TERMS: usize = 400;

/// What the stamp of a history begins with that git did not give.
const FAILED: &str = "failed ";

/// The stored history is that of what is checked out. One that git did not give is asked for again only if `retry`: it may
/// take its time before it fails.
pub(crate) fn is_current(engine: &Engine, snapshot: &Snapshot<'_>, retry: bool) -> Result<bool, StoreError> {
    let stored = snapshot.history()?.map(|(stamp, _)| stamp).unwrap_or_default();
    Ok(!engine.is_on("git_history") || is_of(&stored, &stamp(engine), retry))
}

fn is_of(stored: &str, stamp: &str, retry: bool) -> bool {
    stored == stamp || (!retry && stored.strip_prefix(FAILED) == Some(stamp))
}

/// What is checked out, how much of it is read, and by which rules secrets are taken out. Empty outside git.
fn stamp(engine: &Engine) -> String {
    let max_commits = engine.options.max_commits;
    checked_out(engine.root())
        .map(|checked_out| format!("{max_commits} {} {checked_out}", engine.secret_rules))
        .unwrap_or_default()
}

/// Reads the history again if something else is checked out. Gives a warning if git does not answer.
pub(crate) fn catch_up(
    engine: &Engine,
    writer: &mut Writer<'_>,
    retry: bool,
) -> Result<Option<String>, EngineError> {
    let stamp = stamp(engine);
    let stored = writer.history_stamp()?.unwrap_or_default();
    if !engine.is_on("git_history") || is_of(&stored, &stamp, retry) {
        return Ok(None);
    }
    match commits(engine.root(), engine.options.max_commits, TIME_LIMIT) {
        Ok(commits) => {
            let commits = commits.iter().filter_map(|commit| new_commit(engine, commit));
            writer.set_history(&stamp, &commits.collect::<Vec<_>>())?;
            Ok(None)
        }
        Err(error) => {
            writer.set_history(&format!("{FAILED}{stamp}"), &[])?;
            Ok(Some(format!("searching without history: {error}")))
        }
    }
}

/// `None` for what says nothing about its files: programs' commits, and those that touch everything.
fn new_commit(engine: &Engine, commit: &Commit) -> Option<NewCommit> {
    if commit.by_bot || commit.paths.is_empty() || commit.paths.len() > tuning::WIDEST_COMMIT {
        return None;
    }
    let (subject, _) = engine.tree.redact(&commit.subject);
    let (body, _) = engine.tree.redact(&commit.body);
    let mut terms = Vec::new();
    let lines = body.lines().filter(|line| !is_trailer(line));
    for line in std::iter::once(subject.as_ref()).chain(lines) {
        each_word(line, &mut |word| {
            if !is_stop_word(&word.to_lowercase()) {
                each_term(word, &mut |term| terms.push(term.to_owned()));
            }
        });
    }
    terms.truncate(MAX_TERMS);
    Some(NewCommit {
        id: commit.id.clone(),
        paths: commit.paths.iter().map(ToString::to_string).collect(),
        terms,
    })
}

/// `Signed-off-by: …` and the like name people, not code.
fn is_trailer(line: &str) -> bool {
    line.split_once(": ")
        .is_some_and(|(key, _)| key.ends_with("-by") || key.ends_with("-By") || key == "Change-Id")
}

/// The commits whose messages sound most like a question, by their places in the history, with their scores: best first, of equals the newer.
pub(crate) fn sounding_like(
    snapshot: &Snapshot<'_>,
    terms: &[(String, f32)],
    stop: Stop<'_>,
) -> Result<Vec<(u32, f64)>, EngineError> {
    let Some((_, n_commits)) = snapshot.history()?.filter(|(_, n_commits)| *n_commits > 0) else {
        return Ok(Vec::new());
    };
    let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
    for (term, weight) in terms {
        stop.check()?;
        let mentions = snapshot.mentions(term)?;
        let rarity = f64::from(weight * bm25::idf(n_commits, mentions.len() as u64));
        for (commit, frequency, length) in mentions {
            let length = 0.25 + 0.75 * f64::from(length) / tuning::COMMIT_TERMS;
            let frequency = f64::from(frequency);
            *scores.entry(commit).or_insert(0.0) += rarity * frequency * 2.2 / (frequency + 1.2 * length);
        }
    }
    let mut commits: Vec<(u32, f64)> = scores.into_iter().collect();
    // Of two that say the same, the newer.
    commits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    commits.truncate(tuning::COMMITS);
    Ok(commits)
}

/// What changed since some time (RET-23).
pub(crate) struct Changes {
    since: Timestamp,
    ages: Ages,
}

impl Changes {
    pub(crate) fn read(engine: &Engine, since: Timestamp) -> Self {
        // A window that ends where it begins: whatever it has a time for changed since then.
        let ages = Ages::read(engine.root(), since, 0, TIME_LIMIT);
        Self { since, ages }
    }

    /// By the history and the working copy; by the time stamp alone where nothing is checked out.
    pub(crate) fn has(&self, file: &FileRow) -> bool {
        let mtime_ns = file.stamp.mtime_ns;
        match self.ages.head() {
            Some(_) => self.ages.last_change(&file.path, mtime_ns).is_some(),
            None => mtime_ns.div_euclid(1_000_000) >= self.since.0,
        }
    }
}
