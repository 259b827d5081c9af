//! `kitbag tokens`: how many tokens a text is to a model. The number alone on standard output; how it was counted beside it.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use kitbag_engine::api::{self, TokensReply};
use kitbag_tokens::{MAX_JSON_BYTES, Tokenizer};

use crate::cli::answer::Answer;
use crate::cli::arguments::Tokens;
use crate::cli::context::Context;
use crate::failure::Failure;
use crate::printer::grouped;
use crate::settings::Flag;

/// No prompt is larger (SEC-4).
const MAX_BYTES: u64 = 64_000_000;

const UNKNOWN: &str = "TOKEN_COUNTING_ERROR";

pub(crate) fn run(context: &Context, arguments: Tokens) -> Result<Answer, Failure> {
    let (tokenizer, model) = match &arguments.tokenizer {
        Some(path) => (brought(context, path)?, path.display().to_string()),
        None => configured(context, arguments.model)?,
    };
    let text = match (arguments.text, arguments.file.as_deref()) {
        (Some(text), _) => text,
        (None, Some(path)) if path != Path::new("-") => File::open(context.cwd.join(path))
            .and_then(|file| text_of(file, &path.display().to_string()))
            .map_err(|error| unreadable(path, &error))?,
        (None, None) if io::stdin().is_terminal() => {
            let failure = Failure::wrong_use("INVALID_ARGUMENTS", "there is nothing to count");
            return Err(failure.with_hint("name a file, give --text TEXT, or pipe something in"));
        }
        (None, _) => text_of(io::stdin().lock(), "standard input").map_err(|error| {
            Failure::wrong_use(
                "PATH_UNREADABLE",
                format!("standard input cannot be read: {error}"),
            )
        })?,
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
        .settings(&context.root(), flags.into_iter().collect())?
        .settings
        .tokenizer
        .model;
    match Tokenizer::of_model(&model) {
        Some(tokenizer) => Ok((tokenizer, model)),
        None => {
            let known = api::models().join(", ");
            let failure = Failure::wrong_use(UNKNOWN, format!("no tokenizer is known for `{model}`"));
            Err(failure.with_hint(format!("name one of {known}, or give --tokenizer FILE")))
        }
    }
}

fn brought(context: &Context, path: &Path) -> Result<Tokenizer, Failure> {
    let name = path.display().to_string();
    // One byte more than it may have is enough for the room to refuse it.
    let mut json = Vec::new();
    File::open(context.cwd.join(path))
        .and_then(|file| file.take(MAX_JSON_BYTES as u64 + 1).read_to_end(&mut json))
        .map_err(|error| unreadable(path, &error))?;
    Tokenizer::from_json(name.clone(), &json).map_err(|invalid| {
        Failure::wrong_use(UNKNOWN, format!("{name} is no tokenizer: {}", invalid.what))
            .with_hint(invalid.advice)
    })
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

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::wrong_use(
        "PATH_NOT_FOUND",
        format!("{} cannot be read: {error}", path.display()),
    )
}

/// Bytes that are not UTF-8 count as the replacement character, as they would in a prompt.
fn text_of(reader: impl Read, name: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "{name} has more than {} bytes",
            grouped(MAX_BYTES)
        )));
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}
