//! Turns the text of a file into chunks, symbols, links and facts (IDX-10 to IDX-17, IDX-20, IDX-21, INS-4).
//!
//! Everything about a language is data: one row in `languages/table.rs`, query files in our own capture words (`captures.rs` and
//! `facts.rs` list them), one fixture. The rest of the crate does not distinguish languages. It is pure: no disk, no clock, no
//! randomness. A parse is limited by an operation budget, and by a clock only where one is passed in, so the same text gives the
//! same chunks on a busy machine too.
//!
//! Read in this order: [`Language`], [`parse()`], then `captures` (the query's results), `outline` (nested definitions), `attach`
//! (their comments), `units` and `tile` (definitions → pieces of lines), `describe` (pieces → chunks). [`sense()`] is separate: the
//! meaning of a text, regardless of its layout.

mod attach;
mod broken;
mod capsule;
mod captures;
mod describe;
mod docs;
mod facts;
mod grammar;
mod item;
mod languages;
mod lines;
mod links;
mod literals;
mod names;
mod nesting;
mod outline;
mod parse;
mod plain;
mod scope_lookup;
mod scopes;
mod sense;
mod split;
mod tile;
mod units;

pub use grammar::{Clock, prepare};
pub use languages::{
    ChunkKinds, Comments, LANGUAGES, Language, Lexical, ModuleRule, VisibilityRule, by_name, conventions,
    language_of, meant_by,
};
pub use parse::{ChunkSettings, parse, parse_for, parse_within, parse_without_grammar};
pub use sense::{Sense, SenseDefinition, sense};

/// Raised when the chunker changes so that the same text gives other chunks, symbols or links: stored products are then parsed
/// again. A new language, row or query needs no change here: the engine hashes them beside this number.
///
/// 1. The first chunker.
/// 2. A class begins a chunk of classes (IDX-18). Links say how their name is reached, symbols have declared types (IDX-23).
/// 3. Facts: marks, calls with their arguments, bindings, imports (INS-4, INS-5).
/// 4. Imports have the words before them (`pub use`), so that what is exported is known (INS-4).
pub const CONTENT_VERSION: u32 = 4;

#[cfg(test)]
mod tests;
