//! The tokenizer of a model that is named by a person, or what names there are.

use kitbag_engine::api;
use kitbag_tokens::Tokenizer;

use crate::failure::Failure;

/// The code of a failure to count.
pub const UNKNOWN: &str = "TOKEN_COUNTING_ERROR";

pub fn of_model(model: &str) -> Result<Tokenizer, Failure> {
    Tokenizer::of_model(model).ok_or_else(|| {
        let known = api::models().join(", ");
        Failure::wrong_use(UNKNOWN, format!("no tokenizer is known for `{model}`"))
            .with_hint(format!("name one of {known}"))
    })
}
