//! Conventions that are mined at an older commit, tested on the code that was added since (INS-11). Both trees come from git and
//! are parsed in memory: no index is needed and nothing is written.

use std::borrow::Cow;

use kitbag_analyse::patterns::{Pattern, Project, Source};
use kitbag_repo::DiffError;
use kitbag_types::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_units::{CodeFile, globs, parsed};
use crate::trend::{Added, SINCE_COMMITS, SINCE_SHARE, drop_failing, holds, share};
use crate::{Engine, EngineError};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvalConventionsRequest {
    /// The commit at which conventions are mined; without it, one a quarter of the history back, at most 500 commits.
    pub from: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalConventions {
    pub from: String,
    /// Commits since, along first parents; 0 if a revision was given.
    pub commits: u64,
    /// Files of code then and now.
    pub files_then: u64,
    pub files_now: u64,
    /// Lines of code that were added.
    pub lines_added: u64,
    /// Conventions that would have been shown.
    pub shown: u64,
    /// Those that new code could follow at all.
    pub tested: u64,
    /// The mean of what new code followed, over those.
    pub followed: f64,
    /// The share of them that were followed as often as stated, less 0.05.
    pub held: f64,
    /// Stated confidence against what was followed, in steps.
    pub calibration: Vec<ConventionStep>,
    /// The surest first.
    pub conventions: Vec<ConventionResult>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConventionStep {
    /// Stated confidence, from and below.
    pub from: f64,
    pub to: f64,
    pub conventions: u64,
    /// The mean that was stated, and that was followed.
    pub stated: f64,
    pub followed: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConventionResult {
    pub id: String,
    pub statement: String,
    pub category: Cow<'static, str>,
    pub mined: bool,
    /// It would have been shown.
    pub shown: bool,
    /// Followed / applicable, then.
    pub confidence: f64,
    pub occurrences: u64,
    pub applicable: u64,
    /// In the code that was added.
    pub new_occurrences: u64,
    pub new_applicable: u64,
    /// `true`: followed as often as stated, less 0.05; `false`: not; absent: too few new places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<bool>,
}

pub fn eval_conventions(
    engine: &Engine,
    request: &EvalConventionsRequest,
) -> Result<EvalConventions, EngineError> {
    let fail = |error: DiffError| EngineError::Invalid {
        code: error.code(),
        message: error.to_string(),
    };
    let (from, commits) = match &request.from {
        Some(from) => (from.clone(), 0),
        None => engine
            .tree
            .back("HEAD", SINCE_SHARE, SINCE_COMMITS)
            .map_err(fail)?,
    };
    let globs = globs();
    let then = parsed(engine, &engine.tree.written(None, &from, &globs).map_err(fail)?);
    let now = parsed(engine, &engine.tree.written(None, "HEAD", &globs).map_err(fail)?);
    let added = engine.tree.written(Some(&from), "HEAD", &globs).map_err(fail)?;
    let new = Added::of(&added);
    let is_new = |path: &RepoPath, line: u32, is_file: bool| new.has(path, line, is_file);
    let before: Vec<Source<'_>> = then.iter().map(CodeFile::source).collect();
    let after: Vec<Source<'_>> = now.iter().map(CodeFile::source).collect();
    let written = Project::selected(&after, &is_new);
    let project = Project::new(&before);
    let mut patterns = project.patterns();
    // As `kitbag patterns` would have done at that commit; a history that ends there tells nothing.
    if let Ok(recent) = Added::before(engine, &from) {
        drop_failing(&project, &mut patterns, &recent);
    }
    let results: Vec<ConventionResult> = patterns
        .iter()
        .map(|one| result(one, written.count(&one.rule)))
        .collect();
    let lines_added = added.iter().map(|one| one.lines.len() as u64).sum();
    Ok(EvalConventions {
        from,
        commits: commits as u64,
        files_then: then.len() as u64,
        files_now: now.len() as u64,
        lines_added,
        ..summed(results)
    })
}

fn result(one: &Pattern, (followed, applicable): (u64, u64)) -> ConventionResult {
    let stated = share(one.followed, one.applicable);
    ConventionResult {
        id: one.id.clone(),
        statement: one.statement.clone(),
        category: one.category.name().into(),
        mined: one.is_mined,
        shown: one.is_shown,
        confidence: stated,
        occurrences: one.followed,
        applicable: one.applicable,
        new_occurrences: followed,
        new_applicable: applicable,
        held: holds((followed, applicable), stated),
    }
}

fn summed(conventions: Vec<ConventionResult>) -> EvalConventions {
    let shown: Vec<&ConventionResult> = conventions.iter().filter(|one| one.shown).collect();
    let tested: Vec<&&ConventionResult> = shown.iter().filter(|one| one.held.is_some()).collect();
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
        let mean = if n == 0 { 0.0 } else { sum / f64::from(n) };
        (mean * 1e4).round() / 1e4
    };
    let new = |one: &ConventionResult| share(one.new_occurrences, one.new_applicable);
    let mut calibration = Vec::new();
    for (from, to) in [
        (0.0, 0.7),
        (0.7, 0.8),
        (0.8, 0.9),
        (0.9, 0.95),
        (0.95, 0.99),
        (0.99, 1.01),
    ] {
        let inside =
            |one: &&ConventionResult| one.held.is_some() && one.confidence >= from && one.confidence < to;
        let of_step: Vec<&ConventionResult> = conventions.iter().filter(inside).collect();
        if !of_step.is_empty() {
            calibration.push(ConventionStep {
                from,
                to: f64::min(to, 1.0),
                conventions: of_step.len() as u64,
                stated: mean(&mut of_step.iter().map(|one| one.confidence)),
                followed: mean(&mut of_step.iter().map(|one| new(one))),
            });
        }
    }
    EvalConventions {
        from: String::new(),
        commits: 0,
        files_then: 0,
        files_now: 0,
        lines_added: 0,
        shown: shown.len() as u64,
        tested: tested.len() as u64,
        followed: mean(&mut tested.iter().map(|one| new(one))),
        held: mean(
            &mut tested
                .iter()
                .map(|one| f64::from(u8::from(one.held == Some(true)))),
        ),
        calibration,
        conventions,
    }
}
