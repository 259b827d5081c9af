//! Looks at what a memory cites: does it still mean the same, has it changed, is it gone (MEM-3)?
//!
//! What moved is found again by its name and meaning in other files, what was renamed by its meaning without its name in the same
//! file. Copies that were there already when it was cited do not count: if the cited one of two equal functions goes, the other one
//! is not it.

use kitbag_store::CitationRow;
use kitbag_syntax::SenseDefinition;

use super::MemoryState;
use super::cite::{copies, with_nameless};
use super::code::{Code, CodeFile, digest};

/// The citation with what is so now.
pub(crate) fn checked(code: &dyn Code, citation: &CitationRow) -> CitationRow {
    // What was looked at lately is as it was if its file is. One that was gone may have come back.
    let was_seen = !citation.seen_hash.is_empty() && citation.state != MemoryState::Orphaned.as_str();
    if was_seen && code.hash(&citation.seen_path).as_deref() == Some(citation.seen_hash.as_str()) {
        return citation.clone();
    }
    let found = if !citation.symbol.is_empty() {
        symbol(code, citation)
    } else if citation.line_start > 0 {
        lines(code, citation)
    } else {
        file(code, citation)
    };
    let state = found.state.as_str().to_owned();
    // The commit was found for a change; another change has another one.
    let since = match state == citation.state && found.what == citation.what {
        true => citation.since.clone(),
        false => String::new(),
    };
    CitationRow {
        seen_path: found.path,
        seen_hash: found.hash,
        state,
        now_symbol: found.symbol,
        now_line: found.line,
        what: found.what,
        since,
        ..citation.clone()
    }
}

/// Where it is, or was last.
pub(crate) fn place(citation: &CitationRow) -> &str {
    match citation.seen_path.as_str() {
        "" => &citation.path,
        path => path,
    }
}

/// What there is to say about it; `None` if it is what it was and where it was.
pub(crate) fn change(citation: &CitationRow) -> Option<String> {
    let since = match citation.since.as_str() {
        "" => String::new(),
        since => format!(" (since {since})"),
    };
    if citation.state == MemoryState::Fresh.as_str() {
        let has_moved = place(citation) != citation.path || !citation.now_symbol.is_empty();
        return has_moved.then(|| citation.what.clone()).filter(|what| !what.is_empty());
    }
    Some(format!("{}{since}", citation.what))
}

#[derive(Default)]
struct Found {
    state: Option<MemoryState>,
    path: String,
    hash: String,
    symbol: String,
    line: u32,
    what: String,
}

impl Found {
    fn at(state: MemoryState, file: &CodeFile) -> Self {
        Self {
            state,
            path: file.path.clone(),
            hash: file.hash.clone(),
            symbol: String::new(),
            line: 0,
            what: String::new(),
        }
    }
}
