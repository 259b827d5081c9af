//! `git_history`: files of commits whose messages sound like the question (RET-13). Of each file, the chunk that is nearest to
//! it in meaning, or the first.

use kitbag_rank::tuning;

use super::{Ask, Found};
use crate::EngineError;

pub(super) fn candidates(ask: &Ask<'_>) -> Result<Vec<Found>, EngineError> {
    let mut rows = Vec::new();
    for (path, share) in ask.past.files() {
        ask.stop.check()?;
        let Some(file) = ask.snapshot.file(path)? else {
            continue;
        };
        let Some(parse) = file.parse.filter(|_| ask.allowed.file(file.id)) else {
            continue;
        };
        let chunk = match ask.meaning.and_then(|meaning| meaning.nearest_of(file.id, parse)) {
            Some(chunk) => ask.snapshot.chunk(chunk)?,
            None => ask.snapshot.chunk_at(file.id, parse, 1)?,
        };
        let chunk = chunk.filter(|row| ask.allowed.row(row));
        rows.extend(chunk.map(|row| Found {
            share: Some(share),
            ..Found::from(row)
        }));
        if rows.len() == tuning::HISTORY_CANDIDATES {
            break;
        }
    }
    Ok(rows)
}
