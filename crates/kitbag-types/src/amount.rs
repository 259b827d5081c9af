//! Parses numbers as people write them: `8000`, `8_000`, `8,000`, `8k`, `1.5k`, `1m`. Flags, settings and arguments all use
//! it, so that every door accepts the same forms.

#[cfg(test)]
mod tests;

/// The number; `None` if the text is not a whole number.
pub fn amount(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let (digits, unit) = match text.strip_suffix('k') {
        Some(rest) => (rest, 1_000),
        None => text
            .strip_suffix('m')
            .map_or((text.as_str(), 1), |rest| (rest, 1_000_000)),
    };
    let digits = ungrouped(digits)?;
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) || (digits.contains('.') && part.is_empty())
    {
        return None;
    }
    let part = part.trim_end_matches('0');
    let scale = 10_u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let part: u64 = if part.is_empty() { 0 } else { part.parse().ok()? };
    // `1.5` is not a whole number; `1.5k` is.
    (unit % scale == 0).then_some(())?;
    let whole: u64 = whole.parse().ok()?;
    whole.checked_mul(unit)?.checked_add(part * (unit / scale))
}

/// Removes `_` between digits, and commas that separate groups of three.
fn ungrouped(digits: &str) -> Option<String> {
    if digits.contains(',') {
        let mut groups = digits.split(',');
        let first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
        return (first && groups.all(|group| group.len() == 3)).then(|| digits.replace(',', ""));
    }
    let odd = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    (!odd).then(|| digits.replace('_', ""))
}
