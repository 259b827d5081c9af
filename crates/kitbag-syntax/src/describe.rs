//! Turns pieces into chunks: their labels, the names they define, their documentation.

use std::ops::Range;

use kitbag_types::{Chunk, LineRange};

use crate::capsule::Capsules;
use crate::docs::push_words;
use crate::languages::Language;
use crate::lines::Lines;
use crate::names::{clip, collapse};
use crate::outline::Outline;
use crate::tile::{Content, Piece};

const MAX_LABEL_CHARS: usize = 80;
const MAX_LINE_LABEL_CHARS: usize = 60;

pub(crate) struct Describer<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: &'a Lines,
    pub(crate) outline: &'a Outline,
    pub(crate) language: &'a Language,
    pub(crate) capsules: Capsules<'a>,
}

impl Describer<'_> {
    pub(crate) fn chunks(&self, pieces: Vec<Piece>) -> Vec<Chunk> {
        // Names by line; items are in byte order, which is not always the order of their names.
        let items = &self.outline.items;
        let mut by_line: Vec<usize> = (0..items.len())
            .filter(|idx| items[*idx].kind.is_some())
            .collect();
        by_line.sort_by_key(|idx| (items[*idx].name_line, *idx));
        pieces
            .into_iter()
            .map(|piece| self.chunk(piece, &by_line))
            .collect()
    }

    fn chunk(&self, piece: Piece, by_line: &[usize]) -> Chunk {
        let items = &self.outline.items;
        let from = by_line.partition_point(|idx| items[*idx].name_line < piece.lines.start);
        let to = by_line.partition_point(|idx| items[*idx].name_line < piece.lines.end);
        let defined = &by_line[from..to];

        let mut names: Vec<String> = Vec::new();
        let enclosing = piece.items.first().filter(|_| piece.part.0 > 1);
        for idx in enclosing.into_iter().chain(defined) {
            if !names.contains(&items[*idx].name) {
                names.push(items[*idx].name.clone());
            }
        }
        let bytes = self.lines.bytes(&piece.lines);
        let symbol_path = match piece.items.first().or(piece.owner.as_ref()) {
            Some(idx) => items[*idx].path(),
            None => String::new(),
        };
        Chunk {
            lines: LineRange::new(piece.lines.start as u32 + 1, piece.lines.end as u32),
            kind: piece.kind,
            label: self.label(&piece) + &self.language_label(&piece),
            part: piece.part,
            symbol_path,
            names,
            docs: self.docs(defined, &bytes),
            capsule: self.capsules.capsule(&piece, &self.text[bytes.clone()]),
            bytes,
        }
    }

    fn label(&self, piece: &Piece) -> String {
        let Some(first) = piece.items.first() else {
            return match piece.content {
                Content::Imports => "imports".to_owned(),
                Content::Docs => "module docs".to_owned(),
                _ => self.line_label(piece),
            };
        };
        let items = &self.outline.items;
        let mut label = self.qualified(*first);
        let mut container = &items[*first].container;
        for (idx, before) in piece.items.iter().skip(1).zip(&piece.items) {
            let item = &items[*idx];
            if item.label() == items[*before].label() {
                continue;
            }
            let name = if item.container == *container {
                item.label()
            } else {
                self.qualified(*idx)
            };
            container = &item.container;
            if label.chars().count() + name.chars().count() + 2 > MAX_LABEL_CHARS {
                label.push_str(", …");
                break;
            }
            label.push_str(", ");
            label.push_str(&name);
        }
        label
    }

    /// ` (rust)` after the label of a chunk that mostly consists of text in one embedded language (IDX-14).
    fn language_label(&self, piece: &Piece) -> String {
        let keeps = &self.outline.keeps;
        let from = keeps.partition_point(|keep| keep.lines.end <= piece.lines.start);
        let inside = keeps[from..]
            .iter()
            .take_while(|keep| keep.lines.start < piece.lines.end)
            .filter(|keep| !keep.language.is_empty());
        let shared =
            |lines: &Range<usize>| lines.start.max(piece.lines.start)..lines.end.min(piece.lines.end);
        let half = self.lines.tokens(&piece.lines) / 2;
        inside
            .filter(|keep| self.lines.tokens(&shared(&keep.lines)) > half)
            .map(|keep| format!(" ({})", clip(&keep.language, 20)))
            .next()
            .unwrap_or_default()
    }

    /// `Install > From source`, `Parser::next`.
    fn qualified(&self, idx: usize) -> String {
        let item = &self.outline.items[idx];
        let mut at = item.parent;
        let mut container = item.container.as_str();
        if let Some(parent) = at {
            // A qualifier (`func (r *T) Name`) comes between the holders and the name.
            let path = self.outline.items[parent].path();
            container = container
                .strip_prefix(&path)
                .unwrap_or(container)
                .trim_start_matches("::");
        }
        let joiner = self.language.joiner;
        let own = [item.label_head.as_str(), container, item.name.as_str()];
        let own = match own {
            ["", "", name] => name.to_owned(),
            ["", container, name] => [container, name].join(joiner),
            [head, "", name] => format!("{head} {name}"),
            [head, container, name] => format!("{head} {container}{joiner}{name}"),
        };
        let mut names = vec![own];
        while let Some(parent) = at {
            names.push(self.outline.items[parent].label());
            at = self.outline.items[parent].parent;
        }
        names.reverse();
        clip(&names.join(joiner), 2 * MAX_LABEL_CHARS)
    }

    /// The first line with text, without comment markers.
    fn line_label(&self, piece: &Piece) -> String {
        let says = |line_idx: &usize| {
            self.lines
                .text(self.text, *line_idx)
                .contains(char::is_alphanumeric)
        };
        let line_idx = piece.lines.clone().find(says).unwrap_or(piece.lines.start);
        line_label(
            self.lines.text(self.text, line_idx),
            piece.content == Content::Comment,
            self.language,
        )
    }

    fn docs(&self, defined: &[usize], bytes: &Range<usize>) -> String {
        let mut docs = String::new();
        for range in self
            .outline
            .file_docs
            .iter()
            .filter(|range| bytes.contains(&range.start))
        {
            push_words(&mut docs, &self.text[range.clone()], &self.language.comments);
        }
        for idx in defined {
            let words = &self.outline.items[*idx].docs;
            if !words.is_empty() {
                if !docs.is_empty() {
                    docs.push('\n');
                }
                docs.push_str(words);
            }
        }
        docs.truncate(docs.trim_end().len());
        docs
    }
}

fn line_label(line: &str, is_comment: bool, language: &Language) -> String {
    let line = kitbag_types::prefix(line, 1_000);
    if !is_comment {
        return plain_label(line);
    }
    let mut words = String::new();
    push_words(&mut words, line, &language.comments);
    let words = words.trim_start_matches(['*', ' ']);
    plain_label(if words.contains(char::is_alphanumeric) {
        words
    } else {
        line
    })
}

/// A line as a label: on one line and cut to length.
pub(crate) fn plain_label(line: &str) -> String {
    let line = kitbag_types::prefix(line, 1_000);
    clip(&collapse(line), MAX_LINE_LABEL_CHARS)
}
