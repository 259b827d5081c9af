//! `kitbag tokens`: counts the tokens of a text for a model. Standard output has only the number; standard error says how it was
//! counted.

use std::io::{self, IsTerminal as _};

use kitbag_engine::api::{self, TokensReply};
use kitbag_tokens::Tokenizer;

use crate::cli::answer::Answer;
use crate::cli::arguments::Tokens;
use crate::cli::context::Context;
use crate::cli::input::{text_at, text_of_stdin};
use crate::cli::tokenizer::custom_tokenizer;
use kitbag_door::failure::Failure;
use kitbag_door::printer::grouped;
use kitbag_door::settings::Flag;

/// No prompt is larger (SEC-4).
const MAX_BYTES: u64 = 64_000_000;

pub(crate) fn run(context: &Context, arguments: Tokens) -> Result<Answer, Failure> {
    let (tokenizer, model) = match &arguments.tokenizer {
        Some(path) => (custom_tokenizer(context, path)?, path.display().to_string()),
        None => configured(context, arguments.model)?,
    };
    let text = match (arguments.text, arguments.file.as_deref()) {
        (Some(text), _) => text,
        (None, Some(path)) => text_at(context, path, MAX_BYTES)?,
        (None, None) if io::stdin().is_terminal() => {
            let failure = Failure::wrong_use("INVALID_ARGUMENTS", "there is nothing to count");
            return Err(failure.with_hint("name a file, give --text TEXT, or pipe something in"));
        }
        (None, None) => text_of_stdin(MAX_BYTES)?,
    };
    let reply = api::count_tokens(&text, &tokenizer, &model);
    let answer = Answer::new(context, &reply, |page| {
        page.line(&reply.tokens.to_string());
    });
    Ok(answer.remark(context, &how(&reply)))
}

/// The tokenizer of the model that was named, or of the one in the settings.
fn configured(context: &Context, named: Option<String>) -> Result<(Tokenizer, String), Failure> {
    let flags = named.map(|text| Flag {
        flag: "--model",
        key: "tokenizer.model",
        text,
    });
    let model = context
        .around
        .settings(&context.around.root(), flags.into_iter().collect())?
        .settings
        .tokenizer_model;
    Ok((api::tokenizer_of(&model)?, model))
}

fn how(reply: &TokensReply) -> String {
    let (tokenizer, size) = (&reply.tokenizer, grouped(reply.bytes as u64));
    if reply.exact {
        return format!("exact, by {tokenizer} ({size} bytes)");
    }
    match reply.headroom_percent {
        0 => format!("at most: {tokenizer} cannot cut this text, so each of its {size} bytes counts"),
        percent => format!("at most: estimated by {tokenizer} with {percent} % headroom ({size} bytes)"),
    }
}
