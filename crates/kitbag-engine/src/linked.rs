//! What hangs on the best candidates (RET-14): definitions that they use, and places that use them. One step along the
//! links of the index, from a few.
//!
//! Names are all a link has, so a name says as much as it leaves no choice: one definition is meant, one of three is a
//! guess, one of forty is noise and is not even counted. A second step was left out: it would look up
//! every name of every neighbour, for places that hang on the question by two guesses.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_rank::paths::{PathClass, classes};
use kitbag_rank::tuning;
use kitbag_store::{ChunkRef, ChunkRow, LinkRow, ParseId};
use kitbag_types::{LinkKind, RepoPath, SymbolKind};

use crate::EngineError;
use crate::providers::Ask;
use crate::uses::{Tie, User, Uses};

/// Candidates whose links are followed.
pub(crate) const BEST: usize = 6;
/// Names that one of them uses and that are looked up, the longest first: those are made for one thing.
const NAMES_USED: usize = 6;
/// A name that is used in more places than this is everybody's.
const USERS: usize = 8;
/// What using one of the best counts, against being used by it.
const USER: f64 = 0.8;

/// The neighbours of the best, each with how strongly it hangs on them, 0 to 1.
#[derive(Default)]
pub(crate) struct Linked {
    shares: BTreeMap<ChunkRef, f64>,
    /// Strongest first, at most as many as a provider gives.
    chunks: Vec<(ChunkRow, f64)>,
}

impl Linked {
    /// `best`: chunks with their scores as shares of the best one. `known`: all that was found so far, which spares looking
    /// a place up that is among them.
    pub(crate) fn of(
        ask: &Ask<'_>,
        best: &[(&ChunkRow, f64)],
        known: &[&ChunkRow],
    ) -> Result<Self, EngineError> {
        let mut uses = Uses::new(ask.snapshot, ask.stop);
        let mut places = Places::default();
        for (row, share) in best {
            follow_used(ask, &mut uses, row, *share, &mut places)?;
            follow_users(ask, &mut uses, row, *share, &mut places)?;
        }
        places.resolve(ask, known)
    }

    pub(crate) fn share(&self, chunk: ChunkRef) -> f64 {
        self.shares.get(&chunk).copied().unwrap_or(0.0)
    }

    pub(crate) fn chunks(&self) -> &[(ChunkRow, f64)] {
        &self.chunks
    }
}

/// Places in files with their strengths; by path, because row numbers depend on the order of arrival.
#[derive(Default)]
struct Places(BTreeMap<(RepoPath, u32), Place>);

struct Place {
    file: i64,
    parse: ParseId,
    strength: f64,
}

impl Places {
    /// Several links to one place make it stronger, never more than 1.
    fn add(&mut self, path: RepoPath, line: u32, file: i64, parse: ParseId, strength: f64) {
        let place = self.0.entry((path, line)).or_insert(Place {
            file,
            parse,
            strength: 0.0,
        });
        place.strength = either(place.strength, strength);
    }

    fn resolve(self, ask: &Ask<'_>, known: &[&ChunkRow]) -> Result<Linked, EngineError> {
        let mut known_of: BTreeMap<(i64, ParseId), Vec<&ChunkRow>> = BTreeMap::new();
        for row in known {
            known_of.entry((row.at.file, row.at.parse)).or_default().push(row);
        }
        let mut linked = Linked::default();
        let mut rows: BTreeMap<ChunkRef, ChunkRow> = BTreeMap::new();
        let mut unknown: Vec<((RepoPath, u32), Place)> = Vec::new();
        for ((path, line), place) in self.0 {
            let near = known_of.get(&(place.file, place.parse));
            match near.and_then(|near| near.iter().find(|row| row.lines.contains(line))) {
                Some(row) => {
                    linked.add(row.at, place.strength);
                    rows.entry(row.at).or_insert_with(|| (*row).clone());
                }
                None => unknown.push(((path, line), place)),
            }
        }
        unknown
            .sort_by(|(a_at, a), (b_at, b)| b.strength.total_cmp(&a.strength).then_with(|| a_at.cmp(b_at)));
        unknown.truncate(tuning::DEPENDENCY_CANDIDATES);
        for ((_, line), place) in unknown {
            ask.stop.check()?;
            let Some(row) = ask.snapshot.chunk_at(place.file, place.parse, line)? else {
                continue;
            };
            linked.add(row.at, place.strength);
            if ask.allowed.row(&row) {
                rows.insert(row.at, row);
            }
        }
        let with_share = rows.into_iter().map(|(at, row)| (row, linked.shares[&at]));
        linked.chunks = with_share.collect();
        linked.chunks.sort_by(|(a_row, a), (b_row, b)| {
            let by_strength = b.total_cmp(a);
            by_strength
                .then_with(|| a_row.path.cmp(&b_row.path))
                .then_with(|| a_row.lines.cmp(&b_row.lines))
                .then_with(|| a_row.at.idx.cmp(&b_row.at.idx))
        });
        linked.chunks.truncate(tuning::DEPENDENCY_CANDIDATES);
        Ok(linked)
    }
}

impl Linked {
    fn add(&mut self, chunk: ChunkRef, strength: f64) {
        let share = self.shares.entry(chunk).or_insert(0.0);
        *share = either(*share, strength);
    }
}

/// Two signs of the same thing, each right with its probability.
fn either(a: f64, b: f64) -> f64 {
    a + (1.0 - a) * b
}

/// What the lines of a chunk call, name as a type, inherit from or import.
fn follow_used(
    ask: &Ask<'_>,
    uses: &mut Uses<'_, '_>,
    row: &ChunkRow,
    share: f64,
    places: &mut Places,
) -> Result<(), EngineError> {
    let user = User::of_chunk(row);
    let mut names: BTreeMap<String, f64> = BTreeMap::new();
    let mut imports = Vec::new();
    for (kind, name, line) in ask.snapshot.uses_in(row.at.parse, row.lines)? {
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
    uses.know_imports(row.at.file, imports);
    let mut names: Vec<(String, f64)> = names.into_iter().collect();
    names.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
    for (name, worth) in names.into_iter().take(NAMES_USED) {
        ask.stop.check()?;
        let (tie, mut targets) = uses.few_meanings(&name, user)?;
        targets.retain(|target| {
            let is_place = !matches!(
                target.kind,
                SymbolKind::Field | SymbolKind::Variable | SymbolKind::Section
            );
            let is_own = target.file == row.at.file && row.lines.contains(target.name_line);
            is_place && !is_own
        });
        let strength = share * worth / targets.len() as f64;
        for target in targets {
            let sure = sureness(tie, &target.container);
            places.add(
                target.path,
                target.name_line,
                target.file,
                target.parse,
                strength * sure,
            );
        }
    }
    Ok(())
}

/// Who calls, inherits from or names what a chunk defines. Tests only where they are asked for.
fn follow_users(
    ask: &Ask<'_>,
    uses: &mut Uses<'_, '_>,
    row: &ChunkRow,
    share: f64,
    places: &mut Places,
) -> Result<(), EngineError> {
    ask.stop.check()?;
    let Some(name) = row.names.first().filter(|name| name.len() > 2) else {
        return Ok(());
    };
    let n_meanings = uses.few(name, &row.language)?.len();
    if n_meanings == 0 {
        return Ok(());
    }
    let mut links = ask.snapshot.few_links_to(name, USERS)?;
    let is_test = |link: &LinkRow| classes(&link.path).contains(&PathClass::Test);
    links.retain(|link| {
        let is_own = link.file == row.at.file && row.lines.contains(link.line);
        link.language == row.language && !is_own && (ask.query.wants_tests || !is_test(link))
    });
    let files: BTreeSet<i64> = links.iter().map(|link| link.file).collect();
    // The more there are, the less each has to do with the question.
    let spread = n_meanings as f64 * (files.len() as f64).sqrt();
    for link in links {
        let strength = share * worth(link.kind) * USER / spread;
        places.add(link.path, link.line, link.file, link.parse, strength);
    }
    Ok(())
}

/// How much a kind of link says.
fn worth(kind: LinkKind) -> f64 {
    match kind {
        LinkKind::Call | LinkKind::Inherit => 1.0,
        LinkKind::Reference => 0.7,
        LinkKind::Import => 0.5,
    }
}

/// `push` and `collect` are methods of everything: without an import or the same file, a method is a guess.
fn sureness(tie: Tie, container: &str) -> f64 {
    match tie {
        Tie::Certain(_) | Tie::File | Tie::Import => 1.0,
        Tie::Name if container.is_empty() => 0.8,
        Tie::Name => 0.4,
    }
}
