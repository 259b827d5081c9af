//! The languages, one row each, sorted by name. To add one: a grammar in `Cargo.toml`, a row here,
//! `queries/<name>/tags.scm`, and `fixtures/<name>.<its first extension>`; the tests loop over this table.

use kitbag_types::ChunkKind;

use super::{ChunkKinds, Comments, Language, VisibilityRule};

/// `//` and `/* */`, with the doc forms of their family.
const SLASHES: Comments = Comments {
    line: &["///", "//!", "//"],
    block: &[("/**", "*/"), ("/*!", "*/"), ("/*", "*/")],
};
const NO_COMMENTS: Comments = Comments {
    line: &[],
    block: &[("<!--", "-->")],
};

const CODE_MAX: u32 = 600;
const CODE_MIN: u32 = 100;

/// What TypeScript and its relatives call test files.
const SCRIPT_TESTS: &[&str] = &[
    "test/",
    "tests/",
    "__tests__/",
    "e2e/",
    "*.test.ts",
    "*.spec.ts",
    "*.test.tsx",
    "*.spec.tsx",
    "*.test.mts",
    "*.test.js",
    "*.spec.js",
    "*.test.jsx",
    "*.spec.jsx",
    "*.test.mjs",
];

pub static LANGUAGES: &[Language] = &[
    Language {
        name: "markdown",
        extensions: &["md", "markdown", "mdx", "mkd"],
        filenames: &["README", "CHANGELOG", "CONTRIBUTING"],
        shebangs: &[],
        grammar: || tree_sitter_md::LANGUAGE.into(),
        tags: include_str!("../../queries/markdown/tags.scm"),
        test_paths: &[],
        comments: NO_COMMENTS,
        visibility: VisibilityRule::Always,
        member_visibility: VisibilityRule::Always,
        kinds: ChunkKinds::all(ChunkKind::MarkdownSection),
        joiner: " > ",
        clauses: false,
        joins_large: false,
        max_chunk_tokens: 400,
        min_chunk_tokens: 100,
    },
    Language {
        name: "python",
        extensions: &["py", "pyi", "pyw"],
        filenames: &["SConstruct", "SConscript", "wscript"],
        shebangs: &["python", "pypy"],
        grammar: || tree_sitter_python::LANGUAGE.into(),
        tags: include_str!("../../queries/python/tags.scm"),
        test_paths: &["test/", "tests/", "test_*", "*_test.py", "conftest.py"],
        comments: Comments {
            line: &["#:", "#"],
            block: &[
                ("r\"\"\"", "\"\"\""),
                ("\"\"\"", "\"\"\""),
                ("'''", "'''"),
                ("\"", "\""),
                ("'", "'"),
            ],
        },
        visibility: VisibilityRule::NotUnderscore,
        member_visibility: VisibilityRule::NotUnderscore,
        kinds: ChunkKinds::CODE,
        joiner: "::",
        clauses: false,
        joins_large: true,
        max_chunk_tokens: CODE_MAX,
        min_chunk_tokens: CODE_MIN,
    },
    Language {
        name: "rust",
        extensions: &["rs"],
        filenames: &[],
        shebangs: &["rust-script"],
        grammar: || tree_sitter_rust::LANGUAGE.into(),
        tags: include_str!("../../queries/rust/tags.scm"),
        test_paths: &[
            "tests/",
            "benches/",
            "tests.rs",
            "test_*.rs",
            "*_test.rs",
            "*_tests.rs",
        ],
        comments: SLASHES,
        visibility: VisibilityRule::Keyword(&["pub"]),
        member_visibility: VisibilityRule::Keyword(&["pub"]),
        kinds: ChunkKinds::CODE,
        joiner: "::",
        clauses: false,
        joins_large: true,
        max_chunk_tokens: CODE_MAX,
        min_chunk_tokens: CODE_MIN,
    },
    Language {
        name: "tsx",
        extensions: &["tsx"],
        filenames: &[],
        shebangs: &[],
        grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        tags: concat!(
            include_str!("../../queries/typescript/tags.scm"),
            include_str!("../../queries/tsx/tags.scm")
        ),
        test_paths: SCRIPT_TESTS,
        comments: SLASHES,
        visibility: VisibilityRule::Keyword(&["export", "declare"]),
        member_visibility: VisibilityRule::Unless(&["private", "protected"]),
        kinds: ChunkKinds::CODE,
        joiner: "::",
        clauses: false,
        joins_large: true,
        max_chunk_tokens: CODE_MAX,
        min_chunk_tokens: CODE_MIN,
    },
    Language {
        name: "typescript",
        extensions: &["ts", "mts", "cts"],
        filenames: &[],
        shebangs: &["deno", "ts-node", "tsx", "bun"],
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        tags: include_str!("../../queries/typescript/tags.scm"),
        test_paths: SCRIPT_TESTS,
        comments: SLASHES,
        visibility: VisibilityRule::Keyword(&["export", "declare"]),
        member_visibility: VisibilityRule::Unless(&["private", "protected"]),
        kinds: ChunkKinds::CODE,
        joiner: "::",
        clauses: false,
        joins_large: true,
        max_chunk_tokens: CODE_MAX,
        min_chunk_tokens: CODE_MIN,
    },
];
