//! The second step: what was found, handed in or named becomes pieces, and what the best of them depend on is added.

use std::collections::BTreeMap;

use kitbag_pack::{Excluded, ExcludedReason, Origin, Piece};

use super::ask::{Material, WholeFile};
use super::change;
use super::closure::pull_in;
use super::pieces::{CandidateOrigin, Collector, Facts};
use super::{PackJob, ParsedTask};
use crate::EngineError;
use crate::ages::Ages;
use crate::names::meant;
use crate::providers::Row;

/// Everything that may go into a pack.
pub(super) struct Collected {
    pub pieces: Vec<Piece>,
    /// The chunks behind the pieces, by path and first line.
    pub rows: BTreeMap<(String, u32), Row>,
    /// What cannot go into the pack, with reasons.
    pub excluded: Vec<Excluded>,
    /// Files that changed since they were indexed.
    pub changed_files: Vec<String>,
    pub warnings: Vec<String>,
}

pub(super) fn collect(
    job: PackJob<'_>,
    asked: &ParsedTask,
    material: Material,
) -> Result<Collected, EngineError> {
    let stop = job.request.stop;
    let ages = Ages::of(job.engine, job.snapshot, job.now)?;
    let mut warnings: Vec<String> = ages.warning().into_iter().collect();
    let task_terms: Vec<String> = asked.query.terms.iter().map(|(term, _)| term.clone()).collect();
    let facts = Facts {
        ages: &ages,
        now: job.now,
        task_terms: &task_terms,
        is_o200k: job.tokenizer.name() == "o200k",
        stop,
    };
    let mut collector = Collector::new(job.engine, job.snapshot, facts);
    let Material {
        candidates,
        whole,
        given,
        change,
        mut excluded,
    } = material;
    for buffer in given.iter().filter(|one| one.is_buffer) {
        collector.replace(buffer);
    }
    for candidate in candidates {
        collector.add_found(candidate)?;
    }
    add_whole_files(job, &whole, &mut collector)?;
    if let Some(change) = &change {
        change::add(job, change, &mut collector)?;
    }
    for one in &given {
        collector.add_given(one)?;
        if one.pinned && one.lines.is_none() {
            collector.prefer(&one.path);
        }
    }
    warnings.extend(given.iter().filter_map(|one| one.note.clone()));
    excluded.extend(add_symbols(job, &mut collector)?);
    if asked.is_searched && !asked.matched.is_weak() {
        pull_in(&mut collector, job.snapshot, asked.intent, stop)?;
    }
    excluded.append(&mut collector.excluded);
    let pieces = collector.finish(&asked.query);
    let rows = pieces.iter().zip(collector.rows);
    Ok(Collected {
        rows: rows
            .filter_map(|(piece, row)| Some(((piece.path.clone(), piece.lines.start()), row?)))
            .collect(),
        pieces,
        excluded,
        changed_files: collector.changed,
        warnings,
    })
}

/// Files that were asked for and are in the index.
fn add_whole_files(
    job: PackJob<'_>,
    whole: &[WholeFile],
    collector: &mut Collector<'_, '_>,
) -> Result<(), EngineError> {
    for one in whole {
        let source = &one.source;
        let mut path = None;
        for row in job.snapshot.chunks_of(one.file, one.parse)? {
            let origin = Origin::parse(&source.kind).unwrap_or(Origin::Reference);
            path = Some(row.path.to_string());
            collector.add(row.into(), CandidateOrigin::new(origin, source.relevance))?;
        }
        if let Some(path) = path.filter(|_| source.pinned) {
            collector.prefer(&path);
        }
    }
    Ok(())
}

/// Adds definitions that were asked for by name. Returns the names that nothing has.
fn add_symbols(job: PackJob<'_>, collector: &mut Collector<'_, '_>) -> Result<Vec<Excluded>, EngineError> {
    let mut excluded = Vec::new();
    for name in &job.request.symbols {
        job.request.stop.check()?;
        let found = meant(job.snapshot, name)?.fitting;
        if found.is_empty() {
            let detail = "neither a file nor a name that the project defines".to_owned();
            excluded.push(Excluded {
                label: name.clone(),
                ..Excluded::refused(name.clone(), None, ExcludedReason::Missing, detail)
            });
        }
        for symbol in found {
            let row = job
                .snapshot
                .chunk_at(symbol.file, symbol.parse, symbol.name_line)?;
            if let Some(row) = row {
                let how = CandidateOrigin {
                    pinned: true,
                    ..CandidateOrigin::new(Origin::Reference, Some(1.0))
                };
                collector.add(row.into(), how)?;
            }
        }
    }
    Ok(excluded)
}
