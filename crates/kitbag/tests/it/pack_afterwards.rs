//! `kitbag explain`, `verify` and `cite`: what can be done with a pack once it is made.

use serde_json::{Value, json};

use crate::world::{SHOP, World, keys};

fn packed(args: &[&str]) -> (World, Value) {
    // Each definition for itself, so that they can have fates of their own.
    let world = World::new(&format!(
        "{SHOP}//- kitbag.toml\n[chunking]\nmin_chunk_tokens = 1\n"
    ));
    let (code, reply) = world.json(&[&["pack", "verify_password total_price"], args].concat());
    assert_eq!(code, Some(0), "{reply}");
    (world, reply)
}

fn edit(world: &World, path: &str, from: &str, to: &str) {
    let old = String::from_utf8(world.project.read(path)).expect("the fixture is text");
    assert!(old.contains(from), "{path} has {from}");
    world.project.write(path, old.replace(from, to));
}

/// The states of a pack's items, by label.
fn states(reply: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let items = reply["items"].as_array().expect("a list").iter();
    items
        .map(|item| (text(&item["label"]), text(&item["state"])))
        .collect()
}

fn state_of(reply: &Value, label: &str) -> String {
    let found = states(reply).into_iter().find(|(name, _)| name == label);
    found.unwrap_or_else(|| panic!("{label}: {reply}")).1
}

#[test]
fn pack_62_an_untouched_tree_verifies() {
    let (world, pack) = packed(&[]);
    let ran = world.run(["verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let n_items = pack["items"].as_array().unwrap().len();
    assert_eq!(ran.err, format!("the pack holds: {n_items} same\n"));
    assert!(ran.out.lines().all(|line| line.starts_with("same  ")), "{ran:?}");
    let (code, reply) = world.json(&["verify"]);
    assert_eq!((code, &reply["same"]), (Some(0), &json!(n_items)));
    assert_eq!(
        keys(&reply),
        ["changed", "given", "gone", "items", "moved", "same", "task"]
    );
    let item_keys = [
        "citation",
        "detail",
        "label",
        "line_end",
        "line_start",
        "new_line_end",
        "new_line_start",
        "path",
        "snippet_id",
        "state",
    ];
    assert_eq!(keys(&reply["items"][0]), item_keys);
}

#[test]
fn pack_62_moved_changed_and_gone_are_told_apart() {
    let (world, _) = packed(&[]);
    edit(
        &world,
        "src/auth.rs",
        "    hash_password(given) == stored\n",
        "    let hash = hash_password(given);\n    hash == stored\n",
    );
    edit(&world, "tests/auth_test.rs", "#[test]", "#[test]\n#[cfg(unix)]");
    world.project.remove("shop/cart.py");
    let (code, reply) = world.json(&["verify"]);
    assert_eq!(code, Some(1), "{reply}");
    assert_eq!(state_of(&reply, "verify_password"), "changed");
    assert_eq!(state_of(&reply, "hash_password"), "moved");
    assert_eq!(state_of(&reply, "main"), "same");
    let of = |label: &str| {
        let items = reply["items"].as_array().unwrap();
        items.iter().find(|item| item["label"] == label).unwrap().clone()
    };
    let lines = |label: &str| {
        (
            of(label)["new_line_start"].clone(),
            of(label)["new_line_end"].clone(),
        )
    };
    assert_eq!(lines("verify_password"), (json!(1), json!(7)), "{reply}");
    assert_eq!(
        lines("hash_password"),
        (json!(9), json!(11)),
        "one line further down: {reply}"
    );
    assert_eq!(lines("main"), (Value::Null, Value::Null));
    assert_eq!(
        reply["gone"].as_u64().unwrap(),
        states(&reply).iter().filter(|(_, state)| state == "gone").count() as u64
    );
    let ran = world.run(["verify"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("shop/cart.py") && ran.out.contains("there is no such file any more"),
        "{ran:?}"
    );
    assert!(ran.err.starts_with("the pack no longer holds: "), "{ran:?}");

    // A definition that is no longer there is gone, though its file is not.
    edit(
        &world,
        "src/auth.rs",
        "fn hash_password(text: &str) -> String {\n    text.chars().rev().collect()\n}\n",
        "",
    );
    let (_, reply) = world.json(&["verify"]);
    assert_eq!(state_of(&reply, "hash_password"), "gone", "{reply}");
}

#[test]
fn pack_62_only_moving_is_fine() {
    let (world, _) = packed(&["--path", "shop/**"]);
    edit(
        &world,
        "shop/cart.py",
        "class Cart:",
        "import math\n\n\nclass Cart:",
    );
    let (code, reply) = world.json(&["verify"]);
    assert_eq!(code, Some(0), "{reply}");
    assert!(
        reply["moved"].as_u64().unwrap() >= 1 && reply["same"] == 0,
        "{reply}"
    );
}

#[test]
fn pack_62_refresh_prints_only_what_changed() {
    let (world, pack) = packed(&["--format", "xml", "--budget", "700", "--line-numbers"]);
    let ran = world.run(["verify", "--refresh"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), ""),
        "nothing changed: {ran:?}"
    );
    edit(&world, "src/auth.rs", "chars().rev()", "chars().rev().rev()");
    let ran = world.run(["verify", "--refresh"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("chars().rev().rev()") && ran.out.trim_start().starts_with('<'),
        "{ran:?}"
    );
    assert!(
        !ran.out.contains("verify_password(given"),
        "only what changed: {ran:?}"
    );
    let (_, refreshed) = world.json(&["verify", "--refresh"]);
    let citation = |reply: &Value| {
        let items = reply["items"].as_array().unwrap();
        items
            .iter()
            .find(|item| item["label"] == "hash_password")
            .unwrap()["citation"]
            .clone()
    };
    assert_eq!(refreshed["items"].as_array().unwrap().len(), 1, "{refreshed}");
    assert_eq!(
        citation(&refreshed),
        citation(&pack),
        "what was quoted can still be"
    );
    assert_eq!(refreshed["budget"], 700);
}

#[test]
fn pack_62_a_pack_is_known_by_its_json_or_its_text() {
    let world = World::new(SHOP);
    world
        .home
        .write("one.json", world.run(["pack", "verify_password", "--json"]).out);
    let formats = kitbag_engine::api::formats();
    for format in &formats {
        let text = world
            .run(["pack", "verify_password", "--format", format, "-q"])
            .out;
        // Clipboards and editors change the end, and nothing else.
        world
            .home
            .write(format!("{format}.txt"), format!("{}\n\n", text.trim_end()));
    }
    world.run(["pack", "total_price", "-q"]);
    let texts = formats.iter().map(|format| format!("{format}.txt"));
    for name in texts.chain(["one.json".to_owned()]) {
        let path = world.home.path(&name).display().to_string();
        let (code, reply) = world.json(&["verify", &path]);
        assert_eq!(
            (code, &reply["task"]),
            (Some(0), &json!("verify_password")),
            "{name}"
        );
    }
    let text = world.home.read("plain.txt");
    let ran = world.run_with_input(&["verify", "-", "--json"], &text);
    assert!(ran.out.contains("\"task\":\"verify_password\""), "{ran:?}");
    // A reply is enough, even if the store has forgotten it.
    world.project.remove(".git/kitbag/packs");
    let path = world.home.path("one.json").display().to_string();
    assert_eq!(world.json(&["verify", &path]).1["task"], "verify_password");
    world.project.write("stranger.md", "# Not a pack\n");
    world.run(["verify", "stranger.md"]).check_error(
        2,
        "error: stranger.md is neither the JSON of a pack nor the text of one that is known here\n\
         hint: give what `kitbag pack --json` printed, or the unchanged text of one of the last 20 packs\n",
    );
    world.run(["verify"]).check_error(
        1,
        "error: no pack of this project is kept\nhint: make one with `kitbag pack \"<task>\"`, or name a file\n",
    );
}

#[test]
fn pack_62_what_was_handed_in_has_no_file_to_differ_from() {
    let world = World::new(SHOP);
    world.run_with_input(
        &["pack", "why", "--tool-result", "-", "--path", "nowhere/**"],
        b"boom\n",
    );
    let ran = world.run(["verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.err, "nothing in this pack was read from a file\n");
    assert!(ran.out.starts_with("given  tr-"), "{ran:?}");
}

#[test]
fn pack_61_citations_become_a_list_of_sources() {
    let (world, pack) = packed(&[]);
    let items = pack["items"].as_array().unwrap();
    let (first, second) = (&items[0], &items[1]);
    let cited = |item: &Value| {
        let text = |name: &str| item[name].as_str().unwrap().to_owned();
        format!(
            "[{}] {}:{}-{} {}",
            text("citation"),
            text("path"),
            item["line_start"],
            item["line_end"],
            text("label")
        )
    };
    let answer = format!(
        "See [{}], then {} and [fn-zzzz].",
        first["citation"].as_str().unwrap(),
        second["citation"].as_str().unwrap()
    );
    world.project.write("answer.md", &answer);
    let ran = world.run(["cite", "answer.md"]);
    ran.check(
        0,
        &format!("{}\n{}\n", cited(first).trim_end(), cited(second).trim_end()),
    );
    let n_items = items.len();
    assert_eq!(
        ran.err,
        format!("warning: [fn-zzzz] is not in the pack\n2 of {n_items} items used so far\n")
    );

    // What was used is remembered over answers.
    let (_, reply) = world.json(&["cite", "answer.md"]);
    assert_eq!(keys(&reply), ["sources", "unknown", "unused"]);
    assert_eq!(reply["unknown"], json!(["fn-zzzz"]));
    assert_eq!(reply["unused"].as_array().unwrap().len(), n_items - 2);
    let third = items[2]["citation"].as_str().unwrap();
    let ran = world.run_with_input(&["cite"], third.as_bytes());
    assert_eq!(ran.err, format!("3 of {n_items} items used so far\n"));
    let ran = world.run_with_input(&["cite", "-"], b"nothing quoted here");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(1), "the answer cites nothing from the pack\n")
    );
}

#[test]
fn pack_61_an_older_pack_can_be_named() {
    let world = World::new(SHOP);
    world.project.write(
        "pack.md",
        world.run(["pack", "total_price", "--path", "shop/**", "-q"]).out,
    );
    let (_, old) = world.json(&["pack", "total_price", "--path", "shop/**"]);
    world.run(["pack", "verify_password", "--path", "src/**", "-q"]);
    world
        .project
        .write("answer.md", old["items"][0]["citation"].as_str().unwrap());
    assert_eq!(
        world.run(["cite", "answer.md"]).code,
        Some(1),
        "it is not in the last one"
    );
    assert_eq!(
        world.run(["cite", "answer.md", "--pack", "pack.md"]).code,
        Some(0)
    );
    let ran = world.run(["cite", "-", "--pack", "-"]);
    ran.check_error(
        2,
        "error: standard input is asked for 2 times; it can be read once\n",
    );
}

#[test]
fn pack_15_explain_says_why_in_and_why_out() {
    let (world, pack) = packed(&["--budget", "150", "--open", "gone.rs", "--explain"]);
    let ran = world.run(["explain"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.starts_with(
            "score = 0.70 relevance + 0.10 recency + 0.20 source\nintent: understand, inferred from the task\n"
        ),
        "{ran:?}"
    );
    assert!(
        ran.out.contains("\nleft out\n") && ran.out.contains("missing"),
        "{ran:?}"
    );
    let first = &pack["items"][0];
    let place = format!("{}:{}", first["path"].as_str().unwrap(), first["line_start"]);
    for target in [
        first["citation"].as_str().unwrap(),
        "1",
        &place,
        first["label"].as_str().unwrap(),
    ] {
        let ran = world.run(["explain", target]);
        assert_eq!(ran.code, Some(0), "{target}: {ran:?}");
        assert!(
            ran.out.contains("  score     0.") || ran.out.contains("  score  0."),
            "{target}: {ran:?}"
        );
        assert!(ran.out.contains(" relevance + 0.10 × "), "{target}: {ran:?}");
    }
    let ran = world.run(["explain", "gone.rs"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            Some(0),
            "not in the pack\n\nleft out\n  gone.rs\n     missing: there is no such file\n"
        ),
    );
    let out = pack["excluded"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["reason"] == "budget")
        .unwrap();
    let (_, reply) = world.json(&[
        "explain",
        &format!("{}:{}", out["path"].as_str().unwrap(), out["line_start"]),
    ]);
    assert!(
        reply["excluded"].to_string().contains("no room was left for it"),
        "{reply}"
    );
    let ran = world.run(["explain", "no_such_thing"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "`no_such_thing` is neither in the pack nor among what was left out: nothing found it\n"
    );
}

#[test]
fn pack_15_the_score_is_the_sum_of_its_factors() {
    let (world, _) = packed(&[]);
    let (_, reply) = world.json(&["explain"]);
    assert_eq!(
        keys(&reply),
        [
            "budget",
            "excluded",
            "intent",
            "intent_inferred",
            "items",
            "task",
            "tokens",
            "weights"
        ]
    );
    for item in reply["items"].as_array().unwrap() {
        let sum: f64 = ["relevance", "recency", "source"]
            .iter()
            .map(|name| {
                let factors = item["factors"].as_array().unwrap();
                let factor = factors.iter().find(|factor| factor["factor"] == *name).unwrap();
                factor["value"].as_f64().unwrap() * reply["weights"][*name].as_f64().unwrap()
            })
            .sum();
        assert!((sum - item["score"].as_f64().unwrap()).abs() < 1e-5, "{item}");
    }
}

#[test]
fn pack_15_a_preview_is_explained_like_a_pack() {
    let (world, _) = packed(&[]);
    world.run(["pack", "something else entirely password", "--preview"]);
    assert_eq!(
        world.json(&["explain"]).1["task"],
        "something else entirely password"
    );
}
