//! A place of the project, as people write it: `src/a.rs`, `src/a.rs:10`, `src/a.rs:10-20`, or the name of a definition.

use kitbag_store::{ChunkRow, Snapshot, SymbolRow};
use kitbag_types::{LineRange, RepoPath, SymbolKind};

use crate::names::meant;
use crate::{Engine, EngineError};

/// Longer ones name nothing (SEC-4).
const MAX_BYTES: usize = 1_000;

/// What was named.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub path: RepoPath,
    /// `None`: the whole file.
    pub lines: Option<LineRange>,
    /// The definition that was named, or the innermost around the lines.
    pub symbol: Option<SymbolRow>,
    /// Other definitions of the same name.
    pub others: Vec<SymbolRow>,
}

impl Place {
    pub(crate) fn of_symbol(symbol: SymbolRow) -> Self {
        Self {
            path: symbol.path.clone(),
            lines: Some(symbol.lines),
            symbol: Some(symbol),
            others: Vec::new(),
        }
    }

    pub(crate) fn of_chunk(row: &ChunkRow) -> Self {
        Self {
            path: row.path.clone(),
            lines: Some(row.lines),
            symbol: None,
            others: Vec::new(),
        }
    }

    /// `src/a.rs:10-20`.
    pub(crate) fn say(&self) -> String {
        match self.lines {
            Some(lines) if lines.n_lines() == 1 => format!("{}:{}", self.path, lines.start()),
            Some(lines) => format!("{}:{}-{}", self.path, lines.start(), lines.end()),
            None => self.path.to_string(),
        }
    }
}

/// Finds what `asked` names. `is_past`: a file that the index does not have may be meant, because git may know it.
pub(crate) fn place_of(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    asked: &str,
    is_past: bool,
) -> Result<Place, EngineError> {
    let asked = asked.trim();
    let invalid = |code, message: String| EngineError::Invalid { code, message };
    if asked.is_empty() || asked.len() > MAX_BYTES {
        let message =
            format!("a place has 1 to {MAX_BYTES} bytes: PATH, PATH:LINE, PATH:LINE-LINE or a name");
        return Err(invalid("INVALID_PLACE", message));
    }
    let (name, lines) = split_lines(asked);
    let path = RepoPath::new(name.trim_start_matches("./")).ok();
    if let Some(path) = &path {
        if let Some(rule) = engine.tree.denied(path) {
            return Err(invalid("PATH_DENIED", format!("{path}: {rule}")));
        }
        let file = snapshot.file(path)?;
        let known =
            file.as_ref().is_some() || (is_past && name.contains(['/', '.']) && engine.tree.exists(path));
        if known {
            let symbol = match (file.and_then(|file| Some((file.id, file.parse?))), lines) {
                (Some((file, parse)), Some(lines)) => around(snapshot.symbols_of(file, parse)?, lines),
                _ => None,
            };
            return Ok(Place {
                path: path.clone(),
                lines,
                symbol,
                others: Vec::new(),
            });
        }
    }
    if lines.is_none() {
        let mut found = meant(snapshot, asked)?.fitting.into_iter();
        if let Some(symbol) = found.next() {
            return Ok(Place {
                others: found.collect(),
                ..Place::of_symbol(symbol)
            });
        }
    }
    // It was moved or removed; git may still know it.
    if let Some(path) = path.filter(|_| is_past && name.contains(['/', '.'])) {
        return Ok(Place {
            path,
            lines,
            symbol: None,
            others: Vec::new(),
        });
    }
    let message = format!(
        "`{asked}` is neither a file of the index nor a name that the project defines; valid are PATH, PATH:LINE, \
         PATH:LINE-LINE or a name such as `Parser::next`"
    );
    Err(invalid("PLACE_NOT_FOUND", message))
}

/// The innermost definition around some lines.
fn around(symbols: Vec<SymbolRow>, lines: LineRange) -> Option<SymbolRow> {
    let holds = |symbol: &SymbolRow| {
        let is_place = !matches!(
            symbol.kind,
            SymbolKind::Section | SymbolKind::Variable | SymbolKind::Field
        );
        is_place && symbol.lines.start() <= lines.start() && lines.end() <= symbol.lines.end()
    };
    let found = symbols.into_iter().filter(holds);
    found.min_by_key(|symbol| (symbol.lines.n_lines(), symbol.idx))
}

/// `a.rs:10` → (`a.rs`, 10), `a.rs:10-20` → (`a.rs`, 10–20); everything else has no lines.
pub(crate) fn split_lines(asked: &str) -> (&str, Option<LineRange>) {
    let Some((path, rest)) = asked.rsplit_once(':') else {
        return (asked, None);
    };
    let (start, end) = rest.split_once('-').unwrap_or((rest, rest));
    match (start.parse::<u32>(), end.parse::<u32>()) {
        (Ok(start), Ok(end)) if start >= 1 && start <= end && !path.is_empty() => {
            (path, Some(LineRange::new(start, end)))
        }
        _ => (asked, None),
    }
}

#[cfg(test)]
mod tests {
    use super::split_lines;

    #[test]
    fn cli_6_places_as_people_write_them() {
        let split = |text| {
            let (path, lines) = split_lines(text);
            (path, lines.map(|lines| (lines.start(), lines.end())))
        };
        assert_eq!(split("a.rs"), ("a.rs", None));
        assert_eq!(split("a.rs:10"), ("a.rs", Some((10, 10))));
        assert_eq!(split("a.rs:10-20"), ("a.rs", Some((10, 20))));
        assert_eq!(split("a.rs:20-10"), ("a.rs:20-10", None));
        assert_eq!(split("a.rs:0"), ("a.rs:0", None));
        assert_eq!(split("Parser::next"), ("Parser::next", None));
        assert_eq!(split(":3"), (":3", None));
    }
}
