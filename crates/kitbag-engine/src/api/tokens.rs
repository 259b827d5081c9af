//! `tokens`: how many tokens a text is to a model.

use kitbag_tokens::{Family, count, family_of};
use serde::Serialize;

use crate::EngineError;

#[derive(Clone, Debug, Serialize)]
pub struct TokensReply {
    pub tokens: usize,
    /// False: the model's tokenizer is not public, and the number is an over-estimate.
    pub exact: bool,
    /// What was added for safety, in percent of the estimate.
    pub headroom_percent: u32,
    pub tokenizer: &'static str,
    pub model: String,
    pub bytes: usize,
}

/// Counts `text` as `model` (or a tokenizer family by name) would.
pub fn count_tokens(text: &str, model: &str) -> Result<TokensReply, EngineError> {
    let family = family_of(model).ok_or_else(|| EngineError::Invalid {
        code: "TOKEN_COUNTING_ERROR",
        message: format!(
            "unknown model `{model}`; known tokenizers are {}",
            models().join(", ")
        ),
    })?;
    let counted = count(text, family);
    Ok(TokensReply {
        tokens: counted.tokens,
        exact: counted.exact,
        headroom_percent: counted.headroom_percent,
        tokenizer: family.as_str(),
        model: model.to_owned(),
        bytes: text.len(),
    })
}

/// The tokenizer families.
pub fn models() -> Vec<&'static str> {
    Family::ALL.iter().map(|family| family.as_str()).collect()
}
