//! `add_context` and `delete_context`: a text is searched and packed from now on although no file has it, until it is dropped.

use kitbag_store::AddedText;
use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Hit;
use crate::added::AddedChunk;
use crate::api::search::Factor;
use crate::matched::rounded;
use crate::{Engine, EngineError};

/// Of one text (SEC-4).
const MAX_BYTES: usize = 1 << 20;

/// A text to be searched and packed: a buffer that is not saved, or a document that was generated.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddTextRequest {
    /// A path of the project, whose text this is instead of what the file says, or any other name such as `notes/plan.md`. Without it, a
    /// name is made from the text.
    #[serde(default, alias = "id", alias = "path")]
    pub name: Option<String>,
    #[serde(alias = "text")]
    pub content: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AddTextReply {
    /// Drops it again.
    pub id: String,
    /// It is found from now on.
    pub indexed: bool,
    /// False: it took the place of an older text of this name.
    pub is_new: bool,
    pub bytes: usize,
}

fn invalid(code: &'static str, message: String) -> EngineError {
    EngineError::Invalid { code, message }
}

pub fn add_text(
    engine: &Engine,
    user: &str,
    request: &AddTextRequest,
    now: Timestamp,
) -> Result<AddTextReply, EngineError> {
    if request.content.trim().is_empty() || request.content.len() > MAX_BYTES {
        let message = format!("a text has 1 to {MAX_BYTES} bytes, not {}", request.content.len());
        return Err(invalid("INVALID_TEXT", message));
    }
    let text = engine.tree.redact(&request.content).0.into_owned();
    let name = match request.name.as_deref().map(str::trim) {
        Some(name) => name.to_owned(),
        None => format!("added/{}.md", crate::memory::code::digest(&text)),
    };
    let path = RepoPath::new(name.as_str()).ok().filter(|_| name.len() <= 500);
    let Some(path) = path else {
        let message = format!("`{name}` is not a name that a file of the project could have");
        return Err(invalid("INVALID_PATH", message));
    };
    if let Some(reason) = engine.tree.denied(&path) {
        return Err(invalid("PATH_DENIED", format!("{path}: {reason}")));
    }
    let added = AddedText {
        name: name.clone(),
        text,
        at: now,
    };
    let is_new = engine.journal(|journal| journal.add_text(user, &added))?;
    Ok(AddTextReply {
        id: name,
        indexed: true,
        is_new,
        bytes: added.text.len(),
    })
}

/// False: the user has added none of this name.
pub fn drop_text(engine: &Engine, user: &str, id: &str) -> Result<bool, EngineError> {
    Ok(engine.journal(|journal| journal.drop_text(user, id))?)
}

impl From<AddedChunk> for Hit {
    fn from(added: AddedChunk) -> Self {
        let chunk = added.chunk;
        Self {
            rank: 0,
            path: added.name,
            line_start: chunk.lines.start(),
            line_end: chunk.lines.end(),
            kind: chunk.kind.as_str().into(),
            label: chunk.label,
            part: (chunk.part.1 > 1).then_some(chunk.part.into()),
            definition: None,
            language: added.language,
            score: rounded(added.share),
            reasons: vec![Factor {
                factor: "added".into(),
                value: rounded(added.share),
            }],
            found_by: vec!["added"],
            tokens: added.tokens,
            text: added.text,
        }
    }
}
