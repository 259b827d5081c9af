//! Build files that are programs become words, texts and marks: Gradle, Swift, Ruby, Elixir, Scala, Starlark, `setup.py`.
//!
//! Nothing is executed and no grammar is complete: the readers look for a few calls with literal arguments, and what is
//! computed stays unknown. One lexer with a row per dialect does for all of them; a grammar of tree-sitter for each would
//! weigh megabytes and would still leave the same walk over calls. Linear in the length of the text.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

/// How many tokens a call without brackets may have as arguments.
const MAX_ARGUMENTS: usize = 500;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// From 1.
    pub(crate) line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A name, a keyword or a number.
    Word(String),
    /// What stands between quotes.
    Text(String),
    /// A text with something computed inside.
    Computed(String),
    Mark(char),
    LineEnd,
}

pub(crate) struct Dialect {
    line_comments: &'static [&'static str],
    block_comments: bool,
    quotes: &'static [char],
    /// How something computed starts inside a double-quoted text.
    computed: &'static str,
}

pub(crate) const GRADLE: Dialect = Dialect {
    line_comments: &["//"],
    block_comments: true,
    quotes: &['"', '\''],
    computed: "$",
};
pub(crate) const JAVASCRIPT: Dialect = Dialect {
    line_comments: &["//"],
    block_comments: true,
    quotes: &['"', '\'', '`'],
    computed: "${",
};
pub(crate) const SWIFT: Dialect = Dialect {
    line_comments: &["//"],
    block_comments: true,
    quotes: &['"'],
    computed: "\\(",
};
pub(crate) const SCALA: Dialect = Dialect {
    line_comments: &["//"],
    block_comments: true,
    quotes: &['"'],
    computed: "$",
};
pub(crate) const RUBY: Dialect = Dialect {
    line_comments: &["#"],
    block_comments: false,
    quotes: &['"', '\''],
    computed: "#{",
};
pub(crate) const PYTHON: Dialect = Dialect {
    line_comments: &["#"],
    block_comments: false,
    quotes: &['"', '\''],
    computed: "{",
};

pub(crate) struct Script {
    pub(crate) tokens: Vec<Token>,
    /// For each token that opens a bracket the token that closes it, else the token itself.
    closing: Vec<usize>,
}

impl Script {
    pub(crate) fn new(text: &str, dialect: &Dialect) -> Self {
        let tokens = Lexer {
            rest: text,
            line: 1,
            dialect,
        }
        .tokens();
        let mut closing: Vec<usize> = (0..tokens.len()).collect();
        let mut open: Vec<(usize, char)> = Vec::new();
        // How many of each are open, so that a mark without a partner costs no search.
        let mut n_open = BTreeMap::from([(')', 0usize), (']', 0), ('}', 0)]);
        for (at, token) in tokens.iter().enumerate() {
            let mut push = |close: char| {
                open.push((at, close));
                *n_open.entry(close).or_default() += 1;
            };
            match token.kind {
                Kind::Mark('(') => push(')'),
                Kind::Mark('[') => push(']'),
                Kind::Mark('{') => push('}'),
                // A bracket that closes nothing is passed over; one that was left open ends with what is around it.
                Kind::Mark(mark @ (')' | ']' | '}')) => {
                    let is_open = n_open.get(&mark).is_some_and(|n| *n > 0);
                    let found = open.iter().rposition(|(_, close)| is_open && *close == mark);
                    for (opened, close) in open.drain(found.unwrap_or(open.len())..) {
                        closing[opened] = at;
                        *n_open.entry(close).or_default() -= 1;
                    }
                }
                _ => {}
            }
        }
        let end = tokens.len().saturating_sub(1);
        for (opened, _) in open {
            closing[opened] = end;
        }
        Self { tokens, closing }
    }

    pub(crate) fn word(&self, at: usize) -> Option<&str> {
        match &self.tokens.get(at)?.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn text(&self, at: usize) -> Option<&str> {
        match &self.tokens.get(at)?.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.kind == Kind::Mark(mark))
    }

    pub(crate) fn line(&self, at: usize) -> u32 {
        self.tokens.get(at).map_or(1, |token| token.line)
    }

    /// What stands between the bracket at a place and the one that closes it.
    pub(crate) fn inside(&self, open: usize) -> Range<usize> {
        let end = self.closing.get(open).copied().unwrap_or(open);
        open + 1..end.max(open + 1)
    }

    /// Past the bracket that is closed, or past the one token.
    pub(crate) fn past(&self, at: usize) -> usize {
        self.closing.get(at).copied().unwrap_or(at).max(at) + 1
    }

    /// The arguments of a call whose name stands just before: in brackets, or up to the end of the line, where a comma
    /// before the end carries on.
    pub(crate) fn arguments(&self, at: usize) -> Range<usize> {
        if self.is_mark(at, '(') {
            return self.inside(at);
        }
        let mut end = at;
        while let Some(token) = self.tokens.get(end).filter(|_| end < at + MAX_ARGUMENTS) {
            match token.kind {
                Kind::LineEnd if !(end > at && self.is_mark(end - 1, ',')) => break,
                Kind::Mark(';' | '}' | ')' | ']') => break,
                _ => end = self.past(end),
            }
        }
        at..end.min(self.tokens.len()).max(at)
    }

    /// The places inside a range where a comma parts it, brackets kept whole.
    pub(crate) fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            if self.is_mark(at, ',') {
                parts.push(start..at);
                start = at + 1;
                at += 1;
            } else {
                at = self.past(at);
            }
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        for part in &mut parts {
            while part.start < part.end && self.tokens[part.start].kind == Kind::LineEnd {
                part.start += 1;
            }
        }
        parts.retain(|part| part.start < part.end);
        parts
    }

    /// The place of the value in `key: value` or `key = value` among arguments.
    pub(crate) fn labelled(&self, arguments: Range<usize>, key: &str) -> Option<usize> {
        let parts = self.parts(arguments);
        parts.into_iter().find_map(|part| {
            let is_key = self.word(part.start) == Some(key) || self.text(part.start) == Some(key);
            let is_label = self.is_mark(part.start + 1, ':') || self.is_mark(part.start + 1, '=');
            // Ruby and Elixir also write `:key => value`.
            let is_arrow = self.is_mark(part.start, ':')
                && self.word(part.start + 1) == Some(key)
                && self.is_mark(part.start + 2, '=')
                && self.is_mark(part.start + 3, '>');
            match (is_key && is_label, is_arrow) {
                (true, _) => Some(part.start + 2),
                (_, true) => Some(part.start + 4),
                _ => None,
            }
        })
    }

    /// The literal text of a labelled argument.
    pub(crate) fn labelled_text(&self, arguments: Range<usize>, key: &str) -> Option<(&str, u32)> {
        let at = self.labelled(arguments, key)?;
        Some((self.text(at)?, self.line(at)))
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    dialect: &'a Dialect,
}

impl Lexer<'_> {
    fn tokens(mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            let line = self.line;
            let kind = if c == '\n' {
                self.skip(1);
                Kind::LineEnd
            } else if c.is_whitespace() || c == '\u{feff}' {
                self.skip(c.len_utf8());
                continue;
            } else if self
                .dialect
                .line_comments
                .iter()
                .any(|mark| self.rest.starts_with(mark))
            {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
                continue;
            } else if self.dialect.block_comments && self.rest.starts_with("/*") {
                self.skip(self.rest[2..].find("*/").map_or(self.rest.len(), |end| end + 4));
                continue;
            } else if self.dialect.quotes.contains(&c) {
                self.quoted(c)
            } else if c == '_' || c.is_alphanumeric() {
                let is_word = |c: char| c == '_' || c.is_alphanumeric();
                let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
                let word = self.rest[..end].to_owned();
                self.skip(end);
                Kind::Word(word)
            } else {
                self.skip(c.len_utf8());
                Kind::Mark(c)
            };
            tokens.push(Token { kind, line });
        }
        tokens
    }

    fn quoted(&mut self, quote: char) -> Kind {
        let triple: String = [quote; 3].iter().collect();
        let (start, end) = match self.rest.starts_with(&triple) {
            true => (3, self.rest[3..].find(&triple).map(|end| end + 3)),
            false => (1, self.end_of_line_text(quote)),
        };
        let end = end.unwrap_or(self.rest.len());
        let text = self.rest[start.min(end)..end].to_owned();
        // A text that broke off leaves the end of its line for the next token.
        let closed = self.rest[end..].starts_with(quote);
        self.skip(if closed {
            (end + start).min(self.rest.len())
        } else {
            end
        });
        match quote == '"' && text.contains(self.dialect.computed) {
            true => Kind::Computed(text),
            false => Kind::Text(text),
        }
    }

    /// Where a text in single marks ends: at the mark, else at the end of the line, since half a text must not swallow the
    /// rest of the file.
    fn end_of_line_text(&self, quote: char) -> Option<usize> {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => return Some(at),
                c if c == quote => return Some(at),
                _ => {}
            }
        }
        None
    }

    fn skip(&mut self, n_bytes: usize) {
        let skipped = &self.rest[..n_bytes];
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.rest = &self.rest[n_bytes..];
    }
}
