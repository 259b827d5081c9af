//! Reads what a handed-in text points at: the files and names in a log or a stack trace, the places that a diff touches. They become
//! references of the question, so that the code behind a failing test is in the pack with its output.

use kitbag_pack::Origin;
use kitbag_types::{LineRange, Query, Reference};

use super::log::failing_lines;
use super::sources::MOST_CONTENT_BYTES;
use crate::conventions::analyse;
use crate::request::PackSource;

/// Most references that are used, of all sources together.
const MOST: usize = 24;
/// Bytes at the end of a long log that are read: failures are at the end.
const MOST_BYTES: usize = 64 << 10;

pub(crate) fn steer(query: &mut Query, sources: &[PackSource]) {
    let mut n_added = 0;
    for source in sources
        .iter()
        .filter(|source| Origin::parse(&source.kind) == Some(Origin::ToolResult))
    {
        let Some(content) = &source.content else { continue };
        // Only as much as is used.
        let content = end_of(content, MOST_CONTENT_BYTES);
        let touched = touched_by_diff(content);
        let found = if touched.is_empty() {
            // The places of failures, the last first: the end is nearest to the cause.
            let failing = failing_lines(content);
            let mut found = analyse(end_of(failing.as_deref().unwrap_or(content), MOST_BYTES)).references;
            found.reverse();
            found
        } else {
            touched
        };
        for reference in found {
            if n_added < MOST && !query.references.contains(&reference) {
                query.references.push(reference);
                n_added += 1;
            }
        }
    }
}

fn end_of(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// The new sides of the hunks of a diff.
fn touched_by_diff(text: &str) -> Vec<Reference> {
    let mut path: Option<&str> = None;
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("+++ ") {
            let name = name.split('\t').next().unwrap_or(name);
            path = Some(name.strip_prefix("b/").unwrap_or(name)).filter(|name| *name != "/dev/null");
        } else if let (Some(path), Some(lines)) = (path, new_side(line)) {
            found.push(Reference::File {
                path: path.to_owned(),
                lines: Some(lines),
            });
        }
    }
    found
}

/// `@@ -10,7 +12,8 @@` is lines 12 to 19.
fn new_side(line: &str) -> Option<LineRange> {
    let range = line.strip_prefix("@@ -")?.split(' ').nth(1)?.strip_prefix('+')?;
    let (start, n) = range.split_once(',').unwrap_or((range, "1"));
    let (start, n): (u32, u32) = (start.parse().ok()?, n.parse().ok()?);
    (start > 0).then(|| LineRange::new(start, start.saturating_add(n.max(1) - 1)))
}

#[cfg(test)]
mod tests;
