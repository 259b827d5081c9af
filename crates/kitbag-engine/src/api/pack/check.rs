//! Is this a request that can be answered (ENG-1), and how many tokens does it ask for (PACK-30, CFG-4)? Wrong values are refused
//! with the list of right ones.

use kitbag_pack::{Depth, Format, Intent, Origin, Style, Template};
use kitbag_rank::tuning::MAX_WORD_BYTES;
use kitbag_tokens::Tokenizer;

use super::{PackRequest, PackSource, PackWarning};
use crate::api::search::{LAST_MS, check_globs, check_languages};
use crate::api::tokenizer_of;
use crate::budget::window_of;
use crate::pack::MOST_SOURCES;
use crate::request::{MAX_BUDGET, categories};
use crate::session::check_id;
use crate::{Engine, EngineError};

/// Longer tasks are refused: a whole issue with its logs is a tenth of this (SEC-4).
const MAX_TASK_BYTES: usize = 256 << 10;

/// No file that is read has as many lines.
const MAX_LINE: u32 = 10_000_000;
/// Definitions that are asked for by name: each is looked up and shown before everything else (SEC-4).
const MOST_SYMBOLS: usize = 200;

/// What a request says, once it is known to make sense.
pub(super) struct Checked {
    pub intent: Option<Intent>,
    pub depth: Option<Depth>,
    /// By the names of the index.
    pub languages: Vec<String>,
    pub style: Style,
    /// Where the request brings none.
    pub tokenizer: Option<Tokenizer>,
}

pub(super) fn check(engine: &Engine, request: &PackRequest<'_>) -> Result<Checked, EngineError> {
    let invalid = |code, message| Err(EngineError::Invalid { code, message });
    let depth = check_brief(request)?;
    if request.task.len() > MAX_TASK_BYTES {
        let n_bytes = request.task.len();
        return invalid(
            "INVALID_QUERY",
            format!("the task has {n_bytes} bytes; at most {MAX_TASK_BYTES} are taken"),
        );
    }
    check_sources(&request.sources)?;
    let is_long = |name: &String| name.len() > MAX_WORD_BYTES;
    if request.symbols.len() > MOST_SYMBOLS || request.symbols.iter().any(is_long) {
        let message = format!("at most {MOST_SYMBOLS} symbols of {MAX_WORD_BYTES} bytes are taken");
        return invalid("INVALID_SOURCES", message);
    }
    check_size(request)?;
    let languages = check_languages(&request.languages)?;
    check_globs(&request.paths)?;
    check_globs(&request.exclude)?;
    request.session.as_deref().map_or(Ok(()), check_id)?;
    let intent = match request.intent.as_deref() {
        None => None,
        Some(text) => match Intent::parse(text) {
            Some(intent) => Some(intent),
            None => {
                let known = Intent::ALL.map(Intent::as_str).join(", ");
                return invalid(
                    "INVALID_INTENT",
                    format!("unknown intent `{text}`; known are {known}"),
                );
            }
        },
    };
    let format = match request.format.as_deref() {
        None => Format::Markdown,
        Some(text) => match Format::parse(text) {
            Some(format) => format,
            None => {
                let known = Format::ALL.map(Format::as_str).join(", ");
                return invalid(
                    "INVALID_FORMAT",
                    format!("unknown format `{text}`; known are {known}"),
                );
            }
        },
    };
    let template = match request.template.as_deref().map(Template::parse).transpose() {
        Ok(template) => template,
        Err(error) => return invalid("FORMATTING_ERROR", format!("the template: {error}")),
    };
    let model = request.model.as_ref().unwrap_or(&engine.options.packing.model);
    let tokenizer = request
        .tokenizer
        .is_none()
        .then(|| tokenizer_of(model))
        .transpose()?;
    Ok(Checked {
        tokenizer,
        intent,
        depth,
        languages,
        style: Style {
            format,
            template,
            line_numbers: request.line_numbers,
        },
    })
}

/// What is asked of the brief (ENG-1), as far as it can be wrong.
fn check_brief(request: &PackRequest<'_>) -> Result<Option<Depth>, EngineError> {
    let invalid = |code, message| Err(EngineError::Invalid { code, message });
    if request.task.trim().is_empty() && !request.map {
        match request.packages.len() {
            0 => return invalid("INVALID_QUERY", "the task is empty".into()),
            1 => {}
            n => {
                let message = format!("without a task one package is told at a time, not {n}");
                return invalid("INVALID_PACKAGE", message);
            }
        }
    }
    if request.map && !request.task.trim().is_empty() {
        let message = "a map has no task: ask for a pack, or leave the task out".to_owned();
        return invalid("INVALID_QUERY", message);
    }
    if let Some(confidence) = request.min_confidence
        && !(0.0..=1.0).contains(&confidence)
    {
        let message = format!("min_confidence must be between 0 and 1, not {confidence}");
        return invalid("INVALID_CONFIDENCE", message);
    }
    let known = categories();
    if let Some(unknown) = request
        .categories
        .iter()
        .find(|name| !known.contains(&name.as_str()))
    {
        let message = format!("unknown category `{unknown}`; known are {}", known.join(", "));
        return invalid("INVALID_CATEGORY", message);
    }
    let depth = |text: &str| {
        Depth::parse(text).ok_or_else(|| EngineError::Invalid {
            code: "INVALID_DEPTH",
            message: format!(
                "unknown depth `{text}`; known are {}",
                Depth::ALL.map(Depth::as_str).join(", ")
            ),
        })
    };
    request.depth.as_deref().map(depth).transpose()
}

/// What is handed in, as far as it can be wrong.
fn check_sources(sources: &[PackSource]) -> Result<(), EngineError> {
    let invalid = |code, message| Err(EngineError::Invalid { code, message });
    if sources.len() > MOST_SOURCES {
        let n = sources.len();
        return invalid(
            "INVALID_SOURCES",
            format!("{n} sources; at most {MOST_SOURCES} are taken"),
        );
    }
    for (idx, source) in sources.iter().enumerate() {
        if Origin::parse(&source.kind).is_none() {
            let known = Origin::ALL.map(Origin::as_str).join(", ");
            let message = format!(
                "source {}: unknown kind `{}`; known are {known}",
                idx + 1,
                source.kind
            );
            return invalid("INVALID_SOURCES", message);
        }
        if source
            .relevance
            .is_some_and(|relevance| !(0.0..=1.0).contains(&relevance))
        {
            let message = format!("source {}: relevance must be between 0 and 1", idx + 1);
            return invalid("INVALID_SOURCES", message);
        }
        let backwards = source
            .line_start
            .is_some_and(|start| source.line_end.is_some_and(|end| end < start));
        let is_line = |line: Option<u32>| line.is_none_or(|line| (1..=MAX_LINE).contains(&line));
        if !is_line(source.line_start) || !is_line(source.line_end) || backwards {
            let message = format!(
                "source {}: lines count from 1 to {MAX_LINE}, the first not after the last",
                idx + 1
            );
            return invalid("INVALID_SOURCES", message);
        }
    }
    if let Some(idx) = sources.iter().position(|source| {
        source
            .timestamp_ms
            .is_some_and(|then| !(0..=LAST_MS).contains(&then))
    }) {
        let message = format!("source {}: timestamp_ms must be between 0 and {LAST_MS}", idx + 1);
        return invalid("INVALID_SOURCES", message);
    }
    Ok(())
}

/// The size that is asked for, as far as it can be wrong.
fn check_size(request: &PackRequest<'_>) -> Result<(), EngineError> {
    let wrong = if request.max_tokens.is_some() && request.window.is_some() {
        "give max_tokens or a window, not both".to_owned()
    } else if let Some(tokens) = request.max_tokens.filter(|tokens| *tokens > MAX_BUDGET) {
        format!("max_tokens must be between 0 and {MAX_BUDGET}, not {tokens}")
    } else if let Some(hard) = request.complexity.filter(|hard| !(1..=10).contains(hard)) {
        format!("complexity must be between 1 and 10, not {hard}")
    } else {
        return request
            .window
            .map_or(Ok(()), |window| window_of(window).map(drop));
    };
    Err(EngineError::Invalid {
        code: "BUDGET_ERROR",
        message: wrong,
    })
}

/// CFG-4. A pack fills its budget on purpose; what is worth a warning is a window that is nearly full.
pub(super) fn window_warning(request: &PackRequest<'_>, tokens: usize, percent: u32) -> Option<PackWarning> {
    let window = request.window?;
    let taken = tokens + window.system_reserve + window.response_reserve;
    let taken_percent = (taken * 100).checked_div(window.total)?;
    (taken_percent > percent as usize).then(|| PackWarning {
        source: "budget".to_owned(),
        reason: format!("pack and reserves take {taken_percent} % of the window, more than {percent} %"),
        fallback: String::new(),
    })
}
