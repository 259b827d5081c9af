//! Stored text is packed by LZ4, with its length in front. Source shrinks to about 40 % and unpacks faster than a disk reads. The
//! lines of a link are stored as distances, each from the line before, because most distances are one digit.

/// Packs `text`.
pub(crate) fn pack(text: &str) -> Vec<u8> {
    pack_bytes(text.as_bytes())
}

/// Packs what is not text.
pub(crate) fn pack_bytes(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::compress_prepend_size(bytes)
}

/// Unpacks what [`pack`] made; `None` if these are not such bytes. `n_bytes` is the length the row promises: a torn
/// blob must not make us allocate whatever its first four bytes say.
pub(crate) fn unpack(bytes: &[u8], n_bytes: usize) -> Option<String> {
    String::from_utf8(unpack_bytes(bytes, n_bytes)?).ok()
}

/// The same for [`pack_bytes`].
pub(crate) fn unpack_bytes(bytes: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
    let promised = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
    if promised as usize != n_bytes {
        return None;
    }
    let text = lz4_flex::decompress_size_prepended(bytes).ok()?;
    (text.len() == n_bytes).then_some(text)
}

/// Lines that follow `first`, in order.
pub(crate) fn pack_lines(first: u32, lines: &[u32]) -> String {
    let mut last = first;
    let mut out = String::new();
    for line in lines {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&line.saturating_sub(last).to_string());
        last = *line;
    }
    out
}

/// What [`pack_lines`] packed.
pub(crate) fn unpack_lines(first: u32, text: &str) -> Vec<u32> {
    let mut last = first;
    let distances = text.split_whitespace().map_while(|word| word.parse::<u32>().ok());
    distances
        .map(|distance| {
            last = last.saturating_add(distance);
            last
        })
        .collect()
}

#[cfg(test)]
mod tests;
