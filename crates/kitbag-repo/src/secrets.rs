//! Secrets: found and cut out of a text before anything is stored or shown (SEC-1).
//!
//! One pass of an Aho-Corasick automaton over all prefixes and suspicious names says where to look; small hand-written
//! checks look there. Regular expressions would have to be run over every line: this way ordinary code passes at the
//! speed of the automaton. Tokens with a shape of their own are found anywhere (`tokens`, `shapes`), other secrets by the
//! name they are assigned to and a value that could be one (`names`, `assign`, `value`). A false alarm destroys code that
//! somebody searches for, so in doubt the value decides: words, templates, paths and placeholders stay.
//!
//! Redaction keeps the structure: the same lines, the same quotes around `[REDACTED]`.

mod assign;
mod hunks;
mod names;
mod shapes;
mod tokens;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::{Regex, RegexBuilder};

use crate::RepoError;

const REPLACEMENT: &str = "[REDACTED]";

/// Raised when a rule changes: texts redacted by older rules are then read again. 1: the first. 2: the
/// sides of a diff are looked at as the files they are.
const RULES_VERSION: u32 = 2;

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
    looks: Vec<Look>,
    user: Vec<Regex>,
    fingerprint: [u8; 32],
}

/// What to check where a keyword was found.
#[derive(Clone, Copy, Debug)]
enum Look {
    Token(usize),
    /// A token whose prefix is also a suspicious name.
    TokenThenName(usize),
    Name,
    Shape(shapes::Shape),
}

/// A part of the text that must go.
#[derive(Debug)]
struct Span {
    range: Range<usize>,
    rule: &'static str,
}

impl SecretRules {
    /// The built-in rules and the user's regular expressions; of a match, group 1 is the secret if there is one.
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
        let mut keywords: Vec<&str> = Vec::new();
        let mut looks = Vec::new();
        for (idx, token) in tokens::TOKENS.iter().enumerate() {
            keywords.push(token.prefix);
            let is_name = names::KEYWORDS
                .iter()
                .any(|name| token.prefix.to_ascii_lowercase().contains(name));
            looks.push(if is_name {
                Look::TokenThenName(idx)
            } else {
                Look::Token(idx)
            });
        }
        for keyword in names::KEYWORDS {
            keywords.push(keyword);
            looks.push(Look::Name);
        }
        for (keyword, shape) in shapes::SHAPES {
            keywords.push(keyword);
            looks.push(Look::Shape(*shape));
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&keywords)
            .expect("a few hundred short keywords make a small automaton");
        Ok(Self {
            automaton: Some(automaton),
            looks,
            user,
            fingerprint: fingerprint(true, patterns),
        })
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

    /// Belongs into the key of everything derived from a redacted text: other rules, other text.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }

    /// The text without its secrets, and what was found. Line breaks stay where they are.
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, Vec<Finding>) {
        let mut spans = self.spans(text);
        // In a diff, the signs before the lines hide what the rules look for.
        let hunks = hunks::hunks(text);
        spans.retain_mut(|span| hunks.spare_signs(span));
        for side in &hunks.sides {
            for span in self.spans(&side.text) {
                spans.extend(side.back(&span));
            }
        }
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
            let is_name = match self.looks[found.pattern().as_usize()] {
                Look::Token(idx) => {
                    spans.extend(tokens::check(text, &at, &tokens::TOKENS[idx]));
                    false
                }
                Look::TokenThenName(idx) => {
                    let token = tokens::check(text, &at, &tokens::TOKENS[idx]);
                    let is_name = token.is_none();
                    spans.extend(token);
                    is_name
                }
                Look::Name => true,
                Look::Shape(shape) => {
                    shape(text, &at, &mut spans);
                    false
                }
            };
            if is_name && at.start >= named_up_to {
                let name = names::identifier(text, &at);
                named_up_to = name.end;
                spans.extend(assign::check(text, name));
            }
        }
        for pattern in &self.user {
            for captures in pattern.captures_iter(text) {
                let found = captures.get(1).unwrap_or_else(|| captures.get_match());
                spans.extend(within_lines(text, found.range(), "user pattern"));
            }
        }
        spans
    }
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
            // Two rules, one place: what the second saw further on goes with the first.
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
