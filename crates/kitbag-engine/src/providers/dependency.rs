//! `dependency`: neighbours of what the others found, along the links of the index (RET-14). Asked last, because it stands on
//! their answers; [`crate::linked`] does the work, and ranking asks it of every candidate.

use super::{Ask, Found};
use crate::EngineError;

pub(super) fn candidates(ask: &Ask<'_>) -> Result<Vec<Found>, EngineError> {
    let neighbours = ask.linked.chunks().iter();
    Ok(neighbours
        .map(|(row, share)| Found {
            share: Some(*share),
            ..Found::from(row.clone())
        })
        .collect())
}
