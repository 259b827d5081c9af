//! How far a question reaches (ENG-20, RET-23): some packages, those and what they depend on directly, or the whole repository.
//!
//! The request names the package, or it is inferred from the open file or from the files that the question names. Files outside the
//! scope are not results; a result in a dependency has the weight `1/(1+distance)`. Dependencies are those that manifests declare: looking every
//! import up would take longer than the search.

use kitbag_analyse::packages::{Graph, NotOne, Packages, weight};
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::{Filter, Reference, RepoPath, Scope};

use crate::{EngineError, packages};

/// The packages that may answer.
pub(crate) struct PackageScope {
    packages: Packages,
    /// Weights by position in the list of packages; 0 excludes one.
    weights: Vec<f64>,
}

impl PackageScope {
    /// `None` if there is no limit. `references`: what the question names.
    pub(crate) fn of(
        snapshot: &Snapshot<'_>,
        filter: &Filter,
        references: &[Reference],
        warnings: &mut Vec<String>,
    ) -> Result<Option<Self>, EngineError> {
        let scope = match (filter.scope, filter.packages.is_empty()) {
            (None, true) | (Some(Scope::Repo), _) => return Ok(None),
            (None, false) => Scope::Package,
            (Some(scope), _) => scope,
        };
        let Some(known) = packages::stored(snapshot)? else {
            return Err(EngineError::Invalid {
                code: "PACKAGES_UNKNOWN",
                message: "the packages of this project are not known before it is indexed; run `kitbag index` first"
                    .into(),
            });
        };
        let packages = known.packages;
        let mut starts = Vec::new();
        for wanted in &filter.packages {
            starts.push(find(&packages, wanted)?);
        }
        if starts.is_empty() {
            starts = inferred(snapshot, &packages, filter.at.as_ref(), references)?;
        }
        if starts.is_empty() {
            warnings.push(format!(
                "scope `{}` has no effect: no package is named, and neither an open file nor the question says which one is meant",
                scope.as_str()
            ));
            return Ok(None);
        }
        let mut weights = vec![0.0; packages.list().len()];
        if scope == Scope::CrossPackage {
            let graph = Graph::new(&packages, &[]);
            for to in starts.iter().flat_map(|start| graph.direct(*start)) {
                weights[*to] = weight(1);
            }
        }
        for start in starts {
            weights[start] = weight(0);
        }
        Ok(Some(Self { packages, weights }))
    }

    /// The weight of results in a file; 0 excludes them.
    pub(crate) fn weight(&self, path: &RepoPath) -> f64 {
        self.packages.of_file(path).map_or(0.0, |at| self.weights[at])
    }
}

/// The package that the active file is in.
pub(crate) struct ActivePackage {
    packages: Packages,
    at: usize,
}

impl ActivePackage {
    pub(crate) fn of(snapshot: &Snapshot<'_>, active: Option<&RepoPath>) -> Result<Option<Self>, StoreError> {
        let Some(active) = active else { return Ok(None) };
        let packages = packages::stored(snapshot)?.map(|known| known.packages);
        Ok(packages.and_then(|packages| {
            let at = packages.of_file(active)?;
            Some(Self { packages, at })
        }))
    }

    pub(crate) fn holds(&self, path: &RepoPath) -> bool {
        self.packages.of_file(path) == Some(self.at)
    }
}

/// The scope that a word means.
pub(crate) fn parse(word: &str) -> Result<Scope, EngineError> {
    Scope::parse(word).ok_or_else(|| EngineError::Invalid {
        code: "INVALID_SCOPE",
        message: format!(
            "unknown scope `{word}`; known are {}",
            Scope::ALL.map(Scope::as_str).join(", ")
        ),
    })
}

/// A scope in JSON: its word, or nothing.
pub(crate) mod word {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use super::{Scope, parse};

    pub(crate) fn serialize<S: Serializer>(scope: &Option<Scope>, serializer: S) -> Result<S::Ok, S::Error> {
        scope.map(Scope::as_str).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Scope>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        word.as_deref().map(parse).transpose().map_err(D::Error::custom)
    }
}

/// The package that somebody means, or an error that names the choices (PKG-5).
pub(crate) fn find(packages: &Packages, wanted: &str) -> Result<usize, EngineError> {
    packages.find(wanted).map_err(|not_one| EngineError::Invalid {
        code: match not_one {
            NotOne::Several(_) => "PACKAGE_AMBIGUOUS",
            NotOne::None(_) => "PACKAGE_NOT_FOUND",
        },
        message: packages.explain(wanted, &not_one),
    })
}

/// The packages of the open file, else those of the files that the question names.
fn inferred(
    snapshot: &Snapshot<'_>,
    packages: &Packages,
    at: Option<&RepoPath>,
    references: &[Reference],
) -> Result<Vec<usize>, StoreError> {
    if let Some(package) = at.and_then(|path| packages.of_file(path)) {
        return Ok(vec![package]);
    }
    let mut found = Vec::new();
    for reference in references {
        let Reference::File { path, .. } = reference else {
            continue;
        };
        // A name that several files have does not say which package is meant.
        if let [file] = snapshot.files_ending(path)?.as_slice() {
            found.extend(packages.of_file(&file.path));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The names of the scopes.
pub fn scopes() -> [&'static str; 3] {
    Scope::ALL.map(Scope::as_str)
}
