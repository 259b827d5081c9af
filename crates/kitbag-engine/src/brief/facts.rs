//! What is known about a project, each part read when it is first asked for and once for a state of the index: a server answers many
//! questions from one state, and reading the facts of all code takes longer than answering does.
//!
//! A part that cannot be read is remembered as missing, with what stands in its place (ENG-70).

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kitbag_analyse::code::Code;
use kitbag_analyse::constraints::Constraint;
use kitbag_analyse::data_access::{self, DataAccessor};
use kitbag_analyse::entry_points::{self, EntryPoint};
use kitbag_analyse::packages::{Graph, Size};
use kitbag_store::Snapshot;
use kitbag_types::RepoPath;

use super::Ground;
use super::conventions::{self, Conventions};
use super::coupling::History;
use super::readme::{Readme, readmes};
use crate::packages::KnownPackages;
use crate::{Engine, EngineError, central, code_facts, packages, stated};

/// A part of the brief that could not be asked (ENG-71).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    pub source: &'static str,
    pub reason: String,
    pub fallback: &'static str,
}

/// See the module.
pub(crate) struct ProjectFacts {
    state: IndexKey,
    packages: OnceLock<Option<KnownPackages>>,
    graph: OnceLock<Option<Graph>>,
    sizes: OnceLock<Option<Vec<Size>>>,
    entries: OnceLock<Option<Vec<EntryPoint>>>,
    accessors: OnceLock<Option<Vec<DataAccessor>>>,
    rules: OnceLock<Option<Vec<Constraint>>>,
    conventions: OnceLock<Option<Conventions>>,
    central: OnceLock<Option<Vec<(RepoPath, f64)>>>,
    history: OnceLock<Option<History>>,
    readmes: OnceLock<Option<Vec<Readme>>>,
    missing: Mutex<Vec<Missing>>,
}

/// Tree, last change, time of it, content version: another state has another key.
type IndexKey = (i64, i64, i64, i64);

fn key_of(snapshot: &Snapshot<'_>) -> IndexKey {
    let state = snapshot.state();
    (state.id.0, state.seq, state.updated_at, state.content_version)
}

/// The facts for the state of a snapshot: those that are kept, if they are of that state.
pub(crate) fn facts_of(engine: &Engine, snapshot: &Snapshot<'_>) -> Arc<ProjectFacts> {
    let state = key_of(snapshot);
    let mut kept = engine.facts.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept
        .clone()
        .and_then(|facts| facts.downcast::<ProjectFacts>().ok());
    if let Some(facts) = known.filter(|facts| facts.state == state) {
        return facts;
    }
    let facts = Arc::new(ProjectFacts::new(state));
    // A part of an index knows a part of the facts: the rest comes within seconds.
    if snapshot.state().complete {
        let shared: Arc<dyn Any + Send + Sync> = Arc::<ProjectFacts>::clone(&facts);
        *kept = Some(shared);
    }
    facts
}

impl ProjectFacts {
    fn new(state: IndexKey) -> Self {
        Self {
            state,
            packages: OnceLock::new(),
            graph: OnceLock::new(),
            sizes: OnceLock::new(),
            entries: OnceLock::new(),
            accessors: OnceLock::new(),
            rules: OnceLock::new(),
            conventions: OnceLock::new(),
            central: OnceLock::new(),
            history: OnceLock::new(),
            readmes: OnceLock::new(),
            missing: Mutex::new(Vec::new()),
        }
    }

    /// What could not be asked so far, in the order of the sources.
    pub(crate) fn missing(&self) -> Vec<Missing> {
        let mut missing = self
            .missing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        missing.sort_by(|a, b| a.source.cmp(b.source));
        missing
    }

    pub(crate) fn packages(&self, ground: Ground<'_>) -> Option<&KnownPackages> {
        self.part(&self.packages, "packages", "the root as one package", || {
            let stored = packages::stored(ground.snapshot)?;
            match stored {
                Some(known) => Ok(known),
                None => packages::live(ground.engine, ground.now),
            }
        })
    }

    pub(crate) fn graph(&self, ground: Ground<'_>) -> Option<&Graph> {
        let known = self.packages(ground)?;
        self.part(&self.graph, "packages", "dependencies are not told", || {
            Ok(packages::graph(ground.snapshot, &known.packages)?)
        })
    }

    pub(crate) fn sizes(&self, ground: Ground<'_>) -> Option<&[Size]> {
        let known = self.packages(ground)?;
        let sizes = self.part(&self.sizes, "packages", "sizes are not told", || {
            Ok(known.packages.sizes(&ground.snapshot.line_counts()?))
        });
        sizes.map(Vec::as_slice)
    }

    pub(crate) fn entries(&self, ground: Ground<'_>) -> &[EntryPoint] {
        let found = self.part(&self.entries, "insights", "without entry points", || {
            let facts = code_facts::read(ground.snapshot)?;
            let code = Code::new(&facts.files);
            Ok(entry_points::find(&code, &facts.texts).list)
        });
        found.map_or(&[], Vec::as_slice)
    }

    /// Apart from the entry points, because it takes longer and few ask.
    pub(crate) fn accessors(&self, ground: Ground<'_>) -> &[DataAccessor] {
        let entries = self.entries(ground);
        let found = self.part(&self.accessors, "insights", "without data access", || {
            let facts = code_facts::read(ground.snapshot)?;
            Ok(data_access::find(&Code::new(&facts.files), entries))
        });
        found.map_or(&[], Vec::as_slice)
    }

    pub(crate) fn rules(&self, ground: Ground<'_>) -> &[Constraint] {
        let rules = self.part(&self.rules, "constraints", "without rules", || {
            Ok(stated::constraints(ground.engine, ground.now)?.0)
        });
        rules.map_or(&[], Vec::as_slice)
    }

    pub(crate) fn conventions(&self, ground: Ground<'_>) -> Option<&Conventions> {
        self.part(&self.conventions, "insights", "without conventions", || {
            conventions::read(ground)
        })
    }

    pub(crate) fn central(&self, ground: Ground<'_>) -> &[(RepoPath, f64)] {
        let ranked = self.part(&self.central, "links", "without key files", || {
            Ok(central::ranked(ground.snapshot)?)
        });
        ranked.map_or(&[], Vec::as_slice)
    }

    pub(crate) fn history(&self, ground: Ground<'_>) -> Option<&History> {
        self.part(&self.history, "history", "without what changes together", || {
            {
                let commits = ground.snapshot.commits()?.into_iter();
                Ok(History::new(commits.map(|commit| commit.paths).collect()))
            }
        })
    }

    pub(crate) fn readmes(&self, ground: Ground<'_>) -> &[Readme] {
        let read = self.part(&self.readmes, "readme", "what it says may be repeated", || {
            readmes(ground.snapshot)
        });
        read.map_or(&[], Vec::as_slice)
    }

    fn part<'f, T>(
        &'f self,
        cell: &'f OnceLock<Option<T>>,
        source: &'static str,
        fallback: &'static str,
        read: impl FnOnce() -> Result<T, EngineError>,
    ) -> Option<&'f T> {
        let value = cell.get_or_init(|| match read() {
            Ok(value) => Some(value),
            Err(error) => {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                missing.push(Missing {
                    source,
                    reason: error.to_string(),
                    fallback,
                });
                None
            }
        });
        value.as_ref()
    }
}
