//! The interface of an index run: its options, its progress and its report.

use std::collections::BTreeSet;
use std::time::Duration;

use kitbag_repo::Scan;
use kitbag_types::{RepoPath, Stop};

use crate::{Engine, EngineError};

/// Most changed files that a report names.
const NAMED_PATHS: usize = 20;

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Another process writes; waiting for it.
    Waiting,
    /// Looking at the tree.
    Scanning,
    /// Reading, parsing, writing.
    Indexing,
    /// Making it searchable.
    Publishing,
    /// Making vectors of its chunks.
    Embedding,
    /// Reading git, and cleaning up.
    Finishing,
}

impl Phase {
    /// For people, on every door: `indexing`, say, or `computing vectors`.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Waiting => "waiting for another process",
            Self::Scanning => "looking for files",
            Self::Indexing => "indexing",
            Self::Publishing => "making it searchable",
            Self::Embedding => "computing vectors",
            Self::Finishing => "finishing",
        }
    }

    /// Whether it goes file by file.
    pub fn counts_files(self) -> bool {
        matches!(self, Self::Indexing | Self::Embedding)
    }

    /// The step that reports the beginning of this phase.
    pub(crate) fn begins(self) -> Progress<'static> {
        Progress {
            phase: self,
            n_done: 0,
            n_total: 0,
            work: Work::default(),
            path: None,
        }
    }

    /// The step that reports the end of this phase.
    pub(crate) fn ends(self) -> Progress<'static> {
        Progress {
            work: Work { done: 1, total: 1 },
            ..self.begins()
        }
    }
}

/// A step of a run, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub phase: Phase,
    /// Files of this phase.
    pub n_done: usize,
    pub n_total: usize,
    /// Progress of the whole run.
    pub work: Work,
    /// The file that was finished last.
    pub path: Option<&'a RepoPath>,
}

/// Progress of a whole run, in bytes weighted by their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub done: u64,
    pub total: u64,
}

impl Work {
    /// 0 to 100, and 100 only when everything is done.
    pub fn percent(self) -> u64 {
        (u128::from(self.done) * 100)
            .checked_div(u128::from(self.total))
            .map_or(0, |percent| percent as u64)
    }

    /// How long the rest takes at the same pace, after `elapsed`. `None` if nothing is done yet.
    pub fn left(self, elapsed: Duration) -> Option<Duration> {
        let rest = self.total.saturating_sub(self.done);
        (self.done > 0).then(|| elapsed.mul_f64(rest as f64 / self.done as f64))
    }
}

/// The options of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunOptions<'s> {
    /// Queue behind another writer instead of failing with [`kitbag_store::StoreError::Busy`].
    pub wait: bool,
    /// Nobody waits for an answer: try again what failed (files, git), let a slow model take its time, check the text index
    /// against its checksums.
    pub retry: bool,
    /// Look at every folder again, trust no time stamp, and read the whole database.
    pub thorough: bool,
    /// Runs in the background: leave half of the cores to other programs.
    pub gentle: bool,
    /// When it is set, the run ends soon with [`EngineError::Cancelled`] and keeps what is done.
    pub stop: Stop<'s>,
    /// Only files at or under these paths, if the rest of the index is complete.
    pub only: Option<&'s [RepoPath]>,
    /// Read every file again, whatever its time stamp says.
    pub force: bool,
    /// Parse every file again, even if a product of its content is stored.
    pub reparse: bool,
}

impl RunOptions<'_> {
    pub(crate) fn go_on(&self) -> Result<(), EngineError> {
        Ok(self.stop.check()?)
    }

    /// Whether to check every byte of the text index. Vectors are checked whenever they are opened.
    pub(crate) fn verifies(&self, engine: &Engine) -> bool {
        self.retry || self.thorough || engine.distrusted().is_some()
    }

    pub(crate) fn n_workers(&self, engine: &Engine) -> usize {
        let all = engine.n_workers();
        if self.gentle { all.div_ceil(2) } else { all }
    }
}

/// What a run did.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub n_added: u64,
    pub n_changed: u64,
    pub n_removed: u64,
    pub n_unchanged: u64,
    /// Files that were read and skipped.
    pub n_skipped: u64,
    pub n_failed: u64,
    /// Of the added and changed files: parsed now, or reused because the content was known.
    pub n_parsed: u64,
    pub n_reused: u64,
    pub n_bytes: u64,
    /// Added, changed or removed: the first few in the order of paths.
    pub paths: BTreeSet<RepoPath>,
    pub warnings: Vec<String>,
    /// The scan of the working tree.
    pub scan: Scan,
}

impl Report {
    pub(crate) fn new(scan: Scan, n_unchanged: usize) -> Self {
        Self {
            n_added: 0,
            n_changed: 0,
            n_removed: 0,
            n_unchanged: n_unchanged as u64,
            n_skipped: 0,
            n_failed: 0,
            n_parsed: 0,
            n_reused: 0,
            n_bytes: 0,
            paths: BTreeSet::new(),
            warnings: scan.notes.iter().map(|note| note.message.clone()).collect(),
            scan,
        }
    }

    /// Files that the index holds after the run.
    pub(crate) fn n_files(&self) -> u64 {
        self.n_added + self.n_changed + self.n_unchanged
    }

    pub(crate) fn name(&mut self, path: &RepoPath) {
        self.paths.insert(path.clone());
        if self.paths.len() > NAMED_PATHS {
            self.paths.pop_last();
        }
    }
}
