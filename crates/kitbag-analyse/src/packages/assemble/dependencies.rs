//! Which package of the tree a dependency means, if any.
//!
//! By a path, by a name, by what the workspace says about the name, or by a redirection. Where several packages have the name,
//! the one of the same workspace is meant, else the one that stands nearest.

use std::collections::BTreeMap;

use super::super::manifest::{Dependency, Manifest, Target};
use super::super::package::{PackageDependency, Place};
use super::super::places;
use super::inherit::Sources;
use super::{Drafts, Source};

/// Packages of a family by the names that dependencies use, in the family's spelling, and by folder and manifest.
pub(super) struct Names {
    by_name: BTreeMap<String, Vec<usize>>,
    by_path: BTreeMap<String, usize>,
}

impl Names {
    pub(super) fn new(drafts: &Drafts<'_>, inherited: &Sources<'_>) -> Self {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut by_path = BTreeMap::new();
        for (at, draft) in drafts.list.iter().enumerate().filter(|(_, draft)| draft.kept) {
            by_path.entry(draft.folder.clone()).or_insert(at);
            for (source, project) in &draft.parts {
                // A manifest that declares several packages says nothing about which is meant by its path.
                if source.manifest.projects.len() == 1 {
                    by_path.insert(source.path.as_str().to_owned(), at);
                }
                let names = project.name.iter().map(|name| name.text.as_str());
                for name in names.chain(project.aliases.iter().map(String::as_str)) {
                    if let Some(name) = inherited.resolve(draft, name) {
                        let known = by_name.entry((drafts.family.normalise)(&name)).or_default();
                        if known.last() != Some(&at) {
                            known.push(at);
                        }
                    }
                }
            }
        }
        Self { by_name, by_path }
    }
}

/// The dependencies of one package. `position` gives the place of a draft in the final list.
pub(super) fn of(
    drafts: &Drafts<'_>,
    at: usize,
    names: &Names,
    inherited: &Sources<'_>,
    position: &dyn Fn(usize) -> Option<usize>,
) -> Vec<PackageDependency> {
    let draft = &drafts.list[at];
    let mut found: BTreeMap<(Option<usize>, String), PackageDependency> = BTreeMap::new();
    for (source, project) in &draft.parts {
        for dependency in &project.dependencies {
            let mut requirement = dependency.requirement.clone();
            let name = inherited.resolve(draft, &dependency.name);
            let name = name.unwrap_or_else(|| {
                dependency
                    .name
                    .trim_start_matches("${")
                    .trim_end_matches('}')
                    .to_owned()
            });
            let to = target(
                drafts,
                at,
                (source, dependency),
                &name,
                names,
                inherited,
                &mut requirement,
            );
            // A package that names itself (its own extras, its own examples) depends on nobody by that.
            if to == Some(at) {
                continue;
            }
            let package = to.and_then(position);
            let requirement = requirement.and_then(|text| inherited.resolve(draft, &text));
            let place = Place {
                path: source.path.clone(),
                line: dependency.line,
            };
            let key = match package {
                Some(package) => (Some(package), String::new()),
                None => (None, name.clone()),
            };
            let new = PackageDependency {
                name,
                kind: dependency.kind,
                requirement,
                place,
                package,
            };
            match found.get_mut(&key) {
                Some(known) if known.kind <= new.kind => {}
                Some(known) => *known = new,
                None => {
                    found.insert(key, new);
                }
            }
        }
    }
    found.into_values().collect()
}

fn target(
    drafts: &Drafts<'_>,
    at: usize,
    (source, dependency): (&Source<'_>, &Dependency),
    name: &str,
    names: &Names,
    inherited: &Sources<'_>,
    requirement: &mut Option<String>,
) -> Option<usize> {
    let draft = &drafts.list[at];
    match &dependency.target {
        Target::Outside => None,
        Target::Path(path) => {
            let path = inherited.resolve(draft, path)?;
            let path = places::join(&source.home, &path)?;
            names.by_path.get(&path).copied()
        }
        Target::Inherited => {
            let (root, shared) =
                inherited.shared(draft, &dependency.name, |manifest| &manifest.shared_dependencies)?;
            requirement.clone_from(&shared.requirement);
            match &shared.target {
                Target::Path(path) => names.by_path.get(&places::join(&root.home, path)?).copied(),
                _ => redirected(drafts, at, &shared.name, names, inherited),
            }
        }
        Target::Name => redirected(drafts, at, name, names, inherited).or_else(|| {
            drafts
                .family
                .by_name
                .then(|| nearest(drafts, at, name, names))
                .flatten()
        }),
    }
}

fn redirected(
    drafts: &Drafts<'_>,
    at: usize,
    name: &str,
    names: &Names,
    inherited: &Sources<'_>,
) -> Option<usize> {
    let redirects: fn(&Manifest) -> &[Dependency] = |manifest| &manifest.redirects;
    let (root, redirect) = inherited.shared(&drafts.list[at], name, redirects)?;
    let Target::Path(path) = &redirect.target else {
        return None;
    };
    names.by_path.get(&places::join(&root.home, path)?).copied()
}

/// Of the packages with a name the one that is meant from here.
fn nearest(drafts: &Drafts<'_>, at: usize, name: &str, names: &Names) -> Option<usize> {
    let known = names.by_name.get(&(drafts.family.normalise)(name))?;
    let from = &drafts.list[at];
    let common = |folder: &str| {
        let parts = from.folder.split('/').zip(folder.split('/'));
        parts.take_while(|(a, b)| a == b).count()
    };
    // `max_by_key` takes the last of equals, so the order is turned to let the first of the list win.
    known.iter().rev().copied().max_by_key(|to| {
        let draft = &drafts.list[*to];
        (
            draft.group.is_some() && draft.group == from.group,
            common(&draft.folder),
        )
    })
}

impl Drafts<'_> {
    /// Drafts that the dependencies of one reach by a path, whether they are kept or not.
    pub(super) fn path_targets(&self, at: usize) -> Vec<usize> {
        let draft = &self.list[at];
        let root = draft.group.map(|group| self.workspaces[group].source);
        let mut found = Vec::new();
        for (source, project) in &draft.parts {
            for dependency in &project.dependencies {
                let path = match &dependency.target {
                    Target::Path(path) => places::join(&source.home, path),
                    Target::Inherited => root.and_then(|root| {
                        let shared = root.manifest.shared_dependencies.iter();
                        let shared = shared.filter(|shared| shared.name == dependency.name).next()?;
                        match &shared.target {
                            Target::Path(path) => places::join(&root.home, path),
                            _ => None,
                        }
                    }),
                    _ => None,
                };
                found.extend(path.and_then(|path| self.places.get(&path).copied()));
            }
        }
        found
    }
}
