//! Progress of an index run: a bar on a terminal, a line now and then elsewhere, nothing for a run that is over before
//! anyone could wonder.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kitbag_engine::{Phase, Progress};

use super::context::Context;
use crate::printer::{counted, grouped, talk};

/// Shorter runs need no progress.
const PATIENCE: Duration = Duration::from_millis(300);
/// A bar is redrawn at most this often.
const DRAW_EVERY: Duration = Duration::from_millis(50);
/// Lines that are read later (a log) come at most this often, unless a tenth is done …
const LINE_EVERY: Duration = Duration::from_secs(5);
/// … and never faster than this.
const LINE_AT_MOST_EVERY: Duration = Duration::from_secs(1);

pub(crate) struct Meter {
    started: Instant,
    kind: Kind,
}

enum Kind {
    Silent,
    Bar {
        bar: Option<ProgressBar>,
        drawn: Duration,
    },
    Lines(Throttle),
}

impl Meter {
    pub(crate) fn new(context: &Context) -> Meter {
        let kind = if context.everywhere.quiet {
            Kind::Silent
        } else if context.looks.stderr_is_terminal {
            Kind::Bar {
                bar: None,
                drawn: Duration::ZERO,
            }
        } else {
            Kind::Lines(Throttle::default())
        };
        Meter {
            started: Instant::now(),
            kind,
        }
    }

    pub(crate) fn report(&mut self, progress: Progress<'_>) {
        let elapsed = self.started.elapsed();
        // Waiting may last, and says nothing further while it does.
        if elapsed < PATIENCE && progress.phase != Phase::Waiting {
            return;
        }
        match &mut self.kind {
            Kind::Silent => {}
            Kind::Bar { bar, drawn } => {
                if progress.phase == Phase::Indexing && elapsed.saturating_sub(*drawn) < DRAW_EVERY {
                    return;
                }
                *drawn = elapsed;
                draw(
                    bar.get_or_insert_with(|| ProgressBar::no_length().with_style(bar_style())),
                    elapsed,
                    progress,
                );
            }
            Kind::Lines(throttle) => {
                if let Some(line) = throttle.line(elapsed, progress) {
                    talk(&line);
                }
            }
        }
    }

    /// Takes the bar away; what remains is the answer.
    pub(crate) fn finish(self) {
        if let Kind::Bar { bar: Some(bar), .. } = self.kind {
            bar.finish_and_clear();
        }
    }
}

fn bar_style() -> ProgressStyle {
    let style = ProgressStyle::with_template("[{bar:30}] {percent:>3}% {msg}");
    style
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

fn draw(bar: &ProgressBar, elapsed: Duration, progress: Progress<'_>) {
    // The other phases cannot tell how far they are; the bar stays where it was.
    if progress.phase == Phase::Indexing {
        bar.set_length(progress.n_total as u64);
        bar.set_position(progress.n_done as u64);
    }
    bar.set_message(message(elapsed, progress));
}

/// Rate and time left are our own sums: over the whole run, since files come in the order of their weight anyway.
fn message(elapsed: Duration, progress: Progress<'_>) -> String {
    let word = word(progress.phase);
    if progress.phase != Phase::Indexing || progress.n_total == 0 {
        return word.to_owned();
    }
    let rate = progress.n_done as f64 / elapsed.as_secs_f64().max(0.001);
    let (done, total) = (
        grouped(progress.n_done as u64),
        counted(progress.n_total as u64, "file"),
    );
    let mut text = format!("{word} {done}/{total}, {rate:.0}/s");
    // The first files say little about the rest.
    if rate > 0.0 && elapsed >= Duration::from_secs(1) {
        let left = progress.n_total.saturating_sub(progress.n_done) as f64 / rate;
        text.push_str(&format!(", {left:.0} s left"));
    }
    text
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting for another process",
        Phase::Scanning => "looking",
        Phase::Indexing => "indexing",
        Phase::Publishing => "publishing",
        Phase::Embedding => "embedding",
    }
}

/// Decides which steps become lines. A function of the time it is told, so that it can be tested without any.
#[derive(Debug, Default)]
struct Throttle {
    last: Option<(Phase, usize, Duration)>,
}

impl Throttle {
    fn line(&mut self, elapsed: Duration, progress: Progress<'_>) -> Option<String> {
        let tenth = (progress.n_done * 10).checked_div(progress.n_total).unwrap_or(0);
        let due = match self.last {
            None => true,
            Some((phase, ..)) if phase != progress.phase => true,
            Some((_, last_tenth, at)) => {
                let pause = elapsed.saturating_sub(at);
                pause >= LINE_EVERY || (tenth > last_tenth && pause >= LINE_AT_MOST_EVERY)
            }
        };
        if !due {
            return None;
        }
        self.last = Some((progress.phase, tenth, elapsed));
        let word = word(progress.phase);
        if progress.phase != Phase::Indexing || progress.n_total == 0 {
            return Some(format!("{word}\n"));
        }
        let percent = progress.n_done * 100 / progress.n_total;
        let (done, total) = (
            grouped(progress.n_done as u64),
            counted(progress.n_total as u64, "file"),
        );
        Some(format!("{word}: {done} of {total} ({percent} %)\n"))
    }
}
