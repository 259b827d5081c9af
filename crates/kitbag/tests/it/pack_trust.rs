//! What a pack says about itself is so (PACK-4, PACK-44, PACK-47, PACK-74), from the command line and through a server.

use std::fmt::Write as _;

use kitbag_testkit::random::Random;
use serde_json::{Value, json};

use crate::pack::{big, recount};
use crate::serve::Server;
use crate::world::{SHOP, World};

fn pack(world: &World, args: &[&str]) -> Value {
    let (code, reply) = world.json(&[&["pack"], args].concat());
    assert_eq!(code, Some(0), "{reply}");
    reply
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().expect("a list")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

/// Every line of a file that stands in the text, once for each time it does.
fn shown(reply: &Value, path: &str) -> Vec<u64> {
    let here = list(reply, "items").iter().filter(|item| item["path"] == path);
    let ranges = here.flat_map(|item| list(item, "lines_shown"));
    ranges
        .flat_map(|range| number(&range[0])..=number(&range[1]))
        .collect()
}

#[test]
fn pack_4_lines_that_were_asked_for_are_all_shown() {
    let world = big();
    let random = &mut Random::new(4);
    for n in 0..8 {
        let path = format!("src/part{}.rs", random.below(12));
        let text = String::from_utf8(world.project.read(&path)).unwrap();
        let n_lines = text.lines().count();
        let start = 1 + random.below(n_lines);
        let end = (start + random.below(60)).min(n_lines);
        let place = format!("{path}:{start}-{end}");
        let reply = pack(
            &world,
            &["parse_token count", "--ref", &place, "--budget", "2500"],
        );
        let lines = shown(&reply, &path);
        for line in start..=end {
            assert!(
                lines.contains(&(line as u64)),
                "{n}: {line} of {place}: {lines:?}"
            );
        }
        let asked = list(&reply, "items")
            .iter()
            .find(|item| item["asked"] != json!([]));
        assert_eq!(asked.unwrap()["asked"], json!([[start, end]]), "{place}");
    }
}

/// A run of tests with one failure at its end.
fn log(n_passing: usize) -> String {
    let mut log = String::from("============ test session starts ============\n");
    for n in 0..n_passing {
        let _ = writeln!(log, "tests/test_many.py::test_case_number_{n} PASSED");
    }
    log + "=================== FAILURES ===================\n>       assert cart.total_price() == 4\n\
           E       assert 3 == 4\n\nshop/cart.py:11: AssertionError\n\
           FAILED tests/test_many.py::test_total - assert 3 == 4\n========= 1 failed in 3.21s =========\n"
}

#[test]
fn pack_4_a_log_is_read_from_its_failure() {
    let world = World::new(SHOP);
    for (n_passing, budget) in [(400, "600"), (3_000, "2000"), (3_000, "8000")] {
        world.home.write("test.log", log(n_passing));
        let file = world.home.path("test.log").display().to_string();
        let reply = pack(
            &world,
            &["why does this fail", "--tool-result", &file, "--budget", budget],
        );
        let text = reply["text"].as_str().unwrap();
        for line in [
            "E       assert 3 == 4",
            "shop/cart.py:11: AssertionError",
            "1 failed in 3.21s",
        ] {
            assert!(text.contains(line), "{line} of {n_passing} in {budget}: {text}");
        }
        assert!(
            text.contains("def total_price(self):"),
            "its places steer: {text}"
        );
    }
}

#[test]
fn pack_4_of_a_log_that_is_too_large_the_end_is_used_under_its_own_numbers() {
    let world = World::new(SHOP);
    let log = log(120_000);
    assert!(log.len() > 5 << 20);
    let last = log.lines().count() as u64;
    world.home.write("test.log", &log);
    let file = world.home.path("test.log").display().to_string();
    let reply = pack(&world, &["why does this fail", "--tool-result", &file]);
    assert!(
        reply["warnings"].to_string().contains("only its last"),
        "{}",
        reply["warnings"]
    );
    assert!(reply["text"].as_str().unwrap().contains("1 failed in 3.21s"));
    assert_eq!(shown(&reply, "test.log").last(), Some(&last));
}

#[test]
fn pack_4_nothing_is_searched_with_sources_only() {
    let world = World::new(SHOP);
    world.project.write("none.json", "[]");
    let reply = pack(&world, &["verify_password", "--sources", "none.json"]);
    assert!(
        !list(&reply, "items").is_empty(),
        "an empty list alone does not keep from searching"
    );
    let ran = world.run([
        "pack",
        "verify_password",
        "--sources",
        "none.json",
        "--sources-only",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.err.contains("nothing was handed in"), "{ran:?}");
    let reply = pack(
        &world,
        &["verify_password", "--ref", "shop/cart.py:1-5", "--sources-only"],
    );
    let paths: Vec<&Value> = list(&reply, "items").iter().map(|item| &item["path"]).collect();
    assert_eq!(paths, ["shop/cart.py"]);
    assert_eq!(shown(&reply, "shop/cart.py"), [1, 2, 3, 4, 5]);
}

/// A pack of these sources and nothing else.
fn of_sources(world: &World, sources: &Value) -> Value {
    world.home.write("sources.json", sources.to_string());
    let file = world.home.path("sources.json").display().to_string();
    let (_, reply) = world.json(&["pack", "password", "--sources", &file, "--sources-only"]);
    reply
}

#[test]
fn pack_4_a_last_line_alone_means_the_lines_up_to_it() {
    let world = World::new(SHOP);
    let reply = of_sources(
        &world,
        &json!([{"kind": "reference", "path": "src/auth.rs", "line_end": 4}]),
    );
    assert_eq!(shown(&reply, "src/auth.rs"), [1, 2, 3, 4], "{reply}");
    world.project.write(
        "zero.json",
        r#"[{"kind": "reference", "path": "src/auth.rs", "line_end": 0}]"#,
    );
    let ran = world.run(["pack", "password", "--sources", "zero.json"]);
    assert!(ran.err.contains("lines count from 1"), "{ran:?}");
}

#[test]
fn pack_2_empty_content_is_named() {
    let world = World::new(SHOP);
    world.project.write("empty.txt", "");
    let sources = json!([
        {"kind": "message", "content": "", "label": "Ada"},
        {"kind": "message", "content": " \n\n", "label": "Bo"},
        {"kind": "reference", "path": "empty.txt", "line_start": 1},
        {"kind": "message", "content": "hello", "label": "Cy"},
    ]);
    let reply = of_sources(&world, &sources);
    let left: Vec<String> = list(&reply, "excluded")
        .iter()
        .map(|one| format!("{} {} {}", one["path"], one["reason"], one["detail"]).replace('"', ""))
        .collect();
    assert_eq!(
        left,
        [
            "Ada missing its content is empty",
            "Bo missing its content is empty",
            "empty.txt missing the file is empty"
        ]
    );
}

#[test]
fn pack_4_texts_with_a_path_are_deduplicated_by_their_lines() {
    let world = World::new(SHOP);
    let text = String::from_utf8(world.project.read("src/auth.rs")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let part = |start: usize, end: usize| {
        let content = lines[start - 1..end].join("\n");
        json!({"kind": "search", "path": "src/auth.rs", "line_start": start, "line_end": end, "content": content})
    };
    let reply = of_sources(
        &world,
        &json!([part(2, 6), part(4, 8), part(5, 9), {"kind": "open_file", "path": "src/auth.rs"}]),
    );
    let mut found = shown(&reply, "src/auth.rs");
    let n_shown = found.len();
    found.dedup();
    assert_eq!(found.len(), n_shown, "each line once: {reply}");
    // Two versions that differ both stand, and neither is called the other.
    let old = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
    let new = "one\ntwo\nthree\nfour\nfive\nsix\nVII\n";
    let reply = of_sources(
        &world,
        &json!([
            {"kind": "message", "path": "src/auth.rs", "line_start": 1, "content": old, "label": "old"},
            {"kind": "message", "path": "src/auth.rs", "line_start": 1, "content": new, "label": "new"},
        ]),
    );
    let text = reply["text"].as_str().unwrap();
    assert!(
        text.contains("seven") && text.contains("VII") && !text.contains(" = "),
        "{text}"
    );
}

#[test]
fn pack_4_an_unsaved_buffer_replaces_its_file() {
    let world = World::new(SHOP);
    let text = String::from_utf8(world.project.read("src/auth.rs")).unwrap();
    let edited = text.replace("== stored", "== stored // not saved");
    let sources = json!([{"kind": "open_file", "path": "src/auth.rs", "content": edited}]);
    world.home.write("sources.json", sources.to_string());
    let file = world.home.path("sources.json").display().to_string();
    let reply = pack(&world, &["verify_password", "--sources", &file]);
    let text = reply["text"].as_str().unwrap();
    assert!(text.contains("== stored // not saved"), "{text}");
    assert_eq!(text.matches("fn verify_password").count(), 1, "{text}");
    let of_file = list(&reply, "items")
        .iter()
        .filter(|item| item["path"] == "src/auth.rs");
    assert!(of_file.clone().all(|item| item["is_file"] == false), "{reply}");
    assert!(of_file.count() > 0);
}

#[test]
fn pack_74_the_parts_add_up_in_every_format() {
    let world = big();
    world.home.write("test.log", log(50));
    let file = world.home.path("test.log").display().to_string();
    for format in kitbag_engine::api::formats() {
        for budget in ["150", "1000", "4000"] {
            let reply = pack(
                &world,
                &[
                    "parse_token_3_4 count",
                    "--format",
                    format,
                    "--budget",
                    budget,
                    "--tool-result",
                    &file,
                ],
            );
            let tokens = number(&reply["tokens"]);
            assert_eq!(tokens, recount(reply["text"].as_str().unwrap()));
            let items: u64 = list(&reply, "items")
                .iter()
                .map(|item| number(&item["tokens"]))
                .sum();
            assert_eq!(
                items + number(&reply["frame_tokens"]),
                tokens,
                "{format} {budget}"
            );
            for sums in [&reply["sections"], &reply["stats"]["by_source"]] {
                let sum: u64 = sums.as_object().unwrap().values().map(number).sum();
                assert_eq!(sum, tokens, "{format} {budget}: {sums}");
            }
        }
    }
}

#[test]
fn pack_44_reasons_have_scores_and_tokens_and_are_true() {
    let world = big();
    for budget in ["400", "1500", "4000"] {
        let reply = pack(&world, &["parse_token count", "--budget", budget, "--explain"]);
        let left = list(&reply, "excluded");
        assert!(!left.is_empty());
        for one in left {
            let score = one["score"].as_f64().expect("a score");
            assert!(one["tokens"].is_u64(), "{one}");
            if one["reason"] != "budget" && one["reason"] != "balance" {
                continue;
            }
            assert!(one["rank"].is_u64(), "{one}");
            for item in list(&reply, "items") {
                let is_worse = item["score"].as_f64().unwrap() < score;
                assert!(!is_worse || item["ahead"].is_string(), "{item} before {one}");
            }
        }
    }
}

#[test]
fn pack_47_a_part_stands_under_the_head_of_its_definition() {
    let mut fixture = String::from("//- src/long.py\ndef settle_all_the_accounts(ledger):\n");
    for n in 0..400 {
        let _ = writeln!(
            fixture,
            "    ledger.entry_{n} = ledger.compute(\"account number {n}\", {n})"
        );
    }
    let world = World::new(&fixture);
    let reply = pack(
        &world,
        &["ledger.entry_390 account number 390", "--budget", "1500"],
    );
    let part = list(&reply, "items")
        .iter()
        .find(|item| item["part"].is_array() && item["part"][0] != 1);
    let part = part.unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(part["head_lines"], json!([[1, 1]]), "{part}");
    let text = reply["text"].as_str().unwrap();
    assert!(text.contains("def settle_all_the_accounts(ledger):\n"), "{text}");
    assert!(
        text.contains("… ") && text.contains("–") && text.contains(" part "),
        "{text}"
    );
}

#[test]
fn pack_33_a_small_project_says_that_there_is_no_more_and_a_large_one_is_filled() {
    let world = World::new(SHOP);
    let reply = pack(&world, &["verify_password", "--budget", "50000"]);
    let is_told = reply["text"].as_str().unwrap().contains("nothing else was found");
    assert_eq!((is_told, &reply["candidates_ran_out"]), (true, &json!(true)));
    let reply = pack(&big(), &["parse_token_3_4", "--budget", "12000"]);
    let is_full = number(&reply["tokens"]) * 100 >= 95 * 12_000;
    assert!(
        is_full || reply["candidates_ran_out"] == true,
        "{}",
        reply["stats"]
    );
}

#[test]
fn pack_30_a_configured_window_is_the_budget() {
    let world = World::new(SHOP);
    let budget = |settings: &str| {
        world.project.write("kitbag.toml", settings);
        world.json(&["pack", "explain the cart"]).1["budget"].clone()
    };
    assert_eq!(budget("[budget]\ntotal_tokens = 30000\n"), 20_000);
    assert_eq!(budget("[budget]\nresponse_reserve = 18000\n"), 80_000);
    assert_eq!(
        budget("[budget]\ntotal_tokens = 30000\ndefault_max_tokens = 3000\n"),
        3_000,
        "a default of one's own stands"
    );
    assert_eq!(
        budget("[budget]\ntotal_tokens = 12000\ndefault_max_tokens = 6000\n"),
        2_000,
        "and never more than the window leaves"
    );
    assert_eq!(budget(""), 8_000);
}

#[test]
fn eng_40_a_preview_through_a_server_delivers_nothing() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start(&world);
    let ask = |args: &[&str]| {
        let start = [
            "--server",
            &server.url,
            "pack",
            "verify_password",
            "--session",
            "s",
        ];
        world.json(&[&start[..], args].concat()).1
    };
    let preview = ask(&["--preview"]);
    assert_eq!(
        preview["session"]["answer"],
        Value::Null,
        "{}",
        preview["session"]
    );
    let first = ask(&[]);
    assert_eq!(
        (&first["session"]["answer"], &first["session"]["referred"]),
        (&json!(1), &json!(0)),
        "{}",
        first["session"]
    );
    assert_eq!(ask(&[])["session"]["answer"], 2);
    // The other fields of a request arrive as well.
    let only = ask(&["--ref", "shop/cart.py:1-3", "--sources-only"]);
    let paths: Vec<&Value> = list(&only, "items").iter().map(|item| &item["path"]).collect();
    assert_eq!(paths, ["shop/cart.py"], "{only}");
}

#[test]
fn pack_33_guesses_and_handed_in_texts_are_not_all_there_is() {
    let world = big();
    let weak = pack(
        &world,
        &["FrobnicatorService quarterly dividends zebra giraffe parser"],
    );
    assert_eq!(weak["match"]["word"], "weak", "{}", weak["match"]);
    let given = pack(&world, &["x", "--sources-only", "--open", "src/part0.rs"]);
    for reply in [weak, given] {
        assert_eq!(reply["candidates_ran_out"], false);
        assert!(!reply["text"].as_str().unwrap().contains("nothing else was found"));
    }
}

#[test]
fn cli_5_what_was_left_out_is_listed_when_asked() {
    let world = big();
    let brief = pack(
        &world,
        &["parse_token count", "--budget", "400", "--open", "gone.rs"],
    );
    let reasons: Vec<&str> = list(&brief, "excluded")
        .iter()
        .filter_map(|one| one["reason"].as_str())
        .collect();
    assert_eq!(
        reasons,
        ["missing"],
        "what was handed in and refused is always told"
    );
    let whole = pack(
        &world,
        &[
            "parse_token count",
            "--budget",
            "400",
            "--open",
            "gone.rs",
            "--explain",
        ],
    );
    assert!(list(&whole, "excluded").len() > 1);
    assert_eq!(
        brief["stats"]["by_reason"], whole["stats"]["by_reason"],
        "the counts are whole"
    );
    let ran = world.run(["explain"]);
    assert!(ran.out.contains("budget"), "{ran:?}");
}
