//! A file of the texts that are being parsed, so that a text that crashes its parser does not crash every run (IDX-15, IDX-42).
//!
//! Grammars have parts in C, and an assertion or a memory error in them ends the process; nothing in the process can catch that.
//! So each text that is being parsed has a row in `parsing`, and the file is removed when a run ends. If a run finds such
//! a file, the process before it died, by a grammar or by `kill -9`; the rows do not say which. So the run parses
//! those texts one at a time. If the process dies while a text is parsed alone, and again in the next run, that text is the cause: its
//! key goes into `crashes`, and from then on it is cut by lines. One death is not enough, because runs that are killed again and
//! again, by a person or by a test, would blame an innocent text sooner or later. The key depends on the content, so an edit gives
//! the text another chance, and so does a version of Kitbag that cuts differently.
//!
//! If the file cannot be written, only this protection is lost.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use crate::ParseKey;

/// A state, a key in hexadecimal digits, a line break.
const ROW: usize = 66;
const FREE: u8 = b'-';
/// Others were parsed at the same time.
const AMONG_OTHERS: u8 = b'+';
const ALONE: u8 = b'!';
const ALONE_AGAIN: u8 = b'?';
/// Largest size of either file; a larger one was not written by Kitbag.
const MOST_BYTES: u64 = 1 << 20;
/// Number of keys that are kept; the oldest are removed.
const MOST_CRASHES: usize = 1_000;

/// The texts that are being parsed by one run.
pub struct Parsing {
    path: PathBuf,
    rows: Mutex<Rows>,
    /// Texts to be parsed alone, and the state of their rows while they are.
    suspects: BTreeMap<ParseKey, u8>,
    crashed: HashSet<ParseKey>,
    n_found: usize,
    /// Held by every parse, shared; a suspect holds it alone.
    crowd: RwLock<()>,
}

struct Rows {
    file: Option<File>,
    taken: Vec<bool>,
}

impl Parsing {
    /// For the holder of the writer lock. Reads the rows that an earlier run left.
    pub fn begin(store_dir: &Path) -> Self {
        let path = store_dir.join("parsing");
        let left = rows(&path);
        let of_state = |state: u8| left.iter().filter(move |row| row.0 == state).map(|row| row.1);
        let mut crashes = crashes(store_dir);
        let found: Vec<ParseKey> = of_state(ALONE_AGAIN)
            .filter(|key| !crashes.contains(key))
            .collect();
        if !found.is_empty() {
            crashes.extend(&found);
            let kept = &crashes[crashes.len().saturating_sub(MOST_CRASHES)..];
            let text: String = kept.iter().map(|key| row(AMONG_OTHERS, key)).collect();
            // If it cannot be written, the next crash finds it again.
            let _ = fs::write(store_dir.join("crashes"), text);
        }
        let suspects = of_state(AMONG_OTHERS)
            .map(|key| (key, ALONE))
            .chain(of_state(ALONE).map(|key| (key, ALONE_AGAIN)))
            .collect();
        let file = File::create(&path).ok();
        Self {
            path,
            rows: Mutex::new(Rows {
                file,
                taken: Vec::new(),
            }),
            suspects,
            crashed: crashes.into_iter().collect(),
            n_found: found.len(),
            crowd: RwLock::new(()),
        }
    }

    /// Whether this text crashed a parser before.
    pub fn has_crashed(&self, key: &ParseKey) -> bool {
        self.crashed.contains(key)
    }

    /// How many texts this run found that had crashed the run before.
    pub fn n_found(&self) -> usize {
        self.n_found
    }

    /// Parses a text while its key is in the file.
    pub fn run<T>(&self, key: &ParseKey, parse: impl FnOnce() -> T) -> T {
        let suspected = self.suspects.get(key).copied();
        let _alone = suspected.map(|_| self.crowd.write().unwrap_or_else(PoisonError::into_inner));
        let _among = match suspected {
            Some(_) => None,
            None => Some(self.crowd.read().unwrap_or_else(PoisonError::into_inner)),
        };
        let state = suspected.unwrap_or(AMONG_OTHERS);
        let _entry = Entry {
            parsing: self,
            at: self.enter(state, key),
        };
        parse()
    }

    fn enter(&self, state: u8, key: &ParseKey) -> usize {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let at = rows.taken.iter().position(|taken| !taken).unwrap_or_else(|| {
            rows.taken.push(false);
            rows.taken.len() - 1
        });
        rows.taken[at] = true;
        rows.write(at, row(state, key).as_bytes());
        at
    }
}

impl Drop for Parsing {
    fn drop(&mut self) {
        self.rows
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .file
            .take();
        let _ = fs::remove_file(&self.path);
    }
}

/// A row that is freed when the parse has ended, also by a panic.
struct Entry<'p> {
    parsing: &'p Parsing,
    at: usize,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let mut rows = self.parsing.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.write(self.at, &[FREE]);
        rows.taken[self.at] = false;
    }
}

impl Rows {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        use std::io::{Seek as _, SeekFrom, Write as _};
        let Some(file) = &mut self.file else { return };
        let written = file
            .seek(SeekFrom::Start((at * ROW) as u64))
            .and_then(|_| file.write_all(bytes));
        if written.is_err() {
            self.file = None;
        }
    }
}

/// Whether this text crashed a parser before, outside of a run.
pub fn has_crashed(store_dir: &Path, key: &ParseKey) -> bool {
    crashes(store_dir).contains(key)
}

fn crashes(store_dir: &Path) -> Vec<ParseKey> {
    let rows = rows(&store_dir.join("crashes"));
    rows.into_iter().map(|(_, key)| key).collect()
}

fn row(state: u8, key: &ParseKey) -> String {
    let digits: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}{digits}\n", char::from(state))
}

/// The valid rows of a file; empty if the file is missing or something else.
fn rows(path: &Path) -> Vec<(u8, ParseKey)> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let mut bytes = Vec::new();
    if !is_file {
        return Vec::new();
    }
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    if read.is_err() {
        return Vec::new();
    }
    let (whole, _) = bytes.as_chunks::<ROW>();
    whole.iter().filter_map(parsed).collect()
}

fn parsed(row: &[u8; ROW]) -> Option<(u8, ParseKey)> {
    let (state, digits) = (row[0], &row[1..ROW - 1]);
    if state == FREE || row[ROW - 1] != b'\n' {
        return None;
    }
    let mut key = ParseKey::default();
    for (byte, pair) in key.iter_mut().zip(digits.chunks(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some((state, key))
}
