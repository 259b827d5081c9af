//! Texts that were handed in to be searched (`add_context`): a buffer that is not saved stands for its file, anything else stands beside
//! the files. They are cut as files are, and found by their words; they are few, so they are looked through for every question.

use std::collections::BTreeSet;

use kitbag_store::{AddedText, NewParse};
use kitbag_types::terms::terms_of;
use kitbag_types::{Chunk, FileStamp, RepoPath, SourceFile};

use crate::Engine;
use crate::cut::{ParseTime, cut_within};
use crate::memory::relevance::word_shares;
use crate::request::PackSource;

/// Less is found by chance.
const LEAST_SHARE: f64 = 0.3;

/// A chunk of an added text that answers a question.
pub(crate) struct AddedChunk {
    pub name: String,
    pub chunk: Chunk,
    pub text: String,
    pub language: String,
    pub tokens: u32,
    /// Share of the question's words, 0 to 1.
    pub share: f64,
}

/// What a user has added; nothing if that cannot be read.
pub(crate) fn texts(engine: &Engine, user: &str) -> Vec<AddedText> {
    let texts = engine.read_journal(|journal| journal.added_texts(user));
    texts.ok().flatten().unwrap_or_default()
}

/// The chunks that have the words of a question, best first.
pub(crate) fn found(engine: &Engine, texts: &[AddedText], question: &str) -> Vec<AddedChunk> {
    let time = ParseTime::new();
    let mut chunks = Vec::new();
    for added in texts {
        let Some((language, parsed)) = parsed(engine, added, &time) else {
            continue;
        };
        let cut = parsed.parsed.chunks.iter().zip(&parsed.tokens);
        chunks.extend(cut.map(|(chunk, tokens)| AddedChunk {
            name: added.name.clone(),
            text: parsed.text[chunk.bytes.clone()].to_owned(),
            chunk: chunk.clone(),
            language: language.clone(),
            tokens: *tokens,
            share: 0.0,
        }));
    }
    let words: Vec<BTreeSet<String>> = chunks
        .iter()
        .map(|one| {
            terms_of(&one.text)
                .into_iter()
                .chain(terms_of(&one.name))
                .collect()
        })
        .collect();
    for (chunk, share) in chunks.iter_mut().zip(word_shares(&words, question)) {
        chunk.share = share;
    }
    chunks.retain(|chunk| chunk.share >= LEAST_SHARE);
    chunks.sort_by(|a, b| {
        let by_share = b.share.total_cmp(&a.share);
        by_share
            .then_with(|| a.name.cmp(&b.name))
            .then_with(|| a.chunk.lines.cmp(&b.chunk.lines))
    });
    chunks
}

fn parsed(engine: &Engine, added: &AddedText, time: &ParseTime) -> Option<(String, NewParse)> {
    let source = SourceFile {
        path: RepoPath::new(added.name.as_str()).ok()?,
        stamp: FileStamp {
            size: added.text.len() as u64,
            mtime_ns: 0,
        },
        hash: *blake3::hash(added.text.as_bytes()).as_bytes(),
        text: added.text.clone(),
        notes: Vec::new(),
    };
    let parsed = cut_within(engine, &source, time);
    Some((parsed.language.clone(), parsed))
}

/// The added texts that concern a task, as sources of its pack.
pub(crate) fn sources(engine: &Engine, user: &str, task: &str) -> Vec<PackSource> {
    let texts = texts(engine, user);
    let mut best: Vec<(&AddedText, f64)> = Vec::new();
    for chunk in found(engine, &texts, task) {
        let is_known = best.iter().any(|(added, _)| added.name == chunk.name);
        if !is_known && let Some(added) = texts.iter().find(|added| added.name == chunk.name) {
            best.push((added, chunk.share));
        }
    }
    best.into_iter()
        .map(|(added, share)| {
            let path = RepoPath::new(added.name.as_str()).ok();
            let is_file = path.is_some_and(|path| engine.tree.stamp(&path).is_some());
            PackSource {
                kind: if is_file { "open_file" } else { "tool_result" }.to_owned(),
                path: is_file.then(|| added.name.clone()),
                label: (!is_file).then(|| added.name.clone()),
                content: Some(added.text.clone()),
                relevance: Some(share),
                timestamp_ms: Some(added.at.0),
                ..PackSource::default()
            }
        })
        .collect()
}
