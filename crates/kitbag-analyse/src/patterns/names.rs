//! How names are written: in which case, and of which words.

/// A way to write names of several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Case {
    Snake,
    Camel,
    Pascal,
    Upper,
    Kebab,
}

impl Case {
    pub(super) const ALL: [Self; 5] = [Self::Snake, Self::Camel, Self::Pascal, Self::Upper, Self::Kebab];

    /// As people write it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Snake => "snake_case",
            Self::Camel => "camelCase",
            Self::Pascal => "PascalCase",
            Self::Upper => "UPPER_CASE",
            Self::Kebab => "kebab-case",
        }
    }

    /// Whether a name is written so; a name of one word may fit several.
    pub(super) fn fits(self, name: &str) -> bool {
        let bare = name.trim_matches(['_', '$']);
        let (has_upper, has_lower) = (has(bare, char::is_uppercase), has(bare, char::is_lowercase));
        let first = bare.chars().next();
        let one_of = |extra: &str| bare.chars().all(|c| c.is_alphanumeric() || extra.contains(c));
        match self {
            Self::Snake => first.is_some() && !has_upper && one_of("_"),
            Self::Camel => first.is_some_and(|c| !c.is_uppercase()) && one_of(""),
            Self::Pascal => first.is_some_and(char::is_uppercase) && one_of(""),
            Self::Upper => has_upper && !has_lower && one_of("_"),
            Self::Kebab => first.is_some() && !has_upper && one_of("-"),
        }
    }
}

fn has(text: &str, is: impl Fn(char) -> bool) -> bool {
    text.chars().any(is)
}

/// Whether a name has several words, so that its case can be told.
pub(super) fn is_telling(name: &str) -> bool {
    words(name).len() > 1
}

/// `HTTPServerError`, `http_server_error`, `http-server.error` → its words as they are written.
pub(super) fn words(name: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        let chars: Vec<(usize, char)> = part.char_indices().collect();
        let mut start = 0;
        for (idx, window) in chars.windows(2).enumerate() {
            let (before, (at, after)) = (window[0].1, window[1]);
            let next_is_lower = chars.get(idx + 2).is_some_and(|(_, c)| c.is_lowercase());
            let starts_word = after.is_uppercase()
                && (before.is_lowercase() || before.is_numeric() || before.is_uppercase() && next_is_lower);
            if starts_word {
                found.push(&part[start..at]);
                start = at;
            }
        }
        if start < part.len() {
            found.push(&part[start..]);
        }
    }
    found
}

/// The last word of a name of several.
pub(super) fn suffix(name: &str) -> Option<&str> {
    let words = words(name);
    words
        .last()
        .copied()
        .filter(|last| words.len() > 1 && is_word(last))
}

/// The first word of a name of several.
pub(super) fn prefix(name: &str) -> Option<&str> {
    let words = words(name);
    words
        .first()
        .copied()
        .filter(|first| words.len() > 1 && is_word(first))
}

fn is_word(word: &str) -> bool {
    word.len() > 1 && word.chars().all(char::is_alphabetic)
}

/// The head of a type: `Result` of `Result<Vec<u8>, Error>`, `Promise` of `Promise<void>`.
pub(super) fn head(annotation: &str) -> &str {
    let text = annotation.trim_start_matches(['-', '>', ':', ' ', '&', '*', '?']);
    let end = text
        .find(['<', '[', '(', ' ', ',', '|', '{'])
        .unwrap_or(text.len());
    let path = &text[..end];
    path.rsplit(['.', ':', '\\']).next().unwrap_or(path)
}
