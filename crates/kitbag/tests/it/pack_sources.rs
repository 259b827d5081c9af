//! What is handed in to `kitbag pack`: open files, references, tool results, the diff, a JSON list; and the filters.

use serde_json::{Value, json};

use crate::world::{SHOP, World};

fn pack(world: &World, args: &[&str]) -> Value {
    let (code, reply) = world.json(&[&["pack"], args].concat());
    assert_eq!(code, Some(0), "{reply}");
    reply
}

/// (path, first line, last line, source) of the items with this source.
fn of_source(reply: &Value, source: &str) -> Vec<(String, u64, u64)> {
    let items = reply["items"].as_array().expect("a list").iter();
    items
        .filter(|item| item["source"] == source)
        .map(|item| {
            let line = |name: &str| item[name].as_u64().expect("a number");
            (
                item["path"].as_str().expect("a string").to_owned(),
                line("line_start"),
                line("line_end"),
            )
        })
        .collect()
}

#[test]
fn pack_1_open_files_come_from_where_one_stands() {
    let world = World::new(SHOP);
    let reply = pack(&world, &["total_price", "--open", "src/auth.rs"]);
    assert!(
        of_source(&reply, "open_file")
            .iter()
            .all(|(path, ..)| path == "src/auth.rs")
    );
    assert_eq!(
        of_source(&reply, "open_file"),
        [("src/auth.rs".to_owned(), 1, 10)],
        "{reply}"
    );
    let mut command = world.command(["pack", "total_price", "--open", "auth.rs", "--json"]);
    let ran = world.ran(&command.current_dir(world.project.path("src")).output().unwrap());
    let there: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(there["items"], reply["items"]);
    // As a hint writes it, pasted in another folder.
    let mut command = world.command(["pack", "password", "--ref", "shop/cart.py:7-8", "--json"]);
    let ran = world.ran(&command.current_dir(world.project.path("src")).output().unwrap());
    let there: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(there["items"][0]["path"], "shop/cart.py");
}

#[test]
fn pack_13_references_are_guaranteed_a_place_and_come_first() {
    let world = World::new(SHOP);
    let reply = pack(
        &world,
        &[
            "password",
            "--ref",
            "shop/cart.py:7-8",
            "--ref",
            "README.md:1",
            "--budget",
            "300",
        ],
    );
    let found = of_source(&reply, "reference");
    assert_eq!(
        found,
        [("shop/cart.py".to_owned(), 7, 8), ("README.md".to_owned(), 1, 3)],
        "{reply}"
    );
    assert!(
        reply["text"]
            .as_str()
            .unwrap()
            .contains("self.items.append((item, price))")
    );
    let reply = pack(&world, &["password", "--ref", "Cart"]);
    assert_eq!(reply["items"][0]["path"], "shop/cart.py", "{reply}");
    assert_eq!(reply["items"][0]["selection_reason"], "asked for; in full");
    let reply = pack(&world, &["password", "--ref", "src/auth.rs"]);
    let first = &reply["items"][0];
    assert_eq!(
        (&first["path"], &first["selection_reason"]),
        (&json!("src/auth.rs"), &json!("asked for; in full")),
        "{reply}"
    );
}

#[test]
fn pack_1_tool_results_come_from_anywhere() {
    let world = World::new(SHOP);
    world.home.write(
        "run/test.log",
        "test a_good_password_opens ... FAILED\nassertion failed: opens\n",
    );
    let log = world.home.path("run/test.log").display().to_string();
    let reply = pack(&world, &["why does this fail", "--tool-result", &log]);
    assert_eq!(
        of_source(&reply, "tool_result"),
        [("test.log".to_owned(), 1, 2)],
        "{reply}"
    );
    let text = reply["text"].as_str().unwrap();
    assert!(
        text.contains("assertion failed: opens") && !text.contains("run/test.log"),
        "{text}"
    );
    let ran = world.run_with_input(
        &["pack", "why does this fail", "--tool-result", "-", "--json"],
        b"boom\nat verify_password\n",
    );
    let reply: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        of_source(&reply, "tool_result"),
        [("standard input".to_owned(), 1, 2)]
    );
    let item = reply["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["source"] == "tool_result")
        .unwrap();
    assert_eq!(
        (&item["is_file"], &item["section"]),
        (&json!(false), &json!("given"))
    );
}

#[test]
fn sec_1_secrets_in_what_is_handed_in_are_redacted() {
    let world = World::new(SHOP);
    let samples = kitbag_testkit::secrets::samples();
    let log: Vec<&str> = samples.iter().map(|sample| sample.text.as_str()).collect();
    let ran = world.run_with_input(
        &[
            "pack",
            "settings",
            "--tool-result",
            "-",
            "--budget",
            "100000",
            "-q",
        ],
        log.join("\n").as_bytes(),
    );
    assert!(
        ran.out.matches("[REDACTED").count() > samples.len() / 2,
        "{ran:?}"
    );
    for sample in &samples {
        let shown = ran.out.lines().find(|line| line.contains(&sample.secret));
        assert_eq!(shown, None, "{}", sample.kind);
    }
}

#[test]
fn pack_1_the_working_diff_is_a_tool_result() {
    let world = World::new(SHOP);
    let ran = world.run(["pack", "review this", "--diff"]);
    assert!(
        ran.err.contains("warning: git diff: nothing differs\n"),
        "{ran:?}"
    );
    let old = String::from_utf8(world.project.read("src/auth.rs")).unwrap();
    world
        .project
        .write("src/auth.rs", old.replace("rev()", "rev().rev()"));
    world.project.write(".env", "TOKEN=1\n");
    world.project.git(&["add", "--all", "--force"]);
    let reply = pack(&world, &["review this", "--diff"]);
    let first = &reply["items"][0];
    assert_eq!(
        (&first["path"], &first["source"]),
        (&json!("git diff"), &json!("tool_result")),
        "{reply}"
    );
    let text = reply["text"].as_str().unwrap();
    assert!(text.contains("+    text.chars().rev().rev().collect()"), "{text}");
    assert!(!text.contains("TOKEN"), "{text}");
    assert!(
        reply["warnings"]
            .to_string()
            .contains("git diff: .env is left out"),
        "{reply}"
    );
    world.project.git(&["commit", "--quiet", "--message", "second"]);
    let reply = pack(&world, &["--diff", "HEAD~1", "review this"]);
    assert_eq!(reply["items"][0]["path"], "git diff HEAD~1");
}

#[test]
fn pack_5_a_change_brings_what_it_touches_and_what_is_new() {
    let world = World::new(SHOP);
    let old = String::from_utf8(world.project.read("src/auth.rs")).unwrap();
    world
        .project
        .write("src/auth.rs", old.replace("rev()", "rev().rev()"));
    world
        .project
        .write("src/fresh.rs", "pub fn brand_new() -> u32 {\n    1\n}\n");
    world.project.write("Cargo.lock", "version = 4\n");
    let reply = pack(&world, &["review this change", "--diff"]);
    let items = reply["items"].as_array().unwrap();
    let of = |path: &str| items.iter().find(|item| item["path"] == path);
    let touched = of("src/auth.rs").unwrap_or_else(|| panic!("{reply}"));
    let note = touched["note"].as_str().unwrap();
    let line = 1 + old.lines().position(|line| line.contains("rev()")).unwrap();
    assert_eq!(
        (note, touched["resolution"].as_str()),
        (format!("changed {line}").as_str(), Some("full")),
        "{reply}"
    );
    let fresh = of("src/fresh.rs").unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(
        (&fresh["note"], &fresh["resolution"]),
        (&json!("new"), &json!("full"))
    );
    assert_eq!(of("Cargo.lock"), None, "{reply}");
    // The words of the task say nothing about the change, so nothing was searched.
    let found = items.iter().filter(|item| item["providers"] != json!([]));
    assert_eq!(found.count(), 0, "{reply}");
    // Others do.
    let reply = pack(&world, &["review how the password is verified", "--diff"]);
    let items = reply["items"].as_array().unwrap();
    assert!(items.iter().any(|item| item["providers"] != json!([])), "{reply}");
}

#[test]
fn pack_1_a_json_list_holds_everything() {
    let world = World::new(SHOP);
    world.project.write(
        "sources.json",
        json!([
            {"kind": "message", "content": "The total is wrong for gifts.", "label": "Ada", "relevance": 0.9, "pinned": true},
            {"kind": "reference", "path": "shop/cart.py", "line_start": 10, "line_end": 11},
            {"kind": "memory", "content": "Prices are in cents.", "timestamp_ms": 3_999_999_999_999_i64},
        ])
        .to_string(),
    );
    let reply = pack(&world, &["total_price", "--sources", "sources.json"]);
    assert_eq!(
        of_source(&reply, "message"),
        [("Ada".to_owned(), 1, 1)],
        "{reply}"
    );
    assert_eq!(of_source(&reply, "memory").len(), 1, "{reply}");
    let ran = world.run_with_input(
        &["pack", "total_price", "--sources", "-", "--json"],
        br#"{"sources": [{"kind": "tool_result", "content": "x", "label": "log", "pinned": true}]}"#,
    );
    let reply: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(of_source(&reply, "tool_result").len(), 1, "{ran:?}");
}

#[test]
fn pack_2_what_cannot_be_used_is_named_and_harms_nothing() {
    let world = World::new(SHOP);
    world.project.write(".env", "TOKEN=1\n");
    world.project.write("logo.bin", b"\x00\x01\x02\x00");
    world.home.write("outside.txt", "x");
    let outside = world.home.path("outside.txt").display().to_string();
    let sources = [
        "--open",
        ".env",
        "--open",
        "gone.rs",
        "--open",
        "logo.bin",
        "--open",
        &outside,
        "--ref",
        "src/gone.rs:3-4",
        "--ref",
        "no_such_name",
        "--ref",
        "src/auth.rs:900",
        "--tool-result",
        "gone.log",
        "--tool-result",
        ".env",
    ];
    let ran = world.run([&["pack", "verify_password"][..], &sources].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("verify_password"));
    let expected = [
        "warning: .env is not used: denied (deny-list: .env*)\n",
        "warning: gone.rs is not used: missing (there is no such file)\n",
        "warning: logo.bin is not used: binary (",
        "warning: [HOME]/outside.txt is not used: denied (",
        "warning: src/gone.rs is not used: missing (there is no such file)\n",
        "warning: no_such_name is not used: missing (neither a file nor a name that the project defines)\n",
        "warning: src/auth.rs is not used: missing (the file has 10 lines, not 900)\n",
        "warning: gone.log is not used: missing (",
    ];
    for line in expected {
        assert!(ran.err.contains(line), "{line}{}", ran.err);
    }
    let reply = pack(&world, &[&["verify_password"][..], &sources].concat());
    let reasons = &reply["stats"]["by_reason"];
    assert_eq!(
        (&reasons["denied"], &reasons["missing"], &reasons["binary"]),
        (&json!(3), &json!(5), &json!(1)),
        "{reasons}"
    );
}

#[test]
fn ret_2_filters_narrow_the_search_only() {
    let world = World::new(SHOP);
    let paths = |args: &[&str]| {
        let reply = pack(&world, &[&["password"], args].concat());
        let items = reply["items"].as_array().unwrap().iter();
        let mut paths: Vec<String> = items
            .map(|item| item["path"].as_str().unwrap().to_owned())
            .collect();
        paths.sort();
        paths.dedup();
        paths
    };
    assert_eq!(paths(&["--path", "README.md"]), ["README.md"]);
    assert!(
        !paths(&["--exclude", "src/**"])
            .iter()
            .any(|path| path.starts_with("src/"))
    );
    assert!(
        paths(&["--lang", "rust"])
            .iter()
            .all(|path| path.ends_with(".rs"))
    );
    let both = paths(&["--path", "README.md", "--ref", "shop/cart.py:1"]);
    assert_eq!(both, ["README.md", "shop/cart.py"]);
}

#[test]
fn pack_72_content_that_came_with_a_path_is_never_taken_for_the_file() {
    let world = World::new(SHOP);
    let sources = json!([{
        "kind": "search", "path": "src/auth.rs", "line_start": 2, "line_end": 6, "relevance": 1.0,
        "content": "// verify_password FAKE 2\n// FAKE 3\n// FAKE 4\n// FAKE 5\n// FAKE 6"
    }]);
    world.project.write("sources.json", sources.to_string());
    let reply = pack(&world, &["verify_password", "--sources", "sources.json"]);
    let items = reply["items"].as_array().unwrap();
    let handed_in: Vec<&Value> = items.iter().filter(|item| item["is_file"] == false).collect();
    assert_eq!(handed_in.len(), 1, "{reply}");
    assert_eq!(
        (&handed_in[0]["section"], &handed_in[0]["ref"]),
        (&json!("given"), &json!("given"))
    );
    let of_file = items
        .iter()
        .filter(|item| item["is_file"] == true && item["path"] == "src/auth.rs");
    let disk = std::fs::read_to_string(world.project.path("src/auth.rs")).unwrap();
    for item in of_file {
        let line = item["lines_shown"][0][0].as_u64();
        if let Some(line) = line {
            let there = disk.lines().nth(line as usize - 1).unwrap();
            assert!(reply["text"].as_str().unwrap().contains(there), "{there}");
        }
    }
}

#[test]
fn pack_2_lines_beyond_all_bounds_harm_nothing() {
    let world = World::new(SHOP);
    let at = |line: u32| {
        let sources = json!([{"kind": "message", "content": "verify_password\nb", "line_start": line}]);
        world.project.write("sources.json", sources.to_string());
    };
    at(10_000_000);
    let reply = pack(&world, &["verify_password", "--sources", "sources.json"]);
    assert_eq!(
        reply["stats"]["by_reason"]["missing"],
        Value::Null,
        "{}",
        reply["excluded"]
    );
    for line in [0, 10_000_001, u32::MAX] {
        at(line);
        let (exit, reply) = world.json(&["pack", "verify_password", "--sources", "sources.json"]);
        let refused = (exit, &reply["error"]["code"]);
        assert_eq!(refused, (Some(2), &json!("INVALID_SOURCES")), "{reply}");
    }
}

#[test]
fn sec_1_neither_a_denied_file_nor_a_secret_in_the_task_shows() {
    let world = World::new(SHOP);
    world
        .project
        .write("config/server.pem", "verify_password = widgetsecretvalue\n");
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let task = format!("verify_password fails with {token}");
    let ran = world.run(["pack", &task, "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        !ran.out.contains(&token) && !ran.out.contains("widgetsecretvalue"),
        "{}",
        ran.out
    );
}
