//! Functions that read or write data (INS-5): raw SQL, the ORMs of each language, query builders,
//! key-value stores, files of record. Which tables, read or write, whether
//! what they touch is sensitive and why, and which entry points lead there.
//!
//! A function counts if its own body issues the query. Tables come from statements, from models, and from what is known of the type of a
//! variable; what cannot be told this way is left out.

mod builders;
mod chains;
mod key_values;
mod models;
mod reach;
mod records;
mod sensitive;
mod sessions;
mod sql;
mod verbs;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::RepoPath;

use crate::code::{At, Code};
use crate::entry_points::EntryPoint;

pub use key_values::BROWSER;

/// A function that touches data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DataAccessor {
    /// With its type; empty for a function without a name.
    pub function: String,
    pub path: RepoPath,
    /// From 1.
    pub line: u32,
    pub end_line: u32,
    pub tables: Vec<String>,
    pub reads: bool,
    pub writes: bool,
    /// `sql`, `sqlalchemy`, `prisma` …
    pub stores: Vec<String>,
    /// Why what it touches is sensitive: one sentence per table.
    pub sensitive: Vec<String>,
    /// The entry points that lead here by calls that are certain, by their positions in the list that was handed in.
    pub entry_points: Vec<usize>,
}

/// What one call does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Access {
    tables: BTreeSet<String>,
    reads: bool,
    writes: bool,
    store: &'static str,
}

/// All accessors of a project, by path and line. Tests have none.
pub fn find(code: &Code<'_>, entries: &[EntryPoint]) -> Vec<DataAccessor> {
    let models = models::Models::of(code);
    let mut found: BTreeMap<At, Access> = BTreeMap::new();
    let mut stores: BTreeMap<At, BTreeSet<&'static str>> = BTreeMap::new();
    for (function, access) in chains::find(code, &models) {
        let known = found.entry(function).or_default();
        known.tables.extend(access.tables);
        known.reads |= access.reads;
        known.writes |= access.writes;
        stores.entry(function).or_default().insert(access.store);
    }
    let reached = reach::entry_points(code, entries, found.keys().copied());
    let mut list: Vec<DataAccessor> = found
        .into_iter()
        .map(|(at, access)| {
            let fact = code.fact(at);
            DataAccessor {
                function: chains::name_of(code, at),
                path: code.source(at).path.clone(),
                line: fact.line,
                end_line: fact.end_line,
                sensitive: sensitive::reasons(&models, &access.tables),
                tables: access.tables.into_iter().collect(),
                reads: access.reads,
                writes: access.writes,
                stores: stores
                    .get(&at)
                    .into_iter()
                    .flatten()
                    .map(|store| (*store).to_owned())
                    .collect(),
                entry_points: reached.get(&at).cloned().unwrap_or_default(),
            }
        })
        .collect();
    list.sort_by(|a, b| (&a.path, a.line, a).cmp(&(&b.path, b.line, b)));
    list
}
