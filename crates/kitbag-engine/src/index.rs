//! A working tree becomes rows: look, plan, read and parse on all cores, write from one thread.
//!
//! A run that finds nothing to do takes no lock and writes nothing. One that does takes the writer lock first and plans
//! again if somebody wrote in between. Files travel in the order of IDX-40 and arrive in any; nothing that is answered
//! depends on the order of arrival. What is done is published after every few megabytes of text, so that a search during the
//! first run finds what is in rows (IDX-41).

mod course;
mod plan;
mod rebuild;
mod work;

pub use course::Work;
pub(crate) use plan::is_under;
pub(crate) use rebuild::{Rebuild, rebuild};
pub(crate) use work::{content_hash, cut, cut_for, parse_key};

use std::collections::BTreeSet;

use kitbag_repo::{RepoError, Scan};
use kitbag_store::{Snapshot, Store, StoreError, Writer, WriterLock};
use kitbag_types::{RepoPath, Stop, Timestamp};

use crate::{Engine, EngineError, ages, embed, health, history, packages};
use course::{Ahead, Course};
use plan::Plan;

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
    /// What git says, and tidying up.
    Finishing,
}

impl Phase {
    /// The step that says so.
    fn begins(self) -> Progress<'static> {
        Progress {
            phase: self,
            n_done: 0,
            n_total: 0,
            work: Work::default(),
            path: None,
        }
    }

    /// The step that says that it is over.
    fn ends(self) -> Progress<'static> {
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
    /// Of the whole run.
    pub work: Work,
    /// The file that was finished last.
    pub path: Option<&'a RepoPath>,
}

/// Of the files that a run changed, how many it names.
const NAMED_PATHS: usize = 20;

/// How a run is to behave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunOptions<'s> {
    /// Queue behind another writer instead of failing with [`StoreError::Busy`].
    pub wait: bool,
    /// Nobody waits for an answer: try again what failed (files, git), let a slow model take its time, check the text index
    /// against its checksums.
    pub retry: bool,
    /// Look at every folder again, believe no time stamp, and read the whole database.
    pub thorough: bool,
    /// Nobody waits at all: leave half of the cores to whoever works here.
    pub gentle: bool,
    /// Set from outside: end soon with [`EngineError::Cancelled`], keep what is done.
    pub stop: Stop<'s>,
    /// Files at or under these paths and no others, if the index is whole otherwise.
    pub only: Option<&'s [RepoPath]>,
    /// Look again at every file, whatever its time stamp says.
    pub force: bool,
    /// Parse every file again, whatever is stored under its content.
    pub reparse: bool,
}

impl RunOptions<'_> {
    pub(crate) fn go_on(&self) -> Result<(), EngineError> {
        Ok(self.stop.check()?)
    }

    /// Look at every byte of the text index. The vectors are looked at whenever they are opened.
    fn verifies(&self, engine: &Engine) -> bool {
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
    /// Read and found unfit.
    pub n_skipped: u64,
    pub n_failed: u64,
    /// Of the added and changed: parsed now, or known by content.
    pub n_parsed: u64,
    pub n_reused: u64,
    pub n_bytes: u64,
    /// Added, changed or removed: the first few in the order of paths.
    pub paths: BTreeSet<RepoPath>,
    pub warnings: Vec<String>,
    /// What the tree looked like.
    pub scan: Scan,
}

impl Report {
    fn new(scan: Scan, n_unchanged: usize) -> Self {
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

    fn name(&mut self, path: &RepoPath) {
        self.paths.insert(path.clone());
        if self.paths.len() > NAMED_PATHS {
            self.paths.pop_last();
        }
    }
}

/// Brings the index in line with the working tree.
pub(crate) fn run(
    engine: &Engine,
    options: RunOptions<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<Report, EngineError> {
    if !engine.root().is_dir() {
        // Opening the store would make its folder, and with it the root again: an empty one, and every file gone.
        return Err(RepoError::NotFound {
            path: engine.root().to_owned(),
        }
        .into());
    }
    progress(Phase::Scanning.begins());
    let mut store = engine.open_store()?;
    if options.thorough {
        store.check()?;
    }
    let mut look = look(engine, &store, options, now)?;
    if look.is_clean(options) && !look.worth_keeping {
        return Ok(look.into_report());
    }
    options.go_on()?;
    let lock = match store.lock_writer(false) {
        // Only stamps are to be noted; the next run can do that.
        Err(_) if look.is_clean(options) => return Ok(look.into_report()),
        other => queue(&store, other, options, progress)?,
    };
    if !store.is_current() {
        // While we waited, somebody set the database aside and began another.
        drop((lock, store));
        return run(engine, options, progress, now);
    }
    if seq(engine, &store)? != look.seq {
        look = self::look(engine, &store, options, now)?;
    }
    let mut course = Course::new(look.ahead(engine));
    let Look { scan, plan, .. } = look;
    let progress = &mut |step: Progress<'_>| progress(course.whole(step));
    let known = if plan.jobs.is_empty() || options.reparse {
        Vec::new()
    } else {
        store.parse_keys()?
    };
    let verify = options.verifies(engine);
    let mut writer = Writer::open(&mut store, lock, engine.root(), verify, now.0)?;
    if verify {
        engine.trust_text();
    }
    if options.reparse {
        writer.replace_products();
    }
    writer.begin(
        &scan.boundary,
        engine.content,
        plan.n_expected(),
        plan.expected_bytes(),
    )?;
    let mut report = Report::new(scan, plan.n_unchanged);
    let mended = writer
        .text_fault()
        .map(|fault| health::mended("text index", fault));
    report.warnings.extend(mended);
    let order = work::Order {
        engine,
        plan: &plan,
        options,
        now,
    };
    let worked = work::run(order, known, &mut writer, &mut report, progress);
    if let Err(EngineError::Cancelled) = worked {
        writer.publish()?;
        writer.close()?;
        return Err(EngineError::Cancelled);
    }
    worked?;
    progress(Phase::Publishing.begins());
    writer.finish(&report.scan.to_bytes(), engine.content, now.0)?;
    options.go_on()?;
    let warnings = embed::catch_up(engine, &mut writer, options, progress)?;
    report.warnings.extend(warnings);
    options.go_on()?;
    progress(Phase::Finishing.begins());
    let warnings = packages::catch_up(engine, &mut writer, &report.scan, options.retry)?;
    report.warnings.extend(warnings);
    report
        .warnings
        .extend(history::catch_up(engine, &mut writer, options.retry)?);
    let warning = ages::catch_up(engine, &mut writer, &report.scan, options.retry, now)?;
    report.warnings.extend(warning);
    if report.n_changed + report.n_removed > 0 {
        writer.collect(engine.options.max_parse_cache_bytes)?;
    }
    writer.close()?;
    progress(Phase::Finishing.ends());
    Ok(report)
}

/// The lock, after waiting for it if another writer has it and `wait` allows.
fn queue(
    store: &Store,
    tried: Result<WriterLock, StoreError>,
    options: RunOptions<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<WriterLock, EngineError> {
    match tried {
        Err(StoreError::Busy { .. }) if options.wait => {
            progress(Phase::Waiting.begins());
            match options.stop.flag() {
                Some(stop) => store.lock_writer_unless(stop)?.ok_or(EngineError::Cancelled),
                None => Ok(store.lock_writer(true)?),
            }
        }
        other => Ok(other?),
    }
}

/// What a look at tree and store found.
struct Look {
    scan: Scan,
    plan: Plan,
    /// The tree's change number at the time of the look.
    seq: i64,
    /// The last run got to its end, under the same boundary and content version, and the text index has it all.
    settled: bool,
    /// The scan itself should be stored although no file changed: the next one will be quicker for it.
    worth_keeping: bool,
    /// Bytes of stored files that have no vectors yet.
    unembedded_bytes: u64,
}

impl Look {
    fn is_clean(&self, options: RunOptions<'_>) -> bool {
        self.settled && self.plan.is_empty() && !options.thorough
    }

    fn ahead(&self, engine: &Engine) -> Ahead {
        let bytes = self.plan.jobs.iter().map(|job| job.stamp.size).sum();
        Ahead {
            n_files: self.plan.jobs.len(),
            bytes,
            embedded_bytes: if engine.is_on("semantic") {
                bytes + self.unembedded_bytes
            } else {
                0
            },
            is_slow: engine.is_on("semantic") && engine.model().is_slow(),
        }
    }

    fn into_report(self) -> Report {
        Report::new(self.scan, self.plan.n_unchanged)
    }
}

fn look(
    engine: &Engine,
    store: &Store,
    options: RunOptions<'_>,
    now: Timestamp,
) -> Result<Look, EngineError> {
    let snapshot = Snapshot::open(store, engine.root())?;
    let Some(snapshot) = snapshot else {
        let scan = engine.tree.scan(now)?;
        let plan = plan::plan(&[], &scan, &engine.options, plan::Again::default()).sort_out(engine, now);
        return Ok(Look {
            scan,
            plan,
            seq: 0,
            settled: false,
            worth_keeping: true,
            unembedded_bytes: 0,
        });
    };
    let state = snapshot.state();
    let before = Scan::from_bytes(&snapshot.scan()?);
    let scan = match &before {
        Some(before) if !options.thorough && !options.force => engine.tree.rescan(before, now)?,
        _ => engine.tree.scan(now)?,
    };
    let worth_keeping =
        before.is_none_or(|before| !before.same_ground(&scan) || (!before.is_settled() && scan.is_settled()));
    let same_content = state.content_version == engine.content;
    let again = plan::Again {
        parsed: !same_content || options.reparse,
        failed: options.retry,
        unchanged: options.thorough || options.force,
        // A part of an index that is not whole would pass for all of it.
        only: options.only.filter(|_| same_content && state.complete),
    };
    let plan = plan::plan(&snapshot.files()?, &scan, &engine.options, again).sort_out(engine, now);
    let settled =
        state.complete && same_content && state.boundary == scan.boundary && snapshot.text_is_current();
    let settled = settled
        && (!options.verifies(engine) || snapshot.check_text().is_none())
        && embed::is_current(engine, &snapshot)
        && packages::is_current(engine, &snapshot, &scan)?
        && history::is_current(engine, &snapshot, options.retry)?
        && ages::is_current(engine, &snapshot, &scan, options.retry)?;
    let unembedded_bytes = if settled || !engine.is_on("semantic") {
        0
    } else {
        let all = snapshot.covered(state.seq)?.bytes;
        all.saturating_sub(snapshot.covered(embed::seen(engine, &snapshot))?.bytes)
    };
    Ok(Look {
        seq: state.seq,
        unembedded_bytes,
        settled,
        worth_keeping,
        scan,
        plan,
    })
}

fn seq(engine: &Engine, store: &Store) -> Result<i64, EngineError> {
    Ok(Snapshot::open(store, engine.root())?.map_or(0, |snapshot| snapshot.state().seq))
}

/// How many files are new, changed or gone since the last run, and how many folders the project has. Writes nothing.
pub(crate) fn outstanding(
    engine: &Engine,
    store: Option<&Store>,
    now: Timestamp,
) -> Result<(usize, usize), EngineError> {
    let options = RunOptions {
        wait: false,
        retry: false,
        thorough: false,
        ..RunOptions::default()
    };
    match store {
        Some(store) => {
            let look = look(engine, store, options, now)?;
            Ok((
                look.plan.jobs.len() + look.plan.unfit.len() + look.plan.gone.len(),
                look.scan.folders.len(),
            ))
        }
        None => {
            let scan = engine.tree.scan(now)?;
            let n_folders = scan.folders.len();
            let plan = plan::plan(&[], &scan, &engine.options, plan::Again::default()).sort_out(engine, now);
            Ok((plan.jobs.len(), n_folders))
        }
    }
}
