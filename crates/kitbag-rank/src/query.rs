//! Parses a question (RET-1): what it names explicitly, which words look like code, what shape it has, and its index terms.
//! Hand-written scanning instead of regular expressions: it runs in every cold process.

mod firsts;
mod history;
mod names;
mod parts;
mod references;

use std::collections::BTreeMap;

use kitbag_types::terms::{each_term, each_word, parts_of};
use kitbag_types::{Conventions, Query, QueryShape, Reference, Title};

use crate::tuning::{
    CODE_TERM, MAX_QUERY_FILES, MAX_QUERY_NAMES, MAX_QUERY_TERMS, MAX_QUERY_WORDS, MAX_WORD_BYTES, TITLE_TERM,
};
use firsts::Firsts;
use parts::{Part, PartKind, parts};

pub use history::{HistoryKind, HistoryQuestion, history_question};
pub use names::{NameParts, split_name};

/// Words that say nothing about what is searched for.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "always", "am", "an", "and", "another", "any", "are",
    "as", "at", "be", "because", "been", "before", "between", "both", "but", "by", "can", "could", "did",
    "do", "does", "doing", "done", "each", "ever", "every", "few", "for", "from", "get", "gets", "had",
    "has", "have", "here", "how", "however", "i", "if", "in", "instead", "into", "is", "it", "its", "just",
    "like", "many", "may", "me", "might", "more", "most", "much", "must", "my", "need", "needs", "never",
    "no", "not", "of", "often", "on", "once", "one", "ones", "only", "or", "other", "others", "our", "out",
    "own", "per", "rather", "really", "same", "several", "should", "show", "since", "so", "some", "still",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to",
    "too", "until", "up", "upon", "us", "use", "used", "uses", "using", "very", "via", "want", "was", "way",
    "we", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will", "with",
    "within", "without", "would", "yet", "you", "your",
];

const STRUCTURE_WORDS: &[&str] = &[
    "architecture",
    "structure",
    "overview",
    "organized",
    "organised",
    "layout",
    "design",
    "pipeline",
    "flow",
    "lifecycle",
];
const ERROR_WORDS: &[&str] = &[
    "Traceback",
    "Exception",
    "panicked at",
    "Error:",
    "error:",
    "error[",
    "FAILED",
    "fatal:",
];
const TEST_WORDS: &[&str] = &[
    "test", "tests", "testing", "tested", "spec", "specs", "fixture", "fixtures", "mock", "mocks",
];
const DOC_WORDS: &[&str] = &[
    "docs",
    "documentation",
    "readme",
    "changelog",
    "tutorial",
    "guide",
    "example",
    "examples",
    "licence",
    "license",
];
/// Words that make the next word a name: `class Foo`, `def bar`.
const KEYWORDS: &[&str] = &[
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "function",
    "func",
    "fn",
    "def",
    "method",
    "type",
    "module",
    "const",
];

/// Parses `text`. `conventions`: the languages and files that it may name.
pub fn analyse(text: &str, conventions: &Conventions) -> Query {
    let parts = parts(text);
    let title = parts
        .iter()
        .find(|part| part.kind == PartKind::Title)
        .map_or(text, |part| part.text);
    let identifiers = identifiers(text, conventions);
    let files = references::files(text, conventions);
    let mut named = Firsts::new(MAX_QUERY_NAMES);
    for name in code_spans(text, &parts, conventions)
        .into_iter()
        .chain(qualified(text))
    {
        named.push(Reference::Symbol(name));
    }
    let keywords = keywords(&parts);
    let left_out = left_out(text, &identifiers, &files, &named, &keywords);
    let identifiers = identifiers.into_found();
    let mut references = files.into_found();
    references.extend(named.into_found());
    let has_word = |list: &[&str]| {
        let mut found = false;
        each_word(text, &mut |word| {
            found |= list.contains(&word.to_lowercase().as_str())
        });
        found
    };
    // A log or a quoted file mentions tests and examples that are not asked for: the title decides.
    let wants = |list: &[&str]| {
        let has_title = parts.iter().any(|part| part.kind == PartKind::Title);
        let telling = if has_title {
            PartKind::Title
        } else {
            PartKind::Prose
        };
        let mut found = false;
        for part in parts.iter().filter(|part| part.kind == telling) {
            each_word(part.text, &mut |word| {
                found |= list.contains(&word.to_lowercase().as_str())
            });
        }
        found
    };
    let letter = letter_of(&identifiers).is_some();
    let shape = if letter || is_symbol(text, conventions) {
        QueryShape::Symbol
    } else if ERROR_WORDS.iter().any(|word| text.contains(word)) {
        QueryShape::Error
    } else if has_word(STRUCTURE_WORDS) {
        QueryShape::Structure
    } else {
        QueryShape::Behaviour
    };
    let mut in_languages = Vec::new();
    each_word(text, &mut |word| {
        let lower = word.to_lowercase();
        // Short names are English words: `go`, `c`.
        if lower.len() > 2 && conventions.is_language(&lower) && !in_languages.contains(&lower) {
            in_languages.push(lower);
        }
    });
    Query {
        text: text.to_owned(),
        shape,
        references,
        identifiers,
        // Beside a letter that is asked for there are only stop words.
        terms: if letter { Vec::new() } else { terms(&parts) },
        keywords: keywords.into_found(),
        title: Title {
            text: title.trim().to_owned(),
            identifiers: self::identifiers(title, conventions).into_found(),
            keywords: self::keywords(&[Part {
                kind: PartKind::Title,
                text: title,
            }])
            .into_found(),
        },
        languages: in_languages,
        wants_tests: wants(TEST_WORDS),
        wants_docs: wants(DOC_WORDS),
        left_out,
    }
}

/// What is not searched for, as the caller is told.
fn left_out(
    text: &str,
    identifiers: &Firsts<String>,
    files: &Firsts<Reference>,
    named: &Firsts<Reference>,
    keywords: &Firsts<String>,
) -> Vec<String> {
    let mut has_long = false;
    each_word(text, &mut |word| has_long |= word.len() > MAX_WORD_BYTES);
    let first = |is_cut: bool, n: usize, what: &str| {
        is_cut.then(|| format!("only the first {n} {what} of the question are looked up"))
    };
    let long = has_long
        .then(|| format!("words of more than {MAX_WORD_BYTES} bytes in the question are not looked for"));
    [
        long,
        first(files.is_cut(), MAX_QUERY_FILES, "files"),
        first(identifiers.is_cut() || named.is_cut(), MAX_QUERY_NAMES, "names"),
        first(keywords.is_cut(), MAX_QUERY_WORDS, "different words"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The name that a symbol question is about: its last component, without decoration.
pub fn symbol_of(query: &Query) -> Option<&str> {
    if query.shape != QueryShape::Symbol {
        return None;
    }
    if let Some(letter) = letter_of(&query.identifiers) {
        return Some(letter);
    }
    let last = query.text.split_whitespace().next_back()?;
    let mut name = None;
    each_word(last.trim_end_matches("()"), &mut |word| name = Some(word));
    name
}

/// Whether the whole question is a name.
fn is_symbol(text: &str, conventions: &Conventions) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    match words.as_slice() {
        words if words.iter().any(|word| word.len() > MAX_WORD_BYTES) => false,
        [name] => {
            let is_file = references::known_extension(name, conventions).is_some();
            is_letter(name) || looks_like_name(name) && !is_file
        }
        [keyword, name] => KEYWORDS.contains(keyword) && is_identifier_text(name),
        _ => false,
    }
}

fn looks_like_name(word: &str) -> bool {
    is_identifier_text(word)
        && (is_identifier(word) || word.contains("::") || word.contains('.') || word.ends_with("()"))
}

/// The letter that a question is about, if it names nothing else.
fn letter_of(identifiers: &[String]) -> Option<&str> {
    match identifiers {
        [one] if is_letter(one) => Some(one),
        _ => None,
    }
}

/// Whether it is a single letter, and so a name. Other scripts have words of one character.
fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether it only has characters of (qualified) names.
fn is_identifier_text(word: &str) -> bool {
    let word = word.strip_suffix("()").unwrap_or(word);
    !word.is_empty()
        && word.chars().any(char::is_alphabetic)
        && word.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '#' | '$' | '\\' | '-' | '>' | '!' | '?')
        })
        && !word.starts_with(['.', '-', ':'])
        && !word.ends_with(['.', ':', '-'])
}

/// Whether prose has no such word: a capital or an underscore inside, a digit after a letter, or a long word with a leading
/// capital.
fn is_identifier(word: &str) -> bool {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return false };
    first == '_' || word.contains('_') || chars.any(char::is_uppercase) || first.is_uppercase()
}

/// Words of the text that look like code, in order, each once. A capital at the start of a sentence does not count.
fn identifiers(text: &str, conventions: &Conventions) -> Firsts<String> {
    let mut found = Firsts::new(MAX_QUERY_NAMES);
    each_word(text, &mut |word| {
        let inner = word.trim_matches('_');
        let humps = inner.chars().skip(1).any(char::is_uppercase) && inner.chars().any(char::is_lowercase);
        let code = inner.contains('_') || humps || word.starts_with('_');
        if code && (3..=MAX_WORD_BYTES).contains(&word.len()) {
            found.push_str(word);
        }
    });
    // A letter is a name if the question has nothing else (`g` in "what is g"): beside other words it is a variable or an axis, and
    // every definition of it would be noise. In back quotes it is a reference anyway.
    let part = Part {
        kind: PartKind::Prose,
        text,
    };
    if found.is_empty() && keywords(&[part]).is_empty() {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | ',' | '(' | ')'));
        for word in words.map(|word| word.trim_end_matches(['?', '.', '!', ':', ';'])) {
            if is_letter(word) && !is_stop_word(&word.to_lowercase()) {
                found.push_str(word);
            }
        }
    }
    if found.is_empty() && is_symbol(text, conventions) {
        each_word(text.split_whitespace().next_back().unwrap_or(text), &mut |word| {
            found.push_str(word);
        });
    }
    found
}

/// Names in back quotes, outside fences: they are marked as code.
fn code_spans(text: &str, parts: &[Part<'_>], conventions: &Conventions) -> Vec<String> {
    let mut found = Vec::new();
    let mut see = |text: &str| {
        for span in text.split('`').skip(1).step_by(2) {
            let name = span.trim().trim_end_matches("()");
            let ok = !name.is_empty() && name.len() < 80 && is_identifier_text(name);
            let is_file = || name.contains('/') || references::known_extension(name, conventions).is_some();
            if ok && !is_file() {
                found.push(name.to_owned());
            }
        }
    };
    match text.contains("```") {
        true => parts
            .iter()
            .filter(|part| part.kind != PartKind::Code)
            .for_each(|part| see(part.text)),
        false => see(text),
    }
    found
}

/// `Foo::bar`, `Foo#bar` anywhere in the text.
fn qualified(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '`' | '"' | '\''))
        .filter(|word| (5..=MAX_WORD_BYTES).contains(&word.len()) && is_identifier_text(word))
        .filter(|word| {
            word.contains("::")
                || word
                    .split_once('#')
                    .is_some_and(|(class, _)| !class.contains('.'))
        })
        .map(str::to_owned)
}

/// Index terms with their weight: repeats count with their logarithm, the title more, quoted code less. If there are too many, the
/// heaviest and longest are kept, which is deterministic and does not need the index.
fn terms(parts: &[Part<'_>]) -> Vec<(String, f32)> {
    let mut found: BTreeMap<String, TermOccurrence> = BTreeMap::new();
    let mut place = 0;
    let mut see = |part: &Part<'_>, word: &str| {
        each_term(word, &mut |term| {
            let seen = found.entry(term.to_owned()).or_insert(TermOccurrence {
                place,
                n: 0.0,
                titled: false,
            });
            seen.n += if part.kind == PartKind::Code {
                CODE_TERM
            } else {
                1.0
            };
            seen.titled |= part.kind == PartKind::Title;
            place += 1;
        });
    };
    let only_stop_words = keywords(parts).is_empty();
    for part in parts {
        each_word(part.text, &mut |word| {
            // A question that only has stop words is still a question.
            if only_stop_words || !is_stop_word(&word.to_lowercase()) {
                see(part, word);
            }
        });
    }
    let mut terms: Vec<(String, usize, f32)> = found
        .into_iter()
        .map(|(term, seen)| {
            let title = if seen.titled { TITLE_TERM } else { 1.0 };
            // One occurrence has weight 1; less than one (in code) has less.
            let weight = if seen.n < 1.0 { seen.n } else { 1.0 + seen.n.ln() };
            (term, seen.place, title * weight)
        })
        .collect();
    if terms.len() > MAX_QUERY_TERMS {
        terms.sort_by(|a, b| {
            b.2.total_cmp(&a.2)
                .then_with(|| b.0.len().cmp(&a.0.len()))
                .then_with(|| a.1.cmp(&b.1))
        });
        terms.truncate(MAX_QUERY_TERMS);
    }
    terms.sort_by_key(|(_, place, _)| *place);
    terms
        .into_iter()
        .map(|(term, _, weight)| (term, weight))
        .collect()
}

/// Where a term first occurs, how often, and whether the title has it.
struct TermOccurrence {
    place: usize,
    n: f32,
    titled: bool,
}

/// Plain words for matching paths and names: identifiers split, stop words and short words dropped, each once.
fn keywords(parts: &[Part<'_>]) -> Firsts<String> {
    let mut found = Firsts::new(MAX_QUERY_WORDS);
    for part in parts {
        each_word(part.text, &mut |word| {
            if word.len() > MAX_WORD_BYTES {
                return;
            }
            for part in parts_of(word) {
                if part.len() > 2 && !is_stop_word(&part) {
                    found.push(part);
                }
            }
        });
    }
    found
}

pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests;
