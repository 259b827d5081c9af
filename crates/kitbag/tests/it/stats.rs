//! `kitbag stats` (MET-1, MET-2): what requests leave behind, and what never is left behind.

use crate::world::{NOW, SHOP, World};

const DAY: i64 = 86_400_000;

#[test]
fn met_1_requests_are_noted_and_added_up() {
    let world = World::new(SHOP);
    let ran = world.run(["stats"]);
    ran.check(0, "mode   embedded\nindex  0 files, 0 chunks, not indexed yet\n");
    assert_eq!(ran.err, "nothing was asked here in the last 30 days\n");
    let (_, pack) = world.json(&["pack", "verify the password", "--budget", "2000"]);
    world.json(&["search", "verify_password"]);
    world.json(&["search", "zzzzqqqq"]);
    let (code, all) = world.json(&["stats"]);
    let stats = &all["usage"];
    assert_eq!((code, &stats["requests"]), (Some(0), &3.into()), "{stats}");
    assert_eq!(
        (&all["enabled"], &all["mode"]),
        (&true.into(), &"embedded".into())
    );
    assert_eq!(
        (all["recent"].as_array().unwrap().len(), &all["rebuild"]),
        (3, &serde_json::Value::Null)
    );
    let python = &all["languages"][1];
    assert_eq!(
        (&python["language"], &python["files"]),
        (&"python".into(), &1.into()),
        "{all}"
    );
    assert!(
        python["chunks"].as_u64() > Some(0) && python["tokens"].as_u64() > Some(10),
        "{python}"
    );
    let text = &all["providers"][0];
    assert_eq!(
        (&text["name"], &text["available"]),
        (&"full_text".into(), &true.into())
    );
    assert!(
        text["used"].as_u64() >= Some(2) && text["p50_ms"].is_number(),
        "{text}"
    );
    assert_eq!(stats["doors"], serde_json::json!({"cli": 3}));
    assert!(
        stats["tokens_delivered"].as_u64() > pack["tokens"].as_u64(),
        "{stats}"
    );
    let operations: Vec<&str> = stats["latency"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["operation"].as_str().unwrap())
        .collect();
    assert_eq!(operations, ["pack", "search"]);
    assert_eq!(stats["trend"].as_array().unwrap().len(), 14);
    assert_eq!(stats["trend"][13]["requests"], 3, "{stats}");
    assert!(stats["saving"]["counted"].as_u64() >= Some(1), "{stats}");
    assert!(
        stats["saving"]["unknown"].as_u64() >= Some(1),
        "nothing was found once: {stats}"
    );
    let shown = world.run(["stats"]).out;
    for line in [
        "requests",
        "saved",
        "an estimate:",
        "tokens",
        "requests by day",
        "providers",
        "last requests",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn sec_2_no_word_of_a_question_is_kept() {
    let world = World::new(SHOP);
    let store = world.home.path("store");
    let name = store.display().to_string();
    world.run(["--store", &name, "search", "verify_password heliotrope"]);
    let mut n_files = 0;
    for entry in std::fs::read_dir(&store).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("journal") {
            n_files += 1;
            let bytes = std::fs::read(entry.path()).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for word in ["heliotrope", "verify_password", "auth.rs"] {
                assert!(!text.contains(word), "{word} in {:?}", entry.path());
            }
        }
    }
    assert!(n_files > 0);
}

#[test]
fn met_1_nothing_is_noted_when_the_settings_say_so_and_old_rows_go() {
    let world = World::new(SHOP);
    let off = world
        .command(["search", "Cart"])
        .env("KITBAG_METRICS_ENABLED", "false")
        .output();
    assert!(off.unwrap().status.success());
    assert_eq!(world.json(&["stats"]).1["usage"]["requests"], 0);
    let at = |days: i64, args: &[&str]| {
        let now = (NOW + days * DAY).to_string();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kitbag"));
        let output = command
            .current_dir(world.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", world.home.root())
            .env("KITBAG_METRICS_KEEP_DAYS", "10")
            .args(["--json", "--now", &now])
            .args(args)
            .output();
        serde_json::from_slice::<serde_json::Value>(&output.unwrap().stdout).unwrap()
    };
    at(0, &["search", "Cart"]);
    at(8, &["search", "Cart"]);
    assert_eq!(at(8, &["stats", "--days", "30"])["usage"]["requests"], 2);
    assert_eq!(at(8, &["stats", "--days", "3"])["usage"]["requests"], 1);
    at(12, &["search", "Cart"]);
    assert_eq!(at(12, &["stats", "--days", "30"])["usage"]["requests"], 2);
}

#[test]
fn cfg_2_switched_off_kitbag_answers_nothing_but_what_it_is() {
    let world = World::new(SHOP);
    world.project.write("kitbag.toml", "[engine]\nenabled = false\n");
    for command in [
        vec!["pack", "verify the password"],
        vec!["search", "Cart"],
        vec!["index"],
        vec!["map"],
    ] {
        let ran = world.run(command.iter());
        ran.check_error(
            3,
            "error: Kitbag is switched off for this project: engine.enabled is false\n\
             hint: `kitbag config show` says where that is set; KITBAG_ENGINE_ENABLED=true overrides it for one command\n",
        );
    }
    assert!(world.run(["stats"]).out.contains("switched off (engine.enabled)"));
    assert_eq!(world.json(&["stats"]).1["enabled"], false);
    assert!(world.run(["status"]).out.contains("not indexed yet"));
    let one = world
        .command(["search", "Cart"])
        .env("KITBAG_ENGINE_ENABLED", "true")
        .output();
    assert!(one.unwrap().status.success());
    let empty = world
        .command(["pack", "verify the password"])
        .env("KITBAG_ENGINE_FALLBACK_ENABLED", "true")
        .output()
        .unwrap();
    assert_eq!(empty.status.code(), Some(1));
    let said = String::from_utf8_lossy(&empty.stderr).into_owned();
    assert!(
        said.contains("engine.enabled is false; the pack is empty"),
        "{said}"
    );
}
