//! What every door tells of history (RET-13): a reply of its own for `history`, and part of the reply of a search that asks about it.

use kitbag_repo::{BlamedLines, PastChange, PastFile, PastHunk};
use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::past::{Past, Person, commit_text, say_lines, say_person, say_with};
use crate::place::Place;

/// Files that usually change with a place, at most.
const MOST_WITH: usize = 10;

/// What history says of a place or a question. Empty outside git.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryReply {
    /// The places that it is about.
    pub places: Vec<HistoryPlace>,
    /// Of a place, newest first; of a question, the most telling first.
    pub commits: Vec<PastCommit>,
    /// Who wrote the lines that stand there now; empty for a whole file.
    pub blame: Vec<Blame>,
    /// Who knows the place: by lines that stand now, then by commits. At most 8.
    pub people: Vec<Author>,
    /// Files that usually change with it, at most 10.
    pub changes_with: Vec<ChangesWith>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryPlace {
    pub path: String,
    /// Null for a whole file.
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    /// The definition that was named or stands around the lines.
    pub name: Option<String>,
    /// Where else this name is defined.
    pub others: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PastCommit {
    pub id: String,
    /// `2024-02-29`, in universal time.
    pub date: String,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
    pub author: String,
    pub subject: String,
    pub body: String,
    pub files: Vec<ChangedFile>,
    /// Hunks that are left out because others matter more.
    pub hunks_left_out: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedFile {
    /// What it was called then.
    pub path: String,
    /// What it was called before, where the commit renamed it.
    pub renamed_from: Option<String>,
    /// Why nothing of it is shown.
    pub hidden: Option<String>,
    pub hunks: Vec<ChangedLines>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedLines {
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
    /// `@@ … @@`, then the lines with their signs; without secrets and control characters.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blame {
    pub line_start: u32,
    pub line_end: u32,
    /// Null: not committed yet.
    pub commit: Option<String>,
    pub date: String,
    pub author: String,
    pub subject: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    pub name: String,
    /// Lines of the place that stand now; 0 for a whole file, where they are not counted.
    pub lines: u32,
    pub commits: u32,
    pub last: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangesWith {
    pub path: String,
    /// Commits that changed both.
    pub commits: u32,
    /// Commits that changed the place.
    pub of: u32,
}

impl HistoryReply {
    pub(crate) fn of(past: Past) -> Self {
        let n_touching = past.with.n_touching;
        let with = past.with.usual().take(MOST_WITH);
        let changes_with = with.map(|(path, n)| ChangesWith {
            path: path.clone(),
            commits: *n,
            of: n_touching,
        });
        Self {
            changes_with: changes_with.collect(),
            places: past.places.iter().map(HistoryPlace::from).collect(),
            blame: past.blame.iter().map(Blame::from).collect(),
            people: past.people.iter().map(Author::from).collect(),
            commits: past
                .changes
                .iter()
                .zip(past.n_hidden)
                .map(|(change, n_hidden)| commit(change, n_hidden))
                .collect(),
            warnings: past.warnings,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.commits.is_empty() && self.blame.is_empty() && self.changes_with.is_empty()
    }

    /// For a model: the commits as texts, then who wrote the lines and what changes with them.
    pub fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.commits.iter().map(PastCommit::text).collect();
        let about = self.said();
        if !about.is_empty() {
            texts.push(about.join("\n") + "\n");
        }
        texts
    }

    /// Who wrote the lines, who knows the place, and what changes with it: a sentence each.
    pub fn said(&self) -> Vec<String> {
        let blame = self.blame.iter().map(|run| {
            let commit = run.commit.as_deref();
            let commit = commit.map(|id| (id, run.date.clone(), run.author.as_str(), run.subject.as_str()));
            say_lines(run.line_start, run.line_end, commit)
        });
        let people = self.people.iter();
        let people = people.map(|one| say_person(&one.name, one.lines, one.commits, &one.last));
        let with = self
            .changes_with
            .iter()
            .map(|with| say_with(&with.path, with.commits, with.of));
        blame.chain(people).chain(with).collect()
    }
}

impl PastCommit {
    /// As `git show` would say it, with less of it.
    pub fn text(&self) -> String {
        commit_text(&past_change(self), self.hunks_left_out)
    }
}

/// Back to what it was made of: texts are made in one place.
fn past_change(commit: &PastCommit) -> PastChange {
    let path = |path: &String| RepoPath::new(path.clone()).ok();
    PastChange {
        id: commit.id.clone(),
        at: Timestamp(commit.at),
        author: commit.author.clone(),
        by_bot: false,
        subject: commit.subject.clone(),
        body: commit.body.clone(),
        files: commit
            .files
            .iter()
            .filter_map(|file| {
                Some(PastFile {
                    path: path(&file.path)?,
                    renamed_from: file.renamed_from.as_ref().and_then(path),
                    hidden: file.hidden.clone(),
                    hunks: file
                        .hunks
                        .iter()
                        .map(|hunk| PastHunk {
                            old: (hunk.old_start, hunk.old_lines),
                            new: (hunk.new_start, hunk.new_lines),
                            text: hunk.text.clone(),
                        })
                        .collect(),
                })
            })
            .collect(),
    }
}

fn commit(change: &PastChange, n_hidden: usize) -> PastCommit {
    let hunk = |hunk: &PastHunk| ChangedLines {
        old_start: hunk.old.0,
        old_lines: hunk.old.1,
        new_start: hunk.new.0,
        new_lines: hunk.new.1,
        text: hunk.text.clone(),
    };
    let file = |file: &PastFile| ChangedFile {
        path: file.path.to_string(),
        renamed_from: file.renamed_from.as_ref().map(ToString::to_string),
        hidden: file.hidden.clone(),
        hunks: file.hunks.iter().map(hunk).collect(),
    };
    PastCommit {
        id: change.id.clone(),
        date: change.at.date(),
        at: change.at.0,
        author: change.author.clone(),
        subject: change.subject.clone(),
        body: change.body.clone(),
        files: change.files.iter().map(file).collect(),
        hunks_left_out: n_hidden,
    }
}

impl From<&Place> for HistoryPlace {
    fn from(place: &Place) -> Self {
        Self {
            path: place.path.to_string(),
            line_start: place.lines.map(|lines| lines.start()),
            line_end: place.lines.map(|lines| lines.end()),
            name: place.symbol.as_ref().map(|symbol| symbol.qualified()),
            others: place
                .others
                .iter()
                .take(20)
                .map(|symbol| format!("{}:{}", symbol.path, symbol.name_line))
                .collect(),
        }
    }
}

impl From<&BlamedLines> for Blame {
    fn from(run: &BlamedLines) -> Self {
        Self {
            line_start: run.lines.start(),
            line_end: run.lines.end(),
            commit: run.commit.clone(),
            date: run.commit.as_ref().map(|_| run.at.date()).unwrap_or_default(),
            author: run.author.clone(),
            subject: run.subject.clone(),
        }
    }
}

impl From<&Person> for Author {
    fn from(person: &Person) -> Self {
        Self {
            name: person.name.clone(),
            lines: person.n_lines,
            commits: person.n_commits,
            last: person.last.date(),
        }
    }
}
