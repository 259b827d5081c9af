//! Checks a `tokenizer.json` before the library reads it: bytes in; a reason to refuse it, or a growth factor, out.
//!
//! `catch_unwind` stops a panic, not an allocation. Three things in a file of a few hundred bytes can allocate gigabytes:
//! nesting (the library's parser tries alternatives at every level), a table whose header claims a wrong size, and
//! replacements that multiply each other. The cost of everything else is bounded by the length of the file or the text.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// Published files nest seven levels deep.
const MAX_DEPTH: usize = 16;

/// Published files reach 3: `▁` for a space counts as 1, and most replace single characters.
const MAX_GROWTH: usize = 1_000;

/// The most characters that the file's replacements can make of one.
pub(super) fn growth(json: &[u8]) -> Result<usize, String> {
    if depth(json) > MAX_DEPTH {
        return Err(format!("it nests more than {MAX_DEPTH} levels deep"));
    }
    let parts: Parts =
        serde_json::from_slice(json).map_err(|error| format!("it is no JSON object: {error}"))?;
    if parts.model.is_none() {
        // The library's message would be about the first unknown field.
        return Err("it has no `model`".to_owned());
    }
    let growth = growth_of(&parts.normalizer)?;
    if growth > MAX_GROWTH {
        return Err("its replacements could make a text a thousand times as long".to_owned());
    }
    Ok(growth)
}

/// The fields that are checked; the library reads the others.
#[derive(serde::Deserialize)]
struct Parts {
    #[serde(default)]
    normalizer: Value,
    model: Option<IgnoredAny>,
}

/// Looks at the fields and not at `type`, which old files do not have.
fn growth_of(normalizer: &Value) -> Result<usize, String> {
    let Value::Object(fields) = normalizer else {
        return Ok(1);
    };
    if let Some(Value::String(map)) = fields.get("precompiled_charsmap") {
        let claimed = leading_number(map).ok_or("its precompiled_charsmap is not base64")?;
        if claimed > map.len() {
            return Err("its precompiled_charsmap is cut short".to_owned());
        }
    }
    let steps = fields.get("normalizers").and_then(Value::as_array);
    let mut growth = of_replacement(fields);
    for step in steps.into_iter().flatten() {
        growth = growth.saturating_mul(growth_of(step)?);
    }
    Ok(growth)
}

/// A plain pattern is as long as what it matches; a regular expression may match a single character, or none.
fn of_replacement(fields: &Map<String, Value>) -> usize {
    let n_chars = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    let content = fields.get("content").map_or(0, n_chars);
    let pattern = fields.get("pattern").and_then(|pattern| pattern.get("String"));
    match pattern.map_or(1, n_chars) {
        0 => content + 1,
        matched => content.div_ceil(matched).max(1),
    }
}

/// The size of the table in bytes, as its first four bytes claim (little-endian): six digits of base64.
fn leading_number(base64: &str) -> Option<usize> {
    let mut bits = 0_u64;
    for digit in base64.bytes().chain([b'A'; 6]).take(6) {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => 0,
            _ => return None,
        };
        bits = bits << 6 | u64::from(value);
    }
    let number = u32::try_from(bits >> 4).ok()?.swap_bytes();
    usize::try_from(number).ok()
}

/// How deep brackets and braces nest outside strings. The number is arbitrary for broken JSON, which the parser refuses
/// anyway.
pub(super) fn depth(json: &[u8]) -> usize {
    let (mut now, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for &byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                now += 1;
                deepest = deepest.max(now);
            }
            b'}' | b']' => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
