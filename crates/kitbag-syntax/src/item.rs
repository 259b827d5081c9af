//! A definition of a file, or a scope that holds definitions.

use std::ops::Range;

use kitbag_types::{SymbolKind, Visibility};

/// A definition, or a scope (`kind` is `None`).
pub(crate) struct Item {
    pub(crate) name: String,
    /// The words before its name in labels, if any.
    pub(crate) label_head: String,
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) parent: Option<usize>,
    /// The names of the definitions around it, joined by `::`.
    pub(crate) container: String,
    pub(crate) bytes: Range<usize>,
    /// The range of its name, and its own node without wrappers.
    pub(crate) name_bytes: Range<usize>,
    pub(crate) node: Range<usize>,
    pub(crate) name_line: usize,
    /// Its first line, without comments and attributes.
    pub(crate) own_line: usize,
    /// The first line of each further clause.
    pub(crate) clause_lines: Vec<usize>,
    /// Its lines with comments and attributes.
    pub(crate) lines: Range<usize>,
    pub(crate) signature: String,
    pub(crate) has_body: bool,
    /// It contains syntax errors.
    pub(crate) is_broken: bool,
    pub(crate) visibility: Visibility,
    pub(crate) docs: String,
    /// The names it inherits from or implements.
    pub(crate) inherits: Vec<String>,
    /// Its index among the symbols; `None` for a scope.
    pub(crate) symbol_idx: Option<u32>,
}

impl Item {
    /// `container::name`. A scope that repeats its holder (`class << self`) adds nothing.
    pub(crate) fn path(&self) -> String {
        if self.kind.is_none() && self.name == "self" {
            self.container.clone()
        } else if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}::{}", self.container, self.name)
        }
    }

    /// The name in labels: `CREATE TABLE users`.
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

/// Also true for a scope, which stands for a type.
pub(crate) fn is_type(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        None | Some(SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Type)
    )
}

/// The innermost item around each place; the places are in order.
pub(crate) fn innermost(items: &[Item], places: impl Iterator<Item = usize>) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    let mut found = Vec::new();
    for place in places {
        while next < items.len() && items[next].bytes.start <= place {
            open.push(next);
            next += 1;
        }
        // Places only go forward, so an ended item is closed for good. Items nest, so the ended ones are on top, except beside
        // equal ones (`let a = 1, b = 2`), which end together.
        while open.last().is_some_and(|idx| items[*idx].bytes.end <= place) {
            open.pop();
        }
        found.push(open.last().copied());
    }
    found
}
