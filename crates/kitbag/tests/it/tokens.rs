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

/// A byte-level BPE with 400 pieces, whose special token is `<|endoftext|>`.
const VOCABULARY: &str = include_str!("../../../kitbag-tokens/fixtures/gpt_like.json");

#[test]
fn pack_34_tokens_by_a_tokenizer_file() {
    let world = World::new(SHOP);
    world.project.write("models/tokenizer.json", VOCABULARY);
    let file = ["--tokenizer", "models/tokenizer.json"];
    let ran = world.run(["tokens", "--text", "hello world", file[0], file[1]]);
    ran.check(0, "7\n");
    assert_eq!(ran.err, "exact, by models/tokenizer.json (11 bytes)\n");
    let (code, reply) = world.json(&["tokens", "--text", "<|endoftext|>", file[0], file[1]]);
    assert_eq!(code, Some(0));
    assert_eq!(
        reply,
        json!({
            "tokens": 9, "exact": true, "headroom_percent": 0, "tokenizer": "models/tokenizer.json",
            "model": "models/tokenizer.json", "bytes": 13
        })
    );
    world
        .run_with_input(&["tokens", "-", file[0], file[1]], b"")
        .check(0, "0\n");
    let long = " ".repeat(300_000);
    let ran = world.run_with_input(&["tokens", file[0], file[1]], long.as_bytes());
    ran.check(0, "300000\n");
    assert_eq!(
        ran.err,
        "at most: models/tokenizer.json cannot cut this text, so each of its 300,000 bytes counts\n"
    );
}

#[test]
fn pack_34_a_tokenizer_file_that_is_none_is_named() {
    let world = World::new(SHOP);
    world
        .project
        .write("config.json", "{\"tokenizer_class\": \"Llama\"}");
    let ran = world.run(["tokens", "--text", "x", "--tokenizer", "config.json"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: config.json is not a tokenizer: it has no `model`\n\
         hint: give the `tokenizer.json` of the model's repository on Hugging Face, not its `tokenizer_config.json`, \
         `vocab.json` or `tokenizer.model`\n"
    );
    let broken = VOCABULARY.replace("\"type\":\"ByteLevel\"", "\"type\":\"Bits\"");
    world.project.write("broken.json", &broken);
    let (code, reply) = world.json(&["tokens", "--text", "x", "--tokenizer", "broken.json"]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(2), &json!("TOKEN_COUNTING_ERROR"))
    );
    let ran = world.run(["tokens", "--text", "x", "--tokenizer", "missing.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.starts_with("error: missing.json cannot be read: "),
        "{ran:?}"
    );
    let both = [
        "tokens",
        "--text",
        "x",
        "--tokenizer",
        "config.json",
        "--model",
        "o200k",
    ];
    let ran = world.run(both);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("--tokenizer") && ran.err.contains("--model"),
        "{ran:?}"
    );
}
