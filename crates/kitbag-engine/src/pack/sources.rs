//! What the asker hands in (PACK-1, PACK-2): open files, references, tool results, messages. Each is read, checked and cut on
//! its own; one that fails is listed with its reason and does not affect the others.
//!
//! Files are read in parallel, and no read starts after the time limit. A read itself cannot hang, because only regular files
//! are opened.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use kitbag_pack::{Excluded, ExcludedReason, Origin};
use kitbag_repo::{ReadFailure, SkipReason};
use kitbag_store::NewParse;
use kitbag_types::{LineRange, Note, RepoPath, SourceFile, prefix};

use super::log::failure;
use crate::Engine;
use crate::current::line_starts;
use crate::cut::{ParseTime, cut_within};
use crate::request::PackSource;

/// More sources than this are refused (SEC-4).
pub(crate) const MOST_SOURCES: usize = 500;
/// Larger contents are cut at a line end: output of a tool loses its beginning, because failures are at the end; other texts lose
/// their end.
pub(super) const MOST_CONTENT_BYTES: usize = 4 << 20;
/// Contents with more lines are cut too: what is kept of each line weighs more than a short line itself.
pub(super) const MOST_CONTENT_LINES: usize = 250_000;
/// Most versions of one path that a text is compared with; further texts are versions of their own.
const MOST_VERSIONS: usize = 8;
/// Shorter texts are not looked for in files: they match by chance.
const FINDABLE_LINES: usize = 3;

/// A source that can be used: its text, cut into chunks.
pub(crate) struct ReadSource {
    pub origin: Origin,
    /// A path of the project, or the name of the text.
    pub path: String,
    pub is_file: bool,
    /// Of the texts that are not files, which one: those with the same path and number agree on every line that both have.
    pub number: u32,
    /// It came with a path of the project.
    pub has_path: bool,
    /// An open file that differs from the one on disk: the asker means this text by that path.
    pub is_buffer: bool,
    /// Shared by all sources that have the same text: five hundred may name lines of one large file.
    pub new: Arc<NewParse>,
    /// Where the lines of `new` begin.
    pub starts: Arc<Vec<usize>>,
    /// Only these lines are wanted; line 1 of `new` is line `first_line` of the file.
    pub lines: Option<LineRange>,
    pub first_line: u32,
    /// The lines about the failure, counted from 1, the most important first, if it is output in which something failed.
    pub failure: Option<Vec<(u32, f32)>>,
    pub relevance: Option<f64>,
    pub timestamp_ms: Option<i64>,
    pub pinned: bool,
    /// A note for the asker about how it was read.
    pub note: Option<String>,
    /// The commit that it is of.
    pub commit: Option<String>,
}

/// A source that was read, or why it cannot be used.
type SourceResult = Result<ReadSource, Box<Excluded>>;

/// Reads all sources. Those that fail are returned as excluded. `left`: the time that is left.
pub(crate) fn read_all(
    engine: &Engine,
    sources: &[PackSource],
    left: &(dyn Fn() -> Duration + Sync),
) -> (Vec<ReadSource>, Vec<Excluded>) {
    let results: Vec<Mutex<Option<SourceResult>>> = sources.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    // Reading a few files is quicker than starting a thread.
    let n_helpers = (sources.len() / 8).min(3);
    let texts = Texts::new(engine);
    let work = || {
        loop {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(idx) else { return };
            let done = if left().is_zero() {
                Err(refused(
                    source,
                    ExcludedReason::Timeout,
                    "there was no time left to read it".into(),
                ))
            } else {
                read_one(engine, source, idx, &texts)
            };
            *results[idx].lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..n_helpers {
            scope.spawn(work);
        }
        work();
    });
    let mut given = Vec::new();
    let mut excluded = Vec::new();
    for slot in results {
        match slot.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(one)) => given.push(one),
            Some(Err(one)) => excluded.push(*one),
            None => {}
        }
    }
    tell_versions_apart(&mut given);
    excluded.extend(show_what_is_open(&mut given));
    (given, excluded)
}

/// Texts of one path that agree on all lines that they share are one version and are deduplicated by lines, like a file;
/// texts that differ are separate versions.
fn tell_versions_apart(sources: &mut [ReadSource]) {
    let mut next = 0;
    let mut numbers = Vec::new();
    let mut by_path: BTreeMap<&str, Vec<Version<'_>>> = BTreeMap::new();
    for one in sources.iter().filter(|one| !one.is_file) {
        let known = one.has_path.then(|| by_path.entry(&one.path).or_default());
        let number = known.and_then(|versions| version_of(versions, one, next + 1));
        // Without a path, or among too many versions, it stands for itself.
        numbers.push(number.unwrap_or(next + 1));
        next = next.max(numbers[numbers.len() - 1]);
    }
    let texts = sources.iter_mut().filter(|one| !one.is_file);
    for (one, number) in texts.zip(numbers) {
        one.number = number;
    }
}

/// What is known of one version of a path: texts that agree on every line that two of them have.
struct Version<'a> {
    number: u32,
    parts: Vec<&'a ReadSource>,
}

/// The version that a text belongs to, which may be a new one with the number `next`. `None`: there are too many already.
fn version_of<'a>(versions: &mut Vec<Version<'a>>, one: &'a ReadSource, next: u32) -> Option<u32> {
    let agrees = |version: &&mut Version<'_>| version.parts.iter().all(|part| agree(part, one));
    if let Some(version) = versions.iter_mut().find(agrees) {
        if !version.parts.iter().any(|part| is_same(part, one)) {
            version.parts.push(one);
        }
        return Some(version.number);
    }
    (versions.len() < MOST_VERSIONS).then(|| {
        versions.push(Version {
            number: next,
            parts: vec![one],
        });
        next
    })
}

/// A text that came in twice is cut once, so it is the same in memory.
fn is_same(a: &ReadSource, b: &ReadSource) -> bool {
    a.first_line == b.first_line && Arc::ptr_eq(&a.new, &b.new)
}

/// Whether two texts have the same text on the lines that both have. Compared as one string each: line by line, five hundred
/// long texts take seconds.
fn agree(a: &ReadSource, b: &ReadSource) -> bool {
    if is_same(a, b) {
        return true;
    }
    let end = |one: &ReadSource| one.first_line + n_lines(&one.new.text, &one.starts);
    let shared = a.first_line.max(b.first_line)..end(a).min(end(b));
    shared.is_empty() || text_of(a, &shared) == text_of(b, &shared)
}

/// Lines of a text, without the break at their end, which the last line of a text may lack.
fn text_of<'a>(one: &'a ReadSource, lines: &Range<u32>) -> &'a str {
    let text = &one.new.text;
    let at = |line: u32| {
        let start = one.starts.get((line - one.first_line) as usize);
        start.copied().unwrap_or(text.len())
    };
    let text = &text[at(lines.start)..at(lines.end)];
    text.strip_suffix('\n').unwrap_or(text)
}

/// A range of a file that an editor has open is a range of what it has open. It was checked against the file on disk, which
/// may be longer: one that begins behind the end of the open file is refused, one that only ends there is cut.
fn show_what_is_open(given: &mut Vec<ReadSource>) -> Vec<Excluded> {
    let buffers: Vec<(String, u32, CutText)> = given
        .iter()
        .filter(|one| one.is_buffer)
        .map(|one| {
            let text = (Arc::clone(&one.new), Arc::clone(&one.starts));
            (one.path.clone(), one.number, text)
        })
        .collect();
    let mut excluded = Vec::new();
    given.retain_mut(|one| {
        let buffer = buffers.iter().find(|(path, ..)| one.is_file && *path == one.path);
        let Some((_, number, (new, starts))) = buffer else {
            return true;
        };
        let n_lines = n_lines(&new.text, starts).max(1);
        if let Some(wanted) = one.lines {
            if wanted.start() > n_lines {
                let detail = format!("the open file has {n_lines} lines, not {}", wanted.start());
                let path = one.path.clone();
                excluded.push(Excluded::refused(
                    path,
                    one.lines,
                    ExcludedReason::Missing,
                    detail,
                ));
                return false;
            }
            one.lines = Some(LineRange::new(wanted.start(), wanted.end().min(n_lines)));
        }
        (one.is_file, one.number, one.new, one.starts) =
            (false, *number, Arc::clone(new), Arc::clone(starts));
        true
    });
    excluded
}

fn refused(source: &PackSource, reason: ExcludedReason, detail: String) -> Box<Excluded> {
    let path = source.path.clone().or_else(|| source.label.clone());
    let path = path.unwrap_or_else(|| source.kind.clone());
    Box::new(Excluded {
        label: source.label.clone().unwrap_or_default(),
        ..Excluded::refused(path, lines_of(source), reason, detail)
    })
}

/// A last line alone means the lines up to it; a first line alone means that line.
fn lines_of(source: &PackSource) -> Option<LineRange> {
    let start = source
        .line_start
        .or(source.line_end.map(|_| 1))
        .filter(|start| *start > 0)?;
    let end = source.line_end.unwrap_or(start);
    (start <= end).then(|| LineRange::new(start, end))
}

/// A text that was cut, and where its lines begin.
type CutText = (Arc<NewParse>, Arc<Vec<usize>>);

/// A file of the project, or why it cannot be used.
type FileResult = Result<DiskFile, (ExcludedReason, String)>;

/// What the sources of one request share: each file is read once, and each text is cut once. Five hundred may name lines of
/// one large file.
struct Texts<'e> {
    engine: &'e Engine,
    time: ParseTime,
    files: Mutex<BTreeMap<RepoPath, Arc<OnceLock<FileResult>>>>,
    /// By path, which tells the language, and by what was read.
    cut: Mutex<BTreeMap<(RepoPath, [u8; 32]), CutText>>,
}

/// A file as it was read, with what is made of it when it is first needed.
struct DiskFile {
    source: SourceFile,
    starts: OnceLock<Vec<usize>>,
    /// Its lines, with a line break before and after each.
    joined: OnceLock<String>,
}

impl<'e> Texts<'e> {
    fn new(engine: &'e Engine) -> Self {
        Self {
            engine,
            time: ParseTime::new(),
            files: Mutex::default(),
            cut: Mutex::default(),
        }
    }

    /// The place of a file; [`Self::read`] fills it.
    fn slot(&self, path: &RepoPath) -> Arc<OnceLock<FileResult>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(files.entry(path.clone()).or_default())
    }

    fn read<'s>(&self, path: &RepoPath, slot: &'s OnceLock<FileResult>) -> &'s FileResult {
        slot.get_or_init(|| read_file(self.engine, path))
    }

    fn cut(&self, file: &SourceFile) -> CutText {
        let key = (file.path.clone(), file.hash);
        let known = || self.cut.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = known().get(&key) {
            return text.clone();
        }
        let new = Arc::new(cut_within(self.engine, file, &self.time));
        let starts = Arc::new(line_starts(&new.text));
        // Another thread may have cut the same meanwhile.
        known().entry(key).or_insert((new, starts)).clone()
    }
}

impl DiskFile {
    /// Where a text stands in it. One with a first line stands there or nowhere; one without is looked for, if it is long
    /// enough to be told apart.
    fn place_of(&self, text: &str, first_line: Option<u32>) -> Option<Place> {
        let n_lines = text.lines().count();
        let idx = match first_line {
            // A text without lines stands nowhere, and has no range.
            _ if n_lines == 0 => None,
            Some(line) => Some(line.max(1) as usize - 1).filter(|idx| self.has_at(*idx, text)),
            None if self.source.text.lines().eq(text.lines()) => return Some(Place::Whole),
            None if n_lines >= FINDABLE_LINES => self.find(text),
            None => None,
        }?;
        let start = idx as u32 + 1;
        Some(Place::Lines(LineRange::new(start, start + n_lines as u32 - 1)))
    }

    fn has_at(&self, line_idx: usize, text: &str) -> bool {
        let starts = self.starts.get_or_init(|| line_starts(&self.source.text));
        let Some(start) = starts.get(line_idx) else {
            return false;
        };
        let mut there = self.source.text[*start..].lines();
        text.lines().all(|line| there.next() == Some(line))
    }

    /// After how many lines the same lines stand first. Compared line by line from every line on, a file that repeats itself
    /// would take the square of its length; the search for one string in another does not. With a line break before and after
    /// them, only whole lines are the same.
    fn find(&self, text: &str) -> Option<usize> {
        let lines = self.joined.get_or_init(|| joined(&self.source.text));
        let at = lines.find(&joined(text))?;
        Some(lines[..at].bytes().filter(|byte| *byte == b'\n').count())
    }
}

/// The number of lines of a text, from where they begin: counting them again for every source takes seconds.
fn n_lines(text: &str, starts: &[usize]) -> u32 {
    let is_closed = text.is_empty() || text.ends_with('\n');
    (starts.len() - usize::from(is_closed)) as u32
}

fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len() + 2);
    joined.push('\n');
    for line in text.lines() {
        joined.push_str(line);
        joined.push('\n');
    }
    joined
}

fn read_one(engine: &Engine, source: &PackSource, idx: usize, texts: &Texts<'_>) -> SourceResult {
    let origin = Origin::parse(&source.kind).unwrap_or(Origin::Reference);
    let path = match &source.path {
        Some(path) => Some(resolve(engine, source, path)?),
        None => None,
    };
    let missing = |detail: String| refused(source, ExcludedReason::Missing, detail);
    let mut first_line = 1;
    let mut lines = lines_of(source);
    let mut note = None;
    let mut is_buffer = false;
    let slot = path.as_ref().map(|path| texts.slot(path));
    let on_disk = path.as_ref().zip(slot.as_deref());
    let on_disk = on_disk.map(|(path, slot)| texts.read(path, slot));
    let text;
    let (file, is_file) = match (&source.content, on_disk) {
        (Some(content), on_disk) => {
            if content.trim().is_empty() {
                return Err(missing("its content is empty".into()));
            }
            let name = path.clone().unwrap_or_else(|| name_of(source, idx));
            first_line = source.line_start.unwrap_or(1).max(1);
            let (file, n_dropped, said) = handed_in(engine, source, content, name, origin)?;
            first_line = first_line.saturating_add(n_dropped);
            note = said;
            lines = None;
            let disk = on_disk.and_then(|disk| disk.as_ref().ok());
            let place = disk.and_then(|disk| Some((disk.place_of(&file.text, source.line_start)?, disk)));
            match place {
                // What stands in the file is the file, and is treated as a range of it.
                Some((Place::Whole, disk)) => (&disk.source, true),
                Some((Place::Lines(range), disk)) => {
                    (first_line, lines) = (1, Some(range));
                    (&disk.source, true)
                }
                None => {
                    is_buffer =
                        origin == Origin::OpenFile && source.path.is_some() && source.line_start.is_none();
                    text = file;
                    (&text, false)
                }
            }
        }
        (None, Some(Ok(disk))) => (&disk.source, true),
        (None, Some(Err((reason, detail)))) => return Err(refused(source, *reason, detail.clone())),
        (None, None) => return Err(missing("it has neither a path nor content".into())),
    };
    if file.text.trim().is_empty() {
        return Err(missing("the file is empty".into()));
    }
    let (new, starts) = texts.cut(file);
    let n_lines = n_lines(&new.text, &starts);
    if first_line.checked_add(n_lines + 1).is_none() {
        return Err(missing(format!("its lines cannot begin at {first_line}")));
    }
    if let Some(wanted) = lines {
        if wanted.start() > n_lines.max(1) {
            return Err(missing(format!(
                "the file has {n_lines} lines, not {}",
                wanted.start()
            )));
        }
        lines = Some(LineRange::new(wanted.start(), wanted.end().min(n_lines.max(1))));
    }
    let is_output = origin == Origin::ToolResult && !is_file && !is_code(&new);
    Ok(ReadSource {
        origin,
        path: if is_file || source.path.is_some() || source.label.is_none() {
            file.path.to_string()
        } else {
            source.label.clone().unwrap_or_default()
        },
        is_file,
        number: 0,
        has_path: source.path.is_some(),
        is_buffer,
        failure: is_output.then(|| failure(&new.text)).flatten(),
        starts,
        new,
        lines,
        first_line,
        relevance: source.relevance.map(|relevance| relevance.clamp(0.0, 1.0)),
        timestamp_ms: source.timestamp_ms,
        pinned: source.pinned,
        note,
        commit: source.commit.clone(),
    })
}

/// Source text has definitions, and a diff says itself what matters; neither is read like a log.
fn is_code(new: &NewParse) -> bool {
    let is_diff = new.text.lines().any(|line| line.starts_with("@@ -"));
    is_diff || new.parsed.chunks.iter().any(|chunk| chunk.kind.is_code())
}

/// Where a text stands in a file.
enum Place {
    Whole,
    Lines(LineRange),
}

fn name_of(source: &PackSource, idx: usize) -> RepoPath {
    // Only its end matters, which tells the language; what is shown is the label.
    let label = source.label.clone().unwrap_or_default();
    let safe: String = label
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/') {
                c
            } else {
                '-'
            }
        })
        .collect();
    RepoPath::new(safe.trim_matches('/'))
        .or_else(|_| RepoPath::new(format!("{}-{}", source.kind, idx + 1)))
        .unwrap_or_else(|_| RepoPath::new("source").expect("a plain word is a path"))
}

/// PACK-2: inside the project, and not on the deny-list.
fn resolve(engine: &Engine, source: &PackSource, path: &str) -> Result<RepoPath, Box<Excluded>> {
    let found = engine.tree.resolve(Path::new(path), engine.root());
    let path = found.map_err(|error| {
        let reason = match error.code() {
            "PATH_NOT_FOUND" => ExcludedReason::Missing,
            _ => ExcludedReason::Denied,
        };
        refused(source, reason, error.to_string())
    })?;
    match engine.tree.denied(&path) {
        Some(rule) => Err(refused(source, ExcludedReason::Denied, rule)),
        None => Ok(path),
    }
}

fn read_file(engine: &Engine, path: &RepoPath) -> FileResult {
    let read = engine.tree.read(path).map_err(|failure| {
        let reason = match &failure {
            ReadFailure::Skipped(skip) => match skip.reason {
                SkipReason::Binary => ExcludedReason::Binary,
                SkipReason::Denied => ExcludedReason::Denied,
                _ => ExcludedReason::Missing,
            },
            ReadFailure::Failed { .. } => ExcludedReason::Missing,
        };
        let detail = match failure {
            ReadFailure::Failed { .. } if engine.tree.stamp(path).is_none() => {
                "there is no such file".to_owned()
            }
            ReadFailure::Skipped(skip) if skip.detail.is_empty() => skip.reason.as_str().to_owned(),
            ReadFailure::Skipped(skip) => skip.detail,
            ReadFailure::Failed { message, .. } => message,
        };
        (reason, detail)
    });
    Ok(DiskFile {
        source: read?,
        starts: OnceLock::new(),
        joined: OnceLock::new(),
    })
}

/// Text that came with the request: without its secrets, and only if it is text. With it how many lines were cut off before
/// it, and what to say about that.
fn handed_in(
    engine: &Engine,
    source: &PackSource,
    content: &str,
    path: RepoPath,
    origin: Origin,
) -> Result<(SourceFile, u32, Option<String>), Box<Excluded>> {
    if content.contains('\0') {
        return Err(refused(
            source,
            ExcludedReason::Binary,
            "it holds NUL bytes".into(),
        ));
    }
    let (used, n_dropped) = match origin {
        Origin::ToolResult => last_part(content),
        _ => (first_part(content), 0),
    };
    let note = (used.len() < content.len()).then(|| {
        let end = if origin == Origin::ToolResult {
            "last"
        } else {
            "first"
        };
        let name = source.label.as_ref().or(source.path.as_ref());
        let name = name.map_or(source.kind.as_str(), String::as_str);
        format!("{name}: only its {end} {} bytes are used", used.len())
    });
    let (text, findings) = engine.tree.redact(used);
    let notes = findings.iter().map(|_| Note {
        code: "redacted",
        lines: None,
        message: String::new(),
    });
    let file = SourceFile {
        path,
        stamp: kitbag_types::FileStamp { size: 0, mtime_ns: 0 },
        hash: *blake3::hash(used.as_bytes()).as_bytes(),
        notes: notes.collect(),
        text: text.replace("\r\n", "\n"),
    };
    Ok((file, n_dropped, note))
}

/// The beginning of a text, up to the end of a line, unless nothing would be left of it.
fn first_part(content: &str) -> &str {
    let mut breaks = content.match_indices('\n');
    let content = match breaks.nth(MOST_CONTENT_LINES - 1) {
        Some((at, _)) => &content[..=at],
        None => content,
    };
    if content.len() <= MOST_CONTENT_BYTES {
        return content;
    }
    let content = prefix(content, MOST_CONTENT_BYTES);
    let line_end = content.rfind('\n');
    let line_end = line_end.filter(|at| !content[..*at].trim().is_empty());
    &content[..line_end.unwrap_or(content.len())]
}

/// The end of a text, from the beginning of a line, unless nothing would be left of it, and how many lines are before it.
fn last_part(content: &str) -> (&str, u32) {
    // The break that ends the text begins no line.
    let lines = content.strip_suffix('\n').unwrap_or(content);
    let mut breaks = lines.rmatch_indices('\n');
    let mut start = breaks.nth(MOST_CONTENT_LINES - 1).map_or(0, |(at, _)| at + 1);
    if content.len() - start > MOST_CONTENT_BYTES {
        start = content.len() - MOST_CONTENT_BYTES;
        while !content.is_char_boundary(start) {
            start += 1;
        }
        let line_start = content[start..].find('\n').map(|at| start + at + 1);
        start = line_start
            .filter(|at| !content[*at..].trim().is_empty())
            .unwrap_or(start);
    }
    let n_before = content[..start].bytes().filter(|byte| *byte == b'\n').count();
    (&content[start..], u32::try_from(n_before).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
