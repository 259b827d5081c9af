//! `kitbag tokens`.

use serde_json::json;

use crate::world::{SHOP, World};

#[test]
fn cli_2_tokens_of_text_file_and_pipe() {
    let world = World::new(SHOP);
    let ran = world.run(["tokens", "--text", "hello world"]);
    ran.check(0, "2\n");
    assert_eq!(ran.err, "exact, by o200k (11 bytes)\n");
    world.project.write("hello.txt", "hello world");
    world.run(["tokens", "hello.txt"]).check(0, "2\n");
    world
        .run_with_input(&["tokens", "-"], b"hello world")
        .check(0, "2\n");
    world.run_with_input(&["tokens"], b"hello world").check(0, "2\n");
    world.run_with_input(&["tokens", "--quiet"], b"").check(0, "0\n");
    assert_eq!(
        world.run_with_input(&["tokens"], b"\xff\xfe\x00").code,
        Some(0),
        "any bytes have a count"
    );
}

#[test]
fn cli_3_tokens_as_json_say_whether_they_are_exact() {
    let world = World::new(SHOP);
    let (code, reply) = world.json(&["tokens", "--text", "hello world"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        reply,
        json!({"tokens": 2, "exact": true, "headroom_percent": 0, "tokenizer": "o200k", "model": "gpt-5", "bytes": 11})
    );
    let (_, reply) = world.json(&["tokens", "--text", "hello world", "--model", "claude"]);
    assert_eq!(
        (&reply["exact"], &reply["tokenizer"]),
        (&json!(false), &json!("claude"))
    );
    assert!(reply["tokens"].as_u64().unwrap() >= 2 && reply["headroom_percent"].as_u64().unwrap() > 0);
}

#[test]
fn cfg_1_the_model_is_a_setting() {
    let world = World::new(SHOP);
    world
        .project
        .write("kitbag.toml", "[tokenizer]\nmodel = \"cl100k\"\n");
    let (_, reply) = world.json(&["tokens", "--text", "x"]);
    assert_eq!(reply["tokenizer"], "cl100k");
}

#[test]
fn cli_3_tokens_refuse_what_cannot_be_counted() {
    let world = World::new(SHOP);
    let ran = world.run(["tokens", "missing.txt"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.starts_with("error: missing.txt cannot be read: "),
        "{ran:?}"
    );
    let ran = world.run(["tokens", "--text", "x", "--model", "hal-9000"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("hal-9000") && ran.err.contains("o200k"),
        "{ran:?}"
    );
    assert_eq!(world.run(["tokens", "a", "--text", "x"]).code, Some(2));
}
