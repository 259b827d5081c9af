//! Memories as a text file that a team can commit and merge (MEM-1). One block per memory, in the order of a hash of what it says: two
//! people who add something seldom add it in the same place, and exporting twice gives equal bytes.

#[cfg(test)]
mod tests;

use kitbag_store::{CitationRow, MemoryRow};

use super::remember::{MemoryKind, RememberRequest};
use crate::memory::check::place;
use crate::memory::code::digest;

const HEAD: &str = "<!-- Kitbag memories: `kitbag memory export` wrote this, `kitbag memory import FILE` reads it. One block each, sorted. -->\n";

/// The whole file. Private and archived ones stay at home.
pub(super) fn written(rows: &[MemoryRow]) -> String {
    let mut blocks: Vec<(String, String)> = rows
        .iter()
        .filter(|row| !row.private && !row.archived)
        .map(|row| (key(row), block(row)))
        .collect();
    blocks.sort();
    blocks.dedup_by(|a, b| a.0 == b.0);
    let mut text = HEAD.to_owned();
    for (_, block) in blocks {
        text.push('\n');
        text.push_str(&block);
    }
    text
}

fn key(row: &MemoryRow) -> String {
    digest(&format!("{}\n{}", row.kind, row.content))[..12].to_owned()
}

fn block(row: &MemoryRow) -> String {
    let mut block = format!("## {} {}\n", row.kind, key(row));
    for line in row.content.lines() {
        block.push_str(format!("> {line}").trim_end());
        block.push('\n');
    }
    let mut cites: Vec<String> = row.citations.iter().map(written_place).collect();
    cites.sort();
    for cite in cites {
        block.push_str(&format!("- cites: {cite}\n"));
    }
    for tag in &row.tags {
        block.push_str(&format!("- tag: {tag}\n"));
    }
    block.push_str(&format!("- confidence: {}\n", row.confidence));
    if !row.source.is_empty() {
        block.push_str(&format!("- source: {}\n", row.source));
    }
    block
}

/// As `cites` takes it, where it is now.
pub(super) fn written_place(citation: &CitationRow) -> String {
    let path = place(citation);
    let symbol = match citation.now_symbol.as_str() {
        "" => &citation.symbol,
        now => now,
    };
    if !symbol.is_empty() {
        format!("{path}#{symbol}")
    } else if citation.line_start > 0 {
        let first = if citation.now_line > 0 {
            citation.now_line
        } else {
            citation.line_start
        };
        format!(
            "{path}:{first}-{}",
            first + (citation.line_end - citation.line_start)
        )
    } else {
        path.to_owned()
    }
}

/// A block that was read: what is to be kept, and where it came from.
pub(super) struct Block {
    pub request: RememberRequest,
    pub source: String,
}

/// The memories of such a file, and what is wrong with it, by line. `None`: it is not one.
pub(super) fn read(text: &str) -> Option<(Vec<Block>, Vec<String>)> {
    let is_one = |line: &str| {
        let kind = line.strip_prefix("## ").and_then(|rest| rest.split(' ').next());
        kind.is_some_and(|kind| MemoryKind::parse(kind).is_some())
    };
    if !text.lines().any(is_one) {
        return None;
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut wrong = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        let mut complain = |what: &str| wrong.push(format!("line {}: {what}", idx + 1));
        if let Some(rest) = line.strip_prefix("## ") {
            let word = rest.split(' ').next().unwrap_or_default();
            match MemoryKind::parse(word) {
                Some(kind) => blocks.push(Block {
                    request: RememberRequest {
                        kind,
                        ..RememberRequest::default()
                    },
                    source: String::new(),
                }),
                None => complain(&format!("unknown kind `{word}`")),
            }
            continue;
        }
        let Some(block) = blocks.last_mut() else { continue };
        if let Some(content) = line.strip_prefix('>') {
            let content = content.strip_prefix(' ').unwrap_or(content);
            if !block.request.content.is_empty() {
                block.request.content.push('\n');
            }
            block.request.content.push_str(content);
        } else if let Some((field, value)) = line.strip_prefix("- ").and_then(|rest| rest.split_once(": ")) {
            match field {
                "cites" => block.request.cites.push(value.to_owned()),
                "tag" => block.request.tags.push(value.to_owned()),
                "confidence" => block.request.confidence = value.parse().ok(),
                "source" => value.clone_into(&mut block.source),
                other => complain(&format!(
                    "unknown field `{other}`; known are cites, tag, confidence, source"
                )),
            }
        } else if ["<<<<<<<", "=======", ">>>>>>>"]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            complain("a merge conflict that nobody has settled");
        }
    }
    Some((blocks, wrong))
}
