//! Divides the file into pieces: every non-blank line is in exactly one (IDX-17), none is larger than the limit where lines allow
//! it, and small neighbours are joined (IDX-12).
//!
//! A definition that fits is one piece with everything in it. A larger one that contains others becomes its head, then each of them
//! in turn; a larger one without others is split into parts. Then neighbours in the same holder are joined from left to right until
//! each has the minimum size; pieces of different holders are never joined.
//!
//! A class, interface or enum begins a piece of the kind of classes (IDX-18). Its head takes its first members with it, never the
//! reverse, and it only joins a piece that begins with a class.

use std::ops::Range;

use kitbag_types::{ChunkKind, SymbolKind};

use crate::attach::Mark;
use crate::languages::Language;
use crate::lines::Lines;
use crate::outline::Outline;
use crate::split::{Cut, split};
use crate::units::Unit;

/// Too small to be useful alone (`impl X {`, `}`, a single statement): joins a neighbour, whatever the limits.
const CRUMB_TOKENS: u64 = 24;

/// What a piece contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Definition,
    Imports,
    /// The file's own documentation.
    Docs,
    Comment,
    Code,
}

impl Content {
    /// The content of two joined neighbours: the more telling of the two.
    fn with(self, other: Self) -> Self {
        let telling = [Self::Definition, Self::Docs, Self::Imports];
        telling
            .into_iter()
            .find(|content| [self, other].contains(content))
            .unwrap_or(self)
    }
}

/// Lines that become a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) lines: Range<usize>,
    pub(crate) content: Content,
    pub(crate) kind: ChunkKind,
    /// The definitions in its label; empty for text between definitions.
    pub(crate) items: Vec<usize>,
    /// The definition around it, unless it is one itself.
    pub(crate) owner: Option<usize>,
    pub(crate) part: (u32, u32),
    /// The tokens of the largest piece it was joined from, which gave it its kind.
    largest: u64,
    joinable: bool,
    begins: PieceStart,
}

/// The beginning of a piece, as far as it decides what the piece may be joined with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceStart {
    /// A whole class, interface or enum, or a container of one.
    Class,
    /// The head of a class that is too large for one piece. Its members may follow.
    HeadOfClass,
    /// Another container: a module, an `impl` block, an alias of a type.
    Container,
    Other,
}

impl PieceStart {
    fn with_class(self) -> bool {
        matches!(self, Self::Class | Self::HeadOfClass)
    }
}

/// The limits in force: those of the settings, else the language's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_tokens: u64,
    pub(crate) min_tokens: u64,
    pub(crate) overlap_percent: u64,
}

pub(crate) struct Tiler<'a> {
    pub(crate) lines: &'a Lines,
    pub(crate) outline: &'a Outline,
    pub(crate) language: &'a Language,
    pub(crate) cuts: &'a [Cut],
    pub(crate) limits: Limits,
}

impl Tiler<'_> {
    /// The pieces of the whole file, in order.
    pub(crate) fn tile(&self, units: &[Unit]) -> Vec<Piece> {
        let mut pieces = self.tile_range(0..self.lines.n(), units, None);
        for piece in &mut pieces {
            piece.lines = self.lines.trim(piece.lines.clone());
        }
        pieces.retain(|piece| !piece.lines.is_empty());
        pieces
    }

    /// The pieces of `owner` (or the file), which contains `units`. The nesting limit of the outline bounds the recursion.
    fn tile_range(&self, range: Range<usize>, units: &[Unit], owner: Option<&Unit>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut crumb_head = None;
        let mut at = range.start;
        for (idx, unit) in units.iter().enumerate() {
            let gap = self.lines.trim(at..unit.lines.start);
            match owner {
                Some(owner) if idx == 0 => {
                    if self.lines.tokens(&gap) <= CRUMB_TOKENS {
                        crumb_head = Some((gap, owner));
                    } else {
                        self.push_definition(gap, owner, true, &mut pieces);
                    }
                }
                _ => self.push_leftovers(gap, owner, &mut pieces),
            }
            let first_of_unit = pieces.len();
            if self.lines.tokens(&unit.lines) <= self.limits.max_tokens || unit.children.is_empty() {
                self.push_definition(unit.lines.clone(), unit, false, &mut pieces);
            } else {
                let inner = self.tile_range(unit.lines.clone(), &unit.children, Some(unit));
                pieces.extend(inner.into_iter().map(|piece| Piece {
                    joinable: false,
                    ..piece
                }));
            }
            if let Some((head, owner)) = crumb_head.take() {
                self.put_head(head, owner, first_of_unit, &mut pieces);
            }
            at = unit.lines.end;
        }
        let tail = self.lines.trim(at..range.end);
        match pieces.last_mut() {
            Some(last) if owner.is_some() && self.lines.tokens(&tail) <= CRUMB_TOKENS => {
                last.lines.end = tail.end.max(last.lines.end);
            }
            _ => self.push_leftovers(tail, owner, &mut pieces),
        }
        self.join(pieces)
    }

    /// Puts the small head of `owner` (empty if its first member begins on the same line) before that member, whose first piece is
    /// `pieces[first]`.
    fn put_head(&self, head: Range<usize>, owner: &Unit, first: usize, pieces: &mut Vec<Piece>) {
        let Some(member) = pieces.get_mut(first) else {
            return;
        };
        if !self.is_class(owner) {
            if !head.is_empty() {
                member.lines.start = head.start;
            }
            return;
        }
        if member.joinable {
            if !head.is_empty() {
                member.lines.start = head.start;
            }
            member.items.splice(0..0, owner.items.iter().copied());
            member.content = Content::Definition;
            member.kind = self.language.kinds.container;
            member.begins = PieceStart::HeadOfClass;
        } else if head.is_empty() {
            // The member is split, and its first part begins on the line of the head: it stays a part.
            member.kind = self.language.kinds.container;
        } else {
            let rest = pieces.split_off(first);
            self.push_definition(head, owner, true, pieces);
            pieces.extend(rest);
        }
    }

    /// Whether a unit is a class in the file or in another container. One line can have several definitions.
    fn is_class(&self, unit: &Unit) -> bool {
        let items = &self.outline.items;
        let is_class = |idx: &usize| {
            use SymbolKind::{Class, Enum, Interface};
            matches!(items[*idx].kind, Some(Class | Interface | Enum))
        };
        let in_value = |idx: &usize| {
            let holder = items[*idx].parent.filter(|holder| unit.items.contains(holder));
            holder.is_some_and(|holder| !is_container(items[holder].kind))
        };
        unit.items.iter().any(|idx| is_class(idx) && !in_value(idx))
    }

    /// Whether a container has a class in it, at any depth.
    fn holds_class(&self, unit: &Unit) -> bool {
        let is_container = |unit: &Unit| is_container(self.outline.items[unit.items[0]].kind);
        let holds = |inner: &Unit| self.is_class(inner) || is_container(inner) && self.holds_class(inner);
        unit.children.iter().any(holds)
    }

    /// One piece, or parts if it is too large. `is_head`: the beginning of `unit`, not all of it.
    fn push_definition(&self, lines: Range<usize>, unit: &Unit, is_head: bool, pieces: &mut Vec<Piece>) {
        let lines = self.lines.trim(lines);
        if lines.is_empty() {
            return;
        }
        let first = self.outline.items[unit.items[0]].kind;
        let (kind, begins) = if self.is_class(unit) {
            let begins = if is_head {
                PieceStart::HeadOfClass
            } else {
                PieceStart::Class
            };
            (self.language.kinds.container, begins)
        } else if is_container(first) {
            let begins = if self.holds_class(unit) {
                PieceStart::Class
            } else {
                PieceStart::Container
            };
            (self.language.kinds.of(first), begins)
        } else {
            (self.language.kinds.of(first), PieceStart::Other)
        };
        let piece = |lines: Range<usize>, part: (u32, u32)| Piece {
            largest: self.lines.tokens(&lines),
            joinable: part.1 == 1,
            content: Content::Definition,
            kind,
            items: unit.items.clone(),
            owner: None,
            part,
            lines,
            begins,
        };
        let parts = self.parts(lines.clone());
        let n_parts = parts.len() as u32;
        for (idx, part) in parts.into_iter().enumerate() {
            let start = if idx == 0 {
                part.start
            } else {
                self.overlap_start(&part, lines.start)
            };
            pieces.push(piece(start..part.end, (idx as u32 + 1, n_parts)));
        }
    }

    fn parts(&self, lines: Range<usize>) -> Vec<Range<usize>> {
        let parts = split(
            lines,
            self.lines,
            self.cuts,
            &self.outline.keeps,
            self.limits.max_tokens,
        );
        parts
            .into_iter()
            .map(|part| self.lines.trim(part))
            .filter(|part| !part.is_empty())
            .collect()
    }

    /// Where a part begins that repeats the end of the part before it, as far as the settings say.
    fn overlap_start(&self, part: &Range<usize>, floor: usize) -> usize {
        let allowed = self.limits.max_tokens * self.limits.overlap_percent / 100;
        let mut start = part.start;
        while start > floor && self.lines.tokens(&(start - 1..part.start)) <= allowed && allowed > 0 {
            start -= 1;
        }
        start
    }

    /// The text between definitions: imports, statements, comments. Runs of the same content stay together.
    fn push_leftovers(&self, gap: Range<usize>, owner: Option<&Unit>, pieces: &mut Vec<Piece>) {
        let mut runs: Vec<(Range<usize>, Content)> = Vec::new();
        let mut at = gap.start;
        while at < gap.end {
            let start = at;
            while at < gap.end && !self.lines.is_blank(at) {
                at += 1;
            }
            if start < at {
                let content = self.content_of(start..at);
                match runs.last_mut() {
                    Some((run, same)) if *same == content => run.end = at,
                    _ => runs.push((start..at, content)),
                }
            }
            at = at.max(start + 1);
        }
        for (run, content) in runs {
            for lines in self.parts(run) {
                let kind = match content {
                    Content::Docs => ChunkKind::Docstring,
                    Content::Comment => ChunkKind::Comment,
                    _ => self.language.kinds.other,
                };
                pieces.push(Piece {
                    largest: self.lines.tokens(&lines),
                    joinable: true,
                    content,
                    kind,
                    items: Vec::new(),
                    owner: owner.map(|unit| unit.items[0]),
                    part: (1, 1),
                    lines,
                    begins: PieceStart::Other,
                });
            }
        }
    }

    /// The main content of a block of lines.
    fn content_of(&self, block: Range<usize>) -> Content {
        let marks = &self.outline.marks[block.clone()];
        let count = |mark: Mark| marks.iter().filter(|known| **known == mark).count();
        let n_comments = count(Mark::Comment);
        if count(Mark::Doc) * 2 > marks.len() {
            Content::Docs
        } else if n_comments == marks.len() {
            Content::Comment
        } else if count(Mark::Import) * 2 > marks.len() - n_comments {
            Content::Imports
        } else {
            Content::Code
        }
    }

    fn join(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
        let mut rest = pieces.into_iter().peekable();
        while let Some(piece) = rest.next() {
            match joined.last_mut() {
                Some(last) if self.joins(last, &piece, rest.peek()) => {
                    if piece.largest > last.largest {
                        last.largest = piece.largest;
                        if !last.begins.with_class() {
                            last.kind = piece.kind;
                        }
                    }
                    last.content = last.content.with(piece.content);
                    last.lines.end = piece.lines.end;
                    last.items.extend(piece.items);
                }
                _ => joined.push(piece),
            }
        }
        joined
    }

    fn joins(&self, last: &Piece, piece: &Piece, next: Option<&Piece>) -> bool {
        if !self.may_join(last, piece) {
            return false;
        }
        let is_small = |piece: &Piece| self.lines.tokens(&piece.lines) < self.limits.min_tokens;
        // A piece that is large enough takes a small one only if that one has no better neighbour.
        is_small(last) || !next.is_some_and(|next| self.may_join(piece, next))
    }

    fn may_join(&self, a: &Piece, b: &Piece) -> bool {
        if !a.joinable || !b.joinable || !self.classes_allow(a, b) {
            return false;
        }
        let tokens = [self.lines.tokens(&a.lines), self.lines.tokens(&b.lines)];
        let is_definition = [a.content == Content::Definition, b.content == Content::Definition];
        let alike = is_definition[0] == is_definition[1];
        // Text between definitions may join one; a definition stays apart from the imports above it.
        let has_crumb = (0..2).any(|idx| tokens[idx] <= CRUMB_TOKENS && (alike || !is_definition[idx]));
        let slack = if has_crumb { CRUMB_TOKENS } else { 0 };
        let together = self.lines.tokens(&(a.lines.start..b.lines.end));
        if together > self.limits.max_tokens + slack {
            return false;
        }
        let n_small = tokens.iter().filter(|n| **n < self.limits.min_tokens).count();
        // A small piece does not make a large one even larger: it is found more easily alone.
        let with_large = self.language.joins_large && n_small == 1 && together <= 2 * self.limits.min_tokens;
        has_crumb || alike && (n_small == 2 || with_large)
    }

    /// Whether every class stays at the beginning of a piece of classes if `b` is appended to `a`.
    fn classes_allow(&self, a: &Piece, b: &Piece) -> bool {
        let kinds = self.language.kinds;
        if kinds.container == kinds.callable && kinds.container == kinds.other {
            // Formats with one kind of chunk.
            return true;
        }
        match (a.begins, b.begins) {
            // Some languages write the members of a class after it.
            (PieceStart::Class, PieceStart::Other) => {
                b.content != Content::Definition || self.are_members(a, b)
            }
            (PieceStart::Class | PieceStart::HeadOfClass, _) => true,
            (_, PieceStart::Class | PieceStart::HeadOfClass) => false,
            _ => true,
        }
    }

    /// Whether `b` only has members of a class of `a`.
    fn are_members(&self, a: &Piece, b: &Piece) -> bool {
        let items = &self.outline.items;
        let is_member = |idx: &usize| {
            let container = &items[*idx].container;
            !container.is_empty() && a.items.iter().any(|holder| items[*holder].path() == *container)
        };
        !b.items.is_empty() && b.items.iter().all(is_member)
    }
}

/// Also true for a scope.
fn is_container(kind: Option<SymbolKind>) -> bool {
    kind.is_none_or(SymbolKind::is_container)
}
