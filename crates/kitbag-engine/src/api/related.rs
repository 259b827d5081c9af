//! `related`: what belongs to a place, each with its reason (CLI-6): the definition, what it uses, who uses it, its tests, what changes with it,
//! code that is much like it, and what has the same name elsewhere.

use std::sync::Arc;

use kitbag_store::{ChunkRow, Snapshot, SymbolRow};
use kitbag_types::terms::fold;
use kitbag_types::{LineRange, LinkKind, Stop, SymbolKind, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_index::{IndexQuestion, checked_limit};
use super::symbol::{SymbolReply, SymbolRequest, Use, uses_of};
use crate::co_changes::co_changes;
use crate::covering::{Subject, covering};
use crate::embed;
use crate::matched::rounded;
use crate::neighbours::Walk;
use crate::place::{Place, place_of};
use crate::request::yes;
use crate::{Engine, EngineError, Progress};

const MAX_LIMIT: usize = 100;
const DEFAULT_LIMIT: usize = 8;
/// Vectors that are less alike than this are alike by chance.
const LEAST_SIMILAR: f64 = 0.6;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelatedRequest<'s> {
    /// `PATH:LINE`, `PATH:LINE-LINE`, `PATH`, or the name of a definition.
    pub of: String,
    /// Of each kind, 1 to 100; without it, 8.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: Option<usize>,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    #[serde(skip)]
    pub stop: Stop<'s>,
}

impl RelatedRequest<'_> {
    pub fn new(of: impl Into<String>) -> Self {
        Self {
            of: of.into(),
            update: true,
            ..Self::default()
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelatedReply {
    /// The place as it was understood: `src/a.rs:10-20`.
    pub of: String,
    /// What is defined there, if something is.
    pub name: Option<String>,
    /// By kind, in the order of the kinds: definition, caller, callee, type, implementor, test, changes_with, similar, same_name.
    pub related: Vec<RelatedPlace>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelatedPlace {
    /// `definition`, `caller`, `callee`, `type`, `implementor`, `test`, `changes_with`, `similar` or `same_name`.
    pub kind: String,
    pub path: String,
    /// Null for a whole file.
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub name: String,
    /// In a few words.
    pub reason: String,
    /// The rules of the language say so.
    pub certain: bool,
}

pub fn related(
    engine: &Engine,
    request: &RelatedRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<RelatedReply, EngineError> {
    let limit = checked_limit(request.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let question = IndexQuestion {
        engine,
        update: request.update,
        stop: request.stop,
        progress,
        now,
    };
    let (mut reply, warnings) = question.answer(|snapshot| {
        let place = place_of(engine, snapshot, &request.of, false)?;
        answer(engine, snapshot, &place, limit, request.stop)
    })?;
    reply.warnings = warnings;
    Ok(reply)
}

fn answer(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    place: &Place,
    limit: usize,
    stop: Stop<'_>,
) -> Result<RelatedReply, EngineError> {
    let mut reply = RelatedReply {
        of: place.say(),
        name: place.symbol.as_ref().map(SymbolRow::qualified),
        ..RelatedReply::default()
    };
    let rows = rows_of(snapshot, place)?;
    let mut add = |place: RelatedPlace| reply.related.push(place);
    if let Some(symbol) = &place.symbol {
        let head = symbol.signature.lines().next().unwrap_or_default();
        add(of_symbol(
            "definition",
            symbol,
            format!("is defined here: {head}"),
            true,
        ));
        let uses = uses_of(
            snapshot,
            &SymbolRequest {
                limit: Some(limit),
                stop,
                ..SymbolRequest::new(symbol.qualified())
            },
            symbol,
        )?;
        of_uses(&uses).into_iter().for_each(&mut add);
    }
    stop.check()?;
    types_of(snapshot, &rows, limit, stop)?
        .into_iter()
        .for_each(&mut add);
    let subject = Subject {
        files: vec![place.path.clone()],
        rows: rows.clone(),
        ..Subject::default()
    };
    for cover in covering(engine, snapshot, &subject, stop)?
        .into_iter()
        .take(limit)
    {
        let case = cover.cases.first();
        add(RelatedPlace {
            kind: "test".to_owned(),
            path: cover.path.to_string(),
            line_start: case.map(|case| case.lines.start()),
            line_end: case.map(|case| case.lines.end()),
            name: case.map(|case| case.name.clone()).unwrap_or_default(),
            reason: cover.reasons.first().cloned().unwrap_or_default(),
            certain: cover.certain,
        });
    }
    let path = place.path.as_str();
    let together = co_changes(snapshot, &|other| other == path)?;
    for (other, n) in together.usual().take(limit) {
        add(RelatedPlace {
            kind: "changes_with".to_owned(),
            path: other.clone(),
            line_start: None,
            line_end: None,
            name: String::new(),
            reason: format!(
                "changed in {n} of the {} commits that changed this file",
                together.n_touching
            ),
            certain: false,
        });
    }
    similar(engine, snapshot, &rows, limit)?
        .into_iter()
        .for_each(&mut add);
    if let Some(symbol) = &place.symbol {
        same_named(snapshot, symbol, limit)?
            .into_iter()
            .for_each(&mut add);
    }
    Ok(reply)
}

/// The chunks of code at the place: of a definition its own, of a line the one around it, of a file all.
fn rows_of(snapshot: &Snapshot<'_>, place: &Place) -> Result<Vec<ChunkRow>, EngineError> {
    let Some((file, parse)) = snapshot
        .file(&place.path)?
        .and_then(|file| Some((file.id, file.parse?)))
    else {
        return Ok(Vec::new());
    };
    let lines = place.symbol.as_ref().map(|symbol| symbol.lines).or(place.lines);
    let mut rows = snapshot.chunks_of(file, parse)?;
    rows.retain(|row| row.kind.is_code() && lines.is_none_or(|lines| lines.overlaps(row.lines)));
    Ok(rows)
}

fn of_symbol(kind: &str, symbol: &SymbolRow, reason: String, certain: bool) -> RelatedPlace {
    RelatedPlace {
        kind: kind.to_owned(),
        path: symbol.path.to_string(),
        line_start: Some(symbol.lines.start()),
        line_end: Some(symbol.lines.end()),
        name: symbol.qualified(),
        reason,
        certain,
    }
}

fn of_uses(uses: &SymbolReply) -> Vec<RelatedPlace> {
    let place = |kind: &str, what: &str, one: &Use| RelatedPlace {
        kind: kind.to_owned(),
        path: one.path.clone(),
        line_start: Some(one.line),
        line_end: Some(one.line),
        name: one.name.clone(),
        reason: match one.doubt() {
            Some(doubt) => format!("{what} ({doubt})"),
            None => what.to_owned(),
        },
        certain: one.certain,
    };
    let callers = uses.callers.iter().map(|one| place("caller", "uses it", one));
    let callees = uses
        .callees
        .iter()
        .map(|one| place("callee", "is called by it", one));
    let implementors = uses
        .implementors
        .iter()
        .map(|one| place("implementor", "inherits from it or implements it", one));
    callers.chain(callees).chain(implementors).collect()
}

/// Types that it names.
fn types_of(
    snapshot: &Snapshot<'_>,
    rows: &[ChunkRow],
    limit: usize,
    stop: Stop<'_>,
) -> Result<Vec<RelatedPlace>, EngineError> {
    let mut walk = Walk::new(snapshot, stop);
    let mut found: Vec<RelatedPlace> = Vec::new();
    for row in rows.iter().take(limit) {
        for (definition, kind) in walk.definitions_for(row)? {
            let is_known = found.iter().any(|known| {
                known.path == definition.path.as_str() && known.line_start == Some(definition.lines.start())
            });
            if kind == LinkKind::Call || is_known || found.len() == limit {
                continue;
            }
            found.push(RelatedPlace {
                kind: "type".to_owned(),
                path: definition.path.to_string(),
                line_start: Some(definition.lines.start()),
                line_end: Some(definition.lines.end()),
                name: definition.label.clone(),
                reason: format!("is named by {}", row.label),
                certain: true,
            });
        }
    }
    Ok(found)
}

/// Code elsewhere whose vectors are near.
fn similar(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    rows: &[ChunkRow],
    limit: usize,
) -> Result<Vec<RelatedPlace>, EngineError> {
    let (Some((vectors, _)), Some(row)) = (embed::vectors(engine, snapshot), rows.first()) else {
        return Ok(Vec::new());
    };
    let Some(own) = vectors.row(row.at) else {
        return Ok(Vec::new());
    };
    let is_own = |at: kitbag_store::ChunkRef| rows.iter().any(|row| row.at == at);
    let mut near: Vec<(f64, usize)> = (0..vectors.n_rows())
        .map(|other| (f64::from(vectors.similarity(own, other)), other))
        .filter(|(alike, other)| *alike >= LEAST_SIMILAR && !is_own(vectors.chunk(*other)))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut found: Vec<(f64, Arc<ChunkRow>)> = Vec::new();
    // A row may be of a file that has changed or gone since.
    for (alike, other) in near.into_iter().take(limit * 4) {
        let row = snapshot.chunk(vectors.chunk(other))?;
        found.extend(
            row.filter(|row| row.current && row.kind.is_code())
                .map(|row| (alike, row)),
        );
    }
    found.sort_by(|(a, a_row), (b, b_row)| {
        let by_place = || {
            a_row
                .path
                .cmp(&b_row.path)
                .then_with(|| a_row.lines.cmp(&b_row.lines))
        };
        b.total_cmp(a).then_with(by_place)
    });
    let found = found.into_iter().take(limit).map(|(alike, row)| RelatedPlace {
        kind: "similar".to_owned(),
        path: row.path.to_string(),
        line_start: Some(row.lines.start()),
        line_end: Some(row.lines.end()),
        name: row.label.clone(),
        reason: format!("is like it ({:.2} of 1)", rounded(alike)),
        certain: false,
    });
    Ok(found.collect())
}

fn same_named(
    snapshot: &Snapshot<'_>,
    symbol: &SymbolRow,
    limit: usize,
) -> Result<Vec<RelatedPlace>, EngineError> {
    let mut found = snapshot.symbols_named(&fold(&symbol.name))?;
    found.retain(|other| {
        let is_itself = (other.file, other.idx) == (symbol.file, symbol.idx);
        !is_itself && other.name == symbol.name && other.kind != SymbolKind::Section
    });
    found.sort_by(|a, b| (&a.path, a.idx).cmp(&(&b.path, b.idx)));
    let place = |other: &SymbolRow| RelatedPlace {
        line_end: Some(LineRange::new(other.name_line, other.name_line).end()),
        line_start: Some(other.name_line),
        ..of_symbol("same_name", other, "has the same name".to_owned(), false)
    };
    Ok(found.iter().take(limit).map(place).collect())
}
