//! Cuts a text into chunks, and makes what is stored of it. The index, files that changed since and texts that are handed in all
//! use this, so all are cut alike.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kitbag_store::{NewParse, ParseKey, has_crashed};
use kitbag_syntax::{Clock, Language};
use kitbag_types::{Parsed, SourceFile};

use crate::Engine;

pub(crate) fn parse_key(engine: &Engine, hash: &[u8; 32], language: &str) -> ParseKey {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(hash)
        .update(&engine.content.to_le_bytes())
        .update(language.as_bytes());
    *hasher.finalize().as_bytes()
}

/// The processor time for parsing that all texts of one request share. Texts without time left are cut by lines (SEC-4).
///
/// They are parsed one after the other: a parser checks the clock only now and then, so every parser that runs when the
/// time is up exceeds it.
pub(crate) struct ParseTime(Mutex<Duration>);

impl ParseTime {
    const OF_A_REQUEST: Duration = Duration::from_millis(500);

    pub(crate) fn new() -> Self {
        Self(Mutex::new(Self::OF_A_REQUEST))
    }

    /// Runs `parse` with the time that is left. `None` if no time is left.
    fn spend<T>(&self, clock: Clock, parse: impl FnOnce(Duration) -> T) -> Option<T> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if left.is_zero() {
            return None;
        }
        let before = clock();
        let parsed = parse(*left);
        *left = left.saturating_sub(clock().saturating_sub(before));
        Some(parsed)
    }
}

/// A file as it was read, cut as the index cuts it.
pub(crate) fn cut(engine: &Engine, source: &SourceFile) -> NewParse {
    cut_by(engine, source, |language, has_crashed| {
        chunked(engine, source, language, has_crashed, Duration::MAX)
    })
}

/// The same, within a limit of time.
pub(crate) fn cut_within(engine: &Engine, source: &SourceFile, time: &ParseTime) -> NewParse {
    cut_by(engine, source, |language, has_crashed| {
        let parsed = time.spend(engine.options.clock, |left| {
            chunked(engine, source, language, has_crashed, left)
        });
        parsed.unwrap_or_else(|| chunked(engine, source, language, true, Duration::MAX))
    })
}

fn cut_by(
    engine: &Engine,
    source: &SourceFile,
    parse: impl FnOnce(Option<&Language>, bool) -> Parsed,
) -> NewParse {
    let first_line = source.text.lines().next().unwrap_or_default();
    let language = kitbag_syntax::language_of(&source.path, first_line);
    let name = language.map_or("text", |language| language.name);
    let key = parse_key(engine, &source.hash, name);
    let has_crashed = has_crashed(engine.store_dir(), &key);
    new_parse(source, name, key, parse(language, has_crashed))
}

/// `without_grammar`: cut by lines, because the parser crashed on this text before or there is no time for it.
pub(crate) fn chunked(
    engine: &Engine,
    source: &SourceFile,
    language: Option<&Language>,
    without_grammar: bool,
    most: Duration,
) -> Parsed {
    let name = language.map_or("text", |language| language.name);
    let (text, settings) = (&source.text, engine.options.chunk_settings(name));
    match without_grammar {
        true => kitbag_syntax::parse_without_grammar(text, language, settings),
        false => kitbag_syntax::parse_for(text, language, settings, engine.options.clock, most),
    }
}

/// What is stored of a text that was cut.
pub(crate) fn new_parse(source: &SourceFile, language: &str, key: ParseKey, parsed: Parsed) -> NewParse {
    let texts = || {
        parsed
            .chunks
            .iter()
            .map(|chunk| &source.text[chunk.bytes.clone()])
    };
    NewParse {
        key,
        language: language.to_owned(),
        tokens: texts().map(kitbag_tokens::count_o200k).collect(),
        hashes: texts().map(content_hash).collect(),
        n_redacted: source.notes.iter().filter(|note| note.code == "redacted").count() as u32,
        text: source.text.clone(),
        parsed,
    }
}

/// A hash that identifies a chunk's text.
pub(crate) fn content_hash(text: &str) -> [u8; 16] {
    blake3::hash(text.as_bytes()).as_bytes()[..16]
        .try_into()
        .expect("a hash has 32 bytes")
}
