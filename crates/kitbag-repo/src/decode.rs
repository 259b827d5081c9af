//! Decodes bytes to text, or says why they are binary (IDX-4, IDX-15). Pure.

/// The bytes of a file that decide whether it is text or binary.
pub(crate) const SNIFF_BYTES: usize = 8192;

/// Magic numbers of binary formats. Formats with a NUL byte near the start need no entry.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x7FELF", "ELF"),
    (b"\x89PNG\r\n\x1A\n", "PNG"),
    (b"\xFF\xD8\xFF", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"\x1F\x8B", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xFD7zXZ", "xz"),
    (b"\x28\xB5\x2F\xFD", "zstd"),
    (b"7z\xBC\xAF\x27\x1C", "7-Zip"),
    (b"Rar!\x1A\x07", "RAR"),
    (b"\xCA\xFE\xBA\xBE", "class file or Mach-O"),
    (b"\xCF\xFA\xED\xFE", "Mach-O"),
    (b"\xFE\xED\xFA", "Mach-O"),
    (b"SQLite format 3", "SQLite"),
    (b"OggS", "Ogg"),
    (b"fLaC", "FLAC"),
    (b"ID3\x03", "MP3"),
    (b"ID3\x04", "MP3"),
    (b"wOFF", "WOFF"),
    (b"wOF2", "WOFF2"),
    (b"!<arch>\n", "ar archive"),
    (b"\xD0\xCF\x11\xE0", "OLE document"),
];

/// Why these bytes are not text; `None` if they are.
pub(crate) fn why_binary(bytes: &[u8]) -> Option<String> {
    if utf16_order(bytes).is_some() {
        return None;
    }
    // `BZh` must be followed by its block size digit: text may start with those letters.
    let magic = MAGIC.iter().find(|(magic, name)| {
        bytes.starts_with(magic)
            && (*name != "bzip2"
                || bytes.get(3).is_some_and(u8::is_ascii_digit) && bytes.get(4) == Some(&b'1'))
    });
    if let Some((_, name)) = magic {
        return Some(format!("content: {name}"));
    }
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    if head.contains(&0) {
        return Some("content: a NUL byte".to_owned());
    }
    let n_odd = n_not_text(head, bytes.len() > head.len());
    let percent = n_odd * 100 / head.len().max(1);
    (n_odd * 100 > head.len() * 30).then(|| format!("content: {percent} % of the beginning is not text"))
}

/// Counts bytes that are neither UTF-8 nor the control characters of text.
fn n_not_text(head: &[u8], is_cut: bool) -> usize {
    let mut n_odd = 0;
    let mut rest = head;
    loop {
        let (valid, error) = match std::str::from_utf8(rest) {
            Ok(text) => (text.as_bytes(), None),
            Err(error) => (&rest[..error.valid_up_to()], Some(error)),
        };
        n_odd += valid
            .iter()
            .filter(|byte| **byte < 0x20 && !matches!(byte, 8..=10 | 12 | 13 | 27) || **byte == 0x7F)
            .count();
        let Some(error) = error else { return n_odd };
        let Some(n_bad) = error.error_len() else {
            // A character that the end of the sample cuts does not count.
            return if is_cut {
                n_odd
            } else {
                n_odd + rest.len() - valid.len()
            };
        };
        n_odd += n_bad;
        rest = &rest[valid.len() + n_bad..];
    }
}

/// The text, and whether some of it had to be replaced.
pub(crate) fn decode(bytes: Vec<u8>) -> (String, bool) {
    if let Some(big_endian) = utf16_order(&bytes) {
        return decode_utf16(&bytes[2..], big_endian);
    }
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{FEFF}') {
                text.drain(..'\u{FEFF}'.len_utf8());
            }
            (text, false)
        }
        Err(error) => {
            let bytes = error.as_bytes();
            let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
            (String::from_utf8_lossy(bytes).into_owned(), true)
        }
    }
}

/// `Some(big endian)` if a byte order mark says UTF-16. UTF-32 begins with the same two bytes and then two NULs.
fn utf16_order(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => None,
        [0xFF, 0xFE, ..] => Some(false),
        [0xFE, 0xFF, ..] => Some(true),
        _ => None,
    }
}

fn decode_utf16(bytes: &[u8], big_endian: bool) -> (String, bool) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| {
        if big_endian {
            u16::from_be_bytes(*pair)
        } else {
            u16::from_le_bytes(*pair)
        }
    });
    let mut replaced = !rest.is_empty();
    let mut text: String = char::decode_utf16(units)
        .map(|unit| {
            unit.unwrap_or_else(|_| {
                replaced = true;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, replaced)
}

#[cfg(test)]
mod tests;
