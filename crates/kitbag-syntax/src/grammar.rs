//! Parsing: grammars with their queries, compiled once and lazily (Swift's takes a third of a second), and a budget instead of a
//! clock.
//!
//! tree-sitter calls back every hundred steps, and asks for the text block by block. Neither measures time: a hundred steps take 20
//! µs in correct source, and up to a millisecond where the parser is lost and tries to recover at every token. So each call and
//! each block has a price of about its highest cost, and a text has a budget. Real files hardly have expensive calls: of 8,000
//! sources and headers, 31 had any, and one had 456. Random texts use up their budget within about a second. Unlike a clock, this
//! gives the same result on every machine and in every run (IDX-15, IDX-16). A clock is the last resort, for costs that no count
//! shows. `examples/soup.rs` measures the basis of the prices.

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
/// Deeper trees are chunked by lines: nobody nests like this by hand, and the cost grows with depth.
pub(crate) const MAX_DEPTH: u32 = 500;

/// The budget of the parser and the query together, in microseconds of the machine on which the prices were measured: for any text,
/// per byte, and at most.
const BASE_BUDGET: u64 = 250_000;
const BUDGET_PER_BYTE: u64 = 3;
const MAX_BUDGET: u64 = 1_500_000;
/// The last resort: some texts make the parser walk over everything it has read at every token, and no count shows that. Then the
/// same text may be parsed on a fast machine and chunked by lines on a slow one. Chosen so that a file of 5 MB is read, parsed and
/// written within about 2 s (SEC-4).
pub(crate) const MAX_TIME: Duration = Duration::from_millis(1_200);
/// The price of a call of the parser: in correct text; shortly after an error, when several readings of the text are followed in
/// parallel; when no reading makes sense.
const CALL: u64 = 20;
const DOUBTFUL_CALL: u64 = 150;
const LOST_CALL: u64 = 2_000;
/// How many calls after an error are doubtful.
const DOUBTFUL_CALLS: u64 = 200;
/// The size of the blocks that the parser is given, and their price. It reads everything once or twice; if a scanner looks ahead or
/// goes back to the start of the line at every token, much more often, and between two calls.
const READ_BYTES: usize = 256;
const READ: u64 = 2;
/// The price of a call of the query.
pub(crate) const QUERY_CALL: u64 = 20;
/// The most adjacent tokens in a broken node: the cost of the query grows with their square.
const MAX_BROKEN_TOKENS: usize = 4_000;

/// The meaning of a capture; `captures.rs` lists the words.
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
    /// A name after a sigil that is not part of it.
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
    /// The visibility of what follows in the same holder, unless it has its own keyword.
    Switch(Visibility),
    /// A word of the scope query.
    Lexical(Word),
    /// Captures for predicates only, which start with an underscore.
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
    /// Patterns from here on belong to the scope query.
    pub(crate) first_scope_pattern: usize,
    /// Patterns from here on belong to the fact query.
    pub(crate) first_fact_pattern: usize,
    /// By pattern: the name of a fact without a name in the text.
    pub(crate) fixed_names: Vec<Option<Box<str>>>,
    /// By pattern: steps that a scope query appends to what is bound.
    pub(crate) then: Vec<Option<Box<str>>>,
    /// By pattern: the text that ends a name before its node ends.
    pub(crate) name_ends: Vec<Option<Box<str>>>,
    /// By pattern: words before the name, for trees without a node for the name.
    pub(crate) name_words: Vec<Option<Box<str>>>,
    /// What the parser cannot handle too much of.
    pub(crate) nesting: Option<Nesting>,
    /// The field that most grammars call the body of a definition, if this one has it.
    pub(crate) body_field: Option<u16>,
    /// Literals of facts.
    pub(crate) literals: Literals,
}

impl Grammar {
    /// The error names the fault in the query. The tests compile every row, so users never see it.
    pub(crate) fn compile(row: &Language) -> Result<Self, String> {
        let language = (row.grammar)();
        // All queries run as one: walking the tree twice would cost more than the patterns.
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

/// Compiles the query of a language now, not during its first parse.
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

/// The processor time of the calling thread. It is passed in, because this room has no clock.
pub type Clock = fn() -> Duration;

pub(crate) struct Budget {
    left: u64,
    clock: Clock,
    /// When time is up.
    end: Duration,
    /// Whether the time ran out, not the budget.
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

    /// Charges the price of a call and checks the clock: there are texts of 6 kB with which one call takes half a second.
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
                // This is final: a cheaper call must not continue.
                self.left = 0;
                ControlFlow::Break(())
            }
        }
    }
}

thread_local! {
    // Reused for all files: both keep buffers that are expensive to build, and one per thread is enough.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
    static CURSOR: RefCell<QueryCursor> = RefCell::new(QueryCursor::new());
}

/// The tree; `None` if the budget ran out.
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
        // When nothing is left, the text seems to end here. It ends with a line break, because Kotlin's scanner never stops reading
        // in an annotation that does not end.
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
        // Otherwise the next file would continue the stopped parse.
        parser.reset();
        tree
    })
}

/// Calls `run` with the thread's query cursor, limited so that hostile trees stay cheap.
pub(crate) fn with_cursor<T>(run: impl FnOnce(&mut QueryCursor) -> T) -> T {
    /// The most concurrent matches; a file that needs more is nested beyond reason.
    const MATCH_LIMIT: u32 = 1_024;
    CURSOR.with_borrow_mut(|cursor| {
        cursor.set_match_limit(MATCH_LIMIT);
        cursor.set_max_start_depth(Some(MAX_DEPTH));
        run(cursor)
    })
}

/// Whether the tree is deeper than the limit; stops at the first node that is.
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

/// Whether the parser gave up on a long part of the text and left a list of tokens. Only looks at errors.
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
