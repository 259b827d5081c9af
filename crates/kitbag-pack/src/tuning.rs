//! Every number that decides what a pack looks like, with its meaning and what set it. The measurements behind them are in
//! docs/quality.md.

/// relevance, recency, source, by [`crate::Intent`] in its order.
pub const WEIGHTS: [(f64, f64, f64); 6] = [
    (0.7, 0.1, 0.2),
    (0.7, 0.1, 0.2),
    (0.7, 0.1, 0.2),
    (0.7, 0.1, 0.2),
    (0.8, 0.1, 0.1),
    (0.7, 0.1, 0.2),
];

/// By [`crate::Origin`] in its order, in hundredths (PACK-13).
pub const PRIORITIES: [u32; 6] = [100, 80, 60, 40, 60, 40];

/// Days after which recency has fallen to 1/e (PACK-12).
pub const RECENCY_DAYS: f64 = 10.0;

/// Share of the budget for naming what is relevant, before anything is shown.
pub const NAMES_SHARE: f64 = 0.06;
/// Share of the budget that the very best may take if it is larger than the room for it.
pub const FULL_SHARE: f64 = 0.75;
/// At least this many of the best are tried, though little room is left.
pub const FULL_FIRST: usize = 3;
/// A part of a piece is shown only if it costs less than this share of the whole: else the whole, or its name.
pub const PART_SHARE: f64 = 0.6;
/// Share of the budget kept for hints, and the most tokens that this may be.
pub const HINTS_SHARE: f64 = 0.02;
pub const HINTS_TOKENS: usize = 90;

/// A pack that fills this share of its budget is full (PACK-33).
pub const FULL: f64 = 0.95;
/// Below this share of the budget a pack is tried again with more room (PACK-33).
pub const FULL_ENOUGH: f64 = 0.98;
/// Names that are tried one by one on the finished text: each is another rendering.
pub const TOP_UP_NAMES: usize = 8;
/// Below this share the finished text gets more lines of its best items, one search per item.
pub const TOPPED_UP: f64 = 0.97;
/// How often the text is made again to come near the budget.
pub const SETTLE_ROUNDS: usize = 12;

/// Largest share of a file, or of a kind of source, after the first [`BALANCE_AFTER`] items (PACK-43).
pub const BALANCE_SHARE: f64 = 0.7;
pub const BALANCE_AFTER: usize = 5;

/// Lines in common, as a share of the smaller piece, that make two pieces one (PACK-21).
pub const OVERLAP_SHARE: f64 = 0.3;
/// Lines in common, as a share of all lines of both, that make two pieces copies of each other (PACK-22).
pub const NEAR_SHARE: f64 = 0.8;
/// Pieces with fewer lines are not compared: they are alike by chance.
pub const NEAR_LINES: usize = 5;

/// Pieces of at most this many lines are short: a part of one may cost more tokens than the whole.
pub const SHORT_LINES: u32 = 12;

/// Gaps of fewer lines are shown: the mark would cost as much.
pub const SMALLEST_GAP: u32 = 3;
/// Matching lines that an outline keeps, as a share of the lines of its piece.
pub const FOCUS_SHARE: f64 = 0.25;
/// A pass ends after this many candidates in a row that do not fit: later ones are hardly relevant.
pub const MOST_MISSES: usize = 24;
/// Less room than this is not worth another line.
pub const SMALLEST_GROWTH: usize = 12;
/// Lines around a matching line that are shown with it.
pub const FOCUS_CONTEXT: u32 = 1;

/// The largest share of each [`crate::Section`], in its order, while others need room.
pub const SHARES: [f64; 7] = [0.5, 1.0, 0.5, 0.1, 0.15, 0.1, 0.15];
/// For tests and docs, when they are asked for.
pub const WANTED_SHARE: f64 = 0.6;

/// The intent is inferred from this many first words of the task.
pub const INTENT_WORDS: usize = 30;
pub const SECURITY_WORDS: &[&str] = &[
    "security",
    "vulnerability",
    "vulnerabilities",
    "cve",
    "audit",
    "exploit",
    "injection",
];
pub const TEST_WORDS: &[&str] = &["test", "tests", "coverage", "spec", "specs"];
pub const ADD_WORDS: &[&str] = &[
    "add",
    "implement",
    "support",
    "introduce",
    "create",
    "allow",
    "write",
    "extend",
    "feature",
    "build",
    "enable",
];
pub const BUG_WORDS: &[&str] = &[
    "fix",
    "bug",
    "bugs",
    "error",
    "errors",
    "fails",
    "fail",
    "failing",
    "failed",
    "crash",
    "crashes",
    "broken",
    "wrong",
    "incorrect",
    "incorrectly",
    "exception",
    "traceback",
    "panic",
    "panics",
    "regression",
    "unexpected",
    "raises",
    "hang",
    "hangs",
    "issue",
];
pub const REFACTOR_WORDS: &[&str] = &[
    "refactor",
    "rename",
    "extract",
    "simplify",
    "clean",
    "cleanup",
    "restructure",
    "deduplicate",
    "split",
    "move",
    "rewrite",
];

/// What a category of insights counts, by [`crate::Intent`] in its order (understand, add_feature, fix_bug, refactor,
/// security_review, add_test); a category that is not here counts 1 (ENG-3).
pub const CATEGORY_WEIGHTS: &[(&str, [f64; 6])] = &[
    ("architectural", [1.0, 1.5, 0.6, 1.5, 0.5, 0.6]),
    ("entry_points", [1.0, 1.3, 0.9, 0.8, 1.0, 1.3]),
    ("conventions", [1.0, 1.2, 0.7, 1.3, 0.5, 1.0]),
    ("constraints", [1.0, 1.0, 1.2, 1.0, 1.5, 0.8]),
    ("security", [1.0, 0.8, 0.8, 1.0, 2.0, 1.0]),
    ("data_accessors", [1.0, 0.7, 1.1, 0.5, 1.8, 0.7]),
    ("error_handling", [1.0, 0.6, 1.5, 0.7, 1.0, 1.2]),
    ("test_topology", [1.0, 0.5, 1.0, 1.0, 1.0, 1.8]),
    ("recent_changes", [1.0, 1.0, 1.3, 1.0, 1.0, 1.0]),
    ("coupling", [1.0, 1.0, 1.0, 1.3, 1.0, 1.0]),
    ("memories", [1.0, 1.0, 1.2, 1.1, 1.3, 0.8]),
];

/// Shares of a brief's tokens, by [`crate::Depth`], then by [`crate::BriefSection`] in its order: header, constraints, patterns, entry
/// points, guidance, key files, data accessors, examples, memories (ENG-11).
pub const BRIEF_SHARES: [[f64; 9]; 3] = [
    [0.20, 0.20, 0.35, 0.00, 0.25, 0.00, 0.00, 0.00, 0.00],
    [0.10, 0.15, 0.35, 0.10, 0.08, 0.08, 0.02, 0.05, 0.07],
    [0.06, 0.12, 0.28, 0.10, 0.06, 0.08, 0.08, 0.12, 0.10],
];

/// Items of a section at most, by [`crate::BriefSection`], then by [`crate::Depth`] (ENG-10, INS-4 to INS-6). Where nothing is said, as many as
/// anybody reads.
pub const BRIEF_MOST: [[usize; 3]; 9] = [
    [12, 16, 20],
    [12, 60, 100],
    [5, 20, 60],
    [0, 10, 50],
    [3, 8, 12],
    [0, 5, 10],
    [0, 5, 30],
    [0, 4, 20],
    [0, 5, 15],
];

/// Of a task's pack, what the brief may take while there is code for the rest (ENG-12).
pub const BRIEF_SHARE: f64 = 0.25;
