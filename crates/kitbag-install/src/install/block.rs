//! A marked block in a file of instructions (AGENTS.md, CLAUDE.md): add, update and remove it.
//!
//! It is added at the end after one empty line. Removing it removes that line too and restores the bytes from before.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::splice::{append, appended, newline_of, splice};

const BEGIN: &str = "<!-- kitbag:begin -->";
const END: &str = "<!-- kitbag:end -->";

/// When to use which tool. It is short, because every session pays for it, and names the command line for subagents, which often
/// have no MCP.
const ADVICE: &str = "\
## Finding code: kitbag

This project is indexed by Kitbag. Ask it before grepping or reading files one by one:

- a task (fix, add, change): `build_context_pack` with the task; the pack has the code, tests and settings it needs
- a question about the code: `query_context`
- a name (function, type, constant): `locate_symbol` gives definition, callers and callees

Without these tools (subagents, scripts) the command line does the same: `kitbag pack \"<task>\"`, `kitbag search \"<question>\"`,
`kitbag symbol <name>`. Line numbers are those of the files as they are now: open them there instead of searching again.";

/// The text with the current block.
pub fn set(text: &str) -> String {
    let newline = newline_of(text);
    let block = format!("{BEGIN}\n{ADVICE}\n{END}").replace('\n', newline);
    if let Some(range) = find(text) {
        return splice(text, vec![(range, block)]);
    }
    append(text, &block)
}

pub fn is_in(text: &str) -> bool {
    find(text).is_some()
}

/// The text without the block.
pub fn remove(text: &str) -> String {
    match find(text) {
        Some(block) => splice(text, vec![(appended(text, block), String::new())]),
        None => text.to_owned(),
    }
}

/// From the first mark to the second. One mark without the other is ordinary text.
fn find(text: &str) -> Option<Range<usize>> {
    let start = text.find(BEGIN)?;
    let end = start + text[start..].find(END)? + END.len();
    Some(start..end)
}
