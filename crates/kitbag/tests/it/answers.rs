//! `kitbag history`, `related`, `tests` and `search --all`: CLI-6, RET-13, RET-28.

use serde_json::json;

use crate::world::{SHOP, World, keys};

fn commit(world: &World, message: &str) {
    world.project.git(&["add", "--all"]);
    world.project.git(&["commit", "--quiet", "--message", message]);
}

#[test]
fn ret_28_all_lists_every_line_and_says_so() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "--all", "verify_password"]);
    assert_eq!(
        ran.out,
        "\
src/auth.rs
  4  pub fn verify_password(given: &str, stored: &str) -> bool {
src/main.rs
  4      if auth::verify_password(\"open\", \"nepo\") {
tests/auth_test.rs
  3      let opens = shop::auth::verify_password(\"a\", \"a\");

Complete: 3 lines in 3 files, of 6 indexed files. Not indexed, so not looked at: 2 paths (1 built_in, 1 gitignore).
"
    );
    assert_eq!(ran.code, Some(0));
    let (code, page) = world.json(&["search", "--all", "verify_password", "--top", "2"]);
    assert_eq!((code, &page["places"]["total_lines"]), (Some(0), &json!(3)));
    let cursor = page["places"]["cursor"].as_str().unwrap().to_owned();
    let (_, rest) = world.json(&["search", "--all", "verify_password", "--cursor", &cursor]);
    assert_eq!(rest["places"]["files"][0]["path"], "tests/auth_test.rs");
    assert_eq!(
        (&rest["places"]["skipped"], &rest["places"]["cursor"]),
        (&json!(2), &json!(null))
    );
    let none = world.run(["search", "--all", "nobody_says_this"]);
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
    assert!(
        none.err
            .contains("Complete: 0 lines in 0 files, of 6 indexed files."),
        "{}",
        none.err
    );
    let wrong = world.run(["search", "--all", "x", "--cursor", "nonsense"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
}

#[test]
fn cli_6_history_of_a_name_for_people_and_as_json() {
    let world = World::new(SHOP);
    let path = world.project.root().join("src/auth.rs");
    let text = std::fs::read_to_string(&path).unwrap();
    world.project.write("src/auth.rs", text.replace(".rev()", ""));
    commit(&world, "Hash in order");
    let ran = world.run(["history", "hash_password"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for line in [
        "src/auth.rs:8-10  hash_password",
        "  2024-01-02  Kit Bag  Hash in order",
        "    -    text.chars().rev().collect()",
        "    +    text.chars().collect()",
        "Kit Bag: 3 lines, 2 commits, the last on 2024-01-02",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    let (code, reply) = world.json(&["history", "src/auth.rs:9", "--limit", "1"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        keys(&reply),
        ["blame", "changes_with", "commits", "people", "places", "warnings"]
    );
    assert_eq!(reply["commits"][0]["subject"], "Hash in order");
    assert_eq!(reply["blame"][0]["subject"], "Hash in order");
    let outside = World::without_git(SHOP).run(["history", "src/auth.rs"]);
    assert_eq!((outside.code, outside.out.as_str()), (Some(1), ""));
    let wrong = world.run(["history", "no_such_name"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("PATH:LINE"), "{}", wrong.err);
}

#[test]
fn cli_6_tests_for_a_change_for_people_and_as_json() {
    let world = World::new(SHOP);
    let path = world.project.root().join("src/auth.rs");
    let text = std::fs::read_to_string(&path).unwrap();
    world
        .project
        .write("src/auth.rs", text.replace("== stored", "== stored.trim()"));
    let ran = world.run(["tests", "--diff"]);
    assert!(ran.out.starts_with("tests/auth_test.rs  "), "{}", ran.out);
    assert!(ran.out.contains("verify_password"), "{}", ran.out);
    assert_eq!(
        world.run(["tests", "--diff", "--files"]).out,
        "tests/auth_test.rs\n"
    );
    let (_, reply) = world.json(&["tests", "verify_password"]);
    assert_eq!(keys(&reply), ["of", "tests", "warnings"]);
    assert_eq!(reply["of"][0]["path"], "src/auth.rs");
    world.project.git(&["checkout", "--quiet", "."]);
    let nothing = world.run(["tests", "--diff"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(1), ""));
    assert_eq!(world.run(["tests"]).code, Some(2));
}

#[test]
fn cli_6_related_for_people_and_as_json() {
    let world = World::new(SHOP);
    let ran = world.run(["related", "src/auth.rs:9"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for line in [
        "definition\n  src/auth.rs:8-10  hash_password",
        "used by\n  src/auth.rs:5  verify_password",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    let (_, reply) = world.json(&["related", "hash_password"]);
    assert_eq!(keys(&reply), ["name", "of", "related", "warnings"]);
}
