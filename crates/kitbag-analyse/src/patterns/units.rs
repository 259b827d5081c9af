//! What is counted: a file, a type, a function, a test, an import, a handler of errors, a line, each with its features as short texts
//! (`mark=Test`, `case=snake_case`). A rule says that units with some features have another one, so every convention, named or mined, is
//! counted by the same few lines, in any tree.

use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitKind {
    File,
    Type,
    Function,
    Test,
    Import,
    Catch,
    Call,
    Constant,
    /// Lines of one file that have the same features are one unit.
    Line,
}

impl UnitKind {
    pub const ALL: [Self; 9] = [
        Self::File,
        Self::Type,
        Self::Function,
        Self::Test,
        Self::Import,
        Self::Catch,
        Self::Call,
        Self::Constant,
        Self::Line,
    ];

    /// In an id.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "files",
            Self::Type => "types",
            Self::Function => "functions",
            Self::Test => "tests",
            Self::Import => "imports",
            Self::Catch => "handlers",
            Self::Call => "calls",
            Self::Constant => "constants",
            Self::Line => "lines",
        }
    }
}

/// Units of a kind that have all of `given` have `then`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    pub unit: UnitKind,
    pub given: Vec<String>,
    pub then: String,
}

#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    /// Index of its file.
    pub(super) file: usize,
    /// From 1.
    pub(super) line: u32,
    pub(super) name: String,
    /// How many it stands for.
    pub(super) weight: u64,
    /// Numbers of features, sorted.
    pub(super) features: Vec<u32>,
}

impl Unit {
    pub(super) fn has(&self, feature: u32) -> bool {
        self.features.binary_search(&feature).is_ok()
    }
}

/// All units of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    pub(super) list: Vec<Unit>,
    texts: Vec<String>,
    numbers: BTreeMap<String, u32>,
}

/// How a rule fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) followed: u64,
    pub(super) applicable: u64,
    /// Units, by place.
    pub(super) followers: Vec<usize>,
    pub(super) outliers: Vec<usize>,
}

impl Units {
    pub(super) fn number(&mut self, feature: &str) -> u32 {
        if let Some(number) = self.numbers.get(feature) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(feature.to_owned());
        self.numbers.insert(feature.to_owned(), number);
        number
    }

    pub(super) fn known(&self, feature: &str) -> Option<u32> {
        self.numbers.get(feature).copied()
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub(super) fn add(&mut self, unit: NewUnit) {
        let mut features: Vec<u32> = unit.features.iter().map(|one| self.number(one)).collect();
        features.sort_unstable();
        features.dedup();
        self.list.push(Unit {
            kind: unit.kind,
            file: unit.file,
            line: unit.line,
            name: unit.name,
            weight: unit.weight,
            features,
        });
    }

    pub(super) fn of(&self, kind: UnitKind) -> impl Iterator<Item = (usize, &Unit)> {
        self.list
            .iter()
            .enumerate()
            .filter(move |(_, unit)| unit.kind == kind)
    }

    /// Followed and applicable, without the places.
    pub(super) fn count(&self, rule: &Rule) -> Counted {
        let mut counted = Counted::default();
        let given: Option<Vec<u32>> = rule.given.iter().map(|one| self.known(one)).collect();
        let Some(given) = given else { return counted };
        let then = self.known(&rule.then);
        for (idx, unit) in self.of(rule.unit) {
            if !given.iter().all(|one| unit.has(*one)) {
                continue;
            }
            counted.applicable += unit.weight;
            if then.is_some_and(|then| unit.has(then)) {
                counted.followed += unit.weight;
                counted.followers.push(idx);
            } else {
                counted.outliers.push(idx);
            }
        }
        counted
    }
}

/// A unit on its way in.
#[derive(Clone, Debug)]
pub(super) struct NewUnit {
    pub(super) kind: UnitKind,
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) name: String,
    pub(super) weight: u64,
    pub(super) features: Vec<String>,
}
