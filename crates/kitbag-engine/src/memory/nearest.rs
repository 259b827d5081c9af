//! Which definitions a text may be about: offered to who remembers something without saying where it can be checked (MEM-3).

use kitbag_store::{Snapshot, SymbolRow};
use kitbag_types::{Filter, LineRange, Stop, SymbolKind};

use crate::conventions::analyse;
use crate::retrieve::gather;
use crate::{Engine, EngineError};

/// Candidates that are looked at for one definition.
const LOOKED_AT: usize = 20;

/// The definitions that the best chunks for a text define, best first, each once.
pub(crate) fn symbols(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    text: &str,
    most: usize,
) -> Result<Vec<SymbolRow>, EngineError> {
    let query = analyse(text);
    let found = gather(
        engine,
        snapshot,
        &query,
        &Filter::default(),
        &mut Vec::new(),
        Stop::never(),
    )?;
    let mut symbols: Vec<SymbolRow> = Vec::new();
    for candidate in found.candidates.iter().take(LOOKED_AT) {
        if symbols.len() == most {
            break;
        }
        let row = &candidate.chunk;
        let named = snapshot.symbols_of(row.at.file, row.at.parse)?;
        let symbol = defined_by(named, row.lines);
        let is_new = |symbol: &SymbolRow| {
            !symbols
                .iter()
                .any(|known| known.path == symbol.path && known.qualified() == symbol.qualified())
        };
        symbols.extend(symbol.filter(is_new));
    }
    Ok(symbols)
}

/// The first definition that a chunk's lines hold.
fn defined_by(symbols: Vec<SymbolRow>, lines: LineRange) -> Option<SymbolRow> {
    symbols.into_iter().find(|symbol| {
        let is_code = !matches!(
            symbol.kind,
            SymbolKind::Section | SymbolKind::Field | SymbolKind::Variable
        );
        is_code && lines.contains(symbol.name_line)
    })
}
