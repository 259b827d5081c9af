//! `cite`: lists the sources that an answer cites, from the pack that it was made with (PACK-61).

use kitbag_pack::citations_in;
use schemars::JsonSchema;
use serde::Serialize;

use super::{PackItem, PackReply, SavedPack};

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct CiteReply {
    /// The sources that the answer cites, in its order, each once.
    pub sources: Vec<CitedSource>,
    /// Texts that look like citations but are not in the pack.
    pub unknown: Vec<String>,
    /// Items of the pack that no answer has cited so far.
    pub unused: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct CitedSource {
    pub citation: String,
    pub snippet_id: String,
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub label: String,
    pub section: String,
}

/// The sources of `answer`, marked as used in `saved`.
pub fn cite(saved: &mut SavedPack, answer: &str) -> CiteReply {
    let mut sources = Vec::new();
    let mut unknown = Vec::new();
    for citation in citations_in(answer) {
        match find(&saved.reply, &citation) {
            Some(item) => sources.push(source(item)),
            None => unknown.push(citation),
        }
    }
    let is_quoted = |citation: &str| sources.iter().any(|source| source.citation == citation);
    let (used, unused): (Vec<String>, Vec<String>) = saved
        .reply
        .items
        .iter()
        .map(|item| item.citation.clone())
        .partition(|citation| is_quoted(citation) || saved.used.contains(citation));
    saved.used = used;
    CiteReply {
        sources,
        unknown,
        unused,
    }
}

fn find<'p>(pack: &'p PackReply, citation: &str) -> Option<&'p PackItem> {
    pack.items.iter().find(|item| item.citation == citation)
}

fn source(item: &PackItem) -> CitedSource {
    CitedSource {
        citation: item.citation.clone(),
        snippet_id: item.snippet_id.clone(),
        path: item.path.clone(),
        line_start: item.line_start,
        line_end: item.line_end,
        label: item.label.clone(),
        section: item.section.clone(),
    }
}
