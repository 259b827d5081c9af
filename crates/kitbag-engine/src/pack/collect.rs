//! The second step: what was found, handed in or named becomes pieces, and what the best of them stand on comes along.

use std::collections::BTreeMap;

use kitbag_pack::{Excluded, ExcludedReason, Origin, Piece};

use super::closure::pull_in;
use super::pieces::{Collector, Facts, How};
use super::{Asked, Job};
use crate::EngineError;
use crate::ages::Ages;
use crate::api::definitions_of;
use crate::providers::Row;

/// Everything that may go into a pack.
pub(super) struct Collected {
    pub pieces: Vec<Piece>,
    /// The chunks behind the pieces, by path and first line.
    pub rows: BTreeMap<(String, u32), Row>,
    /// What cannot go in.
    pub excluded: Vec<Excluded>,
    /// Files that changed since they were indexed.
    pub changed_files: Vec<String>,
}

/// Takes what was found and read out of `asked`, and adds what the asker should know.
pub(super) fn collect(job: Job<'_>, asked: &mut Asked) -> Result<Collected, EngineError> {
    let stop = job.request.stop;
    let ages = Ages::of(job.engine, job.snapshot, job.now)?;
    asked.warnings.extend(ages.warning());
    let task_terms: Vec<String> = asked.query.terms.iter().map(|(term, _)| term.clone()).collect();
    let facts = Facts {
        ages: &ages,
        now: job.now,
        task_terms: &task_terms,
        is_o200k: job.request.tokenizer.name() == "o200k",
        stop,
    };
    let mut collector = Collector::new(job.engine, job.snapshot, facts);
    let given = std::mem::take(&mut asked.given);
    let mut excluded = std::mem::take(&mut asked.excluded);
    for buffer in given.iter().filter(|one| one.is_buffer) {
        collector.replace(buffer);
    }
    for candidate in std::mem::take(&mut asked.candidates) {
        collector.add_found(candidate)?;
    }
    add_whole_files(job, asked, &mut collector)?;
    for one in &given {
        collector.add_given(one)?;
        if one.pinned && one.lines.is_none() {
            collector.prefer(&one.path);
        }
    }
    asked
        .warnings
        .extend(given.iter().filter_map(|one| one.note.clone()));
    excluded.extend(add_symbols(job, &mut collector)?);
    if asked.is_searched && !asked.matched.is_weak() {
        pull_in(&mut collector, job.snapshot, stop)?;
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
    })
}

/// Files that were asked for and are in the index.
fn add_whole_files(
    job: Job<'_>,
    asked: &Asked,
    collector: &mut Collector<'_, '_>,
) -> Result<(), EngineError> {
    for whole in &asked.whole {
        let source = &whole.source;
        let mut path = None;
        for row in job.snapshot.chunks_of(whole.file, whole.parse)? {
            let origin = Origin::parse(&source.kind).unwrap_or(Origin::Reference);
            path = Some(row.path.to_string());
            collector.add(row.into(), How::new(origin, source.relevance))?;
        }
        if let Some(path) = path.filter(|_| source.pinned) {
            collector.prefer(&path);
        }
    }
    Ok(())
}

/// Definitions that were asked for by name. Gives the names that nothing has.
fn add_symbols(job: Job<'_>, collector: &mut Collector<'_, '_>) -> Result<Vec<Excluded>, EngineError> {
    let mut excluded = Vec::new();
    for name in &job.request.symbols {
        job.request.stop.check()?;
        let found = definitions_of(job.snapshot, name)?;
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
                let how = How {
                    pinned: true,
                    ..How::new(Origin::Reference, Some(1.0))
                };
                collector.add(row.into(), how)?;
            }
        }
    }
    Ok(excluded)
}
