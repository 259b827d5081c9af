//! What the flags hand in, as the engine takes it: open files, references, tool results, the working diff, and a JSON list.
//!
//! A source that cannot be read is listed and does not affect the others (PACK-2); one that cannot be parsed is refused.

use std::io::{self, Read as _};
use std::path::Path;

use kitbag_engine::api::{self, PackExcluded, PackReply, PackSource, PackWarning};
use kitbag_engine::{Engine, open_named};
use serde_json::Value;

use crate::cli::arguments::Pack;
use crate::cli::context::Context;
use crate::cli::input::{STDIN, check_stdin, text_at};
use crate::cli::paths::{inside, meant};
use kitbag_door::failure::Failure;
use kitbag_door::printer::grouped;

/// Bytes of a tool's output that are read, from its end: the engine would cut it to this anyway.
const MAX_RESULT_BYTES: u64 = 4 << 20;
/// Enough for the largest allowed number of sources, with large contents (SEC-4).
const MAX_LIST_BYTES: u64 = 64 << 20;
const MOST_SOURCES: usize = 500;
/// Relevance of output that somebody names explicitly: that of a good match, whatever words it has. By its words alone, a log that
/// is the reason for the question would hardly ever get in.
const RESULT_RELEVANCE: f64 = 0.75;

/// What goes into the request, and what is added to the reply.
#[derive(Default)]
pub(super) struct HandedIn {
    pub(super) sources: Vec<PackSource>,
    pub(super) symbols: Vec<String>,
    pub(super) excluded: Vec<PackExcluded>,
    pub(super) warnings: Vec<PackWarning>,
}

pub(super) fn collect(context: &Context, engine: &Engine, arguments: &Pack) -> Result<HandedIn, Failure> {
    let task = (arguments.task.len() == 1).then(|| Path::new(&arguments.task[0]));
    let files = arguments.tool_result.iter().chain(&arguments.sources);
    check_stdin(task.into_iter().chain(files.map(|path| path.as_path())))?;
    let mut given = HandedIn::default();
    for path in &arguments.open {
        given.sources.push(PackSource {
            kind: "open_file".to_owned(),
            path: Some(named(context, engine, path)),
            ..PackSource::default()
        });
    }
    for text in &arguments.reference {
        match reference(context, engine, text) {
            Some(source) => given.sources.push(source),
            None => given.symbols.push(text.clone()),
        }
    }
    for path in &arguments.tool_result {
        tool_result(context, engine, path, &mut given);
    }
    if let Some(path) = &arguments.sources {
        given.sources.extend(listed(context, path)?);
    }
    Ok(given)
}

impl HandedIn {
    /// Adds the sources that never reached the engine to the list of what was left out.
    pub(super) fn add_to(self, reply: &mut PackReply) {
        for excluded in &self.excluded {
            *reply.stats.by_reason.entry(excluded.reason.clone()).or_insert(0) += 1;
        }
        reply.excluded.splice(0..0, self.excluded);
        reply.warnings.extend(self.warnings);
    }
}

/// The path relative to the root of the project; one outside stays as it is, and the engine refuses it.
fn named(context: &Context, engine: &Engine, path: &Path) -> String {
    let meant = meant(engine.root(), &context.around.cwd, path);
    inside(engine.root(), &context.around.cwd, &meant).unwrap_or_else(|| meant.to_string_lossy().into_owned())
}

/// A file, or lines of one; `None`: a name to look up.
fn reference(context: &Context, engine: &Engine, text: &str) -> Option<PackSource> {
    let is_file = |path: &str| {
        [context.around.cwd.as_path(), engine.root()]
            .iter()
            .any(|folder| folder.join(path).is_file())
    };
    let with_lines = text
        .rsplit_once(':')
        .and_then(|(path, lines)| Some((path, range(lines)?)));
    let (path, lines) = match with_lines {
        _ if is_file(text) => (text, None),
        Some((path, lines)) => (path, Some(lines)),
        // A name cannot look like this, so it is reported as a missing file.
        None if text.contains(['/', '\\']) => (text, None),
        None => return None,
    };
    Some(PackSource {
        kind: "reference".to_owned(),
        path: Some(named(context, engine, Path::new(path))),
        line_start: lines.map(|(start, _)| start),
        line_end: lines.map(|(_, end)| end),
        pinned: true,
        ..PackSource::default()
    })
}

/// `12` or `12-40`.
fn range(text: &str) -> Option<(u32, u32)> {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    Some((start.parse().ok()?, end.parse().ok()?))
}

/// The content of any file, unless its name is on the deny-list.
fn tool_result(context: &Context, engine: &Engine, path: &Path, given: &mut HandedIn) {
    let label = match path.file_name() {
        _ if path == Path::new(STDIN) => "standard input".to_owned(),
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    };
    let read = match api::denied_name(engine, &label) {
        Some(rule) => Err(("denied", rule)),
        None => ending(context, path).map_err(|error| ("missing", error.to_string())),
    };
    let (content, n_lines_before) = match read {
        Ok(read) => read,
        Err((reason, detail)) => {
            given.excluded.push(PackExcluded {
                path: label,
                line_start: None,
                line_end: None,
                label: String::new(),
                reason: reason.to_owned(),
                detail,
                score: None,
                rank: None,
                tokens: None,
            });
            return;
        }
    };
    if n_lines_before.is_some() {
        let reason = format!(
            "{label}: only its last {} bytes are used",
            grouped(MAX_RESULT_BYTES)
        );
        given.warnings.push(PackWarning {
            source: label.clone(),
            reason,
            fallback: String::new(),
        });
    }
    given.sources.push(PackSource {
        kind: "tool_result".to_owned(),
        content: Some(content),
        label: Some(label),
        line_start: n_lines_before.map(|n| n.saturating_add(1)),
        relevance: Some(RESULT_RELEVANCE),
        ..PackSource::default()
    });
}

/// The end of a log, where failures are, as much as is used. If there is more before it, also the number of those lines, so that
/// lines keep their numbers.
fn ending(context: &Context, path: &Path) -> io::Result<(String, Option<u32>)> {
    let (kept, n_before) = if path == Path::new(STDIN) {
        last_bytes(io::stdin(), MAX_RESULT_BYTES)?
    } else {
        last_bytes(open_named(&context.around.cwd.join(path))?, MAX_RESULT_BYTES)?
    };
    Ok((String::from_utf8_lossy(&kept).into_owned(), n_before))
}

/// At most the last `most` bytes, from the beginning of a line, and how many lines are before them if that is not all. Never
/// more than twice as much is held.
fn last_bytes(mut from: impl io::Read, most: u64) -> io::Result<(Vec<u8>, Option<u32>)> {
    let mut kept: Vec<u8> = Vec::new();
    let mut n_before: Option<u32> = None;
    let mut forget = |kept: &mut Vec<u8>, n_bytes: usize| {
        let n_lines = kept.drain(..n_bytes).filter(|byte| *byte == b'\n').count();
        let n_lines = u32::try_from(n_lines).unwrap_or(u32::MAX);
        n_before = Some(n_before.unwrap_or(0).saturating_add(n_lines));
    };
    let mut is_cut = false;
    while from.by_ref().take(most).read_to_end(&mut kept)? > 0 {
        if kept.len() as u64 > most {
            let n_bytes = kept.len() - most as usize;
            forget(&mut kept, n_bytes);
            is_cut = true;
        }
    }
    if is_cut {
        // Only now, when it is known what follows: of a last line that is longer than all that is kept, its end is better
        // than nothing. It begins with a whole character.
        let line_start = kept.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let is_more = |at: &usize| kept[*at..].iter().any(|byte| !byte.is_ascii_whitespace());
        let character = kept.iter().take(4).position(|byte| *byte & 0xC0 != 0x80);
        let n_bytes = line_start.filter(is_more).or(character).unwrap_or(0);
        forget(&mut kept, n_bytes);
    }
    Ok((kept, n_before))
}

/// A JSON list of sources, or `{"sources": […]}`.
fn listed(context: &Context, path: &Path) -> Result<Vec<PackSource>, Failure> {
    let name = if path == Path::new(STDIN) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let wrong = |what: String| Failure::wrong_use("INVALID_SOURCES", format!("{name}: {what}"));
    let text = text_at(context, path, MAX_LIST_BYTES)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(format!("no JSON: {error}")))?;
    let list = match value {
        Value::Array(list) => list,
        Value::Object(mut object) if object.len() == 1 => match object.remove("sources") {
            Some(Value::Array(list)) => list,
            _ => return Err(wrong(SHAPE.to_owned())),
        },
        _ => return Err(wrong(SHAPE.to_owned())),
    };
    if list.len() > MOST_SOURCES {
        return Err(wrong(format!(
            "{} sources; at most {MOST_SOURCES} are taken",
            list.len()
        )));
    }
    let parse = |(idx, value)| {
        serde_json::from_value(value).map_err(|error| wrong(format!("source {}: {error}", idx + 1)))
    };
    list.into_iter().enumerate().map(parse).collect()
}

const SHAPE: &str = "expected a list of sources, or {\"sources\": [ … ]}";

#[cfg(test)]
mod tests;
