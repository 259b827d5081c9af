//! The ways to find candidates. A [`Provider`] gets the question and gives chunks, best first, and what it knows of any
//! chunk, whoever found it. Lists are fused by their order alone; the evidence counts in ranking.
//!
//! Each provider is one file here. A program that uses this crate adds its own with
//! [`Engine::with_provider`]; `examples/provider.rs` shows one.

mod ask;
mod dependency;
mod evidence;
mod full_text;
mod git_history;
mod reference;
mod semantic;
mod symbol;

use std::collections::BTreeSet;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use kitbag_store::{ChunkRow, FileRow, Snapshot, StoreError};
use kitbag_types::Filter;

use crate::history::Changes;
use crate::scope::Reach;
use crate::{Engine, EngineError};

pub use ask::{Ask, Row};
pub use evidence::Evidence;
pub(crate) use semantic::Meaning;

/// One way to find candidates.
pub trait Provider: Send + Sync {
    /// Stands in explanations and in `without` of a search. No two providers of an engine share one.
    fn name(&self) -> &'static str;

    /// Providers that are asked before it, because it builds on what they find.
    fn after(&self) -> &'static [&'static str] {
        &[]
    }

    /// An error becomes a warning and leaves the other providers alone, unless the store itself is damaged.
    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError>;
}

/// What a provider found, and what it knows.
#[derive(Default)]
pub struct Answer {
    /// Best first. Beside each chunk its score as a share of the best one's, 0 to 1, if the provider has scores.
    pub found: Vec<(Row, Option<f64>)>,
    pub evidence: Evidence,
    /// What the asker should know.
    pub warnings: Vec<String>,
}

impl Answer {
    /// Chunks in order, without scores.
    pub fn ordered(rows: Vec<Row>) -> Self {
        Self {
            found: rows.into_iter().map(|row| (row, None)).collect(),
            ..Self::default()
        }
    }
}

/// The name of the provider of what a question names outright.
pub(crate) const REFERENCE: &str = "reference";

/// What every engine asks.
pub(crate) fn built_in() -> Vec<Box<dyn Provider>> {
    vec![
        Box::new(full_text::FullText),
        Box::new(reference::References),
        Box::new(symbol::Symbols),
        Box::new(semantic::Semantic),
        Box::new(git_history::GitHistory),
        Box::new(dependency::Dependency),
    ]
}

/// Puts each provider behind those it builds on, and otherwise leaves the order as it is. `Err`: the name of one that waits for
/// itself, or for one that is not there.
pub(crate) fn in_order(mut waiting: Vec<Box<dyn Provider>>) -> Result<Vec<Box<dyn Provider>>, &'static str> {
    let mut ordered: Vec<Box<dyn Provider>> = Vec::new();
    while !waiting.is_empty() {
        let is_placed = |name: &&str| ordered.iter().any(|known| known.name() == *name);
        let (ready, rest): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|provider| provider.after().iter().all(&is_placed));
        if ready.is_empty() {
            return Err(rest[0].name());
        }
        ordered.extend(ready);
        waiting = rest;
    }
    Ok(ordered)
}

/// Whether an error is no failure of one provider: the store is damaged, or nobody waits any more.
pub(crate) fn ends_all(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::Cancelled
            | EngineError::Store(StoreError::Corrupt { .. } | StoreError::TextDamaged { .. })
    )
}

/// The filter of a request, ready to be asked (RET-23).
pub(crate) struct Allowed {
    /// Files that pass; `None` means all.
    files: Option<BTreeSet<i64>>,
    kinds: Vec<kitbag_types::ChunkKind>,
}

impl Allowed {
    pub(crate) fn new(
        engine: &Engine,
        snapshot: &Snapshot<'_>,
        filter: &Filter,
        reach: Option<&Reach>,
    ) -> Result<Self, EngineError> {
        let paths = globs(&filter.paths)?;
        let exclude = globs(&filter.exclude)?;
        let open = filter.paths.is_empty()
            && filter.exclude.is_empty()
            && filter.languages.is_empty()
            && filter.since.is_none()
            && reach.is_none();
        let files = if open {
            None
        } else {
            let changes = filter.since.map(|since| Changes::read(engine, since));
            let passes = |row: &FileRow| {
                let path = row.path.as_str();
                (filter.paths.is_empty() || paths.is_match(path))
                    && !exclude.is_match(path)
                    && (filter.languages.is_empty() || filter.languages.contains(&row.language))
                    && reach.is_none_or(|reach| reach.weight(&row.path) > 0.0)
                    && changes.as_ref().is_none_or(|changes| changes.has(row))
            };
            let rows = snapshot.files()?;
            Some(rows.iter().filter(|row| passes(row)).map(|row| row.id).collect())
        };
        Ok(Self {
            files,
            kinds: filter.kinds.clone(),
        })
    }

    pub(crate) fn file(&self, file: i64) -> bool {
        self.files.as_ref().is_none_or(|files| files.contains(&file))
    }

    pub(crate) fn row(&self, row: &ChunkRow) -> bool {
        self.file(row.at.file) && (self.kinds.is_empty() || self.kinds.contains(&row.kind))
    }

    /// Kinds are not in the text index: with a limit on them, more must be fetched to have enough left.
    pub(crate) fn has_kinds(&self) -> bool {
        !self.kinds.is_empty()
    }
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

/// Globs as people mean them: `src` is everything below such a folder, `*.rs` is at any depth, `src/*.rs` is not deeper.
pub(crate) fn globs(patterns: &[String]) -> Result<GlobSet, EngineError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let invalid = |error: globset::Error| EngineError::Invalid {
            code: "INVALID_GLOB",
            message: format!("`{pattern}` is not a valid path pattern: {}", error.kind()),
        };
        let bare = pattern.trim_start_matches("./").trim_end_matches('/');
        if bare.is_empty() || bare == "." {
            set.add(glob("**").map_err(invalid)?);
            continue;
        }
        set.add(glob(bare).map_err(invalid)?);
        set.add(glob(&format!("{bare}/**")).map_err(invalid)?);
        if !bare.contains('/') {
            set.add(glob(&format!("**/{bare}")).map_err(invalid)?);
            set.add(glob(&format!("**/{bare}/**")).map_err(invalid)?);
        }
    }
    set.build().map_err(|error| EngineError::Invalid {
        code: "INVALID_GLOB",
        message: error.to_string(),
    })
}
