//! Facts that a manifest takes from another one: properties, versions of a workspace, catalogs of dependencies.
//!
//! `${key}` in a text is looked up in the manifest itself, then in the manifests that it inherits from. Parents that lead in a
//! circle are cut with a note; values that refer to each other are followed a few steps and no further.

use std::collections::BTreeMap;

use kitbag_types::{LineRange, Note};

use super::super::manifest::Dependency;
use super::super::{Inheritance, PlacedNote, places};
use super::{Draft, Drafts, Source};

/// How many parents are followed.
const MAX_PARENTS: usize = 32;
/// How often a value may lead to another.
const MAX_STEPS: usize = 8;
/// A longer value is neither a name nor a version. In bytes.
const MAX_VALUE: usize = 2_000;

pub(super) struct Sources<'a> {
    inheritance: Inheritance,
    /// Those that others inherit from, by their folder.
    above: BTreeMap<&'a str, Vec<&'a Source<'a>>>,
    /// The folder of each workspace.
    homes: Vec<&'a str>,
    /// By path.
    all: BTreeMap<&'a str, &'a Source<'a>>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(drafts: &Drafts<'a>, notes: &mut Vec<PlacedNote>) -> Self {
        let mut above: BTreeMap<&str, Vec<&Source<'_>>> = BTreeMap::new();
        let homes = drafts
            .workspaces
            .iter()
            .map(|workspace| workspace.source.home.as_str())
            .collect();
        let mut all = BTreeMap::new();
        for source in &drafts.sources {
            all.insert(source.path.as_str(), *source);
            let manifest = source.manifest;
            let gives = !manifest.shared.is_empty()
                || !manifest.shared_dependencies.is_empty()
                || !manifest.redirects.is_empty();
            if gives {
                above.entry(source.home.as_str()).or_default().push(source);
            }
        }
        let sources = Self {
            inheritance: drafts.family.inheritance,
            above,
            homes,
            all,
        };
        for draft in drafts.list.iter().filter(|draft| draft.kept) {
            for (source, _) in &draft.parts {
                notes.extend(sources.circle(source));
            }
        }
        sources
    }

    /// The manifests that a package takes facts from: its own first.
    pub(super) fn chain(&self, draft: &Draft<'a>) -> Chain<'a> {
        let mut chain: Vec<&Source<'_>> = draft.parts.iter().map(|(source, _)| *source).collect();
        match self.inheritance {
            Inheritance::Parent => {
                let own: Vec<&Source<'_>> = chain.clone();
                for source in own {
                    chain.extend(self.parents(source).0);
                }
            }
            Inheritance::Above | Inheritance::Workspace => {
                // A root that a member names itself (Cargo's `package.workspace`).
                let named = draft.parts.iter().find_map(|(source, _)| {
                    let parent = source.manifest.parent.as_ref()?;
                    self.above.get(places::join(&source.home, &parent.text)?.as_str())
                });
                chain.extend(named.into_iter().flatten());
                for folder in places::upwards(&draft.folder) {
                    chain.extend(self.above.get(folder).into_iter().flatten());
                    if self.inheritance == Inheritance::Workspace
                        && draft.group.is_some_and(|group| self.homes[group] == folder)
                    {
                        break;
                    }
                }
            }
        }
        Chain(chain)
    }

    /// The parents of a manifest in order, and whether they lead back to one of them.
    fn parents(&self, source: &'a Source<'a>) -> (Vec<&'a Source<'a>>, bool) {
        let mut parents: Vec<&Source<'_>> = Vec::new();
        let mut last = source;
        while let Some(parent) = self.parent(last) {
            let is_known =
                parent.path == source.path || parents.iter().any(|known| known.path == parent.path);
            if is_known || parents.len() == MAX_PARENTS {
                return (parents, true);
            }
            parents.push(parent);
            last = parent;
        }
        (parents, false)
    }

    fn parent(&self, source: &Source<'a>) -> Option<&'a Source<'a>> {
        let path = places::join(&source.home, &source.manifest.parent.as_ref()?.text)?;
        let file = self.all.get(path.as_str());
        file.or_else(|| {
            self.all
                .get(places::join(&path, source.path.file_name())?.as_str())
        })
        .copied()
    }

    fn circle(&self, source: &'a Source<'a>) -> Option<PlacedNote> {
        let line = source.manifest.parent.as_ref()?.line;
        let leads_back = self.inheritance == Inheritance::Parent && self.parents(source).1;
        leads_back.then(|| PlacedNote {
            path: source.path.clone(),
            note: Note {
                code: "parent_circle",
                lines: Some(LineRange::new(line, line)),
                message:
                    "the parents of this manifest lead back to it, or are too many; they were followed once"
                        .to_owned(),
            },
        })
    }
}

/// The manifests that one package takes facts from, its own first.
pub(super) struct Chain<'a>(Vec<&'a Source<'a>>);

impl<'a> Chain<'a> {
    /// The text with its `${…}` filled in; `None` if one of them is stated nowhere.
    pub(super) fn resolve(&self, text: &str) -> Option<String> {
        if !text.contains("${") {
            return Some(text.to_owned());
        }
        let lookup = |key: &str| self.0.iter().find_map(|source| source.manifest.shared.get(key));
        let mut text = text.to_owned();
        for _ in 0..MAX_STEPS {
            let Some(start) = text.find("${") else {
                return Some(text);
            };
            let end = start + text[start..].find('}')?;
            let value = lookup(&text[start + 2..end])?;
            let filled = format!("{}{}{}", &text[..start], value.text, &text[end + 1..]);
            if filled.len() > MAX_VALUE {
                return None;
            }
            text = filled;
        }
        (!text.contains("${")).then_some(text)
    }

    /// What the manifests that a package inherits from say about a dependency of this name.
    pub(super) fn shared_dependency(&self, name: &str) -> Option<(&'a Source<'a>, &'a Dependency)> {
        let of = |source: &'a Source<'a>| Some((source, *source.shared_dependencies.get(name)?));
        self.0.iter().find_map(|source| of(source))
    }

    /// Where they send this name.
    pub(super) fn redirect(&self, name: &str) -> Option<(&'a Source<'a>, &'a Dependency)> {
        let of = |source: &'a Source<'a>| Some((source, *source.redirects.get(name)?));
        self.0.iter().find_map(|source| of(source))
    }
}
