//! `give_feedback`: whether items of a pack were of use (MEM-5).

use kitbag_types::Timestamp;

use super::invalid;
use crate::{Engine, EngineError};

/// Notes whether items of a pack were of use. `items` are citations or `path:first-last`.
pub fn give_feedback(
    engine: &Engine,
    user: &str,
    pack: &str,
    items: &[String],
    useful: bool,
    now: Timestamp,
) -> Result<(u64, u64), EngineError> {
    let one_line = |text: &str| (1..=300).contains(&text.len()) && !text.contains(['\n', '\r']);
    if items.is_empty() || items.len() > 500 || !items.iter().all(|item| one_line(item)) || pack.len() > 100 {
        let message =
            "feedback names 1 to 500 items, each a citation or path:first-last, and a pack by its id";
        return Err(invalid("INVALID_FEEDBACK", message.into()));
    }
    Ok(engine.journal(|journal| {
        journal.feedback(user, pack, items, useful, now)?;
        journal.n_feedback(user)
    })?)
}
