//! Texts that must not reach a parser, because its C code cannot handle what is open in them.
//!
//! Some grammars keep a stack of their own beside the tree, in C code that fails on some texts: it writes past a buffer of fixed
//! size or truncates a length, and an assertion ends the process; it copies the stack at every token, which takes minutes; it leaks
//! memory at every token; it reads past a table, or past the end without stopping. No budget sees this, so the stack is estimated
//! from the text first: never too low for correct files, and high only for texts that nobody wrote. Any pattern of a query can
//! select the kind: `(#set! nesting "columns")`.

use std::borrow::Cow;

/// YAML's buffer holds 253 columns.
const MAX_COLUMNS: usize = 200;
/// HTML's scanner rebuilds its stack of open tags at every token, which takes 20 ns per tag. A large page needs a tenth of this.
const MAX_TAG_STEPS: usize = 40_000_000;
/// Elements that are never open, and those that end where the next one begins.
const VOID_TAGS: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
const FOLLOWING_TAGS: [&str; 8] = ["dd", "dt", "li", "option", "p", "td", "th", "tr"];
/// Python's buffer holds 383 indentations beside 255 open strings, and writes past its end.
const MAX_INDENTS: usize = 200;
/// Ruby's buffer of 1,024 bytes holds heredocs (their words and 4 bytes each) and open strings (5 bytes each).
const MAX_HEREDOC_BYTES: usize = 500;
const MAX_STRINGS: usize = 80;
/// Ruby keeps the length of a heredoc's word in one byte.
const MAX_WORD_BYTES: usize = 200;
/// SQL's scanner leaks a copy of the open `$tag$` at every token.
const MAX_DOLLAR_TAG_BYTES: usize = 65;
const MAX_DOLLAR_QUOTED_BYTES: usize = 1 << 20;
/// It also looks for the end of each `$tag$` up to the end of the text.
const MAX_DOLLAR_STEPS: usize = 400_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// Blocks open at columns, as in YAML.
    Columns,
    /// Blocks open from `<a>` to `</a>`.
    Tags,
    /// Blocks open while lines are indented, as in Python.
    Indents,
    /// `<<~WORD` is open until a line that is `WORD`, as in Ruby.
    Heredocs,
    /// `$tag$` is open until the next `$tag$`, as in PostgreSQL.
    DollarQuotes,
    /// `{1..3}` is a range, as in shells.
    Ranges,
    /// `@Name` extends to white space, as in Kotlin.
    Annotations,
}

impl Nesting {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "columns" => Some(Self::Columns),
            "tags" => Some(Self::Tags),
            "indents" => Some(Self::Indents),
            "heredocs" => Some(Self::Heredocs),
            "dollar quotes" => Some(Self::DollarQuotes),
            "ranges" => Some(Self::Ranges),
            "annotations" => Some(Self::Annotations),
            _ => None,
        }
    }

    pub(crate) fn is_too_deep(self, text: &str) -> bool {
        match self {
            Self::Columns => are_columns_too_deep(text),
            Self::Tags => are_tags_too_deep(text),
            Self::Indents => are_indents_too_deep(text),
            Self::Heredocs => are_heredocs_too_deep(text),
            Self::DollarQuotes => are_dollar_quotes_too_long(text),
            Self::Ranges | Self::Annotations => false,
        }
    }

    /// The text that the parser may see. All positions are unchanged, so that its tree fits.
    pub(crate) fn safe(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Ranges => without_odd_ranges(text),
            // Kotlin's scanner looks for the end of an annotation past the end of the text, and never returns.
            Self::Annotations if !text.ends_with('\n') => Cow::Owned(format!("{text}\n")),
            _ => Cow::Borrowed(text),
        }
    }
}

/// Where Bash's scanner looks for the digits of a range, it treats any character as a byte and reads far past a table of 256: `echo
/// {🦀` may end the process.
fn without_odd_ranges(text: &str) -> Cow<'_, str> {
    let after_digits = |at: usize| at + text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let mut safe = Cow::Borrowed(text);
    for (at, _) in text.match_indices('{') {
        let first = after_digits(at + 1);
        let second = text[first..].starts_with("..").then(|| after_digits(first + 2));
        for at in [Some(first), second].into_iter().flatten() {
            if let Some(odd) = text[at..].chars().next().filter(|c| *c > '\u{ff}') {
                safe.to_mut()
                    .replace_range(at..at + odd.len_utf8(), &"x".repeat(odd.len_utf8()));
            }
        }
    }
    safe
}

/// A block may be open at every indentation, at every mark (`-`, `?`, `:`) before a space, and after it.
fn are_columns_too_deep(text: &str) -> bool {
    let mut open: Vec<usize> = Vec::new();
    for line in text.split(['\n', '\r']).map(str::as_bytes) {
        let Some(indent) = line.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            continue;
        };
        open.truncate(open.partition_point(|column| *column < indent));
        open.push(indent);
        for (at, byte) in line.iter().enumerate().skip(indent) {
            let is_mark = matches!(byte, b'-' | b'?' | b':')
                && line.get(at + 1).is_none_or(|next| next.is_ascii_whitespace());
            if is_mark {
                open.extend([at, at + 1]);
            }
            if open.len() > MAX_COLUMNS {
                return true;
            }
        }
    }
    false
}

fn are_tags_too_deep(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut n_steps: usize = 0;
    for (at, sign) in text.match_indices(|c: char| c.is_ascii_punctuation()) {
        // Here is a token, or the end of one.
        n_steps += open.len();
        if n_steps > MAX_TAG_STEPS {
            return true;
        }
        if sign != "<" {
            continue;
        }
        let rest = &text[at + 1..];
        let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let name = &rest[..end.unwrap_or(rest.len())];
        let is_in = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
        if is_end {
            n_steps += open.len();
            let at = open.iter().rposition(is_name);
            open.truncate(at.unwrap_or(open.len()));
        } else if !name.is_empty() && !is_in(&VOID_TAGS) {
            open.pop_if(|last| is_in(&FOLLOWING_TAGS) && is_name(&&**last));
            open.push(name);
        }
    }
    false
}

fn are_indents_too_deep(text: &str) -> bool {
    const TAB: usize = 8;
    let mut open: Vec<usize> = Vec::new();
    for line in text.split(['\n', '\r']) {
        let rest = line.trim_start_matches([' ', '\t', '\u{c}']);
        if rest.is_empty() {
            continue;
        }
        let space = &line[..line.len() - rest.len()];
        let column: usize = space
            .bytes()
            .map(|byte| if byte == b'\t' { TAB } else { 1 })
            .sum();
        open.truncate(open.partition_point(|indent| *indent < column));
        open.push(column);
        if open.len() > MAX_INDENTS {
            return true;
        }
    }
    false
}

/// Every `<<` before a word counts as a heredoc, `class <<self` too. It stays open if no line ends it.
fn are_heredocs_too_deep(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let (mut n_bytes, mut depth, mut deepest, mut has_any) = (0, 0_usize, 0, false);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = line.trim();
        if let Some(at) = open.iter().position(|word| *word == end) {
            n_bytes -= open.remove(at).len() + 4;
        }
        for (at, _) in line.match_indices("<<") {
            let Some(word) = heredoc_word(&text[start + at + 2..]) else {
                continue;
            };
            has_any = true;
            n_bytes += word.len() + 4;
            open.push(word);
            if word.len() > MAX_WORD_BYTES || n_bytes > MAX_HEREDOC_BYTES {
                return true;
            }
        }
        for byte in line.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        if has_any && deepest > MAX_STRINGS {
            return true;
        }
        start += line.len();
    }
    false
}

/// The word that ends the heredoc whose `<<` is before `rest`.
fn heredoc_word(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix(['-', '~']).unwrap_or(rest);
    let word = match rest.chars().next()? {
        quote @ ('"' | '\'' | '`') => {
            let quoted = &rest[1..];
            &quoted[..quoted.find(quote).unwrap_or(quoted.len())]
        }
        _ => {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        }
    };
    (!word.is_empty()).then_some(word)
}

/// A tag is the text between two `$` without a space.
fn are_dollar_quotes_too_long(text: &str) -> bool {
    let (mut n_tags, mut first, mut last) = (0, None, None::<usize>);
    for (at, found) in text.match_indices(|c: char| c == '$' || c.is_whitespace()) {
        if found != "$" {
            last = None;
            continue;
        }
        if let Some(start) = last {
            n_tags += 1;
            first.get_or_insert(start);
            if at + 1 - start > MAX_DOLLAR_TAG_BYTES {
                return true;
            }
        }
        last = Some(at);
    }
    first.is_some_and(|first| {
        let n_bytes = text.len() - first;
        n_bytes > MAX_DOLLAR_QUOTED_BYTES || n_tags * n_bytes > MAX_DOLLAR_STEPS
    })
}

#[cfg(test)]
mod tests;
