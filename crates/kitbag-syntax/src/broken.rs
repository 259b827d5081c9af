//! Repairs the nesting after syntax errors. If the parser missed a closing brace or does not know a word, a function may seem to
//! contain the rest of the file. There, a definition that is not indented more than a function or type is not inside it.
//!
//! Indentation is only used where the tree has errors; elsewhere the tree is more reliable.

use kitbag_types::SymbolKind;

use crate::attach::Mark;
use crate::captures::RawDefinition;
use crate::item::{Item, is_callable, is_type};
use crate::lines::Lines;

/// Whether a broken holder only seems to contain this function or type. Not for modules, whose contents often are not indented, nor
/// for macros and values, which are often at the margin.
pub(crate) fn runs_over(holder: &Item, raw: &RawDefinition, lines: &Lines) -> bool {
    let holds_deeper = holder.is_callable() || (holder.kind.is_some() && is_type(holder.kind));
    let is_head = raw.kind.is_some()
        && raw.kind != Some(SymbolKind::Macro)
        && (is_callable(raw.kind) || is_type(raw.kind));
    let is_below = lines.line_of(raw.span.start) > holder.name_line;
    let column = |at: usize| at - lines.start(lines.line_of(at));
    let is_no_deeper = || column(raw.span.start) <= column(holder.bytes.start);
    holder.is_broken && holds_deeper && is_head && is_below && is_no_deeper()
}

/// Ends an item above the comments and attributes of the definition at `place`.
pub(crate) fn end_before(item: &mut Item, place: usize, lines: &Lines, marks: &[Mark]) {
    let first = item.name_line + 1;
    let mut end = lines.line_of(place).max(first);
    while end > first && (lines.is_blank(end - 1) || matches!(marks[end - 1], Mark::Comment | Mark::Attached))
    {
        end -= 1;
    }
    item.lines.end = item.lines.end.min(end);
    let last_byte = lines.end(item.lines.end - 1);
    item.bytes.end = item.bytes.end.min(place).min(last_byte).max(item.bytes.start);
}

#[cfg(test)]
mod tests;
