//! `constraints`: the rules that a project has for its code, from its configuration, its documents and the code itself, each with its place (INS-3).

use std::borrow::Cow;

use kitbag_analyse::constraints::Kind;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::patterns::{PatternsRequest, patterns};
use crate::packages::said;
use crate::scope::find;
use crate::{Engine, EngineError, stated};

/// The kind of what no file states.
const CODE: &str = "code";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConstraintsRequest {
    /// Only what applies to this package, by its name or path.
    pub package: Option<String>,
    /// Only what applies to this file or folder.
    pub path: Option<String>,
    /// Only `config`, `document` or `code`.
    pub kind: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConstraintsReply {
    /// By file and line.
    pub constraints: Vec<ConstraintFact>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConstraintFact {
    /// `error` (a tool rejects code that breaks the rule, or the words leave no choice), `warning` or `info`.
    pub enforcement: Cow<'static, str>,
    /// `config`, `document`, or `code`: what the code itself does in at least 95 % of many cases.
    pub kind: Cow<'static, str>,
    /// Where the rule comes from: a tool, CI, or the name of the document.
    pub tool: String,
    /// `linter`, `formatter`, `types`, `compiler`, `editor`, `imports`, `tests`, `versions`, `ownership`, `ci`, `document`.
    pub category: Cow<'static, str>,
    /// When it applies.
    pub condition: String,
    /// What to do: the setting, or the sentence.
    pub guidance: String,
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// The values of [`ConstraintsRequest::kind`].
pub fn constraint_kinds() -> Vec<&'static str> {
    let stated = Kind::ALL.iter().map(|kind| kind.name());
    stated.chain([CODE]).collect()
}

pub fn constraints(
    engine: &Engine,
    request: &ConstraintsRequest,
    now: Timestamp,
) -> Result<ConstraintsReply, EngineError> {
    if let Some(kind) = &request.kind
        && !constraint_kinds().contains(&kind.as_str())
    {
        return Err(EngineError::Invalid {
            code: "INVALID_KIND",
            message: format!(
                "unknown kind `{kind}`; known are {}",
                constraint_kinds().join(", ")
            ),
        });
    }
    let package = request.package.as_deref().map(|wanted| {
        let known = crate::packages::live(engine, now)?;
        let at = find(&known.packages, wanted)?;
        Ok::<String, EngineError>(known.packages.list()[at].path.clone())
    });
    let package = package.transpose()?;
    let path = request
        .path
        .as_deref()
        .map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let path = path.filter(|path| !path.is_empty() && *path != ".");
    let (found, notes) = match request.kind.as_deref() {
        Some(CODE) => (Vec::new(), Vec::new()),
        _ => stated::constraints(engine, now)?,
    };
    let found = found.into_iter().filter(|one| {
        let fits = |path: &str| path.is_empty() || one.applies_to(path);
        request.kind.as_deref().is_none_or(|kind| kind == one.kind.name())
            && package.as_deref().is_none_or(fits)
            && path.is_none_or(fits)
    });
    let mut reply = ConstraintsReply {
        constraints: found
            .map(|one| ConstraintFact {
                enforcement: one.enforcement.name().into(),
                kind: one.kind.name().into(),
                category: one.category.into(),
                condition: one.condition(),
                file: one.place.path.to_string(),
                line: one.place.line,
                tool: one.tool,
                guidance: one.guidance,
            })
            .collect(),
        warnings: said(&notes),
    };
    if request.kind.as_deref().is_none_or(|kind| kind == CODE) {
        reply.constraints.extend(of_code(engine, request, now)?);
        reply
            .constraints
            .sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    }
    Ok(reply)
}

/// What the code does so often that it is as good as a rule, and its layers; nothing without an index.
fn of_code(
    engine: &Engine,
    request: &ConstraintsRequest,
    now: Timestamp,
) -> Result<Vec<ConstraintFact>, EngineError> {
    let asked = PatternsRequest {
        package: request.package.clone(),
        paths: request.path.iter().cloned().collect(),
        ..PatternsRequest::default()
    };
    let known = match patterns(engine, &asked, false, &mut |_| {}, now) {
        Err(EngineError::Invalid {
            code: "NOT_INDEXED", ..
        }) => return Ok(Vec::new()),
        known => known?,
    };
    let fact = |category: String, guidance: String, file: String, line: u32| ConstraintFact {
        enforcement: "warning".into(),
        kind: CODE.into(),
        tool: "code".to_owned(),
        category: category.into(),
        condition: "new code".to_owned(),
        guidance,
        file,
        line,
    };
    let strong = known.patterns.iter().filter(|one| one.constraint && !one.usual);
    let mut found = Vec::new();
    for one in strong {
        if let Some(site) = &one.example {
            let guidance = format!("{} ({} of {})", one.statement, one.occurrences, one.applicable);
            found.push(fact(
                one.category.to_string(),
                guidance,
                site.file.clone(),
                site.line,
            ));
        }
    }
    for layer in &known.layers {
        let (from, to, could) = (&layer.from, &layer.to, layer.could);
        let guidance = format!("{from} never imports {to} (0 of {could} imports)");
        found.push(fact("coupling".to_owned(), guidance, from.clone(), 1));
    }
    Ok(found)
}
