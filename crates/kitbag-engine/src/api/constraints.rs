//! `constraints`: the rules that a project has for its code, from its configuration and its documents, each with its place (INS-3).

use std::borrow::Cow;

use kitbag_analyse::constraints::Kind;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::packages::said;
use crate::scope::find;
use crate::{Engine, EngineError, stated};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConstraintsRequest {
    /// Only what applies to this package, by its name or path.
    pub package: Option<String>,
    /// Only what applies to this file or folder.
    pub path: Option<String>,
    /// Only `config` or `document`.
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
    /// `config` or `document`.
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
    Kind::ALL.iter().map(|kind| kind.name()).collect()
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
    let (found, notes) = stated::constraints(engine, now)?;
    let found = found.into_iter().filter(|one| {
        let fits = |path: &str| path.is_empty() || one.applies_to(path);
        request.kind.as_deref().is_none_or(|kind| kind == one.kind.name())
            && package.as_deref().is_none_or(fits)
            && path.is_none_or(fits)
    });
    Ok(ConstraintsReply {
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
    })
}
