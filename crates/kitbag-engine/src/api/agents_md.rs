//! `agents-md`: a marked block of AGENTS.md with what is true of the code and cannot be guessed (INS-13).
//!
//! What a reader sees at once or every writer of the language does anyway is left out: generated files that repeat the obvious make agents
//! worse. Everything else in the document stays as it is. The door shows the change and writes it.

use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::patterns::{Pattern, PatternLayer, PatternsRequest, patterns};
use crate::{Engine, EngineError, Progress};

const START: &str =
    "<!-- kitbag: start; `kitbag agents-md --write` keeps this block in line with the code -->";
const START_MARK: &str = "<!-- kitbag: start";
const END: &str = "<!-- kitbag: end -->";
/// What the block says at most: it is read before every task.
const PATTERNS: usize = 12;
const LAYERS: usize = 6;
const FILE: &str = "AGENTS.md";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentsMdRequest {
    /// The document, from the root of the project [default: AGENTS.md].
    pub file: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentsMdReply {
    pub file: String,
    /// The document is not as it should be.
    pub changed: bool,
    /// The whole document as it should be.
    pub text: String,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub warnings: Vec<String>,
}

pub fn agents_md(
    engine: &Engine,
    request: &AgentsMdRequest,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<AgentsMdReply, EngineError> {
    let file = request.file.clone().unwrap_or_else(|| FILE.to_owned());
    let path = RepoPath::new(file.as_str()).map_err(|_| EngineError::Invalid {
        code: "INVALID_PATH",
        message: format!("`{file}` is not a path inside the project"),
    })?;
    let old = match engine.tree.exists(&path) {
        true => engine
            .tree
            .read(&path)
            .map_err(|failure| EngineError::Invalid {
                code: "INVALID_PATH",
                message: format!("{file} cannot be read: {failure:?}"),
            })?
            .text
            .to_string(),
        false => String::new(),
    };
    let known = patterns(engine, &PatternsRequest::default(), true, progress, now)?;
    let block = block(&known.patterns, &known.layers);
    let text = placed(&old, &block)?;
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let (before, after) = (lines(&old), lines(&text));
    let without = |from: &[String], other: &[String]| -> Vec<String> {
        from.iter()
            .filter(|line| !other.contains(line))
            .cloned()
            .collect()
    };
    Ok(AgentsMdReply {
        file,
        changed: old != text,
        added: without(&after, &before),
        removed: without(&before, &after),
        text,
        warnings: known.warnings,
    })
}

/// The lines of the block, marks and all.
fn block(patterns: &[Pattern], layers: &[PatternLayer]) -> String {
    let mut out = format!("{START}\n## Conventions of this code\n\n");
    let telling = patterns
        .iter()
        .filter(|one| !one.usual || one.status == "approved");
    let mut n_told = 0;
    for one in telling.take(PATTERNS) {
        let example = one.example.as_ref();
        let example = example.map_or(String::new(), |site| format!(", as `{}`", site.file));
        let counts = format!("{} of {}", one.occurrences, one.applicable);
        out.push_str(&format!("- {} ({counts}{example}).\n", one.statement));
        n_told += 1;
    }
    for layer in layers.iter().take(LAYERS) {
        out.push_str(&format!(
            "- `{}` never imports `{}` (0 of {} imports).\n",
            layer.from, layer.to, layer.could
        ));
        n_told += 1;
    }
    if n_told == 0 {
        out.push_str("Nothing that is not usual was found.\n");
    }
    out.push_str(END);
    out.push('\n');
    out
}

/// The document with the block in the place of the old one, or at its end.
fn placed(old: &str, block: &str) -> Result<String, EngineError> {
    let broken = |what: &str| EngineError::Invalid {
        code: "INVALID_DOCUMENT",
        message: format!("the document has {what}; take the rest of the block out and run this again"),
    };
    match (old.find(START_MARK), old.find(END)) {
        (Some(start), Some(end)) if start < end => {
            let rest = old[end + END.len()..].trim_start_matches('\n');
            let gap = if rest.is_empty() { "" } else { "\n" };
            Ok(format!("{}{block}{gap}{rest}", &old[..start]))
        }
        (None, None) if old.trim().is_empty() => Ok(block.to_owned()),
        (None, None) => Ok(format!("{}\n\n{block}", old.trim_end())),
        (Some(_), _) => Err(broken("a `kitbag: start` without a `kitbag: end` after it")),
        (None, Some(_)) => Err(broken("a `kitbag: end` without a `kitbag: start`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ins_13_the_block_takes_the_place_of_the_old_one() {
        let block = block(&[], &[]);
        let first = placed("# Shop\n\nBe kind.\n", &block).unwrap();
        assert!(
            first.starts_with("# Shop\n\nBe kind.\n\n<!-- kitbag: start"),
            "{first}"
        );
        assert_eq!(placed(&first, &block).unwrap(), first);
        let more = first.clone() + "\n## Else\n";
        assert_eq!(placed(&more, &block).unwrap(), more);
        assert!(placed("<!-- kitbag: start -->", &block).is_err());
        assert!(placed("<!-- kitbag: end -->", &block).is_err());
    }
}
