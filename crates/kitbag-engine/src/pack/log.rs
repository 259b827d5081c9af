//! Reads the output of a tool for its failure (PACK-4): which lines say what went wrong, the most important first.
//!
//! A log is long and says the same thing a thousand times: this passed, that was compiled. What a reader needs is the error, the
//! frames that lead to it, and the end, where test runners sum up. Lines are classified by a table of marks that test runners
//! and compilers use; lines without a mark are ignored, and so is a text without a failure. No tool is recognised as a
//! whole: a log often has the output of several.

use std::borrow::Cow;

use kitbag_types::{LineRange, prefix};

/// The kind of a line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Says what went wrong.
    Error,
    /// Belongs to it: values that were compared, where it stands, a frame.
    Detail,
    Other,
    /// Went well, or tells of progress.
    Passing,
}

/// Lines that contain one of these are errors.
const ERRORS: &[&str] = &[
    "panicked at",
    "Traceback (most recent call last)",
    "FAILED",
    "--- FAIL",
    "AssertionError",
    "Assertion failed",
    "assertion failed",
    "assertion `",
    "BUILD FAILURE",
    "BUILD FAILED",
    "COMPILATION ERROR",
    "<<< FAILURE!",
    "<<< ERROR!",
    "Segmentation fault",
    "fatal error:",
    "Unhandled exception",
    "Uncaught ",
    "UnhandledPromiseRejection",
    "npm ERR!",
    "core dumped",
    "Caused by:",
    "test result: FAILED",
    "Command failed",
    "exited with code",
    "exit status",
    "undefined reference to",
    "cannot find symbol",
    // `src/net.c:42:17: error: …`, and the same with the number of the error, as TypeScript, C# and MSVC write it.
    ": error:",
    ": error TS",
    ": error CS",
    ": error MSB",
    ": error LNK",
    "##[error]",
    // `make: *** [Makefile:7: net.o] Error 1`, `make: *** No rule to make target`, `*** Error code 1`.
    "] Error ",
    ": *** ",
    "*** Error",
];

/// Lines that begin with one of these, after blanks, are errors.
const ERROR_STARTS: &[&str] = &[
    "error:",
    "error[",
    "ERROR",
    "[ERROR]",
    "Error:",
    "E   ",
    "FAIL ",
    "FAIL\t",
    "fatal:",
    "panic:",
    "● ",
    "✗ ",
    "✕ ",
    "× ",
    "Fatal error",
    "PHP Fatal",
    "Exception in thread",
    "failures:",
    "not ok ",
    "FAIL:",
    "ERROR:",
    "Failed ",
];

/// Lines that begin with one of these belong to an error.
const DETAIL_STARTS: &[&str] = &[
    "at ",
    "File \"",
    "from ",
    "left:",
    "right:",
    "Expected",
    "expected",
    "Received",
    "received",
    "actual",
    "Actual",
    "got:",
    "want:",
    "-->",
    "> ",
    "^",
    "| ",
    "note:",
    "help:",
    "#0",
    "#1",
    "#2",
    "goroutine ",
    "thread '",
    "in <",
    "self = ",
    "- ",
    "+ ",
];

/// Lines that contain one of these are successes or progress.
const PASSING: &[&str] = &[
    " ... ok",
    " PASSED",
    "--- PASS",
    "=== RUN",
    "=== PAUSE",
    "=== CONT",
    "[INFO] ",
    " Compiling ",
    " Downloading",
    " Downloaded",
    " Checking ",
    "Fresh ",
    "✓ ",
    "✔ ",
    "[ OK ]",
    "[  PASSED",
    " passed in ",
    "ok  \t",
];
const PASSING_STARTS: &[&str] = &[
    "PASS ",
    "PASS\t",
    "ok ",
    "✓",
    "✔",
    "√ ",
    "Collecting ",
    "Requirement already",
    ".",
];

/// Number of lines at the end of a log that count as its summary.
const END_LINES: usize = 12;
/// Number of lines around an error that explain it.
const BEFORE: usize = 3;
const AFTER: usize = 10;
/// Most lines of a failure that are ranked; further ones count like any other line.
const MOST_LINES: usize = 1_500;
/// A log that is larger is cut into the parts around its failures.
const WHOLE_BYTES: usize = 256 << 10;
/// Number of lines around a part; parts that are nearer to each other than this are joined.
const AROUND: u32 = 40;
/// Words of a line that are checked for a count of failures, which is near the beginning of its line.
const MOST_COUNTED_BYTES: usize = 4_096;

/// The lines about the failure, counted from 1, the most important first, with their weights. `None` if nothing
/// failed.
pub(crate) fn failure(text: &str) -> Option<Vec<(u32, f32)>> {
    let lines: Vec<&str> = text.lines().collect();
    let kinds: Vec<Kind> = lines.iter().map(|line| kind_of(line)).collect();
    if !kinds.contains(&Kind::Error) {
        return None;
    }
    let mut strengths = vec![0.0f32; lines.len()];
    let mut raise = |idx: usize, by: f32| {
        if let Some(strength) = strengths.get_mut(idx) {
            *strength = strength.max(by);
        }
    };
    for (idx, _) in kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Error) {
        raise(idx, 4.0);
        for near in idx.saturating_sub(BEFORE)..(idx + AFTER + 1).min(lines.len()) {
            let by = match kinds[near] {
                Kind::Error => 4.0,
                Kind::Detail => 3.0,
                Kind::Other if !lines[near].trim().is_empty() => 1.5,
                _ => 0.0,
            };
            raise(near, by);
        }
    }
    // Frames continue beyond the lines around the error: the last ones are the nearest to it.
    for (idx, _) in kinds
        .iter()
        .enumerate()
        .filter(|(_, kind)| **kind == Kind::Detail)
    {
        raise(idx, 1.2);
    }
    let told = |idx: &usize| !lines[*idx].trim().is_empty() && kinds[*idx] != Kind::Passing;
    let end: Vec<usize> = (0..lines.len()).rev().filter(told).take(END_LINES).collect();
    for idx in end {
        raise(idx, 3.5);
    }
    let mut order: Vec<(u32, f32)> = (1..)
        .zip(strengths)
        .filter(|(_, strength)| *strength > 0.0)
        .collect();
    // Of two equal lines, the later: a log ends with what stopped it.
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    order.truncate(MOST_LINES);
    Some(order)
}

fn kind_of(line: &str) -> Kind {
    let shown = plain(line);
    let line: &str = &shown;
    let text = line.trim_start();
    // Compare the first byte first: a log may have a million short lines, and there are dozens of beginnings.
    let first = text.as_bytes().first();
    let fits = |start: &&str| start.as_bytes().first() == first && text.starts_with(start);
    let begins = |starts: &[&str]| starts.iter().any(fits);
    let has = |marks: &[&str]| marks.iter().any(|mark| line.contains(mark));
    let failures = counted_failures(line);
    let is_error = has(ERRORS) || begins(ERROR_STARTS) || is_named_error(text);
    if (is_error && failures != Some(false)) || failures == Some(true) {
        Kind::Error
    } else if begins(DETAIL_STARTS) || is_place(text) {
        Kind::Detail
    } else if has(PASSING) || begins(PASSING_STARTS) || failures == Some(false) {
        Kind::Passing
    } else {
        Kind::Other
    }
}

/// A line without colours and without the time that a build server puts before every line.
fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains("\x1b[") {
        return Cow::Borrowed(without_stamp(line));
    }
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("\x1b[") {
        shown.push_str(&rest[..at]);
        // Numbers, and the letter that says what they are for: `m` is a colour; gcc clears the line with `K` as well.
        let code = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ';' | '?'));
        rest = code
            .strip_prefix(|c: char| c.is_ascii_alphabetic())
            .unwrap_or(code);
    }
    shown.push_str(rest);
    Cow::Owned(without_stamp(&shown).to_owned())
}

/// What follows a leading `2024-05-01T10:00:00.0000000Z`, `2024-05-01 10:00:00,123` or `[2024-05-01 10:00:00]`, with its
/// blanks.
fn without_stamp(line: &str) -> &str {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    // A log of GitHub Actions begins with a byte order mark.
    let text = line.trim_start_matches('\u{feff}').trim_start();
    let text = text.strip_prefix('[').unwrap_or(text);
    let fits = |(byte, wanted): (u8, &u8)| match *wanted {
        b'0' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        other => byte == other,
    };
    if text.len() < SHAPE.len() || !text.bytes().zip(SHAPE).all(fits) {
        return line;
    }
    // All of the shape is ASCII, so it ends between two characters.
    let rest = text[SHAPE.len()..].trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '+' | '-' | 'Z' | ']')
    });
    // `10:00:00 - ERROR - …`: the dash is not a mark of a diff.
    rest.strip_prefix(" - ").unwrap_or(rest)
}

/// `ValueError: …`, `java.lang.NullPointerException: …`, `TypeError: x is not a function`.
fn is_named_error(text: &str) -> bool {
    let name = text.split([':', ' ', '(']).next().unwrap_or_default();
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'));
    let ends = ["Error", "Exception", "Panic", "Failure"]
        .iter()
        .any(|end| name.ends_with(end));
    is_name && ends && name.len() > "Error".len()
}

/// `src/a.rs:10:5`, `a_test.go:12: got 1`: where something stands.
fn is_place(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let mut parts = word.trim_start_matches(['(', '[']).split(':');
    let is_file = parts.next().is_some_and(|path| {
        path.rsplit_once('.')
            .is_some_and(|(stem, end)| !stem.is_empty() && (1..=5).contains(&end.len()))
    });
    let number = parts.next().unwrap_or_default().trim_end_matches([')', ',']);
    is_file && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line with a count of failures has any: `0 failed` and `Failures: 0, Errors: 0` do not, `1 failed, 300 passed` does.
/// `None` if the line has no such count.
fn counted_failures(line: &str) -> Option<bool> {
    let lower = prefix(line, MOST_COUNTED_BYTES).to_lowercase();
    let is_break = |c: char| !c.is_alphanumeric();
    // Each word with the character right after it.
    let words: Vec<(&str, &str)> = lower
        .split_inclusive(is_break)
        .map(|part| part.split_at(part.trim_end_matches(is_break).len()))
        .filter(|(word, _)| !word.is_empty())
        .collect();
    let is_count = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut counted = None;
    for (idx, (word, behind)) in words.iter().enumerate() {
        // `Failures: 0` and `0 failed`: the number stands before it, or after it where a colon does. `error: 0 bytes were read`
        // counts no errors, and the column in `a.cs(10,0): error CS1002` none either.
        let number = match *word {
            "failed" | "failures" | "failure" | "errors" if *behind == ":" => {
                words.get(idx + 1).map(|(number, _)| *number)
            }
            "failed" | "failures" | "failure" | "errors" => idx
                .checked_sub(1)
                .and_then(|before| words.get(before))
                .map(|(number, _)| *number),
            "error" if *behind != ":" => idx
                .checked_sub(1)
                .and_then(|before| words.get(before))
                .filter(|(_, between)| *between == " ")
                .map(|(number, _)| *number),
            _ => None,
        };
        if let Some(number) = number.filter(|word| is_count(word)) {
            let any = number.bytes().any(|byte| byte != b'0');
            counted = Some(counted.unwrap_or(false) || any);
        }
    }
    counted
}

/// The parts of a log that are used, as lines counted from 1: all of it, or, of a large log, the lines around the failures
/// and at the end.
pub(crate) fn parts(text: &str, failure: &[(u32, f32)]) -> Vec<LineRange> {
    let n_lines = text.lines().count().max(1) as u32;
    if text.len() <= WHOLE_BYTES {
        return vec![LineRange::new(1, n_lines)];
    }
    let mut parts: Vec<LineRange> = Vec::new();
    let mut sorted: Vec<u32> = failure.iter().map(|(line, _)| *line).collect();
    sorted.sort_unstable();
    for line in sorted {
        let (start, end) = (line.saturating_sub(AROUND).max(1), (line + AROUND).min(n_lines));
        match parts.last_mut() {
            Some(last) if start <= last.end() + 1 => *last = LineRange::new(last.start(), end),
            _ => parts.push(LineRange::new(start, end)),
        }
    }
    parts
}

/// The failures in the order of the log, for finding the places that they name: without colours, which would become part of the
/// names.
pub(crate) fn failing_lines(text: &str) -> Option<String> {
    let mut lines: Vec<u32> = failure(text)?.iter().map(|(line, _)| *line).collect();
    lines.sort_unstable();
    let all: Vec<&str> = text.lines().collect();
    let told = lines
        .iter()
        .filter_map(|line| all.get(*line as usize - 1).copied())
        .map(plain);
    Some(told.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests;
