//! All of it (RET-28): every line of the indexed files on which a name or a literal stands. The texts themselves are looked at, not the
//! text index: that one knows words, and a list that calls itself complete must not depend on how words are cut.
//!
//! What is looked at is what was indexed, so a secret that was cut out cannot be found by its value. A file that changed since is
//! read again, by the same rules.

use kitbag_store::{FileRow, FileState, Snapshot};
use kitbag_types::{RepoPath, Stop};

use crate::cut::parse_key;
use crate::{Engine, EngineError};

/// Longer ones are not looked for (SEC-4).
const MAX_SOUGHT: usize = 1_000;
/// Characters of a line that are shown, and of what stands before the first match in a longer one.
const MAX_CHARS: usize = 400;
const LEAD_CHARS: usize = 80;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sought {
    pub text: String,
    /// A name: what stands before and after it is no part of one.
    pub is_name: bool,
    pub ignore_case: bool,
    folded: String,
}

/// A line with the sought text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundLine {
    pub line: u32,
    pub count: u32,
    /// Without its line break; of a very long one the part around the first match, with `…` where something is missing.
    pub text: String,
}

impl Sought {
    /// A word of letters, digits and underscores is a name. Everything else is a literal; quotes around it are not part of it and make a
    /// literal of a name.
    pub(crate) fn new(query: &str, ignore_case: bool) -> Result<Self, EngineError> {
        let invalid = |message: String| EngineError::Invalid {
            code: "INVALID_QUERY",
            message,
        };
        let trimmed = query.trim();
        let quoted = ['"', '\'', '`'].into_iter().find_map(|mark| {
            let inner = trimmed.strip_prefix(mark)?.strip_suffix(mark)?;
            (!inner.is_empty()).then_some(inner)
        });
        let text = quoted.unwrap_or(trimmed);
        if text.is_empty() || text.len() > MAX_SOUGHT || text.contains(['\n', '\r']) {
            return Err(invalid(format!(
                "with `all`, the query is a name or a literal of one line, 1 to {MAX_SOUGHT} bytes"
            )));
        }
        Ok(Self {
            is_name: quoted.is_none() && text.chars().all(is_word),
            folded: text.to_lowercase(),
            text: text.to_owned(),
            ignore_case,
        })
    }

    /// How often it stands in a line, and where first: a byte of the line as it is compared.
    fn in_line(&self, line: &str) -> (u32, usize) {
        let mut count = 0;
        let mut first = 0;
        let wanted = if self.ignore_case {
            &self.folded
        } else {
            &self.text
        };
        let mut from = 0;
        while let Some(at) = line[from..].find(wanted.as_str()).map(|at| at + from) {
            let end = at + wanted.len();
            let is_apart = !self.is_name
                || (!line[..at].chars().next_back().is_some_and(is_word)
                    && !line[end..].chars().next().is_some_and(is_word));
            if is_apart {
                first = if count == 0 { at } else { first };
                count += 1;
            }
            // One after the other for a literal, and for a name at the next character.
            from = match is_apart {
                true => end,
                false => at + line[at..].chars().next().map_or(1, char::len_utf8),
            };
        }
        (count, first)
    }

    /// The lines of a text that have it.
    pub(crate) fn lines(&self, text: &str) -> Vec<FoundLine> {
        if !self.ignore_case && !text.contains(self.text.as_str()) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (line, number) in text.split('\n').zip(1u32..) {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let (count, first) = match self.ignore_case {
                true => self.in_line(&line.to_lowercase()),
                false => self.in_line(line),
            };
            if count > 0 {
                found.push(FoundLine {
                    line: number,
                    count,
                    text: shown(line, first),
                });
            }
        }
        found
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn shown(line: &str, first: usize) -> String {
    if line.len() <= MAX_CHARS || line.chars().count() <= MAX_CHARS {
        return line.to_owned();
    }
    // Folding may have moved it by a few bytes, which is near enough.
    let before = line.char_indices().take_while(|(at, _)| *at < first).count();
    let from = if before < MAX_CHARS - LEAD_CHARS {
        0
    } else {
        before - LEAD_CHARS
    };
    let mut part: String = line.chars().skip(from).take(MAX_CHARS).collect();
    if from > 0 {
        part.insert(0, '…');
    }
    if from + MAX_CHARS < line.chars().count() {
        part.push('…');
    }
    part
}

/// A file with lines that have what was sought.
pub(crate) type FoundFile = (RepoPath, Vec<FoundLine>);

/// Every file, by path, with its lines; and the files of the index that cannot be read any more.
pub(crate) fn occurrences(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    sought: &Sought,
    is_allowed: &dyn Fn(&FileRow) -> bool,
    stop: Stop<'_>,
) -> Result<(Vec<FoundFile>, u64, u64), EngineError> {
    let mut found = Vec::new();
    let (mut n_looked, mut n_lost) = (0, 0);
    let mut files = snapshot.files()?;
    files.retain(|file| file.state == FileState::Indexed && is_allowed(file));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    for file in files {
        stop.check()?;
        // An index that was made before a file was denied still has it until the next run (SEC-7).
        if engine.tree.denied(&file.path).is_some() {
            continue;
        }
        let Some(text) = text_of(engine, snapshot, &file, sought)? else {
            n_lost += 1;
            continue;
        };
        n_looked += 1;
        let lines = sought.lines(&text);
        if !lines.is_empty() {
            found.push((file.path, lines));
        }
    }
    Ok((found, n_looked, n_lost))
}

/// The text of a file as it is now. `None`: it is no longer there or readable.
fn text_of(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    file: &FileRow,
    sought: &Sought,
) -> Result<Option<String>, EngineError> {
    let tree = &engine.tree;
    if let Some(parse) = file.parse.filter(|_| tree.stamp(&file.path) == Some(file.stamp)) {
        let text = snapshot.parse_text(parse)?;
        // A product made by other rules may hold what the present ones would cut out; where nothing is found that does not matter.
        let key = || Some(parse_key(engine, &file.hash, &file.language));
        if sought.lines(&text).is_empty() || snapshot.parse_key(parse)? == key() {
            return Ok(Some(text));
        }
    }
    Ok(tree.read(&file.path).ok().map(|source| source.text))
}

#[cfg(test)]
mod tests {
    use super::Sought;

    fn numbers(query: &str, ignore_case: bool, text: &str) -> Vec<(u32, u32)> {
        let sought = Sought::new(query, ignore_case).unwrap();
        sought
            .lines(text)
            .iter()
            .map(|found| (found.line, found.count))
            .collect()
    }

    #[test]
    fn ret_28_names_stand_apart_and_literals_anywhere() {
        let text = "foo foobar foo\r\nbar_foo\nFoo.foo()\n\nüfoo\n";
        assert_eq!(numbers("foo", false, text), [(1, 2), (3, 1)]);
        assert_eq!(numbers("foo", true, text), [(1, 2), (3, 2)]);
        assert_eq!(numbers("\"foo\"", false, text), [(1, 3), (2, 1), (3, 1), (5, 1)]);
        assert_eq!(numbers("foo()", false, text), [(3, 1)]);
        assert_eq!(numbers("ÜFOO", true, text), [(5, 1)]);
        assert_eq!(numbers("aa", false, "aaa aa"), [(1, 1)]);
        assert_eq!(numbers("'aa'", false, "aaaa"), [(1, 2)]);
        assert_eq!(numbers("İ", true, "i̇ İ"), [(1, 2)]);
        for bad in ["", "  ", "a\nb", &"x".repeat(2000)] {
            assert!(Sought::new(bad, false).is_err());
        }
        assert!(Sought::new("\"", false).is_ok_and(|sought| !sought.is_name));
    }

    #[test]
    fn ret_28_long_lines_show_what_stands_around_the_match() {
        let text = format!("{}needle{}", "x ".repeat(5000), " y".repeat(5000));
        let found = Sought::new("needle", false).unwrap().lines(&text);
        assert!(found[0].text.contains("needle") && found[0].text.chars().count() <= 402);
    }
}
