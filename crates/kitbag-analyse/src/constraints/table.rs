//! Which configuration files state constraints, and where in them: a row per file, a line per place.
//!
//! To add a tool, add a row. What is no demand on code (paths, caches, reports, plug-ins) is left out by name, so that a new
//! setting of a known tool is told without a change here.

use kitbag_types::{Note, RepoPath};

use super::settings::{Shape, take};
use super::{Constraint, Enforcement, Found, Kind, gates, ini, lists, scripts};
use crate::formats::{tree, xml};
use crate::packages::Place;
use Enforcement::{Error, Info, Warning};
use Shape::{Banned, Items, Levels, Only, Settings, Value};

pub(super) struct ConfigFile {
    /// File names, endings as `*.csproj`, or ends of paths with a slash.
    names: &'static [&'static str],
    format: Format,
    rules: &'static [Rule],
}

#[derive(Clone, Copy)]
enum Format {
    Json,
    Toml,
    Yaml,
    Ini,
    Neon,
    Xml,
    /// Sections are patterns of files.
    EditorConfig,
    /// A program of which only rules with a level are read.
    Script,
    /// Lines of their own kind.
    Lines(fn(&str) -> Vec<Found>),
    /// Commands that run before a change is taken.
    Gate(fn(&str) -> Result<Vec<Found>, Note>),
}

struct Rule {
    at: &'static str,
    shape: Shape,
    tool: &'static str,
    category: &'static str,
    enforcement: Enforcement,
}

const fn rule(
    at: &'static str,
    shape: Shape,
    tool: &'static str,
    category: &'static str,
    enforcement: Enforcement,
) -> Rule {
    Rule {
        at,
        shape,
        tool,
        category,
        enforcement,
    }
}

/// The words for a rule that ruff checks.
pub(super) const RUFF_RULES: &str = "lint rules:";
pub(super) const RUFF_PREFIXES: &[(&str, &str)] = &[
    ("A", "flake8-builtins"),
    ("ANN", "flake8-annotations"),
    ("ARG", "flake8-unused-arguments"),
    ("ASYNC", "flake8-async"),
    ("B", "flake8-bugbear"),
    ("BLE", "flake8-blind-except"),
    ("C4", "flake8-comprehensions"),
    ("C90", "mccabe"),
    ("D", "pydocstyle"),
    ("DTZ", "flake8-datetimez"),
    ("E", "pycodestyle errors"),
    ("EM", "flake8-errmsg"),
    ("ERA", "eradicate"),
    ("F", "Pyflakes"),
    ("FA", "flake8-future-annotations"),
    ("FBT", "flake8-boolean-trap"),
    ("FURB", "refurb"),
    ("G", "flake8-logging-format"),
    ("I", "isort"),
    ("ISC", "flake8-implicit-str-concat"),
    ("LOG", "flake8-logging"),
    ("N", "pep8-naming"),
    ("NPY", "NumPy"),
    ("PERF", "Perflint"),
    ("PGH", "pygrep-hooks"),
    ("PIE", "flake8-pie"),
    ("PL", "Pylint"),
    ("PT", "flake8-pytest-style"),
    ("PTH", "flake8-use-pathlib"),
    ("PYI", "flake8-pyi"),
    ("RET", "flake8-return"),
    ("RUF", "Ruff's own"),
    ("S", "flake8-bandit"),
    ("SIM", "flake8-simplify"),
    ("SLF", "flake8-self"),
    ("T20", "flake8-print"),
    ("TC", "flake8-type-checking"),
    ("TCH", "flake8-type-checking"),
    ("TID", "flake8-tidy-imports"),
    ("TRY", "tryceratops"),
    ("UP", "pyupgrade"),
    ("W", "pycodestyle warnings"),
    ("YTT", "flake8-2020"),
];

/// What settings of Python tools say about where to look, not about code.
const PATHS: &[&str] = &[
    "include",
    "exclude",
    "extend-exclude",
    "extend_exclude",
    "files",
    "src",
    "cache-dir",
    "cache_dir",
    "plugins",
    "mypy_path",
    "venv",
    "venvPath",
    "output-format",
    "show-fixes",
    "fix",
    "extend-include",
    "per-file-ignores",
    "testpaths",
    "norecursedirs",
    "pythonpath",
    "python_files",
    "skip",
    "skip_glob",
    "extend_skip",
    "known_first_party",
    "known-first-party",
    "src_paths",
    "pretty",
    "show_error_codes",
    "incremental",
    "show_error_context",
    "stubPath",
    "executionEnvironments",
    "namespace_packages",
    "explicit_package_bases",
    "builtins",
    "namespace-packages",
    "force-exclude",
    "respect-gitignore",
    "preview",
    "unsafe-fixes",
    "ignore",
    "extend-ignore",
    "unfixable",
    "fixable",
    "extend",
    "per_file_ignores",
    "banned-api",
    "select",
    "extend-select",
    "overrides",
    "ignorePaths",
    "defineConstant",
    "reportDir",
    "load-plugins",
    "jobs",
    "persistent",
    "suggestion-mode",
    "extension-pkg-whitelist",
    "extension-pkg-allow-list",
    "unsafe-load-any-extension",
    "task-tags",
];

macro_rules! ruff {
    ($at:literal, $lint:literal) => {
        [
            rule(
                $at,
                Only(&[
                    "line-length",
                    "target-version",
                    "required-version",
                    "indent-width",
                ]),
                "ruff",
                "linter",
                Error,
            ),
            rule(
                concat!($lint, "select"),
                Items(RUFF_RULES),
                "ruff",
                "linter",
                Error,
            ),
            rule(
                concat!($lint, "extend-select"),
                Items(RUFF_RULES),
                "ruff",
                "linter",
                Error,
            ),
            rule(concat!($at, "select"), Items(RUFF_RULES), "ruff", "linter", Error),
            rule(
                concat!($at, "extend-select"),
                Items(RUFF_RULES),
                "ruff",
                "linter",
                Error,
            ),
            rule(
                concat!($lint, "flake8-tidy-imports.banned-api"),
                Banned,
                "ruff",
                "imports",
                Error,
            ),
            rule(
                concat!($lint, "flake8-tidy-imports.banned-module-level-imports"),
                Banned,
                "ruff",
                "imports",
                Error,
            ),
            rule(concat!($lint), Settings(PATHS), "ruff", "linter", Error),
            rule(
                concat!($at, "format"),
                Settings(PATHS),
                "ruff",
                "formatter",
                Error,
            ),
        ]
    };
}

const PYPROJECT_RUFF: &[Rule] = &ruff!("tool.ruff.", "tool.ruff.lint.");
const RUFF: &[Rule] = &ruff!("", "lint.");

const PYPROJECT: &[Rule] = &[
    rule("project.requires-python", Value, "Python", "versions", Error),
    rule(
        "tool.poetry.dependencies.python",
        Value,
        "Python",
        "versions",
        Error,
    ),
    rule("tool.uv.required-version", Value, "uv", "versions", Error),
    rule("tool.black", Settings(PATHS), "black", "formatter", Error),
    rule("tool.isort", Settings(PATHS), "isort", "formatter", Error),
    rule("tool.mypy", Settings(PATHS), "mypy", "types", Error),
    rule("tool.pyright", Settings(PATHS), "pyright", "types", Error),
    rule(
        "tool.basedpyright",
        Settings(PATHS),
        "basedpyright",
        "types",
        Error,
    ),
    rule("tool.ty.rules", Levels, "ty", "types", Error),
    rule("tool.pyrefly.errors", Levels, "pyrefly", "types", Error),
    rule("tool.pylint", Settings(PATHS), "pylint", "linter", Error),
    rule("tool.flake8", Settings(PATHS), "flake8", "linter", Error),
    rule("tool.bandit", Settings(PATHS), "bandit", "linter", Error),
    rule("tool.pytest.ini_options", Only(PYTEST), "pytest", "tests", Error),
    rule(
        "tool.pytest.ini_options.filterwarnings",
        Items("warnings:"),
        "pytest",
        "tests",
        Error,
    ),
    rule(
        "tool.pytest.filterwarnings",
        Items("warnings:"),
        "pytest",
        "tests",
        Error,
    ),
    rule(
        "tool.coverage.report.fail_under",
        Value,
        "coverage",
        "tests",
        Error,
    ),
    rule("tool.coverage.run.branch", Value, "coverage", "tests", Info),
    rule(
        "tool.interrogate.fail-under",
        Value,
        "interrogate",
        "linter",
        Error,
    ),
    rule(
        "tool.importlinter.contracts.*",
        Only(&["name", "type", "layers", "forbidden_modules"]),
        "import-linter",
        "imports",
        Error,
    ),
    rule(
        "tool.tach.modules.*",
        Only(&["path", "depends_on"]),
        "tach",
        "imports",
        Error,
    ),
    rule("tool.commitizen.name", Value, "commitizen", "ci", Error),
    rule(
        "tool.codespell.ignore-words-list",
        Value,
        "codespell",
        "linter",
        Info,
    ),
];
const PYTEST: &[&str] = &[
    "addopts",
    "xfail_strict",
    "minversion",
    "asyncio_mode",
    "strict_markers",
    "strict_config",
    "strict",
    "anyio_mode",
    "timeout",
];

const ESLINT: &[Rule] = &[
    rule("extends", Items("rules of"), "eslint", "linter", Error),
    rule("rules", Levels, "eslint", "linter", Error),
    rule("overrides.*.rules", Levels, "eslint", "linter", Error),
];
const PRETTIER: &[Rule] = &[rule(
    "",
    Settings(&["plugins", "$schema", "overrides"]),
    "prettier",
    "formatter",
    Error,
)];
const TYPESCRIPT: &[Rule] = &[
    rule("extends", Value, "TypeScript", "compiler", Info),
    rule(
        "compilerOptions",
        Settings(&[
            "outDir",
            "rootDir",
            "rootDirs",
            "baseUrl",
            "paths",
            "types",
            "typeRoots",
            "plugins",
            "tsBuildInfoFile",
            "declarationDir",
            "outFile",
            "lib",
            "sourceRoot",
            "mapRoot",
            "sourceMap",
            "incremental",
            "composite",
            "declaration",
            "declarationMap",
            "emitDeclarationOnly",
            "noEmit",
            "jsx",
            "jsxImportSource",
            "preserveSymlinks",
            "removeComments",
            "importHelpers",
            "downlevelIteration",
            "inlineSourceMap",
            "inlineSources",
            "diagnostics",
            "customConditions",
            "skipLibCheck",
            "skipDefaultLibCheck",
            "pretty",
            "useDefineForClassFields",
            "stripInternal",
            "noErrorTruncation",
            "jsxFactory",
            "jsxFragmentFactory",
            "allowImportingTsExtensions",
        ]),
        "TypeScript",
        "compiler",
        Error,
    ),
];
const GOLANGCI: &[Rule] = &[
    rule("linters.default", Value, "golangci-lint", "linter", Error),
    rule(
        "linters.enable",
        Items("linter"),
        "golangci-lint",
        "linter",
        Error,
    ),
    rule("linters.enable-all", Value, "golangci-lint", "linter", Error),
    rule(
        "formatters.enable",
        Items("formatter"),
        "golangci-lint",
        "formatter",
        Error,
    ),
    rule(
        "linters.settings.depguard.rules.*.deny",
        Banned,
        "depguard",
        "imports",
        Error,
    ),
    rule(
        "linters-settings.depguard.rules.*.deny",
        Banned,
        "depguard",
        "imports",
        Error,
    ),
    rule(
        "linters-settings.depguard.packages",
        Banned,
        "depguard",
        "imports",
        Error,
    ),
    rule(
        "linters.settings.forbidigo.forbid",
        Banned,
        "forbidigo",
        "linter",
        Error,
    ),
    rule(
        "linters-settings.forbidigo.forbid",
        Banned,
        "forbidigo",
        "linter",
        Error,
    ),
    rule(
        "linters.settings.gomodguard.blocked.modules.*",
        Banned,
        "gomodguard",
        "imports",
        Error,
    ),
    rule(
        "linters-settings.gomodguard.blocked.modules.*",
        Banned,
        "gomodguard",
        "imports",
        Error,
    ),
    rule(
        "linters.settings.revive.rules",
        Items("revive rule"),
        "golangci-lint",
        "linter",
        Error,
    ),
    rule(
        "linters-settings.revive.rules",
        Items("revive rule"),
        "golangci-lint",
        "linter",
        Error,
    ),
    rule(
        "formatters.settings.gofmt.rewrite-rules",
        Items("gofmt rewrites"),
        "golangci-lint",
        "formatter",
        Error,
    ),
    rule(
        "linters-settings.gofmt.rewrite-rules",
        Items("gofmt rewrites"),
        "golangci-lint",
        "formatter",
        Error,
    ),
    rule(
        "linters.settings",
        Settings(&[
            "depguard",
            "forbidigo",
            "gomodguard",
            "revive",
            "excludes",
            "exclude",
            "ignore",
            "rules",
        ]),
        "golangci-lint",
        "linter",
        Error,
    ),
    rule(
        "linters-settings",
        Settings(&[
            "depguard",
            "forbidigo",
            "gomodguard",
            "revive",
            "excludes",
            "exclude",
            "ignore",
            "rules",
            "gofmt",
        ]),
        "golangci-lint",
        "linter",
        Error,
    ),
    rule(
        "formatters.settings",
        Settings(&["gofmt"]),
        "golangci-lint",
        "formatter",
        Error,
    ),
];
const CARGO: &[Rule] = &[
    rule("package.rust-version", Value, "Rust", "versions", Error),
    rule("package.edition", Value, "Rust", "versions", Info),
    rule("workspace.package.rust-version", Value, "Rust", "versions", Error),
    rule("workspace.package.edition", Value, "Rust", "versions", Info),
    rule("lints.*", Levels, "Rust lints", "linter", Error),
    rule("workspace.lints.*", Levels, "Rust lints", "linter", Error),
];
const CLIPPY: &[Rule] = &[
    rule("disallowed-methods", Banned, "clippy", "linter", Error),
    rule("disallowed-types", Banned, "clippy", "linter", Error),
    rule("disallowed-macros", Banned, "clippy", "linter", Error),
    rule("disallowed-names", Banned, "clippy", "linter", Warning),
    rule(
        "",
        Settings(&[
            "disallowed-methods",
            "disallowed-types",
            "disallowed-macros",
            "disallowed-names",
            "doc-valid-idents",
        ]),
        "clippy",
        "linter",
        Error,
    ),
];
const DENY: &[Rule] = &[
    rule("bans.deny", Banned, "cargo-deny", "imports", Error),
    rule("bans.features", Banned, "cargo-deny", "imports", Error),
    rule(
        "bans",
        Only(&["multiple-versions", "wildcards"]),
        "cargo-deny",
        "imports",
        Error,
    ),
    rule(
        "licenses.allow",
        Items("licence allowed:"),
        "cargo-deny",
        "imports",
        Error,
    ),
    rule(
        "licenses.deny",
        Items("licence denied:"),
        "cargo-deny",
        "imports",
        Error,
    ),
    rule(
        "sources",
        Only(&["unknown-registry", "unknown-git", "allow-registry", "allow-git"]),
        "cargo-deny",
        "imports",
        Error,
    ),
    rule(
        "advisories",
        Only(&["yanked", "unmaintained", "unsound", "vulnerability", "version"]),
        "cargo-deny",
        "imports",
        Error,
    ),
];
const PACKAGE_JSON: &[Rule] = &[
    rule("engines", Settings(&[]), "engines", "versions", Error),
    rule("packageManager", Value, "package manager", "versions", Error),
    rule("eslintConfig.rules", Levels, "eslint", "linter", Error),
    rule(
        "prettier",
        Settings(&["plugins", "overrides"]),
        "prettier",
        "formatter",
        Error,
    ),
    rule("lint-staged", Settings(&[]), "lint-staged", "ci", Error),
    rule("jest.coverageThreshold", Settings(&[]), "jest", "tests", Error),
    rule(
        "browserslist",
        Items("browsers:"),
        "browserslist",
        "versions",
        Info,
    ),
    rule(
        "commitlint.extends",
        Items("commit messages follow"),
        "commitlint",
        "ci",
        Error,
    ),
    rule("volta", Settings(&["extends"]), "volta", "versions", Error),
];
const DOTNET: &[Rule] = &[rule(
    "PropertyGroup",
    Only(&[
        "Nullable",
        "TreatWarningsAsErrors",
        "WarningsAsErrors",
        "LangVersion",
        "AnalysisLevel",
        "AnalysisMode",
        "EnforceCodeStyleInBuild",
        "TargetFramework",
        "TargetFrameworks",
        "WarningLevel",
        "CodeAnalysisTreatWarningsAsErrors",
        "MSBuildTreatWarningsAsErrors",
        "EnableNETAnalyzers",
        "ManagePackageVersionsCentrally",
        "CentralPackageTransitivePinningEnabled",
    ]),
    ".NET",
    "compiler",
    Error,
)];

pub(super) const CONFIG_FILES: &[ConfigFile] = &[
    ConfigFile {
        names: &["pyproject.toml"],
        format: Format::Toml,
        rules: PYPROJECT,
    },
    ConfigFile {
        names: &["pyproject.toml"],
        format: Format::Toml,
        rules: PYPROJECT_RUFF,
    },
    ConfigFile {
        names: &["ruff.toml", ".ruff.toml"],
        format: Format::Toml,
        rules: RUFF,
    },
    ConfigFile {
        names: &[
            "setup.cfg",
            "tox.ini",
            ".flake8",
            "mypy.ini",
            ".mypy.ini",
            "pytest.ini",
            ".coveragerc",
            ".pylintrc",
            "pylintrc",
            ".isort.cfg",
            ".pycodestyle",
        ],
        format: Format::Ini,
        rules: &[
            rule("options.python_requires", Value, "Python", "versions", Error),
            rule("flake8", Settings(PATHS), "flake8", "linter", Error),
            rule("flake8.select", Items("lint rules:"), "flake8", "linter", Error),
            rule("mypy", Settings(PATHS), "mypy", "types", Error),
            rule("isort", Settings(PATHS), "isort", "formatter", Error),
            rule("settings", Settings(PATHS), "isort", "formatter", Error),
            rule("pycodestyle", Settings(PATHS), "pycodestyle", "linter", Error),
            rule("pydocstyle", Settings(PATHS), "pydocstyle", "linter", Error),
            rule("tool:pytest", Only(PYTEST), "pytest", "tests", Error),
            rule("pytest", Only(PYTEST), "pytest", "tests", Error),
            rule(
                "tool:pytest.filterwarnings",
                Items("warnings:"),
                "pytest",
                "tests",
                Error,
            ),
            rule(
                "pytest.filterwarnings",
                Items("warnings:"),
                "pytest",
                "tests",
                Error,
            ),
            rule("coverage:report.fail_under", Value, "coverage", "tests", Error),
            rule("report.fail_under", Value, "coverage", "tests", Error),
            rule(
                "FORMAT",
                Only(&["max-line-length", "max-module-lines", "indent-string"]),
                "pylint",
                "linter",
                Error,
            ),
            rule("DESIGN", Settings(PATHS), "pylint", "linter", Error),
            rule(
                "MESSAGES CONTROL.enable",
                Items("checks"),
                "pylint",
                "linter",
                Error,
            ),
            rule(
                "MAIN",
                Only(&["fail-under", "fail-on", "py-version"]),
                "pylint",
                "linter",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &["pyrightconfig.json"],
        format: Format::Json,
        rules: &[rule("", Settings(PATHS), "pyright", "types", Error)],
    },
    ConfigFile {
        names: &[".importlinter"],
        format: Format::Ini,
        rules: &[rule(
            "*",
            Only(&["name", "type", "layers", "forbidden_modules"]),
            "import-linter",
            "imports",
            Error,
        )],
    },
    ConfigFile {
        names: &["Cargo.toml"],
        format: Format::Toml,
        rules: CARGO,
    },
    ConfigFile {
        names: &["clippy.toml", ".clippy.toml"],
        format: Format::Toml,
        rules: CLIPPY,
    },
    ConfigFile {
        names: &["rustfmt.toml", ".rustfmt.toml"],
        format: Format::Toml,
        rules: &[rule("", Settings(&["ignore"]), "rustfmt", "formatter", Error)],
    },
    ConfigFile {
        names: &["rust-toolchain.toml"],
        format: Format::Toml,
        rules: &[rule("toolchain.channel", Value, "Rust", "versions", Error)],
    },
    ConfigFile {
        names: &["rust-toolchain"],
        format: Format::Toml,
        rules: &[rule("toolchain.channel", Value, "Rust", "versions", Error)],
    },
    ConfigFile {
        names: &["deny.toml", ".deny.toml"],
        format: Format::Toml,
        rules: DENY,
    },
    ConfigFile {
        names: &[
            "tsconfig.json",
            "tsconfig.base.json",
            "jsconfig.json",
            "tsconfig.*.json",
        ],
        format: Format::Json,
        rules: TYPESCRIPT,
    },
    ConfigFile {
        names: &[".eslintrc", ".eslintrc.json"],
        format: Format::Json,
        rules: ESLINT,
    },
    ConfigFile {
        names: &[".eslintrc.yml", ".eslintrc.yaml"],
        format: Format::Yaml,
        rules: ESLINT,
    },
    ConfigFile {
        names: &[".oxlintrc.json"],
        format: Format::Json,
        rules: &[
            rule("rules", Levels, "oxlint", "linter", Error),
            rule("categories", Levels, "oxlint", "linter", Error),
        ],
    },
    ConfigFile {
        names: &[
            "eslint.config.js",
            "eslint.config.mjs",
            "eslint.config.cjs",
            "eslint.config.ts",
            "eslint.config.mts",
            ".eslintrc.js",
            ".eslintrc.cjs",
            ".eslintrc.mjs",
        ],
        format: Format::Script,
        rules: &[],
    },
    ConfigFile {
        names: &[".prettierrc", ".prettierrc.yml", ".prettierrc.yaml"],
        format: Format::Yaml,
        rules: PRETTIER,
    },
    ConfigFile {
        names: &[".prettierrc.json", ".prettierrc.json5"],
        format: Format::Json,
        rules: PRETTIER,
    },
    ConfigFile {
        names: &["biome.json", "biome.jsonc"],
        format: Format::Json,
        rules: &[
            rule("linter.rules", Levels, "biome", "linter", Error),
            rule(
                "formatter",
                Settings(&["includes", "ignore", "include"]),
                "biome",
                "formatter",
                Error,
            ),
            rule("javascript.formatter", Settings(&[]), "biome", "formatter", Error),
        ],
    },
    ConfigFile {
        names: &[".stylelintrc", ".stylelintrc.json"],
        format: Format::Json,
        rules: &[
            rule("extends", Items("rules of"), "stylelint", "linter", Error),
            rule("rules", Levels, "stylelint", "linter", Error),
        ],
    },
    ConfigFile {
        names: &["deno.json", "deno.jsonc"],
        format: Format::Json,
        rules: &[
            rule(
                "compilerOptions",
                Settings(&["lib", "types", "jsxImportSource", "jsx"]),
                "deno",
                "compiler",
                Error,
            ),
            rule(
                "fmt",
                Settings(&["include", "exclude", "files"]),
                "deno fmt",
                "formatter",
                Error,
            ),
            rule(
                "lint.rules.tags",
                Items("lint rules:"),
                "deno lint",
                "linter",
                Error,
            ),
            rule(
                "lint.rules.include",
                Items("lint rule"),
                "deno lint",
                "linter",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &["package.json"],
        format: Format::Json,
        rules: PACKAGE_JSON,
    },
    ConfigFile {
        names: &[
            ".commitlintrc",
            ".commitlintrc.json",
            ".commitlintrc.yml",
            ".commitlintrc.yaml",
        ],
        format: Format::Yaml,
        rules: &[
            rule(
                "extends",
                Items("commit messages follow"),
                "commitlint",
                "ci",
                Error,
            ),
            rule("rules", Levels, "commitlint", "ci", Error),
        ],
    },
    ConfigFile {
        names: &[".golangci.yml", ".golangci.yaml"],
        format: Format::Yaml,
        rules: GOLANGCI,
    },
    ConfigFile {
        names: &[".golangci.toml"],
        format: Format::Toml,
        rules: GOLANGCI,
    },
    ConfigFile {
        names: &[".golangci.json"],
        format: Format::Json,
        rules: GOLANGCI,
    },
    ConfigFile {
        names: &["go.mod"],
        format: Format::Lines(lists::go_mod),
        rules: &[rule("", Value, "Go", "versions", Error)],
    },
    ConfigFile {
        names: &[".go-arch-lint.yml"],
        format: Format::Yaml,
        rules: &[rule("deps", Settings(&[]), "go-arch-lint", "imports", Error)],
    },
    ConfigFile {
        names: &["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"],
        format: Format::Neon,
        rules: &[
            rule("includes", Items("rules of"), "phpstan", "linter", Error),
            rule(
                "parameters",
                Settings(&[
                    "paths",
                    "excludePaths",
                    "tmpDir",
                    "scanFiles",
                    "scanDirectories",
                    "bootstrapFiles",
                    "ignoreErrors",
                    "stubFiles",
                    "editorUrl",
                    "parallel",
                ]),
                "phpstan",
                "types",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &["psalm.xml", "psalm.xml.dist"],
        format: Format::Xml,
        rules: &[rule(
            "",
            Only(&["@errorLevel", "@phpVersion", "@findUnusedCode", "@strictTypes"]),
            "psalm",
            "types",
            Error,
        )],
    },
    ConfigFile {
        names: &["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist"],
        format: Format::Xml,
        rules: &[rule("rule", Only(&["@ref"]), "phpcs", "linter", Error)],
    },
    ConfigFile {
        names: &["phpunit.xml", "phpunit.xml.dist"],
        format: Format::Xml,
        rules: &[rule(
            "",
            Only(&[
                "@failOnWarning",
                "@failOnRisky",
                "@failOnDeprecation",
                "@failOnNotice",
                "@beStrictAboutOutputDuringTests",
                "@beStrictAboutCoverageMetadata",
                "@requireCoverageMetadata",
            ]),
            "phpunit",
            "tests",
            Error,
        )],
    },
    ConfigFile {
        names: &["pint.json"],
        format: Format::Json,
        rules: &[
            rule("preset", Value, "pint", "formatter", Error),
            rule("rules", Settings(&[]), "pint", "formatter", Error),
        ],
    },
    ConfigFile {
        names: &["composer.json"],
        format: Format::Json,
        rules: &[
            rule("require.php", Value, "PHP", "versions", Error),
            rule("config.platform.php", Value, "PHP", "versions", Error),
        ],
    },
    ConfigFile {
        names: &[".rubocop.yml", ".rubocop.yaml"],
        format: Format::Yaml,
        rules: &[
            rule(
                "AllCops",
                Only(&[
                    "TargetRubyVersion",
                    "TargetRailsVersion",
                    "NewCops",
                    "DisabledByDefault",
                ]),
                "rubocop",
                "linter",
                Error,
            ),
            rule(
                "*",
                Only(&[
                    "Enabled",
                    "EnforcedStyle",
                    "Max",
                    "AllowedNames",
                    "EnforcedStyleForMultiline",
                ]),
                "rubocop",
                "linter",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &[".swiftlint.yml", ".swiftlint.yaml"],
        format: Format::Yaml,
        rules: &[
            rule("opt_in_rules", Items("rule"), "swiftlint", "linter", Warning),
            rule("only_rules", Items("rule"), "swiftlint", "linter", Warning),
            rule(
                "",
                Settings(&[
                    "opt_in_rules",
                    "only_rules",
                    "disabled_rules",
                    "included",
                    "excluded",
                    "reporter",
                    "analyzer_rules",
                ]),
                "swiftlint",
                "linter",
                Warning,
            ),
        ],
    },
    ConfigFile {
        names: &[".swift-format"],
        format: Format::Json,
        rules: &[rule(
            "",
            Settings(&["version"]),
            "swift-format",
            "formatter",
            Error,
        )],
    },
    ConfigFile {
        names: &["analysis_options.yaml"],
        format: Format::Yaml,
        rules: &[
            rule("include", Value, "dart analyze", "linter", Error),
            rule("analyzer.language", Settings(&[]), "dart analyze", "types", Error),
            rule("analyzer.errors", Levels, "dart analyze", "linter", Error),
            rule(
                "linter.rules",
                Items("lint rule"),
                "dart analyze",
                "linter",
                Warning,
            ),
        ],
    },
    ConfigFile {
        names: &["detekt.yml", "detekt.yaml", "detekt-config.yml"],
        format: Format::Yaml,
        rules: &[
            rule("build", Settings(&[]), "detekt", "linter", Error),
            rule(
                "*.*",
                Only(&["active", "threshold", "allowedLines", "maxLineLength"]),
                "detekt",
                "linter",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &["checkstyle.xml"],
        format: Format::Xml,
        rules: &[
            rule("module.module", Only(&["@name"]), "checkstyle", "linter", Error),
            rule("module", Only(&["@name"]), "checkstyle", "linter", Error),
        ],
    },
    ConfigFile {
        names: &["pom.xml"],
        format: Format::Xml,
        rules: &[rule(
            "properties",
            Only(&[
                "java.version",
                "maven.compiler.release",
                "maven.compiler.source",
                "maven.compiler.target",
            ]),
            "Java",
            "versions",
            Error,
        )],
    },
    ConfigFile {
        names: &["pom.xml"],
        format: Format::Gate(gates::maven),
        rules: &[rule("", Value, "maven", "ci", Error)],
    },
    ConfigFile {
        names: &[
            "Directory.Build.props",
            "*.csproj",
            "*.fsproj",
            "Directory.Packages.props",
        ],
        format: Format::Xml,
        rules: DOTNET,
    },
    ConfigFile {
        names: &["global.json"],
        format: Format::Json,
        rules: &[rule(
            "sdk",
            Only(&["version", "rollForward"]),
            ".NET",
            "versions",
            Error,
        )],
    },
    ConfigFile {
        names: &[".globalconfig"],
        format: Format::EditorConfig,
        rules: &[],
    },
    ConfigFile {
        names: &[".editorconfig"],
        format: Format::EditorConfig,
        rules: &[],
    },
    ConfigFile {
        names: &[".clang-format", "_clang-format"],
        format: Format::Yaml,
        rules: &[rule("", Settings(&[]), "clang-format", "formatter", Error)],
    },
    ConfigFile {
        names: &[".clang-tidy"],
        format: Format::Yaml,
        rules: &[
            rule("Checks", Items("checks"), "clang-tidy", "linter", Warning),
            rule(
                "WarningsAsErrors",
                Items("errors:"),
                "clang-tidy",
                "linter",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &[".scalafmt.conf"],
        format: Format::Ini,
        rules: &[rule("", Settings(&[]), "scalafmt", "formatter", Error)],
    },
    ConfigFile {
        names: &["stylua.toml", ".stylua.toml"],
        format: Format::Toml,
        rules: &[rule("", Settings(&[]), "stylua", "formatter", Error)],
    },
    ConfigFile {
        names: &[".markdownlint.json", ".markdownlint.jsonc"],
        format: Format::Json,
        rules: &[rule(
            "",
            Settings(&["$schema"]),
            "markdownlint",
            "linter",
            Warning,
        )],
    },
    ConfigFile {
        names: &[".markdownlint.yml", ".markdownlint.yaml"],
        format: Format::Yaml,
        rules: &[rule("", Settings(&[]), "markdownlint", "linter", Warning)],
    },
    ConfigFile {
        names: &[".yamllint", ".yamllint.yml", ".yamllint.yaml"],
        format: Format::Yaml,
        rules: &[rule(
            "rules",
            Settings(&["ignore"]),
            "yamllint",
            "linter",
            Warning,
        )],
    },
    ConfigFile {
        names: &["buf.yaml"],
        format: Format::Yaml,
        rules: &[
            rule("lint.use", Items("lint rules:"), "buf", "linter", Error),
            rule("breaking.use", Items("breaking changes:"), "buf", "linter", Error),
        ],
    },
    ConfigFile {
        names: &[".sqlfluff"],
        format: Format::Ini,
        rules: &[rule(
            "sqlfluff",
            Only(&["dialect", "max_line_length", "templater"]),
            "sqlfluff",
            "linter",
            Error,
        )],
    },
    ConfigFile {
        names: &["codecov.yml", ".codecov.yml", ".github/codecov.yml"],
        format: Format::Yaml,
        rules: &[rule(
            "coverage.status",
            Settings(&[
                "paths",
                "flags",
                "informational",
                "base",
                "if_ci_failed",
                "only_pulls",
            ]),
            "codecov",
            "tests",
            Error,
        )],
    },
    ConfigFile {
        names: &[".npmrc"],
        format: Format::Ini,
        rules: &[rule(
            "",
            Only(&[
                "engine-strict",
                "save-exact",
                "strict-peer-dependencies",
                "ignore-scripts",
                "package-lock",
                "minimum-release-age",
            ]),
            "npm",
            "versions",
            Error,
        )],
    },
    ConfigFile {
        names: &[".pre-commit-config.yaml", ".pre-commit-config.yml"],
        format: Format::Yaml,
        rules: &[rule("repos.*.hooks", Items("hook"), "pre-commit", "ci", Error)],
    },
    ConfigFile {
        names: &["lefthook.yml", "lefthook.yaml", ".lefthook.yml"],
        format: Format::Yaml,
        rules: &[
            rule(
                "pre-commit.commands.*",
                Only(&["run"]),
                "lefthook pre-commit",
                "ci",
                Error,
            ),
            rule(
                "pre-push.commands.*",
                Only(&["run"]),
                "lefthook pre-push",
                "ci",
                Error,
            ),
            rule(
                "commit-msg.commands.*",
                Only(&["run"]),
                "lefthook commit-msg",
                "ci",
                Error,
            ),
        ],
    },
    ConfigFile {
        names: &[".github/workflows/*.yml", ".github/workflows/*.yaml"],
        format: Format::Gate(gates::github),
        rules: &[rule("", Value, "CI", "ci", Error)],
    },
    ConfigFile {
        names: &[".gitlab-ci.yml"],
        format: Format::Gate(gates::gitlab),
        rules: &[rule("", Value, "CI", "ci", Error)],
    },
    ConfigFile {
        names: &[".husky/pre-commit", ".husky/pre-push", ".husky/commit-msg"],
        format: Format::Lines(gates::hook),
        rules: &[rule("", Value, "git hook", "ci", Error)],
    },
    ConfigFile {
        names: &["CODEOWNERS"],
        format: Format::Lines(lists::owners),
        rules: &[rule("", Value, "CODEOWNERS", "ownership", Info)],
    },
    ConfigFile {
        names: &[".gitattributes"],
        format: Format::Lines(lists::line_ends),
        rules: &[rule("", Value, "git", "editor", Info)],
    },
    ConfigFile {
        names: &[".tool-versions"],
        format: Format::Lines(lists::tool_versions),
        rules: &[rule("", Value, "asdf", "versions", Error)],
    },
    ConfigFile {
        names: &[
            ".nvmrc",
            ".node-version",
            ".python-version",
            ".ruby-version",
            ".java-version",
            ".go-version",
            ".bazelversion",
            ".swift-version",
            ".terraform-version",
            ".xcode-version",
            "rust-toolchain",
        ],
        format: Format::Lines(lists::version),
        rules: &[rule("", Value, "versions", "versions", Error)],
    },
];

pub(super) fn is_config(path: &RepoPath) -> bool {
    CONFIG_FILES.iter().any(|file| file.is_for(path))
}

pub(super) fn read(path: &RepoPath, text: &str) -> (Vec<Constraint>, Vec<Note>) {
    let mut found = Vec::new();
    let mut notes: Vec<Note> = Vec::new();
    for file in CONFIG_FILES.iter().filter(|file| file.is_for(path)) {
        if let Err(note) = file.read(path, text, &mut found) {
            notes.push(note);
        }
    }
    notes.dedup();
    (found, notes)
}

impl ConfigFile {
    fn is_for(&self, path: &RepoPath) -> bool {
        self.names.iter().any(|name| is_called(path, name))
    }

    fn read(&self, path: &RepoPath, text: &str, into: &mut Vec<Constraint>) -> Result<(), Note> {
        let root = match self.format {
            Format::Json => tree::json(text)?,
            Format::Toml => match tree::toml(text) {
                // An old `rust-toolchain` is one word, which another row reads.
                Err(_) if path.file_name() == "rust-toolchain" => return Ok(()),
                root => root?,
            },
            Format::Yaml => tree::yaml(text)?,
            Format::Ini => ini::ini(tree::checked(text)?),
            Format::Neon => ini::neon(tree::checked(text)?),
            Format::Xml => xml::as_tree(&xml::xml(text)?),
            Format::EditorConfig => {
                let root = ini::ini(tree::checked(text)?);
                let found = lists::editor_config(&root);
                into.extend(
                    found
                        .into_iter()
                        .map(|one| placed(path, "editorconfig", "editor", one)),
                );
                return Ok(());
            }
            Format::Script => {
                let found = scripts::eslint(tree::checked(text)?);
                into.extend(found.into_iter().map(|one| placed(path, "eslint", "linter", one)));
                return Ok(());
            }
            Format::Lines(read) => return self.lines(path, read(tree::checked(text)?), into),
            Format::Gate(read) => return self.lines(path, read(text)?, into),
        };
        for rule in self.rules {
            let found = take(&root, rule.at, rule.shape, rule.enforcement);
            into.extend(
                found
                    .into_iter()
                    .map(|one| placed(path, rule.tool, rule.category, one)),
            );
        }
        Ok(())
    }

    fn lines(&self, path: &RepoPath, found: Vec<Found>, into: &mut Vec<Constraint>) -> Result<(), Note> {
        for rule in self.rules {
            let found = found.iter().map(|one| Found {
                line: one.line,
                guidance: one.guidance.clone(),
                enforcement: rule.enforcement,
                files: one.files.clone(),
            });
            let tool = lists::tool_of(path.file_name()).unwrap_or(rule.tool);
            into.extend(found.map(|one| placed(path, tool, rule.category, one)));
        }
        Ok(())
    }
}

fn placed(path: &RepoPath, tool: &str, category: &'static str, found: Found) -> Constraint {
    Constraint {
        kind: Kind::Config,
        tool: tool.to_owned(),
        category,
        enforcement: found.enforcement,
        folder: home(path).to_owned(),
        files: found.files,
        heading: None,
        guidance: found.guidance,
        place: Place {
            path: path.clone(),
            line: found.line,
        },
    }
}

/// The folder that a file speaks about: its own, but for those in `.github` and the like the one around it.
pub(super) fn home(path: &RepoPath) -> &str {
    let folder = path.folder();
    let hidden = folder
        .split('/')
        .position(|part| part.starts_with('.') && part.len() > 1);
    match hidden {
        Some(0) => "",
        Some(n) => {
            let end: usize = folder.split('/').take(n).map(|part| part.len() + 1).sum();
            &folder[..end - 1]
        }
        None if folder == "docs" && path.file_name() == "CODEOWNERS" => "",
        None => folder,
    }
}

/// `name`, `*.ending`, `start.*.ending`, or any of these after folders.
fn is_called(path: &RepoPath, pattern: &str) -> bool {
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let in_folder = folder.is_empty()
        || path.folder() == folder
        || path
            .folder()
            .strip_suffix(folder)
            .is_some_and(|rest| rest.ends_with('/'));
    let called = match name.split_once('*') {
        Some((start, end)) => {
            let own = path.file_name();
            own.len() > start.len() + end.len() && own.starts_with(start) && own.ends_with(end)
        }
        None => path.file_name() == name,
    };
    in_folder && called
}
