//! Finds secrets and cuts them out of a text before anything is stored or shown (SEC-1).
//!
//! One pass of an Aho-Corasick automaton over all prefixes and suspicious names finds the places to check; small hand-written
//! checks look there. Regular expressions would have to run over every line; this way ordinary code passes at the speed of the
//! automaton. Tokens with a distinctive form are found anywhere (`tokens`, `shapes`), other secrets by the name they are assigned
//! to and a plausible value (`names`, `assign`, `value`). A false alarm destroys code that somebody searches for, so in doubt the
//! value decides: words, templates, paths and placeholders stay.
//!
//! Redaction keeps the structure: the same lines, the same quotes around `[REDACTED]`.

mod assign;
mod calls;
mod follow;
mod hunks;
mod keys;
mod literal;
mod names;
mod records;
mod runs;
mod shapes;
mod shell;
mod tokens;
mod urls;
mod value;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::{Regex, RegexBuilder};

use crate::RepoError;

const REPLACEMENT: &str = "[REDACTED]";

/// Raised when a rule changes: texts redacted by older rules are then read again. 1: the first. 2: the sides of a diff are checked
/// as files. 3: values are judged as a whole; lists, blocks, pairs, calls, commands and records are read.
const RULES_VERSION: u32 = 3;

/// The most passes over a text. Two are enough for nearly all.
const MOST_PASSES: usize = 8;

/// A secret that was cut out, without its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static str,
    /// Counted from 1.
    pub line: u32,
}

/// The rules, compiled once.
#[derive(Debug)]
pub struct SecretRules {
    /// `None`: nothing is cut out.
    automaton: Option<AhoCorasick>,
    looks: Vec<KeywordCheck>,
    user: Vec<Regex>,
    fingerprint: [u8; 32],
}

/// What to check where a keyword was found.
#[derive(Debug)]
struct KeywordCheck {
    check: Check,
    /// The range of a suspicious name in the keyword: the automaton does not find it a second time.
    name: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
enum Check {
    Token(usize),
    Name,
    Shape(shapes::Shape),
    Call(calls::Argument),
}

/// A part of the text that must be cut out.
#[derive(Debug)]
struct Span {
    range: Range<usize>,
    rule: &'static str,
}

impl SecretRules {
    /// The built-in rules and the user's regular expressions. Group 1 of a match is the secret, if there is such a group.
    pub fn new(patterns: &[String]) -> Result<Self, RepoError> {
        let mut user = Vec::new();
        for pattern in patterns {
            let compiled = RegexBuilder::new(pattern)
                .size_limit(1 << 20)
                .dfa_size_limit(1 << 20)
                .multi_line(true)
                .build();
            user.push(compiled.map_err(|source| RepoError::BadSecretPattern {
                pattern: pattern.clone(),
                source,
            })?);
        }
        Ok(Self {
            user,
            fingerprint: fingerprint(true, patterns),
            ..Self::built_in()
        })
    }

    /// Only the built-in rules.
    pub fn built_in() -> Self {
        let mut keywords: Vec<&str> = Vec::new();
        let mut looks = Vec::new();
        let mut look = |keyword: &'static str, check: Check| {
            keywords.push(keyword);
            looks.push(KeywordCheck {
                check,
                name: name_within(keyword),
            });
        };
        for (idx, token) in tokens::TOKENS.iter().enumerate() {
            look(token.prefix, Check::Token(idx));
        }
        for keyword in names::KEYWORDS {
            look(keyword, Check::Name);
        }
        let shapes = [
            shapes::SHAPES,
            keys::KEYWORDS,
            records::KEYWORDS,
            shell::KEYWORDS,
            urls::KEYWORDS,
        ];
        for (keyword, shape) in shapes.into_iter().flatten() {
            look(keyword, Check::Shape(*shape));
        }
        for (keyword, argument) in calls::CALLS {
            look(keyword, Check::Call(*argument));
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&keywords)
            .expect("a few hundred short keywords make a small automaton");
        Self {
            automaton: Some(automaton),
            looks,
            user: Vec::new(),
            fingerprint: fingerprint(true, &[]),
        }
    }

    /// For users who turn redaction off (`security.scrub_secrets = false`).
    pub fn off() -> Self {
        Self {
            automaton: None,
            looks: Vec::new(),
            user: Vec::new(),
            fingerprint: fingerprint(false, &[]),
        }
    }

    /// Part of the key of everything derived from a redacted text: other rules give another text.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }

    /// The text without its secrets, and what was found. Line breaks stay where they are. A cut can let a rule match the text
    /// beside it, so a changed text is checked again: redacting twice changes nothing.
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, Vec<Finding>) {
        let (mut clean, mut findings) = self.pass(text);
        if findings.is_empty() {
            return (clean, findings);
        }
        for _ in 1..MOST_PASSES {
            let (again, more) = self.pass(&clean);
            if more.is_empty() {
                break;
            }
            clean = Cow::Owned(again.into_owned());
            findings.extend(more);
        }
        findings.sort_by_key(|finding| finding.line);
        findings.dedup();
        (clean, findings)
    }

    fn pass<'t>(&self, text: &'t str) -> (Cow<'t, str>, Vec<Finding>) {
        let mut spans = self.spans(text);
        // In a diff, the signs before the lines hide what the rules look for.
        let hunks = hunks::hunks(text);
        spans.retain_mut(|span| hunks.spare_signs(span));
        for side in &hunks.sides {
            for span in self.spans(&side.text) {
                spans.extend(side.back(&span));
            }
        }
        spans.retain_mut(|span| is_new(text, span));
        cut(text, spans)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        let Some(automaton) = &self.automaton else {
            return Vec::new();
        };
        let mut spans = Vec::new();
        let mut named_up_to = 0;
        for found in automaton.find_iter(text) {
            let at = found.start()..found.end();
            let look = &self.looks[found.pattern().as_usize()];
            let mut is_token = false;
            match look.check {
                Check::Token(idx) => {
                    let token = tokens::check(text, &at, &tokens::TOKENS[idx]);
                    is_token = token.is_some();
                    spans.extend(token);
                }
                Check::Name => {}
                Check::Shape(shape) => shape(text, &at, &mut spans),
                Check::Call(argument) => calls::check(text, &at, argument, &mut spans),
            }
            let name = look.name.as_ref().filter(|_| !is_token);
            let name = name.map(|name| at.start + name.start..at.start + name.end);
            if let Some(at) = name.filter(|at| at.start >= named_up_to) {
                let name = names::identifier(text, &at);
                named_up_to = name.end;
                assign::check(text, name, &mut spans);
            }
        }
        runs::check(text, &mut spans);
        records::csv(text, &mut spans);
        for pattern in &self.user {
            for captures in pattern.captures_iter(text) {
                let found = captures.get(1).unwrap_or_else(|| captures.get_match());
                spans.extend(within_lines(text, found.range(), "user pattern"));
            }
        }
        spans
    }
}

/// The first suspicious name in a keyword.
fn name_within(keyword: &str) -> Option<Range<usize>> {
    let keyword = keyword.to_ascii_lowercase();
    let found = names::KEYWORDS
        .iter()
        .filter_map(|name| Some((keyword.find(name)?, name.len())));
    let (at, n) = found.min()?;
    Some(at..at + n)
}

/// The parts of a range between line breaks.
fn within_lines(text: &str, range: Range<usize>, rule: &'static str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = range.start;
    for line in text[range].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if !content.is_empty() {
            spans.push(Span {
                range: start..start + content.len(),
                rule,
            });
        }
        start += line.len();
    }
    spans
}

/// Whether a span contains more than earlier cuts. A span that contains a part of a mark is extended to the whole mark.
fn is_new(text: &str, span: &mut Span) -> bool {
    let mut from = span.range.start.saturating_sub(REPLACEMENT.len() - 1);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let mut to = text.len().min(span.range.end + REPLACEMENT.len() - 1);
    while !text.is_char_boundary(to) {
        to += 1;
    }
    let mut is_new = true;
    for (at, mark) in text[from..to].match_indices(REPLACEMENT) {
        let mark = from + at..from + at + mark.len();
        let overlaps = mark.start < span.range.end && span.range.start < mark.end;
        if overlaps {
            span.range = span.range.start.min(mark.start)..span.range.end.max(mark.end);
            is_new &= span.range != mark;
        }
    }
    is_new
}

fn cut(text: &str, mut spans: Vec<Span>) -> (Cow<'_, str>, Vec<Finding>) {
    if spans.is_empty() {
        return (Cow::Borrowed(text), Vec::new());
    }
    spans.sort_by_key(|span| (span.range.start, span.range.end));
    let mut clean = String::with_capacity(text.len());
    let mut findings: Vec<Finding> = Vec::new();
    let mut done = 0;
    let mut counted = 0;
    let mut line = 1u32;
    for span in spans {
        if span.range.start < done {
            // Two rules for one place: the rest of the second span is cut with the first.
            done = done.max(span.range.end);
            continue;
        }
        clean.push_str(&text[done..span.range.start]);
        clean.push_str(REPLACEMENT);
        done = span.range.end;
        let n_breaks = text.as_bytes()[counted..span.range.start]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        line = line.saturating_add(u32::try_from(n_breaks).unwrap_or(u32::MAX));
        counted = span.range.start;
        let finding = Finding {
            rule: span.rule,
            line,
        };
        if findings.last() != Some(&finding) {
            findings.push(finding);
        }
    }
    clean.push_str(&text[done..]);
    (Cow::Owned(clean), findings)
}

fn fingerprint(on: bool, patterns: &[String]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&RULES_VERSION.to_le_bytes());
    hasher.update(&[u8::from(on)]);
    for pattern in patterns {
        hasher.update(&(pattern.len() as u64).to_le_bytes());
        hasher.update(pattern.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests;
