//! `patterns`: what the code of the project does nearly always, counted, with an example and outliers (INS-1, INS-2).

use std::borrow::Cow;

use kitbag_analyse::patterns::decisions::{DECISIONS_FILE, Decisions, Status};
use kitbag_analyse::patterns::{Category, Layer, Pattern as Found, Project, Site, Source};
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::{RepoPath, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_units;
use crate::globs::globs;
use crate::packages::stored;
use crate::scope::find;
use crate::trend::{Added, drop_failing};
use crate::{Engine, EngineError, Progress};

/// What is asked for; without a filter, what is strong enough to be shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PatternsRequest {
    /// Only what has cases in this package, by its name, its path, or a part of either.
    pub package: Option<String>,
    /// Only what has cases in these files or folders, or in paths that match these patterns.
    pub paths: Vec<String>,
    /// Only of this category: `naming`, `tests`, `error_handling` …
    pub category: Option<String>,
    /// Also what is too weak or too rare to be shown, and what was ignored.
    pub all: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PatternsReply {
    /// Approved ones first, then the surest.
    pub patterns: Vec<Pattern>,
    /// Folders that never import others.
    pub layers: Vec<PatternLayer>,
    /// How many there are that are not shown.
    pub hidden: u64,
    /// Files that were looked at.
    pub files: u64,
    pub warnings: Vec<String>,
}

/// A convention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pattern {
    /// Stays the same while the convention does.
    pub id: String,
    pub name: String,
    pub category: Cow<'static, str>,
    /// In plain words.
    pub statement: String,
    /// Followed / applicable.
    pub confidence: f64,
    /// How often it is followed.
    pub occurrences: u64,
    /// How often it could be.
    pub applicable: u64,
    /// `discovered`, `approved` or `ignored`.
    pub status: Cow<'static, str>,
    /// Found by comparing groups of the code, not by a list of known conventions.
    pub mined: bool,
    /// How much more often than elsewhere in the code; 1 for what was not mined.
    pub lift: f64,
    /// Strong enough to be shown without `all`.
    pub shown: bool,
    /// What everybody who writes the language does anyway.
    pub usual: bool,
    /// At least 95 % of many cases: as good as a rule (INS-3).
    pub constraint: bool,
    /// Up to 5 files that follow it.
    pub files: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<PatternSite>,
    /// The first places that do not follow it.
    pub outliers: Vec<PatternSite>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PatternSite {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What stands there: a function, a type, a file.
    pub name: String,
    /// The line itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A folder that never imports another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PatternLayer {
    pub from: String,
    pub to: String,
    /// Imports of other folders in `from`: each could have been of `to`.
    pub could: u64,
    /// Imports of `from` in `to`.
    pub back: u64,
}

/// What [`PatternsRequest::category`] takes.
pub fn pattern_categories() -> Vec<&'static str> {
    Category::ALL.iter().map(|category| category.name()).collect()
}

pub fn patterns(
    engine: &Engine,
    request: &PatternsRequest,
    update: bool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<PatternsReply, EngineError> {
    check_category(request)?;
    let globs = globs(&request.paths)?;
    let (decisions, odd) = decisions(engine);
    let (mut reply, repaired) = engine.repairing(|again| {
        let mut warnings = Vec::new();
        if again || update {
            super::search::update(engine, Stop::never(), progress, now, &mut warnings)?;
        }
        let store = engine.read_store().map_err(|error| match error {
            error @ StoreError::Corrupt { .. } => EngineError::Store(error),
            _ => not_indexed(),
        })?;
        let snapshot = Snapshot::open(&store, engine.root())?.ok_or_else(not_indexed)?;
        let packages = stored(&snapshot)?.map(|known| known.packages);
        let one = match (&request.package, &packages) {
            (Some(wanted), Some(packages)) => Some(find(packages, wanted)?),
            (Some(_), None) => return Err(not_indexed()),
            (None, _) => None,
        };
        let is_wanted = |path: &RepoPath| {
            let of = |path| packages.as_ref().and_then(|packages| packages.of_file(path));
            one.is_none_or(|one| of(path) == Some(one))
                && (request.paths.is_empty() || globs.is_match(path.as_str()))
        };
        let files = code_units::read(&snapshot)?;
        let sources: Vec<Source<'_>> = files.iter().map(code_units::CodeFile::source).collect();
        let project = Project::new(&sources);
        let asked = Asked {
            request,
            decisions: &decisions,
            is_wanted: &is_wanted,
        };
        let mut found = project.patterns();
        // Without a history there is nothing to test with.
        if let Ok(recent) = Added::before(engine, "HEAD") {
            drop_failing(&project, &mut found, &recent);
        }
        let mut reply = answer(&project, &found, &sources, &asked);
        reply.warnings = warnings;
        Ok(reply)
    })?;
    reply.warnings.extend(odd);
    reply.warnings.extend(repaired);
    Ok(reply)
}

/// What the reply is limited by.
struct Asked<'a> {
    request: &'a PatternsRequest,
    decisions: &'a Decisions,
    is_wanted: &'a dyn Fn(&RepoPath) -> bool,
}

fn answer(
    project: &Project<'_>,
    found: &[Found],
    sources: &[Source<'_>],
    asked: &Asked<'_>,
) -> PatternsReply {
    let request = asked.request;
    let is_limited = request.package.is_some() || !request.paths.is_empty();
    let mut reply = PatternsReply {
        files: sources.len() as u64,
        ..PatternsReply::default()
    };
    for one in found {
        let of_category = request
            .category
            .as_deref()
            .is_none_or(|wanted| wanted == one.category.name());
        if !of_category || is_limited && !project.applies(&one.rule, asked.is_wanted) {
            continue;
        }
        let status = asked.decisions.status(&one.id);
        let is_shown = match status {
            Status::Approved => true,
            Status::Ignored => false,
            Status::Discovered => one.is_shown,
        };
        if is_shown || request.all {
            reply.patterns.push(shown(one, status, sources));
        } else {
            reply.hidden += 1;
        }
    }
    reply
        .patterns
        .sort_by_key(|one| one.status != Status::Approved.name());
    if request
        .category
        .as_deref()
        .is_none_or(|wanted| wanted == Category::Coupling.name())
        && !is_limited
    {
        reply.layers = project.layers().into_iter().map(layer).collect();
    }
    reply
}

fn shown(one: &Found, status: Status, sources: &[Source<'_>]) -> Pattern {
    let site = |site: &Site| {
        let at = sources
            .binary_search_by(|source| source.path.cmp(&site.path))
            .ok();
        let text = at.and_then(|at| sources[at].text.lines().nth(site.line as usize - 1));
        let text: String = text.unwrap_or_default().trim().chars().take(160).collect();
        PatternSite {
            file: site.path.to_string(),
            line: site.line,
            name: site.name.clone(),
            text,
        }
    };
    Pattern {
        id: one.id.clone(),
        name: one.name.clone(),
        category: one.category.name().into(),
        statement: one.statement.clone(),
        confidence: (one.confidence() * 1e4).round() / 1e4,
        occurrences: one.followed,
        applicable: one.applicable,
        status: status.name().into(),
        mined: one.is_mined,
        lift: one.lift,
        shown: one.is_shown,
        usual: one.is_usual(),
        constraint: one.is_constraint(),
        files: one.files.iter().map(ToString::to_string).collect(),
        example: one.example.as_ref().map(site),
        outliers: one.outliers.iter().map(site).collect(),
    }
}

fn layer(layer: Layer) -> PatternLayer {
    PatternLayer {
        from: layer.from,
        to: layer.to,
        could: layer.could,
        back: layer.back,
    }
}

/// What people decided, and what is wrong with the file that says so.
fn decisions(engine: &Engine) -> (Decisions, Option<String>) {
    let Ok(path) = RepoPath::new(DECISIONS_FILE) else {
        return (Decisions::default(), None);
    };
    let Ok(source) = engine.tree.read(&path) else {
        return (Decisions::default(), None);
    };
    match Decisions::read(&source.text) {
        Ok(decisions) => (decisions, None),
        Err(problem) => (
            Decisions::default(),
            Some(format!("{DECISIONS_FILE} is not read: {problem}")),
        ),
    }
}

/// A decision about patterns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideRequest {
    /// Of patterns, as `patterns` gives them.
    pub ids: Vec<String>,
    /// `approved`, `ignored`, or `discovered` to take a decision back.
    pub status: String,
}

/// The file of decisions as it is to be written; the door writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecideReply {
    /// From the root of the project.
    pub file: String,
    pub text: String,
    pub ids: Vec<String>,
    pub status: String,
}

/// The patterns must be known: a wrong id would decide nothing and say nothing.
pub fn decide_patterns(
    engine: &Engine,
    request: &DecideRequest,
    now: Timestamp,
) -> Result<DecideReply, EngineError> {
    let all = [Status::Approved, Status::Ignored, Status::Discovered];
    let Some(status) = all.into_iter().find(|status| status.name() == request.status) else {
        return Err(EngineError::Invalid {
            code: "INVALID_STATUS",
            message: format!(
                "unknown status `{}`; known are approved, ignored, discovered",
                request.status
            ),
        });
    };
    let (mut decisions, odd) = decisions(engine);
    if let Some(problem) = odd {
        return Err(EngineError::Invalid {
            code: "INVALID_DECISIONS",
            message: problem,
        });
    }
    let everything = PatternsRequest {
        all: true,
        ..PatternsRequest::default()
    };
    let known = patterns(engine, &everything, true, &mut |_| {}, now)?.patterns;
    for id in &request.ids {
        let is_known = known.iter().any(|one| one.id == *id) || decisions.status(id) != Status::Discovered;
        if !is_known {
            return Err(EngineError::Invalid {
                code: "UNKNOWN_PATTERN",
                message: format!(
                    "there is no pattern `{id}`; `kitbag patterns --all` lists those that there are"
                ),
            });
        }
        decisions.decide(id, status);
    }
    Ok(DecideReply {
        file: DECISIONS_FILE.to_owned(),
        text: decisions.text(),
        ids: request.ids.clone(),
        status: request.status.clone(),
    })
}

fn check_category(request: &PatternsRequest) -> Result<(), EngineError> {
    match &request.category {
        Some(category) if !pattern_categories().contains(&category.as_str()) => Err(EngineError::Invalid {
            code: "INVALID_CATEGORY",
            message: format!(
                "unknown category `{category}`; known are {}",
                pattern_categories().join(", ")
            ),
        }),
        _ => Ok(()),
    }
}

fn not_indexed() -> EngineError {
    EngineError::Invalid {
        code: "NOT_INDEXED",
        message: "the project is not indexed; run `kitbag index` first".to_owned(),
    }
}
