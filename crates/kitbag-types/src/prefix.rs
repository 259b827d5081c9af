//! The beginning of a text, for limits in bytes. `str::floor_char_boundary` needs a newer compiler than we promise.

/// The longest prefix of at most `max_bytes`, cut between characters.
pub fn prefix(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests;
