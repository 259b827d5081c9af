//! `guidance`: what to know before touching a part of the project, from what the other facts say (INS-9).

use std::collections::BTreeMap;

use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constraints::{ConstraintFact, ConstraintsRequest, constraints};
use super::key_files::{KeyFilesRequest, key_files};
use super::patterns::{Pattern, PatternsRequest, patterns};
use crate::{Engine, EngineError, Progress};

/// What is told at most (INS-9).
const PATTERNS: usize = 5;
const LEAST_CONFIDENCE: f64 = 0.8;
const CONSTRAINTS: usize = 3;
const FILES: usize = 5;
/// A category with fewer patterns is no insight.
const LEAST_OF_CATEGORY: usize = 2;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GuidanceRequest {
    /// Only about this package, by its name or path.
    pub package: Option<String>,
    /// Only about this file or folder.
    pub path: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Guidance {
    /// Categories with several conventions: `naming: 4 conventions, 0.98 followed`.
    pub insights: Vec<String>,
    /// At most 5, what a reader could not guess first.
    pub patterns: Vec<Pattern>,
    /// At most 3 that a tool or a document enforces.
    pub constraints: Vec<ConstraintFact>,
    /// At most 5, best first.
    pub files: Vec<GuidanceFile>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceFile {
    pub path: String,
    /// Why it is worth opening.
    pub reason: String,
}

pub fn guidance(
    engine: &Engine,
    request: &GuidanceRequest,
    update: bool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<Guidance, EngineError> {
    let asked = PatternsRequest {
        package: request.package.clone(),
        paths: request.path.iter().map(|path| below(path)).collect(),
        ..PatternsRequest::default()
    };
    let known = patterns(engine, &asked, update, progress, now)?;
    let mut guidance = Guidance {
        insights: insights(&known.patterns),
        warnings: known.warnings,
        ..Guidance::default()
    };
    let strong = known
        .patterns
        .into_iter()
        .filter(|one| one.confidence >= LEAST_CONFIDENCE);
    guidance.patterns = strong.take(PATTERNS).collect();
    let asked = ConstraintsRequest {
        package: request.package.clone(),
        path: request.path.clone(),
        kind: None,
    };
    let said = constraints(engine, &asked, now)?;
    let strict = said
        .constraints
        .into_iter()
        .filter(|one| one.enforcement == "error");
    guidance.constraints = strict.take(CONSTRAINTS).collect();
    guidance.warnings.extend(said.warnings);
    let asked = KeyFilesRequest {
        package: request.package.clone(),
        path: request.path.clone(),
    };
    let keys = key_files(engine, &asked, progress, now)?;
    let files = keys.key_files.iter().map(|file| GuidanceFile {
        path: file.path.clone(),
        reason: match file.changes {
            0 => "much of the code uses it".to_owned(),
            changes => format!("much of the code uses it; changed {changes} times"),
        },
    });
    let together = keys.changes_together.iter().map(|file| GuidanceFile {
        path: file.path.clone(),
        reason: format!(
            "changed {} times together with what was asked about",
            file.changes
        ),
    });
    guidance.files = files.take(FILES).collect();
    guidance.files.extend(together.take(FILES - guidance.files.len()));
    guidance.warnings.extend(keys.warnings);
    Ok(guidance)
}

/// A folder stands for what is below it.
fn below(path: &str) -> String {
    path.trim_start_matches("./").trim_end_matches('/').to_owned()
}

fn insights(patterns: &[Pattern]) -> Vec<String> {
    let mut categories: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for one in patterns {
        categories.entry(&one.category).or_default().push(one.confidence);
    }
    let mut told: Vec<(&str, Vec<f64>)> = categories
        .into_iter()
        .filter(|(_, shares)| shares.len() >= LEAST_OF_CATEGORY)
        .collect();
    told.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(b.0)));
    let said = told.iter().map(|(category, shares)| {
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        format!(
            "{category}: {} conventions, followed {:.0} %",
            shares.len(),
            mean * 100.0
        )
    });
    said.collect()
}
