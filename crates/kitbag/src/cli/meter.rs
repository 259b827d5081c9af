//! Shows the progress of indexing: a progress bar on a terminal, a line now and then elsewhere, nothing for a short run.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kitbag_engine::{Phase, Progress};

use super::context::Context;
use kitbag_door::printer::{counted, grouped, talk};

/// Progress is shown only after this time.
const PATIENCE: Duration = Duration::from_millis(300);
/// A bar is redrawn at most this often.
const DRAW_EVERY: Duration = Duration::from_millis(50);
/// In a log, at most one line per this time, unless another tenth is done …
const LINE_EVERY: Duration = Duration::from_secs(5);
/// … and never more often than this.
const LINE_AT_MOST_EVERY: Duration = Duration::from_secs(1);

pub(crate) struct Meter {
    started: Instant,
    /// When the work itself began: the time for scanning and waiting does not predict the rest.
    working: Option<Instant>,
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

/// Runs `work` and shows its progress until it ends.
pub(crate) fn metered<T>(context: &Context, work: impl FnOnce(&mut dyn FnMut(Progress<'_>)) -> T) -> T {
    let mut meter = Meter::new(context);
    let done = work(&mut |progress| meter.report(progress));
    meter.finish();
    done
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
            working: None,
            kind,
        }
    }

    pub(crate) fn report(&mut self, progress: Progress<'_>) {
        let elapsed = self.started.elapsed();
        if !matches!(progress.phase, Phase::Waiting | Phase::Scanning) && self.working.is_none() {
            self.working = Some(Instant::now());
        }
        let worked = self.working.map_or(Duration::ZERO, |since| since.elapsed());
        // Waiting may take long, and there is no further progress meanwhile.
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
                    worked,
                    progress,
                );
            }
            Kind::Lines(throttle) => {
                if let Some(line) = throttle.line(elapsed, worked, progress) {
                    talk(&line);
                }
            }
        }
    }

    /// Removes the bar; only the answer remains.
    pub(crate) fn finish(self) {
        if let Kind::Bar { bar: Some(bar), .. } = self.kind {
            bar.finish_and_clear();
        }
    }
}

fn bar_style() -> ProgressStyle {
    let style = ProgressStyle::with_template("[{bar:20}] {percent:>3}% {wide_msg}");
    style
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

fn draw(bar: &ProgressBar, worked: Duration, progress: Progress<'_>) {
    if progress.work.total > 0 {
        bar.set_length(progress.work.total);
        bar.set_position(progress.work.done);
    }
    bar.set_message(message(worked, progress));
}

/// Files are counted by phase; the time left is that of the whole run, by bytes (IDX-41).
fn message(worked: Duration, progress: Progress<'_>) -> String {
    let mut text = progress.phase.describe().to_owned();
    if progress.n_total > 0 {
        let (done, total) = (
            grouped(progress.n_done as u64),
            counted(progress.n_total as u64, "file"),
        );
        text.push_str(&format!(" {done}/{total}"));
    }
    if let Some(left) = time_left(worked, progress) {
        text.push_str(&format!(", {left} s left"));
    }
    text
}

/// In seconds. There is no estimate in the first moments.
fn time_left(worked: Duration, progress: Progress<'_>) -> Option<u64> {
    let left = progress.work.left(worked)?;
    (worked >= Duration::from_secs(1)).then(|| left.as_secs_f64().ceil() as u64)
}

/// Decides which steps become lines. The time is an argument, so that tests need no clock.
#[derive(Debug, Default)]
struct Throttle {
    last: Option<(Phase, u64, Duration)>,
}

impl Throttle {
    fn line(&mut self, elapsed: Duration, worked: Duration, progress: Progress<'_>) -> Option<String> {
        let tenth = progress.work.percent() / 10;
        // The short rest of a run needs no line.
        let is_news = progress.phase != Phase::Finishing;
        let due = match self.last {
            None => is_news,
            Some((phase, ..)) if phase != progress.phase && is_news => true,
            Some((_, last_tenth, at)) => {
                let pause = elapsed.saturating_sub(at);
                pause >= LINE_EVERY || (tenth > last_tenth && pause >= LINE_AT_MOST_EVERY)
            }
        };
        if !due {
            return None;
        }
        self.last = Some((progress.phase, tenth, elapsed));
        let mut line = progress.phase.describe().to_owned();
        if progress.n_total > 0 {
            let (done, total) = (
                grouped(progress.n_done as u64),
                counted(progress.n_total as u64, "file"),
            );
            line.push_str(&format!(": {done} of {total}"));
        }
        if progress.work.total > 0 {
            let percent = progress.work.percent();
            let left =
                time_left(worked, progress).map_or_else(String::new, |left| format!(", {left} s left"));
            line.push_str(&format!(" ({percent} % of the run{left})"));
        }
        Some(format!("{line}\n"))
    }
}
