//! Parsing itself: grammars with their compiled queries, made once and lazily (Swift's takes a third of a second), and
//! the budget that stands in for a clock.
//!
//! tree-sitter calls back every hundred steps of its machine, and asks for the text block by block. Neither is time: a hundred
//! steps take 20 µs in source that is correct, and up to a millisecond where the parser has lost its way and tries to find it
//! again at every token. So each call and each block has a price of about what it takes at most, and a text has a budget.
//! Real files hardly know the dear calls: of 8,000 sources and headers, 31 had any, and one had 456. Texts that nobody wrote
//! run out of their budget within about a second, and unlike a clock this gives the same answer on every machine and on every run
//! (IDX-15, IDX-16). A clock is the last resort, for what no count tells. `examples/soup.rs` measures what the prices are made of.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::time::Duration;

use kitbag_types::{SymbolKind, Visibility};
use tree_sitter::{Parser, Query, QueryCursor, Tree};

use crate::facts::FactWord;
use crate::languages::{LANGUAGES, Language};
use crate::literals::Literals;
use crate::nesting::Nesting;
use crate::scopes::Word;

/// Longer texts are chunked by lines.
pub(crate) const MAX_PARSE_BYTES: usize = 6 << 20;
/// Deeper trees are chunked by lines: nobody nests like this by hand, and cost grows with depth.
pub(crate) const MAX_DEPTH: u32 = 500;

/// What the parser and the query may spend together, in microseconds of the machine that the prices were measured on: on any text,
/// however short; on each of its bytes; and at most.
const BASE_BUDGET: u64 = 250_000;
const BUDGET_PER_BYTE: u64 = 3;
const MAX_BUDGET: u64 = 1_500_000;
/// The last resort: some texts make the parser walk over all it has read at every token, and no count tells. Then the
/// same text may be parsed on a fast machine and cut by lines on a slow one. Chosen so that a file of 5 MB is read, parsed and
/// written within about 2 s (SEC-4).
pub(crate) const MAX_TIME: Duration = Duration::from_millis(1_200);
/// A call of the parser: all is well; an error was met not long ago, so that several readings of the text are followed at the
/// same time; no reading makes sense.
const CALL: u64 = 20;
const DOUBTFUL_CALL: u64 = 150;
const LOST_CALL: u64 = 2_000;
/// How many calls are doubtful after an error.
const DOUBTFUL_CALLS: u64 = 200;
/// How much text the parser is given at a time, and what that costs. It reads everything once or twice; where a scanner looks
/// ahead or goes back to the start of the line at every token, much more often, and between two calls.
const READ_BYTES: usize = 256;
const READ: u64 = 2;
/// A call of the query.
pub(crate) const QUERY_CALL: u64 = 20;
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
    /// A name behind a sigil that is not part of it.
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
    /// By capture index, for patterns of the fact query.
    pub(crate) fact_words: Vec<Option<FactWord>>,
    /// Patterns from here on are of the scope query.
    pub(crate) first_scope_pattern: usize,
    /// Patterns from here on are of the fact query.
    pub(crate) first_fact_pattern: usize,
    /// By pattern: the name of a fact that has none in the text.
    pub(crate) fixed_names: Vec<Option<Box<str>>>,
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
    /// Literals of facts.
    pub(crate) literals: Literals,
}

impl Grammar {
    /// The message names the query's fault; the tests compile every row, so that nobody else ever reads it.
    pub(crate) fn compile(row: &Language) -> Result<Self, String> {
        let language = (row.grammar)();
        // All queries run as one: walking the tree twice would cost more than the patterns do.
        let scopes = row.lexical.as_ref().map_or("", |lexical| lexical.scopes);
        let tags_and_scopes = format!("{}\n{scopes}", row.tags);
        let text = format!("{tags_and_scopes}\n{}", row.facts);
        let mut query = Query::new(&language, &text).map_err(|error| format!("{}: {error}", row.name))?;
        let is_scope_pattern = |idx: &usize| query.start_byte_for_pattern(*idx) > row.tags.len();
        let first_scope_pattern = (0..query.pattern_count())
            .find(is_scope_pattern)
            .unwrap_or(usize::MAX);
        let is_fact_pattern = |idx: &usize| query.start_byte_for_pattern(*idx) > tags_and_scopes.len();
        let first_fact_pattern = (0..query.pattern_count())
            .find(is_fact_pattern)
            .unwrap_or(usize::MAX);
        let literals = Literals::taken_from(&mut query, &text, first_fact_pattern, &language);
        let mut roles = Vec::new();
        let mut fact_words = Vec::new();
        for word in query.capture_names() {
            let fact_word = FactWord::parse(word);
            let role = Role::parse(word).or(fact_word.map(|_| Role::Unused));
            roles.push(role.ok_or_else(|| format!("{}: no such word: @{word}", row.name))?);
            fact_words.push(fact_word);
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
        let fixed_names = settings_of("name");
        let nesting = settings_of("nesting")
            .iter()
            .flatten()
            .find_map(|word| Nesting::parse(word));
        let body_field = language.field_id_for_name("body").map(|id| id.get());
        Ok(Self {
            language,
            query,
            roles,
            fact_words,
            first_scope_pattern,
            first_fact_pattern,
            fixed_names,
            then,
            name_ends,
            name_words,
            nesting,
            body_field,
            literals,
        })
    }
}

/// Compiles the query of a language now and not in the middle of its first parse.
pub fn prepare(language: &Language) {
    grammar_of(language);
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

/// Time on the processor of the thread that asks. It is handed in, because this room has no clock.
pub type Clock = fn() -> Duration;

pub(crate) struct Budget {
    left: u64,
    clock: Clock,
    /// When time is up.
    end: Duration,
    /// It was time that ran out.
    pub(crate) is_late: bool,
}

impl Budget {
    pub(crate) fn for_text(text: &str, clock: Clock, most: Duration) -> Self {
        Self {
            left: (BASE_BUDGET + text.len() as u64 * BUDGET_PER_BYTE).min(MAX_BUDGET),
            clock,
            end: clock() + most.min(MAX_TIME),
            is_late: false,
        }
    }

    /// Spends what a call costs, and looks at the clock: there are texts of 6 kB with which a call takes half a second.
    pub(crate) fn call(&mut self, price: u64) -> ControlFlow<()> {
        self.is_late |= (self.clock)() > self.end;
        self.spend(price)
    }

    fn spend(&mut self, price: u64) -> ControlFlow<()> {
        match self.left.checked_sub(price) {
            Some(left) if !self.is_late => {
                self.left = left;
                ControlFlow::Continue(())
            }
            _ => {
                // Once is for good: the next, cheaper call must not go on.
                self.left = 0;
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
        let budget = RefCell::new(budget);
        let call = |price| budget.borrow_mut().call(price);
        let spend = |price| budget.borrow_mut().spend(price);
        let mut n_doubtful = 0;
        let mut callback = |state: &tree_sitter::ParseState| {
            if state.has_error() {
                n_doubtful = DOUBTFUL_CALLS;
                return call(LOST_CALL);
            }
            let price = if n_doubtful > 0 { DOUBTFUL_CALL } else { CALL };
            n_doubtful = n_doubtful.saturating_sub(1);
            call(price)
        };
        let options = tree_sitter::ParseOptions::new().progress_callback(&mut callback);
        let bytes = text.as_bytes();
        // When nothing is left, the text seems to end here. It ends with a line break, because Kotlin's scanner reads on
        // for ever where an annotation does not end.
        let mut last_break = None;
        let mut read = |at: usize, _: tree_sitter::Point| match spend(READ) {
            ControlFlow::Continue(()) => bytes
                .get(at..(at + READ_BYTES).min(bytes.len()))
                .unwrap_or_default(),
            ControlFlow::Break(()) if last_break.is_some_and(|last| last + 1 == at) => &[],
            ControlFlow::Break(()) => {
                last_break = Some(at);
                b"\n"
            }
        };
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        let tree = tree.filter(|_| spend(READ).is_continue());
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
