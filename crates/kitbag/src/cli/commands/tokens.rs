//! `kitbag tokens`: how many tokens a text is to a model. The number alone on standard output; how it was counted beside it.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use kitbag_engine::api::{self, TokensReply};

use crate::cli::answer::Answer;
use crate::cli::arguments::Tokens;
use crate::cli::context::Context;
use crate::failure::Failure;
use crate::printer::grouped;
use crate::settings::Flag;

/// No prompt is larger (SEC-4).
const MAX_BYTES: u64 = 64_000_000;

pub(crate) fn run(context: &Context, arguments: Tokens) -> Result<Answer, Failure> {
    let flags = arguments.model.map(|text| Flag {
        flag: "--model",
        key: "tokenizer.model",
        text,
    });
    let settings = context
        .settings(&context.root(), flags.into_iter().collect())?
        .settings;
    let text = match (arguments.text, arguments.file.as_deref()) {
        (Some(text), _) => text,
        (None, Some(path)) if path != Path::new("-") => {
            let read = File::open(context.cwd.join(path))
                .and_then(|file| text_of(file, &path.display().to_string()));
            read.map_err(|error| {
                Failure::wrong_use(
                    "PATH_NOT_FOUND",
                    format!("{} cannot be read: {error}", path.display()),
                )
            })?
        }
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
    let reply = api::count_tokens(&text, &settings.tokenizer.model)?;
    let answer = Answer::new(context, &reply, |page| {
        page.line(&reply.tokens.to_string());
    });
    Ok(answer.remark(context, &how(&reply)))
}

fn how(reply: &TokensReply) -> String {
    let size = grouped(reply.bytes as u64);
    if reply.exact {
        return format!("exact, by {} ({size} bytes)", reply.tokenizer);
    }
    format!(
        "at most: estimated by {} with {} % headroom ({size} bytes)",
        reply.tokenizer, reply.headroom_percent
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
