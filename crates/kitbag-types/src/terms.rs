//! Splits text into index terms. The index and the question both use it, so they always agree.
//!
//! An identifier yields its parts and its whole: `parseHTTPHeader`, `parse_http_header` and `PARSE-HTTP-HEADER` all give
//! `pars http header`, and the first two also `parsehttpheader`, so that an exact name outweighs its scattered parts. Parts
//! are stemmed lightly (plural, -ing, -ed, silent e): enough for prose to match code, too little to merge different words.
//! Scripts written without spaces (Han, Kana, Hangul) give overlapping pairs of characters. Single letters and words over 64
//! bytes (hashes, encoded data) give nothing.

/// Longer words are data, not language.
const MAX_WORD_BYTES: usize = 64;

/// Calls `emit` with every term of `text`, in order, repeats included.
pub fn each_term(text: &str, emit: &mut dyn FnMut(&str)) {
    let mut scratch = Scratch::default();
    each_word(text, &mut |word| scratch.word(word, emit));
}

/// The terms of `text` as a list.
pub fn terms_of(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    each_term(text, &mut |term| terms.push(term.to_owned()));
    terms
}

/// The parts of one identifier, lower case and unstemmed: `parseHTTPHeader2` → `parse http header 2`.
pub fn parts_of(identifier: &str) -> Vec<String> {
    let mut parts = Vec::new();
    each_word(identifier, &mut |word| {
        let mut rest = word;
        while let Some((part, tail)) = next_part(rest) {
            parts.push(part.to_lowercase());
            rest = tail;
        }
    });
    parts
}

/// A name without its style: `parse_config`, `parseConfig` and `ParseConfig` fold to `parseconfig`.
pub fn fold(name: &str) -> String {
    parts_of(name).concat()
}

/// Calls `emit` with every run of letters, digits and underscores.
pub fn each_word<'t>(text: &'t str, emit: &mut dyn FnMut(&'t str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !starts_word(text, at) {
            at += char_len(bytes[at]);
            continue;
        }
        let start = at;
        while at < bytes.len() && starts_word(text, at) {
            at += char_len(bytes[at]);
        }
        emit(&text[start..at]);
    }
}

fn starts_word(text: &str, at: usize) -> bool {
    let byte = text.as_bytes()[at];
    if byte < 0x80 {
        return byte.is_ascii_alphanumeric() || byte == b'_';
    }
    text[at..].chars().next().is_some_and(char::is_alphanumeric)
}

fn char_len(first_byte: u8) -> usize {
    match first_byte {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// Buffers that are reused from word to word: this runs over every byte of a repository.
#[derive(Default)]
struct Scratch {
    whole: String,
    part: String,
}

impl Scratch {
    fn word(&mut self, word: &str, emit: &mut dyn FnMut(&str)) {
        if !word.is_ascii() && word.chars().any(is_unspaced) {
            return each_pair(word, emit);
        }
        if word.len() > MAX_WORD_BYTES {
            return;
        }
        self.whole.clear();
        let mut n_parts = 0;
        let mut rest = word;
        while let Some((part, tail)) = next_part(rest) {
            rest = tail;
            n_parts += 1;
            self.part.clear();
            push_lower(&mut self.part, part);
            self.whole.push_str(&self.part);
            if self.part.len() > 1 {
                stem(&mut self.part);
                emit(&self.part);
            }
        }
        if n_parts > 1 && self.whole.len() > 1 {
            emit(&self.whole);
        }
    }
}

fn push_lower(out: &mut String, part: &str) {
    if part.is_ascii() {
        out.extend(part.bytes().map(|byte| byte.to_ascii_lowercase() as char));
    } else {
        out.extend(part.chars().flat_map(char::to_lowercase));
    }
}

/// Splits the first part off an identifier: at underscores, between lower and upper case, before the last capital of an
/// acronym (`HTTPServer` → `HTTP Server`), between letters and digits.
fn next_part(word: &str) -> Option<(&str, &str)> {
    let word = word.trim_start_matches('_');
    if word.is_empty() {
        return None;
    }
    let mut chars = word.char_indices().peekable();
    let (_, mut previous) = chars.next()?;
    let mut previous_at = 0;
    let mut n_upper = u32::from(previous.is_uppercase());
    while let Some((at, c)) = chars.next() {
        let hump = c.is_uppercase() && !previous.is_uppercase();
        let cut = if c == '_' || c.is_numeric() != previous.is_numeric() || hump {
            Some(at)
        } else if c.is_lowercase() && previous.is_uppercase() && n_upper > 1 {
            // `HTTPServer`: the S belongs to what follows. A lone plural stays: `URLs`, `IDs`.
            let plural = c == 's' && chars.peek().is_none_or(|(_, next)| !next.is_lowercase());
            if plural { None } else { Some(previous_at) }
        } else {
            None
        };
        if let Some(cut) = cut {
            return Some((&word[..cut], &word[cut..]));
        }
        n_upper = if c.is_uppercase() { n_upper + 1 } else { 0 };
        previous = c;
        previous_at = at;
    }
    Some((word, ""))
}

/// Stems a lower-case word lightly, in place. ASCII only: words of other languages stay unchanged.
pub fn stem(word: &mut String) {
    if word.len() < 3 || !word.is_ascii() {
        return;
    }
    if let Some(base) = word.strip_suffix("ies") {
        let n = base.len();
        if n >= 2 {
            word.truncate(n);
            word.push('y');
        }
        return;
    }
    if word.ends_with("sses") || word.ends_with("shes") || word.ends_with("ches") || word.ends_with("xes") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        word.truncate(word.len() - 1);
    }
    let cut = if word.ends_with("ing") && word.len() >= 6 {
        3
    } else if word.ends_with("ed") && word.len() >= 5 && !word.ends_with("eed") {
        2
    } else {
        0
    };
    if cut > 0 && word[..word.len() - cut].bytes().any(|b| b"aeiouy".contains(&b)) {
        word.truncate(word.len() - cut);
        let bytes = word.as_bytes();
        let n = bytes.len();
        if bytes[n - 1] == bytes[n - 2] && !b"lsz".contains(&bytes[n - 1]) {
            word.truncate(n - 1);
        }
    }
    if word.len() > 3 && word.ends_with('e') {
        word.truncate(word.len() - 1);
    }
}

/// Stems a lower-case word as index terms are stemmed.
pub fn stemmed(word: &str) -> String {
    let mut word = word.to_owned();
    stem(&mut word);
    word
}

/// Scripts that do not put spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Overlapping pairs of characters; a single character is a term itself. Runs of other letters inside are kept as words.
fn each_pair(word: &str, emit: &mut dyn FnMut(&str)) {
    let mut run_start = 0;
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut idx = 0;
    while idx < chars.len() {
        let unspaced = is_unspaced(chars[idx].1);
        let start_idx = idx;
        while idx < chars.len() && is_unspaced(chars[idx].1) == unspaced {
            idx += 1;
        }
        let end = chars.get(idx).map_or(word.len(), |(at, _)| *at);
        let run = &word[run_start..end];
        if !unspaced {
            each_term(run, emit);
        } else if idx - start_idx == 1 {
            emit(run);
        } else {
            for pair in start_idx..idx - 1 {
                let pair_end = chars.get(pair + 2).map_or(word.len(), |(at, _)| *at);
                emit(&word[chars[pair].0..pair_end]);
            }
        }
        run_start = end;
    }
}

#[cfg(test)]
mod tests;
