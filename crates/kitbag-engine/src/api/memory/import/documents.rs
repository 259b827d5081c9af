//! What documents and commits say that is worth keeping: of a decision record its title and decision, of a file for agents its list
//! items, of a commit the trailers that give a reason.

#[cfg(test)]
mod tests;

use kitbag_repo::Commit;
use kitbag_store::{FileState, Snapshot};
use kitbag_types::{RepoPath, prefix};

use crate::EngineError;
use crate::api::memory::remember::MemoryKind;

/// Something that was said, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub kind: MemoryKind,
    pub content: String,
    pub line: u32,
    pub last_line: u32,
}

/// Folders of decision records, wherever they are.
const RECORDS: &[&str] = &[
    "adr",
    "adrs",
    "decisions",
    "architecture-decisions",
    "decision-records",
];
const FOR_AGENTS: &[&str] = &["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", "GEMINI.md"];
/// A list item of fewer words says nothing by itself; a longer one is a paragraph.
const WORDS: std::ops::RangeInclusive<usize> = 4..=80;
const MOST_OF_DOCUMENT: usize = 100;
const MAX_DECISION_BYTES: usize = 1_200;

/// Trailers that say more than who did it.
const TRAILERS: &[(&str, MemoryKind)] = &[
    ("constraint", MemoryKind::Convention),
    ("convention", MemoryKind::Convention),
    ("decision", MemoryKind::Decision),
    ("directive", MemoryKind::Convention),
    ("learned", MemoryKind::Tribal),
    ("lesson", MemoryKind::Tribal),
    ("rationale", MemoryKind::Decision),
    ("rejected", MemoryKind::Decision),
    ("remember", MemoryKind::Semantic),
];

/// The documents of the project that are read without being named, in order.
pub(super) fn documents_of(snapshot: Option<&Snapshot<'_>>) -> Result<Vec<RepoPath>, EngineError> {
    let Some(snapshot) = snapshot else {
        return Ok(Vec::new());
    };
    let is_read = |path: &RepoPath| is_record(path) || FOR_AGENTS.contains(&path.file_name());
    let files = snapshot.files()?.into_iter();
    let indexed = files.filter(|file| file.state == FileState::Indexed && is_read(&file.path));
    Ok(indexed.map(|file| file.path).collect())
}

fn is_record(path: &RepoPath) -> bool {
    let in_folder = path
        .folder()
        .split('/')
        .any(|part| RECORDS.contains(&part.to_ascii_lowercase().as_str()));
    let is_list = matches!(
        path.stem().to_ascii_lowercase().as_str(),
        "readme" | "index" | "template"
    );
    in_folder && path.extension() == Some("md") && !is_list
}

pub(super) fn said_in(path: &RepoPath, text: &str) -> Vec<Said> {
    match is_record(path) {
        true => decision(text).into_iter().collect(),
        false => items(text),
    }
}

/// A record's title and the first paragraph of its decision. Superseded ones are history.
fn decision(text: &str) -> Option<Said> {
    let lower = text.to_lowercase();
    let is_over = ["superseded", "rejected", "deprecated"].iter().any(|word| {
        lower
            .lines()
            .take(20)
            .any(|line| line.contains("status") && line.contains(word))
            || lower.contains(&format!("## status\n\n{word}"))
    });
    if is_over {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let title_idx = lines.iter().position(|line| line.starts_with("# "))?;
    let title = lines[title_idx].trim_start_matches('#').trim();
    let heading = lines.iter().position(|line| {
        line.starts_with('#')
            && line
                .to_lowercase()
                .trim_start_matches('#')
                .trim()
                .starts_with("decision")
    });
    let from = heading.unwrap_or(title_idx) + 1;
    let first = (from..lines.len()).find(|idx| {
        let line = lines[*idx].trim();
        !line.is_empty() && !line.starts_with(['#', '|', '<']) && !line.to_lowercase().starts_with("status")
    })?;
    let last = (first..lines.len())
        .take_while(|idx| !lines[*idx].trim().is_empty() && !lines[*idx].starts_with('#'))
        .last()?;
    let paragraph: Vec<&str> = lines[first..=last].iter().map(|line| line.trim()).collect();
    let content = format!("{title}: {}", paragraph.join(" "));
    let content = prefix(&content, MAX_DECISION_BYTES).to_owned();
    Some(Said {
        kind: MemoryKind::Decision,
        content,
        line: first as u32 + 1,
        last_line: last as u32 + 1,
    })
}

/// The items of lists, each with the heading that they stand under; code is passed over.
fn items(text: &str) -> Vec<Said> {
    let lines: Vec<&str> = text.lines().collect();
    let mut said = Vec::new();
    let (mut heading, mut in_code, mut idx) = ("", false, 0);
    while idx < lines.len() && said.len() < MOST_OF_DOCUMENT {
        let line = lines[idx];
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code && line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
        } else if !in_code && let Some(item) = item_of(line) {
            let mut words = vec![item];
            let mut last = idx;
            // What is indented and no item of its own belongs to it.
            while let Some(next) = lines.get(last + 1)
                && next.starts_with([' ', '\t'])
                && !next.trim().is_empty()
                && item_of(next.trim_start()).is_none()
            {
                words.push(next.trim());
                last += 1;
            }
            let item = words.join(" ");
            if WORDS.contains(&item.split_whitespace().count()) && !is_link(&item) {
                let content = match heading {
                    "" => item,
                    heading => format!("{heading}: {item}"),
                };
                said.push(Said {
                    kind: MemoryKind::Convention,
                    content,
                    line: idx as u32 + 1,
                    last_line: last as u32 + 1,
                });
            }
            idx = last;
        }
        idx += 1;
    }
    said
}

fn item_of(line: &str) -> Option<&str> {
    let item = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let (number, rest) = line.split_once(". ")?;
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
    };
    item.or_else(numbered)
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

/// An entry of a list of contents.
fn is_link(item: &str) -> bool {
    item.starts_with('[') && item.ends_with(')')
}

/// The trailers of a message that give a reason.
pub(super) fn said_by(commit: &Commit) -> Vec<Said> {
    if commit.by_bot {
        return Vec::new();
    }
    let last_paragraph = commit.body.rsplit("\n\n").next().unwrap_or_default();
    // A line that begins with a blank goes on with the one before it.
    let mut trailers: Vec<(&str, String)> = Vec::new();
    for line in last_paragraph.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = trailers.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
            continue;
        }
        let (key, value) = line.split_once(": ").unwrap_or(("", line));
        trailers.push((key, value.trim().to_owned()));
    }
    let said = trailers.into_iter().filter_map(|(key, value)| {
        let (word, kind) = TRAILERS.iter().find(|(word, _)| key.eq_ignore_ascii_case(word))?;
        if value.split_whitespace().count() < *WORDS.start() {
            return None;
        }
        let content = match word.eq_ignore_ascii_case("rejected") {
            true => format!("Rejected: {value}"),
            false => value,
        };
        Some(Said {
            kind: *kind,
            content,
            line: 1,
            last_line: 1,
        })
    });
    said.collect()
}
