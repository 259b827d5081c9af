//! Markdown as far as facts need it: lines of prose with their headings, code blocks and inline code, each with its line.
//!
//! Not a renderer: what a document says line by line is enough, and a line of the file must be found again. Front matter and comments are
//! passed over. Linear in the length of the text.

/// What one line of a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Heading(&'t str),
    /// A line of text; `starts` a paragraph or an item of a list.
    Prose {
        text: &'t str,
        starts: bool,
        is_item: bool,
    },
    /// A row of a table.
    Row(&'t str),
    /// A line of a code block, with the word after its fence.
    Code {
        text: &'t str,
        language: &'t str,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) piece: Piece<'t>,
}

pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    let mut fence: Option<(&str, &str)> = None;
    let mut in_comment = false;
    let mut in_front = text.starts_with("---\n") || text.starts_with("---\r\n");
    let mut starts = true;
    for (line_idx, raw) in text.lines().enumerate() {
        let number = line_idx as u32 + 1;
        let trimmed = raw.trim();
        if in_front {
            in_front = line_idx == 0 || trimmed != "---";
            continue;
        }
        if let Some((mark, language)) = fence {
            if trimmed.starts_with(mark) && trimmed.trim_start_matches(['`', '~']).is_empty() {
                fence = None;
                starts = true;
            } else {
                let piece = Piece::Code { text: raw, language };
                out.push(Line { number, piece });
            }
            continue;
        }
        if in_comment || trimmed.starts_with("<!--") {
            in_comment = !trimmed.contains("-->");
            starts = true;
            continue;
        }
        let quoted = trimmed.trim_start_matches('>').trim_start();
        let marked = item(quoted).unwrap_or(quoted);
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| marked.starts_with(mark)) {
            let language = marked.trim_start_matches(['`', '~']).trim();
            let language = language.split([' ', ',', '{']).next().unwrap_or_default();
            fence = Some((mark, language));
            continue;
        }
        if quoted.is_empty() {
            starts = true;
            continue;
        }
        let piece = if let Some(heading) = heading(quoted) {
            starts = true;
            Piece::Heading(heading)
        } else if quoted.starts_with('|') {
            starts = true;
            Piece::Row(quoted)
        } else {
            let is_item = item(quoted).is_some();
            let piece = Piece::Prose {
                text: marked,
                starts: starts || is_item,
                is_item,
            };
            starts = false;
            piece
        };
        out.push(Line { number, piece });
    }
    out
}

fn heading(text: &str) -> Option<&str> {
    let level = text.len() - text.trim_start_matches('#').len();
    let rest = &text[level..];
    ((1..=6).contains(&level) && rest.starts_with(' ')).then(|| rest.trim().trim_end_matches('#').trim())
}

/// An item of a list, without its mark.
fn item(text: &str) -> Option<&str> {
    let rest = match text.chars().next()? {
        '-' | '*' | '+' => &text[1..],
        '•' => &text['•'.len_utf8()..],
        c if c.is_ascii_digit() => text
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(['.', ')'])?,
        _ => return None,
    };
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    Some(
        ["[ ] ", "[x] ", "[X] "]
            .into_iter()
            .find_map(|mark| rest.strip_prefix(mark))
            .unwrap_or(rest),
    )
}

/// The inline code of a line.
pub(crate) fn spans(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let n_marks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let after = &rest[start + n_marks..];
        let Some(end) = after.find(&"`".repeat(n_marks)) else {
            break;
        };
        found.push(after[..end].trim());
        rest = after[end..].trim_start_matches('`');
    }
    found
}

/// The targets of `[text](target)` in a line, without titles.
pub(crate) fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let after = &rest[at + 2..];
        let Some(end) = after.find(')') else {
            break;
        };
        let target = after[..end].trim().trim_start_matches('<').trim_end_matches('>');
        found.push(target.split_whitespace().next().unwrap_or_default());
        rest = &after[end..];
    }
    found
}

/// The text with nothing between marks of code, so that what is quoted there is not read as text.
pub(crate) fn without_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (idx, part) in text.split('`').enumerate() {
        out.push_str(if idx % 2 == 0 { part } else { " x " });
    }
    out
}

/// Text as a reader sees it: links as their words, no emphasis; inline code keeps its marks.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_code = false;
    while let Some(c) = rest.chars().next() {
        if c == '`' {
            in_code = !in_code;
        }
        if !in_code
            && c == '['
            && let Some((words, after)) = link(rest)
        {
            out.push_str(&plain(words));
            rest = after;
            continue;
        }
        let is_emphasis = !in_code && (rest.starts_with("**") || rest.starts_with("__"));
        match is_emphasis {
            true => rest = &rest[2..],
            false => {
                if in_code || c != '*' {
                    out.push(c);
                }
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// `[words](target)` or `[words][name]` at the start of a text: the words, and what follows.
fn link(text: &str) -> Option<(&str, &str)> {
    let end = text.find(']')?;
    let words = &text[1..end];
    let after = &text[end + 1..];
    if words.contains('[') {
        return None;
    }
    let close = match after.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let end = after.find(close)?;
    Some((words, &after[end + 1..]))
}

#[cfg(test)]
mod tests;
