//! How many tokens a pack may have, and how they are counted while somebody waits.

use kitbag_pack::Intent;
use kitbag_tokens::Tokenizer;
use kitbag_types::{QueryShape, Stop};

use crate::EngineError;
use crate::options::Packing;
use crate::request::{PackRequest, PackWindow};

/// The budget of a pack (PACK-30, CFG-4).
pub(crate) fn tokens_for(
    request: &PackRequest<'_>,
    packing: &Packing,
    intent: Intent,
    shape: QueryShape,
) -> Result<usize, EngineError> {
    if let Some(tokens) = request.max_tokens {
        return Ok(tokens);
    }
    if let Some(window) = request.window {
        return window_of(window);
    }
    if let Some(window) = packing.window.filter(|window| window.is_budget) {
        return Ok(window.available);
    }
    let mut percent = 100usize;
    match request.complexity {
        Some(8..) => percent += 50,
        Some(..=3) => percent -= 30,
        _ => {}
    }
    if shape == QueryShape::Structure {
        percent += 30;
    }
    if intent == Intent::FixBug {
        percent -= 20;
    }
    let tokens = packing.default_max_tokens.saturating_mul(percent) / 100;
    Ok(packing
        .window
        .map_or(tokens, |window| tokens.min(window.available)))
}

/// The tokens of a window that are left for the pack.
pub(crate) fn window_of(window: PackWindow) -> Result<usize, EngineError> {
    let PackWindow {
        total,
        system_reserve,
        response_reserve,
    } = window;
    total
        .checked_sub(system_reserve)
        .and_then(|rest| rest.checked_sub(response_reserve))
        .ok_or_else(|| EngineError::Invalid {
            code: "BUDGET_ERROR",
            message: format!(
                "a window of {total} tokens has no room for reserves of {system_reserve} and {response_reserve}"
            ),
        })
}

/// Counts tokens. Returns 0 once nobody waits any more: the caller checks `stop` before it uses the answer.
pub(crate) fn count_until(tokenizer: &Tokenizer, text: &str, stop: Stop<'_>) -> usize {
    tokenizer
        .count_until(text, stop)
        .map_or(0, |counted| counted.tokens)
}
