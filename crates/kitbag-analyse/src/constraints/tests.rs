use kitbag_types::RepoPath;

use super::{is_source, read};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// `line enforcement tool condition: guidance` of each.
fn told(file: &str, text: &str) -> Vec<String> {
    let path = path(file);
    assert!(is_source(&path), "{file}");
    let (found, notes) = read(&path, text);
    assert!(notes.is_empty(), "{notes:?}");
    let one = |one: &super::Constraint| {
        format!(
            "{} {} {} [{}] {}",
            one.place.line,
            one.enforcement.name(),
            one.tool,
            one.condition(),
            one.guidance
        )
    };
    found.iter().map(one).collect()
}

fn check(file: &str, text: &str, expected: &[&str]) {
    assert_eq!(told(file, text), expected, "{file}");
}

#[test]
fn ins_3_settings_of_python_tools() {
    check(
        "pyproject.toml",
        "[project]\nrequires-python = \">=3.10\"\n[tool.mypy]\nstrict = true\nfiles = [\"src\"]\n[tool.pyright]\ntypeCheckingMode = \"basic\"\n\
         [tool.ruff]\nline-length = 120\n[tool.ruff.lint]\nselect = [\n  \"B\",\n  \"X9\",\n]\n[tool.ruff.lint.isort]\nforce-single-line = true\n\
         [tool.ruff.lint.flake8-tidy-imports.banned-api]\n\"a.B\".msg = \"Use c\"\n[tool.pytest.ini_options]\nfilterwarnings = [\n  \"error\",\n]\ntestpaths = [\"tests\"]\n",
        &[
            "2 error Python [all files] requires-python = >=3.10",
            "4 error mypy [all files] strict = true",
            "7 warning pyright [all files] typeCheckingMode = basic",
            "9 error ruff [all files] line-length = 120",
            "12 error ruff [all files] lint rules: B (flake8-bugbear)",
            "13 error ruff [all files] lint rules: X9",
            "16 error ruff [all files] isort.force-single-line = true",
            "18 error ruff [all files] do not use a.B: Use c",
            "21 error pytest [all files] warnings: error",
        ],
    );
    check(
        "lib/setup.cfg",
        "[flake8]\nmax-line-length = 100\nselect =\n    E\n    W\n[metadata]\nname = x\n",
        &[
            "2 error flake8 [all files below lib] max-line-length = 100",
            "4 error flake8 [all files below lib] lint rules: E (pycodestyle errors)",
            "5 error flake8 [all files below lib] lint rules: W (pycodestyle warnings)",
        ],
    );
}

#[test]
fn ins_3_levels_and_bans_of_rust_tools() {
    check(
        "Cargo.toml",
        "[workspace.lints.rust]\nunsafe_code = \"forbid\"\nunused = { level = \"warn\", priority = 1 }\nother = \"allow\"\n",
        &[
            "2 error Rust lints [all files] rust.unsafe_code: error",
            "3 warning Rust lints [all files] rust.unused: warning",
        ],
    );
    check(
        "clippy.toml",
        "msrv = \"1.80\"\ndisallowed-methods = [\n  { path = \"std::env::var\", reason = \"settings\" },\n  \"std::fs::read\",\n]\n",
        &[
            "1 error clippy [all files] msrv = 1.80",
            "3 error clippy [all files] do not use std::env::var: settings",
            "4 error clippy [all files] do not use std::fs::read",
        ],
    );
    check(
        "deny.toml",
        "[bans]\ndeny = [{ crate = \"openssl\" }]\n",
        &["2 error cargo-deny [all files] do not use openssl"],
    );
    check(
        "rust-toolchain",
        "1.80.0\n",
        &["1 error Rust [all files] version = 1.80.0"],
    );
}

#[test]
fn ins_3_rules_in_programs_and_json() {
    check(
        "eslint.config.js",
        "export default [{\n  files: ['a/**'],\n  rules: {\n    'no-debugger': 'error', // no\n    eqeqeq: [2, 'always'],\n    'x': 'off',\n    y: someLevel,\n  },\n}]\n",
        &[
            "4 error eslint [files a/**] no-debugger: error",
            "5 error eslint [files a/**] eqeqeq: error",
        ],
    );
    check(
        "web/tsconfig.json",
        "{\n  // strict\n  \"compilerOptions\": {\"strict\": true,\n \"outDir\": \"x\", \"newLine\": \"LF\"},\n}\n",
        &[
            "3 error TypeScript [all files below web] strict = true",
            "4 info TypeScript [all files below web] newLine = LF",
        ],
    );
    check(
        ".golangci.yml",
        "linters:\n  enable:\n    - gosec\n  settings:\n    depguard:\n      rules:\n        main:\n          deny:\n            - pkg: io/ioutil\n              desc: use os\n",
        &[
            "3 error golangci-lint [all files] linter gosec",
            "9 error depguard [all files] do not use io/ioutil: use os",
        ],
    );
}

#[test]
fn ins_3_editors_owners_versions_and_gates() {
    check(
        ".editorconfig",
        "root = true\n[*]\nindent_size = 4\n[*.{cs,vb}]\ndotnet_diagnostic.CA1.severity = error\n",
        &[
            "3 info editorconfig [all files] indent_size = 4",
            "5 error editorconfig [files *.{cs,vb}] dotnet_diagnostic.CA1.severity = error",
        ],
    );
    check(
        ".github/CODEOWNERS",
        "# all\n* @a\n/docs/ @b @c # d\n",
        &[
            "2 info CODEOWNERS [all files] * is owned by @a",
            "3 info CODEOWNERS [files /docs/] /docs/ is owned by @b, @c",
        ],
    );
    check(
        ".github/workflows/ci.yml",
        "on: [pull_request]\njobs:\n  a:\n    steps:\n      - run: npm ci\n      - run: |\n          set -e\n          cargo clippy -- -D warnings\n          cargo test\n      - uses: golangci/golangci-lint-action@v6\n",
        &[
            "8 error CI [all files] CI runs `cargo clippy -- -D warnings`",
            "9 error CI [all files] CI runs `cargo test`",
            "10 error CI [all files] CI runs golangci/golangci-lint-action",
        ],
    );
    check(
        "phpstan.neon",
        "parameters:\n\tlevel: 5\n\tpaths:\n\t\t- app\n",
        &["2 error phpstan [all files] level = 5"],
    );
    check(
        "go.mod",
        "module a\n\ngo 1.22\n",
        &["3 error Go [all files] go = 1.22"],
    );
}

#[test]
fn ins_3_sentences_of_documents() {
    check(
        "AGENTS.md",
        "# Rules\n\n## Style\n\n- ONLY use uv, NEVER pip\n- Prefer `a` over b. Thanks for reading this.\n- Async tests: use anyio, not asyncio\n- The server has\n  two parts. You must not change\n  both.\n\n```sh\nnever run this\n```\nIf you don't know it, ask.\n",
        &[
            "5 error AGENTS.md [all files; Style] ONLY use uv, NEVER pip",
            "6 warning AGENTS.md [all files; Style] Prefer `a` over b.",
            "7 warning AGENTS.md [all files; Style] Async tests: use anyio, not asyncio",
            "9 error AGENTS.md [all files; Style] You must not change both.",
        ],
    );
    check(
        "pkg/CONTRIBUTING.md",
        "Use of this is free.\n- Open your pull request against main.\n- Clone the code.\n- Add tests to cover your change.\n",
        &[
            "2 info CONTRIBUTING.md [all files below pkg] Open your pull request against main.",
            "4 info CONTRIBUTING.md [all files below pkg] Add tests to cover your change.",
        ],
    );
    assert!(
        told(
            "docs/adr/001-x.md",
            "# X\nStatus: superseded\n## Decision\nWe will use it.\n"
        )
        .is_empty()
    );
    assert_eq!(
        told(
            "docs/adr/002-x.md",
            "# X\n## Context\nWe must.\n## Decision\nWe will use it.\n"
        )
        .len(),
        1
    );
}

#[test]
fn ins_3_a_constraint_applies_by_folder_and_pattern() {
    let (found, _) = read(
        &path("web/.editorconfig"),
        "[*.py]\nindent_size = 4\n[{a,b}/**.js]\nindent_size = 2\n",
    );
    let applies = |at: usize, path: &str| found[at].applies_to(path);
    assert!(
        applies(0, "web/x/a.py")
            && !applies(0, "web/a.js")
            && !applies(0, "a.py")
            && !applies(0, "webs/a.py")
    );
    assert!(applies(1, "web/a/x.js") && !applies(1, "web/c/x.js"));
}

#[test]
fn sec_4_any_text_is_read() {
    let pieces = [
        "[", "]", "{", "a", "=", ":", "\n", "- ", "\"", "`", "\t", "é", "(", "#", "rules", ": {", "must ",
        "](", "|", "<a>", "---\n",
    ];
    let mut random = kitbag_testkit::random::Random::new(7);
    let names = [
        "pyproject.toml",
        "setup.cfg",
        "tsconfig.json",
        "eslint.config.js",
        ".golangci.yml",
        "phpstan.neon",
        "pom.xml",
        ".editorconfig",
        "CODEOWNERS",
        ".github/workflows/a.yml",
        "AGENTS.md",
        "go.mod",
        ".gitlab-ci.yml",
        ".husky/pre-commit",
    ];
    for name in names {
        let path = path(name);
        for _ in 0..400 {
            let n = random.below(40);
            let text: String = (0..n).map(|_| pieces[random.below(pieces.len())]).collect();
            let (found, _) = read(&path, &text);
            let n_lines = text.lines().count().max(1) as u32;
            assert!(
                found.iter().all(|one| (1..=n_lines).contains(&one.place.line)),
                "{name} {text:?}"
            );
        }
    }
}
