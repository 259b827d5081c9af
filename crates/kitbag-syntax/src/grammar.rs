//! Parsing itself: grammars with their compiled queries, made once and lazily (Swift's takes a third of a second), and
//! the budget that stands in for a clock.
//!
//! tree-sitter calls back every hundred steps of its machine. Dense source needs a call for about every 45 bytes, and
//! does some 50 calls in a millisecond; text that makes the parser guess and recover needs more of them, each up to five
//! times as dear. So the budget is a number of calls that grows with the length of the text up to a limit, and a call
//! after an error counts four times. Hostile input runs out of it in about a second, real files never see it, and unlike
//! a clock it gives the same answer on every machine and on every run (IDX-15, IDX-16).

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use kitbag_types::{SymbolKind, Visibility};
use tree_sitter::{Parser, Query, QueryCursor, Tree};

use crate::languages::{LANGUAGES, Language};
use crate::nesting::Nesting;
use crate::scopes::Word;

/// Longer texts are chunked by lines.
pub(crate) const MAX_PARSE_BYTES: usize = 6 << 20;
/// Deeper trees are chunked by lines: nobody nests like this by hand, and cost grows with depth.
pub(crate) const MAX_DEPTH: u32 = 500;

/// Calls allowed to any text, however short; bytes of text that earn one more; and the most there are.
const BASE_CALLS: u64 = 2_000;
const BYTES_PER_CALL: u64 = 10;
const MAX_CALLS: u64 = 50_000;
/// How much text the parser is given at a time.
const READ_BYTES: usize = 4 << 10;
/// What a call counts after the parser met an error.
const ERROR_CALL: u64 = 4;
/// Tokens that a broken node may hold side by side: the query's cost grows with their square.
const MAX_BROKEN_TOKENS: usize = 4_000;

/// What a capture of a query means to us; the words are listed in `captures.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Definition(SymbolKind),
    /// Its level, 1 the outermost.
    Heading(u8),
    Scope,
    Name,
    Label,
    Keep,
    Lead,
    /// A name behind a sigil that is no part of it.
    SigilName,
    /// A qualified name in one node: its last part is the name, the rest the container.
    PathName,
    Container,
    Span,
    Wrapped,
    Body,
    Doc,
    Comment,
    Attach,
    Call,
    Type,
    Inherit,
    Import,
    ImportName,
    Package,
    Export,
    /// From here to the end of its holder, what has no word of its own is this.
    Switch(Visibility),
    /// A word of the scope query.
    Lexical(Word),
    /// Captures for predicates only start with an underscore.
    Unused,
}

impl Role {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "scope" => Self::Scope,
            "name" => Self::Name,
            "label" => Self::Label,
            "keep" => Self::Keep,
            "lead" => Self::Lead,
            "name.sigil" => Self::SigilName,
            "name.path" => Self::PathName,
            "container" => Self::Container,
            "span" => Self::Span,
            "wrapped" => Self::Wrapped,
            "body" => Self::Body,
            "doc" => Self::Doc,
            "comment" => Self::Comment,
            "attach" => Self::Attach,
            "reference.call" => Self::Call,
            "reference.type" => Self::Type,
            "inherit" => Self::Inherit,
            "import" => Self::Import,
            "import.name" => Self::ImportName,
            "package" => Self::Package,
            "export" => Self::Export,
            "public" => Self::Switch(Visibility::Public),
            "private" => Self::Switch(Visibility::Private),
            _ if word.starts_with('_') => Self::Unused,
            _ if word.starts_with("heading.") => Self::Heading(word["heading.".len()..].parse().ok()?),
            _ if word.starts_with("definition.") => {
                Self::Definition(SymbolKind::parse(&word["definition.".len()..])?)
            }
            _ => Self::Lexical(Word::parse(word)?),
        })
    }
}

/// A grammar with its query, ready to run.
pub(crate) struct Grammar {
    language: tree_sitter::Language,
    pub(crate) query: Query,
    /// By capture index.
    pub(crate) roles: Vec<Role>,
    /// Patterns from here on are of the scope query.
    pub(crate) first_scope_pattern: usize,
    /// By pattern: steps that a scope query adds to what is bound.
    pub(crate) then: Vec<Option<Box<str>>>,
    /// By pattern: what ends a name before its node ends.
    pub(crate) name_ends: Vec<Option<Box<str>>>,
    /// By pattern: words one of which stands before the name, where the tree has no node for it.
    pub(crate) name_words: Vec<Option<Box<str>>>,
    /// What the parser cannot bear too much of.
    pub(crate) nesting: Option<Nesting>,
    /// The field most grammars call the body of a definition, if this one does.
    pub(crate) body_field: Option<u16>,
}

impl Grammar {
    /// The message names the query's fault; the tests compile every row, so that nobody else ever reads it.
    pub(crate) fn compile(row: &Language) -> Result<Self, String> {
        let language = (row.grammar)();
        // Both queries run as one: walking the tree twice would cost more than the patterns do.
        let scopes = row.lexical.as_ref().map_or("", |lexical| lexical.scopes);
        let text = format!("{}\n{scopes}", row.tags);
        let query = Query::new(&language, &text).map_err(|error| format!("{}: {error}", row.name))?;
        let is_scope_pattern = |idx: &usize| query.start_byte_for_pattern(*idx) > row.tags.len();
        let first_scope_pattern = (0..query.pattern_count())
            .find(is_scope_pattern)
            .unwrap_or(usize::MAX);
        let mut roles = Vec::new();
        for word in query.capture_names() {
            roles.push(Role::parse(word).ok_or_else(|| format!("{}: no such word: @{word}", row.name))?);
        }
        let settings_of = |key: &str| -> Vec<Option<Box<str>>> {
            let setting_of = |pattern_idx| {
                let settings = query.property_settings(pattern_idx);
                let setting = settings.iter().find(|setting| &*setting.key == key)?;
                setting.value.clone()
            };
            (0..query.pattern_count()).map(setting_of).collect()
        };
        let then = settings_of("then");
        let name_ends = settings_of("until");
        let name_words = settings_of("words");
        let nesting = settings_of("nesting")
            .iter()
            .flatten()
            .find_map(|word| Nesting::parse(word));
        let body_field = language.field_id_for_name("body").map(|id| id.get());
        Ok(Self {
            language,
            query,
            roles,
            first_scope_pattern,
            then,
            name_ends,
            name_words,
            nesting,
            body_field,
        })
    }
}

/// The grammar of a row; `None` if the row is not in the table or its query is broken (which a test rules out).
pub(crate) fn grammar_of(row: &Language) -> Option<&'static Grammar> {
    const MAX_LANGUAGES: usize = 64;
    static COMPILED: [OnceLock<Option<Grammar>>; MAX_LANGUAGES] = [const { OnceLock::new() }; MAX_LANGUAGES];
    let idx = row.idx()?;
    COMPILED
        .get(idx)?
        .get_or_init(|| Grammar::compile(&LANGUAGES[idx]).ok())
        .as_ref()
}

pub(crate) struct Budget {
    calls_left: u64,
}

impl Budget {
    pub(crate) fn for_text(text: &str) -> Self {
        Self {
            calls_left: (BASE_CALLS + text.len() as u64 / BYTES_PER_CALL).min(MAX_CALLS),
        }
    }

    pub(crate) fn spend(&mut self, n_calls: u64) -> ControlFlow<()> {
        match self.calls_left.checked_sub(n_calls) {
            Some(left) => {
                self.calls_left = left;
                ControlFlow::Continue(())
            }
            None => {
                // Once is for good: the next, cheaper call must not go on.
                self.calls_left = 0;
                ControlFlow::Break(())
            }
        }
    }
}

thread_local! {
    // Reused from file to file: both keep buffers that are dear to build, and one of each a thread is enough.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
    static CURSOR: RefCell<QueryCursor> = RefCell::new(QueryCursor::new());
}

/// The tree, or `None` when the budget ran out.
pub(crate) fn parse_tree(grammar: &Grammar, text: &str, budget: &mut Budget) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar.language).ok()?;
        // Some grammars look ahead to the end of the line for every token, between two calls: so the text is handed out
        // in blocks, and a block costs as much as a call.
        let budget = RefCell::new(budget);
        let spend = |n_calls| budget.borrow_mut().spend(n_calls);
        let mut callback =
            |state: &tree_sitter::ParseState| spend(if state.has_error() { ERROR_CALL } else { 1 });
        let options = tree_sitter::ParseOptions::new().progress_callback(&mut callback);
        let bytes = text.as_bytes();
        let mut read = |at: usize, _: tree_sitter::Point| match spend(1) {
            ControlFlow::Continue(()) => bytes
                .get(at..(at + READ_BYTES).min(bytes.len()))
                .unwrap_or_default(),
            ControlFlow::Break(()) => &[],
        };
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        let tree = tree.filter(|_| spend(1).is_continue());
        // A parse that was stopped would otherwise be taken up again by the next file.
        parser.reset();
        tree
    })
}

/// Lends the thread's query cursor, limited so that hostile trees stay cheap.
pub(crate) fn with_cursor<T>(run: impl FnOnce(&mut QueryCursor) -> T) -> T {
    /// Matches under way at once; a file that needs more of them is nested beyond reason.
    const MATCH_LIMIT: u32 = 1_024;
    CURSOR.with_borrow_mut(|cursor| {
        cursor.set_match_limit(MATCH_LIMIT);
        cursor.set_max_start_depth(Some(MAX_DEPTH));
        run(cursor)
    })
}

/// Whether the tree is deeper than the limit, by walking it; stops at the first node that is.
pub(crate) fn is_too_deep(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            if depth > MAX_DEPTH {
                return true;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}

/// Whether parsing gave up on a long stretch of the text, leaving a heap of tokens. Looks only where errors are.
pub(crate) fn is_heap(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let n_tokens = (node.child_count() as usize).saturating_sub(node.named_child_count());
        if node.is_error() && n_tokens > MAX_BROKEN_TOKENS {
            return true;
        }
        if node.has_error() && depth < MAX_DEPTH && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}
