//! Documents that tell people and agents what to do: their sentences that demand something, each with its line and its strength.
//!
//! Strength goes by words: *must*, *never*, *do not* leave no choice, *should*, *prefer*, *avoid* do, and a plain imperative asks. Files for agents
//! are written as orders, so there a bare imperative counts as a warning; guides for contributors also explain and invite, so only
//! their items of lists count that way, and steps of a first set-up do not.

use kitbag_types::RepoPath;

use super::table::home;
use super::{Constraint, Enforcement, Kind, shortened};
use crate::markdown::{self, Line, Piece};
use crate::packages::Place;

/// Characters of a sentence that are shown; a longer one explains.
const MAX_SENTENCE: usize = 300;
const MAX_BYTES: usize = 1 << 20;

/// What a document is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Agents,
    Contributors,
    /// A record of a decision: only what was decided counts.
    Decisions,
}

/// File names as their tools want them: a page about Gemini may be called `gemini.md`.
const AGENT_FILES: &[&str] = &[
    "AGENTS.md",
    "AGENT.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    "CODEX.md",
    "QWEN.md",
    "CRUSH.md",
    "WARP.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".goosehints",
    ".roorules",
];
/// Folders of rules for agents.
const AGENT_FOLDERS: &[&str] = &[
    ".cursor/rules",
    ".clinerules",
    ".windsurf/rules",
    ".claude/rules",
    ".roo/rules",
    ".github/instructions",
    ".kiro/steering",
    ".augment/rules",
    ".amazonq/rules",
    ".continue/rules",
    ".junie",
    ".agents/rules",
];
const CONTRIBUTOR_FILES: &[&str] = &[
    "contributing",
    "contributing-guide",
    "contribution",
    "contributions",
    "hacking",
    "style",
    "styleguide",
    "style-guide",
    "style_guide",
    "coding-style",
    "coding_style",
    "codingstyle",
    "code_style",
    "code-style",
    "coding-conventions",
    "coding_conventions",
    "coding-guidelines",
    "development",
    "developing",
    "pull_request_template",
];
const DECISION_FOLDERS: &[&str] = &["adr", "adrs", "decisions", "architecture-decisions"];

pub(super) fn is_rules(path: &RepoPath) -> bool {
    reader(path).is_some()
}

fn reader(path: &RepoPath) -> Option<Reader> {
    let name = path.file_name().to_lowercase();
    let folder = path.folder();
    let in_rules = AGENT_FOLDERS.iter().any(|rules| {
        folder == *rules
            || folder.ends_with(&format!("/{rules}"))
            || folder.starts_with(&format!("{rules}/"))
            || folder.contains(&format!("/{rules}/"))
    });
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_text = matches!(ending, "md" | "mdc" | "rst" | "markdown" | "txt" | "adoc" | "mdx");
    if in_rules && (is_text || ending.is_empty()) {
        return Some(Reader::Agents);
    }
    if AGENT_FILES.contains(&path.file_name()) {
        return Some(Reader::Agents);
    }
    if (is_text || ending.is_empty()) && CONTRIBUTOR_FILES.contains(&stem) {
        return Some(Reader::Contributors);
    }
    let parts = folder.split('/');
    let in_decisions = parts
        .into_iter()
        .any(|part| DECISION_FOLDERS.contains(&part.to_lowercase().as_str()));
    (in_decisions && is_text && name != "readme.md" && name != "index.md").then_some(Reader::Decisions)
}

pub(super) fn read(path: &RepoPath, text: &str) -> Vec<Constraint> {
    let Some(reader) = reader(path).filter(|_| text.len() <= MAX_BYTES) else {
        return Vec::new();
    };
    if reader == Reader::Decisions && is_void(text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut heading: Option<&str> = None;
    for block in blocks(&markdown::lines(text)) {
        let (lines, is_item) = match block {
            Block::Heading(text) => {
                heading = Some(text);
                continue;
            }
            Block::Text { lines, is_item } => (lines, is_item),
        };
        if reader == Reader::Decisions
            && !heading.is_some_and(|heading| heading.to_lowercase().contains("decision"))
        {
            continue;
        }
        for (line, sentence) in sentences(&lines) {
            let Some(enforcement) = strength(&sentence, reader, is_item) else {
                continue;
            };
            found.push(Constraint {
                kind: Kind::Document,
                tool: path.file_name().to_owned(),
                category: "document",
                enforcement,
                folder: match reader {
                    Reader::Decisions => String::new(),
                    _ => scope(path),
                },
                files: None,
                heading: heading.map(|heading| shortened(&markdown::plain(heading), 80)),
                guidance: shortened(&sentence, MAX_SENTENCE),
                place: Place {
                    path: path.clone(),
                    line,
                },
            });
        }
    }
    found
}

/// The folder that a document speaks about: a guide in `docs` speaks about everything.
fn scope(path: &RepoPath) -> String {
    let home = home(path);
    match home.rsplit('/').next() {
        Some("docs" | "doc" | "documentation" | "contributing") => {
            home.rsplit_once('/').map_or("", |(above, _)| above).to_owned()
        }
        _ => home.to_owned(),
    }
}

/// A decision that no longer holds, or does not yet.
fn is_void(text: &str) -> bool {
    let start: String = text
        .lines()
        .take(30)
        .collect::<Vec<_>>()
        .join("\n")
        .to_lowercase();
    ["superseded", "rejected", "deprecated", "withdrawn"]
        .iter()
        .any(|word| start.contains(word))
}

enum Block<'t> {
    Heading(&'t str),
    Text {
        lines: Vec<(u32, &'t str)>,
        is_item: bool,
    },
}

/// Paragraphs and items, each with its lines.
fn blocks<'t>(lines: &[Line<'t>]) -> Vec<Block<'t>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    for line in lines {
        match &line.piece {
            Piece::Heading(text) => blocks.push(Block::Heading(text)),
            Piece::Prose {
                text,
                starts,
                is_item,
            } => match blocks.last_mut() {
                Some(Block::Text { lines, .. }) if !starts => lines.push((line.number, text)),
                _ => blocks.push(Block::Text {
                    lines: vec![(line.number, text)],
                    is_item: *is_item,
                }),
            },
            Piece::Code { .. } => {}
            Piece::Row(row) => {
                for cell in row.split('|').map(str::trim).filter(|cell| !cell.is_empty()) {
                    blocks.push(Block::Text {
                        lines: vec![(line.number, cell)],
                        is_item: false,
                    });
                }
            }
        }
    }
    blocks
}

/// The sentences of a block and the line each starts on.
fn sentences(lines: &[(u32, &str)]) -> Vec<(u32, String)> {
    // The joined text, and where each line of the file starts in it.
    let mut text = String::new();
    let mut starts: Vec<(usize, u32)> = Vec::new();
    for (number, line) in lines {
        if !text.is_empty() {
            text.push(' ');
        }
        starts.push((text.len(), *number));
        text.push_str(line);
    }
    let line_at = |at: usize| {
        let idx = starts.partition_point(|(start, _)| *start <= at);
        starts.get(idx.saturating_sub(1)).map_or(1, |(_, number)| *number)
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        if c == '`' {
            in_code = !in_code;
        }
        let ends = !in_code
            && matches!(c, '.' | '!' | '?')
            && bytes
                .get(at + 1)
                .is_none_or(|next| matches!(next, b' ' | b'*' | b')' | b'_' | b'"'));
        if ends && !is_abbreviation(&text[start..at]) {
            found.push((start, &text[start..=at]));
            start = at + 1;
        }
    }
    found.push((start, &text[start.min(text.len())..]));
    let found = found.into_iter().filter_map(|(start, sentence)| {
        let skipped = sentence.len() - sentence.trim_start_matches([' ', '*', ')', '_', '"']).len();
        let plain = markdown::plain(&sentence[skipped..]);
        let plain = plain.trim().trim_end_matches('_').to_owned();
        (plain.split_whitespace().count() >= 2).then(|| (line_at(start + skipped), plain))
    });
    found.collect()
}

fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(', '*']).next().unwrap_or_default();
    matches!(
        last.to_lowercase().as_str(),
        "e.g" | "i.e" | "eg" | "ie" | "etc" | "vs" | "cf" | "e" | "i" | "approx" | "incl"
    ) || last.len() == 1 && last.chars().all(|c| c.is_ascii_digit())
}

/// Phrases that leave no choice. A `|` stands for the start of a clause.
const STRONG: &[&str] = &[
    "must",
    "mustn't",
    "shall",
    "| never",
    "you never",
    "we never",
    "should never",
    "must never",
    "please never",
    "and never",
    "| always",
    "you always",
    "we always",
    "should always",
    "must always",
    "please always",
    "and always",
    "| do not",
    "you do not",
    "please do not",
    "and do not",
    "so do not",
    "but do not",
    "we do not",
    "| don't",
    "please don't",
    "and don't",
    "so don't",
    "but don't",
    "we don't",
    "forbidden",
    "prohibited",
    "disallowed",
    "not allowed",
    "not permitted",
    "not acceptable",
    "is required",
    "are required",
    "| required",
    "required for all",
    "ci requires",
    "mandatory",
    "only use",
    "under no circumstances",
    "have to",
    "has to",
    "no exceptions",
    "not be accepted",
    "will be rejected",
    "without approval",
    "is banned",
    "are banned",
    "will not be merged",
    "won't be merged",
];
const WEAK: &[&str] = &[
    "should",
    "shouldn't",
    "| avoid",
    "please avoid",
    "and avoid",
    "we avoid",
    "| prefer",
    "please prefer",
    "and prefer",
    "we prefer",
    "is preferred",
    "are preferred",
    "recommended",
    "we recommend",
    "| make sure",
    "please make sure",
    "and make sure",
    "| ensure",
    "please ensure",
    "and ensure",
    "| please",
    "| try to",
    "and try to",
    "please try",
    "encouraged",
    "need to",
    "needs to",
    "expected to",
    "ought",
    "remember to",
    "be sure",
    "discouraged",
    "| favor",
    "| favour",
    "| aim for",
    "| strive",
    "be careful",
    "| take care",
];
/// What makes a strong or weak word mean nothing of the kind.
const NOT_MEANT: &[&str] = &[
    "does not mean",
    "doesn't mean",
    "feel no",
    "say hi",
    "join the",
    "upvote",
    "go ahead",
    "don't need",
    "do not need",
    "don't worry",
    "don't hesitate",
    "do not hesitate",
    "don't have to",
    "do not have to",
    "don't be afraid",
    "don't be shy",
    "don't know",
    "don't want",
    "if you don't",
    "if you do not",
    "if you can't",
    "if you cannot",
    "not required",
    "isn't required",
    "always welcome",
    "always appreciated",
    "always happy",
    "is always",
    "are always",
    "please feel free",
    "feel free",
    "we can't",
    "we cannot",
    "need help",
    "needs help",
    "can't wait",
    "should be able",
    "should see",
    "should hopefully",
    "should have been",
    "should already",
    "should now",
    "thank",
    "doesn't have to",
    "does not have to",
    "don't feel",
    "no need to",
    "should work",
    "should not be necessary",
    "please note",
    "you may need to",
    "might need to",
    "you may have to",
];
/// First words of sentences that ask for something.
const IMPERATIVES: &[&str] = &[
    "add",
    "align",
    "annotate",
    "apply",
    "ask",
    "assert",
    "assign",
    "bump",
    "catch",
    "check",
    "choose",
    "comment",
    "commit",
    "consider",
    "consult",
    "cover",
    "create",
    "declare",
    "define",
    "delete",
    "describe",
    "discuss",
    "document",
    "end",
    "exclude",
    "explain",
    "export",
    "extend",
    "extract",
    "fix",
    "focus",
    "follow",
    "format",
    "give",
    "group",
    "handle",
    "implement",
    "import",
    "include",
    "inherit",
    "inject",
    "inline",
    "invoke",
    "keep",
    "leave",
    "limit",
    "link",
    "lint",
    "list",
    "log",
    "maintain",
    "mark",
    "match",
    "mention",
    "minimize",
    "mock",
    "move",
    "name",
    "omit",
    "open",
    "organize",
    "pass",
    "place",
    "prefix",
    "preserve",
    "propagate",
    "provide",
    "put",
    "raise",
    "rebase",
    "reduce",
    "refer",
    "reference",
    "regenerate",
    "register",
    "remove",
    "rename",
    "replace",
    "report",
    "respect",
    "return",
    "reuse",
    "review",
    "run",
    "separate",
    "set",
    "sign",
    "sort",
    "specify",
    "split",
    "squash",
    "start",
    "state",
    "stick",
    "stop",
    "store",
    "structure",
    "submit",
    "suffix",
    "target",
    "test",
    "throw",
    "treat",
    "update",
    "use",
    "validate",
    "verify",
    "wrap",
    "write",
    "no",
    "only",
];
/// First words of steps that set a machine up or lead elsewhere.
const STEPS: &[&str] = &[
    "clone", "install", "download", "fork", "visit", "click", "see", "read", "join", "navigate", "go", "cd",
    "log", "open", "find", "look", "contact", "email", "watch", "star", "note", "list", "start", "ask",
    "refer", "link", "give", "check",
];
/// What a sentence of a guide must be about to count with a bare imperative.
const CHANGES: &[&str] = &[
    "commit",
    "commits",
    "pull",
    "pr",
    "prs",
    "branch",
    "test",
    "tests",
    "code",
    "changelog",
    "docs",
    "documentation",
    "documented",
    "document",
    "style",
    "lint",
    "format",
    "function",
    "functions",
    "class",
    "classes",
    "file",
    "files",
    "variable",
    "variables",
    "names",
    "comment",
    "comments",
    "docstring",
    "docstrings",
    "import",
    "imports",
    "type",
    "types",
    "api",
    "changes",
    "change",
    "feature",
    "features",
    "message",
    "messages",
    "error",
    "errors",
    "issue",
    "readme",
    "review",
    "checklist",
];

fn strength(sentence: &str, reader: Reader, is_item: bool) -> Option<Enforcement> {
    if sentence.ends_with('?') {
        return None;
    }
    let bare = markdown::without_code(sentence);
    let lower = bare.to_lowercase();
    let lower = lower.replace('’', "'");
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let joined = clauses(&lower);
    let has = |phrases: &[&str]| {
        phrases
            .iter()
            .any(|phrase| joined.contains(&format!(" {phrase} ")))
    };
    let shouted = bare.split(|c: char| !c.is_alphanumeric()).any(|word| {
        matches!(
            word,
            "MUST"
                | "NEVER"
                | "ALWAYS"
                | "ONLY"
                | "NOT"
                | "FORBIDDEN"
                | "REQUIRED"
                | "CRITICAL"
                | "IMPORTANT"
                | "SHALL"
                | "MANDATORY"
        )
    });
    if shouted {
        return Some(Enforcement::Error);
    }
    if has(NOT_MEANT) {
        return None;
    }
    if reader == Reader::Decisions {
        let decided = has(STRONG)
            || has(&[
                "we will",
                "we use",
                "we have decided",
                "we decided",
                "is used",
                "will use",
                "will be",
            ]);
        return decided.then_some(if has(STRONG) {
            Enforcement::Error
        } else {
            Enforcement::Info
        });
    }
    if has(STRONG) {
        return Some(Enforcement::Error);
    }
    if has(WEAK) {
        return Some(Enforcement::Warning);
    }
    let asks = imperative(&words, sentence);
    match reader {
        Reader::Agents if asks => Some(Enforcement::Warning),
        Reader::Agents
            if is_item
                && has(&[
                    "go at",
                    "goes in",
                    "belongs in",
                    "belong in",
                    "live in",
                    "lives in",
                    "no longer",
                    "is the only",
                    "are the only",
                ]) =>
        {
            Some(Enforcement::Warning)
        }
        Reader::Contributors if asks && is_item && has(CHANGES) => Some(Enforcement::Info),
        _ => None,
    }
}

/// The words of a sentence with a `|` where a clause starts, and spaces around everything.
fn clauses(lower: &str) -> String {
    let mut out = String::from(" | ");
    let mut in_word = false;
    for c in lower.chars() {
        if c.is_alphanumeric() || c == '\'' {
            out.push(c);
            in_word = true;
            continue;
        }
        if in_word {
            out.push(' ');
            in_word = false;
        }
        if matches!(c, ',' | ';' | ':' | '(' | '—' | '–') && !out.ends_with("| ") {
            out.push_str("| ");
        }
    }
    out.push(' ');
    out
}

/// Whether a sentence starts with a request: at once, after `When …,` or after a label with a colon.
fn imperative(words: &[&str], sentence: &str) -> bool {
    let is_step = |word: &str, sentence: &str| {
        STEPS.contains(&word)
            && !(matches!(word, "open" | "check" | "ask" | "start" | "log")
                && sentence.to_lowercase().contains("pull request"))
    };
    let asks =
        |word: Option<&&str>| word.is_some_and(|word| IMPERATIVES.contains(word) && !is_step(word, sentence));
    if asks(words.first()) {
        return true;
    }
    let after = |mark: char| {
        let rest = sentence.split_once(mark)?.1;
        let word = rest.split_whitespace().next()?.to_lowercase();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        Some(IMPERATIVES.contains(&word.as_str()) && !is_step(&word, sentence))
    };
    let is_clause = matches!(
        words.first(),
        Some(&("when" | "if" | "for" | "before" | "after" | "where" | "in" | "to"))
    );
    after(':').unwrap_or(false) || is_clause && after(',').unwrap_or(false)
}
