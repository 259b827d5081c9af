//! What history says of a place or a question (RET-13): the commits with the hunks that matter, who wrote the lines, what usually changes with
//! them. Which commits is told by the index, which keeps the last thousand by their files and words; what they did is asked of git,
//! and only when the question is about history. Without git there is nothing to tell, which is not an error.

use std::collections::BTreeSet;
use std::time::Duration;

use kitbag_rank::query::{HistoryKind, HistoryQuestion};
use kitbag_repo::{BlamedLines, PastChange, PastHunk};
use kitbag_store::{CommitRow, Snapshot};
use kitbag_types::terms::{each_term, each_word};
use kitbag_types::{Filter, LineRange, Query, Reference, RepoPath, Stop};

use crate::co_changes::{CoChanges, of_commits};
use crate::conventions::analyse;
use crate::history::sounding_like;
use crate::names::meant;
use crate::place::Place;
use crate::retrieve::gather;
use crate::{Engine, EngineError};

/// Git may take this long, each time it is asked.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Places that a question is about.
const MOST_PLACES: usize = 2;
/// Commits that answer a question.
const MOST_COMMITS: usize = 6;
/// Of them, those that changed the file and not the lines in question.
const FEW_BESIDE: usize = 1;
/// Of one commit of an answer: hunks, lines of one hunk, and files that nobody asked about.
const MOST_HUNKS: usize = 3;
const MOST_HUNK_LINES: usize = 40;
const MOST_FILES: usize = 4;
/// Commits of a file whose authors are counted.
const MOST_AUTHORED: usize = 300;
/// Longer stretches are not blamed line by line.
const MOST_BLAMED: u32 = 2_000;
/// A message that is this much like the question, against the best one, is taken too.
const NEAR_BEST: f64 = 0.7;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Past {
    pub places: Vec<Place>,
    /// The most telling first; for a place, newest first.
    pub changes: Vec<PastChange>,
    /// Hunks of each that are not among them, because there are too many.
    pub n_hidden: Vec<usize>,
    pub blame: Vec<BlamedLines>,
    /// Name, lines that stand now, commits, the day of the last one.
    pub people: Vec<Person>,
    pub with: CoChanges,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Person {
    pub name: String,
    pub n_lines: u32,
    pub n_commits: u32,
    pub last: kitbag_types::Timestamp,
}

impl Past {
    /// Who wrote the lines, who knows the place, what changes with it: a sentence each.
    pub(crate) fn say(&self) -> Vec<String> {
        let blame = self.blame.iter().map(|run| {
            let commit = run
                .commit
                .as_deref()
                .map(|id| (id, run.at.date(), run.author.as_str(), run.subject.as_str()));
            say_lines(run.lines.start(), run.lines.end(), commit)
        });
        let people = self.people.iter();
        let people = people.map(|one| say_person(&one.name, one.n_lines, one.n_commits, &one.last.date()));
        let with = self
            .with
            .usual()
            .take(8)
            .map(|(path, n)| say_with(path, *n, self.with.n_touching));
        blame.chain(people).chain(with).collect()
    }
}

/// `lines 3-5: 1a2b3c4d5e 2024-02-29 Ann: Mend it`.
pub(crate) fn say_lines(start: u32, end: u32, commit: Option<(&str, String, &str, &str)>) -> String {
    let lines = match start == end {
        true => format!("line {start}"),
        false => format!("lines {start}-{end}"),
    };
    match commit {
        Some((id, date, author, subject)) => format!("{lines}: {} {date} {author}: {subject}", short(id)),
        None => format!("{lines}: not committed yet"),
    }
}

pub(crate) fn say_person(name: &str, n_lines: u32, n_commits: u32, last: &str) -> String {
    let lines = if n_lines == 0 {
        String::new()
    } else {
        format!("{n_lines} {}, ", if n_lines == 1 { "line" } else { "lines" })
    };
    let commits = if n_commits == 1 { "commit" } else { "commits" };
    format!("{name}: {lines}{n_commits} {commits}, the last on {last}")
}

pub(crate) fn say_with(path: &str, n: u32, of: u32) -> String {
    format!("{path} changed in {n} of the {of} commits that changed this")
}

/// Of an id, what is enough to find it.
pub(crate) fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}

/// A commit as a text: `git show` with less of it.
pub(crate) fn commit_text(change: &PastChange, n_hidden: usize) -> String {
    let mut text = format!(
        "commit {} {} {}\n    {}\n",
        short(&change.id),
        change.at.date(),
        change.author,
        change.subject
    );
    if !change.body.is_empty() {
        text.push('\n');
        for line in change.body.lines().take(12) {
            text.push_str(&format!("    {line}\n"));
        }
    }
    for file in &change.files {
        let from = file
            .renamed_from
            .as_ref()
            .map(|from| format!(" (was {from})"))
            .unwrap_or_default();
        let hidden = file
            .hidden
            .as_ref()
            .map(|why| format!(" (not shown: {why})"))
            .unwrap_or_default();
        text.push_str(&format!("\n{}{from}{hidden}\n", file.path));
        for hunk in &file.hunks {
            text.push_str(&hunk.text);
            text.push('\n');
        }
    }
    if n_hidden > 0 {
        let hunks = if n_hidden == 1 { "hunk" } else { "hunks" };
        text.push_str(&format!("\n({n_hidden} more {hunks} of this commit)\n"));
    }
    text
}

/// The history of a place: its last `most` commits, whole.
pub(crate) fn of_place(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    place: Place,
    most: usize,
) -> Result<Past, EngineError> {
    let mut past = Past::default();
    let found = engine.tree.past_of(&place.path, place.lines, most, TIME_LIMIT);
    past.changes = found.unwrap_or_else(|error| {
        past.warnings.push(error.to_string());
        Vec::new()
    });
    past.n_hidden = vec![0; past.changes.len()];
    add_people(engine, &place, &mut past);
    let path = place.path.as_str().to_owned();
    past.with = of_commits(&snapshot.commits()?, &|other| other == path);
    past.places.push(place);
    Ok(past)
}

/// Who wrote the lines, and who committed to the file.
fn add_people(engine: &Engine, place: &Place, past: &mut Past) {
    let tree = &engine.tree;
    if let Some(lines) = place.lines.filter(|lines| lines.n_lines() <= MOST_BLAMED) {
        match tree.blame(&place.path, lines, TIME_LIMIT) {
            Ok(blame) => past.blame = blame,
            Err(error) => past.warnings.push(error.to_string()),
        }
    }
    let commits: Vec<(String, kitbag_types::Timestamp)> = match place.lines {
        // Of lines, the commits that changed them.
        Some(_) => {
            let people = past.changes.iter().filter(|change| !change.by_bot);
            people.map(|change| (change.author.clone(), change.at)).collect()
        }
        None => tree
            .past_authors(&place.path, MOST_AUTHORED, TIME_LIMIT)
            .unwrap_or_default(),
    };
    let mut people: Vec<Person> = Vec::new();
    let mut add = |name: &str, at: kitbag_types::Timestamp, n_lines: u32, n_commits: u32| match people
        .iter_mut()
        .find(|person| person.name == name)
    {
        Some(person) => {
            person.n_lines += n_lines;
            person.n_commits += n_commits;
            person.last = person.last.max(at);
        }
        None => people.push(Person {
            name: name.to_owned(),
            n_lines,
            n_commits,
            last: at,
        }),
    };
    for (name, at) in &commits {
        add(name, *at, 0, 1);
    }
    for run in past.blame.iter().filter(|run| run.commit.is_some()) {
        add(&run.author, run.at, run.lines.n_lines(), 0);
    }
    people.sort_by(|a, b| {
        (b.n_lines, b.n_commits, b.last)
            .cmp(&(a.n_lines, a.n_commits, a.last))
            .then_with(|| a.name.cmp(&b.name))
    });
    people.truncate(8);
    past.people = people;
}

/// The history that answers a question.
pub(crate) fn of_question(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    question: &HistoryQuestion,
    filter: &Filter,
    stop: Stop<'_>,
) -> Result<Past, EngineError> {
    let about = analyse(&question.subject);
    let commits = snapshot.commits()?;
    let mut past = Past {
        places: places(engine, snapshot, (question.kind, &about), filter, stop)?,
        ..Past::default()
    };
    stop.check()?;
    let folder = folder_of(&question.subject, &commits);
    let is_asked = |path: &str| {
        let in_folder = folder
            .as_ref()
            .is_some_and(|folder| path.starts_with(folder.as_str()));
        in_folder || past.places.iter().any(|place| place.path.as_str() == path)
    };
    let with = of_commits(&commits, &is_asked);
    let ids = chosen(
        engine,
        snapshot,
        (question.kind, &about),
        &past.places,
        (&commits, &is_asked),
        stop,
    )?;
    let mut of: Vec<RepoPath> = past.places.iter().map(|place| place.path.clone()).collect();
    if folder.is_some() || of.is_empty() {
        of.clear();
    }
    past.with = with;
    // What a commit did to the places in question; of one that is here for its words alone, all of it.
    let mut found = Vec::new();
    for (wants_near, of) in [(true, &of[..]), (false, &[])] {
        let ids = ids.iter().filter(|(_, is_near)| *is_near == wants_near);
        let ids: Vec<String> = ids.map(|(id, _)| id.clone()).collect();
        match engine.tree.past_commits(&ids, of, TIME_LIMIT) {
            Ok(changes) => found.extend(changes),
            Err(error) => past.warnings.push(error.to_string()),
        }
        stop.check()?;
    }
    found.sort_by_key(|change| ids.iter().position(|(id, _)| *id == change.id));
    let wanted = terms_of(&about.text);
    for mut change in found {
        let n_hidden = trim(&mut change, &wanted, &past.places);
        past.n_hidden.push(n_hidden);
        past.changes.push(change);
    }
    if matches!(question.kind, HistoryKind::Who | HistoryKind::Why)
        && let Some(place) = past.places.first().cloned()
    {
        add_people(engine, &place, &mut past);
    }
    past.warnings.dedup();
    Ok(past)
}

/// The places that a question is about: what it names, else the best that a search finds.
fn places(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    (kind, about): (HistoryKind, &Query),
    filter: &Filter,
    stop: Stop<'_>,
) -> Result<Vec<Place>, EngineError> {
    let mut found: Vec<Place> = Vec::new();
    for reference in &about.references {
        match reference {
            Reference::File { path, lines } => {
                let files = snapshot.files_ending(path)?;
                found.extend(files.into_iter().take(1).map(|file| Place {
                    path: file.path,
                    lines: *lines,
                    symbol: None,
                    others: Vec::new(),
                }));
            }
            Reference::Symbol(name) => found.extend(
                meant(snapshot, name)?
                    .fitting
                    .into_iter()
                    .take(1)
                    .map(Place::of_symbol),
            ),
        }
    }
    if found.is_empty() {
        for name in &about.identifiers {
            let symbols = meant(snapshot, name)?.fitting;
            if symbols.len() <= MOST_PLACES {
                found.extend(symbols.into_iter().map(Place::of_symbol));
            }
        }
    }
    let is_asked = !about.text.trim().is_empty();
    if found.is_empty() && is_asked && !about.text.trim_end().ends_with('/') {
        let gathered = gather(engine, snapshot, about, filter, &mut Vec::new(), stop)?;
        for candidate in &gathered.candidates {
            if found.len() == MOST_PLACES || candidate.score < 0.5 {
                break;
            }
            if !found.iter().any(|place| place.path == candidate.chunk.path) {
                let place = Place::of_chunk(&candidate.chunk);
                // What changed lately in something that has no name changed somewhere in its file.
                let lines = place
                    .lines
                    .filter(|_| !matches!(kind, HistoryKind::Lately | HistoryKind::With));
                found.push(Place { lines, ..place });
            }
        }
    }
    found.retain(|place| engine.tree.denied(&place.path).is_none());
    found.truncate(MOST_PLACES);
    Ok(found)
}

/// A folder that the subject names: `crates/kitbag-pack`, `src/`.
fn folder_of(subject: &str, commits: &[CommitRow]) -> Option<String> {
    let folders = subject
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | ',' | '?')))
        .filter(|word| word.contains('/'))
        .map(|word| format!("{}/", word.trim_start_matches("./").trim_end_matches('/')));
    let is_known = |folder: &String| {
        let mut paths = commits.iter().flat_map(|commit| &commit.paths);
        paths.any(|path| path.starts_with(folder.as_str()))
    };
    folders.filter(|folder| folder.len() > 1).find(is_known)
}

/// Whether a path is one of those in question.
type IsAsked<'a> = &'a dyn Fn(&str) -> bool;

/// The ids of the commits that answer, best first, and whether each changed a place in question.
fn chosen(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    (kind, about): (HistoryKind, &Query),
    places: &[Place],
    (commits, is_asked): (&[CommitRow], IsAsked<'_>),
    stop: Stop<'_>,
) -> Result<Vec<(String, bool)>, EngineError> {
    let is_near = |commit: &CommitRow| commit.paths.iter().any(|path| is_asked(path));
    let said = sounding_like(snapshot, &about.terms, stop)?;
    let best = said.first().map_or(0.0, |(_, score)| *score);
    let said = said.into_iter().filter(|(_, score)| *score >= NEAR_BEST * best);
    let said: Vec<&CommitRow> = said.filter_map(|(idx, _)| commits.get(idx as usize)).collect();
    let mut ids: Vec<(String, bool)> = Vec::new();
    let mut add = |id: &str, near: bool| {
        if !ids.iter().any(|(known, _)| known == id) {
            ids.push((id.to_owned(), near));
        }
    };
    if about.text.trim().is_empty() {
        commits
            .iter()
            .take(MOST_COMMITS)
            .for_each(|commit| add(&commit.id, false));
        return Ok(ids);
    }
    if kind == HistoryKind::Why {
        said.iter()
            .filter(|commit| is_near(commit))
            .take(2)
            .for_each(|commit| add(&commit.id, true));
    }
    for place in places {
        if let Some(lines) = place.lines.filter(|_| kind == HistoryKind::First) {
            let first = engine
                .tree
                .past_first(&place.path, lines, TIME_LIMIT)
                .unwrap_or_default();
            first.iter().for_each(|change| add(&change.id, true));
            stop.check()?;
        }
        // Lines are followed by git; of a whole file the index knows the commits.
        if let Some(lines) = place.lines.filter(|_| kind != HistoryKind::With) {
            let changes = engine
                .tree
                .past_of(&place.path, Some(lines), MOST_COMMITS, TIME_LIMIT)
                .unwrap_or_default();
            changes.iter().for_each(|change| add(&change.id, true));
            stop.check()?;
        }
    }
    // Where lines are meant, what else happened to their file says little.
    let n_near = match places.iter().any(|place| place.lines.is_some()) && kind != HistoryKind::With {
        true => FEW_BESIDE,
        false => MOST_COMMITS,
    };
    commits
        .iter()
        .filter(|commit| is_near(commit))
        .take(n_near)
        .for_each(|commit| add(&commit.id, true));
    said.iter()
        .take(2)
        .for_each(|commit| add(&commit.id, is_near(commit)));
    let is_nothing = ids.is_empty();
    let mut add = |id: &str, near: bool| {
        if !ids.iter().any(|(known, _)| known == id) {
            ids.push((id.to_owned(), near));
        }
    };
    if is_nothing {
        for place in places {
            let changes = engine
                .tree
                .past_of(&place.path, None, MOST_COMMITS, TIME_LIMIT)
                .unwrap_or_default();
            changes.iter().for_each(|change| add(&change.id, true));
        }
    }
    ids.truncate(MOST_COMMITS);
    Ok(ids)
}

fn terms_of(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    each_word(text, &mut |word| {
        each_term(word, &mut |term| {
            terms.insert(term.to_owned());
        });
    });
    terms
}

/// Leaves the hunks that matter: at the lines in question, else those that have the most words of the question. Gives how many went.
fn trim(change: &mut PastChange, wanted: &BTreeSet<String>, places: &[Place]) -> usize {
    let mut scored: Vec<(usize, usize, usize)> = Vec::new();
    for (file_idx, file) in change.files.iter().enumerate() {
        let lines: Vec<LineRange> = places
            .iter()
            .filter(|place| place.path == file.path)
            .filter_map(|place| place.lines)
            .collect();
        for (hunk_idx, hunk) in file.hunks.iter().enumerate() {
            let words = terms_of(&hunk.text).intersection(wanted).count();
            let is_there = lines.iter().any(|lines| is_at(hunk, *lines));
            scored.push((words + usize::from(is_there) * 3, file_idx, hunk_idx));
        }
    }
    let n_hunks = scored.len();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    scored.truncate(MOST_HUNKS);
    for (file_idx, file) in change.files.iter_mut().enumerate() {
        let mut hunk_idx = 0;
        file.hunks.retain_mut(|hunk| {
            let keep = scored
                .iter()
                .any(|(_, file, at)| (*file, *at) == (file_idx, hunk_idx));
            hunk_idx += 1;
            shorten(hunk);
            keep
        });
    }
    let has_hunks = change.files.iter().any(|file| !file.hunks.is_empty());
    change.files.retain(|file| !has_hunks || !file.hunks.is_empty());
    change.files.truncate(MOST_FILES);
    n_hunks.saturating_sub(scored.len())
}

/// By the numbers that lines had then, which is near enough to choose by.
fn is_at(hunk: &PastHunk, lines: LineRange) -> bool {
    let (start, n) = hunk.new;
    start <= lines.end() && lines.start() < start.saturating_add(n.max(1))
}

fn shorten(hunk: &mut PastHunk) {
    let mut ends = hunk.text.match_indices('\n').map(|(at, _)| at);
    if let Some(end) = ends.nth(MOST_HUNK_LINES) {
        let n_left = hunk.text[end..].matches('\n').count();
        hunk.text.truncate(end);
        hunk.text.push_str(&format!("\n … {n_left} more lines"));
    }
}
