//! Conventions: what the code of a project does nearly always, counted (INS-1).
//!
//! Files with their facts, definitions and texts come in; patterns with counts, an example and outliers come out. Everything is made of
//! units with features (`units`): the named conventions are rows of a table (`named`), the mined ones are found (`mine`), and both are
//! rules that can be counted again in another tree. That is how `kitbag eval --conventions` tests them on code that was written later (INS-11).

pub mod decisions;
mod files;
mod functions;
mod imports;
mod layers;
mod lines;
mod mine;
mod named;
mod names;
mod reading;
mod say;
mod table;
mod tuning;
mod types;
mod units;
mod usual;

use kitbag_types::{Fact, RepoPath, SymbolKind};

pub use layers::Layer;
pub use units::{Rule, UnitKind};

use units::{Counted, Units};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Source,
    Test,
    /// Examples, benchmarks, scripts of documents.
    Example,
}

impl Role {
    fn feature(self) -> &'static str {
        match self {
            Self::Source => "role=source",
            Self::Test => "role=test",
            Self::Example => "role=example",
        }
    }
}

/// One file. What was generated or belongs to others is not handed in.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    pub path: &'s RepoPath,
    pub language: &'s str,
    pub role: Role,
    pub facts: &'s [Fact],
    pub definitions: &'s [Described],
    pub text: &'s str,
}

/// What the index knows of a definition beside its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The line of its name, from 1.
    pub line: u32,
    pub name: String,
    pub kind: SymbolKind,
    pub is_public: bool,
    /// The first sentence of its documentation.
    pub doc: String,
    pub signature: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    Api,
    Async,
    Configuration,
    Conventions,
    Coupling,
    Data,
    Documentation,
    ErrorHandling,
    Imports,
    Injection,
    Logging,
    Naming,
    Structure,
    Tests,
}

impl Category {
    pub const ALL: [Self; 14] = [
        Self::Api,
        Self::Async,
        Self::Configuration,
        Self::Conventions,
        Self::Coupling,
        Self::Data,
        Self::Documentation,
        Self::ErrorHandling,
        Self::Imports,
        Self::Injection,
        Self::Logging,
        Self::Naming,
        Self::Structure,
        Self::Tests,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Async => "async",
            Self::Configuration => "configuration",
            Self::Conventions => "conventions",
            Self::Coupling => "coupling",
            Self::Data => "data",
            Self::Documentation => "documentation",
            Self::ErrorHandling => "error_handling",
            Self::Imports => "imports",
            Self::Injection => "injection",
            Self::Logging => "logging",
            Self::Naming => "naming",
            Self::Structure => "structure",
            Self::Tests => "tests",
        }
    }
}

/// A place in a file, with the name that stands there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    pub path: RepoPath,
    /// From 1.
    pub line: u32,
    pub name: String,
}

/// A convention.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Made of the rule, so it stays the same while the rule does.
    pub id: String,
    pub name: String,
    pub category: Category,
    pub statement: String,
    pub followed: u64,
    pub applicable: u64,
    /// Found by mining, not by a row of the table.
    pub is_mined: bool,
    /// How much more often than elsewhere; of mined ones.
    pub lift: f64,
    /// Strong enough to be told without being asked for everything.
    pub is_shown: bool,
    /// Files that follow it, at most a few.
    pub files: Vec<RepoPath>,
    pub example: Option<Site>,
    /// The first few.
    pub outliers: Vec<Site>,
    pub n_outliers: u64,
    pub rule: Rule,
}

impl Pattern {
    pub fn confidence(&self) -> f64 {
        share(self.followed, self.applicable)
    }

    /// What everybody who writes the language does anyway: true, and not worth a reader's time.
    pub fn is_usual(&self) -> bool {
        usual::is_usual(&self.rule)
    }

    /// Strong and frequent enough to be a demand (INS-3).
    pub fn is_constraint(&self) -> bool {
        self.is_shown
            && self.applicable >= tuning::CONSTRAINT_CASES
            && self.confidence() >= tuning::CONSTRAINT_SHARE
    }
}

/// The units of a tree, ready to be counted.
pub struct Project<'p> {
    files: &'p [Source<'p>],
    units: Units,
}

impl<'p> Project<'p> {
    /// Files by path.
    pub fn new(files: &'p [Source<'p>]) -> Self {
        Self::selected(files, &|_, _, _| true)
    }

    /// Only units that `is_wanted`, which is told the path, the line, and whether the unit is the file itself.
    pub fn selected(files: &'p [Source<'p>], is_wanted: &dyn Fn(&RepoPath, u32, bool) -> bool) -> Self {
        let mut units = Units::default();
        let known = files::Known::new(files);
        for (idx, source) in files.iter().enumerate() {
            let file = reading::Reading::new(idx, source, &known);
            files::add(&mut units, &file);
            types::add(&mut units, &file);
            functions::add(&mut units, &file);
            imports::add(&mut units, &file);
            lines::add(&mut units, &file, &|line| is_wanted(source.path, line, false));
        }
        units.list.retain(|unit| {
            let is_file = unit.kind == UnitKind::File;
            unit.kind == UnitKind::Line || is_wanted(files[unit.file].path, unit.line, is_file)
        });
        Self { files, units }
    }

    /// Every convention, the best first.
    pub fn patterns(&self) -> Vec<Pattern> {
        let mut found = named::find(self);
        found.extend(mine::find(self));
        let strength = |one: &Pattern| bound(one.followed, one.applicable);
        found.sort_by(|a, b| {
            b.is_shown
                .cmp(&a.is_shown)
                .then_with(|| a.is_usual().cmp(&b.is_usual()))
                .then_with(|| strength(b).total_cmp(&strength(a)))
                .then_with(|| b.applicable.cmp(&a.applicable))
                .then_with(|| a.id.cmp(&b.id))
        });
        found.dedup_by(|later, first| later.id == first.id);
        found
    }

    /// Whether any of its cases stands in a file that is wanted.
    pub fn applies(&self, rule: &Rule, is_wanted: &dyn Fn(&RepoPath) -> bool) -> bool {
        let counted = self.units.count(rule);
        let mut units = counted.followers.iter().chain(&counted.outliers);
        units.any(|idx| is_wanted(self.files[self.units.list[*idx].file].path))
    }

    /// The files that its cases stand in.
    pub fn files_of(&self, rule: &Rule) -> std::collections::BTreeSet<RepoPath> {
        let counted = self.units.count(rule);
        let units = counted.followers.iter().chain(&counted.outliers);
        units
            .map(|idx| self.files[self.units.list[*idx].file].path.clone())
            .collect()
    }

    /// Packages or folders that never import others.
    pub fn layers(&self) -> Vec<Layer> {
        layers::find(self.files)
    }

    /// How a rule fares in this tree: followed, applicable.
    pub fn count(&self, rule: &Rule) -> (u64, u64) {
        let counted = self.units.count(rule);
        (counted.followed, counted.applicable)
    }

    /// How a rule fares in some of its places, which are told the path, the line, and whether the unit is the file itself. Lines are
    /// counted by file and have no places.
    pub fn count_of(&self, rule: &Rule, is_wanted: &dyn Fn(&RepoPath, u32, bool) -> bool) -> (u64, u64) {
        let is_file = rule.unit == UnitKind::File;
        let counted = self.units.count(rule);
        let weight = |units: &[usize]| -> u64 {
            let units = units.iter().map(|idx| &self.units.list[*idx]);
            let wanted = units.filter(|unit| is_wanted(self.files[unit.file].path, unit.line, is_file));
            wanted.map(|unit| unit.weight).sum()
        };
        if rule.unit == UnitKind::Line {
            return (0, 0);
        }
        let followed = weight(&counted.followers);
        (followed, followed + weight(&counted.outliers))
    }

    /// Where it is not followed, at most a few places.
    pub fn outliers(&self, rule: &Rule) -> Vec<Site> {
        let counted = self.units.count(rule);
        self.sites(&counted.outliers)
            .take(tuning::NAMED_OUTLIERS)
            .collect()
    }

    fn sites<'a>(&'a self, units: &'a [usize]) -> impl Iterator<Item = Site> + 'a {
        units.iter().map(|idx| {
            let unit = &self.units.list[*idx];
            Site {
                path: self.files[unit.file].path.clone(),
                line: unit.line,
                name: unit.name.clone(),
            }
        })
    }

    fn pattern(&self, rule: Rule, counted: &Counted, category: Category) -> Pattern {
        let files = |units: &[usize]| {
            let mut files: Vec<usize> = units.iter().map(|idx| self.units.list[*idx].file).collect();
            files.dedup();
            files
        };
        let own = files(&counted.followers);
        let least = match rule.unit {
            UnitKind::Line => tuning::SHOWN_LINES,
            _ => tuning::SHOWN_CASES,
        };
        let is_shown = bound(counted.followed, counted.applicable) >= tuning::SHOWN_BOUND
            && counted.applicable >= least
            && own.len() >= tuning::SHOWN_FILES;
        let n_outliers = counted.applicable - counted.followed;
        Pattern {
            id: say::id(&rule),
            name: say::name(&rule),
            category,
            statement: say::statement(&rule),
            followed: counted.followed,
            applicable: counted.applicable,
            is_mined: false,
            lift: 1.0,
            is_shown,
            files: own
                .iter()
                .take(tuning::NAMED_FILES)
                .map(|idx| self.files[*idx].path.clone())
                .collect(),
            example: self.sites(&counted.followers).next(),
            outliers: self
                .sites(&counted.outliers)
                .take(tuning::NAMED_OUTLIERS)
                .collect(),
            n_outliers,
            rule,
        }
    }
}

pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The lower end of what a share may be, seen so often (Wilson).
pub(crate) fn bound(followed: u64, applicable: u64) -> f64 {
    if applicable == 0 {
        return 0.0;
    }
    let (n, z) = (applicable as f64, tuning::BOUND_Z);
    let p = followed as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (middle - spread) / (1.0 + z * z / n)
}

#[cfg(test)]
mod tests;
