//! Everything anew: the whole tree is read and parsed into rows beside those that answer, which it then replaces in one step
//! (IDX-51). Whatever ends the run before that step, the old index is untouched.

use std::sync::atomic::AtomicBool;

use kitbag_store::Writer;
use kitbag_types::Timestamp;

use super::plan::{self, Recheck};
use super::run_progress::{RunProgress, WorkAhead};
use super::{queue, work};
use crate::run::{Phase, Progress, Report, RunOptions};
use crate::{Engine, EngineError, ages, embed, history, packages};

/// How a rebuild is to behave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rebuild<'a> {
    /// Remember how often files have failed before.
    pub keep_errors: bool,
    /// Give unused room back to the disk.
    pub vacuum: bool,
    pub stop: &'a AtomicBool,
}

pub(crate) fn rebuild(
    engine: &Engine,
    options: Rebuild<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<Report, EngineError> {
    progress(Phase::Scanning.begins());
    let mut store = engine.open_store()?;
    let run = RunOptions {
        wait: true,
        retry: true,
        stop: options.stop.into(),
        ..RunOptions::default()
    };
    let lock = queue(&store, store.lock_writer(false), run, progress)?;
    if !store.is_current() {
        // While we waited, somebody set the database aside and began another.
        drop((lock, store));
        return rebuild(engine, options, progress, now);
    }
    let scan = engine.tree.scan(now)?;
    let plan = plan::plan(&[], &scan, &engine.options, Recheck::default()).sort_out(engine, now);
    let bytes = plan.expected_bytes();
    let mut course = RunProgress::new(WorkAhead {
        n_files: plan.jobs.len(),
        bytes,
        embedded_bytes: if engine.is_on("semantic") { bytes } else { 0 },
        is_slow: engine.is_on("semantic") && engine.model().is_slow(),
    });
    let progress = &mut |step: Progress<'_>| progress(course.whole(step));
    let mut report = Report::new(scan, 0);
    let mut writer = Writer::open_beside(&mut store, lock, engine.root(), options.keep_errors, now.0)?;
    let order = work::Order {
        engine,
        plan: &plan,
        options: run,
        now,
    };
    let filled = fill(order, &mut writer, &mut report, progress);
    if let Err(error) = filled {
        // If this fails as well, the next writer does it; what went wrong first is what matters.
        let _ = writer.discard();
        return Err(error);
    }
    // What no file shows was not made anew, so it is not kept for later either.
    writer.collect(0)?;
    if options.vacuum {
        // The index is whole without; there may be too little room for a copy.
        let vacuumed = writer.vacuum();
        report
            .warnings
            .extend(vacuumed.err().map(|error| format!("not compacted: {error}")));
    }
    writer.close()?;
    progress(Phase::Finishing.ends());
    Ok(report)
}

/// Makes the new tree and puts it in the old one's place.
fn fill(
    order: work::Order<'_>,
    writer: &mut Writer<'_>,
    report: &mut Report,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), EngineError> {
    let work::Order {
        engine,
        plan,
        options: run,
        now,
    } = order;
    let (n_files, bytes) = (plan.n_expected(), plan.expected_bytes());
    writer.begin(&report.scan.boundary, engine.content, n_files, bytes)?;
    work::run(order, Vec::new(), writer, report, progress)?;
    progress(Phase::Publishing.begins());
    writer.finish(&report.scan.to_bytes(), engine.content, now.0)?;
    report
        .warnings
        .extend(embed::catch_up(engine, writer, run, progress)?);
    progress(Phase::Finishing.begins());
    let warnings = packages::catch_up(engine, writer, &report.scan, true)?;
    report.warnings.extend(warnings);
    report.warnings.extend(history::catch_up(engine, writer, true)?);
    let warning = ages::catch_up(engine, writer, &report.scan, true, now)?;
    report.warnings.extend(warning);
    run.go_on()?;
    Ok(writer.take_over(engine.root())?)
}
