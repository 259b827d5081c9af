//! A change of a text as removed and added lines. This is enough for installing, which edits a few lines at one place; a general
//! diff would need a library.

#[cfg(test)]
mod tests;

/// The longest part of a line that is shown. A configuration on one line can be a megabyte long.
const MAX_CHARS: usize = 160;
/// The characters before the first difference of a long line.
const LEAD: usize = 40;

/// `-` and `+` lines.
pub fn diff(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let n_same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[n_same..], &new[n_same..]);
    let n_same = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old, new) = (&old[..old.len() - n_same], &new[..new.len() - n_same]);
    let from = match (old.first(), new.first()) {
        (Some(a), Some(b)) => a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count(),
        _ => 0,
    };
    let lines = |sign: char, lines: &[&str]| -> Vec<String> {
        let cut =
            |(idx, line): (usize, &&str)| format!("{sign} {}", cut(line, if idx == 0 { from } else { 0 }));
        lines.iter().enumerate().map(cut).collect()
    };
    [lines('-', old), lines('+', new)].concat()
}

/// Cuts a long line around its first difference.
fn cut(line: &str, from: usize) -> String {
    let n_chars = line.chars().count();
    if n_chars <= MAX_CHARS {
        return line.to_owned();
    }
    let start = from.saturating_sub(LEAD).min(n_chars - MAX_CHARS);
    let shown: String = line.chars().skip(start).take(MAX_CHARS).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + MAX_CHARS < n_chars { "…" } else { "" };
    format!("{before}{shown}{after}")
}
