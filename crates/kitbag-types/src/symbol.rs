//! Definitions and the links between them, as found in one file. Names are text: what a name resolves to depends on the rest
//! of the project and is decided when a question is answered (IDX-21).

use crate::LineRange;

/// What kind of thing a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    Function,
    Method,
    Class,
    Interface,
    Enum,
    Type,
    Constant,
    Variable,
    Field,
    Module,
    Macro,
    /// A name in a format that is not code: a heading, a configuration key, a table, a CSS selector.
    Section,
}

impl SymbolKind {
    pub const ALL: [Self; 12] = [
        Self::Function,
        Self::Method,
        Self::Class,
        Self::Interface,
        Self::Enum,
        Self::Type,
        Self::Constant,
        Self::Variable,
        Self::Field,
        Self::Module,
        Self::Macro,
        Self::Section,
    ];

    /// Also the word after `@definition.` in a query file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Field => "field",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Section => "section",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether it holds other definitions, as types and modules do.
    pub fn is_container(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Interface | Self::Enum | Self::Type | Self::Module | Self::Section
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    Public,
    Private,
}

impl Visibility {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The names of the definitions around it, outermost first, joined by `::`; empty at the top level.
    pub container: String,
    /// The head of the definition on one line, at most 200 characters.
    pub signature: String,
    pub visibility: Visibility,
    /// First sentence of its doc comment, if it has one.
    pub doc: String,
    /// From its doc comment or first attribute to its last line.
    pub lines: LineRange,
    /// The line of its name.
    pub name_line: u32,
    /// Its type, as far as the file says: the path of a callable's result or of a variable's value; for a type one `name
    /// path` line per attribute that its methods assign. `scopes.rs` in `kitbag_syntax` documents paths.
    pub declared: String,
}

impl Symbol {
    /// `container::name`.
    pub fn qualified(&self) -> String {
        if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}::{}", self.container, self.name)
        }
    }
}

/// The relation between the two ends of a link (IDX-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    Call,
    Import,
    Inherit,
    Reference,
}

impl LinkKind {
    pub const ALL: [Self; 4] = [Self::Call, Self::Import, Self::Inherit, Self::Reference];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Import => "import",
            Self::Inherit => "inherit",
            Self::Reference => "reference",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A use of a name. At most one per (kind, name, enclosing definition, path), at the first line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    pub kind: LinkKind,
    /// The name as written: only the last component for calls and types (`foo` of `a::b::foo`), the whole module path for
    /// imports.
    pub name: String,
    /// Index into the file's symbols of the innermost enclosing definition, if there is one.
    pub from: Option<u32>,
    pub line: u32,
    /// How many times the enclosing definition uses it.
    pub count: u32,
    /// The lines of the uses after the first.
    pub more_lines: Vec<u32>,
    /// How the name is reached: the path of what is used, without its last name if that is `name`. `None`: what is before the
    /// name is unknown. For an import: the names it binds. `scopes.rs` in `kitbag_syntax` documents both.
    pub path: Option<String>,
}
