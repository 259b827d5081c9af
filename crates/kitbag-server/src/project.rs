//! A project of a server: opened once, kept indexed by a thread of its own, reopened when its configuration changes.
//!
//! Opening it touches neither the index nor the files, so the handshake never waits. The first question waits briefly for the
//! index and then takes what is there (MCP-4). If a changed configuration is wrong, the old one stays in force and every
//! status says why (CFG-3).

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use kitbag_engine::api::{
    self, IndexRequest, IndexState, OpenJob, SearchReply, SearchRequest, UsageEntry, WatchEvent,
};
use kitbag_engine::{Alarm, Engine, EngineError, Progress, Timestamp, Tokenizer};

use super::cache::{Cache, Stamp};
use super::call::Call;
use super::indexing::{Indexing, Steps};
use crate::webhook;
use kitbag_door::failure::Failure;
use kitbag_door::settings::{self, Flag, Settings};
use kitbag_door::surroundings::Surroundings;

/// How long a question waits for the first run. With the time for the answer, two seconds (MCP-4).
const PATIENCE: Duration = Duration::from_millis(600);

/// Usage entries that may wait to be written; further ones are dropped.
const MOST_ENTRIES: usize = 256;
/// The time limit of a search in the files themselves.
const LOOK_WITHIN: Duration = Duration::from_millis(400);
/// The pause after an index run that failed.
const RETRY_AFTER: Duration = Duration::from_secs(10);
/// How long the result of a check of the index is kept: anybody may request one.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a server waits at its end for jobs that it has cancelled.
const JOBS_END_WITHIN: Duration = Duration::from_secs(3);
/// The most files that a question checks itself (about 5 µs each) although another process watches.
const LOOK_AT_MOST: u64 = 20_000;

/// An engine and its settings.
pub struct Open {
    pub engine: Engine,
    pub(crate) settings: Settings,
    pub(crate) tokenizer: Tokenizer,
}

pub struct Project {
    around: Surroundings,
    /// Settings from the command line.
    flags: Vec<Flag>,
    root: PathBuf,
    current: Mutex<Current>,
    indexing: Indexing,
    pub(crate) cache: Cache,
    /// Running jobs, each with the flag that stops it.
    jobs: Mutex<Vec<(Arc<AtomicBool>, JoinHandle<()>)>>,
    stop: Arc<AtomicBool>,
    started: Instant,
    soundness: Mutex<Soundness>,
}

/// What is known about damage to the index.
#[derive(Default)]
struct Soundness {
    /// When it was last checked, and the result.
    looked: Option<(Instant, bool)>,
    /// When a repair was last requested.
    asked: Option<Instant>,
}

struct Current {
    open: Arc<Open>,
    /// How often it was opened.
    n_opened: usize,
    /// Takes usage entries until the end.
    entries: Option<SyncSender<UsageRecord>>,
    /// Wakes and stops the watcher that uses this engine.
    alarm: Alarm,
    /// The configuration files when they were last checked.
    stamps: Vec<FileStamp>,
    /// Why their content is not in force.
    refused: Option<String>,
}

/// A usage entry, for how many days it is kept, and its time.
type UsageRecord = (UsageEntry, u64, Timestamp);

/// Time and size of a file; `None` if there is no file.
type FileStamp = Option<(SystemTime, u64)>;

/// The threads that [`Project::start`] started. When it is dropped they end: usage entries are written, and an index run is
/// cut off, which it survives.
pub(crate) struct Running {
    project: Arc<Project>,
    clerk: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.project.stop.store(true, Ordering::Relaxed);
        let mut current = self.project.lock();
        current.alarm.stop();
        current.entries = None;
        drop(current);
        if let Some(clerk) = self.clerk.take() {
            // It can only fail if the thread panicked, and nobody can be told.
            let _ = clerk.join();
        }
    }
}

/// What a question is answered from.
pub(crate) enum AnswerSource {
    /// The index. `update`: look for changes first. `thin`: it has less than half of the text, and a search in the files
    /// finds more.
    Index { update: bool, thin: bool },
    /// There is no index yet: only the files themselves.
    Files,
}

impl Project {
    pub fn open(around: Surroundings, flags: Vec<Flag>) -> Result<Arc<Project>, Failure> {
        let root = around.root();
        let stamps = stamps(&around, &root);
        let open = Arc::new(opened(&around, &flags)?);
        Ok(Arc::new(Project {
            around,
            flags,
            root,
            current: Mutex::new(Current {
                open,
                n_opened: 1,
                entries: None,
                alarm: Alarm::new(),
                stamps,
                refused: None,
            }),
            indexing: Indexing::default(),
            cache: Cache::default(),
            jobs: Mutex::default(),
            stop: Arc::default(),
            started: Instant::now(),
            soundness: Mutex::default(),
        }))
    }

    /// Starts indexing and watching in the background, and recording usage.
    pub(crate) fn start(self: &Arc<Self>) -> std::io::Result<Running> {
        let (send, receive) = sync_channel(MOST_ENTRIES);
        self.lock().entries = Some(send);
        let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let (indexer, clerk) = (Arc::clone(self), Arc::clone(self));
        named("index").spawn(move || indexer.keep_indexed())?;
        let clerk = named("usage").spawn(move || clerk.keep_entries(&receive))?;
        Ok(Running {
            project: Arc::clone(self),
            clerk: Some(clerk),
        })
    }

    /// Watches, and restarts when the configuration has changed.
    fn keep_indexed(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let (open, alarm) = self.current_with_alarm();
            let watcher = &open.settings.watcher;
            let done = if watcher.enabled {
                let mut tell = |event: WatchEvent<'_>| self.heard(&event);
                api::watch(&open.engine, watcher.options, &alarm, &mut tell, &|| self.now())
            } else {
                let request = IndexRequest {
                    wait: true,
                    thorough: false,
                    stop: Some(alarm.stopped()),
                };
                let mut report = |progress: Progress<'_>| self.indexing.report(&progress);
                api::index(&open.engine, request, &mut report, self.now()).map(|_| ())
            };
            if let Err(error) = &done {
                self.indexing.finish(Some(error.to_string()));
            } else if !watcher.enabled {
                self.indexing.finish(None);
            }
            if done.is_err() {
                // The disk may have room again, or the store may be repaired.
                alarm.settle(RETRY_AFTER);
            } else if !watcher.enabled {
                // There is nothing to do until the configuration changes, which stops this alarm.
                alarm.wait_until(&|| false);
            }
        }
    }

    fn heard(&self, event: &WatchEvent<'_>) {
        match event {
            WatchEvent::Waiting => self.indexing.leave(),
            WatchEvent::Progress(progress) => self.indexing.report(progress),
            WatchEvent::Updated(_) => {
                self.indexing.finish(None);
                // The configuration may have changed.
                self.current();
            }
            WatchEvent::Failed(error) => self.indexing.finish(Some(error.to_string())),
            WatchEvent::RootGone => self
                .indexing
                .finish(Some("the project folder is gone".to_owned())),
            WatchEvent::RootBack => {}
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.around.clock()
    }

    pub(crate) fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn steps(&self) -> Steps {
        self.indexing.steps()
    }

    /// The engine and settings in force: reopened if the configuration files have changed, the old ones if those are wrong.
    pub fn current(&self) -> Arc<Open> {
        self.current_with_alarm().0
    }

    /// Both at once: a reload in between would combine an old engine with the new alarm.
    fn current_with_alarm(&self) -> (Arc<Open>, Alarm) {
        let mut current = self.lock();
        let stamps = stamps(&self.around, &self.root);
        if current.stamps != stamps {
            current.stamps = stamps;
            match opened(&self.around, &self.flags) {
                Ok(open) => {
                    current.open = Arc::new(open);
                    current.n_opened += 1;
                    current.refused = None;
                    // The watcher continues with the new one.
                    std::mem::take(&mut current.alarm).stop();
                }
                Err(failure) => current.refused = Some(failure.message),
            }
        }
        (Arc::clone(&current.open), current.alarm.clone())
    }

    /// Why the current configuration is not in force, if it is not.
    pub(crate) fn refused(&self) -> Option<String> {
        self.lock().refused.clone()
    }

    /// What a question can be answered from. Waits briefly for the index if there is none yet.
    pub(crate) fn answer_source(&self, open: &Open, asked: &Call<'_>) -> AnswerSource {
        let complete = || matches!(api::index_state(&open.engine), Ok(Some(state)) if state.text >= 1.0);
        let enough =
            |steps: &Steps| steps.n_runs > 0 || steps.failure.is_some() || (steps.elsewhere && complete());
        self.indexing.wait(PATIENCE, &enough, asked.tell, asked.stop);
        // A store that cannot be read counts as missing (ENG-70).
        let look = || api::index_state(&open.engine).ok().flatten();
        let mut state = look();
        if !self.is_sound_in(state.as_ref()) && self.mend() {
            state = look();
        }
        let steps = self.steps();
        let Some(state) = state else {
            // Without a watcher, the call itself makes the index.
            let is_ours = !open.settings.watcher.enabled && steps.n_runs > 0;
            return match is_ours {
                true => AnswerSource::Index {
                    update: true,
                    thin: false,
                },
                false => AnswerSource::Files,
            };
        };
        let update = if steps.elsewhere {
            // A watcher is at most two seconds behind. After an edit that is too much, unless checking takes longer.
            !state.damage.is_empty() || state.text >= 1.0 && state.files <= LOOK_AT_MOST
        } else if steps.n_runs > 0 {
            let alarm = self.lock().alarm.clone();
            // Pending changes are indexed now and not after the pause.
            !open.settings.watcher.enabled || !alarm.settle(PATIENCE)
        } else {
            false
        };
        AnswerSource::Index {
            update,
            thin: state.text < 0.5,
        }
    }

    /// Whether the expected index exists and is undamaged (IDX-30). Before the first run there need not be one.
    fn is_sound_in(&self, state: Option<&IndexState>) -> bool {
        let steps = self.steps();
        match state {
            Some(state) => state.damage.is_empty(),
            None => steps.n_runs == 0 || steps.elsewhere,
        }
    }

    /// The same, from a check. A damaged index is repaired.
    pub(crate) fn is_sound(&self) -> bool {
        let mut seen = self.soundness.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, is_sound)) = seen.looked
            && at.elapsed() < LOOK_EVERY
        {
            return is_sound;
        }
        let state = api::index_state(&self.current().engine).ok().flatten();
        let is_sound = self.is_sound_in(state.as_ref());
        seen.looked = Some((Instant::now(), is_sound));
        drop(seen);
        if !is_sound {
            self.mend();
        }
        is_sound
    }

    /// Makes the watcher of this process check everything, and waits briefly for it. A repair that fails is not repeated at
    /// every question. `false`: nothing was tried.
    fn mend(&self) -> bool {
        let steps = self.steps();
        let mut seen = self.soundness.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = seen.asked.is_some_and(|asked| asked.elapsed() < RETRY_AFTER);
        if is_early || steps.elsewhere || steps.n_runs == 0 {
            return false;
        }
        seen.asked = Some(Instant::now());
        seen.looked = None;
        drop(seen);
        let alarm = self.lock().alarm.clone();
        alarm.touch();
        alarm.settle(PATIENCE);
        true
    }

    /// Records an answer (MET-1) on a thread of its own, so that nobody waits for the disk. Failures are ignored.
    pub(crate) fn record(
        &self,
        open: &Open,
        asked: &Call<'_>,
        entry: impl FnOnce(&'static str) -> Result<UsageEntry, EngineError>,
    ) {
        let metrics = &open.settings.metrics;
        if let (true, Ok(entry)) = (metrics.enabled, entry(asked.door)) {
            let entry = UsageEntry {
                correlation: asked.id.to_owned(),
                ..entry
            };
            if let Some(entries) = &self.lock().entries {
                let _ = entries.try_send((entry, metrics.keep_days, asked.now));
            }
        }
    }

    /// Writes entries until all senders are gone.
    fn keep_entries(&self, entries: &Receiver<UsageRecord>) {
        while let Ok((entry, keep_days, at)) = entries.recv() {
            let _ = api::record(&self.current().engine, &entry, keep_days, at);
        }
    }

    /// The state that an answer would be made from now, if this process knows it.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        let open = self.current();
        let last_change = api::whole_index(&open.engine).ok().flatten()?;
        let current = self.lock();
        let steps = self.steps();
        (steps.n_runs > 0 && !steps.elsewhere && steps.phase.is_none() && current.alarm.is_settled())
            .then_some(Stamp {
                configuration: current.n_opened,
                index: steps.n_runs,
                last_change,
            })
    }

    /// Runs a job on a thread of its own, so that it continues without its caller. Returns its id.
    pub(crate) fn carry_out(&self, job: OpenJob) -> Result<String, Failure> {
        let id = job.id();
        // A flag of its own, which is set when this job is cancelled.
        let (open, stop, name) = (self.current(), Arc::new(AtomicBool::new(false)), id.clone());
        let flag = Arc::clone(&stop);
        let clock = self.around.ticking();
        let run = move || {
            // The row of the job says how it ended.
            let _ = api::run_job(&open.engine, job, &mut |_| {}, &stop, &clock);
            if let Some(url) = &open.settings.webhook_url {
                let _ = webhook::tell(&open.engine, url, &name, clock());
            }
        };
        let thread = std::thread::Builder::new()
            .name("job".to_owned())
            .spawn(run)
            .map_err(|error| Failure::trouble("INTERNAL_ERROR", format!("no thread for a job: {error}")))?;
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.retain(|(_, thread)| !thread.is_finished());
        jobs.push((flag, thread));
        Ok(id)
    }

    /// Cancels the jobs of this process and gives them time to record that; otherwise they would look as if they had crashed.
    pub(crate) fn end_jobs(&self) {
        let jobs = std::mem::take(&mut *self.jobs.lock().unwrap_or_else(PoisonError::into_inner));
        for (stop, _) in &jobs {
            stop.store(true, Ordering::Relaxed);
        }
        let deadline = Instant::now() + JOBS_END_WITHIN;
        while jobs.iter().any(|(_, thread)| !thread.is_finished()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Searches the files themselves.
    pub(crate) fn look(&self, open: &Open, request: &SearchRequest<'_>) -> Result<SearchReply, Failure> {
        let began = Instant::now();
        let mut found = api::live_search(&open.engine, request, LOOK_WITHIN, &|| began.elapsed())?;
        match api::index_state(&open.engine) {
            Ok(Some(state)) => found.index = state,
            _ => found.index.expected = self.steps().n_total as u64,
        }
        Ok(found)
    }

    /// A note about the index, if it is incomplete or damaged.
    pub(crate) fn note(&self, open: &Open) -> Option<String> {
        let state = api::index_state(&open.engine).ok().flatten();
        let is_complete = state.as_ref().is_some_and(|state| state.complete);
        (!is_complete).then(|| incomplete(state.as_ref(), &self.steps()))
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much of the text and of the vectors can be searched, and what is being done about the rest.
fn incomplete(state: Option<&IndexState>, steps: &Steps) -> String {
    if let Some(failure) = &steps.failure {
        return format!("Note: this project cannot be indexed ({failure}).");
    }
    match state {
        Some(state) => format!(
            "Note: index not complete: {} are searchable ({} of about {} files; {}). This answer is from that part; ask again for a \
             fuller one.",
            state.say(),
            state.files,
            state.expected.max(state.files),
            steps.describe()
        ),
        None => format!(
            "Note: index not complete: nothing is searchable yet ({}); ask again for a fuller answer.",
            steps.describe()
        ),
    }
}

fn opened(around: &Surroundings, flags: &[Flag]) -> Result<Open, Failure> {
    let (engine, settings) = around.open(flags.to_vec())?;
    let tokenizer = api::tokenizer_of(&settings.tokenizer_model)?;
    Ok(Open {
        engine,
        settings,
        tokenizer,
    })
}

fn stamps(around: &Surroundings, root: &Path) -> Vec<FileStamp> {
    settings::paths(root, &around.variables)
        .iter()
        .map(|path| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.modified().ok()?, found.len()))
        })
        .collect()
}
