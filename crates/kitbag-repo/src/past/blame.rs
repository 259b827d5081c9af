//! Who wrote the current lines of a file.

use std::collections::BTreeMap;

use kitbag_types::{LineRange, RepoPath, Timestamp};

use super::{History, plain};
use crate::commits::NoHistory;

/// Consecutive lines that one commit wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedLines {
    pub lines: LineRange,
    /// `None`: not committed yet.
    pub commit: Option<String>,
    pub at: Timestamp,
    pub author: String,
    pub subject: String,
}

impl History<'_> {
    pub(super) fn blame(&self, path: &RepoPath, lines: LineRange) -> Result<Vec<BlamedLines>, NoHistory> {
        let run = self.run();
        // A file that git does not track, or that the commit does not have, is not a failure.
        let tracked = run.whole(&["--literal-pathspecs", "ls-files", "-z", "--", path.as_str()]);
        match tracked {
            Some(listed) if listed.is_empty() => return Ok(Vec::new()),
            Some(_) => {}
            None => return Err(self.silent()),
        }
        let filters = run.without_filters().ok_or_else(|| self.silent())?;
        let range = format!("-L{},{}", lines.start(), lines.end());
        let mut args: Vec<&str> = filters.iter().map(String::as_str).collect();
        args.extend([
            "-c",
            "blame.ignoreRevsFile=",
            "blame",
            "--porcelain",
            "--encoding=UTF-8",
        ]);
        args.extend(["--no-textconv", range.as_str(), "--", path.as_str()]);
        // A file that was added and never committed has no history.
        let Some(output) = run.whole(&args) else {
            return Ok(Vec::new());
        };
        Ok(self.blamed(&String::from_utf8_lossy(&output)))
    }

    fn blamed(&self, output: &str) -> Vec<BlamedLines> {
        let mut known: BTreeMap<&str, (Timestamp, String, String)> = BTreeMap::new();
        let mut found: Vec<(u32, &str)> = Vec::new();
        let mut id = "";
        // The text of a line follows a tab, so it cannot be mistaken for a header.
        for line in output.lines().filter(|line| !line.starts_with('\t')) {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            let is_id = key.len() >= 40 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_id {
                id = key;
                let line = value.split(' ').nth(1).and_then(|line| line.parse().ok());
                found.extend(line.filter(|line| *line > 0).map(|line| (line, id)));
                known
                    .entry(id)
                    .or_insert((Timestamp(0), String::new(), String::new()));
                continue;
            }
            let Some(about) = known.get_mut(id) else { continue };
            match key {
                "author" => about.1 = plain(value),
                "committer-time" => {
                    about.0 = Timestamp(value.parse::<i64>().unwrap_or(0).saturating_mul(1000));
                }
                "summary" => about.2 = plain(&self.tree.redact(value).0),
                _ => {}
            }
        }
        found.sort_unstable();
        let mut runs: Vec<BlamedLines> = Vec::new();
        for (line, id) in found {
            let commit = id.bytes().any(|byte| byte != b'0').then(|| id.to_owned());
            match runs.last_mut() {
                Some(last) if last.commit == commit && last.lines.end() + 1 == line => {
                    last.lines = LineRange::new(last.lines.start(), line);
                }
                _ => {
                    let (at, author, subject) = known[id].clone();
                    let is_committed = commit.is_some();
                    runs.push(BlamedLines {
                        lines: LineRange::new(line, line),
                        commit,
                        at,
                        author: if is_committed { author } else { String::new() },
                        subject: if is_committed { subject } else { String::new() },
                    });
                }
            }
        }
        runs
    }
}
