//! Rust: public functions and types that can be reached from the root of a library, through public modules and `pub use`.

use std::collections::BTreeSet;

use kitbag_types::{FactKind, Value};

use super::{Export, MAX_STEPS};
use crate::code::modules::joined;
use crate::code::{At, Code, folder_of};
use crate::formats::tree;
use crate::packages::Package;

/// A module: a file, or a block of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Module {
    file: usize,
    block: Option<usize>,
}

pub(super) fn find(code: &Code<'_>, package: &Package, text: Option<&str>, found: &mut Vec<Export>) {
    let manifest = text.and_then(|text| tree::toml(text).ok());
    let said = |key: &str| {
        let node = manifest.as_ref()?.at(&["lib", key])?;
        node.text().map(str::to_owned)
    };
    let path = said("path").unwrap_or_else(|| "src/lib.rs".to_owned());
    let Some(file) = code.file_at(&joined(&package.path, path.trim_start_matches("./"))) else {
        return;
    };
    let name = said("name").unwrap_or_else(|| package.name.replace('-', "_"));
    let root = Module { file, block: None };
    let mut reader = Reader {
        code,
        root,
        seen: BTreeSet::new(),
    };
    for (path, name, at) in reader.items(root, &name, 0) {
        found.push(Export {
            module: path,
            name,
            at,
        });
    }
}

struct Reader<'r, 'c> {
    code: &'r Code<'c>,
    root: Module,
    /// Modules with the path that they were told under, so that modules that name each other come to an end.
    seen: BTreeSet<(Module, String)>,
}

impl Reader<'_, '_> {
    /// Path of the module, name, definition: of all public items of a module and of its public modules.
    fn items(&mut self, module: Module, path: &str, steps: u32) -> Vec<(String, String, At)> {
        let mut items = Vec::new();
        if steps > MAX_STEPS || !self.seen.insert((module, path.to_owned())) {
            return items;
        }
        let children: Vec<At> = self.code.children(module.file, module.block).collect();
        for at in children {
            let fact = self.code.fact(at);
            if !has_word(&fact.words, "pub") || self.is_out_of_sight(at) {
                continue;
            }
            match fact.kind {
                FactKind::Type if has_word(&fact.words, "mod") => {
                    if let Some(inner) = self.module(module, &fact.name) {
                        let inner_path = format!("{path}::{}", fact.name);
                        items.extend(self.items(inner, &inner_path, steps + 1));
                    }
                }
                FactKind::Type if is_type(&fact.words) => {
                    items.push((path.to_owned(), fact.name.clone(), at))
                }
                FactKind::Function => items.push((path.to_owned(), fact.name.clone(), at)),
                FactKind::Import => {
                    for used in used(&fact.annotation) {
                        items.extend(self.used(module, &used, path, steps + 1));
                    }
                }
                _ => {}
            }
        }
        items
    }

    /// What one name of a `pub use` stands for. What comes from other crates is not ours.
    fn used(&mut self, from: Module, used: &Used, path: &str, steps: u32) -> Vec<(String, String, At)> {
        let Some((last, before)) = used.path.split_last() else {
            return Vec::new();
        };
        let Some(module) = self.reach(from, before) else {
            return Vec::new();
        };
        if last == "*" {
            return self.items(module, path, steps);
        }
        if let Some(inner) = self.module(module, last) {
            let name = format!("{path}::{}", used.name);
            return self.items(inner, &name, steps);
        }
        let found = self.item(module, last, &mut BTreeSet::new());
        found
            .map(|at| (path.to_owned(), used.name.clone(), at))
            .into_iter()
            .collect()
    }

    /// An item by its name, also one that the module hands on.
    fn item(&self, module: Module, name: &str, seen: &mut BTreeSet<(Module, String)>) -> Option<At> {
        if !seen.insert((module, name.to_owned())) {
            return None;
        }
        let children: Vec<At> = self.code.children(module.file, module.block).collect();
        let own = children.iter().find(|at| {
            let fact = self.code.fact(**at);
            let is_kind =
                fact.kind == FactKind::Function || fact.kind == FactKind::Type && is_type(&fact.words);
            is_kind && fact.name == name
        });
        if let Some(at) = own {
            return Some(*at);
        }
        let imports = children
            .iter()
            .filter(|at| self.code.fact(**at).kind == FactKind::Import);
        for used in imports.flat_map(|at| used(&self.code.fact(*at).annotation)) {
            let Some((last, before)) = used.path.split_last() else {
                continue;
            };
            let wanted = match last.as_str() {
                "*" => name,
                last if used.name == name => last,
                _ => continue,
            };
            let from = self.reach(module, before);
            if let Some(at) = from.and_then(|from| self.item(from, wanted, seen)) {
                return Some(at);
            }
        }
        None
    }

    fn reach(&self, from: Module, path: &[String]) -> Option<Module> {
        let mut module = from;
        for (idx, part) in path.iter().enumerate() {
            module = match part.as_str() {
                "crate" if idx == 0 => self.root,
                "self" => module,
                "super" => self.above(module)?,
                part => self.module(module, part)?,
            };
        }
        Some(module)
    }

    /// A module inside of another, by its name.
    fn module(&self, within: Module, name: &str) -> Option<Module> {
        let is_it = |at: &At| {
            let fact = self.code.fact(*at);
            fact.kind == FactKind::Type && fact.name == name && has_word(&fact.words, "mod")
        };
        let at = self.code.children(within.file, within.block).find(is_it)?;
        if self.code.children(at.file, Some(at.fact)).next().is_some() {
            return Some(Module {
                file: at.file,
                block: Some(at.fact),
            });
        }
        let folder = self.folder(within.file);
        let file = ["", "/mod"]
            .iter()
            .find_map(|end| self.code.file_at(&joined(&folder, &format!("{name}{end}.rs"))))?;
        Some(Module { file, block: None })
    }

    /// Where the modules of a file are.
    fn folder(&self, file: usize) -> String {
        let path = self.code.files[file].path.as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        match name {
            "mod.rs" | "lib.rs" | "main.rs" => folder_of(path).to_owned(),
            _ if file == self.root.file => folder_of(path).to_owned(),
            _ => path.trim_end_matches(".rs").to_owned(),
        }
    }

    fn above(&self, module: Module) -> Option<Module> {
        if let Some(block) = module.block {
            let at = At {
                file: module.file,
                fact: block,
            };
            let above = self.code.parent(at).map(|above| above.fact);
            return Some(Module {
                file: module.file,
                block: above,
            });
        }
        let own = self.folder(module.file);
        let above = folder_of(&own);
        let files = [
            format!("{above}.rs"),
            joined(above, "mod.rs"),
            joined(above, "lib.rs"),
        ];
        let file = files.iter().find_map(|path| self.code.file_at(path))?;
        Some(Module { file, block: None })
    }

    /// `#[doc(hidden)]`, and names that say that they are private.
    fn is_out_of_sight(&self, at: At) -> bool {
        let is_hidden = |mark: At| {
            let fact = self.code.fact(mark);
            fact.name == "doc"
                && fact
                    .arguments
                    .iter()
                    .any(|value| matches!(value, Value::Name(word) if word == "hidden"))
        };
        self.code.fact(at).name.starts_with("__") || self.code.marks(at).any(is_hidden)
    }
}

fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|own| own == word)
}

fn is_type(words: &str) -> bool {
    ["struct", "enum", "trait", "union"]
        .iter()
        .any(|word| has_word(words, word))
}

/// One name that a `use` brings in.
#[derive(Debug, PartialEq)]
pub(in crate::entry_points) struct Used {
    pub(in crate::entry_points) path: Vec<String>,
    pub(in crate::entry_points) name: String,
}

/// `a::{b, c::{d as e, *}}` → `a::b`, `a::c::d` as `e`, `a::c::*`.
pub(in crate::entry_points) fn used(text: &str) -> Vec<Used> {
    let mut out = Vec::new();
    spread(text, &[], 0, &mut out);
    out
}

fn spread(text: &str, before: &[String], depth: u32, out: &mut Vec<Used>) {
    let text = text.trim();
    if depth > MAX_STEPS || text.is_empty() {
        return;
    }
    if let Some((head, rest)) = text.split_once('{') {
        let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
        let mut path = before.to_vec();
        path.extend(parts(head));
        for part in split(inner) {
            spread(part, &path, depth + 1, out);
        }
        return;
    }
    let (path, alias) = match text.split_once(" as ") {
        Some((path, alias)) => (path, Some(alias.trim())),
        None => (text, None),
    };
    let mut whole = before.to_vec();
    whole.extend(parts(path));
    if whole.last().is_some_and(|last| last == "self") {
        whole.pop();
    }
    if let Some(last) = whole.last().filter(|_| alias != Some("_")) {
        let name = alias.map_or_else(|| last.clone(), str::to_owned);
        out.push(Used { path: whole, name });
    }
}

fn parts(path: &str) -> impl Iterator<Item = String> + '_ {
    let names = path.split("::").map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(|name| name.trim_start_matches("r#").to_owned())
}

/// At the commas that stand in no braces.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
