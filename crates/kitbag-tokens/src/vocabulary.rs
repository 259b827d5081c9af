//! The two public vocabularies, each loaded at its first use and then kept.
//!
//! Loading takes tens of milliseconds and megabytes. Commands that count nothing must not pay for it, and indexing on all
//! cores must not pay twice, so this is the one static in this crate. A vocabulary is a constant of the program; nothing
//! about it depends on the first caller.
//!
//! The bare BPE backend is used, not `AnyTokenizer`, which may add a begin-of-text token: that belongs to the prompt, not to
//! the text.

use std::sync::OnceLock;

use kitbag_types::{Stop, Stopped};
use splintr::{Backend, PretrainedVocab, SpecialMode, Tokenize, Tokenizer};

static O200K: OnceLock<Tokenizer> = OnceLock::new();
static CL100K: OnceLock<Tokenizer> = OnceLock::new();

/// How much is counted between two checks whether to stop, in bytes: some milliseconds.
const PART_BYTES: usize = 64 << 10;

pub(crate) fn o200k(text: &str, stop: Stop<'_>) -> Result<usize, Stopped> {
    let tokenizer = O200K.get_or_init(|| load(PretrainedVocab::O200kBase));
    count_parts(tokenizer, text, stop)
}

pub(crate) fn cl100k(text: &str, stop: Stop<'_>) -> Result<usize, Stopped> {
    let tokenizer = CL100K.get_or_init(|| load(PretrainedVocab::Cl100kBase));
    count_parts(tokenizer, text, stop)
}

fn count_parts(tokenizer: &Tokenizer, text: &str, stop: Stop<'_>) -> Result<usize, Stopped> {
    let mut n_tokens = 0;
    for part in parts(text) {
        stop.check()?;
        n_tokens += count(tokenizer, part);
    }
    Ok(n_tokens)
}

/// Splits a long text into parts whose counts add up to that of the whole. No token of either vocabulary continues from a
/// line break into a letter: both split the text into words first, and a word with line breaks in it ends in line breaks or
/// slashes.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_cut =
            |at: &usize| rest.as_bytes()[*at - 1] == b'\n' && rest.as_bytes()[*at].is_ascii_alphabetic();
        let end = (PART_BYTES..rest.len()).find(is_cut).unwrap_or(rest.len());
        let part;
        (part, rest) = rest.split_at(end);
        (!part.is_empty()).then_some(part)
    })
}

fn load(vocab: PretrainedVocab) -> Tokenizer {
    let loaded = splintr::from_vocab(vocab).expect("the vocabulary is compiled into the program");
    match loaded.into_backend() {
        Backend::Bpe(tokenizer) => tokenizer,
        _ => unreachable!("o200k and cl100k are BPE vocabularies"),
    }
}

fn count(tokenizer: &Tokenizer, text: &str) -> usize {
    // Plain `encode` would match `<|endoftext|>` and similar as control tokens and count too few.
    Tokenize::encode_with(tokenizer, text, &SpecialMode::Ordinary)
        .expect("ordinary text has no special token to refuse")
        .len()
}
