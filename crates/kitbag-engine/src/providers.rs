//! The ways to find candidates. A provider is a function and a row in [`PROVIDERS`]: it gets the snapshot and the question
//! and gives chunks, best first. Only the order counts afterwards.

mod full_text;
mod reference;
mod symbol;

use std::collections::BTreeSet;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use kitbag_store::{ChunkRow, Snapshot, StoreError};
use kitbag_types::{Filter, Query};

use crate::{EngineError, Options, ProviderOptions};

/// One way to find.
pub(crate) struct Provider {
    pub name: &'static str,
    pub options: fn(&Options) -> ProviderOptions,
    run: fn(&Snapshot<'_>, &Query, &Allowed) -> Result<Vec<Found>, StoreError>,
}

/// What the question names outright is found by `reference`, which has no switch: RET-2 is a promise.
pub(crate) const PROVIDERS: &[Provider] = &[
    Provider {
        name: "full_text",
        options: |options| options.full_text,
        run: full_text::candidates,
    },
    Provider {
        name: "reference",
        options: |_| ProviderOptions {
            enabled: true,
            weight: 1.0,
        },
        run: reference::candidates,
    },
    Provider {
        name: "symbol",
        options: |options| options.symbol,
        run: symbol::candidates,
    },
];

/// A provider's answer.
pub(crate) struct Answer {
    pub provider: &'static str,
    pub weight: f64,
    pub found: Vec<Found>,
}

/// A chunk that a provider found.
pub(crate) struct Found {
    pub row: ChunkRow,
    /// How well its text matches, as a share of the best match; 0 where the provider does not look at text.
    pub match_share: f64,
}

impl From<ChunkRow> for Found {
    fn from(row: ChunkRow) -> Self {
        Self {
            row,
            match_share: 0.0,
        }
    }
}

/// Asks all that are switched on. One that fails is named in the warnings and leaves the others alone; a damaged store is
/// not its failure and goes up.
pub(crate) fn ask_all(
    snapshot: &Snapshot<'_>,
    query: &Query,
    allowed: &Allowed,
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<Vec<Answer>, StoreError> {
    let mut answers = Vec::new();
    for provider in PROVIDERS {
        let ProviderOptions { enabled, weight } = (provider.options)(options);
        if !enabled {
            continue;
        }
        match (provider.run)(snapshot, query, allowed) {
            Ok(found) => answers.push(Answer {
                provider: provider.name,
                weight,
                found,
            }),
            Err(error @ (StoreError::Corrupt { .. } | StoreError::TextDamaged { .. })) => return Err(error),
            Err(error) => warnings.push(format!("provider {} failed: {error}", provider.name)),
        }
    }
    Ok(answers)
}

/// The filter of a request, ready to be asked (RET-23).
pub(crate) struct Allowed {
    /// Files that pass; `None` means all.
    files: Option<BTreeSet<i64>>,
    kinds: Vec<kitbag_types::ChunkKind>,
}

impl Allowed {
    pub(crate) fn new(snapshot: &Snapshot<'_>, filter: &Filter) -> Result<Self, EngineError> {
        let paths = globs(&filter.paths)?;
        let exclude = globs(&filter.exclude)?;
        let open = filter.paths.is_empty() && filter.exclude.is_empty() && filter.languages.is_empty();
        let files = if open {
            None
        } else {
            let passes = |path: &str, language: &str| {
                (filter.paths.is_empty() || paths.is_match(path))
                    && !exclude.is_match(path)
                    && (filter.languages.is_empty()
                        || filter.languages.iter().any(|wanted| wanted == language))
            };
            let rows = snapshot.files()?;
            Some(
                rows.iter()
                    .filter(|row| passes(row.path.as_str(), &row.language))
                    .map(|row| row.id)
                    .collect(),
            )
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
fn globs(patterns: &[String]) -> Result<GlobSet, EngineError> {
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
