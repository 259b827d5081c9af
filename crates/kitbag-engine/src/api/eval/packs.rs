//! What a pack for a query shows of the lines that answer it, and what the rest of its tokens are.

use std::collections::BTreeSet;
use std::time::Duration;

use kitbag_pack::{Item, Resolution};
use kitbag_store::Snapshot;
use kitbag_tokens::Tokenizer;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EvalQuery, EvalResult, MeanOf};
use crate::api::pack::made;
use crate::api::tokenizer_of;
use crate::matched::rounded;
use crate::request::PackRequest;
use crate::{Engine, EngineError};

/// A pack for a query, judged.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalPack {
    pub budget: usize,
    pub tokens: usize,
    /// Lines that answer the query, and those of them that the pack shows.
    pub gold_lines: usize,
    pub gold_shown: usize,
    /// Lines of files that stand in it.
    pub lines: usize,
    /// Share of the gold files that it shows or names.
    pub files: f64,
    /// Tokens of items that no provider found.
    pub filler: usize,
    /// Tokens of everything that is neither a line of a file nor the name of a place: headings, citations, fences, marks, hints.
    pub scaffolding: usize,
    /// Tokens of items that are only named.
    pub names: usize,
    /// Tokens of what is told beside code, without headings; they are scaffolding too.
    #[serde(default)]
    pub brief: usize,
}

/// Packs of one budget.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalPacks {
    pub budget: usize,
    pub queries: usize,
    /// Packs that show any gold line.
    pub any: f64,
    /// Share of the gold lines that is shown.
    pub lines: f64,
    /// Share of the shown lines that are gold.
    pub precision: f64,
    pub files: f64,
    /// Shares of the tokens.
    pub filler: f64,
    pub scaffolding: f64,
    pub names: f64,
    #[serde(default)]
    pub brief: f64,
    pub tokens: f64,
}

/// A figure of a pack.
pub(super) type PackFigure = (&'static str, fn(&EvalPack) -> f64);

/// Those that `--compare` shows.
pub(super) const COMPARED: [PackFigure; 5] = [
    ("any", EvalPack::any),
    ("lines", EvalPack::lines),
    ("precision", EvalPack::precision),
    ("filler", |pack| pack.share(pack.filler)),
    ("scaffolding", |pack| pack.share(pack.scaffolding)),
];

impl EvalPack {
    fn any(&self) -> f64 {
        f64::from(u8::from(self.gold_shown > 0))
    }

    fn lines(&self) -> f64 {
        self.gold_shown as f64 / self.gold_lines.max(1) as f64
    }

    fn precision(&self) -> f64 {
        self.gold_shown as f64 / self.lines.max(1) as f64
    }

    fn share(&self, tokens: usize) -> f64 {
        tokens as f64 / self.tokens.max(1) as f64
    }
}

impl EvalPacks {
    /// By budget. `mean`: of a figure over queries.
    pub(super) fn of(results: &[&EvalResult], mean: &MeanOf<'_>) -> Vec<Self> {
        let packs = || results.iter().flat_map(|result| &result.packs);
        let budgets: BTreeSet<usize> = packs().map(|pack| pack.budget).collect();
        let of_budget = |budget: usize| {
            let mean =
                |value: &dyn Fn(&EvalPack) -> f64| rounded(mean(&|result| of(result, budget).map(value)));
            Self {
                budget,
                queries: packs().filter(|pack| pack.budget == budget).count(),
                any: mean(&EvalPack::any),
                lines: mean(&EvalPack::lines),
                precision: mean(&EvalPack::precision),
                files: mean(&|pack| pack.files),
                filler: mean(&|pack| pack.share(pack.filler)),
                scaffolding: mean(&|pack| pack.share(pack.scaffolding)),
                names: mean(&|pack| pack.share(pack.names)),
                brief: mean(&|pack| pack.share(pack.brief)),
                tokens: mean(&|pack| pack.tokens as f64),
            }
        };
        budgets.into_iter().map(of_budget).collect()
    }
}

/// The pack of a budget.
pub(super) fn of(result: &EvalResult, budget: usize) -> Option<&EvalPack> {
    result.packs.iter().find(|pack| pack.budget == budget)
}

/// Where packs are made to be judged.
pub(super) struct PackDesk<'a, 's> {
    engine: &'a Engine,
    snapshot: &'a Snapshot<'s>,
    tokenizer: Tokenizer,
    /// As in [`PackRequest`].
    include_brief: Option<bool>,
    clock: &'a (dyn Fn() -> Duration + Sync),
    now: Timestamp,
}

impl<'a, 's> PackDesk<'a, 's> {
    pub(super) fn new(
        engine: &'a Engine,
        snapshot: &'a Snapshot<'s>,
        include_brief: Option<bool>,
        clock: &'a (dyn Fn() -> Duration + Sync),
        now: Timestamp,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            engine,
            snapshot,
            tokenizer: tokenizer_of(&engine.options.packing.model)?,
            include_brief,
            clock,
            now,
        })
    }

    /// A pack for the text of the query as it stands, with every provider.
    pub(super) fn judged(&self, query: &EvalQuery, budget: usize) -> Result<EvalPack, EngineError> {
        let request = PackRequest {
            update: false,
            include_brief: self.include_brief,
            ..PackRequest::new(query.query.as_str(), budget, &self.tokenizer)
        };
        let made = made(self.engine, self.snapshot, &request, self.clock, self.now)?;
        let packed = &made.packed;
        let gold: BTreeSet<(&str, u32)> = query
            .gold_lines
            .iter()
            .filter_map(|gold| Some((gold.path.as_str(), gold.lines?)))
            .flat_map(|(path, (first, last))| (first..=last).map(move |line| (path, line)))
            .collect();
        let mut shown: BTreeSet<(&str, u32)> = BTreeSet::new();
        let mut code_tokens = 0;
        for item in &packed.items {
            let lines = item.lines.iter().copied().chain(item.head_lines());
            let lines = lines.flat_map(|range| range.start()..=range.end());
            shown.extend(lines.map(|line| (item.piece.path.as_str(), line)));
            code_tokens += self.tokenizer.count(&text_of(item)).tokens;
        }
        let is_named = |path: &str| packed.items.iter().any(|item| item.piece.path == path);
        let n_files = query.gold.iter().filter(|gold| is_named(&gold.path)).count();
        let tokens_of = |is: fn(&Item) -> bool| {
            let some = packed.items.iter().filter(|item| is(item));
            some.map(|item| item.tokens).sum::<usize>()
        };
        let names = tokens_of(|item| item.resolution == Resolution::Reference);
        Ok(EvalPack {
            budget,
            tokens: packed.tokens,
            gold_lines: gold.len(),
            gold_shown: gold.intersection(&shown).count(),
            lines: shown.len(),
            files: rounded(n_files as f64 / query.gold.len().max(1) as f64),
            filler: tokens_of(|item| item.piece.providers.is_empty()),
            scaffolding: packed.tokens.saturating_sub(names + code_tokens),
            names,
            brief: packed.brief.iter().map(|one| one.tokens).sum(),
        })
    }
}

/// The lines that an item shows, without marks.
fn text_of(item: &Item) -> String {
    let is_shown = |line: u32| item.lines.iter().any(|lines| lines.contains(line));
    let mut text = String::new();
    for (number, line) in item.piece.numbered() {
        if is_shown(number) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}
