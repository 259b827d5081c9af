//! One step along the links of the index: what a chunk uses, and who uses it. All code that follows links uses this.
//!
//! There are two ways, because a search and a pack need different things. For a search, names are looked up quickly and a guess
//! counts little: one definition is certain, one of three is a guess, one of forty is noise. A pack shows what it pulls in, so
//! there only links count that the rules of the language or an import prove. There is no second step: it would find the whole
//! project.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_store::{ChunkRow, LinkRow, ParseId, Snapshot, SymbolRow};
use kitbag_types::{LinkKind, RepoPath, Stop, SymbolKind};

use crate::EngineError;
use crate::conventions::is_test;
use crate::uses::{Meaning, Tie, User, Uses};

/// For a search: most names used by a chunk that are looked up, the longest first, because long names are specific.
const NAMES_USED: usize = 6;
/// A name that is used in more places than this is too common.
const USERS: usize = 8;
/// The weight of using a chunk, relative to being used by it.
const USER: f64 = 0.8;
/// For a pack: most names of one chunk that are looked up, most used first.
const NAMES_TRIED: usize = 12;
/// Most definitions that one chunk pulls in.
const MOST_DEFINITIONS: usize = 4;
/// Most tests that are named for one chunk.
const MOST_TESTS: usize = 2;
/// Most calls of one name that are checked: a name with more calls is too common.
const CALLS_TRIED: usize = 200;

/// A place that a link leads to or comes from.
pub(crate) struct Neighbour {
    pub path: RepoPath,
    pub line: u32,
    pub file: i64,
    pub parse: ParseId,
    /// 0 to 1.
    pub strength: f64,
}

/// A chunk that calls something.
pub(crate) struct Caller {
    pub row: ChunkRow,
    /// What it calls.
    pub name: String,
    pub lines: Vec<u32>,
}

impl Caller {
    /// `calls next at 23, 31`.
    pub(crate) fn say(&self) -> String {
        let mut lines = self.lines.clone();
        lines.sort_unstable();
        lines.dedup();
        let told: Vec<String> = lines.iter().take(4).map(u32::to_string).collect();
        let more = if lines.len() > told.len() { " …" } else { "" };
        format!("calls {} at {}{more}", self.name, told.join(", "))
    }
}

/// Follows links, and keeps what it looked up for the next chunk.
pub(crate) struct Walk<'w, 's> {
    snapshot: &'w Snapshot<'s>,
    uses: Uses<'w, 's>,
    stop: Stop<'w>,
}

impl<'w, 's> Walk<'w, 's> {
    pub(crate) fn new(snapshot: &'w Snapshot<'s>, stop: Stop<'w>) -> Self {
        Self {
            snapshot,
            uses: Uses::new(snapshot, stop),
            stop,
        }
    }

    /// What the lines of a chunk call, name as a type, inherit from or import. `share`: the weight of the chunk itself.
    pub(crate) fn used_by(&mut self, row: &ChunkRow, share: f64) -> Result<Vec<Neighbour>, EngineError> {
        let user = User::of_chunk(row);
        let mut neighbours = Vec::new();
        for (name, worth) in self.names_in(row)? {
            self.stop.check()?;
            let (tie, mut targets) = self.uses.few_meanings(&name, user)?;
            targets.retain(|target| is_place(target.kind) && !is_inside(target, row));
            let strength = share * worth / targets.len() as f64;
            neighbours.extend(targets.into_iter().map(|target| Neighbour {
                strength: strength * sureness(tie, &target.container),
                line: target.name_line,
                file: target.file,
                parse: target.parse,
                path: target.path,
            }));
        }
        Ok(neighbours)
    }

    /// The names that the lines of a chunk use, with the kind of each use.
    fn names_in(&mut self, row: &ChunkRow) -> Result<Vec<(String, f64)>, EngineError> {
        let mut names: BTreeMap<String, f64> = BTreeMap::new();
        let mut imports = Vec::new();
        for (kind, name, line) in self.snapshot.uses_in(row.at.parse, row.lines)? {
            if kind == LinkKind::Import {
                imports.push(name.clone());
            }
            if !row.lines.contains(line) {
                continue;
            }
            // The last word of an import may be an item; a module has no definition to go to.
            let is_separator = |c: char| !(c.is_alphanumeric() || c == '_');
            let name = match kind {
                LinkKind::Import => name.rsplit(is_separator).next().unwrap_or_default().to_owned(),
                _ => name,
            };
            if name.len() > 2 && !row.names.contains(&name) {
                let known = names.entry(name).or_insert(0.0);
                *known = f64::max(*known, worth(kind));
            }
        }
        self.uses.know_imports(row.at.file, imports);
        let mut names: Vec<(String, f64)> = names.into_iter().collect();
        names.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        names.truncate(NAMES_USED);
        Ok(names)
    }

    /// Who calls, inherits from or names what a chunk defines.
    pub(crate) fn users_of(
        &mut self,
        row: &ChunkRow,
        share: f64,
        with_tests: bool,
    ) -> Result<Vec<Neighbour>, EngineError> {
        self.stop.check()?;
        let Some(name) = row.names.first().filter(|name| name.len() > 2) else {
            return Ok(Vec::new());
        };
        let n_meanings = self.uses.few(name, &row.language)?.len();
        if n_meanings == 0 {
            return Ok(Vec::new());
        }
        let mut links = self.snapshot.few_links_to(name, USERS)?;
        links.retain(|link| {
            let is_own = link.file == row.at.file && row.lines.contains(link.line);
            link.language == row.language && !is_own && (with_tests || !is_test(&link.path))
        });
        let files: BTreeSet<i64> = links.iter().map(|link| link.file).collect();
        // The more users there are, the less each is related to the question.
        let spread = n_meanings as f64 * (files.len() as f64).sqrt();
        let neighbours = links.into_iter().map(|link| Neighbour {
            strength: share * worth(link.kind) * USER / spread,
            line: link.line,
            file: link.file,
            parse: link.parse,
            path: link.path,
        });
        Ok(neighbours.collect())
    }

    /// The chunks that certainly define what a chunk uses, and by which kind of link, the most used first.
    pub(crate) fn definitions_for(
        &mut self,
        row: &ChunkRow,
    ) -> Result<Vec<(ChunkRow, LinkKind)>, EngineError> {
        let mut links = self.snapshot.links_of(row.at.file, row.at.parse)?;
        links.retain(|link| row.lines.contains(link.line) && !row.names.contains(&link.name));
        let links = most_used(links, |link| (link.name.clone(), link.reached.clone()));
        let mut found = Vec::new();
        for link in links.into_iter().take(NAMES_TRIED) {
            if found.len() == MOST_DEFINITIONS {
                break;
            }
            let Some(Meaning { target, tie, .. }) = self.uses.meaning(&link)? else {
                continue;
            };
            if tie == Tie::Name || !is_place(target.kind) || is_inside(&target, row) {
                continue;
            }
            let chunk = self
                .snapshot
                .chunk_at(target.file, target.parse, target.name_line)?;
            found.extend(chunk.map(|chunk| (chunk, link.kind)));
        }
        Ok(found)
    }

    /// The chunks of tests that certainly call what a chunk defines.
    pub(crate) fn tests_of(&mut self, row: &ChunkRow) -> Result<Vec<ChunkRow>, EngineError> {
        let mut found = Vec::new();
        for name in &row.names {
            let symbols = self.uses.symbols(row.at.file, row.at.parse)?.iter();
            let definitions: Vec<SymbolRow> =
                symbols.filter(|symbol| symbol.name == *name).cloned().collect();
            for link in self.snapshot.links_to(name, LinkKind::Call)? {
                if found.len() == MOST_TESTS {
                    return Ok(found);
                }
                self.stop.check()?;
                if !is_test(&link.path) {
                    continue;
                }
                let tie = self.uses.leads_to(&link, &definitions)?;
                if tie.is_some_and(|tie| tie != Tie::Name) {
                    found.extend(self.snapshot.chunk_at(link.file, link.parse, link.line)?);
                }
            }
        }
        Ok(found)
    }

    /// The chunks outside tests that certainly call what a chunk defines, with the name and the lines of the calls: `most` at most, in
    /// the order of their places.
    pub(crate) fn callers_of(&mut self, row: &ChunkRow, most: usize) -> Result<Vec<Caller>, EngineError> {
        let mut found: Vec<Caller> = Vec::new();
        for name in &row.names {
            let symbols = self.uses.symbols(row.at.file, row.at.parse)?.iter();
            let definitions: Vec<SymbolRow> =
                symbols.filter(|symbol| symbol.name == *name).cloned().collect();
            let links = self.snapshot.links_to(name, LinkKind::Call)?;
            for link in links.into_iter().take(CALLS_TRIED) {
                self.stop.check()?;
                let is_own = link.file == row.at.file && row.lines.contains(link.line);
                if is_own || is_test(&link.path) {
                    continue;
                }
                let tie = self.uses.leads_to(&link, &definitions)?;
                if tie.is_none_or(|tie| tie == Tie::Name) {
                    continue;
                }
                let Some(chunk) = self.snapshot.chunk_at(link.file, link.parse, link.line)? else {
                    continue;
                };
                match found.iter().position(|known| known.row.at == chunk.at) {
                    Some(idx) => found[idx].lines.push(link.line),
                    None if found.len() == most => return Ok(found),
                    None => found.push(Caller {
                        row: chunk,
                        name: name.clone(),
                        lines: vec![link.line],
                    }),
                }
            }
        }
        Ok(found)
    }

    /// Whether the project certainly defines what a link names.
    pub(crate) fn is_defined(&mut self, link: &LinkRow) -> Result<bool, EngineError> {
        let meaning = self.uses.meaning(link)?;
        Ok(meaning.is_some_and(|Meaning { target, tie, .. }| {
            tie != Tie::Name && !matches!(target.kind, SymbolKind::Field | SymbolKind::Variable)
        }))
    }
}

/// The uses among links, most used first, each as the first of its links. `key` tells uses apart.
pub(crate) fn most_used<Key: Ord>(links: Vec<LinkRow>, key: impl Fn(&LinkRow) -> Key) -> Vec<LinkRow> {
    let is_use = |link: &LinkRow| {
        matches!(
            link.kind,
            LinkKind::Call | LinkKind::Reference | LinkKind::Inherit
        )
    };
    let mut used: BTreeMap<Key, (u32, LinkRow)> = BTreeMap::new();
    for link in links.into_iter().filter(is_use) {
        let n_uses = link.count;
        used.entry(key(&link)).or_insert((0, link)).0 += n_uses;
    }
    let mut links: Vec<(u32, LinkRow)> = used.into_values().collect();
    links.sort_by(|(a_count, a), (b_count, b)| {
        b_count
            .cmp(a_count)
            .then_with(|| a.name.cmp(&b.name))
            .then_with(|| a.reached.cmp(&b.reached))
    });
    links.into_iter().map(|(_, link)| link).collect()
}

/// Whether it is a definition that a reader would go to.
fn is_place(kind: SymbolKind) -> bool {
    !matches!(
        kind,
        SymbolKind::Field | SymbolKind::Variable | SymbolKind::Section
    )
}

fn is_inside(symbol: &SymbolRow, row: &ChunkRow) -> bool {
    symbol.file == row.at.file && row.lines.contains(symbol.name_line)
}

/// The weight of a kind of link.
fn worth(kind: LinkKind) -> f64 {
    match kind {
        LinkKind::Call | LinkKind::Inherit => 1.0,
        LinkKind::Reference => 0.7,
        LinkKind::Import => 0.5,
    }
}

/// `push` and `collect` are methods of many types: without an import or the same file, a method is a guess.
fn sureness(tie: Tie, container: &str) -> f64 {
    match tie {
        Tie::Certain(_) | Tie::File | Tie::Import => 1.0,
        Tie::Name if container.is_empty() => 0.8,
        Tie::Name => 0.4,
    }
}
