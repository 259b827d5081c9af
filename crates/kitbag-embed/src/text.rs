//! A passage in, the plain text that a model of somebody else reads out.
//!
//! Such a model was trained on running text, so it gets one: the path, what the chunk itself does not say (its capsule, or
//! at least the names it defines), then the chunk. Documentation needs no line of its own, it stands in the body.

#[cfg(test)]
mod tests;

use crate::Passage;

/// A line for each change of [`passage_text`], because the vectors of an old form must not be compared with those of a new
/// one: 1 path, capsule or names, body.
pub(crate) const TEXT_VERSION: u32 = 1;

/// At most `max_bytes` of it, cut between characters.
pub(crate) fn passage_text(passage: &Passage<'_>, max_bytes: usize) -> String {
    let names = passage.names.join(" ");
    let about = if passage.capsule.is_empty() {
        &names
    } else {
        passage.capsule
    };
    let mut text = String::new();
    for part in [passage.path, about, passage.body] {
        if !text.is_empty() && !part.is_empty() {
            text.push('\n');
        }
        text.push_str(cut(part, max_bytes.saturating_sub(text.len())));
    }
    text.truncate(cut(&text, max_bytes).len());
    text
}

/// The longest beginning of at most `max_bytes`.
pub(crate) fn cut(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
