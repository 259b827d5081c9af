//! What a run has to do: the difference between what the store says and what the tree shows, in the order of IDX-40.

use kitbag_rank::paths::PathClass;
use kitbag_repo::Scan;
use kitbag_store::{Change, FileRow, FileState};
use kitbag_types::{FileStamp, RepoPath, Timestamp};

use super::work::not_read;
use crate::conventions::classes;
use crate::indexable::sniffed;
use crate::{Engine, Options};

/// One file to look at.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub path: RepoPath,
    pub stamp: FileStamp,
    /// The hash it had, if it is stored and a product of the present making hangs on it.
    pub known: Option<[u8; 32]>,
    /// It is new to the store.
    pub is_new: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub jobs: Vec<Job>,
    /// Files to look at whose content cannot be indexed, and what the store should hear of them.
    pub unfit: Vec<(Job, Change)>,
    pub gone: Vec<RepoPath>,
    /// Files that are indexed and stay as they are.
    pub n_unchanged: usize,
    pub unchanged_bytes: u64,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.unfit.is_empty() && self.gone.is_empty()
    }

    /// How many files the index holds after the run, if every one of them can be read.
    pub(super) fn n_expected(&self) -> u64 {
        (self.n_unchanged + self.jobs.len()) as u64
    }

    /// The bytes of those files.
    pub(super) fn expected_bytes(&self) -> u64 {
        self.unchanged_bytes + self.jobs.iter().map(|job| job.stamp.size).sum::<u64>()
    }

    /// Takes out of the jobs what cannot be indexed, so that nobody counts it as work (IDX-7).
    pub(super) fn sort_out(mut self, engine: &Engine, now: Timestamp) -> Self {
        let looked = sniffed(engine, &self.jobs, |job| &job.path);
        let jobs = std::mem::take(&mut self.jobs);
        for (job, failure) in jobs.into_iter().zip(looked) {
            match failure {
                None => self.jobs.push(job),
                Some(failure) => {
                    let change = not_read(&job, failure, now);
                    self.unfit.push((job, change));
                }
            }
        }
        self
    }
}

/// What to look at again although its stamp is the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recheck<'a> {
    /// Everything: parse products are of another making.
    pub parsed: bool,
    /// Files that could not be read.
    pub failed: bool,
    /// Everything, in case a stamp lies; what has the same content is left alone.
    pub unchanged: bool,
    /// Only files at or under these paths; the others stay as they are until a run that looks at them.
    pub only: Option<&'a [RepoPath]>,
}

impl Recheck<'_> {
    fn covers(&self, path: &RepoPath) -> bool {
        self.only.is_none_or(|paths| is_under(path, paths))
    }
}

/// It is one of `paths`, or stands in a folder that is.
pub(crate) fn is_under(path: &RepoPath, paths: &[RepoPath]) -> bool {
    let covers = |folder: &RepoPath| {
        let rest = path.as_str().strip_prefix(folder.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    paths.iter().any(covers)
}

/// Compares. Both lists are sorted by path.
pub(super) fn plan(rows: &[FileRow], scan: &Scan, options: &Options, again: Recheck<'_>) -> Plan {
    let mut plan = Plan::default();
    let mut rows = rows.iter().peekable();
    for file in &scan.files {
        while let Some(row) = rows.next_if(|row| row.path < file.path) {
            plan.gone.push(row.path.clone());
        }
        let row = rows.next_if(|row| row.path == file.path);
        let same = row.is_some_and(|row| {
            let retried = again.failed && row.state == FileState::Failed;
            row.stamp == file.stamp && !again.parsed && !again.unchanged && !retried
        });
        if same || !again.covers(&file.path) {
            if row.is_some_and(|row| row.state == FileState::Indexed) {
                plan.n_unchanged += 1;
                plan.unchanged_bytes += file.stamp.size;
            }
            continue;
        }
        let known = row
            .filter(|row| !again.parsed && row.state != FileState::Failed)
            .map(|row| row.hash);
        plan.jobs.push(Job {
            path: file.path.clone(),
            stamp: file.stamp,
            known,
            is_new: row.is_none(),
        });
    }
    plan.gone.extend(rows.map(|row| row.path.clone()));
    plan.gone.retain(|path| again.covers(path));
    plan.jobs
        .sort_by_cached_key(|job| (turn(job, options), job.stamp.size, job.path.clone()));
    plan
}

/// Small files are searchable soonest for their cost; what is asked about most comes next.
const SMALL_BYTES: u64 = 16 << 10;
const LARGE_BYTES: u64 = 512 << 10;

fn turn(job: &Job, options: &Options) -> u8 {
    let extension = job.path.extension().unwrap_or_default();
    if options
        .priority_extensions
        .iter()
        .any(|wanted| wanted.trim_start_matches('.') == extension)
    {
        return 0;
    }
    if job.stamp.size > LARGE_BYTES {
        return 5;
    }
    if job.stamp.size <= SMALL_BYTES {
        return 1;
    }
    let classes = classes(&job.path);
    if classes.contains(&PathClass::Docs) {
        3
    } else if classes.contains(&PathClass::Config) {
        4
    } else {
        2
    }
}
