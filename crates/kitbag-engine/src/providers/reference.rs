//! `reference`: files and symbols that the question names outright (RET-2).

use kitbag_rank::query::split_name;
use kitbag_store::{ChunkRow, Snapshot, StoreError};
use kitbag_types::Reference;

use super::{Ask, Found};
use crate::names::{is_letter, meant, of_letter};

/// A name that fits more files than this names none of them.
const MOST_FILES: usize = 5;
/// Chunks of a file that is named without lines.
const CHUNKS_OF_A_FILE: usize = 3;

pub(super) fn candidates(ask: &Ask<'_>) -> Result<Vec<Found>, StoreError> {
    let Ask {
        snapshot,
        query,
        allowed,
        ..
    } = *ask;
    let mut rows: Vec<ChunkRow> = Vec::new();
    let mut push = |row: ChunkRow| {
        if allowed.row(&row) && rows.iter().all(|known| known.at != row.at) {
            rows.push(row);
        }
    };
    for reference in &query.references {
        match reference {
            Reference::File { path, lines } => {
                for file in files(snapshot, path)?.into_iter().take(MOST_FILES) {
                    let Some(parse) = file.parse else { continue };
                    match lines {
                        Some(lines) => {
                            let chunks = snapshot.chunks_of(file.id, parse)?;
                            chunks
                                .into_iter()
                                .filter(|chunk| chunk.lines.overlaps(*lines))
                                .for_each(&mut push);
                        }
                        None => {
                            let chunks = snapshot.chunks_of(file.id, parse)?;
                            chunks.into_iter().take(CHUNKS_OF_A_FILE).for_each(&mut push);
                        }
                    }
                }
            }
            Reference::Symbol(name) => {
                let exact = split_name(name).name;
                let mut symbols = meant(snapshot, name)?.fitting;
                symbols.retain(|symbol| symbol.name == exact);
                if is_letter(exact) {
                    symbols = of_letter(symbols);
                }
                for symbol in symbols {
                    if let Some(row) = snapshot.chunk_at(symbol.file, symbol.parse, symbol.name_line)? {
                        push(row);
                    }
                }
            }
        }
    }
    Ok(rows.into_iter().map(Found::from).collect())
}

/// A stack trace names files by absolute paths of another machine: the front is dropped until something fits.
fn files(snapshot: &Snapshot<'_>, path: &str) -> Result<Vec<kitbag_store::FileRow>, StoreError> {
    let mut suffix = path;
    loop {
        let found = snapshot.files_ending(suffix)?;
        if !found.is_empty() {
            return Ok(if found.len() > MOST_FILES {
                Vec::new()
            } else {
                found
            });
        }
        match suffix.split_once('/') {
            Some((_, rest)) => suffix = rest,
            None => return Ok(Vec::new()),
        }
    }
}
