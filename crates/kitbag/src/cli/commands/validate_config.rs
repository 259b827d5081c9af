//! `kitbag validate-config`: everything that is wrong with the configuration at once, by file, line and column (CFG-3).

use std::path::{Path, PathBuf};

use kitbag_engine::api::{self, IndexableCounts};
use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::arguments::ValidateConfig;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Style, counted, grouped};
use kitbag_door::settings::{self, ConfigError, ConfigErrors, ConfigFile, Place};
use kitbag_door::surroundings::languages;

#[derive(Serialize)]
struct ValidateReply {
    valid: bool,
    /// The files that were looked at.
    files: Vec<String>,
    errors: Vec<ErrorReply>,
    /// The files that it allows and skips; null if it is wrong (IDX-7).
    indexable: Option<IndexableCounts>,
}

#[derive(Serialize)]
struct ErrorReply {
    /// `FILE:LINE:COLUMN`, or the name of a variable or flag.
    place: String,
    path: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
}

pub(crate) fn run(context: &Context, arguments: ValidateConfig) -> Result<Answer, Failure> {
    let root = context.around.root();
    let read = match arguments.file {
        Some(path) => settings::file(&context.around.cwd.join(&path), &path).map(|file| vec![file]),
        None => settings::files(&root, &context.around.variables),
    };
    let mut files = Vec::new();
    let (errors, indexable) = match read {
        Ok(read) => {
            files = read.iter().map(|file| file.path.display().to_string()).collect();
            check(context, &root, &read)?
        }
        Err(errors) => (replies(errors), None),
    };
    let reply = ValidateReply {
        valid: errors.is_empty(),
        files,
        errors,
        indexable,
    };
    let answer = Answer::new(context, &reply, |page| {
        for error in &reply.errors {
            page.styled(Style::Path, &error.place).put(": ");
            page.line(&error.message);
        }
        if reply.valid {
            page.styled(Style::Good, "valid");
            let files = if reply.files.is_empty() {
                "no configuration file, defaults".to_owned()
            } else {
                reply.files.join(", ")
            };
            page.line(&format!(": {files}"));
        }
        if let Some(counts) = &reply.indexable {
            let listed = |counts: &mut dyn Iterator<Item = (&str, u64)>| {
                let each: Vec<String> = counts.map(|(what, n)| format!("{what} {}", grouped(n))).collect();
                each.join(", ")
            };
            let paths = listed(&mut counts.watch_paths.iter().map(|(path, n)| (path.as_str(), *n)));
            page.line(&format!("lets in {} ({paths})", counted(counts.files, "file")));
            if !counts.skipped.is_empty() {
                let reasons = listed(&mut counts.skipped.iter().map(|(reason, n)| (*reason, *n)));
                page.line(&format!("keeps out, a folder counts once: {reasons}"));
            }
        }
    });
    Ok(if reply.valid {
        answer
    } else {
        answer.exit(Exit::WrongUse)
    })
}

/// Errors of the settings themselves, then errors of globs and regular expressions from the engine.
fn check(
    context: &Context,
    root: &Path,
    files: &[ConfigFile],
) -> Result<(Vec<ErrorReply>, Option<IndexableCounts>), Failure> {
    let flags = context.around.with_store(Vec::new());
    let loaded = match settings::load(files, &context.around.variables, &flags, &languages()) {
        Ok(loaded) => loaded,
        Err(errors) => return Ok((replies(errors), None)),
    };
    match context.engine(root, &loaded) {
        Ok(engine) => Ok((
            Vec::new(),
            Some(api::count_indexable(&engine, context.around.now)?),
        )),
        Err((failure, Some(place))) => {
            let message = failure.message;
            Ok((replies(ConfigErrors(vec![ConfigError { place, message }])), None))
        }
        Err((failure, None)) => Err(failure),
    }
}

fn replies(errors: ConfigErrors) -> Vec<ErrorReply> {
    let reply = |error: ConfigError| {
        let place = error.place.to_string();
        let (path, line, column): (Option<PathBuf>, _, _) = match error.place {
            Place::File { path, line, column } => (Some(path), Some(line), Some(column)),
            _ => (None, None, None),
        };
        ErrorReply {
            place,
            path: path.map(|path| path.display().to_string()),
            line,
            column,
            message: error.message,
        }
    };
    errors.0.into_iter().map(reply).collect()
}
