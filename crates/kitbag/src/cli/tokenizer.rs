//! The tokenizer that a person means: that of a model by name, or one in a file of their own.

use std::io::Read as _;
use std::path::Path;

use kitbag_engine::open_named;
use kitbag_tokens::{MAX_JSON_BYTES, Tokenizer};

use super::context::Context;
use super::input::unreadable;
use kitbag_door::failure::Failure;

/// The error code if a text cannot be counted.
const UNKNOWN: &str = "TOKEN_COUNTING_ERROR";

pub(crate) fn custom_tokenizer(context: &Context, path: &Path) -> Result<Tokenizer, Failure> {
    let name = path.display().to_string();
    // One byte more than allowed is enough for it to be refused.
    let mut json = Vec::new();
    open_named(&context.around.cwd.join(path))
        .and_then(|file| file.take(MAX_JSON_BYTES as u64 + 1).read_to_end(&mut json))
        .map_err(|error| unreadable(path, &error))?;
    Tokenizer::from_json(name.clone(), &json).map_err(|invalid| {
        Failure::wrong_use(UNKNOWN, format!("{name} is not a tokenizer: {}", invalid.what))
            .with_hint(invalid.advice)
    })
}
