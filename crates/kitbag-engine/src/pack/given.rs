//! What the asker hands in (PACK-1, PACK-2): open files, references, tool results, messages. Each is read, checked and cut on
//! its own; one that fails is named with its reason and harms none of the others.
//!
//! Files are read side by side, each started only while there is time left; a read itself cannot hang, because nothing but
//! regular files is opened.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kitbag_pack::{Excluded, ExcludedReason, Origin};
use kitbag_repo::{ReadFailure, SkipReason};
use kitbag_store::NewParse;
use kitbag_types::{LineRange, Note, RepoPath, SourceFile};

use crate::Engine;
use crate::api::PackSource;
use crate::index::cut;

/// More sources than this are refused (SEC-4).
pub(crate) const MOST_SOURCES: usize = 500;
/// Larger contents are cut at a line end.
const MOST_CONTENT_BYTES: usize = 4 << 20;

/// A source that can be used: its text, cut into chunks.
pub(crate) struct Given {
    pub origin: Origin,
    /// A path of the project, or what the text is called.
    pub path: String,
    pub is_file: bool,
    pub new: NewParse,
    /// Only these lines are wanted; line 1 of `new` is line `first_line` of the file.
    pub lines: Option<LineRange>,
    pub first_line: u32,
    pub relevance: Option<f64>,
    pub timestamp_ms: Option<i64>,
    pub pinned: bool,
}

/// Reads all sources. What fails comes back as excluded. `left`: how much time there is.
pub(crate) fn read_all(
    engine: &Engine,
    sources: &[PackSource],
    left: &(dyn Fn() -> Duration + Sync),
) -> (Vec<Given>, Vec<Excluded>) {
    let results: Vec<Mutex<Option<Result<Given, Excluded>>>> =
        sources.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
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
                read_one(engine, source, idx)
            };
            *results[idx]
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(done);
        }
    };
    std::thread::scope(|scope| {
        // A handful of files is read sooner than a thread is started.
        for _ in 0..(sources.len() / 8).min(3) {
            scope.spawn(work);
        }
        work();
    });
    let mut given = Vec::new();
    let mut excluded = Vec::new();
    for slot in results {
        match slot
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
        {
            Some(Ok(one)) => given.push(one),
            Some(Err(one)) => excluded.push(one),
            None => {}
        }
    }
    (given, excluded)
}

fn refused(source: &PackSource, reason: ExcludedReason, detail: String) -> Excluded {
    Excluded {
        path: source
            .path
            .clone()
            .or_else(|| source.label.clone())
            .unwrap_or_else(|| source.kind.clone()),
        lines: lines_of(source),
        label: source.label.clone().unwrap_or_default(),
        reason,
        detail,
        tokens: None,
    }
}

fn lines_of(source: &PackSource) -> Option<LineRange> {
    let start = source.line_start.filter(|start| *start > 0)?;
    let end = source.line_end.unwrap_or(start);
    (start <= end).then(|| LineRange::new(start, end))
}

fn read_one(engine: &Engine, source: &PackSource, idx: usize) -> Result<Given, Excluded> {
    let origin = Origin::parse(&source.kind).unwrap_or(Origin::Reference);
    let path = match &source.path {
        Some(path) => Some(resolve(engine, source, path)?),
        None => None,
    };
    let (file, is_file, first_line) = match (&source.content, path) {
        (Some(content), path) => {
            let first_line = source.line_start.unwrap_or(1).max(1);
            let name = path.clone().unwrap_or_else(|| name_of(source, idx));
            (
                handed_in(engine, source, content, name)?,
                // It may differ from the file of that name, so it is never taken for it (PACK-72).
                false,
                first_line,
            )
        }
        (None, Some(path)) => (read_file(engine, source, &path)?, true, 1),
        (None, None) => {
            return Err(refused(
                source,
                ExcludedReason::Missing,
                "it has neither a path nor content".into(),
            ));
        }
    };
    let new = cut(engine, &file);
    let lines = lines_of(source).filter(|_| source.content.is_none());
    let n_lines = file.text.lines().count() as u32;
    if first_line.checked_add(n_lines + 1).is_none() {
        let detail = format!("its lines cannot begin at {first_line}");
        return Err(refused(source, ExcludedReason::Missing, detail));
    }
    if let Some(lines) = lines.filter(|lines| lines.start() > n_lines.max(1)) {
        let detail = format!("the file has {n_lines} lines, not {}", lines.start());
        return Err(refused(source, ExcludedReason::Missing, detail));
    }
    Ok(Given {
        origin,
        path: if is_file || source.path.is_some() || source.label.is_none() {
            file.path.to_string()
        } else {
            source.label.clone().unwrap_or_default()
        },
        is_file,
        new,
        lines,
        first_line,
        relevance: source.relevance.map(|relevance| relevance.clamp(0.0, 1.0)),
        timestamp_ms: source.timestamp_ms,
        pinned: source.pinned,
    })
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
fn resolve(engine: &Engine, source: &PackSource, path: &str) -> Result<RepoPath, Excluded> {
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

fn read_file(engine: &Engine, source: &PackSource, path: &RepoPath) -> Result<SourceFile, Excluded> {
    engine.tree.read(path).map_err(|failure| {
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
        refused(source, reason, detail)
    })
}

/// Text that came with the request: without its secrets, and only if it is text.
fn handed_in(
    engine: &Engine,
    source: &PackSource,
    content: &str,
    path: RepoPath,
) -> Result<SourceFile, Excluded> {
    if content.contains('\0') {
        return Err(refused(
            source,
            ExcludedReason::Binary,
            "it holds NUL bytes".into(),
        ));
    }
    let mut end = content.len().min(MOST_CONTENT_BYTES);
    while !content.is_char_boundary(end) {
        end -= 1;
    }
    if end < content.len() {
        end = content[..end].rfind('\n').unwrap_or(end);
    }
    let (text, findings) = engine.tree.redact(&content[..end]);
    let notes = findings.iter().map(|_| Note {
        code: "redacted",
        lines: None,
        message: String::new(),
    });
    Ok(SourceFile {
        path,
        stamp: kitbag_types::FileStamp { size: 0, mtime_ns: 0 },
        hash: *blake3::hash(content.as_bytes()).as_bytes(),
        notes: notes.collect(),
        text: text.replace("\r\n", "\n"),
    })
}
