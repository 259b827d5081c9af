//! What came of a case: tries, failures, the peak of memory, the longest time. Every failure is told at once in a line and kept
//! in a file of its own; the table is for the end.
//!
//! A case asks `wants` before each try. That is where the time of a case ends and where `--only CASE:TEXT` selects.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::process::{Ran, Used, shortened};

/// Are done whatever the time: a case that tried nothing has proved nothing.
const LEAST_TRIES: usize = 2;

pub(super) struct Tally {
    case: &'static str,
    /// Only tries whose names contain it.
    text: String,
    time: Duration,
    end: Instant,
    folder: PathBuf,
    /// The name of the try that is under way.
    current: String,
    pub(super) n_tries: usize,
    /// Tries that there was no time for.
    n_left: usize,
    pub(super) n_failures: usize,
    peak_kb: u64,
    longest: Duration,
    /// The try and the step that took so long.
    slowest: String,
    /// Figures and what could not be tried here.
    notes: Vec<String>,
    pub(super) took: Duration,
}

impl Tally {
    pub(super) fn new(case: &'static str, text: &str, time: Duration, folder: PathBuf) -> Tally {
        Tally {
            case,
            text: text.to_owned(),
            time,
            end: Instant::now() + time,
            folder,
            current: String::new(),
            n_tries: 0,
            n_left: 0,
            n_failures: 0,
            peak_kb: 0,
            longest: Duration::ZERO,
            slowest: String::new(),
            notes: Vec::new(),
            took: Duration::ZERO,
        }
    }

    /// The time of a case begins when its world is made, which takes as long as the machine is busy.
    pub(super) fn begin(&mut self) {
        self.end = Instant::now() + self.time;
    }

    /// Whether to do this try now; it is counted if so.
    pub(super) fn wants(&mut self, name: &str) -> bool {
        if !name.contains(&self.text) {
            return false;
        }
        if self.has_enough() {
            self.n_left += 1;
            return false;
        }
        self.n_tries += 1;
        self.current = name.to_owned();
        true
    }

    fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    /// Whether no further try would be done.
    pub(super) fn has_enough(&self) -> bool {
        self.is_over() && self.n_tries >= LEAST_TRIES
    }

    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    pub(super) fn used(&mut self, used: &Used, step: &str) {
        self.peak_kb = self.peak_kb.max(used.peak_kb);
        if used.cpu > self.longest {
            self.longest = used.cpu;
            self.slowest = format!("{}, {}", self.current, shortened(step, 120));
        }
    }

    /// Notes what a run used, and fails if it passed a bound, died or panicked. Gives whether all of that is well.
    pub(super) fn saw(&mut self, ran: &Ran) -> bool {
        self.used(&ran.used, &ran.args);
        match ran.trouble() {
            Some(trouble) => {
                self.failed(&format!("{trouble}: {}", ran.line), &ran.told());
                false
            }
            None => true,
        }
    }

    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn failed(&mut self, what: &str, detail: &str) {
        self.n_failures += 1;
        eprintln!("FAIL  {} · {}: {}", self.case, self.current, shortened(what, 400));
        let told = format!("{} · {}\n{what}\n\n{detail}\n", self.case, self.current);
        let path = self.folder.join(format!("{:03}.txt", self.n_failures));
        let written = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, told));
        if let Err(error) = written {
            eprintln!("torture: {}: {error}", path.display());
        }
    }

    pub(super) fn line(&self) -> String {
        format!(
            "{}: {} tries, {} failures, {} MB, {:.1} s of processor time, {:.0} s in all",
            self.case,
            self.n_tries,
            self.n_failures,
            self.peak_kb >> 10,
            self.longest.as_secs_f64(),
            self.took.as_secs_f64()
        )
    }
}

/// A table in Markdown, as it stands in `docs/security.md`.
pub(super) fn table(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "| case | tries | failures | peak memory | longest step, processor time | whole case |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for tally in tallies {
        text += &format!(
            "| {} | {} | {} | {} MB | {:.1} s | {:.0} s |\n",
            tally.case,
            tally.n_tries,
            tally.n_failures,
            tally.peak_kb >> 10,
            tally.longest.as_secs_f64(),
            tally.took.as_secs_f64()
        );
    }
    for tally in tallies {
        if !tally.slowest.is_empty() {
            text += &format!("{}: the longest step was: {}\n", tally.case, tally.slowest);
        }
        for note in &tally.notes {
            text += &format!("{}: {note}\n", tally.case);
        }
        if tally.n_left > 0 {
            text += &format!("{}: no time for {} more tries\n", tally.case, tally.n_left);
        }
    }
    text
}
