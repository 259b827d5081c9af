//! A definition of a file, or a scope that holds some.

use std::ops::Range;

use kitbag_types::{SymbolKind, Visibility};

/// A definition, or a scope (`kind` is `None`).
pub(crate) struct Item {
    pub(crate) name: String,
    /// The words before its name in labels, if any.
    pub(crate) label_head: String,
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) parent: Option<usize>,
    /// The names around it, joined by `::`.
    pub(crate) container: String,
    pub(crate) bytes: Range<usize>,
    /// Where its name stands, and its own node without what wraps it.
    pub(crate) name_bytes: Range<usize>,
    pub(crate) node: Range<usize>,
    pub(crate) name_line: usize,
    /// Where it starts without comments and attributes.
    pub(crate) own_line: usize,
    /// Where each of its further clauses starts.
    pub(crate) clause_lines: Vec<usize>,
    /// With them.
    pub(crate) lines: Range<usize>,
    pub(crate) signature: String,
    pub(crate) has_body: bool,
    /// There are syntax errors in it.
    pub(crate) is_broken: bool,
    pub(crate) visibility: Visibility,
    pub(crate) docs: String,
    /// Names it inherits from or implements.
    pub(crate) inherits: Vec<String>,
    /// Its index among the symbols; none for a scope.
    pub(crate) symbol_idx: Option<u32>,
}

impl Item {
    /// `container::name`. A scope that is its holder once more (`class << self`) adds nothing.
    pub(crate) fn path(&self) -> String {
        if self.kind.is_none() && self.name == "self" {
            self.container.clone()
        } else if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}::{}", self.container, self.name)
        }
    }

    /// The name as labels say it: `CREATE TABLE users`.
    pub(crate) fn label(&self) -> String {
        if self.label_head.is_empty() {
            self.name.clone()
        } else {
            format!("{} {}", self.label_head, self.name)
        }
    }

    pub(crate) fn is_callable(&self) -> bool {
        is_callable(self.kind)
    }
}

pub(crate) fn is_callable(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro)
    )
}

/// Also a scope, which speaks for a type.
pub(crate) fn is_type(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        None | Some(SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Type)
    )
}

/// For each place (in order), the innermost item around it.
pub(crate) fn innermost(items: &[Item], places: impl Iterator<Item = usize>) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    let mut found = Vec::new();
    for place in places {
        while next < items.len() && items[next].bytes.start <= place {
            open.push(next);
            next += 1;
        }
        // What ended is closed for good: places only go forward. Items nest, so the ended ones are on top, except
        // beside equals (`let a = 1, b = 2`), which end together.
        while open.last().is_some_and(|idx| items[*idx].bytes.end <= place) {
            open.pop();
        }
        found.push(open.last().copied());
    }
    found
}
