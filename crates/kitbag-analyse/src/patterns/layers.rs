//! Layers: folders that never import others, with the number of imports that could have (INS-3).

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{Fact, FactKind};

use super::{Role, Source};
use crate::code::{At, Code, SourceFacts, folder_of, modules};

/// A folder that never imports another, although the other is imported elsewhere or imports it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Layer {
    /// The folder that does not import.
    pub from: String,
    /// The folder that is not imported from there.
    pub to: String,
    /// Imports of the first folder that name other folders of the project: each could have named the second.
    pub could: u64,
    /// Imports of the first folder by the second.
    pub back: u64,
}

/// A layer needs this many imports that could have broken it.
const LEAST_COULD: u64 = 30;
const LEAST_BACK: u64 = 8;
const MOST: usize = 20;

pub(super) fn find(files: &[Source<'_>]) -> Vec<Layer> {
    let own = files.iter().filter(|file| file.role == Role::Source);
    let own: Vec<SourceFacts> = own
        .map(|file| SourceFacts {
            path: file.path.clone(),
            language: file.language.to_owned(),
            is_test: false,
            facts: file
                .facts
                .iter()
                .filter(|fact| matches!(fact.kind, FactKind::Import | FactKind::Type))
                .map(|fact| Fact {
                    parent: None,
                    ..fact.clone()
                })
                .collect(),
        })
        .collect();
    let code = Code::new(&own);
    let areas = areas(&own);
    let mut between: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (file, source) in own.iter().enumerate() {
        let Some(from) = areas.get(source.path.as_str()) else {
            continue;
        };
        let imports = source.facts.iter().enumerate();
        for (fact, _) in imports.filter(|(_, fact)| fact.kind == FactKind::Import) {
            let (targets, _) = modules::named_by(&code, At { file, fact });
            // A name that several files could mean is none.
            let [target] = targets.as_slice() else { continue };
            if let Some(to) = areas.get(own[*target].path.as_str()).filter(|to| *to != from) {
                *between.entry((from.as_str(), to.as_str())).or_default() += 1;
            }
        }
    }
    told(&between)
}

fn told(between: &BTreeMap<(&str, &str), u64>) -> Vec<Layer> {
    let mut out: BTreeMap<&str, u64> = BTreeMap::new();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for ((from, to), n) in between {
        *out.entry(from).or_default() += n;
        names.extend([*from, *to]);
    }
    let mut found = Vec::new();
    for from in &names {
        for to in names.iter().filter(|to| *to != from) {
            let could = out.get(from).copied().unwrap_or_default();
            let back = between.get(&(to, from)).copied().unwrap_or_default();
            let broken = between.contains_key(&(*from, *to));
            if !broken && could >= LEAST_COULD && back >= LEAST_BACK {
                found.push(Layer {
                    from: (*from).to_owned(),
                    to: (*to).to_owned(),
                    could,
                    back,
                });
            }
        }
    }
    found.sort_by(|a, b| (b.back.min(b.could), &a.from, &a.to).cmp(&(a.back.min(a.could), &b.from, &b.to)));
    found.truncate(MOST);
    found
}

/// The folder that stands for a file: the outermost ones at which the tree of sources branches.
fn areas(files: &[SourceFacts]) -> BTreeMap<String, String> {
    let mut below: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut n_files: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let mut folder = folder_of(file.path.as_str());
        while !folder.is_empty() {
            *n_files.entry(folder.to_owned()).or_default() += 1;
            below
                .entry(folder_of(folder).to_owned())
                .or_default()
                .insert(folder.to_owned());
            folder = folder_of(folder);
        }
    }
    // A folder with one child that holds most of the code is only a way to it.
    let most = files.len() / 2;
    let mut root = String::new();
    while let Some(next) = below.get(&root).and_then(|inner| {
        inner
            .iter()
            .find(|folder| n_files.get(*folder).copied().unwrap_or_default() > most)
    }) {
        if below.get(next).is_none_or(|inner| inner.len() < 2) {
            break;
        }
        root = next.clone();
    }
    let mut areas = BTreeMap::new();
    for file in files {
        let path = file.path.as_str();
        let rest = match root.is_empty() {
            true => Some(path),
            false => path
                .strip_prefix(root.as_str())
                .and_then(|rest| rest.strip_prefix('/')),
        };
        let Some((first, _)) = rest.and_then(|rest| rest.split_once('/')) else {
            continue;
        };
        let area = if root.is_empty() {
            first.to_owned()
        } else {
            format!("{root}/{first}")
        };
        areas.insert(path.to_owned(), area);
    }
    areas
}
