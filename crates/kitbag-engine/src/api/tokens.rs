//! `tokens`: how many tokens a text is to a model.

use kitbag_tokens::{Family, Tokenizer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::EngineError;
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokensReply {
    pub tokens: usize,
    /// False for an over-estimate: the model's tokenizer is not public, or the user's own fails on this text.
    pub exact: bool,
    /// The safety margin, in percent of the estimate; also 0 if every byte was counted as a token.
    pub headroom_percent: u32,
    /// A family, or the user's own file.
    pub tokenizer: String,
    pub model: String,
    pub bytes: usize,
}

/// Counts the tokens of `text`; `model` is only repeated in the reply.
pub fn count_tokens(text: &str, tokenizer: &Tokenizer, model: &str) -> TokensReply {
    let counted = tokenizer.count(text);
    TokensReply {
        tokens: counted.tokens,
        exact: counted.exact,
        headroom_percent: counted.headroom_percent,
        tokenizer: tokenizer.name().to_owned(),
        model: model.to_owned(),
        bytes: text.len(),
    }
}

/// The tokenizer families.
pub fn models() -> Vec<&'static str> {
    Family::ALL.iter().map(|family| family.as_str()).collect()
}

/// The tokenizer of a model or of a family of models.
pub fn tokenizer_of(model: &str) -> Result<Tokenizer, EngineError> {
    Tokenizer::of_model(model).ok_or_else(|| EngineError::Invalid {
        code: "TOKEN_COUNTING_ERROR",
        message: format!(
            "no tokenizer is known for `{model}`; known are {}",
            models().join(", ")
        ),
    })
}
