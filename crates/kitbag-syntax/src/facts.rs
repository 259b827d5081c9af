//! Makes [`Fact`]s from the captures of `facts.scm`, which runs together with the other queries of a language.
//!
//! - `@type`, `@function`, `@block`, `@call`, `@mark`, `@bind`, `@parameter`, `@import`, `@raise`, `@catch`, `@loop`: a fact; see
//!   `FactKind`. Two matches of one node are one fact, by the first pattern.
//! - `@name` (`@callee` of a call or mark, `@item` and `@name` of an import): its name; `(#set! name "default")` if the text has
//!   none. Names in `<…>` after a callee are its annotation. `@sigil`: a name after one character.
//! - `@receiver`: the object or module of a callee; the type that a function belongs to.
//! - `@arguments`: a node whose children are arguments; `@argument`: a node that is one; `@bases`: the types that a type inherits
//!   from, as names separated by commas. `@value`: the value of a binding, of an error, of a loop. `@annotation`: a type.
//!   `@module`: of an import.
//! - `@text`, `@words` (a list of words in one literal), `@list`, `@pair` with `@key` and `@value`, `@joined`: literals. Plain ones are not matched
//!   but looked up by the kind of their node (`literals.rs`).
//!
//! Nesting follows from byte ranges: a type, function, block or loop holds what is inside it, a call what is in its arguments, a
//! binding what is in its value. A mark belongs to the next definition whose name comes after it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use kitbag_types::{Fact, FactKind, Value};
use tree_sitter::{Node, QueryMatch};

use crate::lines::Lines;
use crate::literals::{Literal, Literals};
use crate::names::collapse;

/// The most facts per file; a file with more is generated.
const MAX_FACTS: usize = 40_000;
/// More deeply nested literals are not followed.
const MAX_DEPTH: u32 = 24;
const MAX_ARGUMENTS: usize = 400;
const MAX_NAME_BYTES: usize = 160;
/// Longer texts are cut, unless they are SQL.
const MAX_TEXT_BYTES: usize = 300;
const MAX_STATEMENT_BYTES: usize = 8_000;

/// The words of a fact query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactWord {
    Fact(FactKind),
    Name,
    Sigil,
    Item,
    Receiver,
    Arguments,
    Argument,
    Bases,
    Annotation,
    Module,
    Value,
    Text,
    Words,
    List,
    Pair,
    Key,
    Joined,
}

impl FactWord {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "name" | "callee" => Self::Name,
            "sigil" => Self::Sigil,
            "item" => Self::Item,
            "receiver" => Self::Receiver,
            "arguments" => Self::Arguments,
            "argument" => Self::Argument,
            "bases" => Self::Bases,
            "annotation" => Self::Annotation,
            "module" => Self::Module,
            "value" => Self::Value,
            "text" => Self::Text,
            "words" => Self::Words,
            "list" => Self::List,
            "pair" => Self::Pair,
            "key" => Self::Key,
            "joined" => Self::Joined,
            _ => Self::Fact(FactKind::parse(word)?),
        })
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Fact(FactKind),
    Literal(Literal),
}

/// Nodes by their ids, which are addresses: they need no careful hash.
type Ids<V> = HashMap<usize, V, BuildHasherDefault<IdHasher>>;

#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, id: usize) {
        let mixed = (self.0 ^ id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// One match of the query.
struct Raw<'t> {
    role: Role,
    node: Node<'t>,
    pattern_idx: usize,
    name: Option<Node<'t>>,
    fixed_name: Option<String>,
    has_sigil: bool,
    item: Option<Node<'t>>,
    receiver: Option<Node<'t>>,
    arguments: Vec<(FactWord, Node<'t>)>,
    annotation: Option<Node<'t>>,
    module: Option<Node<'t>>,
    key: Option<Node<'t>>,
}

/// The captures of the query, to be turned into facts.
#[derive(Default)]
pub(crate) struct RawFacts<'t> {
    list: Vec<Raw<'t>>,
}

impl<'t> RawFacts<'t> {
    pub(crate) fn take(
        &mut self,
        found: &QueryMatch<'_, 't>,
        word_of: impl Fn(u32) -> Option<FactWord>,
        fixed_name: Option<&str>,
    ) {
        if self.list.len() >= 2 * MAX_FACTS {
            return;
        }
        let role_of = |idx: u32| match word_of(idx)? {
            FactWord::Fact(kind) => Some(Role::Fact(kind)),
            FactWord::Text => Some(Role::Literal(Literal::Text)),
            FactWord::Words => Some(Role::Literal(Literal::Words)),
            FactWord::List => Some(Role::Literal(Literal::List)),
            FactWord::Pair => Some(Role::Literal(Literal::Pair(0, 0))),
            FactWord::Joined => Some(Role::Literal(Literal::Joined)),
            _ => None,
        };
        let main = found
            .captures()
            .iter()
            .find_map(|capture| Some((role_of(capture.index)?, capture.node)));
        let Some((role, node)) = main else { return };
        let mut raw = Raw {
            role,
            node,
            pattern_idx: found.pattern_index,
            name: None,
            fixed_name: fixed_name.map(str::to_owned),
            has_sigil: false,
            item: None,
            receiver: None,
            arguments: Vec::new(),
            annotation: None,
            module: None,
            key: None,
        };
        for capture in found.captures() {
            let node = capture.node;
            match word_of(capture.index) {
                Some(FactWord::Name) => raw.name = Some(node),
                Some(FactWord::Sigil) => {
                    raw.name = Some(node);
                    raw.has_sigil = true;
                }
                Some(FactWord::Item) => raw.item = Some(node),
                Some(FactWord::Receiver) => raw.receiver = Some(node),
                Some(FactWord::Annotation) => raw.annotation = Some(node),
                Some(FactWord::Module) => raw.module = Some(node),
                Some(FactWord::Key) => raw.key = Some(node),
                Some(
                    word @ (FactWord::Arguments | FactWord::Argument | FactWord::Bases | FactWord::Value),
                ) if raw
                    .arguments
                    .last()
                    .is_none_or(|(_, last)| last.id() != node.id()) =>
                {
                    raw.arguments.push((word, node));
                }
                _ => {}
            }
        }
        self.list.push(raw);
    }

    /// The facts in the order of the text.
    pub(crate) fn settle(mut self, text: &str, lines: &Lines, literals: &Literals) -> Vec<Fact> {
        let key = |raw: &Raw<'_>| {
            (
                raw.node.start_byte(),
                std::cmp::Reverse(raw.node.end_byte()),
                raw.node.id(),
                raw.pattern_idx,
            )
        };
        // An import may bind several names with one node, so matches are distinguished by the name they bind.
        let binds = |raw: &Raw<'_>| raw.name.or(raw.item).or(raw.module).map(|node| node.id());
        let whole = |raw: &Raw<'_>| {
            raw.role == Role::Fact(FactKind::Import) || raw.role == Role::Fact(FactKind::Bind)
        };
        self.list.sort_by_key(key);
        self.list.dedup_by(|later, first| {
            later.node.id() == first.node.id()
                && later.node.byte_range() == first.node.byte_range()
                && !(whole(first) && whole(later) && binds(first) != binds(later))
        });
        Reader::new(text, lines, literals, self.list).facts()
    }
}

struct Reader<'r, 't> {
    text: &'r str,
    lines: &'r Lines,
    literals: &'r Literals,
    raws: Vec<Raw<'t>>,
    /// The index of a raw match by the id of its node.
    places: Ids<usize>,
    /// The index of the fact, by the index of the raw match.
    facts: Vec<Option<u32>>,
}

impl<'r, 't> Reader<'r, 't> {
    fn new(text: &'r str, lines: &'r Lines, literals: &'r Literals, raws: Vec<Raw<'t>>) -> Self {
        let mut places: Ids<usize> = Ids::with_capacity_and_hasher(raws.len(), BuildHasherDefault::default());
        for (place, raw) in raws.iter().enumerate() {
            places.entry(raw.node.id()).or_insert(place);
        }
        // A mark or the head of a function may also be a call in the tree; only one fact is made.
        let is_told = |raw: &Raw<'_>| matches!(raw.role, Role::Fact(kind) if kind != FactKind::Call);
        let told = raws.iter().filter(|raw| is_told(raw)).filter_map(|raw| raw.name);
        let told: Ids<()> = told.map(|name| (name.id(), ())).collect();
        let mut called: Ids<()> = Ids::default();
        let mut is_twice = |raw: &Raw<'_>| {
            let name = raw.name.filter(|_| raw.role == Role::Fact(FactKind::Call));
            name.is_some_and(|name| told.contains_key(&name.id()) || called.insert(name.id(), ()).is_some())
        };
        let mut n_facts = 0;
        let mut number = |raw: &Raw<'_>| {
            let is_fact = matches!(raw.role, Role::Fact(_)) && !is_twice(raw) && n_facts < MAX_FACTS as u32;
            n_facts += u32::from(is_fact);
            is_fact.then(|| n_facts - 1)
        };
        let facts = raws.iter().map(&mut number).collect();
        Self {
            text,
            lines,
            literals,
            raws,
            places,
            facts,
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let parents = self.parents();
        let mut out = Vec::new();
        for (place, raw) in self.raws.iter().enumerate() {
            let (Role::Fact(kind), Some(_)) = (raw.role, self.facts[place]) else {
                continue;
            };
            out.push(self.fact(kind, raw, parents[place]));
        }
        out
    }

    fn fact(&self, kind: FactKind, raw: &Raw<'_>, parent: Option<u32>) -> Fact {
        let (name, generics) = self.name(raw);
        let annotation = match (raw.annotation.or(raw.module), generics) {
            (Some(node), _) if kind == FactKind::Import => unquoted(self.slice(node)).to_owned(),
            (Some(node), _) => self.short(node),
            (None, generics) => generics,
        };
        let arguments = self.arguments(kind, raw);
        let name = match (kind, arguments.first()) {
            (FactKind::Raise, Some(Value::Name(error))) => error.clone(),
            (FactKind::Raise, Some(Value::Fact(_))) => raw.arguments.first().map_or(name, |(_, node)| {
                let called = self
                    .places
                    .get(&node.id())
                    .and_then(|place| self.raws[*place].name);
                called.map_or_else(String::new, |called| self.short(called))
            }),
            _ => name,
        };
        let at = raw.name.unwrap_or(raw.node).start_byte();
        let last = raw.node.end_byte().saturating_sub(1).max(at);
        Fact {
            kind,
            words: match kind {
                FactKind::Function
                | FactKind::Type
                | FactKind::Bind
                | FactKind::Parameter
                | FactKind::Import => self.words(raw),
                _ => String::new(),
            },
            name,
            receiver: raw.receiver.map(|node| self.value(node, 0)),
            arguments,
            annotation,
            parent,
            line: self.lines.line_of(at) as u32 + 1,
            end_line: self.lines.line_of(last) as u32 + 1,
        }
    }

    /// The name, and the types in `<…>` after it.
    fn name(&self, raw: &Raw<'_>) -> (String, String) {
        if let Some(name) = &raw.fixed_name {
            return (name.clone(), String::new());
        }
        let Some(node) = raw.name.or(raw.item).or(raw.module) else {
            return (String::new(), String::new());
        };
        let text = self.slice(node);
        let is_call = matches!(raw.role, Role::Fact(FactKind::Call | FactKind::Mark));
        if is_call && let Some((name, generics)) = text.split_once('<') {
            let generics = generics.trim_end().trim_end_matches('>');
            return (
                clipped(name.trim_end_matches("::"), MAX_NAME_BYTES),
                clipped(generics, MAX_NAME_BYTES),
            );
        }
        let text = unquoted(text);
        if raw.role == Role::Fact(FactKind::Import) && raw.name.is_none() && raw.item.is_none() {
            let last = text.rsplit(['.', '/', '\\', ':']).next().unwrap_or(text);
            return (clipped(last, MAX_NAME_BYTES), String::new());
        }
        if raw.has_sigil {
            let rest = text.get(text.chars().next().map_or(0, char::len_utf8)..);
            return (clipped(rest.unwrap_or_default(), MAX_NAME_BYTES), String::new());
        }
        (clipped(&collapse(text), MAX_NAME_BYTES), String::new())
    }

    /// The words before the name, from the start of its line or node on.
    fn words(&self, raw: &Raw<'_>) -> String {
        let Some(name) = raw.name.or(raw.item).or(raw.module) else {
            return String::new();
        };
        let line = self.lines.line_of(raw.node.start_byte());
        let start = match raw.role {
            Role::Fact(FactKind::Parameter) => raw.node.start_byte(),
            _ => self.lines.start(line).min(name.start_byte()),
        };
        let head = self.text.get(start..name.start_byte()).unwrap_or_default();
        // Only the words before everything else: `@Get('x') async` is a mark and a word.
        let is_word = |word: &&str| word.len() <= 12 && word.chars().all(|c| c.is_ascii_lowercase());
        let mut words: Vec<&str> = head.split_whitespace().rev().take(8).filter(is_word).collect();
        words.reverse();
        words.join(" ")
    }

    fn arguments(&self, kind: FactKind, raw: &Raw<'_>) -> Vec<Value> {
        if kind == FactKind::Import {
            let item = raw
                .item
                .map(|node| Value::Text(unquoted(self.slice(node)).to_owned()));
            return item.into_iter().collect();
        }
        let mut values = Vec::new();
        for (word, node) in &raw.arguments {
            match word {
                FactWord::Bases => values.extend(bases(self.slice(*node)).map(Value::Name)),
                FactWord::Arguments => values.extend(self.children(*node, 0)),
                _ => values.push(self.value(*node, 0)),
            }
        }
        values
    }

    fn children(&self, node: Node<'_>, depth: u32) -> Vec<Value> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .filter(|child| !child.is_extra())
            .take(MAX_ARGUMENTS)
            .map(|child| self.value(child, depth + 1))
            .collect()
    }

    fn value(&self, node: Node<'_>, depth: u32) -> Value {
        if depth > MAX_DEPTH {
            return Value::Other;
        }
        if let Some(place) = self.places.get(&node.id()) {
            let raw = &self.raws[*place];
            return match raw.role {
                Role::Literal(literal) => {
                    let value = raw.arguments.first().map(|(_, value)| *value);
                    self.told(literal, node, (raw.key, value), depth)
                }
                Role::Fact(FactKind::Function | FactKind::Type) => raw
                    .name
                    .map_or(Value::Other, |name| Value::Name(self.short(name))),
                // A path of names that is a chain of calls in the tree, because parentheses are optional.
                Role::Fact(FactKind::Call) if raw.arguments.is_empty() && is_path(self.slice(node)) => {
                    Value::Name(clipped(self.slice(node), MAX_NAME_BYTES))
                }
                Role::Fact(_) => self.facts[*place].map_or(Value::Other, Value::Fact),
            };
        }
        match self.literals.of(node) {
            Some(Literal::Pair(key, value)) => {
                let child = |field| node.child_by_field_id(field).filter(Node::is_named);
                if let (Some(key), Some(value)) = (child(key), child(value)) {
                    return self.told(Literal::Pair(0, 0), node, (Some(key), Some(value)), depth);
                }
            }
            Some(literal) => return self.told(literal, node, (None, None), depth),
            None => {}
        }
        let text = self.slice(node);
        if text.len() <= MAX_NAME_BYTES && is_path(text) {
            return Value::Name(text.to_owned());
        }
        // A path over several lines.
        if text.len() <= 2 * MAX_NAME_BYTES && text.contains('\n') {
            let parts: Vec<&str> = text.split('.').map(str::trim).collect();
            let whole = parts.join(".");
            if is_path(&whole) {
                return Value::Name(whole);
            }
        }
        let mut cursor = node.walk();
        let mut inner = node.named_children(&mut cursor).filter(|child| !child.is_extra());
        match (inner.next(), inner.next()) {
            (Some(only), None) => self.value(only, depth + 1),
            _ => Value::Other,
        }
    }

    /// A literal; a pair with its key and value.
    fn told(
        &self,
        literal: Literal,
        node: Node<'_>,
        (key, value): (Option<Node<'_>>, Option<Node<'_>>),
        depth: u32,
    ) -> Value {
        match literal {
            Literal::Text => self.literal(node, depth),
            Literal::Words => {
                let Value::Text(text) = self.literal(node, depth) else {
                    return Value::Other;
                };
                let words = text.split_whitespace().take(MAX_ARGUMENTS);
                Value::List(words.map(|word| Value::Text(word.to_owned())).collect())
            }
            Literal::List => Value::List(self.children(node, depth)),
            Literal::Joined => Value::Joined(self.children(node, depth)),
            Literal::Pair(..) => {
                let key = key.map(|key| clipped(key_name(self.slice(key)), MAX_NAME_BYTES));
                let value = value.map(|value| self.value(value, depth + 1));
                Value::Pair(key.unwrap_or_default(), Box::new(value.unwrap_or(Value::Other)))
            }
        }
    }

    /// A string: its text, or its parts.
    fn literal(&self, node: Node<'_>, depth: u32) -> Value {
        let mut cursor = node.walk();
        let mut parts: Vec<Value> = Vec::new();
        let mut plain = String::new();
        let mut is_made = false;
        let mut has_content = false;
        for child in node.named_children(&mut cursor).filter(|child| !child.is_extra()) {
            let kind = child.kind();
            if kind.contains("content")
                || kind.contains("fragment")
                || kind.contains("escape")
                || kind == "heredoc_body"
            {
                has_content = true;
                plain.push_str(self.slice(child));
            } else if !(kind.ends_with("start")
                || kind.ends_with("end")
                || kind.contains("quote")
                || kind.contains("encoding")
                || kind.starts_with("sigil_"))
            {
                is_made = true;
                if !plain.is_empty() {
                    parts.push(Value::Text(std::mem::take(&mut plain)));
                }
                parts.push(self.value(child, depth + 1));
            }
        }
        if is_made {
            if !plain.is_empty() {
                parts.push(Value::Text(plain));
            }
            return Value::Joined(parts);
        }
        if !has_content {
            plain = unquoted(self.slice(node)).to_owned();
        }
        let most = if is_statement(&plain) {
            MAX_STATEMENT_BYTES
        } else {
            MAX_TEXT_BYTES
        };
        Value::Text(clipped(&plain, most))
    }

    /// The fact around each raw match.
    fn parents(&self) -> Vec<Option<u32>> {
        let mut parents = vec![None; self.raws.len()];
        let mut open: Vec<(Range<usize>, u32)> = Vec::new();
        let mut definitions: Vec<(usize, u32)> = Vec::new();
        for (place, raw) in self.raws.iter().enumerate() {
            let at = raw.node.start_byte();
            while open.last().is_some_and(|(range, _)| range.end <= at) {
                open.pop();
            }
            // The receiver of a call starts before its arguments do, so the innermost holder that has begun is taken.
            let holder = open
                .iter()
                .rev()
                .find(|(range, _)| range.contains(&at) && raw.node.end_byte() <= range.end);
            parents[place] = holder.map(|(_, fact)| *fact);
            let (Role::Fact(kind), Some(fact)) = (raw.role, self.facts[place]) else {
                continue;
            };
            if matches!(
                kind,
                FactKind::Type | FactKind::Function | FactKind::Bind | FactKind::Parameter
            ) && let Some(name) = raw.name
            {
                definitions.push((name.start_byte(), fact));
            }
            let held = match kind {
                FactKind::Type | FactKind::Function | FactKind::Block | FactKind::Loop | FactKind::Catch => {
                    Some(raw.node.byte_range())
                }
                FactKind::Call | FactKind::Bind | FactKind::Mark => {
                    let ranges = raw.arguments.iter().map(|(_, node)| node.byte_range());
                    ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
                }
                _ => None,
            };
            if let Some(range) = held {
                // Calls in a chain begin at the same byte, the outermost first; the ends must stay sorted.
                let at = open.partition_point(|(known, _)| known.end >= range.end);
                open.insert(at, (range, fact));
            }
        }
        definitions.sort_unstable();
        for (place, raw) in self.raws.iter().enumerate() {
            if raw.role == Role::Fact(FactKind::Mark) {
                let next = definitions.partition_point(|(name, _)| *name < raw.node.end_byte());
                parents[place] = definitions.get(next).map(|(_, fact)| *fact);
            }
        }
        parents
    }

    fn slice(&self, node: Node<'_>) -> &'r str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn short(&self, node: Node<'_>) -> String {
        let text = self.slice(node).trim_start_matches([':', ' ']);
        clipped(&collapse(&clipped(text, 4 * MAX_NAME_BYTES)), MAX_NAME_BYTES)
    }
}

/// Words before the types that a type inherits from.
const BASE_WORDS: [&str; 6] = [
    "extends ",
    "implements ",
    "with ",
    "public ",
    "private ",
    "virtual ",
];

/// `(Base, metaclass=Meta)`, `extends A implements B<C>`, `: A(), B`: the names, with their type arguments.
fn bases(text: &str) -> impl Iterator<Item = String> {
    let text = clipped(text, 1_000);
    let mut depth = 0_i32;
    let mut parts = vec![String::new()];
    let spaced = text.replace(" implements ", ", ").replace('\n', " ");
    let inner = spaced
        .trim()
        .trim_start_matches([':', '<', '('])
        .trim_end_matches(')');
    for c in inner.chars() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.into_iter().filter_map(|part| {
        let mut name = part.trim();
        for word in BASE_WORDS {
            name = name.strip_prefix(word).unwrap_or(name).trim();
        }
        (!name.is_empty()).then(|| clipped(name, MAX_NAME_BYTES))
    })
}

/// A path of names, a number, or a variable with its sigil, but not an expression.
fn is_path(text: &str) -> bool {
    let inner = text.strip_prefix(['&', '*', '^', '-']).unwrap_or(text);
    let rest = inner.replace("->", ".").replace("?.", ".");
    !rest.is_empty()
        && rest
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\' | '$' | '@' | '?' | '!' | '#'))
        && rest.chars().any(char::is_alphanumeric)
}

/// `"key":`, `key:`, `:key`, `'key'` → `key`.
fn key_name(text: &str) -> &str {
    unquoted(text.trim().trim_end_matches([':', ' '])).trim_start_matches(':')
}

/// Without quotes and the prefix before them (`r"…"`, `@"…"`, `:symbol`).
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let quote = |c: char| matches!(c, '"' | '\'' | '`');
    if let Some(start) = text.find(quote) {
        let prefix = &text[..start];
        if prefix.len() <= 3
            && prefix
                .chars()
                .all(|c| c.is_ascii_alphabetic() || matches!(c, '@' | '$' | '#' | ':'))
        {
            return text[start..].trim_matches(|c| quote(c) || c == '#');
        }
    }
    match text.strip_prefix(':') {
        Some(symbol) if !symbol.starts_with(':') => symbol,
        _ => text,
    }
}

/// Whether a text begins like SQL.
fn is_statement(text: &str) -> bool {
    const FIRST: [&str; 12] = [
        "select", "insert", "update", "delete", "with", "create", "alter", "drop", "merge", "replace",
        "truncate", "from",
    ];
    let mut start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    while let Some(comment) = start.strip_prefix("--") {
        start = comment.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    let word: String = start
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .take(10)
        .collect();
    FIRST.contains(&word.to_ascii_lowercase().as_str())
}

fn clipped(text: &str, most: usize) -> String {
    kitbag_types::prefix(text, most).to_owned()
}

#[cfg(test)]
mod tests;
