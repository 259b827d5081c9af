//! The two public vocabularies, each loaded at its first use and then kept.
//!
//! Loading takes tens of milliseconds and megabytes, so commands that count nothing must not pay for it, and indexing
//! on all cores must not pay twice: the one place in this crate where a static earns its keep. A vocabulary is a
//! constant of the program; nothing about it depends on who asks first.
//!
//! The bare BPE backend is used, not `AnyTokenizer`, whose policy may add a begin-of-text token: that belongs to the
//! prompt, not to the text.

use std::sync::OnceLock;

use splintr::{Backend, PretrainedVocab, SpecialMode, Tokenize, Tokenizer};

static O200K: OnceLock<Tokenizer> = OnceLock::new();
static CL100K: OnceLock<Tokenizer> = OnceLock::new();

pub(crate) fn o200k(text: &str) -> usize {
    count(O200K.get_or_init(|| load(PretrainedVocab::O200kBase)), text)
}

pub(crate) fn cl100k(text: &str) -> usize {
    count(CL100K.get_or_init(|| load(PretrainedVocab::Cl100kBase)), text)
}

fn load(vocab: PretrainedVocab) -> Tokenizer {
    let loaded = splintr::from_vocab(vocab).expect("the vocabulary is compiled into the program");
    match loaded.into_backend() {
        Backend::Bpe(tokenizer) => tokenizer,
        _ => unreachable!("o200k and cl100k are BPE vocabularies"),
    }
}

fn count(tokenizer: &Tokenizer, text: &str) -> usize {
    // Plain `encode` would match `<|endoftext|>` and its like as control tokens and count too few.
    Tokenize::encode_with(tokenizer, text, &SpecialMode::Ordinary)
        .expect("ordinary text has no special token to refuse")
        .len()
}
