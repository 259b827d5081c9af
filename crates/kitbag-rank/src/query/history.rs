//! Questions about history (RET-13): "what changed lately in …", "why is … so", "who touched …", "what usually changes with …".
//! They are recognised by their beginning and by a few words about the past: a question about what code does must never be taken
//! for one. The other words are the subject of the question.

use std::ops::Range;

/// What the question asks of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryKind {
    /// What changed, or when: commits, newest first.
    Lately,
    /// When it began: the first commit.
    First,
    /// How it came to be: the commits that made it so.
    Why,
    /// Who wrote it.
    Who,
    /// What changes together with it.
    With,
}

impl HistoryKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lately => "lately",
            Self::First => "first",
            Self::Why => "why",
            Self::Who => "who",
            Self::With => "with",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryQuestion {
    pub kind: HistoryKind,
    /// What the question is about; may be empty.
    pub subject: String,
}

/// Longer texts are tasks and reports: they may mention what somebody did, but ask for code.
const MAX_BYTES: usize = 300;

/// Words that may be before a question.
const LEADS: &[&str] = &[
    "and", "can", "could", "do", "explain", "find", "give", "hey", "hi", "i", "know", "list", "me", "please",
    "show", "so", "tell", "the", "to", "us", "want", "would", "you",
];

/// A beginning: each word is one of these; `""` means that it may be missing.
type Opening = &'static [&'static [&'static str]];

const CHANGED: &[&str] = &["changed", "happened", "modified", "touched"];
const CHANGES: &[&str] = &["change", "changes", "commit", "commits", "edits", "modifications"];
const USUALLY: &[&str] = &[
    "",
    "usually",
    "often",
    "normally",
    "typically",
    "always",
    "generally",
];

const OPENINGS: &[(HistoryKind, Opening)] = &[
    (
        HistoryKind::With,
        &[
            &["what", "which"],
            &["", "else", "files", "file"],
            USUALLY,
            &["change", "changes"],
            &["", "together"],
            &["with"],
        ],
    ),
    (
        HistoryKind::With,
        &[
            &["what", "which"],
            &["", "else", "files"],
            USUALLY,
            &["changes", "change", "changed"],
            &["together"],
            &["with"],
        ],
    ),
    (
        HistoryKind::With,
        &[
            &["", "files"],
            &["", "that"],
            USUALLY,
            &["change", "changes", "changed", "changing"],
            &["together"],
            &["with"],
        ],
    ),
    (
        HistoryKind::With,
        &[
            &["", "what", "which", "files"],
            &["", "files"],
            &["co-change", "co-changes", "co-changing"],
            &["", "files"],
            &["", "with", "of", "for"],
        ],
    ),
    (
        HistoryKind::Lately,
        &[
            &["what", "which", "who"],
            &["", "files"],
            &["", "has", "have", "was", "were"],
            &["", "been", "recently"],
            CHANGED,
        ],
    ),
    (
        HistoryKind::Lately,
        &[
            &["", "what"],
            &["", "are", "is", "were"],
            &["", "the"],
            &["recent", "latest", "last", "newest"],
            &["", "few", "code"],
            CHANGES,
        ],
    ),
    (
        HistoryKind::Lately,
        &[
            &["", "what"],
            &["", "is"],
            &["", "the"],
            &["", "git", "commit", "change"],
            &["history"],
            &["of", "for"],
        ],
    ),
    (
        HistoryKind::Lately,
        &[
            &["git", "commit", "change"],
            &["history", "log"],
            &["", "of", "for", "in"],
        ],
    ),
    (
        HistoryKind::Lately,
        &[&["which", "what"], &["commit", "commits"], PAST],
    ),
    (
        HistoryKind::Who,
        &[
            &["who"],
            &[
                "",
                "has",
                "have",
                "last",
                "recently",
                "else",
                "usually",
                "originally",
            ],
            &["", "last", "recently"],
            WROTE,
            &["", "on", "about"],
        ],
    ),
    (HistoryKind::Who, &[&["", "git"], &["blame"], &["", "of", "for"]]),
    (
        HistoryKind::Why,
        &[
            &["", "what"],
            &["", "is", "was"],
            &["", "the"],
            &["reason", "rationale", "motivation"],
            &["for", "behind"],
        ],
    ),
    (
        HistoryKind::Why,
        &[
            &["why"],
            &["do", "did", "are"],
            &["we", "they", "you", "somebody", "someone", "people"],
        ],
    ),
];

/// What was done to code.
const PAST: &[&str] = &[
    "added",
    "bumped",
    "broke",
    "capped",
    "changed",
    "chosen",
    "created",
    "deleted",
    "deprecated",
    "disabled",
    "dropped",
    "enabled",
    "fixed",
    "introduced",
    "made",
    "merged",
    "modified",
    "moved",
    "pinned",
    "removed",
    "renamed",
    "replaced",
    "reverted",
    "rewritten",
    "split",
    "touched",
    "updated",
];

const BIRTH: &[&str] = &["added", "appear", "created", "introduced"];

/// What a person does to code.
const WROTE: &[&str] = &[
    "added",
    "broke",
    "changed",
    "changes",
    "committed",
    "created",
    "edited",
    "introduced",
    "knows",
    "maintains",
    "modified",
    "owns",
    "removed",
    "renamed",
    "rewrote",
    "touched",
    "touches",
    "updated",
    "worked",
    "works",
    "wrote",
];

/// `why is x …`: states that are unexpected.
const STATES: &[&str] = &[
    "capped",
    "disabled",
    "hard-coded",
    "hardcoded",
    "like this",
    "like that",
    "limited to",
    "necessary",
    "needed",
    "pinned",
    "required",
    "set to",
    "so",
    "still",
    "that way",
    "there",
    "this way",
];

/// Words at either end of the subject that say nothing.
const FILLERS: &[&str] = &[
    "a",
    "about",
    "added",
    "an",
    "are",
    "around",
    "as",
    "at",
    "been",
    "changed",
    "code",
    "did",
    "do",
    "does",
    "ever",
    "file",
    "first",
    "for",
    "from",
    "function",
    "get",
    "got",
    "has",
    "have",
    "here",
    "in",
    "into",
    "is",
    "it",
    "lately",
    "last",
    "like",
    "most",
    "near",
    "now",
    "of",
    "on",
    "originally",
    "over",
    "recently",
    "so",
    "that",
    "the",
    "there",
    "these",
    "this",
    "those",
    "time",
    "to",
    "use",
    "using",
    "was",
    "way",
    "were",
    "with",
];

/// `None`: the text asks for something else.
pub fn history_question(text: &str) -> Option<HistoryQuestion> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_BYTES || text.lines().count() > 2 {
        return None;
    }
    let words = words(text);
    if words.len() < 2 {
        return None;
    }
    let first = words
        .iter()
        .position(|word| !LEADS.contains(&word.plain.as_str()))?;
    let opened = |at: usize| {
        let opening = OPENINGS
            .iter()
            .find_map(|(kind, opening)| Some((*kind, matched(opening, &words[at..])?)));
        opening.map(|(kind, n)| (kind, at + n..words.len()))
    };
    // Such a word may also begin an opening: `the history of`.
    let (kind, rest) = opened(0)
        .or_else(|| opened(first))
        .or_else(|| asked_with_a_gap(text, &words, first))?;
    let is_birth = words.iter().any(|word| BIRTH.contains(&word.plain.as_str()));
    let kind = match kind {
        HistoryKind::Lately if words[first].plain == "who" => HistoryKind::Who,
        HistoryKind::Lately if is_birth => HistoryKind::First,
        kind => kind,
    };
    Some(HistoryQuestion {
        kind,
        subject: subject(text, &words[rest]),
    })
}

struct Word {
    at: Range<usize>,
    /// Lower case, without marks around it.
    plain: String,
}

fn words(text: &str) -> Vec<Word> {
    let base = text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - base;
            let plain =
                word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '.' | '*'));
            Word {
                at: start..start + word.len(),
                plain: plain.trim_end_matches('.').to_lowercase(),
            }
        })
        .collect()
}

/// How many words an opening matches.
fn matched(opening: &[&[&str]], words: &[Word]) -> Option<usize> {
    let Some((alternatives, rest)) = opening.split_first() else {
        return Some(0);
    };
    let taken = words
        .first()
        .filter(|word| alternatives.contains(&word.plain.as_str()));
    if let Some(n) = taken.and_then(|_| matched(rest, &words[1..])) {
        return Some(n + 1);
    }
    alternatives.contains(&"").then(|| matched(rest, words)).flatten()
}

/// `when was x added`, `why was x removed`, `why is x set to 3`: the subject is in the middle.
fn asked_with_a_gap(text: &str, words: &[Word], first: usize) -> Option<(HistoryKind, Range<usize>)> {
    let word = |at: usize| words.get(first + at).map_or("", |word| word.plain.as_str());
    let rest = first + 2..words.len();
    let has = |list: &[&str]| {
        words[rest.clone().start.min(words.len())..]
            .iter()
            .any(|word| list.contains(&word.plain.as_str()))
    };
    let is_past = matches!(word(1), "was" | "were" | "did" | "has" | "have");
    match word(0) {
        "when" if is_past && (has(PAST) || has(&["change", "appear", "disappear", "break"])) => {
            Some((HistoryKind::Lately, rest))
        }
        "why" if is_past && has(PAST) => Some((HistoryKind::Why, rest)),
        "why" if matches!(word(1), "is" | "are" | "was" | "were") => {
            let lower = text.to_lowercase();
            let lower = lower.trim_end_matches(['?', '.', '!', ' ']);
            let is_state = |state: &str| match state.contains(' ') || matches!(state, "so" | "there") {
                // "so" in the middle means "so slow".
                true if !state.ends_with(" to") => lower.ends_with(&format!(" {state}")),
                true => lower.contains(&format!(" {state} ")),
                false => has(&[state]),
            };
            STATES
                .iter()
                .any(|state| is_state(state))
                .then_some((HistoryKind::Why, rest))
        }
        _ => None,
    }
}

/// The words as written, without fillers at both ends.
fn subject(text: &str, words: &[Word]) -> String {
    let is_filler = |word: &&Word| {
        let plain = word.plain.as_str();
        let as_written = &text[word.at.clone()];
        let is_code = as_written.contains(['`', '_', '/', '(']);
        !is_code && (FILLERS.contains(&plain) || PAST.contains(&plain) || plain.is_empty())
    };
    let n_before = words.iter().take_while(is_filler).count();
    let words = &words[n_before..];
    let n_after = words.iter().rev().take_while(is_filler).count();
    match &words[..words.len() - n_after] {
        [] => String::new(),
        [first, .., last] => tidied(&text[first.at.start..last.at.end]),
        [only] => tidied(&text[only.at.clone()]),
    }
}

fn tidied(text: &str) -> String {
    text.trim_end_matches(['?', '!', ',', ';', ':', '.']).to_owned()
}

#[cfg(test)]
mod tests;
