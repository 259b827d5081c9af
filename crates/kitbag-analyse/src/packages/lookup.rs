//! The package that somebody means: by name, path, the end or the start of a path, or a part of either (PKG-5).
//!
//! The first of these that fits anything decides. If it fits several, the answer is the list of them, never a guess. Only where two managers
//! have a package of one name in one folder, it is the one that the code needs; `npm:name` means the one of that manager.

#[cfg(test)]
mod tests;

use super::package::{Package, Packages};

/// How many packages an answer names.
const MAX_CHOICES: usize = 20;
/// How many nearest ones are named when none fits.
const MAX_NEAREST: usize = 5;
/// Names less alike than this are not suggested: the share of letters that need no change, 0 to 1.
const MIN_LIKENESS: f64 = 0.5;

/// Why a text does not mean one package. Positions in the list, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOne {
    Several(Vec<usize>),
    /// With those whose names are nearest.
    None(Vec<usize>),
}

impl Packages {
    pub fn find(&self, wanted: &str) -> Result<usize, NotOne> {
        let wanted = wanted.trim();
        let path = wanted.trim_start_matches("./").trim_matches('/');
        let path = if path == "." { "" } else { path };
        let steps: [&dyn Fn(&Package) -> bool; 7] = [
            &|package| {
                let name = wanted.strip_prefix(package.manager);
                name.and_then(|rest| rest.strip_prefix(':')) == Some(package.name.as_str())
            },
            &|package| package.name == wanted,
            &|package| {
                package
                    .name
                    .trim_start_matches(':')
                    .eq_ignore_ascii_case(wanted.trim_start_matches(':'))
            },
            &|package| package.path == path,
            &|package| !path.is_empty() && ends_with(&package.path, path) || ends_with(&package.name, path),
            &|package| {
                !path.is_empty()
                    && package
                        .path
                        .strip_prefix(path)
                        .is_some_and(|rest| rest.starts_with('/'))
            },
            &|package| !path.is_empty() && (package.name.contains(wanted) || package.path.contains(path)),
        ];
        for fits in steps {
            let found: Vec<usize> = (0..self.list().len())
                .filter(|at| fits(&self.list()[*at]))
                .collect();
            match found.as_slice() {
                [] => {}
                [one] => return Ok(*one),
                several => return self.main_of(several).ok_or(NotOne::Several(found.clone())),
            }
        }
        Err(NotOne::None(self.nearest(wanted)))
    }

    /// Of packages with one name in one folder, of two managers, the one that says more of what the code needs: the other one is for tools.
    fn main_of(&self, found: &[usize]) -> Option<usize> {
        let place = |at: usize| (&self.list()[at].name, &self.list()[at].path);
        let first = place(*found.first()?);
        if found.iter().any(|at| place(*at) != first) {
            return None;
        }
        let n_needed = |at: usize| {
            let needed = self.list()[at].dependencies.iter();
            needed.filter(|one| one.kind.name() == "direct").count()
        };
        // The files belong to the first one of a language.
        let language = |at: usize| self.list()[at].language;
        let owning = found.iter().enumerate().filter(|(idx, at)| {
            let before = &found[..*idx];
            !before.iter().any(|other| language(*other) == language(**at))
        });
        owning.map(|(_, at)| *at).rev().max_by_key(|at| n_needed(*at))
    }

    fn nearest(&self, wanted: &str) -> Vec<usize> {
        let wanted = wanted.to_lowercase();
        let likeness = |text: &str| strsim::normalized_damerau_levenshtein(&wanted, &text.to_lowercase());
        let scored = self.list().iter().enumerate().map(|(at, package)| {
            let last = package.name.rsplit(['/', ':']).next().unwrap_or(&package.name);
            (
                likeness(&package.name)
                    .max(likeness(last))
                    .max(likeness(&package.path)),
                at,
            )
        });
        let mut scored: Vec<(f64, usize)> = scored.filter(|(score, _)| *score >= MIN_LIKENESS).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.into_iter().take(MAX_NEAREST).map(|(_, at)| at).collect()
    }

    /// What to tell somebody whose text means no one package.
    pub fn explain(&self, wanted: &str, not_one: &NotOne) -> String {
        let named = |positions: &[usize]| {
            let shown = positions.iter().take(MAX_CHOICES).map(|at| self.label(*at));
            let mut text = shown.collect::<Vec<String>>().join(", ");
            if positions.len() > MAX_CHOICES {
                text.push_str(&format!(" and {} more", positions.len() - MAX_CHOICES));
            }
            text
        };
        match not_one {
            NotOne::Several(found) => {
                format!("`{wanted}` may be any of {}; name one by its path", named(found))
            }
            NotOne::None(nearest) if nearest.is_empty() => {
                let all: Vec<usize> = (0..self.list().len()).collect();
                format!("there is no package `{wanted}`; there are {}", named(&all))
            }
            NotOne::None(nearest) => format!(
                "there is no package `{wanted}`; near to it are {}",
                named(nearest)
            ),
        }
    }

    fn label(&self, at: usize) -> String {
        let package = &self.list()[at];
        match package.path.as_str() {
            "" => format!("{} (., {})", package.name, package.manager),
            path => format!("{} ({path})", package.name),
        }
    }
}

/// Whether a path or a name ends in whole parts.
fn ends_with(text: &str, end: &str) -> bool {
    let rest = text.strip_suffix(end);
    rest.is_some_and(|rest| rest.ends_with(['/', ':']))
}
