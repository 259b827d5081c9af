//! `kitbag constraints` and `kitbag check-docs`, and the same as a tool.

use serde_json::json;

use crate::mcp::Server;
use crate::world::World;

const SHOP: &str = "\
//- Cargo.toml
[package]
name = \"shop\"
rust-version = \"1.80\"

[lints.rust]
unsafe_code = \"forbid\"
//- AGENTS.md
# Shop

Never print a card number.
See `src/prices.rs` and [the guide](docs/guide.md).
//- docs/guide.md
Nothing yet.
//- src/lib.rs
/// Adds the prices of a cart.
pub fn total_price(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
//- web/.editorconfig
[*.ts]
indent_size = 2
";

#[test]
fn ins_3_constraints_are_listed_with_their_places() {
    let world = World::new(SHOP);
    world.run(["constraints"]).check(
        0,
        "AGENTS.md
    3  error    Never print a card number.  (all files; Shop)

Cargo.toml
    3  error    Rust: rust-version = 1.80
    6  error    Rust lints: rust.unsafe_code: error

web/.editorconfig
    2  info     editorconfig: indent_size = 2  (files *.ts below web)
",
    );
    let json = world
        .json(&["constraints", "--path", "web/a.ts", "--kind", "config"])
        .1;
    assert_eq!(json["constraints"].as_array().unwrap().len(), 3);
    assert_eq!(json["constraints"][2]["file"], "web/.editorconfig");
    let json = world.json(&["constraints", "--path", "src/lib.rs"]).1;
    assert_eq!(json["constraints"].as_array().unwrap().len(), 3);
    let ran = world.run(["constraints", "--kind", "nothing"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("known are config, document"), "{ran:?}");
}

#[test]
fn ins_13_check_docs_names_what_is_not_true() {
    let world = World::new(SHOP);
    let ran = world.run(["check-docs"]);
    ran.check(
        1,
        "AGENTS.md:4: path `src/prices.rs`: there is no such file or folder\n",
    );
    assert!(ran.err.contains("1 finding in 1 document"), "{ran:?}");
    world.project.write("src/prices.rs", "pub fn price() {}\n");
    world.run(["check-docs", "AGENTS.md"]).check(0, "");
    assert_eq!(world.run(["check-docs", "missing.md"]).code, Some(2));
}

#[test]
fn ins_6_ins_8_key_files_and_recent_changes() {
    let world = World::new(SHOP);
    let (code, json) = world.json(&["key-files"]);
    assert_eq!(code, Some(0));
    assert_eq!(json["key_files"][0]["path"], "src/lib.rs");
    assert_eq!(json["key_files"][0]["changes"], 1);
    let files = json["recent_changes"][0]["files"].as_array().unwrap();
    assert!(files.contains(&"src/lib.rs".into()), "{json}");
    assert_eq!(world.run(["key-files", "--path", "docs"]).code, Some(1));
}

#[test]
fn ins_3_ins_13_facts_are_a_tool() {
    let world = World::new(SHOP);
    let mut server = Server::start(&world, &["--tools", "all"]);
    // Facts are told from the index; until it is there, the tool says so.
    while server.call("project_facts", json!({"kind": "constraints"})).1 {}
    let (text, _) = server.call("project_facts", json!({"kind": "constraints"}));
    assert!(
        text.contains("error Rust lints: rust.unsafe_code: error (Cargo.toml:6)"),
        "{text}"
    );
    let (text, _) = server.call("project_facts", json!({"kind": "exports"}));
    assert!(
        text.contains("total_price") && text.contains("src/lib.rs:2"),
        "{text}"
    );
    let (text, _) = server.call("project_facts", json!({"kind": "key_files"}));
    assert!(text.contains("src/lib.rs (changed 1 times)"), "{text}");
    let (text, _) = server.call("project_facts", json!({"kind": "doc_errors"}));
    assert!(text.contains("AGENTS.md:4 path `src/prices.rs`"), "{text}");
    server.end();
}

/// Files that are alike, so that there is a convention.
fn alike() -> String {
    let one = |idx: usize| {
        format!(
            "//- shop/part_{idx}.py\ndef make_part(value):\n    return value\n\n\ndef take_part(value):\n    return value\n"
        )
    };
    (0..15).map(one).collect()
}

#[test]
fn ins_1_ins_2_patterns_are_listed_and_decided_about() {
    let world = World::new(&alike());
    let ran = world.run(["patterns", "--category", "naming"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let id = "python/functions/ordinary/case:snake_case";
    assert!(
        ran.out
            .contains("  100.0 %  Python functions are named in snake_case (30 of 30)\n"),
        "{ran:?}"
    );
    assert!(
        ran.out.contains(id) && ran.out.contains("like shop/part_0.py:1"),
        "{ran:?}"
    );
    let ran = world.run(["patterns", "ignore", id]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let kept = String::from_utf8(world.project.read("kitbag.patterns.toml")).unwrap();
    assert!(kept.contains(&format!("ignored = [\n    \"{id}\",\n]")), "{kept}");
    let json = world.json(&["patterns"]).1;
    let ids: Vec<&str> = json["patterns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert!(!ids.contains(&id), "{ids:?}");
    let ran = world.run(["patterns", "approve", "nothing"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = world.run(["patterns", "--category", "taste"]);
    assert!(
        ran.err.contains("unknown category `taste`; known are api"),
        "{ran:?}"
    );
}

#[test]
fn ins_13_agents_md_shows_first_and_writes_when_told() {
    let world = World::new(&(alike() + "//- AGENTS.md\n# Shop\n"));
    let ran = world.run(["agents-md"]);
    assert!(ran.out.contains("+## Conventions of this code"), "{ran:?}");
    assert_eq!(world.project.read("AGENTS.md"), b"# Shop\n");
    assert_eq!(world.run(["agents-md", "--check"]).code, Some(1));
    assert_eq!(world.run(["agents-md", "--write"]).code, Some(0));
    let text = String::from_utf8(world.project.read("AGENTS.md")).unwrap();
    assert!(text.starts_with("# Shop\n\n<!-- kitbag: start"), "{text}");
    assert_eq!(world.run(["agents-md", "--check"]).code, Some(0));
}

#[test]
fn ins_11_conventions_are_measured_on_the_history() {
    let world = World::new(&alike());
    for idx in 0..4 {
        let text = "def make_more(value):\n    return value\n";
        world.project.write(format!("shop/more_{idx}.py"), text);
    }
    world.project.git(&["add", "-A"]);
    world.project.git(&["commit", "-qm", "more"]);
    let (code, json) = world.json(&["eval", "--conventions", "--from", "HEAD~1"]);
    assert_eq!(code, Some(0), "{json}");
    assert_eq!(json["followed"], 1.0, "{json}");
    assert!(json["tested"].as_u64().unwrap() >= 2, "{json}");
}
