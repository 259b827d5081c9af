//! Which files a tool can say something about: a linter of Python has no opinion on TypeScript, wherever its settings stand.

const PYTHON: &[&str] = &["py", "pyi", "ipynb"];
const RUST: &[&str] = &["rs"];
const SCRIPTS: &[&str] = &[
    "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte",
];
const TYPED_SCRIPTS: &[&str] = &["ts", "tsx", "mts", "cts", "vue", "svelte"];
const PHP: &[&str] = &["php"];
const JVM: &[&str] = &["java", "kt", "kts", "scala", "groovy"];
const STYLES: &[&str] = &["css", "scss", "less", "sass", "vue", "svelte"];
const C_FAMILY: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm", "proto"];

/// Tools by the extensions of what they read.
const TOOLS: &[(&[&str], &[&str])] = &[
    (
        &[
            "Python",
            "bandit",
            "black",
            "coverage",
            "flake8",
            "import-linter",
            "isort",
            "mypy",
            "pycodestyle",
            "pydocstyle",
            "pylint",
            "pyrefly",
            "pyright",
            "pytest",
            "ruff",
            "ty",
            "uv",
        ],
        PYTHON,
    ),
    (
        &["Rust", "Rust lints", "cargo-deny", "clippy", "rustc", "rustfmt"],
        RUST,
    ),
    (
        &[
            "Node", "biome", "eslint", "jest", "oxlint", "prettier", "vitest", "xo",
        ],
        SCRIPTS,
    ),
    (&["TypeScript"], TYPED_SCRIPTS),
    (
        &[
            "Go",
            "go-arch-lint",
            "gofmt",
            "golangci-lint",
            "revive",
            "staticcheck",
        ],
        &["go"],
    ),
    (
        &[
            "PHP",
            "php-cs-fixer",
            "phpcs",
            "phpstan",
            "phpunit",
            "pint",
            "psalm",
            "rector",
        ],
        PHP,
    ),
    (&["Ruby", "rubocop"], &["rb", "rake", "erb"]),
    (
        &[
            "Java",
            "checkstyle",
            "detekt",
            "ktlint",
            "maven",
            "pmd",
            "scalafmt",
            "spotbugs",
        ],
        JVM,
    ),
    (&[".NET", "C#"], &["cs", "fs", "vb"]),
    (&["dart analyze"], &["dart"]),
    (&["swift-format", "swiftlint"], &["swift"]),
    (&["stylelint"], STYLES),
    (&["clang-format", "clang-tidy"], C_FAMILY),
    (&["credo", "mix format"], &["ex", "exs"]),
    (&["markdownlint"], &["md", "mdx"]),
    (&["yamllint"], &["yml", "yaml"]),
    (&["sqlfluff"], &["sql"]),
    (&["stylua", "luacheck"], &["lua"]),
    (&["buf"], &["proto"]),
];

/// The extensions of the files that a tool reads; empty: any, or nobody knows.
pub fn tool_extensions(tool: &str) -> &'static [&'static str] {
    let row = TOOLS.iter().find(|(tools, _)| tools.contains(&tool));
    row.map_or(&[], |(_, extensions)| extensions)
}
