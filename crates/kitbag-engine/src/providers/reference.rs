//! `reference`: files and symbols that the question names outright (RET-2).

use kitbag_store::{ChunkRow, Snapshot, StoreError};
use kitbag_types::Reference;
use kitbag_types::terms::fold;

use super::{Ask, Found};

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
                let (container, last) = split(name);
                for symbol in snapshot
                    .symbols_named(&fold(last))?
                    .into_iter()
                    .filter(|symbol| symbol.name == last)
                {
                    let fits = container
                        .is_none_or(|container| symbol.container.rsplit("::").next() == Some(container));
                    if fits
                        && let Some(row) = snapshot.chunk_at(symbol.file, symbol.parse, symbol.name_line)?
                    {
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

/// `a::Foo::bar` → (`Foo`, `bar`).
fn split(name: &str) -> (Option<&str>, &str) {
    let mut parts = name
        .rsplit(['.', '#', ':', '\\', '>', '-'])
        .filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or(name);
    (parts.next(), last)
}
