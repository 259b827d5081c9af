//! One file as names are looked up in it: its definitions, what its imports bind, what its types inherit from. Loaded once per
//! question from rows of the index.

use std::collections::BTreeMap;
use std::rc::Rc;

use kitbag_store::{LinkRow, ParseId, Snapshot, StoreError, SymbolRow};
use kitbag_syntax::{Lexical, ModuleRule};
use kitbag_types::{LinkKind, RepoPath, SymbolKind};

use super::{folders, is_callable, is_type, path};

/// A file with what its names are looked up in.
pub(crate) struct File {
    pub(super) id: i64,
    pub(crate) path: RepoPath,
    pub(crate) lexical: Option<&'static Lexical>,
    /// No types are written: a name is what was assigned to it last, whatever defines it. Python and JavaScript.
    pub(super) is_dynamic: bool,
    pub(crate) symbols: Vec<Rc<SymbolRow>>,
    pub(super) imports: Vec<Import>,
    /// What a type inherits from, by the type's index: paths, in the order they are written.
    pub(super) bases: BTreeMap<u32, Vec<Option<String>>>,
}

/// What an import at the top of a file binds.
pub(super) struct Import {
    pub(super) local: String,
    pub(super) module: String,
    pub(super) form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Item(String),
    Itself,
    FirstPart,
    Everything,
}

impl File {
    pub(super) fn load(
        snapshot: &Snapshot<'_>,
        id: i64,
        parse: ParseId,
        path: &RepoPath,
        language: &str,
    ) -> Result<Self, StoreError> {
        let lexical = kitbag_syntax::by_name(language).and_then(|language| language.lexical.as_ref());
        let symbols: Vec<Rc<SymbolRow>> = snapshot.symbols_of(id, parse)?.into_iter().map(Rc::new).collect();
        let mut imports = Vec::new();
        let mut bases: BTreeMap<u32, Vec<Option<String>>> = BTreeMap::new();
        // `export * as z from …` stands in the definition of `z`, which is itself.
        let holds_itself = |link: &LinkRow| {
            let holder = link.from_symbol.and_then(|idx| symbols.get(idx as usize));
            holder.is_some_and(|holder: &Rc<SymbolRow>| {
                holder.kind == SymbolKind::Module
                    && link.reached.as_deref().and_then(|text| text.strip_suffix(':')) == Some(&holder.name)
            })
        };
        for link in snapshot.ties_of(id, parse)? {
            match (link.kind, link.from_symbol.filter(|_| !holds_itself(&link))) {
                (LinkKind::Import, None) => {
                    let import = Import::parse(&link);
                    let has_versions = lexical.is_some_and(|lexical| lexical.modules == ModuleRule::Folders);
                    let unversioned = import
                        .as_ref()
                        .filter(|_| has_versions)
                        .and_then(folders::unversioned);
                    imports.extend(import.into_iter().chain(unversioned));
                }
                (LinkKind::Inherit, Some(idx)) => {
                    let base = link
                        .reached
                        .map(|path| match path.is_empty() || path.ends_with('.') {
                            true => path + &link.name,
                            false => path,
                        });
                    bases.entry(idx).or_default().push(base);
                }
                _ => {}
            }
        }
        Ok(Self {
            id,
            path: path.clone(),
            lexical,
            is_dynamic: matches!(language, "python" | "javascript"),
            symbols,
            imports,
            bases,
        })
    }

    /// The definitions of a name that stand directly in a container.
    pub(super) fn items(&self, container: &str, name: &str) -> Vec<Rc<SymbolRow>> {
        // `export * as z from …` is a definition to whoever looks for `z`, and the module itself to whoever uses it.
        let is_import = |symbol: &SymbolRow| {
            let binds = |import: &Import| import.form == Form::Itself && import.local == symbol.name;
            symbol.kind == SymbolKind::Module && self.imports.iter().any(binds)
        };
        let is_it = |symbol: &&Rc<SymbolRow>| {
            symbol.name == name && symbol.container == container && !is_import(symbol)
        };
        self.symbols.iter().filter(is_it).cloned().collect()
    }

    /// Whether definitions of one name are functions or types as well as values that are assigned: which of them the name is,
    /// is decided when it runs. Where types are written, the two are names of their own, or the compiler refuses.
    pub(super) fn is_reassigned(&self, items: &[Rc<SymbolRow>]) -> bool {
        // `exports.f = f` gives the function to others and leaves the name what it is.
        let is_export = |symbol: &SymbolRow| {
            let target = symbol.signature.split('=').next().unwrap_or_default();
            target.contains("exports")
        };
        let is_value = |symbol: &Rc<SymbolRow>| {
            matches!(
                symbol.kind,
                SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Field
            ) && !is_export(symbol)
        };
        let is_code = |symbol: &Rc<SymbolRow>| is_callable(symbol) || is_type(symbol);
        self.is_dynamic && items.iter().any(is_code) && items.iter().any(is_value)
    }

    /// The definition that a definition stands in.
    pub(super) fn around(&self, symbol: &SymbolRow) -> Option<Rc<SymbolRow>> {
        let is_around = |other: &&Rc<SymbolRow>| {
            symbol
                .container
                .strip_suffix(other.name.as_str())
                .is_some_and(|rest| {
                    rest.strip_suffix("::").unwrap_or(rest) == other.container
                        && (rest.is_empty() || rest.ends_with("::"))
                })
        };
        self.symbols.iter().find(is_around).cloned()
    }
}

impl Import {
    /// From the row of an import: `local=item`, `local:`, `local/` or `*`.
    pub(super) fn parse(link: &LinkRow) -> Option<Self> {
        let text = link.reached.as_ref()?;
        if text == "*" {
            return Some(Self {
                local: String::new(),
                module: link.name.clone(),
                form: Form::Everything,
            });
        }
        let at = text.find(['=', ':', '/'])?;
        let form = path::form(&text[at..])?;
        Some(Self {
            local: text[..at].to_owned(),
            module: link.name.clone(),
            form,
        })
    }
}
