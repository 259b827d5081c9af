//! A commit's message becomes a question: what the author wrote about the change, without what was written for programs.
//!
//! Out go trailers, issue numbers, links, and the `fix(parser):` of conventional commits: nobody who looks for code asks
//! that way, and a scope often is the name of the folder. Messages that say nothing about the code (merges, reverts,
//! releases, formatting) give a reason instead.

/// Types of conventional commits. `parser: mend it` is a prefix of another kind, and stays.
const TYPES: &[&str] = &[
    "build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test",
];
/// Programs and words of changes that change no meaning.
const FORMATTERS: &[&str] = &[
    "autopep8",
    "black",
    "clang-format",
    "eslint",
    "fmt",
    "format",
    "formatting",
    "gofmt",
    "isort",
    "prettier",
    "reformat",
    "rubocop",
    "rustfmt",
    "scalafmt",
    "spotless",
    "typo",
    "typos",
    "whitespace",
];
/// A subject of so many words that has one of [`FORMATTERS`] is about nothing else.
const FORMATTING_WORDS: usize = 4;
/// What stands between issue numbers.
const REFERRING: &[&str] = &[
    "addresses",
    "and",
    "bug",
    "close",
    "closed",
    "closes",
    "fix",
    "fixed",
    "fixes",
    "for",
    "issue",
    "issues",
    "of",
    "part",
    "pr",
    "pull",
    "re",
    "ref",
    "references",
    "refs",
    "related",
    "request",
    "resolve",
    "resolved",
    "resolves",
    "see",
    "ticket",
    "to",
];
/// Keys of trailers that do not end in `-by`.
const TRAILERS: &[&str] = &[
    "backport",
    "bug",
    "cc",
    "change-id",
    "closes",
    "fixes",
    "issue",
    "jira",
    "link",
    "pr-url",
    "ref",
    "refs",
    "relnotes",
    "resolves",
    "see-also",
];
const MIN_WORDS: usize = 3;

/// The question, or why there is none.
pub(super) fn question(subject: &str, body: &str) -> Result<String, &'static str> {
    let subject = subject.trim();
    let lower = subject.to_lowercase();
    let starts = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if starts(&["merge ", "merged "]) {
        return Err("a merge");
    }
    if starts(&["revert ", "revert:", "reapply ", "rollback ", "roll back "])
        || body.contains("This reverts commit")
    {
        return Err("a revert");
    }
    if starts(&["fixup!", "squash!", "amend!", "wip"]) {
        return Err("unfinished");
    }
    let (kind, rest) = conventional(subject);
    if is_release(rest) {
        return Err("a release or a version");
    }
    if kind == Some("style") || is_formatting(rest) {
        return Err("formatting");
    }
    let mut lines = vec![clean(rest), String::new()];
    lines.extend(body.lines().filter(|line| !is_trailer(line)).map(clean));
    let text = paragraphs(&lines);
    let n_words = text.split_whitespace().filter(|word| is_word(word)).count();
    if n_words < MIN_WORDS {
        return Err("fewer than three words");
    }
    Ok(text)
}

/// `fix(parser)!: mend it` → (`fix`, `mend it`).
fn conventional(subject: &str) -> (Option<&'static str>, &str) {
    let Some((head, rest)) = subject.split_once(": ") else {
        return (None, subject);
    };
    let head = head.trim_end_matches('!');
    let name = match head.split_once('(') {
        Some((name, scope)) if scope.ends_with(')') => name,
        Some(_) => return (None, subject),
        None => head,
    };
    let known = TYPES.iter().find(|known| name.eq_ignore_ascii_case(known));
    match known {
        Some(known) => (Some(known), rest.trim()),
        None => (None, subject),
    }
}

/// `Bump x from 1 to 2`, `Release 1.2`, `v1.2.3`, `Prepare 0.4.0`, `Update version to 3`.
fn is_release(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let Some(first) = words.first() else {
        return false;
    };
    let has_version = words.iter().any(|word| is_version(word));
    match *first {
        "bump" => true,
        "release" | "releasing" => has_version || words.len() <= MIN_WORDS,
        "prepare" | "version" | "tag" | "cut" | "publish" | "upgrade" | "update" => {
            has_version || words.iter().any(|word| matches!(*word, "release" | "version"))
        }
        _ => is_version(first) && words.len() <= MIN_WORDS,
    }
}

/// `1.2`, `v1.2.3-rc1`.
fn is_version(word: &str) -> bool {
    let word = word.trim_matches(|c: char| matches!(c, '`' | '(' | ')' | ',' | '.' | ':'));
    let digits = word.strip_prefix('v').unwrap_or(word);
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('.')
}

fn is_formatting(subject: &str) -> bool {
    let words: Vec<String> = subject
        .to_lowercase()
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ':' | '(' | ')' | '`'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.len() <= FORMATTING_WORDS && words.iter().any(|word| FORMATTERS.contains(&word.as_str()))
}

fn is_trailer(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with("(cherry picked from") || line.starts_with("---") {
        return true;
    }
    let Some((key, _)) = line.split_once(':') else {
        return false;
    };
    let key = key.to_ascii_lowercase();
    let is_name = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_name && (key.ends_with("-by") || TRAILERS.contains(&key.as_str()))
}

/// A line without issue numbers and links; without anything if it only refers.
fn clean(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let kept: Vec<&str> = words.iter().copied().filter(|word| !is_reference(word)).collect();
    let only_refers = kept.len() < words.len() && kept.iter().all(|word| is_referring(word));
    if only_refers {
        String::new()
    } else {
        kept.join(" ")
    }
}

fn is_referring(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    word.is_empty() || REFERRING.contains(&word.as_str())
}

/// `#12`, `(#12)`, `owner/name#12`, `GH-12`, `[ABC-12]`, `ABC-12:`, a link. A bare `UTF-8` is none.
fn is_reference(word: &str) -> bool {
    let bare =
        word.trim_matches(|c: char| matches!(c, '(' | ')' | '[' | ']' | '<' | '>' | ',' | '.' | ';' | ':'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if bare.starts_with("http://") || bare.starts_with("https://") {
        return true;
    }
    if bare.rsplit_once('#').is_some_and(|(_, number)| is_number(number)) {
        return true;
    }
    let Some((project, number)) = bare.split_once('-') else {
        return false;
    };
    let is_key = project.len() >= 2 && project.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_marked = project == "GH" || word.starts_with('[') || word.ends_with(':');
    is_key && is_number(number) && is_marked
}

fn is_word(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
}

/// Lines as they are; of several empty ones, one; none at the ends.
fn paragraphs(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        if line.is_empty() {
            if !text.is_empty() && !text.ends_with("\n\n") {
                text.push('\n');
            }
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests;
