//! From text to [`Parsed`]: all steps of this crate on one page.

use std::borrow::Cow;
use std::time::Duration;

use kitbag_types::{Note, Parsed, Symbol};
use tree_sitter::Tree;

use crate::capsule::Capsules;
use crate::captures::capture;
use crate::describe::Describer;
use crate::grammar::{
    Budget, Clock, Grammar, MAX_DEPTH, MAX_PARSE_BYTES, MAX_TIME, grammar_of, is_heap, is_too_deep,
    parse_tree,
};
use crate::item::{Item, is_type};
use crate::languages::Language;
use crate::lines::Lines;
use crate::links::links;
use crate::names::container_name;
use crate::outline::{outline, symbols};
use crate::plain::plain_chunks;
use crate::scope_lookup::Scopes;
use crate::split::cuts;
use crate::tile::{Limits, Tiler};
use crate::units::{Unit, units};

/// The limit if neither settings nor a language give one.
const PLAIN_MAX_TOKENS: u32 = 600;

/// Nobody writes longer lines. They are minified or generated, cannot be split into chunks (chunks are lines), and make some
/// grammars take quadratic time in steps that never call back (IDX-15).
const MAX_LINE_BYTES: usize = 20_000;

/// The size of chunks. `None` is the language's own limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChunkSettings {
    pub max_tokens: Option<u32>,
    pub min_tokens: Option<u32>,
    /// How much of one part is repeated in the next, in percent of the largest size.
    pub overlap_percent: u32,
}

/// The chunks, symbols and links of a text. Never fails: what cannot be parsed is chunked by lines, with a note.
pub fn parse(text: &str, language: Option<&Language>, settings: &ChunkSettings) -> Parsed {
    parse_within(text, language, settings, || Duration::ZERO)
}

/// The same with a clock, which stops a parse that takes too long.
pub fn parse_within(
    text: &str,
    language: Option<&Language>,
    settings: &ChunkSettings,
    clock: Clock,
) -> Parsed {
    parse_for(text, language, settings, clock, MAX_TIME)
}

/// The same with less time, for callers with many texts to parse; never with more.
pub fn parse_for(
    text: &str,
    language: Option<&Language>,
    settings: &ChunkSettings,
    clock: Clock,
    most: Duration,
) -> Parsed {
    let lines = Lines::new(text);
    let fallback = |note: Option<Note>| by_lines(text, &lines, language, settings, note);
    let Some(language) = language else {
        return fallback(None);
    };
    let Some(grammar) = grammar_of(language) else {
        return fallback(None);
    };
    if let Some(note) = is_unfit(text) {
        return fallback(Some(note));
    }
    let budget = Budget::for_text(text, clock, most);
    match parse_with(text, &lines, language, grammar, settings, budget) {
        Ok(parsed) => parsed,
        Err(note) => fallback(Some(note)),
    }
}

/// Why no parser should read a text; `None` if one may.
pub(crate) fn is_unfit(text: &str) -> Option<Note> {
    if text.len() > MAX_PARSE_BYTES {
        return Some(note("too_large", "larger than the parse limit: chunked by lines"));
    }
    let is_long = text.split('\n').any(|line| line.len() > MAX_LINE_BYTES);
    is_long.then(|| {
        note(
            "long_lines",
            "lines too long to be written by hand: chunked by lines",
        )
    })
}

/// Chunks of a text that crashed the parser of its language before.
pub fn parse_without_grammar(text: &str, language: Option<&Language>, settings: &ChunkSettings) -> Parsed {
    let crashed = note("crashed", "its parser crashed on it before: chunked by lines");
    by_lines(text, &Lines::new(text), language, settings, Some(crashed))
}

fn by_lines(
    text: &str,
    lines: &Lines,
    language: Option<&Language>,
    settings: &ChunkSettings,
    note: Option<Note>,
) -> Parsed {
    let own = language.map_or(PLAIN_MAX_TOKENS, |language| language.max_chunk_tokens);
    let max_tokens = settings.max_tokens.unwrap_or(own).max(1);
    Parsed {
        chunks: plain_chunks(text, lines, u64::from(max_tokens)),
        notes: note.into_iter().collect(),
        ..Parsed::default()
    }
}

fn parse_with(
    text: &str,
    lines: &Lines,
    language: &Language,
    grammar: &Grammar,
    settings: &ChunkSettings,
    mut budget: Budget,
) -> Result<Parsed, Note> {
    let tree = safe_tree(text, lines, grammar, &mut budget)?;
    let (captures, raw_facts) =
        capture(grammar, &tree, text, &mut budget).ok_or_else(|| out_of_budget(&budget))?;
    let mut outline = outline(text, lines, &captures, language);
    if tree.root_node().is_error() && outline.items.is_empty() {
        return Err(unparsed());
    }
    let mut symbols = symbols(&mut outline.items);
    let lexical = language.lexical.as_ref();
    let scopes = lexical.map(|lexical| {
        Scopes::new(
            text,
            &captures.scopes,
            &captures,
            &outline.items,
            lexical.bare_members,
        )
    });
    if let Some(scopes) = &scopes {
        declare(scopes, &outline.items, &mut symbols);
    }
    let (links, imports) = links(text, lines, &captures, &mut outline.items, scopes.as_ref());

    let limits = limits(language, settings);
    let units = units(&outline.items);
    let cuts = match needs_cuts(lines, &units, limits.max_tokens) {
        true => cuts(&tree, lines, &outline.marks, limits.max_tokens),
        false => Vec::new(),
    };
    let tiler = Tiler {
        lines,
        outline: &outline,
        language,
        cuts: &cuts,
        limits,
    };
    let pieces = tiler.tile(&units);
    let package = captures
        .package
        .map(|bytes| container_name(&text[bytes]))
        .unwrap_or_default();
    let capsules = Capsules::new(&outline, package, &imports);
    let chunks = Describer {
        text,
        lines,
        outline: &outline,
        language,
        capsules,
    }
    .chunks(pieces);
    Ok(Parsed {
        chunks,
        symbols,
        links,
        facts: raw_facts.settle(text, lines, &grammar.literals),
        notes: Vec::new(),
    })
}

fn out_of_budget(budget: &Budget) -> Note {
    match budget.is_late {
        true => note("parse_time", "took the parser too long: chunked by lines"),
        false => note("parse_budget", "took the parser too many steps: chunked by lines"),
    }
}

fn unparsed() -> Note {
    note("unparsed", "no structure found: chunked by lines")
}

/// The tree of a text, if it is safe to parse and the parser understands it.
pub(crate) fn safe_tree(
    text: &str,
    lines: &Lines,
    grammar: &Grammar,
    budget: &mut Budget,
) -> Result<Tree, Note> {
    let too_deep = || note("too_deep", "nested deeper than the limit: chunked by lines");
    if grammar.nesting.is_some_and(|nesting| nesting.is_too_deep(text)) {
        return Err(too_deep());
    }
    // Not even tried: grammars that track layout (Haskell) take time quadratic in the depth, in their own code that never calls
    // back. Well above the limit, because brackets in strings count too.
    if lines.bracket_depth > 4 * MAX_DEPTH {
        return Err(too_deep());
    }
    let safe = match grammar.nesting {
        Some(nesting) => nesting.safe(text),
        None => Cow::Borrowed(text),
    };
    let tree = parse_tree(grammar, &safe, budget).ok_or_else(|| out_of_budget(budget))?;
    // Finding the depth of the tree costs a fifth of parsing it, so it is done only where brackets suggest it; the query stops at
    // the limit anyway.
    if lines.bracket_depth > MAX_DEPTH / 4 && is_too_deep(&tree) {
        return Err(too_deep());
    }
    if is_heap(&tree) {
        return Err(unparsed());
    }
    Ok(tree)
}

/// Fills in the declared types of symbols.
fn declare(scopes: &Scopes<'_>, items: &[Item], symbols: &mut [Symbol]) {
    for item in items {
        let Some(symbol) = item.symbol_idx.and_then(|idx| symbols.get_mut(idx as usize)) else {
            continue;
        };
        symbol.declared = if is_type(item.kind) {
            scopes.attributes(&item.node)
        } else {
            scopes.declared(&item.name_bytes, &item.node, item.is_callable())
        };
    }
}

fn limits(language: &Language, settings: &ChunkSettings) -> Limits {
    let max_tokens = u64::from(settings.max_tokens.unwrap_or(language.max_chunk_tokens).max(1));
    let min_tokens = u64::from(settings.min_tokens.unwrap_or(language.min_chunk_tokens));
    Limits {
        max_tokens,
        min_tokens,
        overlap_percent: u64::from(settings.overlap_percent.min(50)),
    }
}

/// Whether something must be split: a definition without others in it, or a gap between definitions.
fn needs_cuts(lines: &Lines, units: &[Unit], max_tokens: u64) -> bool {
    let mut left: Vec<(&[Unit], std::ops::Range<usize>)> = vec![(units, 0..lines.n())];
    while let Some((units, range)) = left.pop() {
        if lines.tokens(&range) <= max_tokens {
            continue;
        }
        let mut at = range.start;
        for unit in units {
            if lines.tokens(&(at..unit.lines.start.max(at))) > max_tokens {
                return true;
            }
            left.push((&unit.children, unit.lines.clone()));
            at = unit.lines.end;
        }
        if lines.tokens(&(at..range.end)) > max_tokens {
            return true;
        }
    }
    false
}

fn note(code: &'static str, message: &str) -> Note {
    Note {
        code,
        lines: None,
        message: message.to_owned(),
    }
}
