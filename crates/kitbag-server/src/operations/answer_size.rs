//! The size of an answer: `max_tokens` in, the text that fits out. The limits are the same for all operations that answer
//! with text.

#[cfg(test)]
mod tests;

use kitbag_engine::api;

use super::super::call::MOST_TOKENS;
use super::super::project::Open;
use super::pack::opened_files;
use kitbag_door::failure::Failure;

pub(super) const LEAST_TOKENS: usize = 200;

/// The longest path or reason in a note.
const MOST_CHARS: usize = 300;
/// The most files that a call may name; a pack takes no more sources.
const MOST_FILES: usize = 500;

/// The tokens of a tool's pack without `max_tokens`: half of `budget.default_max_tokens`. A person puts one pack into one
/// prompt. A model asks several times, each answer stays in its conversation, and clients warn at 10,000 tokens.
pub(super) fn pack_tokens(open: &Open) -> usize {
    half_of(open.settings.options().packing.default_max_tokens)
}

fn half_of(configured: usize) -> usize {
    (configured / 2).clamp(LEAST_TOKENS, MOST_TOKENS)
}

/// The part of `max_tokens` that the note leaves. The schema has its limits, which every door checks.
pub(super) fn budget(given: Option<usize>, default: usize, note: Option<&str>, open: &Open) -> usize {
    let noted = note.map_or(0, |note| open.tokenizer.count(note).tokens);
    given.unwrap_or(default).saturating_sub(noted)
}

/// What the call named and the answer does not contain. A note before the answer says so, within the budget (MCP-8).
pub(super) struct Unused {
    /// Requested files that cannot be used, with the reason.
    refused: Vec<(String, String)>,
    files: Vec<String>,
    patterns: Vec<String>,
    /// Tokens reserved for the note.
    pub(super) reserve: usize,
}

impl Unused {
    pub(super) fn new(
        open: &Open,
        (files, patterns): (&[String], &[String]),
        budget: usize,
    ) -> Result<Unused, Failure> {
        // The pack refuses longer lists.
        let files = &files[..files.len().min(MOST_FILES)];
        let refused = api::unusable_sources(&open.engine, &opened_files(files));
        let mut unused = Unused {
            refused: refused.into_iter().map(|one| (one.path, one.detail)).collect(),
            files: files.to_vec(),
            patterns: api::patterns_without_files(&open.engine, patterns)?,
            reserve: 0,
        };
        let count = |text: &str| open.tokenizer.count(text).tokens;
        // As if none of the files were in the answer: then the reserve is always large enough.
        unused.reserve = match unused.lines(&unused.patterns, &|_| false) {
            lines if lines.is_empty() => 0,
            lines => count(&fitting(&lines, budget / 4, &count)),
        };
        Ok(unused)
    }

    /// The note for an answer that shows these paths.
    pub(super) fn note(&self, open: &Open, is_shown: &dyn Fn(&str) -> bool) -> Option<String> {
        // What was new when the call came may be indexed by now.
        let patterns = api::patterns_without_files(&open.engine, &self.patterns).unwrap_or_default();
        let lines = self.lines(&patterns, is_shown);
        let count = |text: &str| open.tokenizer.count(text).tokens;
        (!lines.is_empty()).then(|| fitting(&lines, self.reserve, &count))
    }

    fn lines(&self, patterns: &[String], is_shown: &dyn Fn(&str) -> bool) -> Vec<String> {
        let short = |text: &str| text.chars().take(MOST_CHARS).collect::<String>();
        let missing = patterns
            .iter()
            .map(|pattern| format!("Note: no indexed file matches `{}`.", short(pattern)));
        let refused = self
            .refused
            .iter()
            .map(|(path, why)| format!("Note: `{}` was not used: {}.", short(path), short(why)));
        let is_refused = |path: &String| self.refused.iter().any(|(refused, _)| refused == path);
        let left_out = self
            .files
            .iter()
            .filter(|path| !is_refused(path) && !is_shown(path))
            .map(|path| {
                let path = short(path);
                format!("Note: `{path}` is not in this answer: it did not fit; raise max_tokens.")
            });
        missing.chain(refused).chain(left_out).collect()
    }
}

/// For programs, which need the whole answer or an error.
pub(super) fn no_index() -> Failure {
    Failure::trouble("BUSY", "the project is being indexed for the first time")
        .with_hint("try again in a few seconds; /query_context answers from the files meanwhile")
}

/// Joins two notes.
pub(super) fn both(first: Option<String>, second: Option<String>) -> Option<String> {
    let notes: Vec<String> = first.into_iter().chain(second).collect();
    (!notes.is_empty()).then(|| notes.join("\n"))
}

/// As many of the lines as fit, and how many do not.
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
