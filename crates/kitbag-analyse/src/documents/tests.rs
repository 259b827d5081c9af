use std::collections::BTreeSet;

use kitbag_types::RepoPath;

use super::{Known, check, claims, is_document, runner_scripts};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// `line kind claim → nearest` of each finding in a document of a small project.
fn found(document: &str, text: &str) -> Vec<String> {
    let mut files: Vec<RepoPath> = [
        "README.md",
        "Makefile",
        "package.json",
        "src/app.ts",
        "src/core/engine.rs",
        "docs/guide.md",
        "scripts/check.sh",
        "web/package.json",
        "justfile",
    ]
    .map(path)
    .to_vec();
    files.sort();
    let texts = [
        (
            path("Makefile"),
            ".PHONY: all\nall: build\nbuild: x.o\n\tcc\nX := 1\n".to_owned(),
        ),
        (
            path("package.json"),
            r#"{"scripts": {"lint": "x", "test:unit": "y"}}"#.to_owned(),
        ),
        (path("justfile"), "import 'other.just'\nfmt:\n  x\n".to_owned()),
    ];
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<String>>()
    };
    let known = Known {
        files: &files,
        exists: &|path| path == "LICENSE",
        is_ignored: &|path| path.starts_with("dist") || path.starts_with("src/generated"),
        scripts: &runner_scripts(&texts),
        crates: &set(&["kit-core"]),
        defined: &set(&["Engine", "start_up"]),
        used: &set(&["push"]),
    };
    let findings = check(&path(document), &claims(text), &known);
    let shown = findings.iter().map(|one| {
        let nearest = one.nearest.as_deref().unwrap_or("-");
        format!("{} {} {} → {nearest}", one.line, one.kind.name(), one.claim)
    });
    shown.collect()
}

#[test]
fn ins_13_links_lead_somewhere() {
    let text = "[a](docs/guide.md#x) [b](docs/guid.md) [c](LICENSE) [d](https://x.y/z) [e](#top) [f](dist/x.js) [g](../../issues)\n";
    assert_eq!(found("README.md", text), ["1 link docs/guid.md → docs/guide.md"]);
    assert_eq!(
        found("docs/guide.md", "[a](../src/app.ts) [b](app.ts)\n"),
        ["1 link app.ts → src/app.ts"]
    );
}

#[test]
fn ins_13_paths_of_this_project_exist() {
    let text = "See `src/core/engine.rs` and `src/engine.rs`.\n`core/engine.rs`, `src/app`, `src/generated/x.ts`, `other/place.rs`, `src/*.rs`, `GET /src/x.y`\n\
                Create `src/new.rs`.\n`src/core/`, `src/gone/`\n";
    assert_eq!(
        found("README.md", text),
        [
            "1 path src/engine.rs → src/core/engine.rs",
            "4 path src/gone/ → -"
        ]
    );
}

#[test]
fn ins_13_commands_name_what_there_is() {
    let text = "Run `npm run lint` or `npm run lnt`, `make all build`, `make instal`, `just anything`, `npm run a && make all`.\n\
                ```sh\n$ cargo test -p kit-core\ncargo test -p kit-cor\nscripts/check.sh\nbash scripts/chek.sh\n./scripts/check.sh\n```\n\
                ```sh\ngit clone x && cd x\nmake nothing\n```\n```rust\nmake nothing\n```\n# Next\nFirst clone the other project.\n```\n./scripts/other.sh\n```\n";
    assert_eq!(
        found("README.md", text),
        [
            "1 script lnt → lint",
            "1 script instal → -",
            "1 script a → -",
            "4 package kit-cor → kit-core",
            "6 program scripts/chek.sh → scripts/check.sh",
        ]
    );
}

#[test]
fn ins_13_members_of_our_types_exist() {
    let text = "`Engine::start_up`, `Engine::push`, `Engine::startup`, `Other::thing`, `Engine.field`, `Engine.shut_down()`\n";
    assert_eq!(
        found("README.md", text),
        [
            "1 symbol Engine::startup → start_up",
            "1 symbol Engine.shut_down → -"
        ]
    );
}

#[test]
fn ins_13_which_documents_are_checked() {
    for (file, expected) in [
        ("README.md", true),
        ("a/AGENTS.md", true),
        ("docs/guide.md", false),
        ("tests/fixtures/README.md", false),
    ] {
        assert_eq!(is_document(&path(file)), expected, "{file}");
    }
}
