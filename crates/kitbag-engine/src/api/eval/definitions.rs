//! The right function, not only the right file (RET-27): what a query is about, and at which rank a search shows it.

use std::collections::BTreeMap;

use kitbag_rank::measure::Place;
use kitbag_store::Snapshot;
use kitbag_types::{LineRange, RepoPath, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EvalQuery, EvalResult, MeanOf};
use crate::EngineError;
use crate::matched::rounded;

/// A definition that a query is about.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalDefinition {
    pub path: String,
    /// Empty: lines outside any function; then the chunk that holds them counts.
    pub name: String,
    pub lines: (u32, u32),
    /// Of the first result that shows any of it, from 1.
    pub rank: Option<usize>,
}

/// How often a right definition is near the top: any of those that a query is about.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalDefinitions {
    pub queries: usize,
    pub acc1: f64,
    pub acc5: f64,
    pub acc10: f64,
    /// All of them within the first ten.
    pub all10: f64,
}

impl EvalDefinitions {
    /// `mean`: of a figure over queries.
    pub(super) fn of(results: &[&EvalResult], mean: &MeanOf<'_>) -> Option<Self> {
        let queries = results
            .iter()
            .filter(|result| !result.definitions.is_empty())
            .count();
        let acc = |k: usize| rounded(mean(&|result| acc(result, k)));
        (queries > 0).then(|| Self {
            queries,
            acc1: acc(1),
            acc5: acc(5),
            acc10: acc(10),
            all10: rounded(mean(&|result| {
                let is_near = |one: &EvalDefinition| one.rank.is_some_and(|rank| rank <= 10);
                let all = result.definitions.iter().all(is_near);
                (!result.definitions.is_empty()).then_some(f64::from(u8::from(all)))
            })),
        })
    }
}

/// 1 if any of the definitions that the query is about is within the first `k` results. `None`: it says nothing about them.
pub(super) fn acc(result: &EvalResult, k: usize) -> Option<f64> {
    let is_near = |one: &EvalDefinition| one.rank.is_some_and(|rank| rank <= k);
    let any = result.definitions.iter().any(is_near);
    (!result.definitions.is_empty()).then_some(f64::from(u8::from(any)))
}

/// What the gold lines and names of a query mean, with the ranks at which `places` show it.
pub(super) fn definitions_of(
    snapshot: &Snapshot<'_>,
    query: &EvalQuery,
    places: &[Place<'_>],
) -> Result<Vec<EvalDefinition>, EngineError> {
    let mut found: BTreeMap<(String, LineRange), String> = BTreeMap::new();
    let paths = query.gold_lines.iter().chain(&query.gold);
    let mut paths: Vec<&str> = paths.map(|gold| gold.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let Some(file) = RepoPath::new(path)
            .ok()
            .map(|path| snapshot.file(&path))
            .transpose()?
            .flatten()
        else {
            continue;
        };
        let Some(parse) = file.parse else { continue };
        let symbols = snapshot.symbols_of(file.id, parse)?;
        let is_named = |qualified: &str, name: &String| {
            let rest = qualified.strip_suffix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
        };
        for symbol in &symbols {
            let qualified = symbol.qualified();
            if query.gold_names.iter().any(|name| is_named(&qualified, name)) {
                found.insert((path.to_owned(), symbol.lines), qualified);
            }
        }
        let here = query.gold_lines.iter().filter(|gold| gold.path == path);
        for line in here
            .filter_map(|gold| gold.lines)
            .flat_map(|(first, last)| first..=last)
        {
            let is_around = |kind, lines: LineRange| {
                matches!(
                    kind,
                    SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
                ) && lines.contains(line)
            };
            let around = symbols
                .iter()
                .filter(|symbol| is_around(symbol.kind, symbol.lines))
                .min_by_key(|symbol| (symbol.lines.n_lines(), symbol.lines.start()));
            if let Some(symbol) = around {
                found.insert((path.to_owned(), symbol.lines), symbol.qualified());
            } else if let Some(chunk) = snapshot.chunk_at(file.id, parse, line)? {
                found.entry((path.to_owned(), chunk.lines)).or_default();
            }
        }
    }
    let ranked = found.into_iter().map(|((path, lines), name)| {
        let is_shown = |place: &Place<'_>| {
            place.path == path && place.lines.0 <= lines.end() && lines.start() <= place.lines.1
        };
        EvalDefinition {
            rank: places.iter().position(is_shown).map(|idx| idx + 1),
            path,
            name,
            lines: (lines.start(), lines.end()),
        }
    });
    Ok(ranked.collect())
}
