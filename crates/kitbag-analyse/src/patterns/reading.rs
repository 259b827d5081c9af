//! One file while its units are made: its facts with who holds them, its definitions by line, and the features that all its units have.

use std::collections::BTreeMap;

use kitbag_types::{Fact, FactKind, Value};

use super::files::Known;
use super::units::{NewUnit, UnitKind};
use super::{Described, Role, Source};
use crate::code::{folder_of, last_name};

/// See the module.
pub(super) struct Reading<'r> {
    pub(super) idx: usize,
    pub(super) source: &'r Source<'r>,
    pub(super) known: &'r Known<'r>,
    pub(super) lines: Vec<&'r str>,
    described: BTreeMap<u32, Vec<&'r Described>>,
    /// By fact: those that it holds.
    held: BTreeMap<u32, Vec<u32>>,
    /// What every unit of this file has.
    shared: Vec<String>,
}

impl<'r> Reading<'r> {
    pub(super) fn new(idx: usize, source: &'r Source<'r>, known: &'r Known<'r>) -> Self {
        let mut described: BTreeMap<u32, Vec<&Described>> = BTreeMap::new();
        for one in source.definitions {
            described.entry(one.line).or_default().push(one);
        }
        let mut held: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (fact, parent) in source.facts.iter().map(|fact| fact.parent).enumerate() {
            if let Some(parent) = parent {
                held.entry(parent).or_default().push(fact as u32);
            }
        }
        Self {
            idx,
            source,
            known,
            lines: source.text.lines().collect(),
            described,
            held,
            shared: shared(source),
        }
    }

    pub(super) fn is(&self, languages: &[&str]) -> bool {
        languages.contains(&self.source.language)
    }

    pub(super) fn is_script(&self) -> bool {
        self.is(&["javascript", "typescript", "tsx"])
    }

    pub(super) fn is_test(&self) -> bool {
        self.source.role == Role::Test
    }

    pub(super) fn facts(&self, kind: FactKind) -> impl Iterator<Item = (u32, &'r Fact)> + '_ {
        let facts = self.source.facts.iter().enumerate();
        facts
            .filter(move |(_, fact)| fact.kind == kind)
            .map(|(idx, fact)| (idx as u32, fact))
    }

    pub(super) fn fact(&self, idx: u32) -> &'r Fact {
        &self.source.facts[idx as usize]
    }

    pub(super) fn held(&self, idx: u32) -> impl Iterator<Item = (u32, &'r Fact)> + '_ {
        let held = self.held.get(&idx).map_or(&[][..], Vec::as_slice);
        held.iter().map(|idx| (*idx, self.fact(*idx)))
    }

    /// All that is inside, without what is inside functions with a name.
    pub(super) fn inside(&self, idx: u32) -> Vec<(u32, &'r Fact)> {
        let mut found = Vec::new();
        let mut open: Vec<u32> = self.held(idx).map(|(idx, _)| idx).collect();
        while let Some(idx) = open.pop() {
            let fact = self.fact(idx);
            found.push((idx, fact));
            if !matches!(fact.kind, FactKind::Function | FactKind::Type) && found.len() < 4_000 {
                open.extend(self.held(idx).map(|(idx, _)| idx));
            }
        }
        found.sort_by_key(|(idx, _)| *idx);
        found
    }

    /// What holds a fact, the innermost first.
    pub(super) fn around(&self, idx: u32) -> impl Iterator<Item = (u32, &'r Fact)> + '_ {
        let mut at = self.fact(idx).parent;
        let mut steps = 0;
        std::iter::from_fn(move || {
            let idx = at.filter(|_| steps < 64)?;
            steps += 1;
            at = self.fact(idx).parent.filter(|parent| *parent < idx);
            Some((idx, self.fact(idx)))
        })
    }

    pub(super) fn holder(&self, idx: u32, kind: FactKind) -> Option<(u32, &'r Fact)> {
        self.around(idx).find(|(_, fact)| fact.kind == kind)
    }

    pub(super) fn marks(&self, idx: u32) -> impl Iterator<Item = &'r Fact> + '_ {
        self.held(idx)
            .map(|(_, fact)| fact)
            .filter(|fact| fact.kind == FactKind::Mark)
    }

    pub(super) fn described(&self, line: u32, name: &str) -> Option<&'r Described> {
        let here = self.described.get(&line)?;
        here.iter().copied().find(|one| one.name == name)
    }

    pub(super) fn line(&self, line: u32) -> &'r str {
        let idx = (line as usize).checked_sub(1);
        let line = idx.and_then(|idx| self.lines.get(idx));
        line.copied().unwrap_or_default()
    }

    pub(super) fn unit(&self, kind: UnitKind, line: u32, name: &str, features: Vec<String>) -> NewUnit {
        let mut all = self.shared.clone();
        all.extend(features);
        NewUnit {
            kind,
            file: self.idx,
            line: line.max(1),
            name: name.to_owned(),
            weight: 1,
            features: all,
        }
    }
}

/// JavaScript and TypeScript live together; their conventions are told as one language's.
fn spoken(language: &str) -> &str {
    match language {
        "tsx" => "typescript",
        other => other,
    }
}

fn shared(source: &Source<'_>) -> Vec<String> {
    let folder = folder_of(source.path.as_str());
    let mut features = vec![
        format!("lang={}", spoken(source.language)),
        source.role.feature().to_owned(),
        format!("in={}", if folder.is_empty() { "." } else { folder }),
    ];
    let mut above = folder;
    let mut depth = 0;
    while !above.is_empty() && depth < 12 {
        features.push(format!("under={above}"));
        above = folder_of(above);
        depth += 1;
    }
    // In a repository of packages the sources stand in folders of one name.
    let within = folder
        .split('/')
        .find(|part| matches!(*part, "src" | "lib" | "app"));
    features.extend(within.map(|part| format!("within={part}")));
    if let Some(last) = folder.rsplit('/').next().filter(|last| !last.is_empty()) {
        features.push(format!("folder={last}"));
    }
    features
}

/// `pytest.mark.parametrize`, `Test`: as people write a mark.
pub(super) fn marked(mark: &Fact) -> String {
    match &mark.receiver {
        Some(Value::Name(receiver)) => format!("{receiver}.{}", mark.name),
        _ => last_name(&mark.name).to_owned(),
    }
}
