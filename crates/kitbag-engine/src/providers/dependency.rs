//! `dependency`: definitions that the best candidates use, and places that use them (RET-14). One step along the links of the
//! index, from a few candidates. It runs after the other providers, because it starts from their answers.

use std::collections::BTreeMap;

use kitbag_rank::tuning;
use kitbag_store::{ChunkRef, ParseId};
use kitbag_types::RepoPath;

use super::{Answer, Ask, Evidence, Provider, Row};
use crate::EngineError;
use crate::neighbours::{Neighbour, Walk};

/// Number of candidates whose links are followed.
const BEST: usize = 6;

pub(super) struct Dependency;

impl Provider for Dependency {
    fn name(&self) -> &'static str {
        "dependency"
    }

    fn after(&self) -> &'static [&'static str] {
        &["full_text", "reference", "symbol", "semantic", "git_history"]
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let best = ask.found_so_far();
        // Scores relative to the best one.
        let unit = best.first().map_or(1.0, |candidate| candidate.score);
        let mut walk = Walk::new(ask.snapshot, ask.stop);
        let mut places = Places::default();
        for candidate in best.iter().take(BEST).filter(|candidate| candidate.score > 0.0) {
            let (row, share) = (&candidate.chunk, candidate.score / unit);
            places.add(walk.used_by(row, share)?);
            // Tests only if the question asks for them.
            places.add(walk.users_of(row, share, ask.query.wants_tests)?);
        }
        places.resolve(ask)
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
    fn add(&mut self, neighbours: Vec<Neighbour>) {
        for one in neighbours {
            let place = self.0.entry((one.path, one.line)).or_insert(Place {
                file: one.file,
                parse: one.parse,
                strength: 0.0,
            });
            place.strength = either(place.strength, one.strength);
        }
    }

    /// The chunks of these places: the strongest as a list, all as evidence.
    fn resolve(self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        // Chunks that other providers found need no lookup.
        let mut known_of: BTreeMap<(i64, ParseId), Vec<&Row>> = BTreeMap::new();
        for (row, _) in ask.lists.iter().flat_map(|list| &list.found) {
            known_of.entry((row.at.file, row.at.parse)).or_default().push(row);
        }
        let mut shares: BTreeMap<ChunkRef, f64> = BTreeMap::new();
        let mut add = |chunk: ChunkRef, strength: f64| {
            let share = shares.entry(chunk).or_insert(0.0);
            *share = either(*share, strength);
        };
        let mut rows: BTreeMap<ChunkRef, Row> = BTreeMap::new();
        let mut unknown: Vec<((RepoPath, u32), Place)> = Vec::new();
        for ((path, line), place) in self.0 {
            let near = known_of.get(&(place.file, place.parse));
            match near.and_then(|near| near.iter().find(|row| row.lines.contains(line))) {
                Some(row) => {
                    add(row.at, place.strength);
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
            add(row.at, place.strength);
            if ask.allowed.row(&row) {
                rows.insert(row.at, Row::from(row));
            }
        }
        let mut found: Vec<(Row, f64)> = rows.into_iter().map(|(at, row)| (row, shares[&at])).collect();
        found.sort_by(|(a_row, a), (b_row, b)| {
            let by_strength = b.total_cmp(a);
            by_strength
                .then_with(|| a_row.path.cmp(&b_row.path))
                .then_with(|| a_row.lines.cmp(&b_row.lines))
                .then_with(|| a_row.at.idx.cmp(&b_row.at.idx))
        });
        found.truncate(tuning::DEPENDENCY_CANDIDATES);
        Ok(Answer {
            found: found.into_iter().map(|(row, share)| (row, Some(share))).collect(),
            evidence: Evidence::linked(shares),
            ..Answer::default()
        })
    }
}

/// The probability that at least one of two independent signs is right.
fn either(a: f64, b: f64) -> f64 {
    a + (1.0 - a) * b
}
