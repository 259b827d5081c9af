//! Everything about a pack that is refused, each with its message.

use serde_json::json;

use crate::world::{SHOP, World};

fn check(world: &World, args: &[&str], code: i32, message: &str) {
    let ran = world.run([&["pack", "verify_password"], args].concat());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(code), ""),
        "{args:?}: {ran:?}"
    );
    assert!(
        ran.err.starts_with(&format!("error: {message}")),
        "{args:?}: {}",
        ran.err
    );
}

#[test]
fn pack_30_impossible_sizes_are_refused() {
    let world = World::new(SHOP);
    let expected = "invalid value '-5' for '--budget <TOKENS>': expected a whole number from 0 to 10000000, such as 8000 or 8k\n";
    check(&world, &["--budget", "-5"], 2, expected);
    check(
        &world,
        &["--budget", "many"],
        2,
        "invalid value 'many' for '--budget <TOKENS>'",
    );
    check(
        &world,
        &["--budget", "999999999999"],
        2,
        "invalid value '999999999999'",
    );
    check(
        &world,
        &["--window", "-1"],
        2,
        "--window: budget.total_tokens = -1: expected a whole number from 0 to 10000000\n",
    );
    let expected = "--window: budget.total_tokens = 9999: a window of 9999 tokens has no room for reserves of 2000 and 8000\n";
    check(&world, &["--window", "9999"], 2, expected);
    let expected =
        "--response-reserve: budget.response_reserve = 100000: a window of 100000 tokens has no room";
    check(&world, &["--response-reserve", "100000"], 2, expected);
    check(
        &world,
        &["--budget", "5", "--window", "20000"],
        2,
        "the argument '--budget <TOKENS>' cannot be used with",
    );
    check(
        &world,
        &["--complexity", "11"],
        2,
        "invalid value '11' for '--complexity <1-10>'",
    );
    check(
        &world,
        &["--complexity", "5", "--budget", "9"],
        2,
        "the argument '--complexity <1-10>' cannot be used with",
    );
}

#[test]
fn cli_3_what_is_not_known_is_refused_with_what_is() {
    let world = World::new(SHOP);
    let expected = "unknown intent `guess`; known are understand, add_feature, fix_bug, refactor, security_review, add_test\n";
    check(&world, &["--intent", "guess"], 2, expected);
    let formats = kitbag_engine::api::formats().join(", ");
    let expected = format!("unknown format `pdf`; known are {formats}\n");
    check(&world, &["--format", "pdf"], 2, &expected);
    check(
        &world,
        &["--model", "hal-9000"],
        2,
        "--model: tokenizer.model = hal-9000: expected a model",
    );
    check(
        &world,
        &["--lang", "klingon"],
        2,
        "unknown language `klingon`; known are bash, ",
    );
    check(
        &world,
        &["--tokenizer", "gone.json"],
        2,
        "gone.json cannot be read: ",
    );
    check(&world, &["--template", "gone.j2"], 2, "gone.j2 cannot be read: ");
    world.project.write("bad.j2", "{% for item in %}");
    check(&world, &["--template", "bad.j2"], 2, "the template: ");
    check(
        &world,
        &["--template", "bad.j2", "--format", "xml"],
        2,
        "the argument '--template <FILE>' cannot be used with",
    );
    check(
        &world,
        &["--preview", "--out", "x"],
        2,
        "the argument '--preview' cannot be used with",
    );
    check(&world, &["--path", "a["], 2, "");
    let (_, reply) = world.json(&["pack", "x", "--format", "pdf"]);
    assert_eq!(reply["error"]["code"], "INVALID_FORMAT");
}

#[test]
fn pack_1_a_bad_list_of_sources_is_refused_by_number() {
    let world = World::new(SHOP);
    let cases = [
        ("{", "s.json: no JSON: EOF while parsing"),
        (
            "3",
            "s.json: expected a list of sources, or {\"sources\": [ … ]}\n",
        ),
        ("{\"sources\": 1}", "s.json: expected a list of sources"),
        (
            "{\"sources\": [], \"more\": 1}",
            "s.json: expected a list of sources",
        ),
        (
            "[{\"kind\": \"search\", \"pth\": \"a\"}]",
            "s.json: source 1: unknown field `pth`, expected one of ",
        ),
        (
            "[{}, {\"kind\": 3}]",
            "s.json: source 2: invalid type: integer `3`, expected a string\n",
        ),
        (
            "[{\"kind\": \"gossip\"}]",
            "source 1: unknown kind `gossip`; known are tool_result, ",
        ),
        (
            "[{\"kind\": \"search\", \"relevance\": 7}]",
            "source 1: relevance must be between 0 and 1\n",
        ),
        (
            "[{\"kind\": \"search\", \"path\": \"a\", \"line_start\": 0}]",
            "source 1: lines count from 1",
        ),
    ];
    for (text, message) in cases {
        world.project.write("s.json", text);
        check(&world, &["--sources", "s.json"], 2, message);
    }
    let many: Vec<_> = (0..501)
        .map(|n| json!({"kind": "search", "content": n.to_string()}))
        .collect();
    world.project.write("s.json", json!(many).to_string());
    check(
        &world,
        &["--sources", "s.json"],
        2,
        "s.json: 501 sources; at most 500 are taken\n",
    );
    check(
        &world,
        &["--sources", "gone.json"],
        2,
        "gone.json cannot be read: ",
    );
}

#[test]
fn pack_1_a_diff_needs_a_repository_and_a_revision() {
    let world = World::new(SHOP);
    check(
        &world,
        &["--diff", "no-such-branch"],
        2,
        "`no-such-branch` is not a revision of this repository\n",
    );
    let (_, reply) = world.json(&["pack", "x", "--diff", "HEAD:.env"]);
    assert_eq!(reply["error"]["code"], "INVALID_REVISION");
    let world = World::without_git(SHOP);
    check(&world, &["--diff"], 2, "[ROOT] is in no git repository\n");
}

#[test]
fn sec_4_tasks_have_limits_and_standard_input_is_read_once() {
    let world = World::new(SHOP);
    let ran = world.run(["pack", " "]);
    ran.check_error(2, "error: the task is empty\n");
    let long = vec![b'x'; 300_000];
    let ran = world.run_with_input(&["pack", "-"], &long);
    ran.check_error(2, "error: the task has 300000 bytes; at most 262144 are taken\n");
    let ran = world.run(["pack", "-", "--tool-result", "-"]);
    ran.check_error(
        2,
        "error: standard input is asked for 2 times; it can be read once\n",
    );
    assert_eq!(world.run(["pack"]).code, Some(2));
}
