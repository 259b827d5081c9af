//! What the best pieces stand on (PACK-43): the definitions of the functions they call and the types they name come along,
//! and the tests that call them are named.
//!
//! One step, from the best few only. A second step finds the whole project.

use std::collections::BTreeMap;

use kitbag_pack::Origin;
use kitbag_rank::paths::{PathClass, classes};
use kitbag_store::{ChunkRow, LinkRow, Snapshot};
use kitbag_types::{LinkKind, Stop, SymbolKind};

use super::pieces::{Collector, Found};
use crate::EngineError;
use crate::uses::{Meaning, Tie, Uses};

/// Pieces whose uses are followed.
const BEST: usize = 5;
/// Definitions that one piece pulls in.
const MOST_PER_PIECE: usize = 4;
/// Names of one piece that are looked up, most used first.
const NAMES_TRIED: usize = 12;
/// Tests that are named for one piece.
const TESTS_PER_PIECE: usize = 2;
/// What a definition that is used counts, of what its user counts.
const PULLED_SHARE: f64 = 0.5;
/// And a test that calls it.
const TEST_SHARE: f64 = 0.35;

/// Adds to `collector` what its best pieces use.
pub(crate) fn pull_in(
    collector: &mut Collector<'_, '_>,
    snapshot: &Snapshot<'_>,
    stop: Stop<'_>,
) -> Result<(), EngineError> {
    let mut uses = Uses::new(snapshot, stop);
    // What was asked for first, then the most relevant.
    let mut order: Vec<usize> = (0..collector.pieces.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&collector.pieces[*a], &collector.pieces[*b]);
        b.pinned.cmp(&a.pinned).then(b.relevance.total_cmp(&a.relevance))
    });
    let best: Vec<(ChunkRow, f64)> = order
        .into_iter()
        .map(|idx| (&collector.pieces[idx], &collector.rows[idx]))
        .filter(|(piece, _)| piece.kind.is_code() && !classes_has_test(&piece.path))
        .filter_map(|(piece, row)| Some((row.clone()?, piece.relevance)))
        .take(BEST)
        .collect();
    for (row, relevance) in best {
        stop.check()?;
        follow_uses(collector, snapshot, &mut uses, &row, relevance)?;
        name_tests(collector, snapshot, &mut uses, &row, relevance, stop)?;
    }
    Ok(())
}

fn classes_has_test(path: &str) -> bool {
    kitbag_types::RepoPath::new(path).is_ok_and(|path| classes(&path).contains(&PathClass::Test))
}

fn follow_uses(
    collector: &mut Collector<'_, '_>,
    snapshot: &Snapshot<'_>,
    uses: &mut Uses<'_, '_>,
    row: &ChunkRow,
    relevance: f64,
) -> Result<(), EngineError> {
    let mut used: BTreeMap<(String, Option<String>), (u32, LinkRow)> = BTreeMap::new();
    for link in snapshot.links_of(row.at.file, row.at.parse)? {
        let is_use = matches!(
            link.kind,
            LinkKind::Call | LinkKind::Reference | LinkKind::Inherit
        );
        if is_use && row.lines.contains(link.line) && !row.names.contains(&link.name) {
            let key = (link.name.clone(), link.reached.clone());
            let n_uses = link.count;
            used.entry(key).or_insert((0, link)).0 += n_uses;
        }
    }
    let mut links: Vec<(u32, LinkRow)> = used.into_values().collect();
    links.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then_with(|| a.1.name.cmp(&b.1.name))
            .then_with(|| a.1.reached.cmp(&b.1.reached))
    });
    links.truncate(NAMES_TRIED);
    let mut n_pulled = 0;
    for (_, link) in links {
        if n_pulled == MOST_PER_PIECE {
            break;
        }
        let Some(Meaning { target, tie, .. }) = uses.meaning(&link)? else {
            continue;
        };
        let kind = link.kind;
        let is_definition = !matches!(
            target.kind,
            SymbolKind::Field | SymbolKind::Variable | SymbolKind::Section
        );
        if tie == Tie::Name
            || !is_definition
            || (target.file == row.at.file && row.lines.contains(target.name_line))
        {
            continue;
        }
        let Some(found) = snapshot.chunk_at(target.file, target.parse, target.name_line)? else {
            continue;
        };
        let how = match kind {
            LinkKind::Call => "called by",
            _ => "used by",
        };
        n_pulled += 1;
        collector.add(
            found,
            pulled(relevance * PULLED_SHARE, format!("{how} {}", row.label)),
        )?;
    }
    Ok(())
}

fn name_tests(
    collector: &mut Collector<'_, '_>,
    snapshot: &Snapshot<'_>,
    uses: &mut Uses<'_, '_>,
    row: &ChunkRow,
    relevance: f64,
    stop: Stop<'_>,
) -> Result<(), EngineError> {
    let mut n_named = 0;
    for name in &row.names {
        let definitions: Vec<_> = uses
            .symbols(row.at.file, row.at.parse)?
            .iter()
            .filter(|symbol| symbol.name == *name)
            .cloned()
            .collect();
        for link in snapshot.links_to(name, LinkKind::Call)? {
            if n_named == TESTS_PER_PIECE {
                return Ok(());
            }
            stop.check()?;
            if !classes(&link.path).contains(&PathClass::Test) {
                continue;
            }
            if uses
                .leads_to(&link, &definitions)?
                .is_none_or(|tie| tie == Tie::Name)
            {
                continue;
            }
            if let Some(found) = snapshot.chunk_at(link.file, link.parse, link.line)? {
                n_named += 1;
                collector.add(
                    found,
                    pulled(relevance * TEST_SHARE, format!("tests {}", row.label)),
                )?;
            }
        }
    }
    Ok(())
}

fn pulled(relevance: f64, by: String) -> Found {
    Found {
        origin: Origin::Search,
        relevance: Some(relevance),
        reasons: Vec::new(),
        pinned: false,
        pulled_by: Some(by),
    }
}
