//! Properties of formats beyond their fixtures (IDX-14): dialects that break a grammar, headings and fences in unusual places,
//! comments that belong to what follows.

use kitbag_types::Parsed;

use super::laws::check;
use crate::{ChunkSettings, by_name};

fn parsed(language: &str, text: &str, max_tokens: u32) -> Parsed {
    let settings = ChunkSettings {
        max_tokens: Some(max_tokens),
        min_tokens: Some(0),
        overlap_percent: 0,
    };
    check(text, by_name(language), &settings)
}

/// `first-last label`, one line per chunk.
fn labels(parsed: &Parsed) -> String {
    let line = |chunk: &kitbag_types::Chunk| {
        let part = match chunk.part {
            (1, 1) => String::new(),
            (part, n_parts) => format!(" {part}/{n_parts}"),
        };
        format!(
            "{}-{} {}{part}\n",
            chunk.lines.start(),
            chunk.lines.end(),
            chunk.label
        )
    };
    parsed.chunks.iter().map(line).collect()
}

fn symbols(parsed: &Parsed) -> Vec<String> {
    let line = |symbol: &kitbag_types::Symbol| format!("{} {}", symbol.kind.as_str(), symbol.qualified());
    parsed.symbols.iter().map(line).collect()
}

#[test]
fn idx_14_underlined_headings_nest_by_level() {
    let text = "Kit\n===\n\nUse\n---\n\n### Deep\n\nOther\n=====\n\n## Sub\n\n> # quoted\n\n- # listed\n";
    let expected = [
        "section Kit",
        "section Kit::Use",
        "section Kit::Use::Deep",
        "section Other",
        "section Other::Sub",
    ];
    assert_eq!(symbols(&parsed("markdown", text, 400)), expected);
}

#[test]
fn idx_14_fences_stay_whole_and_say_their_language() {
    let code = "let a = b(c, d);\n\n".repeat(8);
    let words = "Many words follow here.\n".repeat(12);
    let text = format!("# A\n\nShort.\n\n```rust title=\"x\"\n{code}```\n\n{words}");
    let found = labels(&parsed("markdown", &text, 90));
    assert_eq!(found, "1-3 A 1/3\n5-22 A (rust) 2/3\n24-35 A 3/3\n");
}

#[test]
fn idx_14_front_matter_tables_and_html_tile() {
    let table = "| a | b |\n|---|---|\n".to_owned() + &"| one | two |\n".repeat(3);
    let text = format!(
        "---\ntitle: T\n---\n\n# A\n\nText, and some more of it.\n\n{table}\n<div>\n\n## Inside\n\n</div>\n\n<!--\n# No heading\n-->\n"
    );
    assert_eq!(
        labels(&parsed("markdown", &text, 37)),
        "1-3 title: T\n5-7 A 1/2\n9-15 A 2/2\n17-23 A > Inside\n"
    );
}

#[test]
fn idx_14_sql_the_grammar_cannot_read_keeps_names_and_statements() {
    let text = "DELIMITER //\n-- All of them.\nCREATE PROCEDURE GetUsers(IN p INT)\nBEGIN\n  SELECT * FROM users;\nEND //\n\
        CREATE OR ALTER PROC [dbo].[spThing] @id INT AS\nBEGIN\n  SET NOCOUNT ON;\nEND\nGO\n\n\
        CREATE POLICY own_rows ON users USING (true);\n\nCREATE TABLE users (id int);\n";
    let found = parsed("sql", text, 400);
    assert_eq!(
        symbols(&found),
        [
            "function GetUsers",
            "function spThing",
            "constant own_rows",
            "class users",
            "field users::id"
        ]
    );
    assert_eq!(
        labels(&parsed("sql", text, 40)),
        "1-6 CREATE PROCEDURE GetUsers\n7-11 CREATE OR ALTER PROC spThing\n\
         13-15 CREATE POLICY own_rows, CREATE TABLE users, CREATE TABLE users.id\n"
    );
}

#[test]
fn idx_14_a_comment_goes_with_the_key_below_it() {
    let text = "jobs:\n  a:\n    run: x\n  # About b.\n  b:\n    run: y\n    # Deeper: still in b.\n";
    let found = parsed("yaml", text, 400);
    let b = found.symbols.iter().find(|symbol| symbol.name == "b").unwrap();
    assert_eq!(
        (b.lines.start(), b.lines.end(), b.doc.as_str()),
        (4, 7, "About b.")
    );
    let a = found.symbols.iter().find(|symbol| symbol.name == "a").unwrap();
    assert_eq!(a.lines.end(), 3);
}

#[test]
fn idx_20_shell_aliases_and_bats_tests_have_names() {
    let text = "alias g=git gs='git status'\n\n@test \"adds up\" {\n  run add 1 2\n}\n\n@test \"fails\" {\n  false\n}\n";
    let found = parsed("bash", text, 400);
    let expected = ["function g", "function gs", "section adds up", "section fails"];
    assert_eq!(symbols(&found), expected);
    assert!(found.links.iter().any(|link| link.name == "add"));
}

#[test]
fn idx_21_a_sourced_path_keeps_its_variable() {
    let found = parsed("bash", "source \"${LIB_DIR}/log.sh\"\n", 400);
    assert_eq!(found.links[0].name, "${LIB_DIR}/log.sh");
}
