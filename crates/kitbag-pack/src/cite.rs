//! Citations (PACK-61): a short id for each item that a model can quote, and finding those ids in what it answered.

use std::collections::BTreeSet;

use kitbag_types::ChunkKind;

use crate::piece::{Origin, Piece};

/// Digits and letters that are not easily confused.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const SHORTEST: usize = 4;
const LONGEST: usize = 12;

/// One citation per piece, in order: all different, and as short as possible.
pub(crate) fn citations<'p>(pieces: impl IntoIterator<Item = &'p Piece>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    pieces
        .into_iter()
        .map(|piece| {
            let prefix = prefix_of(piece.origin, piece.kind);
            let digits = digits(&piece.id);
            let mut found = (SHORTEST..=LONGEST).map(|n| format!("{prefix}-{}", &digits[..n]));
            let citation = found
                .find(|citation| !taken.contains(citation))
                // Sixty equal bits mean the same id twice; a number tells the two apart.
                .unwrap_or_else(|| format!("{prefix}-{digits}{}", taken.len()));
            taken.insert(citation.clone());
            citation
        })
        .collect()
}

/// The prefix of a citation, by the kind of piece.
pub fn prefix_of(origin: Origin, kind: ChunkKind) -> &'static str {
    match (origin, kind) {
        (Origin::ToolResult, _) => "tr",
        (Origin::Message, _) => "ms",
        (Origin::Memory, _) => "me",
        (_, ChunkKind::CodeFunction) => "fn",
        (_, ChunkKind::CodeClass) => "cl",
        (_, ChunkKind::CodeBlock) => "cb",
        (_, ChunkKind::Comment | ChunkKind::Docstring) => "cm",
        (_, ChunkKind::MarkdownSection | ChunkKind::Paragraph) => "md",
        (_, ChunkKind::SqlStatement) => "sq",
        (_, ChunkKind::YamlBlock | ChunkKind::ConfigBlock) => "cf",
        (_, ChunkKind::StyleRule | ChunkKind::MarkupBlock) => "mk",
    }
}

const PREFIXES: [&str; 11] = ["tr", "ms", "me", "fn", "cl", "cb", "cm", "md", "sq", "cf", "mk"];

/// Twelve digits of base 32 from an id in hexadecimal.
fn digits(id: &str) -> String {
    let number = id
        .chars()
        .filter_map(|c| c.to_digit(16))
        .take(16)
        .fold(0u64, |sum, digit| (sum << 4) | u64::from(digit));
    (0..LONGEST)
        .map(|idx| DIGITS[(number >> (5 * idx)) as usize & 31] as char)
        .collect()
}

/// Everything in a text that looks like a citation (`[fn-3kx9]`, brackets optional), in order, each once.
pub fn citations_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    let is_digit = |c: char| c.is_ascii() && DIGITS.contains(&(c as u8));
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        // Dashes around it belong to the sentence.
        let word = word.trim_matches('-');
        let Some((prefix, digits)) = word.split_once('-') else {
            continue;
        };
        let is_citation =
            PREFIXES.contains(&prefix) && digits.len() >= SHORTEST && digits.chars().all(is_digit);
        if is_citation && known.insert(word) {
            found.push(word.to_owned());
        }
    }
    found
}
