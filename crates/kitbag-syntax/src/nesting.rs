//! Texts that must not reach a parser, because of what it does with things that are open.
//!
//! Two grammars keep a stack of their own beside the tree. One saves columns in a buffer of fixed size and writes past
//! its end, which ends the process; the other copies its stack of open tags at every token, which takes minutes. No budget
//! sees either, so the depth is estimated from the text before: never too low, and high only for texts nobody wrote. A
//! query says which it is: `(#set! nesting "columns")` or `(#set! nesting "tags")`, in any of its patterns.

/// The buffer holds 253 columns.
const MAX_COLUMNS: usize = 200;
/// Elements that need no end tag (`<br>`) count as open, so this is far from what a page nests.
const MAX_TAGS: usize = 5_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// Blocks are open at columns, as in YAML.
    Columns,
    /// Blocks are open from `<a>` to `</a>`.
    Tags,
}

impl Nesting {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "columns" => Some(Self::Columns),
            "tags" => Some(Self::Tags),
            _ => None,
        }
    }

    pub(crate) fn is_too_deep(self, text: &str) -> bool {
        match self {
            Self::Columns => are_columns_too_deep(text),
            Self::Tags => are_tags_too_deep(text),
        }
    }
}

/// A block may be open at every indentation, at every mark (`-`, `?`, `:`) before a space, and behind it.
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
    let mut n_open: usize = 0;
    for (at, _) in text.match_indices('<') {
        match text.as_bytes().get(at + 1) {
            Some(b'/') => n_open = n_open.saturating_sub(1),
            Some(byte) if byte.is_ascii_alphabetic() => n_open += 1,
            _ => {}
        }
        if n_open > MAX_TAGS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
