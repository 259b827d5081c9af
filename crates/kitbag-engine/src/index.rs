//! A working tree becomes rows: look, plan, read and parse on all cores, write from one thread.
//!
//! A run that finds nothing to do takes no lock and writes nothing. One that does takes the writer lock first and plans
//! again if somebody wrote in between. Files are sent out in the order of IDX-40 and come back in any order; no answer
//! depends on the order in which they come back. What is done is published after every few megabytes of text, so that a search during the
//! first run finds what is in rows (IDX-41).

mod plan;
mod rebuild;
mod run_progress;
mod work;

pub(crate) use plan::is_under;
pub(crate) use rebuild::{Rebuild, rebuild};

use kitbag_repo::{RepoError, Scan};
use kitbag_store::{Snapshot, Store, StoreError, Writer, WriterLock};
use kitbag_types::Timestamp;

use crate::run::{Phase, Progress, Report, RunOptions};
use crate::{Engine, EngineError, ages, embed, health, history, packages};
use plan::Plan;
use run_progress::{RunProgress, WorkAhead};

/// Brings the index in line with the working tree.
pub(crate) fn run(
    engine: &Engine,
    options: RunOptions<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<Report, EngineError> {
    if !engine.root().is_dir() {
        // Opening the store would create its folder and so an empty root, in which every file seems to be deleted.
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
        // Only time stamps would be stored; the next run can do that.
        Err(_) if look.is_clean(options) => return Ok(look.into_report()),
        other => queue(&store, other, options, progress)?,
    };
    if !store.is_current() {
        // While we waited, another process set the database aside and created a new one.
        drop((lock, store));
        return run(engine, options, progress, now);
    }
    if seq(engine, &store)? != look.seq {
        look = self::look(engine, &store, options, now)?;
    }
    let mut course = RunProgress::new(look.ahead(engine));
    let TreeComparison { scan, plan, .. } = look;
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

/// The writer lock. If another writer has it and `wait` is set, waits for it.
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

/// The differences between the working tree and the store.
struct TreeComparison {
    scan: Scan,
    plan: Plan,
    /// The tree's change number at that time.
    seq: i64,
    /// The last run was complete, with the same boundary and content version, and the text index has all of it.
    settled: bool,
    /// The scan should be stored although no file changed: it makes the next scan quicker.
    worth_keeping: bool,
    /// Bytes of stored files that have no vectors yet.
    unembedded_bytes: u64,
}

impl TreeComparison {
    fn is_clean(&self, options: RunOptions<'_>) -> bool {
        self.settled && self.plan.is_empty() && !options.thorough
    }

    fn ahead(&self, engine: &Engine) -> WorkAhead {
        let bytes = self.plan.jobs.iter().map(|job| job.stamp.size).sum();
        WorkAhead {
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
) -> Result<TreeComparison, EngineError> {
    let snapshot = Snapshot::open(store, engine.root())?;
    let Some(snapshot) = snapshot else {
        let scan = engine.tree.scan(now)?;
        let plan = plan::plan(&[], &scan, &engine.options, plan::Recheck::default()).sort_out(engine, now);
        return Ok(TreeComparison {
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
    let again = plan::Recheck {
        parsed: !same_content || options.reparse,
        failed: options.retry,
        unchanged: options.thorough || options.force,
        // Part of an incomplete index would look like all of it.
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
    Ok(TreeComparison {
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
            let plan =
                plan::plan(&[], &scan, &engine.options, plan::Recheck::default()).sort_out(engine, now);
            Ok((plan.jobs.len(), n_folders))
        }
    }
}
