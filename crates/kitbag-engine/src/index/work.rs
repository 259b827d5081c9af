//! The work of a run: threads read and parse, this thread writes.
//!
//! Results come through a bounded channel, so a slow disk holds the readers back instead of filling memory. A batch is
//! closed by files or bytes, never by the clock.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use kitbag_repo::{ReadFailure, is_settled};
use kitbag_store::{Change, ParseKey, Parsing, StoredFile, Writer};
use kitbag_types::{FileStamp, Timestamp};

use super::plan::{Job, Plan};
use super::run_progress::cost;
use crate::cut::{chunked, new_parse, parse_key};
use crate::run::{Phase, Progress, Report, RunOptions, Work};
use crate::{Engine, EngineError};

/// A transaction holds at most this much: large enough to be cheap a file, small enough to lose.
const BATCH_FILES: usize = 128;
const BATCH_BYTES: usize = 8 << 20;
/// What is in rows is made searchable after this much reading and parsing: about a second of it, and thirty times what
/// publishing costs.
pub(super) const PUBLISH_EVERY: u64 = 4 << 20;
/// Finished files that may wait for the writer.
const IN_FLIGHT: usize = 64;

/// What is to be done, and for whom.
#[derive(Clone, Copy)]
pub(super) struct Order<'o> {
    pub engine: &'o Engine,
    pub plan: &'o Plan,
    pub options: RunOptions<'o>,
    pub now: Timestamp,
}

/// Stopped half-way, it hands over what is finished and gives [`EngineError::Cancelled`]. `known`: texts that are cut already.
pub(super) fn run(
    order: Order<'_>,
    known: Vec<ParseKey>,
    writer: &mut Writer<'_>,
    report: &mut Report,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), EngineError> {
    let Order {
        engine,
        plan,
        options,
        now,
    } = order;
    let gone: Vec<Change> = plan
        .gone
        .iter()
        .map(|path| Change::Gone { path: path.clone() })
        .collect();
    for path in &plan.gone {
        report.name(path);
    }
    for batch in gone.chunks(BATCH_FILES) {
        options.go_on()?;
        writer.apply(batch, now.0)?;
        report.n_removed += batch.len() as u64;
    }
    for batch in plan.unfit.chunks(BATCH_FILES) {
        options.go_on()?;
        for (job, change) in batch {
            take_note(engine, report, job, change)?;
        }
        let changes: Vec<Change> = batch.iter().map(|(_, change)| change.clone()).collect();
        writer.apply(&changes, now.0)?;
    }
    let total = cost(plan.jobs.iter().map(|job| job.stamp.size).sum(), plan.jobs.len());
    let known = WorkerLookups {
        parses: known.into_iter().collect(),
        parsing: Parsing::begin(engine.store_dir()),
    };
    let crashed = known.parsing.n_found();
    if crashed > 0 {
        report.warnings.push(format!(
            "{crashed} file(s) ended Kitbag while they were parsed, and are cut by lines now; please report it"
        ));
    }
    let queue = Queue::default();
    let n_workers = options.n_workers(engine).min(plan.jobs.len().max(1));
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(IN_FLIGHT);
        for _ in 0..n_workers {
            let (send, queue, known) = (send.clone(), &queue, &known);
            scope.spawn(move || worker(engine, plan, known, queue, &send, now));
        }
        drop(send);
        let mut sink = Sink {
            writer,
            batch: Vec::new(),
            n_bytes: 0,
            n_done: 0,
            done: 0,
            published: 0,
            now,
        };
        let result = (|| {
            for (job_idx, change) in receive.iter() {
                if let Err(cancelled) = options.go_on() {
                    sink.flush()?;
                    return Err(cancelled);
                }
                let job = &plan.jobs[job_idx];
                take_note(engine, report, job, &change)?;
                sink.take(change, cost(job.stamp.size, 1))?;
                progress(Progress {
                    phase: Phase::Indexing,
                    n_done: sink.n_done,
                    n_total: plan.jobs.len(),
                    work: Work {
                        done: sink.done,
                        total,
                    },
                    path: Some(&job.path),
                });
            }
            sink.flush()
        })();
        // The scope waits for the workers; they must not wait for a writer that has given up.
        queue.is_closed.store(true, Ordering::Relaxed);
        drop(receive);
        result
    })
}

/// What workers look up.
struct WorkerLookups {
    /// Texts that are cut already.
    parses: HashSet<ParseKey>,
    parsing: Parsing,
}

/// Where the workers take their jobs from.
#[derive(Default)]
struct Queue {
    /// The index of the next job.
    next: AtomicUsize,
    /// The writer has stopped listening.
    is_closed: AtomicBool,
}

/// Takes jobs in order until there are none or the writer has stopped listening.
fn worker(
    engine: &Engine,
    plan: &Plan,
    known: &WorkerLookups,
    queue: &Queue,
    send: &SyncSender<(usize, Change)>,
    now: Timestamp,
) {
    while !queue.is_closed.load(Ordering::Relaxed) {
        let job_idx = queue.next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = plan.jobs.get(job_idx) else { return };
        let change =
            catch_unwind(AssertUnwindSafe(|| look_at(engine, job, known, now))).unwrap_or_else(|_| {
                // A grammar that breaks on one file must not take the others with it (IDX-42).
                Change::Failed {
                    path: job.path.clone(),
                    stamp: job.stamp,
                    kind: "internal".into(),
                    message: "Kitbag failed on this file; please report it".into(),
                }
            });
        if send.send((job_idx, change)).is_err() {
            return;
        }
    }
}

/// Reads a file and makes of it what the store should hear.
fn look_at(engine: &Engine, job: &Job, known: &WorkerLookups, now: Timestamp) -> Change {
    let source = match engine.tree.read(&job.path) {
        Ok(source) => source,
        Err(failure) => return not_read(job, failure, now),
    };
    let stamp = trusted(source.stamp, now);
    if job.known == Some(source.hash) {
        return Change::Touched {
            path: job.path.clone(),
            stamp,
        };
    }
    let first_line = source.text.lines().next().unwrap_or_default();
    let language = kitbag_syntax::language_of(&job.path, first_line);
    let name = language.map_or("text", |language| language.name);
    let key = parse_key(engine, &source.hash, name);
    let cut = || {
        let parsed = match known.parsing.has_crashed(&key) {
            true => chunked(engine, &source, language, true, Duration::MAX),
            false => {
                // Nearly all the time of a short run: whoever kills it then must not blame the text that happens to come first.
                language.inspect(|language| kitbag_syntax::prepare(language));
                known
                    .parsing
                    .run(&key, || chunked(engine, &source, language, false, Duration::MAX))
            }
        };
        new_parse(&source, name, key, parsed)
    };
    let parse = (!known.parses.contains(&key)).then(|| Box::new(cut()));
    let file = StoredFile {
        path: job.path.clone(),
        stamp,
        hash: source.hash,
        language: name.to_owned(),
        key,
    };
    Change::Indexed { file, parse }
}

/// What the store hears of a file that gives no text.
pub(super) fn not_read(job: &Job, failure: ReadFailure, now: Timestamp) -> Change {
    let (path, stamp) = (job.path.clone(), trusted(job.stamp, now));
    match failure {
        ReadFailure::Skipped(skip) => Change::Skipped {
            path,
            stamp,
            reason: skip.reason.as_str().to_owned(),
        },
        ReadFailure::Failed { kind, message } => Change::Failed {
            path,
            stamp,
            kind: kind.as_str().to_owned(),
            message,
        },
    }
}

/// A stamp that may not be believed next time is stored as one that matches nothing: a file changed in the very moment
/// it was read could change again without its stamp telling.
fn trusted(stamp: FileStamp, now: Timestamp) -> FileStamp {
    if is_settled(stamp.mtime_ns, now) {
        stamp
    } else {
        FileStamp {
            mtime_ns: i64::MIN,
            ..stamp
        }
    }
}

/// Counts a change. The first failure ends the run where that is wanted.
fn take_note(engine: &Engine, report: &mut Report, job: &Job, change: &Change) -> Result<(), EngineError> {
    count(report, job, change);
    match change {
        Change::Failed { path, message, .. } if engine.options.fail_fast => Err(EngineError::File {
            path: path.to_string(),
            message: message.clone(),
        }),
        _ => Ok(()),
    }
}

fn count(report: &mut Report, job: &Job, change: &Change) {
    match change {
        Change::Indexed { parse, .. } => {
            report.name(&job.path);
            if job.is_new {
                report.n_added += 1;
            } else {
                report.n_changed += 1;
            }
            match parse {
                Some(parse) => {
                    report.n_parsed += 1;
                    report.n_bytes += parse.text.len() as u64;
                }
                None => report.n_reused += 1,
            }
        }
        Change::Skipped { .. } => report.n_skipped += 1,
        Change::Failed { .. } => report.n_failed += 1,
        Change::Touched { .. } => report.n_unchanged += 1,
        Change::Gone { .. } => report.n_removed += 1,
    }
}

/// Collects changes into batches and publishes by the amount of text.
struct Sink<'a, 's> {
    writer: &'a mut Writer<'s>,
    batch: Vec<Change>,
    n_bytes: usize,
    n_done: usize,
    /// What was done so far, and up to where it is published: [`cost`] of the files.
    done: u64,
    published: u64,
    now: Timestamp,
}

impl Sink<'_, '_> {
    fn take(&mut self, change: Change, cost: u64) -> Result<(), EngineError> {
        if let Change::Indexed {
            parse: Some(parse), ..
        } = &change
        {
            self.n_bytes += parse.text.len();
        }
        self.batch.push(change);
        self.n_done += 1;
        self.done += cost;
        if self.batch.len() >= BATCH_FILES || self.n_bytes >= BATCH_BYTES {
            self.flush()?;
        }
        if self.done - self.published >= PUBLISH_EVERY {
            self.flush()?;
            self.writer.publish()?;
            self.published = self.done;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), EngineError> {
        if !self.batch.is_empty() {
            self.writer.apply(&self.batch, self.now.0)?;
            self.batch.clear();
            self.n_bytes = 0;
        }
        Ok(())
    }
}
