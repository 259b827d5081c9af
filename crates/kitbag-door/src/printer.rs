//! Text for people: a [`Page`] in, bytes on a stream out.
//!
//! All text for a terminal goes through a page, and a page cleans everything that is put on it (SEC-3): the only control
//! characters it lets out are its own colours and line breaks. So no command can forget to clean. Standard output carries
//! data, standard error messages; both are pages. JSON goes through [`json`], which escapes control characters too.

mod clean;
mod table;

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde::Serialize;

pub use clean::{clean, clean_code};
pub use table::{Align, Table};

/// What a piece of text is. How it looks is decided here, and it must be readable without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Path,
    /// Line numbers, hints, and anything a reader may skip.
    Quiet,
    Label,
    Match,
    Error,
    Warning,
    Good,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Path => "\x1b[36m",
            Style::Quiet => "\x1b[2m",
            Style::Label => "\x1b[1m",
            Style::Match => "\x1b[1;33m",
            Style::Error => "\x1b[1;31m",
            Style::Warning => "\x1b[1;33m",
            Style::Good => "\x1b[32m",
        }
    }
}

/// Text for one of the two streams.
#[derive(Debug)]
pub struct Page {
    text: String,
    colour: bool,
    /// Columns of the terminal; `None` elsewhere.
    width: Option<usize>,
    /// Where the current line begins in `text`.
    line_start: usize,
    /// Whether the current line contains source.
    has_code: bool,
}

impl Page {
    pub fn new(colour: bool) -> Page {
        Page {
            text: String::new(),
            colour,
            width: None,
            line_start: 0,
            has_code: false,
        }
    }

    /// Fits lines to a terminal of this width: source that is too long is cut, other text is wrapped (CLI-5).
    pub fn fitting(mut self, width: Option<usize>) -> Page {
        self.width = width;
        self
    }

    /// Text, cleaned.
    pub fn put(&mut self, text: &str) -> &mut Self {
        self.text.push_str(&clean(text));
        self
    }

    pub fn styled(&mut self, style: Style, text: &str) -> &mut Self {
        self.marked(style, &clean(text))
    }

    /// A line of source. Tabs are kept, because they are its indentation.
    pub fn code(&mut self, text: &str) -> &mut Self {
        self.has_code = true;
        self.text.push_str(&clean_code(text));
        self
    }

    pub fn styled_code(&mut self, style: Style, text: &str) -> &mut Self {
        self.has_code = true;
        self.marked(style, &clean_code(text))
    }

    fn marked(&mut self, style: Style, clean: &str) -> &mut Self {
        if self.colour && !clean.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{}{clean}\x1b[0m", style.code());
        } else {
            self.text.push_str(clean);
        }
        self
    }

    pub fn end_line(&mut self) -> &mut Self {
        if let Some(width) = self.width {
            self.fit_line(width);
        }
        self.text.push('\n');
        self.line_start = self.text.len();
        self.has_code = false;
        self
    }

    /// Fits the current line to the width: source is cut, other text is wrapped. Colours take no columns.
    fn fit_line(&mut self, width: usize) {
        let line = self.text.split_off(self.line_start);
        let n_spaces = line.chars().take_while(|c| *c == ' ').count();
        let indent = " ".repeat((n_spaces + 2).min(width / 2));
        let mut rest = line.as_str();
        let mut is_first = true;
        loop {
            let left = if is_first { width } else { width - indent.len() };
            if !is_first {
                self.text.push_str(&indent);
            }
            let Some(too_far) = nth_char(rest, left) else {
                self.text.push_str(rest);
                return;
            };
            if self.has_code {
                let end = nth_char(rest, left - 1).unwrap_or(too_far);
                self.text.push_str(&rest[..end]);
                self.text.push_str(if self.colour { "…\x1b[0m" } else { "…" });
                return;
            }
            // If the line is full at a space, all words before that space fit.
            let break_at = if rest[too_far..].starts_with(' ') {
                Some(too_far)
            } else {
                rest[..too_far].rfind(' ')
            }
            .filter(|at| !rest[..*at].trim().is_empty());
            let (now, later) = rest.split_at(break_at.unwrap_or(too_far));
            self.text.push_str(now.trim_end());
            self.text.push('\n');
            rest = later.trim_start_matches(' ');
            is_first = false;
        }
    }

    pub fn line(&mut self, text: &str) -> &mut Self {
        self.put(text).end_line()
    }

    /// Text wrapped to the width of the terminal, each line indented.
    pub fn wrapped(&mut self, style: Style, text: &str, indent: usize) -> &mut Self {
        let most = self
            .width
            .map_or(usize::MAX, |width| width.saturating_sub(indent).max(20));
        for line in in_lines(text, most) {
            self.put(&" ".repeat(indent)).styled(style, &line).end_line();
        }
        self
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

/// The byte offset of the `n`th visible character, counted from 0; `None` if there are no more than `n`.
fn nth_char(text: &str, n: usize) -> Option<usize> {
    let mut is_colour = false;
    let mut shown = text.char_indices().filter(|(_, c)| {
        let was_colour = is_colour || *c == '\x1b';
        is_colour = was_colour && *c != 'm';
        !was_colour
    });
    shown.nth(n).map(|(at, _)| at)
}

/// Words in lines of at most `most` characters. A longer word gets a line of its own.
fn in_lines(text: &str, most: usize) -> Vec<String> {
    let mut line = String::new();
    let mut lines = Vec::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// A reply as JSON, with a line break at the end. Characters that could control a terminal are escaped too; the value stays
/// the same.
pub fn json(reply: &impl Serialize, pretty: bool) -> String {
    let text = if pretty {
        serde_json::to_string_pretty(reply)
    } else {
        serde_json::to_string(reply)
    };
    let text = text.expect("replies are structs of strings and numbers, which JSON can always hold");
    let mut safe = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c != '\n' && clean::is_steering(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    safe
}

/// Writes to standard output. `Ok(false)`: the reader closed the stream, which is not an error.
pub fn print(text: &str) -> io::Result<bool> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes to standard error, and ignores failures: there is nobody left to tell.
pub fn talk(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// `1234567` → `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1` → `1 file`, `1200` → `1,200 files`.
pub fn counted(n: u64, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(n))
}

/// Bytes in decimal units.
pub fn sized(n_bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.into_iter().find(|(size, _)| n_bytes >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", n_bytes as f64 / size as f64),
        None => format!("{n_bytes} B"),
    }
}

/// `0.042 s`, `3.1 s`, `125 s`.
pub fn seconds(took: std::time::Duration) -> String {
    let seconds = took.as_secs_f64();
    match seconds {
        0.0..1.0 => format!("{seconds:.3} s"),
        1.0..100.0 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// How long ago, in the largest unit that fits.
pub fn ago(then_ms: i64, now_ms: i64) -> String {
    const UNITS: [(i64, &str); 3] = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let seconds = now_ms.saturating_sub(then_ms).max(0) / 1_000;
    match UNITS.into_iter().find(|(size, _)| seconds >= *size) {
        Some((size, unit)) => format!("{} ago", counted((seconds / size).unsigned_abs(), unit)),
        None => "just now".to_owned(),
    }
}
