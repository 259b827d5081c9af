//! `kitbag pack`, end to end: what is on which stream, that budgets hold, every flag of size and form.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::world::{SHOP, World};

/// Another implementation of the same tokenizer.
pub(crate) fn recount(text: &str) -> u64 {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64
}

/// Enough code for a budget to matter.
pub(crate) fn big() -> World {
    let mut fixture = String::new();
    for file in 0..12 {
        let _ = writeln!(fixture, "//- src/part{file}.rs\n//! Part {file} of the parser.\n");
        for item in 0..12 {
            let _ = writeln!(
                fixture,
                "/// Parses token {item} of part {file} and says how many there are.\n\
                 pub fn parse_token_{file}_{item}(input: &str) -> usize {{\n    let mut count = 0;\n    \
                 for word in input.split(\"{file} {item}\") {{\n        if word.len() > {item} {{\n            \
                 count += word.len() * {file};\n        }}\n    }}\n    count\n}}\n"
            );
        }
    }
    World::new(&fixture)
}

#[test]
fn cli_1_the_pack_and_nothing_else_is_on_standard_output() {
    let world = World::new(SHOP);
    let ran = world.run(["pack", "how", "is a password verified"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.starts_with("# how is a password verified\n\n## "),
        "{ran:?}"
    );
    assert!(
        ran.out
            .contains("pub fn verify_password(given: &str, stored: &str) -> bool {")
    );
    let first_words: Vec<&str> = ran
        .err
        .lines()
        .filter_map(|line| line.split("  ").next())
        .collect();
    assert_eq!(
        first_words,
        ["pack", "intent", "items", "sections", "time"],
        "{ran:?}"
    );
    let quiet = world.run(["pack", "how is a password verified", "--quiet"]);
    assert_eq!((quiet.out, quiet.err.as_str()), (ran.out.clone(), ""));
    let (code, reply) = world.json(&["pack", "how is a password verified"]);
    assert_eq!(code, Some(0));
    assert_eq!(reply["text"], ran.out, "the reply holds what is printed");
    assert_eq!(reply["tokens"], recount(&ran.out));
}

#[test]
fn pack_31_no_budget_is_ever_exceeded_and_all_are_filled() {
    let world = big();
    for format in kitbag_engine::api::formats() {
        for budget in [120, 300, 1_000, 3_000] {
            let budget_text = budget.to_string();
            let ran = world.run([
                "pack",
                "parse_token count",
                "--format",
                format,
                "--budget",
                &budget_text,
                "-q",
            ]);
            assert_eq!(ran.code, Some(0), "{format} {budget}: {ran:?}");
            let tokens = recount(&ran.out);
            assert!(tokens <= budget, "{format}: {tokens} of {budget}");
            assert!(
                budget < 1_000 || tokens * 100 >= budget * 95,
                "{format}: {tokens} of {budget}"
            );
        }
    }
}

#[test]
fn eng_1_two_runs_give_the_same_bytes() {
    let run = || {
        big()
            .run([
                "pack",
                "parse_token_3_4 count",
                "--budget",
                "1500",
                "--now",
                "4000000000000",
                "-q",
            ])
            .out
    };
    let (world, other) = (big(), run());
    let here = world
        .run(["pack", "parse_token_3_4 count", "--budget", "1500", "-q"])
        .out;
    assert_eq!(here, other, "in another folder");
    assert_eq!(
        here,
        world
            .run(["pack", "parse_token_3_4 count", "--budget", "1500", "-q"])
            .out,
        "again"
    );
}

#[test]
fn pack_72_line_ranges_are_those_of_the_files() {
    let world = big();
    let (_, reply) = world.json(&["pack", "parse_token_2_5", "--budget", "2000", "--line-numbers"]);
    let text = reply["text"].as_str().unwrap();
    let items = reply["items"].as_array().unwrap();
    assert!(items.len() > 5);
    for item in items {
        let file = String::from_utf8(world.project.read(item["path"].as_str().unwrap())).unwrap();
        let lines: Vec<&str> = file.lines().collect();
        for shown in item["lines_shown"].as_array().unwrap() {
            for number in shown[0].as_u64().unwrap()..=shown[1].as_u64().unwrap() {
                let line = lines[number as usize - 1];
                assert!(
                    number >= item["line_start"].as_u64().unwrap()
                        && number <= item["line_end"].as_u64().unwrap()
                );
                let numbered = format!("{number} {line}");
                assert!(text.lines().any(|have| have.trim_start() == numbered.trim_end() || have.trim_start() == numbered), "{numbered}");
            }
        }
    }
}

#[test]
fn idx_36_a_file_that_changed_is_served_as_it_is_now() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let edited = String::from_utf8(world.project.read("src/auth.rs")).unwrap();
    world.project.write(
        "src/auth.rs",
        edited.replace(
            "hash_password(given) == stored",
            "stored == hash_password(given) // new",
        ),
    );
    let (_, reply) = world.json(&["pack", "verify_password", "--no-update"]);
    assert!(reply["text"].as_str().unwrap().contains("// new"), "{reply}");
    assert_eq!(reply["stats"]["changed_files"], json!(["src/auth.rs"]));
}

#[test]
fn pack_30_windows_leave_room_for_their_reserves() {
    let world = big();
    let budget = |args: &[&str]| {
        let (code, reply) = world.json(&[&["pack", "parse_token count"], args].concat());
        assert_eq!(code, Some(0), "{reply}");
        reply
    };
    assert_eq!(budget(&["--window", "12000"])["budget"], 2_000);
    assert_eq!(
        budget(&[
            "--window",
            "3000",
            "--system-reserve",
            "500",
            "--response-reserve",
            "1000"
        ])["budget"],
        1_500
    );
    assert_eq!(
        budget(&["--response-reserve", "97000"])["budget"],
        1_000,
        "of the configured window"
    );
    let full = budget(&["--window", "12000"]);
    assert!(
        full["warnings"][0]["reason"]
            .as_str()
            .unwrap()
            .starts_with("pack and reserves take 9"),
        "{}",
        full["warnings"]
    );
    let ran = world.run(["pack", "parse_token count", "--window", "12000"]);
    assert!(ran.err.contains("warning: pack and reserves take 9"), "{ran:?}");
    assert_eq!(
        budget(&["--window", "100000"])["warnings"],
        json!([]),
        "there is room left"
    );
}

#[test]
fn cfg_4_the_budget_follows_the_task() {
    let world = World::new(SHOP);
    let budget =
        |task: &str, args: &[&str]| world.json(&[&["pack", task], args].concat()).1["budget"].clone();
    assert_eq!(budget("explain the cart", &[]), 8_000);
    assert_eq!(budget("explain the cart", &["--complexity", "9"]), 12_000);
    assert_eq!(budget("explain the cart", &["--complexity", "2"]), 5_600);
    assert_eq!(budget("explain the cart", &["--complexity", "5"]), 8_000);
    assert_eq!(budget("fix the crash in the cart", &[]), 6_400);
    assert_eq!(budget("explain the cart", &["--intent", "fix_bug"]), 6_400);
    world
        .project
        .write("kitbag.toml", "[budget]\ndefault_max_tokens = 1000\n");
    assert_eq!(budget("explain the cart", &[]), 1_000);
}

#[test]
fn cfg_2_settings_reach_the_pack() {
    let world = World::new(SHOP);
    let (_, reply) = world.json(&["pack", "password"]);
    assert_eq!(reply["weights"]["relevance"], 0.7);
    let text = "[ranking]\nrelevance = 0.2\nrecency = 0.3\nsource = 0.5\n[source_priority]\nsearch = 10\n[packing]\nmin_score = 0.9\n";
    world.project.write("kitbag.toml", text);
    let (code, reply) = world.json(&["pack", "password"]);
    assert_eq!(
        reply["weights"],
        json!({"relevance": 0.2, "recency": 0.3, "source": 0.5})
    );
    assert_eq!(code, Some(1), "nothing scores 0.9 any more");
    assert!(reply["stats"]["by_reason"]["below_threshold"].as_u64().unwrap() > 0);
}

#[test]
fn pack_34_models_and_tokenizer_files_count() {
    let world = big();
    let (_, reply) = world.json(&["pack", "parse_token", "--budget", "900", "--model", "claude"]);
    assert_eq!(
        (&reply["tokenizer"], &reply["exact"]),
        (&json!("claude"), &json!(false))
    );
    let ran = world.run(["pack", "parse_token", "--budget", "900", "--model", "claude"]);
    assert!(
        ran.err.contains("at most, by claude with 60 % headroom"),
        "{ran:?}"
    );
    let (_, reply) = world.json(&["pack", "parse_token", "--budget", "900", "--model", "gpt-4"]);
    assert_eq!(
        (&reply["tokenizer"], &reply["exact"]),
        (&json!("cl100k"), &json!(true))
    );
    let vocabulary = include_str!("../../../kitbag-tokens/fixtures/gpt_like.json");
    world.home.write("tokenizer.json", vocabulary);
    let file = world.home.path("tokenizer.json");
    let ran = world.run([
        "pack".as_ref(),
        "parse_token".as_ref(),
        "--budget=900".as_ref(),
        "--tokenizer".as_ref(),
        file.as_os_str(),
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    world.home.write("pack.md", &ran.out);
    let pack = world.home.path("pack.md");
    let count = world
        .run([
            "tokens".as_ref(),
            pack.as_os_str(),
            "--tokenizer".as_ref(),
            file.as_os_str(),
        ])
        .out;
    assert!(count.trim().parse::<u64>().unwrap() <= 900, "{count}");
}

#[test]
fn pack_45_preview_shows_the_choice_and_no_text() {
    let world = World::new(SHOP);
    let ran = world.run(["pack", "verify_password", "--preview", "--quiet"]);
    let header: Vec<&str> = ran.out.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(
        header,
        ["rank", "citation", "place", "resolution", "tokens", "section"]
    );
    let first: Vec<&str> = ran.out.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((first[0], first[2]), ("1", "src/auth.rs:1-10"), "{ran:?}");
    assert!(!ran.out.contains("hash_password(given)"), "{ran:?}");
    let (_, reply) = world.json(&["pack", "verify_password", "--preview"]);
    assert_eq!(reply["text"], "");
    let (_, whole) = world.json(&["pack", "verify_password"]);
    assert_eq!(reply["items"], whole["items"], "the same choice");
    assert_eq!(reply["tokens"], whole["tokens"]);
    let ran = world.run([
        "pack",
        "verify_password",
        "--preview",
        "--stats",
        "--explain",
        "-q",
    ]);
    for part in [
        "score = 0.70 relevance",
        "tokens by source\n  frame ",
        "seconds by stage\n",
    ] {
        assert!(ran.out.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn pack_15_explain_and_stats_stand_beside_the_pack() {
    let world = World::new(SHOP);
    let plain = world.run(["pack", "verify_password"]);
    let ran = world.run(["pack", "verify_password", "--explain", "--stats"]);
    assert_eq!(ran.out, plain.out);
    for part in [
        "score = 0.70 relevance",
        "tokens by section\n",
        "tokens saved by deduplication",
        "pack      ",
    ] {
        assert!(ran.err.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn pack_70_formats_templates_and_line_numbers() {
    let world = World::new(SHOP);
    let pack = |args: &[&str]| {
        let ran = world.run([&["pack", "verify_password", "-q"], args].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    assert!(serde_json::from_str::<Value>(&pack(&["--format", "json"])).is_ok());
    assert!(pack(&["--format", "xml"]).trim_start().starts_with('<'));
    assert!(pack(&["--format", "project-context"]).contains("<project_context"));
    assert!(!pack(&["--format", "plain"]).contains("```"));
    assert!(pack(&["--line-numbers"]).contains("\n 4 pub fn verify_password"));
    world.project.write("mine.j2", "{{ task }}!\n");
    assert_eq!(pack(&["--template", "mine.j2"]).trim_end(), "verify_password!");
    let (_, reply) = world.json(&["pack", "verify_password", "--template", "mine.j2"]);
    assert_eq!(reply["format"], "template");
}

#[test]
fn cli_1_out_writes_the_whole_file_and_nothing_to_standard_output() {
    let world = World::new(SHOP);
    let text = world.run(["pack", "verify_password", "-q"]).out;
    let ran = world.run(["pack", "verify_password", "--out", "docs.md"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("wrote docs.md ("), "{ran:?}");
    assert_eq!(world.project.read("docs.md"), text.as_bytes());
    world.project.remove("docs.md");
    let ran = world.run(["pack", "verify_password", "--json", "--out", "pack.json"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    let reply: Value = serde_json::from_slice(&world.project.read("pack.json")).unwrap();
    assert_eq!(reply["text"], text);
    let ran = world.run(["pack", "verify_password", "--out", "no/such/folder.md"]);
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.err
            .starts_with("error: no/such/folder.md cannot be written: "),
        "{ran:?}"
    );
    let ran = world.run(["pack", "verify_password", "--out", "/dev/null", "-q"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), ""),
        "a device is written to, not replaced"
    );
}

#[cfg(unix)]
#[test]
fn cli_1_copy_hands_it_to_the_clipboard() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new(SHOP);
    let text = world.run(["pack", "verify_password", "-q"]).out;
    world
        .home
        .write("bin/wl-copy", "#!/bin/sh\ncat > \"$HOME/copied\"\n");
    let program = world.home.path("bin/wl-copy");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = |args: &[&str]| {
        let mut command = world.command([&["pack", "verify_password", "--copy"], args].concat());
        let path = format!(
            "{}:{}",
            world.home.path("bin").display(),
            std::env::var("PATH").unwrap()
        );
        let output = command
            .env("PATH", path)
            .env("WAYLAND_DISPLAY", "wayland-0")
            .output()
            .unwrap();
        world.ran(&output)
    };
    let ran = run(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("copied with wl-copy\n"), "{ran:?}");
    assert_eq!(world.home.read("copied"), text.as_bytes());
    let ran = run(&["--json"]);
    assert!(ran.out.starts_with("{\"text\":") && ran.err.is_empty(), "{ran:?}");
    // No clipboard and no terminal: the pack is printed, and the person told. A session of its own has no terminal to ask,
    // wherever the tests run.
    let command = world.command(["pack", "verify_password", "--copy"]);
    let mut alone = std::process::Command::new("setsid");
    alone
        .arg("--wait")
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(world.project.root())
        .env_clear()
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
    let ran = world.ran(&alone.output().unwrap());
    assert_eq!(ran.out, text);
    assert!(ran.err.contains("warning: not copied: "), "{ran:?}");
}

#[test]
fn cli_1_a_long_task_comes_through_a_pipe() {
    let world = World::new(SHOP);
    let ran = world.run_with_input(
        &["pack", "-", "-q"],
        b"How is a password verified?\n\nIt seems to be reversed.\n",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.starts_with("# How is a password verified?\n") && ran.out.contains("verify_password"),
        "{ran:?}"
    );
}

#[test]
fn pack_2_nothing_found_is_an_empty_pack_and_a_hint() {
    let world = World::new(SHOP);
    let cases: &[(&[&str], &str)] = &[
        (
            &["zzzqqq"],
            "the pack is empty: nothing found; use other words, or name files with --open or --ref\n",
        ),
        (
            &["password", "--path", "nowhere/**"],
            "the pack is empty: nothing found with --path\n",
        ),
        (
            &["password", "--budget", "0"],
            "the pack is empty: the budget is 0 tokens\n",
        ),
        (
            &["password", "--budget", "3"],
            "the pack is empty: nothing fits into 3 tokens; raise --budget\n",
        ),
    ];
    for (args, remark) in cases {
        let ran = world.run([&["pack"], *args].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.ends_with(remark), "{ran:?}");
        let (code, reply) = world.json(&[&["pack"], *args].concat());
        assert_eq!((code, &reply["items"]), (Some(1), &json!([])));
    }
}

#[test]
fn pack_a_store_that_cannot_be_written_does_not_matter() {
    let world = World::new(SHOP);
    world.run(["index"]);
    world
        .project
        .write(".git/kitbag/packs", "a file where a folder should be");
    let ran = world.run(["pack", "verify_password", "--no-update"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = world.run(["pack", "verify_password", "--no-update", "--verbose"]);
    assert!(ran.err.contains("not kept: "), "{ran:?}");
}
