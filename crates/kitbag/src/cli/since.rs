//! `--since`: converts a day or an age to a time. Days begin at midnight UTC, so that the same words mean the same on
//! every machine.

#[cfg(test)]
mod tests;

use kitbag_engine::Timestamp;

use kitbag_door::failure::Failure;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

pub(crate) fn since(text: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    let found = ago(text).map(|ms| Timestamp(now.0.saturating_sub(ms)));
    found.or_else(|| midnight(text)).ok_or_else(|| {
        let message = format!(
            "--since {text}: expected a day such as 2026-01-31, or how long ago: 36h, 10d, 2w, 1y (hours, days, weeks, years)"
        );
        Failure::wrong_use("INVALID_TIME", message)
    })
}

/// `2w` in milliseconds.
fn ago(text: &str) -> Option<i64> {
    let unit_at = text
        .len()
        .checked_sub(1)
        .filter(|at| text.is_char_boundary(*at))?;
    let (n, unit) = text.split_at(unit_at);
    let unit_ms = match unit {
        "h" => HOUR_MS,
        "d" => DAY_MS,
        "w" => 7 * DAY_MS,
        "y" => 365 * DAY_MS,
        _ => return None,
    };
    number(n)?.checked_mul(unit_ms)
}

/// `2026-01-31` at midnight.
fn midnight(text: &str) -> Option<Timestamp> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    if year < 1970 || !(1..=12).contains(&month) || !(1..=days_of_month(year, month)).contains(&day) {
        return None;
    }
    let years: i64 = (1970..year)
        .map(|year| if is_leap(year) { 366 } else { 365 })
        .sum();
    let months: i64 = (1..month).map(|month| days_of_month(year, month)).sum();
    Some(Timestamp((years + months + day - 1) * DAY_MS))
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Digits only: `parse` would also accept a sign.
fn number(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}
