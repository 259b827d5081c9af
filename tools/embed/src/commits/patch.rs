//! Reads patches without context lines (`git diff-tree -p -U0`): which lines of the old file each change touches.

use std::collections::BTreeMap;

/// What a commit does to the files that were there before, by path.
#[derive(Debug, Default, PartialEq)]
pub struct Patch {
    pub commit: String,
    pub files: BTreeMap<String, Changes>,
}

#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    pub hunks: Vec<Hunk>,
    /// Lines taken away and lines added, over all hunks.
    pub n_lines: usize,
    /// Something else than blanks differs.
    pub is_more_than_blanks: bool,
}

/// `n` old lines from `start` on; none of them for an insertion after line `start`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunk {
    pub start: u32,
    pub n: u32,
    /// Lines taken away and lines added.
    pub size: u32,
}

impl Hunk {
    /// How many of the lines `first..=last` it touches. An insertion touches what it stands inside of.
    pub fn touches(&self, first: u32, last: u32) -> bool {
        if self.n == 0 {
            first <= self.start && self.start < last
        } else {
            self.start <= last && first < self.start + self.n
        }
    }
}

/// The patches of a run of `git diff-tree --stdin`, each after the line with its commit.
pub fn patches(text: &str) -> Vec<Patch> {
    let mut list: Vec<Patch> = Vec::new();
    let mut path: Option<String> = None;
    let (mut old, mut new) = (String::new(), String::new());
    let mut left = (0, 0);
    for line in text.split('\n') {
        if left != (0, 0) {
            // Inside a hunk its head says how many lines there are, whatever they look like.
            let (mark, rest) = line.split_at(line.len().min(1));
            match mark {
                "-" => (left.0, old) = (left.0 - 1, squeezed(old, rest)),
                "+" => (left.1, new) = (left.1 - 1, squeezed(new, rest)),
                _ => {}
            }
            if left == (0, 0)
                && let Some(changes) = changes_of(&mut list, path.as_deref())
            {
                changes.is_more_than_blanks |= old != new;
                (old, new) = (String::new(), String::new());
            }
            continue;
        }
        if let Some(head) = line.strip_prefix("@@ -") {
            let Some((before, after)) = head
                .split_once(" +")
                .and_then(|(before, rest)| Some((range(before)?, range(rest.split_once(" @@")?.0)?)))
            else {
                continue;
            };
            left = (before.1, after.1);
            if let Some(changes) = changes_of(&mut list, path.as_deref()) {
                let size = before.1 + after.1;
                changes.n_lines += size as usize;
                changes.hunks.push(Hunk {
                    start: before.0,
                    n: before.1,
                    size,
                });
            }
        } else if let Some(name) = line.strip_prefix("--- ") {
            path = name.strip_prefix("a/").map(str::to_owned);
        } else if line.starts_with("diff --git ") {
            path = None;
        } else if line.len() == 40 && line.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            list.push(Patch {
                commit: line.to_owned(),
                ..Patch::default()
            });
            path = None;
        }
    }
    list
}

fn changes_of<'p>(list: &'p mut [Patch], path: Option<&str>) -> Option<&'p mut Changes> {
    let patch = list.last_mut()?;
    Some(patch.files.entry(path?.to_owned()).or_default())
}

/// `12,3` or `12`.
fn range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((start, n)) => Some((start.parse().ok()?, n.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

fn squeezed(mut text: String, line: &str) -> String {
    text.extend(line.chars().filter(|c| !c.is_whitespace()));
    text
}

#[cfg(test)]
mod tests;
