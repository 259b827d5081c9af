//! How much an answer may take: `max_tokens` in, what fits out. The same bounds for every operation that answers with text.

use super::super::project::Open;
use crate::failure::Failure;

/// Clients cut what is longer.
const MAX_TOKENS: usize = 25_000;
const MIN_TOKENS: usize = 200;

/// What is left of `max_tokens` beside the note.
pub(super) fn budget(
    given: Option<usize>,
    default: usize,
    note: Option<&str>,
    open: &Open,
) -> Result<usize, Failure> {
    let tokens = given.unwrap_or(default);
    if !(MIN_TOKENS..=MAX_TOKENS).contains(&tokens) {
        let message = format!("max_tokens must be between {MIN_TOKENS} and {MAX_TOKENS}, not {tokens}");
        return Err(Failure::wrong_use("BUDGET_ERROR", message));
    }
    let noted = note.map_or(0, |note| open.tokenizer.count(note).tokens);
    Ok(tokens.saturating_sub(noted))
}

/// As many of the lines as fit, and how many did not.
pub(super) fn fitting(lines: &[String], tokens: usize, count: &dyn Fn(&str) -> usize) -> String {
    let whole = lines.join("\n");
    if count(&whole) <= tokens {
        return whole;
    }
    let cut = |n: usize| format!("{}\n… {} more lines", lines[..n].join("\n"), lines.len() - n);
    let n_fitting = (0..lines.len())
        .collect::<Vec<usize>>()
        .partition_point(|n| count(&cut(*n)) <= tokens);
    cut(n_fitting.saturating_sub(1))
}
