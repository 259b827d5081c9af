//! Which package of the tree a dependency means, if any.
//!
//! By a path, by a name, by what the workspace says about the name, or by a redirection. Where several packages have the name,
//! the one of the same workspace is meant, else the one that stands nearest.

use std::collections::BTreeMap;

use super::super::manifest::{Dependency, Target};
use super::super::package::{PackageDependency, Place};
use super::super::places;
use super::inherit::{Chain, Sources};
use super::{Drafts, Source};

/// Packages of one name that a dependency chooses from; the first of the list.
const MAX_SAME_NAME: usize = 200;

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
            let chain = inherited.chain(draft);
            by_path.entry(draft.folder.clone()).or_insert(at);
            // What nothing names is called by its folder; a build that is computed may call it so too.
            if draft.parts.iter().all(|(_, project)| project.name.is_none()) {
                let name = (drafts.family.normalise)(places::last_part(&draft.folder));
                add(by_name.entry(name).or_default(), at);
            }
            for (source, project) in &draft.parts {
                // A manifest that declares several packages says nothing about which is meant by its path.
                if source.manifest.projects.len() == 1 {
                    by_path.insert(source.path.as_str().to_owned(), at);
                }
                let names = project.name.iter().map(|name| name.text.as_str());
                for name in names.chain(project.aliases.iter().map(String::as_str)) {
                    if let Some(name) = chain.resolve(name) {
                        add(by_name.entry((drafts.family.normalise)(&name)).or_default(), at);
                    }
                }
            }
        }
        Self { by_name, by_path }
    }
}

/// Once each, and not too many: every dependency of that name looks at all of them.
fn add(known: &mut Vec<usize>, at: usize) {
    if known.last() != Some(&at) && known.len() < MAX_SAME_NAME {
        known.push(at);
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
    let chain = inherited.chain(draft);
    let mut found: BTreeMap<(Option<usize>, String), PackageDependency> = BTreeMap::new();
    for (source, project) in &draft.parts {
        for dependency in &project.dependencies {
            let mut requirement = dependency.requirement.clone();
            let name = chain.resolve(&dependency.name);
            let name = name.unwrap_or_else(|| {
                dependency
                    .name
                    .trim_start_matches("${")
                    .trim_end_matches('}')
                    .to_owned()
            });
            let meant = DependencyResolver {
                drafts,
                at,
                names,
                chain: &chain,
            };
            let to = meant.target(source, dependency, &name, &mut requirement);
            // A package that names itself (its own extras, its own examples) depends on nobody by that.
            if to == Some(at) {
                continue;
            }
            let package = to.and_then(position);
            let requirement = requirement.and_then(|text| chain.resolve(&text));
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

/// All that decides which package a dependency of one package means.
struct DependencyResolver<'a> {
    drafts: &'a Drafts<'a>,
    at: usize,
    names: &'a Names,
    chain: &'a Chain<'a>,
}

impl DependencyResolver<'_> {
    /// `requirement` is filled in where another manifest states it.
    fn target(
        &self,
        source: &Source<'_>,
        dependency: &Dependency,
        name: &str,
        requirement: &mut Option<String>,
    ) -> Option<usize> {
        match &dependency.target {
            Target::Outside => None,
            Target::Path(path) => self.at_path(&source.home, &self.chain.resolve(path)?),
            Target::Inherited => {
                let (root, shared) = self.chain.shared_dependency(&dependency.name)?;
                requirement.clone_from(&shared.requirement);
                match &shared.target {
                    Target::Path(path) => self.at_path(&root.home, path),
                    _ => self.redirected(&shared.name),
                }
            }
            Target::Name => {
                let redirected = self.redirected(name);
                redirected.or_else(|| self.nearest(name).filter(|_| self.drafts.family.by_name))
            }
        }
    }

    fn at_path(&self, folder: &str, path: &str) -> Option<usize> {
        self.names.by_path.get(&places::join(folder, path)?).copied()
    }

    fn redirected(&self, name: &str) -> Option<usize> {
        let (root, redirect) = self.chain.redirect(name)?;
        match &redirect.target {
            Target::Path(path) => self.at_path(&root.home, path),
            _ => None,
        }
    }

    /// Of the packages with a name the one that is meant from here.
    fn nearest(&self, name: &str) -> Option<usize> {
        let known = self.names.by_name.get(&(self.drafts.family.normalise)(name))?;
        let from = &self.drafts.list[self.at];
        let common = |folder: &str| {
            let parts = from.folder.split('/').zip(folder.split('/'));
            parts.take_while(|(a, b)| a == b).count()
        };
        // `max_by_key` takes the last of equals, so the order is turned to let the first of the list win.
        known.iter().rev().copied().max_by_key(|to| {
            let draft = &self.drafts.list[*to];
            (
                draft.group.is_some() && draft.group == from.group,
                common(&draft.folder),
            )
        })
    }
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
                        let shared = root.shared_dependencies.get(dependency.name.as_str())?;
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
