//! `symbol`: looks names up in the table of definitions (RET-11): the question may be a name, contain one, or spell one out
//! in words. Then come the places that use these names.

use kitbag_rank::{fuzzy, query::symbol_of, tuning};
use kitbag_store::{ChunkRow, Snapshot, SymbolRow};
use kitbag_types::terms::fold;
use kitbag_types::{LinkKind, Query, Stop, SymbolKind};

use super::{AllowedFiles, Answer, Ask, Provider, Row};
use crate::EngineError;
use crate::conventions::standing;
use crate::names::{is_letter, meant, of_letter};

/// Most words of a question that are joined to look for a name spelt out: "parse config file".
const LONGEST_PHRASE: usize = 4;
/// A word that is the name of more definitions than this is a common word of the project, not a name that somebody asks for.
const COMMON_NAME: usize = 4;
/// Most similar names that are tried if nothing has the name.
const NEARBY: usize = 20;
/// Most places that use a name, listed after its definitions.
const USERS: usize = 12;

pub(super) struct Symbols;

impl Provider for Symbols {
    fn name(&self) -> &'static str {
        "symbol"
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        Ok(Answer::ordered(named(ask)?.into_iter().map(Row::from).collect()))
    }
}

fn named(ask: &Ask<'_>) -> Result<Vec<ChunkRow>, EngineError> {
    let Ask {
        snapshot,
        query,
        allowed,
        stop,
        ..
    } = *ask;
    let mut found = Names {
        snapshot,
        allowed,
        stop,
        rows: Vec::new(),
    };
    if let Some(name) = symbol_of(query) {
        let last = query.text.split_whitespace().next_back();
        let asked = last.filter(|_| !is_letter(name)).unwrap_or(name);
        let meant = meant(snapshot, asked)?;
        // Definitions that fit come first; others with the name may still be what is looked for.
        found.definitions(meant.fitting, name)?;
        found.definitions(meant.elsewhere, name)?;
        found.definitions(snapshot.symbols_named(&fold(name))?, name)?;
        if found.rows.is_empty() {
            for folded in nearby(ask, name)? {
                found.definitions(snapshot.symbols_named(&folded)?, name)?;
            }
        }
        found.users(name)?;
    } else {
        for name in &query.identifiers {
            if found.is_full() {
                break;
            }
            let mut symbols = snapshot.symbols_named(&fold(name))?;
            if is_letter(name) {
                symbols.retain(|symbol| symbol.name == *name);
                symbols = of_letter(symbols);
            }
            found.definitions(symbols, name)?;
        }
        for phrase in phrases(query) {
            if found.is_full() {
                break;
            }
            let symbols = snapshot.symbols_named(&phrase)?;
            if symbols.len() <= COMMON_NAME {
                found.definitions(symbols, &phrase)?;
            }
        }
    }
    found.rows.truncate(tuning::SYMBOL_CANDIDATES);
    Ok(found.rows)
}

struct Names<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    allowed: &'a AllowedFiles,
    stop: Stop<'a>,
    rows: Vec<ChunkRow>,
}

impl Names<'_, '_> {
    /// True if there are enough rows: more would be cut off.
    fn is_full(&self) -> bool {
        self.rows.len() >= tuning::SYMBOL_CANDIDATES
    }

    /// Adds the chunks of the definitions of a name: the same spelling first, then code before tests, types and functions before
    /// fields, public before private.
    fn definitions(&mut self, mut symbols: Vec<SymbolRow>, spelling: &str) -> Result<(), EngineError> {
        self.stop.check()?;
        symbols.retain(|symbol| self.allowed.file(symbol.file));
        symbols.sort_by_cached_key(|symbol| {
            (
                symbol.name != spelling,
                standing(&symbol.path),
                weight(symbol.kind),
                !symbol.exported,
                symbol.path.clone(),
                symbol.idx,
            )
        });
        for symbol in symbols.iter().take(tuning::SYMBOL_CANDIDATES) {
            self.chunk(symbol.file, symbol.parse, symbol.name_line)?;
        }
        Ok(())
    }

    /// Adds the chunks that implement or call a name.
    fn users(&mut self, name: &str) -> Result<(), EngineError> {
        for kind in [LinkKind::Inherit, LinkKind::Call, LinkKind::Reference] {
            let links = self.snapshot.links_to(name, kind)?;
            for link in links
                .into_iter()
                .filter(|link| self.allowed.file(link.file))
                .take(USERS)
                .collect::<Vec<_>>()
            {
                self.chunk(link.file, link.parse, link.line)?;
            }
        }
        Ok(())
    }

    fn chunk(&mut self, file: i64, parse: kitbag_store::ParseId, line: u32) -> Result<(), EngineError> {
        self.stop.check()?;
        if let Some(row) = self.snapshot.chunk_at(file, parse, line)?
            && self.allowed.row(&row)
            && self.rows.iter().all(|known| known.at != row.at)
        {
            self.rows.push(row);
        }
        Ok(())
    }
}

fn weight(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Type => 0,
        SymbolKind::Function | SymbolKind::Macro | SymbolKind::Method => 1,
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Module => 2,
        SymbolKind::Field => 3,
        SymbolKind::Section => 4,
    }
}

/// Names that begin with the given text, or whose capitals it abbreviates (`hCl` for `HttpClient`).
fn nearby(ask: &Ask<'_>, name: &str) -> Result<Vec<String>, EngineError> {
    let snapshot = ask.snapshot;
    let folded = fold(name);
    if folded.len() < 2 {
        return Ok(Vec::new());
    }
    let mut names: Vec<String> = snapshot
        .names_from(&folded, NEARBY)?
        .into_iter()
        .map(|(folded, _)| folded)
        .collect();
    if names.is_empty() {
        let first: String = folded.chars().take(1).collect();
        for (folded, spelt) in snapshot.names_from(&first, usize::MAX >> 1)? {
            ask.stop.check()?;
            if fuzzy::is_hump_match(name, &spelt) {
                names.push(folded);
            }
            if names.len() == NEARBY {
                break;
            }
        }
    }
    names.dedup();
    Ok(names)
}

/// Runs of adjacent words, longest first, joined as in a name.
fn phrases(query: &Query) -> Vec<String> {
    let words = &query.keywords[..query.keywords.len().min(24)];
    let mut phrases = Vec::new();
    for length in (1..=LONGEST_PHRASE.min(words.len())).rev() {
        for run in words.windows(length) {
            let phrase = run.concat();
            if phrase.len() > 3 && !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
    }
    phrases
}
