//! The parts of a long text (an issue, a commit message, a log): its title, its prose, the code it quotes. Parts of issue forms are
//! dropped: comments of a template, tick boxes, URLs.

/// A part of a text of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'t> {
    pub kind: PartKind,
    pub text: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// The first line of a text of several lines.
    Title,
    Prose,
    /// Between fences.
    Code,
}

/// A longer first line is a paragraph.
const MAX_TITLE_BYTES: usize = 200;

/// The parts in the order of the text. A text of one line is one part of prose.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let trimmed = text.trim();
    let title = trimmed
        .split_once('\n')
        .map(|(first, _)| first.trim())
        .filter(|first| first.len() <= MAX_TITLE_BYTES && !first.starts_with("```"));
    let mut push = |kind: PartKind, text| {
        found.push(Part { kind, text });
    };
    let mut rest = trimmed;
    if let Some(title) = title {
        push(PartKind::Title, title);
        rest = trimmed[title.len()..].trim_start();
    }
    // A form has a title and closes its comments; otherwise it is part of the question.
    let has_comments = title.is_some() && rest.contains("-->");
    let (mut fenced, mut commented) = (false, false);
    for line in rest.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            push(PartKind::Code, line);
            continue;
        }
        let pieces = if has_comments {
            outside_comments(line, &mut commented)
        } else {
            vec![line]
        };
        for piece in pieces {
            let is_box = ["- [x]", "- [X]", "- [ ]", "* [x]", "* [X]", "* [ ]"]
                .iter()
                .any(|mark| piece.starts_with(mark));
            if is_box || (title.is_some() && is_form_heading(piece)) {
                continue;
            }
            let mut from = 0;
            for word in piece.split_whitespace().filter(|word| word.contains("://")) {
                let at = word.as_ptr() as usize - piece.as_ptr() as usize;
                push(PartKind::Prose, &piece[from..at]);
                from = at + word.len();
            }
            push(PartKind::Prose, &piece[from..]);
        }
    }
    found.retain(|part| !part.text.trim().is_empty());
    if found.is_empty() {
        // If everything was dropped, the whole text is the question.
        found.push(Part {
            kind: PartKind::Prose,
            text: trimmed,
        });
    }
    found
}

/// The parts of a line that are not inside `<!-- … -->`, which may begin and end on other lines.
fn outside_comments<'t>(line: &'t str, commented: &mut bool) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut rest = line;
    loop {
        if *commented {
            match rest.split_once("-->") {
                Some((_, after)) => {
                    *commented = false;
                    rest = after;
                }
                None => return pieces,
            }
        }
        match rest.split_once("<!--") {
            Some((before, after)) => {
                pieces.push(before);
                *commented = true;
                rest = after;
            }
            None => {
                pieces.push(rest);
                return pieces;
            }
        }
    }
}

/// Headings that all forms have and that are not about code: they would match everywhere in the project.
fn is_form_heading(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "actual",
        "behavior",
        "behaviour",
        "bug",
        "context",
        "current",
        "describe",
        "description",
        "details",
        "environment",
        "expected",
        "information",
        "issue",
        "observed",
        "output",
        "platform",
        "problem",
        "reproduce",
        "reproduction",
        "result",
        "results",
        "steps",
        "summary",
        "system",
        "version",
        "versions",
    ];
    let heading =
        line.starts_with('#') || (line.starts_with("**") && line.ends_with("**")) || line.ends_with(':');
    let words = || {
        line.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 2)
    };
    heading
        && words().next().is_some()
        && words().all(|word| {
            let word = word.to_lowercase();
            WORDS.binary_search(&word.as_str()).is_ok() || super::is_stop_word(&word)
        })
}

#[cfg(test)]
mod tests;
