//! What the message of a commit says, without what machines wrote into it. `None`: it says nothing of the code that it changes.

use crate::queries::clipped;

const MAX_MESSAGE_BYTES: usize = 1_500;
const MIN_WORDS: usize = 3;

/// First words of subjects that tell of the work on the repository, not of the code.
const CHORES: [&str; 30] = [
    "merge",
    "revert",
    "bump",
    "release",
    "version",
    "prepare",
    "tag",
    "wip",
    "format",
    "reformat",
    "fmt",
    "lint",
    "rustfmt",
    "clippy",
    "gofmt",
    "prettier",
    "ormolu",
    "fourmolu",
    "hlint",
    "typo",
    "typos",
    "changelog",
    "readme",
    "upgrade",
    "initial",
    "squashed",
    "backport",
    "publish",
    "translate",
    "translations",
];
/// The same anywhere in a subject.
const CHORE_PHRASES: [&str; 26] = [
    "bump version",
    "version bump",
    "update dependenc",
    "update depend",
    "dependency update",
    "fix typo",
    "typo in",
    "typos",
    "copyright",
    "license header",
    "code style",
    "coding style",
    "whitespace",
    "indentation",
    "run formatter",
    "formatting",
    "fix lint",
    "changelog",
    "cherry pick",
    "cherry-pick",
    "code cleanup",
    "address review",
    "review comment",
    "pr feedback",
    "fix build",
    "fix ci",
];
/// Types of conventional commits that do not change what code does.
const CHORE_TYPES: [&str; 9] = [
    "chore", "build", "ci", "docs", "doc", "style", "release", "deps", "i18n",
];

/// Subject and body as somebody would put them: no trailers, addresses, numbers of issues.
pub fn cleaned(message: &str) -> Option<String> {
    let mut lines = message.lines();
    let subject = line_of(lines.next()?);
    if is_chore(&subject) || n_words(&subject) < MIN_WORDS {
        return None;
    }
    let mut text = subject;
    let mut is_quoted = false;
    for line in lines.map(str::trim_end) {
        is_quoted ^= line.trim_start().starts_with("```");
        if is_trailer(line) {
            continue;
        }
        text.push('\n');
        text.push_str(&if is_quoted { line.to_owned() } else { line_of(line) });
        if text.len() > MAX_MESSAGE_BYTES {
            break;
        }
    }
    let text = clipped(text.trim_end(), MAX_MESSAGE_BYTES).to_owned();
    let n_latin = text.bytes().filter(u8::is_ascii).count();
    (n_latin * 10 >= text.len() * 9).then_some(text)
}

fn n_words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
        .count()
}

fn is_chore(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let first = lower
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    let kind = lower.split([':', '(', '!']).next().unwrap_or_default().trim();
    first.is_none_or(|word| CHORES.contains(&word))
        || (lower.contains(':') && CHORE_TYPES.contains(&kind))
        || CHORE_PHRASES.iter().any(|phrase| lower.contains(phrase))
}

/// `Signed-off-by: …` and what tools leave behind.
fn is_trailer(line: &str) -> bool {
    const KEYS: [&str; 9] = [
        "change-id",
        "git-svn-id",
        "differential revision",
        "reviewed on",
        "pull request",
        "cc",
        "bug",
        "pr-url",
        "pull request resolved",
    ];
    let Some((key, _)) = line.split_once(':') else {
        return line.starts_with("(cherry picked from");
    };
    let key = key.trim().to_lowercase();
    key.ends_with("-by") || KEYS.contains(&key.as_str())
}

/// A line without addresses and without `(#123)`, `fixes #12`.
fn line_of(line: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        let bare = word.trim_matches(['(', ')', '[', ']', ',', '.', ':', ';']);
        let is_number =
            bare.starts_with('#') && bare.len() > 1 && bare[1..].bytes().all(|byte| byte.is_ascii_digit());
        if is_number && word.starts_with('#') {
            const CLOSING: [&str; 9] = [
                "fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "see",
            ];
            while words.last().is_some_and(|last| {
                CLOSING.contains(&last.to_lowercase().trim_matches(['(', ':']).to_owned().as_str())
            }) {
                words.pop();
            }
        } else if !is_number && !bare.starts_with("http://") && !bare.starts_with("https://") {
            words.push(word);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests;
