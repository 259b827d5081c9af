//! A passage in, the plain text that a folder or server model reads out.
//!
//! Such models were trained on running text. They get the path, then the capsule of the chunk (or the names it defines), then
//! the chunk. Documentation needs no line of its own, because it is in the body.

#[cfg(test)]
mod tests;

use kitbag_types::prefix;

use crate::Passage;

/// Raised with each change of [`passage_text`], because vectors of different forms cannot be compared. 1: path, capsule or
/// names, body.
pub(crate) const TEXT_VERSION: u32 = 1;

/// The text, cut to at most `max_bytes` between characters.
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
        text.push_str(prefix(part, max_bytes.saturating_sub(text.len())));
    }
    text.truncate(prefix(&text, max_bytes).len());
    text
}
