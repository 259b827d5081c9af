//! `symbol`: the definition table instead of regular expressions (RET-11). Names the question is, or holds, or spells out
//! in words, then the places that use them.

use kitbag_rank::paths::{PathClass, classes};
use kitbag_rank::{fuzzy, query::symbol_of, tuning};
use kitbag_store::{ChunkRow, Snapshot, StoreError, SymbolRow};
use kitbag_types::terms::fold;
use kitbag_types::{LinkKind, Query, SymbolKind};

use super::{Allowed, Ask, Found};

/// Words of a question are joined up to this many to look for a name spelt out: "parse config file".
const LONGEST_PHRASE: usize = 4;
/// A word that more definitions are named by is a word of the project, not a name somebody asks for.
const COMMON_NAME: usize = 4;
/// Names that are tried in the place of one that nothing has.
const NEARBY: usize = 20;
/// Places that use a name, after its definitions.
const USERS: usize = 12;

pub(super) fn candidates(ask: &Ask<'_>) -> Result<Vec<Found>, StoreError> {
    let Ask {
        snapshot,
        query,
        allowed,
        ..
    } = *ask;
    let mut found = Names {
        snapshot,
        allowed,
        rows: Vec::new(),
    };
    if let Some(name) = symbol_of(query) {
        let container = container_of(&query.text, name);
        found.definitions(snapshot.symbols_named(&fold(name))?, name, container)?;
        if found.rows.is_empty() {
            for folded in nearby(snapshot, name)? {
                found.definitions(snapshot.symbols_named(&folded)?, name, None)?;
            }
        }
        found.users(name)?;
    } else {
        for name in &query.identifiers {
            found.definitions(snapshot.symbols_named(&fold(name))?, name, None)?;
        }
        for phrase in phrases(query) {
            let symbols = snapshot.symbols_named(&phrase)?;
            if symbols.len() <= COMMON_NAME {
                found.definitions(symbols, &phrase, None)?;
            }
        }
    }
    found.rows.truncate(tuning::SYMBOL_CANDIDATES);
    Ok(found.rows.into_iter().map(Found::from).collect())
}

struct Names<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    allowed: &'a Allowed,
    rows: Vec<ChunkRow>,
}

impl Names<'_, '_> {
    /// Adds the chunks of the definitions of a name: spelt the same first, then in the container asked for, then what others can
    /// use, then code before tests, types and functions before fields.
    fn definitions(
        &mut self,
        mut symbols: Vec<SymbolRow>,
        spelling: &str,
        container: Option<&str>,
    ) -> Result<(), StoreError> {
        symbols.retain(|symbol| self.allowed.file(symbol.file));
        symbols.sort_by_cached_key(|symbol| {
            let outside = container.is_some_and(|container| !ends_with_container(symbol, container));
            (
                outside,
                symbol.name != spelling,
                sinks(symbol),
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
    fn users(&mut self, name: &str) -> Result<(), StoreError> {
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

    fn chunk(&mut self, file: i64, parse: kitbag_store::ParseId, line: u32) -> Result<(), StoreError> {
        if let Some(row) = self.snapshot.chunk_at(file, parse, line)?
            && self.allowed.row(&row)
            && self.rows.iter().all(|known| known.at != row.at)
        {
            self.rows.push(row);
        }
        Ok(())
    }
}

fn sinks(symbol: &SymbolRow) -> bool {
    classes(&symbol.path)
        .iter()
        .any(|class| matches!(class, PathClass::Test | PathClass::Example | PathClass::Vendored))
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

/// The part of a qualified name before its last: `Foo` of `a::Foo::bar`.
fn container_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let before = text[..text.rfind(name)?].trim_end_matches([':', '.', '#', '>', '-', '\\', '$']);
    let container = before
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()?;
    (!container.is_empty() && before.len() < text.rfind(name)?).then_some(container)
}

fn ends_with_container(symbol: &SymbolRow, container: &str) -> bool {
    symbol
        .container
        .rsplit("::")
        .next()
        .is_some_and(|last| last.eq_ignore_ascii_case(container))
        || symbol.path.stem().eq_ignore_ascii_case(container)
}

/// Names that begin with what was typed, or whose humps it spells (`hCl` for `HttpClient`).
fn nearby(snapshot: &Snapshot<'_>, name: &str) -> Result<Vec<String>, StoreError> {
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
        let spelt = snapshot.names_from(&first, usize::MAX >> 1)?.into_iter();
        names.extend(
            spelt
                .filter(|(_, spelt)| fuzzy::is_hump_match(name, spelt))
                .map(|(folded, _)| folded)
                .take(NEARBY),
        );
    }
    names.dedup();
    Ok(names)
}

/// Runs of neighbouring words, longest first, joined as a name would be.
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
