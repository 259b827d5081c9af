//! The ways to find candidates. A [`Provider`] gets the question and returns chunks, best first, and evidence: what it knows about
//! any chunk, whichever provider found it. Lists are fused by their order alone; ranking uses the evidence.
//!
//! Each provider is one file here. A program that uses this crate adds its own with
//! [`Engine::with_provider`]; `examples/provider.rs` shows one.

mod dependency;
mod full_text;
mod git_history;
mod reference;
mod semantic;
mod symbol;

use kitbag_rank::tuning::FACTORS;
use kitbag_store::{FileRow, Snapshot, StoreError};
use kitbag_types::Filter;

use crate::globs::globs;
use crate::history::Changes;
use crate::scope::PackageScope;
use crate::{Engine, EngineError};

pub(crate) use crate::engine::{AllowedFiles, Answer, Ask, Evidence, Provider, Row};

/// The provider of files and symbols that a question names explicitly.
pub(crate) const REFERENCE: &str = "reference";

/// The providers of every engine.
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

/// Puts each provider after those it builds on, and otherwise keeps the order. `Err` has the name of a provider that depends on
/// itself or on one that does not exist.
pub(crate) fn in_order(mut waiting: Vec<Box<dyn Provider>>) -> Result<Vec<Box<dyn Provider>>, &'static str> {
    let mut ordered: Vec<Box<dyn Provider>> = Vec::new();
    while !waiting.is_empty() {
        let is_placed = |name: &&str| ordered.iter().any(|known| known.name() == *name);
        let (ready, rest): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|provider| provider.after().iter().all(is_placed));
        if ready.is_empty() {
            return Err(rest[0].name());
        }
        ordered.extend(ready);
        waiting = rest;
    }
    Ok(ordered)
}

/// What [`crate::api::SearchRequest::without`] can name: the providers, then the factors.
pub fn switches() -> Vec<&'static str> {
    let providers = built_in();
    let providers = providers.iter().map(|provider| provider.name());
    let factors = FACTORS.iter().map(|factor| factor.name);
    providers.chain(factors).chain(["repeat"]).collect()
}

/// Whether an error is not a failure of one provider: the store is damaged, or nobody waits any more.
pub(crate) fn ends_all(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::Cancelled
            | EngineError::Store(StoreError::Corrupt { .. } | StoreError::TextDamaged { .. })
    )
}

/// The filter of a request, prepared for lookups (RET-23).
pub(crate) fn allowed_files(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    filter: &Filter,
    reach: Option<&PackageScope>,
) -> Result<AllowedFiles, EngineError> {
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
    Ok(AllowedFiles::new(files, filter.kinds.clone()))
}
