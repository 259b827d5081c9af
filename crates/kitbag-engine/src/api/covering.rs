//! `tests`: which tests cover a change or a place, best first, each with its reasons (CLI-6).

use std::collections::BTreeMap;

use kitbag_store::Snapshot;
use kitbag_types::{LineRange, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_index::{IndexQuestion, checked_limit};
use crate::conventions::is_test;
use crate::covering::{Cover, Subject, covering};
use crate::matched::rounded;
use crate::pack::{Change, read_change};
use crate::place::place_of;
use crate::request::yes;
use crate::{Engine, EngineError, Progress};

const MAX_LIMIT: usize = 100;
const DEFAULT_LIMIT: usize = 10;
/// Places that are told of a change.
const MOST_TOLD: usize = 50;

/// What tests are wanted for: a change, a place, or both.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestsRequest<'s> {
    /// `PATH`, `PATH:LINE`, `PATH:LINE-LINE`, or the name of a definition.
    #[serde(default)]
    pub of: Option<String>,
    /// The working tree against a revision, `a..b` one commit against another, empty against the last commit.
    #[serde(default)]
    pub diff: Option<String>,
    /// Test files, 1 to 100; without it, 10.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: Option<usize>,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    #[serde(skip)]
    pub stop: Stop<'s>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestsReply {
    /// The code that tests are for: touched definitions, and files.
    pub of: Vec<TestedPlace>,
    /// Best first.
    pub tests: Vec<CoveringTest>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestedPlace {
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoveringTest {
    pub path: String,
    /// It certainly uses the code, or is part of the change.
    pub certain: bool,
    /// The weighted sum of the signals; it only orders.
    pub score: f64,
    /// In words, the strongest first.
    pub reasons: Vec<String>,
    /// What speaks for it, each from 0 to 1: certain, likely, by_name, naming, imports, together, words, folder, similar.
    pub signals: BTreeMap<String, f64>,
    /// Tests in it that use the code, certain ones first, at most 8.
    pub cases: Vec<TestCase>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestCase {
    pub name: String,
    pub line_start: u32,
    pub line_end: u32,
    /// What it uses.
    pub uses: String,
    pub certain: bool,
}

pub fn tests(
    engine: &Engine,
    request: &TestsRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<TestsReply, EngineError> {
    let limit = checked_limit(request.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let question = IndexQuestion {
        engine,
        update: request.update,
        stop: request.stop,
        progress,
        now,
    };
    if request.of.is_none() && request.diff.is_none() {
        let message = "say a change (`diff`, may be empty) or a place (`of`: PATH, PATH:LINE or a name)";
        return Err(EngineError::Invalid {
            code: "INVALID_REQUEST",
            message: message.to_owned(),
        });
    }
    let (mut reply, warnings) = question.answer(|snapshot| answer(engine, snapshot, request, limit))?;
    reply.warnings.splice(0..0, warnings);
    Ok(reply)
}

fn answer(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    request: &TestsRequest<'_>,
    limit: usize,
) -> Result<TestsReply, EngineError> {
    let mut warnings = Vec::new();
    let mut subject = Subject::default();
    if let Some(revision) = &request.diff {
        let revision = Some(revision.as_str()).filter(|revision| !revision.is_empty());
        let change = read_change(engine, snapshot, revision)?;
        warnings.extend(change.warnings.iter().cloned());
        subject = of_change(snapshot, &change)?;
    }
    if let Some(of) = &request.of {
        add_place(engine, snapshot, of, &mut subject)?;
    }
    let told = subject.rows.iter().take(MOST_TOLD).map(|row| TestedPlace {
        path: row.path.to_string(),
        line_start: row.lines.start(),
        line_end: row.lines.end(),
        name: row.label.clone(),
    });
    let of: Vec<TestedPlace> = told.collect();
    let nothing = subject.files.is_empty() && subject.tests.is_empty();
    let tests = match nothing {
        true => Vec::new(),
        false => covering(engine, snapshot, &subject, request.stop)?,
    };
    Ok(TestsReply {
        of,
        tests: tests.into_iter().take(limit).map(CoveringTest::from).collect(),
        warnings,
    })
}

/// The definitions that a change touches, and the files.
fn of_change(snapshot: &Snapshot<'_>, change: &Change) -> Result<Subject, EngineError> {
    let mut subject = Subject::default();
    for (path, lines) in &change.touched {
        if is_test(path) {
            subject.tests.push((path.clone(), lines.clone()));
            continue;
        }
        let Some((file, parse)) = snapshot.file(path)?.and_then(|file| Some((file.id, file.parse?))) else {
            continue;
        };
        let touches = |row: LineRange| match lines {
            None => true,
            Some(lines) => lines.iter().any(|lines| lines.overlaps(row)),
        };
        let rows = snapshot.chunks_of(file, parse)?.into_iter();
        let rows: Vec<_> = rows.filter(|row| touches(row.lines)).collect();
        // Documents and settings have no tests of their own.
        if rows.iter().any(|row| row.kind.is_code()) {
            subject.files.push(path.clone());
            subject
                .rows
                .extend(rows.into_iter().filter(|row| row.kind.is_code()));
        }
    }
    let text = change
        .source
        .as_ref()
        .and_then(|source| source.content.as_deref())
        .unwrap_or_default();
    let is_changed =
        |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    for line in text.lines().filter(is_changed) {
        subject.changed_text.push_str(&line[1..]);
        subject.changed_text.push('\n');
    }
    Ok(subject)
}

fn add_place(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    of: &str,
    subject: &mut Subject,
) -> Result<(), EngineError> {
    let place = place_of(engine, snapshot, of, false)?;
    if let Some((file, parse)) = snapshot
        .file(&place.path)?
        .and_then(|file| Some((file.id, file.parse?)))
    {
        let lines = place.symbol.as_ref().map(|symbol| symbol.lines).or(place.lines);
        let rows = snapshot.chunks_of(file, parse)?.into_iter();
        let here = rows.filter(|row| lines.is_none_or(|lines| lines.overlaps(row.lines)));
        subject.rows.extend(here.filter(|row| row.kind.is_code()));
    }
    subject.files.push(place.path);
    Ok(())
}

impl From<Cover> for CoveringTest {
    fn from(cover: Cover) -> Self {
        let signals = cover
            .signals
            .named()
            .into_iter()
            .filter(|(_, value)| *value > 0.0);
        Self {
            path: cover.path.to_string(),
            certain: cover.certain,
            score: rounded(cover.score),
            reasons: cover.reasons,
            signals: signals
                .map(|(name, value)| (name.to_owned(), rounded(value)))
                .collect(),
            cases: cover
                .cases
                .into_iter()
                .map(|case| TestCase {
                    name: case.name,
                    line_start: case.lines.start(),
                    line_end: case.lines.end(),
                    uses: case.uses,
                    certain: case.certain,
                })
                .collect(),
        }
    }
}
