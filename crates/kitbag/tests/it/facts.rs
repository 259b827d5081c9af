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
    let (text, _) = server.call("project_facts", json!({"kind": "key_files"}));
    assert!(text.contains("src/lib.rs (changed 1 times)"), "{text}");
    let (text, _) = server.call("project_facts", json!({"kind": "doc_errors"}));
    assert!(text.contains("AGENTS.md:4 path `src/prices.rs`"), "{text}");
    server.end();
}
