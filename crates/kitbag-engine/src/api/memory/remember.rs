//! `remember`: words and what they are about become a memory, without secrets and not twice.

use kitbag_store::{CitationRow, MemoryRow, Snapshot};
use kitbag_types::{LineRange, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{invalid, with_snapshot};
use crate::memory::cite::{Cited, citation};
use crate::memory::code::Code;
use crate::memory::likeness::{Likeness, likeness, same_words};
use crate::memory::{TreeCode, nearest};
use crate::names::meant;
use crate::{Engine, EngineError};

/// Longer ones are documents, and belong into the repository (SEC-4).
pub(super) const MAX_BYTES: usize = 4_000;
pub(super) const MOST_CITED: usize = 50;
const MOST_OFFERED: usize = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    Decision,
    // What everybody here knows and nobody wrote down.
    Tribal,
    Convention,
    // A fact about the code. Comments of the variants are not docs: the schema would have a choice of one for each.
    #[default]
    Semantic,
}

impl MemoryKind {
    pub const ALL: [Self; 4] = [Self::Decision, Self::Tribal, Self::Convention, Self::Semantic];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Tribal => "tribal",
            Self::Convention => "convention",
            Self::Semantic => "semantic",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// What is to be kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RememberRequest {
    pub content: String,
    #[serde(default)]
    pub kind: MemoryKind,
    /// What it is about, so that it can be checked: path, path:first-last, path#symbol or symbol.
    #[serde(default, alias = "files")]
    pub cites: Vec<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// 0 to 1, 0.8 unless told.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f64>,
    /// For nobody else on this server.
    #[serde(default)]
    pub private: bool,
}

const CONFIDENCE: f64 = 0.8;

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RememberReply {
    pub id: i64,
    /// False: it was known already.
    pub is_new: bool,
    /// As it is kept.
    pub content: String,
    pub cited: usize,
    /// Without a citation nobody can tell when it becomes wrong, and it is let go after 90 days without use: these are near.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<NearestSymbol>,
    /// Memories that say nearly the same, or the opposite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub like: Vec<LikeMemory>,
    /// What was wrong with what was kept before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A definition that a memory may be about.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NearestSymbol {
    /// As `cites` takes it: path#symbol.
    pub cite: String,
    pub signature: String,
}

/// A memory beside another one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LikeMemory {
    pub id: i64,
    /// `alike` or `contradicts`.
    pub how: String,
    pub content: String,
}

pub fn remember(
    engine: &Engine,
    user: &str,
    request: &RememberRequest,
    now: Timestamp,
) -> Result<RememberReply, EngineError> {
    let row = with_snapshot(engine, |snapshot| new_row(engine, snapshot, request, now))?;
    let known = engine.journal(|journal| journal.memories(user))?;
    let like: Vec<LikeMemory> = alike(&row, &known);
    let mut done = RememberReply {
        id: 0,
        is_new: true,
        content: row.content.clone(),
        cited: row.citations.len(),
        nearest: Vec::new(),
        like,
        warnings: Vec::new(),
    };
    let twice = known
        .iter()
        .find(|old| old.kind == row.kind && same_words(&old.content, &row.content));
    match twice {
        Some(old) => {
            done.id = old.id;
            done.is_new = false;
            done.like.retain(|like| like.id != old.id);
            done.cited = cite_more(engine, user, old, &row)?;
        }
        None => (done.id, done.is_new) = engine.journal(|journal| journal.remember(user, &row))?,
    }
    if done.cited == 0 {
        done.nearest = with_snapshot(engine, |snapshot| {
            let Some(snapshot) = snapshot else {
                return Ok(Vec::new());
            };
            nearest::symbols(engine, snapshot, &row.content, MOST_OFFERED)
        })?
        .into_iter()
        .map(|symbol| NearestSymbol {
            cite: format!("{}#{}", symbol.path, symbol.qualified()),
            signature: symbol.signature,
        })
        .collect();
    }
    done.warnings = engine.take_notices();
    Ok(done)
}

pub(super) fn alike(row: &MemoryRow, known: &[MemoryRow]) -> Vec<LikeMemory> {
    let like = |old: &MemoryRow| {
        let how = match likeness(row, old)? {
            Likeness::Alike => "alike",
            Likeness::Contradicts => "contradicts",
        };
        (old.id != row.id).then(|| LikeMemory {
            id: old.id,
            how: how.to_owned(),
            content: old.content.clone(),
        })
    };
    known.iter().filter_map(like).collect()
}

/// Said again with places that it did not have: its owner's memory gets them.
fn cite_more(engine: &Engine, user: &str, old: &MemoryRow, new: &MemoryRow) -> Result<usize, EngineError> {
    let is_known = |citation: &CitationRow| {
        let place = |citation: &CitationRow| {
            (
                citation.path.clone(),
                citation.symbol.clone(),
                citation.line_start,
            )
        };
        old.citations.iter().any(|known| place(known) == place(citation))
    };
    let added: Vec<CitationRow> = new
        .citations
        .iter()
        .filter(|one| !is_known(one))
        .cloned()
        .collect();
    if added.is_empty() || old.owner != user {
        return Ok(old.citations.len());
    }
    let mut row = old.clone();
    row.citations.extend(added);
    row.citations.truncate(MOST_CITED);
    engine.journal(|journal| journal.update_memory(user, &row))?;
    Ok(row.citations.len())
}

/// The request as a row, checked and without secrets.
pub(super) fn new_row(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    request: &RememberRequest,
    now: Timestamp,
) -> Result<MemoryRow, EngineError> {
    let content = request.content.trim();
    if content.is_empty() || content.len() > MAX_BYTES {
        let n_bytes = content.len();
        let message = format!("a memory has 1 to {MAX_BYTES} bytes, not {n_bytes}");
        return Err(invalid("INVALID_MEMORY", message));
    }
    if request.cites.len() > MOST_CITED || request.tags.len() > MOST_CITED {
        let message = format!("at most {MOST_CITED} places and {MOST_CITED} tags");
        return Err(invalid("INVALID_MEMORY", message));
    }
    let one_line = |text: &String| !text.is_empty() && text.len() <= 100 && !text.contains(['\n', '\r']);
    if !request.tags.iter().all(one_line) {
        let message = "a tag has 1 to 100 bytes on one line";
        return Err(invalid("INVALID_MEMORY", message.into()));
    }
    let confidence = request.confidence.unwrap_or(CONFIDENCE);
    if !(0.0..=1.0).contains(&confidence) {
        let message = format!("confidence must be between 0 and 1, not {confidence}");
        return Err(invalid("INVALID_CONFIDENCE", message));
    }
    let code = TreeCode::new(engine, snapshot);
    let citations = request
        .cites
        .iter()
        .map(|place| cited(engine, snapshot, &code, place))
        .collect::<Result<Vec<_>, _>>()?;
    let redacted = |text: &str| engine.tree.redact(text).0.into_owned();
    Ok(MemoryRow {
        kind: request.kind.as_str().to_owned(),
        content: redacted(content),
        tags: request.tags.iter().map(|tag| redacted(tag)).collect(),
        created: now,
        last_used: now,
        confidence,
        private: request.private,
        citations,
        ..MemoryRow::default()
    })
}

/// What a place as people write it means: `path`, `path:10-20`, `path#symbol` or `symbol`.
pub(super) fn cited(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    code: &dyn Code,
    place: &str,
) -> Result<CitationRow, EngineError> {
    let place = place.trim();
    if place.is_empty() || place.len() > 500 {
        return Err(invalid("INVALID_CITATION", "a place has 1 to 500 bytes".into()));
    }
    let (path, what) = split_place(place);
    let in_tree = engine
        .tree
        .resolve(std::path::Path::new(path), engine.root())
        .ok();
    if let Some(path) = in_tree.filter(|path| engine.tree.stamp(path).is_some()) {
        if let Some(reason) = engine.tree.denied(&path) {
            return Err(invalid("PATH_DENIED", format!("{path}: {reason}")));
        }
        return citation(code, path.as_str(), &what).ok_or_else(|| {
            let message = match &what {
                Cited::Symbol(name) => format!("{path} defines no `{name}`"),
                Cited::Lines(lines) => format!(
                    "{path} says nothing on lines {} to {}",
                    lines.start(),
                    lines.end()
                ),
                Cited::File => format!("{path} cannot be read"),
            };
            invalid("INVALID_CITATION", message)
        });
    }
    if what != Cited::File || place.contains('/') {
        return Err(invalid(
            "INVALID_CITATION",
            format!("no file `{path}` in this project"),
        ));
    }
    symbol_anywhere(snapshot, code, place)
}

/// A bare name: the one definition that it means.
fn symbol_anywhere(
    snapshot: Option<&Snapshot<'_>>,
    code: &dyn Code,
    name: &str,
) -> Result<CitationRow, EngineError> {
    let found = match snapshot {
        Some(snapshot) => meant(snapshot, name)?.fitting,
        None => Vec::new(),
    };
    let places: Vec<String> = found
        .iter()
        .map(|symbol| format!("{}#{}", symbol.path, symbol.qualified()))
        .collect();
    let [symbol] = found.as_slice() else {
        let message = match places.len() {
            0 => format!("no file and no definition is called `{name}`; run `kitbag index` if it is new"),
            n => {
                let shown: Vec<&str> = places.iter().take(MOST_OFFERED).map(String::as_str).collect();
                format!(
                    "`{name}` is defined in {n} places; cite one of {}",
                    shown.join(", ")
                )
            }
        };
        return Err(invalid("INVALID_CITATION", message));
    };
    let cited = Cited::Symbol(symbol.qualified());
    citation(code, symbol.path.as_str(), &cited).ok_or_else(|| {
        invalid(
            "INVALID_CITATION",
            format!("{} no longer defines `{name}`", symbol.path),
        )
    })
}

fn split_place(place: &str) -> (&str, Cited) {
    if let Some((path, symbol)) = place.split_once('#').filter(|(_, symbol)| !symbol.is_empty()) {
        return (path, Cited::Symbol(symbol.to_owned()));
    }
    let lines = |text: &str| -> Option<LineRange> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        (first >= 1 && first <= last).then(|| LineRange::new(first, last))
    };
    match place
        .rsplit_once(':')
        .and_then(|(path, text)| Some((path, lines(text)?)))
    {
        Some((path, lines)) => (path, Cited::Lines(lines)),
        None => (place, Cited::File),
    }
}
