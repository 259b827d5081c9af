//! What a door hands to `pack` that is neither a path of the project nor a text it has: the working diff; and whether a file
//! may be handed in at all.

use kitbag_repo::DiffError;
use kitbag_types::RepoPath;

use super::{PackSource, PackWarning};
use crate::{Engine, EngineError};

/// The diff as a source, if anything differs, and what had to be left out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffSource {
    pub source: Option<PackSource>,
    pub warnings: Vec<PackWarning>,
}

/// The working tree against the commit that is checked out, or against `revision`; `a..b`: one commit against another.
pub fn diff_source(engine: &Engine, revision: Option<&str>) -> Result<DiffSource, EngineError> {
    let diff = engine.tree.diff(revision).map_err(refusal)?;
    let label = match revision {
        Some(revision) => format!("git diff {revision}"),
        None => "git diff".to_owned(),
    };
    let warn = |reason: String| PackWarning {
        source: label.clone(),
        reason,
        fallback: String::new(),
    };
    let mut warnings: Vec<PackWarning> = diff
        .left_out
        .iter()
        .map(|(path, why)| warn(format!("{label}: {path} is left out ({why})")))
        .collect();
    if diff.truncated {
        warnings.push(warn(format!("{label}: it is too long, its end is left out")));
    }
    if diff.text.is_empty() && warnings.is_empty() {
        warnings.push(warn(format!("{label}: nothing differs")));
    }
    let source = (!diff.text.is_empty()).then(|| PackSource {
        kind: "tool_result".to_owned(),
        content: Some(diff.text),
        label: Some(label.clone()),
        // The change is what the task is about, whatever words it uses.
        relevance: Some(1.0),
        ..PackSource::default()
    });
    Ok(DiffSource { source, warnings })
}

pub(super) fn refusal(error: DiffError) -> EngineError {
    EngineError::Invalid {
        code: error.code(),
        message: error.to_string(),
    }
}

/// Why a file of this name must not get into a pack, wherever it lies (PACK-2).
pub fn denied_name(engine: &Engine, name: &str) -> Option<String> {
    let path = RepoPath::new(name).ok()?;
    engine.tree.denied(&path)
}
