//! What a language is: data. The rows are in `languages/table.rs`; here are lookups by path, first line and name.
//!
//! A lookup tries the exact file name, then the extension, then the interpreter of a `#!` line: a name such as `Rakefile` or `.ts`
//! is a stronger statement than the first line.

mod table;

use kitbag_types::{ChunkKind, Conventions, Naming, RepoPath, SymbolKind};

pub use table::LANGUAGES;
use table::{PLAIN_EXTENSIONS, TEST_FOLDERS};

/// One language, as a row of the table.
#[derive(Debug)]
pub struct Language {
    /// Lower case; also the name of the folder of its query.
    pub name: &'static str,
    /// Lower case, without the dot. Each belongs to one language.
    pub extensions: &'static [&'static str],
    /// Whole file names, for files that an extension does not identify.
    pub filenames: &'static [&'static str],
    /// Interpreters of a `#!` line, without version digits.
    pub shebangs: &'static [&'static str],
    pub grammar: fn() -> tree_sitter::Language,
    /// The query; `captures.rs` documents its words.
    pub tags: &'static str,
    /// The query of its facts, which may be empty; `facts.rs` documents its words.
    pub facts: &'static str,
    /// Patterns of test files: `dir/` matches a folder anywhere in the path, `*_test.go` and `test_*` match file names.
    pub test_paths: &'static [&'static str],
    /// How names are looked up, if known; otherwise every use is matched by its name alone (IDX-23).
    pub lexical: Option<Lexical>,
    pub comments: Comments,
    /// The visibility of definitions at the top level.
    pub visibility: VisibilityRule,
    /// The visibility of definitions inside a type.
    pub member_visibility: VisibilityRule,
    pub kinds: ChunkKinds,
    /// The separator of names in a label: `::` in code, ` > ` between headings, `.` between keys.
    pub joiner: &'static str,
    /// Whether functions may have several clauses: adjacent ones of the same name are one definition.
    pub clauses: bool,
    /// Whether small pieces join large neighbours (code). In prose, where the text under a heading is a unit, only two small pieces
    /// join.
    pub joins_large: bool,
    pub max_chunk_tokens: u32,
    pub min_chunk_tokens: u32,
}

/// How names are looked up in a language.
#[derive(Debug)]
pub struct Lexical {
    /// The query; `scopes.rs` documents its words.
    pub scopes: &'static str,
    /// Whether a bare name may be a member of the types around it (`close()` for `this.close()`).
    pub bare_members: bool,
    /// Whether code directly in a type sees the type's members by their bare names (the body of a class in Python).
    pub members_in_body: bool,
    pub modules: ModuleRule,
}

impl Lexical {
    /// Whether definitions of one name may differ only in their parameters, also along inheritance. So far these are the languages
    /// in which a bare name may be a member: Java.
    pub fn has_overloads(&self) -> bool {
        self.bare_members
    }
}

/// Which file an import names, and which files share names without an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleRule {
    /// A dotted path from a source root, or with leading dots from this package; a folder is its `__init__` file: Python.
    Dotted,
    /// A dotted package is a folder below a source root, and its files see each other: Java.
    Packages,
    /// An import path starts with the name of a module, from its `go.mod`, and continues with folders; the files of a folder see
    /// each other: Go.
    Folders,
    /// A path relative to the file, without extension or with that of the build output; or the name of a package, from its
    /// `package.json`: JavaScript, TypeScript.
    Scripts,
}

/// Differences in layout that do not matter in a language, so that reformatted code is recognised as the same (MEM-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// `'a'` equals `"a"`.
    pub quotes: bool,
    /// The same, if the string has no escapes and no expressions.
    pub plain_quotes: bool,
    /// The semicolon at the end of a statement is optional.
    pub semicolons: bool,
}

pub(crate) fn layout_of(language: &Language) -> Layout {
    let row = table::LAYOUT.iter().find(|(name, _)| *name == language.name);
    row.map(|(_, layout)| *layout).unwrap_or_default()
}

/// The markers of comments, so that they can be removed. The longest first.
#[derive(Debug)]
pub struct Comments {
    pub line: &'static [&'static str],
    /// Opening and closing markers, including the quotes of docstrings.
    pub block: &'static [(&'static str, &'static str)],
}

/// When a definition is visible from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisibilityRule {
    Always,
    /// One of these words is before the name: `pub fn`, `export class`.
    Keyword(&'static [&'static str]),
    /// None of these words is before the name, and the name does not start with `#`.
    Unless(&'static [&'static str]),
    /// The file exports it by name, or has no list of exports. The members of a listed type are listed with it.
    Listed,
    /// The name starts with a capital: Go.
    Capitalised,
    /// The name does not start with an underscore, or is `__special__`.
    NotUnderscore,
}

/// The kind of chunk for each kind of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkKinds {
    /// Functions, methods, macros.
    pub callable: ChunkKind,
    /// Classes, interfaces, enums, types, modules, sections.
    pub container: ChunkKind,
    /// Constants, variables, fields, and the text between definitions.
    pub other: ChunkKind,
}

impl ChunkKinds {
    pub const CODE: Self = Self {
        callable: ChunkKind::CodeFunction,
        container: ChunkKind::CodeClass,
        other: ChunkKind::CodeBlock,
    };

    /// For formats with one kind of chunk.
    pub const fn all(kind: ChunkKind) -> Self {
        Self {
            callable: kind,
            container: kind,
            other: kind,
        }
    }

    /// `None` is a scope (an `impl` block): a container that is not a symbol.
    pub fn of(self, kind: Option<SymbolKind>) -> ChunkKind {
        match kind {
            Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro) => self.callable,
            Some(SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Field) => self.other,
            _ => self.container,
        }
    }
}

impl Language {
    /// Its index in the table, by which its compiled query is found.
    pub(crate) fn idx(&self) -> Option<usize> {
        LANGUAGES.iter().position(|row| row.name == self.name)
    }
}

/// Common names for languages besides their own names and extensions.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("c#", &["csharp"]),
    ("c++", &["cpp"]),
    ("golang", &["go"]),
    ("shell", &["bash"]),
    ("ts", &["typescript", "tsx"]),
    ("typescript", &["typescript", "tsx"]),
];

/// The names of the languages that a word means (`rust`, `rs`, `ts`, `c++`); empty if it means none.
pub fn meant_by(word: &str) -> Vec<&'static str> {
    let word = word.trim_start_matches('.').to_lowercase();
    if let Some((_, meant)) = OTHER_NAMES.iter().find(|(name, _)| *name == word) {
        return meant.to_vec();
    }
    let by_extension = || {
        LANGUAGES
            .iter()
            .find(|language| language.extensions.contains(&word.as_str()))
    };
    let found = by_name(&word).or_else(by_extension);
    found.map(|language| language.name).into_iter().collect()
}

pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES
        .iter()
        .find(|language| language.name.eq_ignore_ascii_case(name))
}

/// The language of a file; `first_line` may be empty.
pub fn language_of(path: &RepoPath, first_line: &str) -> Option<&'static Language> {
    let file_name = path.file_name();
    let by_file_name = LANGUAGES
        .iter()
        .find(|language| language.filenames.contains(&file_name));
    if by_file_name.is_some() {
        return by_file_name;
    }
    if let Some(extension) = path.extension() {
        let extension = extension.to_ascii_lowercase();
        return LANGUAGES
            .iter()
            .find(|language| language.extensions.contains(&extension.as_str()));
    }
    let interpreter = interpreter_of(first_line)?;
    LANGUAGES
        .iter()
        .find(|language| language.shebangs.contains(&interpreter))
}

/// `#!/usr/bin/env -S python3.12 -u` → `python`.
fn interpreter_of(first_line: &str) -> Option<&str> {
    let command = first_line.trim_start_matches('\u{feff}').strip_prefix("#!")?;
    let mut words = command.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = program.rsplit('/').next()?;
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// The naming conventions from all rows, for rooms that classify files by name.
pub fn conventions() -> Conventions {
    let naming = |language: &Language| Naming {
        language: language.name,
        extensions: language.extensions,
        filenames: language.filenames,
        test_paths: language.test_paths,
    };
    Conventions::new(
        LANGUAGES.iter().map(naming).collect(),
        PLAIN_EXTENSIONS,
        TEST_FOLDERS,
    )
}

#[cfg(test)]
mod tests;
