//! The capsule of a chunk: context that its text does not contain. Searched, never shown.
//!
//! `package | enclosing types with what they inherit | signature | what the enclosing type is for | imports used`. Empty parts are
//! left out. The caller adds the words of the path, because the same content may be at many paths.

use std::collections::BTreeMap;

use kitbag_types::terms::each_word;

use crate::docs::summary;
use crate::item::Item;
use crate::links::{Import, types_by_name};
use crate::names::clip;
use crate::outline::Outline;
use crate::tile::Piece;

const MAX_ENCLOSING: usize = 4;
const MAX_IMPORTS: usize = 10;
const MAX_INHERITS: usize = 6;

pub(crate) struct Capsules<'a> {
    outline: &'a Outline,
    package: String,
    imports: &'a [Import],
    /// The imports that a word refers to.
    import_words: BTreeMap<&'a str, Vec<usize>>,
    types: BTreeMap<String, usize>,
}

impl<'a> Capsules<'a> {
    pub(crate) fn new(outline: &'a Outline, package: String, imports: &'a [Import]) -> Self {
        let mut import_words: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (idx, import) in imports.iter().enumerate() {
            for word in import.words.iter().filter(|word| word.len() > 1) {
                import_words.entry(word).or_default().push(idx);
            }
        }
        Self {
            outline,
            package,
            imports,
            import_words,
            types: types_by_name(&outline.items),
        }
    }

    pub(crate) fn capsule(&self, piece: &Piece, text: &str) -> String {
        let items = &self.outline.items;
        let first = piece.items.first().map(|idx| &items[*idx]);
        let innermost = first.map_or(piece.owner, |item| item.parent);

        let mut enclosing: Vec<String> = Vec::new();
        let mut at = innermost;
        while let Some(idx) = at.filter(|_| enclosing.len() < MAX_ENCLOSING) {
            enclosing.push(self.with_inherited(&items[idx]));
            at = items[idx].parent;
        }
        enclosing.reverse();
        // A qualifier (`func (s *Server) Close`) counts as an enclosing type.
        if let Some(item) = first.filter(|item| item.parent.is_none() && !item.container.is_empty()) {
            enclosing.push(item.container.clone());
        }

        let signature = first.map_or("", |item| item.signature.as_str());
        let holder_docs = innermost.map_or("", |idx| self.type_of(&items[idx]).docs.as_str());
        let parts = [
            self.package.clone(),
            enclosing.join(" > "),
            signature.to_owned(),
            summary(holder_docs),
            self.imports_in(piece, text).join(", "),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" | ")
    }

    /// For a scope, the type it belongs to, if the file has it.
    fn type_of<'i>(&'i self, item: &'i Item) -> &'i Item {
        match item.kind {
            None => self
                .types
                .get(&item.path())
                .map_or(item, |idx| &self.outline.items[*idx]),
            Some(_) => item,
        }
    }

    fn with_inherited(&self, item: &Item) -> String {
        let inherits = if item.inherits.is_empty() {
            &self.type_of(item).inherits
        } else {
            &item.inherits
        };
        if inherits.is_empty() {
            return item.name.clone();
        }
        let shown = &inherits[..inherits.len().min(MAX_INHERITS)];
        format!("{}: {}", item.name, shown.join(", "))
    }

    fn imports_in(&self, piece: &Piece, text: &str) -> Vec<String> {
        if self.import_words.is_empty() {
            return Vec::new();
        }
        let mut used = vec![false; self.imports.len()];
        each_word(text, &mut |word| {
            for idx in self.import_words.get(word).into_iter().flatten() {
                used[*idx] = true;
            }
        });
        let mut shown: Vec<String> = Vec::new();
        for (import, _) in self.imports.iter().zip(used).filter(|(_, used)| *used) {
            let path = clip(&import.path, 100);
            // Imports inside the chunk are in its text.
            let is_told = piece.lines.contains(&import.line_idx);
            let is_known = import.holder.is_none_or(|idx| {
                let lines = &self.outline.items[idx].lines;
                lines.start <= piece.lines.start && piece.lines.end <= lines.end
            });
            if is_known && !is_told && shown.len() < MAX_IMPORTS && !shown.contains(&path) {
                shown.push(path);
            }
        }
        shown
    }
}
