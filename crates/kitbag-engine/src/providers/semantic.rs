//! `semantic`: the chunks whose vectors are nearest to the question's (RET-12).

use kitbag_rank::tuning;

use super::{Ask, Found};
use crate::EngineError;

pub(super) fn candidates(ask: &Ask<'_>) -> Result<Vec<Found>, EngineError> {
    let Some(meaning) = ask.meaning else {
        return Ok(Vec::new());
    };
    let most = tuning::SEMANTIC_CANDIDATES;
    let most_looked_at = if ask.allowed.has_kinds() { most * 8 } else { most };
    let mut rows = Vec::with_capacity(most);
    for (chunk, near) in meaning.nearest(most_looked_at, |chunk| ask.allowed.file(chunk.file)) {
        ask.stop.check()?;
        // A row may be of a file that has changed or gone since.
        if let Some(row) = ask.snapshot.chunk(chunk)?
            && row.current
            && ask.allowed.row(&row)
        {
            rows.push((near, row));
        }
    }
    rows.sort_by(|(a_near, a), (b_near, b)| {
        let by_nearness = b_near.total_cmp(a_near);
        by_nearness
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.lines.cmp(&b.lines))
    });
    rows.truncate(most);
    let found = rows.into_iter().map(|(_, row)| Found {
        share: Some(meaning.share(row.at)),
        ..Found::from(row)
    });
    Ok(found.collect())
}
