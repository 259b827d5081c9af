//! `--log`: one line of JSON per request, with sizes, times and ids, and nothing from a file or a question (SEC-2).
//!
//! Users with a key are limited by their rate, and so are their lines. Lines about strangers are limited here: a few per
//! second are written, the rest are counted, and one line says how many (SEC-4).

#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Lines about strangers per second.
const MOST_LINES: u64 = 20;

pub(super) struct Log {
    is_on: bool,
    started: Instant,
    second: Mutex<Second>,
}

#[derive(Default)]
struct Second {
    number: u64,
    n_lines: u64,
    n_left_out: u64,
}

impl Log {
    pub(super) fn new(is_on: bool) -> Log {
        Log {
            is_on,
            started: Instant::now(),
            second: Mutex::default(),
        }
    }

    /// A request that was accepted.
    pub(super) fn write(&self, line: Value) {
        if self.is_on {
            self.print(line);
        }
    }

    /// A request of an unknown sender.
    pub(super) fn write_of_stranger(&self, line: Value) {
        let (has_room, n_left_out) = self.turn(self.started.elapsed(), 1);
        self.say_left_out(n_left_out);
        if has_room {
            self.write(line);
        }
    }

    /// A connection that was refused because all places were taken.
    pub(super) fn count(&self) {
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        second.n_left_out += 1;
    }

    /// To be called every second: writes how many lines were left out before.
    pub(super) fn tick(&self) {
        let (_, n_left_out) = self.turn(self.started.elapsed(), 0);
        self.say_left_out(n_left_out);
    }

    /// To be called at the end: writes how many lines were left out since the last tick.
    pub(super) fn end(&self) {
        self.tick();
        let second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        let n_left_out = second.n_left_out;
        drop(second);
        self.say_left_out(n_left_out);
    }

    /// Whether `n` more lines may be written, and how many were left out in a second that is over.
    fn turn(&self, at: Duration, n: u64) -> (bool, u64) {
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        let mut n_before = 0;
        if second.number != at.as_secs() {
            n_before = second.n_left_out;
            *second = Second {
                number: at.as_secs(),
                ..Second::default()
            };
        }
        let has_room = second.n_lines + n <= MOST_LINES;
        if has_room {
            second.n_lines += n;
        } else {
            second.n_left_out += n;
        }
        (has_room, n_before)
    }

    fn say_left_out(&self, n: u64) {
        if n > 0 {
            self.write(json!({"refused": n}));
        }
    }

    fn print(&self, mut line: Value) {
        line["at_ms"] = json!(self.started.elapsed().as_millis() as u64);
        kitbag_door::printer::talk(&format!("{line}\n"));
    }
}
