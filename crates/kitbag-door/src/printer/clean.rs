//! Makes foreign text safe to show: nothing in it may control a terminal or hide from a reader.
//!
//! It escapes rather than deletes, so that a reader sees what was there (`evil\u{1b}[2J`). Letters, accents, emoji and
//! right-to-left scripts stay. Escaped are control characters (the C1 ones too, which some terminals obey), characters that
//! change the reading direction ("Trojan source"), and characters that a model can read but a person cannot see.

use std::borrow::Cow;

/// For names, labels and messages: one line, no control characters at all.
pub fn clean(text: &str) -> Cow<'_, str> {
    escaped(text, is_steering)
}

/// For a line of source, where tabs stay.
pub fn clean_code(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\t' && is_steering(c))
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_bad(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character controls a terminal, changes the reading direction, or is invisible.
pub fn is_steering(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{206F}' // direction
            | '\u{2028}' | '\u{2029}' // line breaks to some
            | '\u{200B}' | '\u{2060}'..='\u{2065}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{180E}' // invisible
            | '\u{E0000}'..='\u{E0FFF}') // tags and variation selectors of the supplement: invisible text
}
