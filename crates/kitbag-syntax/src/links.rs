//! Uses of names: calls, types, inheritance and imports, each with the definition that contains it.
//!
//! Several uses of a name in one place in the same way are one link with a count. A path beside the name says how it is reached
//! (`scopes.rs`); what it leads to is decided when a question is answered, because only then all files are known (IDX-21).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kitbag_types::{Link, LinkKind};

use crate::captures::{Captures, RawDefinition, RawImport, RawReference};
use crate::item::{Item, innermost};
use crate::lines::Lines;
use crate::names::{ImportPath, clip, import_paths, last_part};
use crate::scope_lookup::{ResolvedName, Scopes};

/// An imported path and the words that show its use in a chunk.
pub(crate) struct Import {
    pub(crate) path: String,
    pub(crate) words: Vec<String>,
    pub(crate) line_idx: usize,
    /// The item that contains it: it is known nowhere else.
    pub(crate) holder: Option<usize>,
}

/// The first type item of each name: an `impl` block stands for its type.
pub(crate) fn types_by_name(items: &[Item]) -> BTreeMap<String, usize> {
    let mut types = BTreeMap::new();
    for (idx, item) in items.iter().enumerate() {
        if item.kind.is_some_and(|kind| kind.is_container()) {
            types.entry(item.path()).or_insert(idx);
        }
    }
    types
}

/// The path of an import that only gives something of the file a second name.
const OWN_FILE: &str = "=";

/// A use, to be turned into a link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Use<'t> {
    from: Option<u32>,
    kind: LinkKind,
    /// The position of an inherited type: the order matters, because the first one that has a member provides it.
    order: usize,
    name: &'t str,
    path: Option<String>,
    line: u32,
}

impl Use<'_> {
    fn is_one_with(&self, other: &Use<'_>) -> bool {
        (self.from, self.kind, self.name, &self.path) == (other.from, other.kind, other.name, &other.path)
    }
}

/// The links of the file, sorted; also fills in what each item inherits.
pub(crate) fn links(
    text: &str,
    lines: &Lines,
    captures: &Captures,
    items: &mut [Item],
    scopes: Option<&Scopes<'_>>,
) -> (Vec<Link>, Vec<Import>) {
    let types = types_by_name(items);
    let mut uses = references(text, lines, captures, items, scopes, &types);
    let spelt: Vec<Vec<ImportPath>> = captures
        .imports
        .iter()
        .map(|import| import_paths(&text[import.path.clone()]))
        .collect();
    let mut imports = Vec::new();
    let holders = innermost(items, captures.imports.iter().map(|import| import.path.start));
    for ((raw, paths), holder) in captures.imports.iter().zip(&spelt).zip(holders) {
        let from = symbol_of(items, &types, holder);
        let line_idx = lines.line_of(raw.path.start);
        for path in paths {
            for binding in bindings(captures, scopes, raw, path) {
                uses.push(Use {
                    from,
                    kind: LinkKind::Import,
                    order: 0,
                    name: &path.path,
                    path: binding,
                    line: line_idx as u32 + 1,
                });
            }
            let mut words: Vec<String> = raw
                .names
                .iter()
                .map(|bytes| last_part(&text[bytes.clone()]).to_owned())
                .collect();
            if words.is_empty() {
                words.push(path.local.clone());
            }
            imports.push(Import {
                path: path.path.clone(),
                words,
                line_idx,
                holder,
            });
        }
    }

    for alias in &captures.scopes.aliases {
        uses.push(Use {
            from: None,
            kind: LinkKind::Import,
            order: 0,
            name: OWN_FILE,
            path: Some(format!(
                "{}={}",
                &text[alias.name.clone()],
                &text[alias.item.clone()]
            )),
            line: lines.line_of(alias.name.start) as u32 + 1,
        });
    }

    // One link for all places that inherit from it: the first gives its position in the order.
    let mut first_places: BTreeMap<(Option<u32>, &str, Option<String>), usize> = BTreeMap::new();
    for used in uses.iter_mut().filter(|used| used.kind == LinkKind::Inherit) {
        let key = (used.from, used.name, used.path.clone());
        used.order = *first_places.entry(key).or_insert(used.order);
    }
    uses.sort_unstable();
    let inherited: BTreeSet<(Option<u32>, &str)> = uses
        .iter()
        .filter(|used| used.kind == LinkKind::Inherit)
        .map(|used| (used.from, used.name))
        .collect();
    // An inherited type is also referred to; only the inheritance is kept.
    uses.retain(|used| used.kind != LinkKind::Reference || !inherited.contains(&(used.from, used.name)));
    let mut links: Vec<Link> = Vec::new();
    let mut last: Option<Use<'_>> = None;
    for used in uses {
        match links.last_mut() {
            Some(link) if last.as_ref().is_some_and(|last| last.is_one_with(&used)) => {
                link.count += 1;
                link.more_lines.push(used.line);
            }
            _ => links.push(Link {
                kind: used.kind,
                name: clip(used.name, 300),
                from: used.from,
                line: used.line,
                count: 1,
                more_lines: Vec::new(),
                path: used.path.clone(),
            }),
        }
        last = Some(used);
    }
    (links, imports)
}

/// Calls, types and what is inherited.
fn references<'t>(
    text: &'t str,
    lines: &Lines,
    captures: &Captures,
    items: &mut [Item],
    scopes: Option<&Scopes<'_>>,
    types: &BTreeMap<String, usize>,
) -> Vec<Use<'t>> {
    let mut uses: Vec<Use<'t>> = Vec::with_capacity(captures.references.len());
    // Names that are not uses: those of definitions, with qualifiers directly before them, and those in export lists.
    let mut defined: Vec<usize> = captures.exports.iter().map(|export| export.start).collect();
    // A scope with a label (`DELETE FROM users`) is a use of its name.
    let is_use = |raw: &&RawDefinition| raw.kind.is_none() && !raw.label.is_empty();
    for raw in captures.definitions.iter().filter(|raw| !is_use(raw)) {
        defined.push(raw.name.start);
        let qualifier = raw.container.as_ref();
        defined.extend(
            qualifier
                .filter(|bytes| bytes.end < raw.name.start && raw.name.start <= bytes.end + 2)
                .map(|bytes| bytes.start),
        );
    }
    defined.sort_unstable();
    let mut import_spans: Vec<&Range<usize>> = captures.imports.iter().map(|import| &import.span).collect();
    import_spans.sort_by_key(|span| (span.start, span.end));
    let holders = innermost(items, captures.references.iter().map(|(bytes, _)| bytes.start));
    for ((bytes, kind), holder) in captures.references.iter().zip(holders) {
        let at = import_spans.partition_point(|span| span.start <= bytes.start);
        if at > 0 && bytes.end <= import_spans[at - 1].end {
            // The import has it already.
            continue;
        }
        let used = &text[bytes.clone()];
        let name = match kind {
            RawReference::Call if is_word(used) => used,
            _ => last_part(used),
        };
        let kind = match kind {
            RawReference::Call => LinkKind::Call,
            RawReference::Inherit => LinkKind::Inherit,
            RawReference::Type => LinkKind::Reference,
        };
        // Broad patterns (`every type name`) also capture the names of definitions, which are not uses. A type of one letter nearly
        // always is a type parameter.
        let is_parameter = kind == LinkKind::Reference && name.len() == 1;
        if name.is_empty()
            || is_parameter
            || (kind != LinkKind::Inherit && defined.binary_search(&bytes.start).is_ok())
        {
            continue;
        }
        if let (LinkKind::Inherit, Some(holder)) = (kind, holder) {
            let inherits = &mut items[holder].inherits;
            if !inherits.iter().any(|known| known == name) {
                inherits.push(name.to_owned());
            }
        }
        let Some((name, path)) = reached(text, captures, scopes, bytes, kind, name) else {
            continue;
        };
        uses.push(Use {
            from: symbol_of(items, types, holder),
            kind,
            order: if kind == LinkKind::Inherit { bytes.start } else { 0 },
            name,
            path,
            line: lines.line_of(bytes.start) as u32 + 1,
        });
    }
    uses
}

/// The name of what is used, which an import may have renamed, and how it is reached, without that name at the end. `None`: it is a
/// variable.
fn reached<'t>(
    text: &'t str,
    captures: &Captures,
    scopes: Option<&Scopes<'_>>,
    bytes: &Range<usize>,
    kind: LinkKind,
    name: &'t str,
) -> Option<(&'t str, Option<String>)> {
    let Some(scopes) = scopes else {
        return Some((name, None));
    };
    match scopes.used(bytes) {
        ResolvedName::Local if kind != LinkKind::Inherit => None,
        ResolvedName::Path(mut path) => {
            let item = captures.scopes.item_of(text, name, &path);
            let name = item.unwrap_or(name);
            if path
                .strip_suffix(name)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            {
                path.truncate(path.len() - name.len());
            }
            Some((name, Some(path)))
        }
        _ => Some((name, None)),
    }
}

/// What an import binds, one per name; an import without details is one binding.
fn bindings(
    captures: &Captures,
    scopes: Option<&Scopes<'_>>,
    raw: &RawImport,
    path: &ImportPath,
) -> Vec<Option<String>> {
    let Some(scopes) = scopes else { return vec![None] };
    let modules = &captures.scopes.modules;
    let first = modules.partition_point(|module| module.module.start < raw.path.start);
    let own = modules[first..]
        .iter()
        .take_while(|module| module.module.start == raw.path.start);
    let mut found: Vec<Option<String>> = own.map(|module| scopes.import_binding(module)).collect();
    if found.is_empty() {
        found.push(is_word(&path.local).then(|| format!("{}:", path.local)));
    }
    found
}

/// One word, which may end in the marks of some languages: `valid?`, `save!`.
fn is_word(text: &str) -> bool {
    text.trim_end_matches(['?', '!'])
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_')
}

/// The symbol for an item: itself, the type that a scope adds to, or the one around it.
fn symbol_of(items: &[Item], types: &BTreeMap<String, usize>, holder: Option<usize>) -> Option<u32> {
    let mut at = holder;
    while let Some(idx) = at {
        let item = &items[idx];
        if item.symbol_idx.is_some() {
            return item.symbol_idx;
        }
        if let Some(known) = types.get(&item.path()) {
            return items[*known].symbol_idx;
        }
        at = item.parent;
    }
    None
}
