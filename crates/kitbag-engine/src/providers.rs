//! The ways to find candidates. A provider is a function and a row in [`PROVIDERS`]: it gets the snapshot and the question
//! and gives chunks, best first. Only the order counts afterwards.

mod dependency;
mod full_text;
mod git_history;
mod reference;
mod semantic;
mod symbol;

use std::collections::BTreeSet;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use kitbag_store::{ChunkRow, FileRow, Snapshot, StoreError};
use kitbag_types::{Filter, Query, Stop};

use crate::history::{Changes, Past};
use crate::linked::Linked;
use crate::meaning::Meaning;
use crate::scope::Reach;
use crate::{Engine, EngineError, Options, ProviderOptions};

/// One way to find.
pub(crate) struct Provider {
    pub name: &'static str,
    pub options: fn(&Options) -> ProviderOptions,
    run: fn(&Ask<'_>) -> Result<Vec<Found>, EngineError>,
}

/// A question as providers get it.
pub(crate) struct Ask<'a> {
    pub snapshot: &'a Snapshot<'a>,
    pub query: &'a Query,
    pub allowed: &'a Allowed,
    /// How near every chunk is, where there are vectors.
    pub meaning: Option<&'a Meaning>,
    /// What the history says.
    pub past: &'a Past,
    /// What hangs on the best of the others' answers; empty until they are there.
    pub linked: &'a Linked,
    pub stop: Stop<'a>,
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
    Provider {
        name: "semantic",
        options: |options| options.semantic,
        run: semantic::candidates,
    },
    Provider {
        name: "git_history",
        options: |options| options.git_history,
        run: git_history::candidates,
    },
];

/// Asked when the others have answered.
pub(crate) const LAST: &[Provider] = &[Provider {
    name: "dependency",
    options: |options| options.dependency,
    run: dependency::candidates,
}];

/// Is this the name of one?
pub(crate) fn is_provider(name: &str) -> bool {
    PROVIDERS.iter().chain(LAST).any(|provider| provider.name == name)
}

/// A provider's answer.
pub(crate) struct Answer {
    pub provider: &'static str,
    pub weight: f64,
    pub found: Vec<Found>,
}

/// A chunk that a provider found.
pub(crate) struct Found {
    pub row: ChunkRow,
    pub text: TextMatch,
    /// What the provider's own score is of its best one's, if it has scores.
    pub share: Option<f64>,
}

/// How well a text matches; all 0 where the provider does not look at text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextMatch {
    /// Its score as a share of the best one.
    pub share: f64,
    /// How much of the question's weight it has.
    pub coverage: f64,
    /// The score of its file as a share of the best file.
    pub file_share: f64,
}

impl TextMatch {
    pub(crate) fn max(self, other: &Self) -> Self {
        Self {
            share: self.share.max(other.share),
            coverage: self.coverage.max(other.coverage),
            file_share: self.file_share.max(other.file_share),
        }
    }
}

impl From<ChunkRow> for Found {
    fn from(row: ChunkRow) -> Self {
        Self {
            row,
            text: TextMatch::default(),
            share: None,
        }
    }
}

/// Asks those of `providers` that are switched on. One that fails is named in the warnings and leaves the others alone.
pub(crate) fn ask_all(
    ask: &Ask<'_>,
    providers: &[Provider],
    filter: &Filter,
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<Vec<Answer>, EngineError> {
    let mut answers = Vec::new();
    for provider in providers {
        let ProviderOptions { enabled, weight } = (provider.options)(options);
        if !enabled || filter.without.iter().any(|off| off == provider.name) {
            continue;
        }
        ask.stop.check()?;
        match (provider.run)(ask) {
            Ok(found) => answers.push(Answer {
                provider: provider.name,
                weight,
                found,
            }),
            Err(error) if ends_all(&error) => return Err(error),
            Err(error) => warnings.push(format!("provider {} failed: {error}", provider.name)),
        }
    }
    Ok(answers)
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
