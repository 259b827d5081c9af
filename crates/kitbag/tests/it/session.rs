//! Sessions across processes (ENG-40, ENG-41, ENG-70): every call is a process of its own.

use std::process::Stdio;

use serde_json::Value;

use crate::damage::make_read_only;
use crate::pack::{big, recount};
use crate::world::{NOW, SHOP, World};

const TASK: &str = "how parse_token_3_4 counts tokens";

fn pack(world: &World, more: &[&str]) -> Value {
    let (code, reply) = world.json(&[&["pack", TASK, "--budget", "3000"], more].concat());
    assert_eq!(code, Some(0), "{reply}");
    assert_eq!(reply["tokens"], recount(reply["text"].as_str().expect("a text")));
    reply
}

fn n(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"))
}

fn items(reply: &Value) -> &Vec<Value> {
    reply["items"].as_array().expect("a list")
}

#[test]
fn eng_40_the_second_identical_request_costs_at_least_30_percent_fewer_tokens() {
    let world = big();
    let alone = pack(&world, &[]);
    assert_eq!(alone["session"], Value::Null);
    for (n_format, format) in kitbag_engine::api::formats().into_iter().enumerate() {
        let session = format!("work-{n_format}");
        let args = ["--session", &session, "--format", format];
        let (first, second) = (pack(&world, &args), pack(&world, &args));
        if format == "markdown" {
            assert_eq!(
                first["text"], alone["text"],
                "the first answer is as without a session"
            );
        }
        assert_eq!(
            (&first["session"]["answer"], &second["session"]["answer"]),
            (&1.into(), &2.into())
        );
        assert_eq!(first["session"]["tokens_saved"], 0);
        assert!(
            n(&second["tokens"]) * 100 <= n(&first["tokens"]) * 70,
            "{format}: {} after {}",
            second["tokens"],
            first["tokens"]
        );
        assert_eq!(
            n(&second["session"]["tokens_saved"]),
            n(&first["tokens"]) - n(&second["tokens"])
        );
        let referred = items(&second)
            .iter()
            .filter(|item| item["delivered_in"] == serde_json::json!([1]))
            .count();
        assert_eq!(n(&second["session"]["referred"]), referred as u64);
        assert!(referred > 3, "{second}");
        assert_eq!(items(&first).len(), items(&second).len());
    }
    let ran = world.run(["pack", TASK, "--budget", "3000", "--session", "work-0"]);
    let row = ran
        .err
        .lines()
        .find(|line| line.starts_with("session"))
        .unwrap_or_else(|| panic!("{ran:?}"));
    assert!(
        row.contains("work-0, answer 3: ") && row.contains(" tokens saved"),
        "{row}"
    );
    assert!(ran.out.contains("] delivered in answer 1\n"), "{ran:?}");
}

#[test]
fn eng_40_an_edited_place_is_sent_again_and_said_to_be_new() {
    let world = big();
    let first = pack(&world, &["--session", "s"]);
    let place = items(&first)
        .iter()
        .find(|item| item["resolution"] == "full")
        .unwrap();
    let path = place["path"].as_str().unwrap();
    let text = String::from_utf8(world.project.read(path)).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let at = (n(&place["line_start"]) + n(&place["line_end"])) as usize / 2;
    lines.insert(at, "        // a line that was not there before");
    world.project.write(path, lines.join("\n") + "\n");
    let second = pack(&world, &["--session", "s"]);
    let found = items(&second)
        .iter()
        .find(|item| item["citation"] == place["citation"]);
    let found = found.unwrap_or_else(|| panic!("{second}"));
    assert_eq!(
        (&found["changed_since"], &found["delivered_in"]),
        (&1.into(), &serde_json::json!([])),
        "{found}"
    );
    assert_eq!(second["session"]["changed"], 1, "{}", second["session"]);
    let text = second["text"].as_str().unwrap();
    assert!(
        text.contains("a line that was not there before") && text.contains(" changed since answer 1"),
        "{text}"
    );
    assert!(
        n(&second["session"]["referred"]) > 3,
        "what moved is known again: {}",
        second["session"]
    );
    let third = pack(&world, &["--session", "s"]);
    assert_eq!(third["session"]["changed"], 0);
    let found = items(&third)
        .iter()
        .find(|item| item["citation"] == place["citation"])
        .unwrap();
    assert_eq!(found["delivered_in"], serde_json::json!([2]));
}

#[test]
fn eng_40_other_sessions_and_ended_ones_know_nothing() {
    let world = big();
    let first = pack(&world, &["--session", "s"]);
    assert_eq!(pack(&world, &["--session", "t"])["text"], first["text"]);
    let later = |minutes: i64| (NOW + minutes * 60_000).to_string();
    let second = pack(&world, &["--session", "s", "--now", &later(29)]);
    assert!(n(&second["session"]["referred"]) > 0);
    let again = pack(&world, &["--session", "s", "--now", &later(58)]);
    assert_eq!(again["session"]["answer"], 3, "use keeps it alive");
    let ended = pack(&world, &["--session", "s", "--now", &later(89)]);
    assert_eq!(
        (&ended["session"]["answer"], &ended["session"]["referred"]),
        (&1.into(), &0.into())
    );
    world
        .project
        .write("kitbag.toml", "[sessions]\nidle_minutes = 5\n");
    let ended = pack(&world, &["--session", "s", "--now", &later(95)]);
    assert_eq!(ended["session"]["answer"], 1);
}

#[test]
fn eng_40_a_preview_counts_for_nothing() {
    let world = big();
    let args = ["pack", TASK, "--budget", "3000", "--session", "s"];
    let (_, preview) = world.json(&[&args[..], &["--preview"]].concat());
    assert_eq!(preview["session"]["answer"], Value::Null);
    let first = pack(&world, &["--session", "s"]);
    assert_eq!(
        (&first["session"]["answer"], &first["session"]["referred"]),
        (&1.into(), &0.into())
    );
}

#[test]
fn eng_40_a_template_that_shows_no_text_delivers_none() {
    let world = big();
    world.project.write(
        "names.j2",
        "{% for s in sections %}{% for f in s.files %}{{ f.path }}\n{% endfor %}{% endfor %}",
    );
    let first = pack(&world, &["--session", "s", "--template", "names.j2"]);
    assert!(!items(&first).is_empty());
    let second = pack(&world, &["--session", "s"]);
    assert_eq!(
        (&second["session"]["answer"], &second["session"]["referred"]),
        (&2.into(), &0.into())
    );
}

#[test]
fn pack_60_packs_with_references_can_be_explained_verified_and_cited() {
    let world = big();
    pack(&world, &["--session", "s"]);
    let second = pack(&world, &["--session", "s"]);
    let item = items(&second)
        .iter()
        .find(|item| item["delivered_in"] != serde_json::json!([]))
        .unwrap();
    let citation = item["citation"].as_str().unwrap();
    assert!(
        item["selection_reason"]
            .as_str()
            .unwrap()
            .contains("delivered in answer 1"),
        "{item}"
    );
    let explained = world.run(["explain", citation]);
    assert!(
        explained.code == Some(0) && explained.out.contains("delivered in answer 1"),
        "{explained:?}"
    );
    let (code, verified) = world.json(&["verify"]);
    assert_eq!(
        (code, &verified["same"]),
        (Some(0), &items(&second).len().into()),
        "{verified}"
    );
    let cited = world.run_with_input(&["--json", "cite"], format!("see [{citation}]").as_bytes());
    let cited: Value = serde_json::from_str(&cited.out).unwrap();
    assert_eq!(cited["sources"][0]["path"], item["path"]);
}

#[test]
fn sec_4_names_that_no_session_can_have_are_refused() {
    let world = World::new(SHOP);
    for id in ["", "a b", "a/b", "ü", &"x".repeat(129)] {
        let (code, reply) = world.json(&["pack", "password", "--session", id]);
        assert_eq!(code, Some(2), "{id}: {reply}");
        assert_eq!(reply["error"]["code"], "INVALID_SESSION");
        assert!(
            reply["error"]["message"]
                .as_str()
                .unwrap()
                .contains("1 to 128 letters, digits"),
            "{reply}"
        );
    }
    let (code, _) = world.json(&["pack", "password", "--session", &"aZ0_.:-".repeat(18)]);
    assert_eq!(code, Some(0));
}

#[test]
fn eng_41_processes_that_write_one_session_at_once_all_count() {
    let world = big();
    world.run(["index"]);
    let children: Vec<_> = (0..8)
        .map(|_| {
            world
                .command(["--json", "pack", TASK, "--budget", "3000", "--session", "s"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("kitbag starts")
        })
        .collect();
    let mut answers: Vec<u64> = Vec::new();
    for child in children {
        let ran = world.ran(&child.wait_with_output().expect("kitbag ends"));
        let reply: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        assert_eq!(reply["warnings"], serde_json::json!([]), "{ran:?}");
        answers.push(n(&reply["session"]["answer"]));
    }
    answers.sort_unstable();
    assert_eq!(answers, (1..=8).collect::<Vec<u64>>());
}

#[test]
fn eng_41_worktrees_share_a_store_and_no_session() {
    let world = big();
    let first = pack(&world, &["--session", "s"]);
    let other = world.home.path("other").display().to_string();
    world.project.git(&["worktree", "add", "--quiet", &other]);
    let there = pack(&world, &["--session", "s", "--root", &other]);
    assert_eq!(
        (&there["session"]["answer"], &there["session"]["referred"]),
        (&1.into(), &0.into())
    );
    assert_eq!(there["text"], first["text"]);
}

#[test]
fn eng_70_a_store_that_cannot_be_written_costs_the_session_and_not_the_pack() {
    let world = World::without_git(SHOP);
    let store = world.home.path("store");
    let name = store.display().to_string();
    let args = [
        "--json",
        "--store",
        &name,
        "pack",
        "verify_password",
        "--session",
        "s",
    ];
    let first = world.run(args);
    assert_eq!(first.code, Some(0), "{first:?}");
    let command = make_read_only(&world, &store, world.command(args));
    let ran = world.ran(&{ command }.output().expect("kitbag starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let reply: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(reply["text"].as_str().unwrap().len() > 50);
    assert_eq!(reply["session"]["answer"], Value::Null);
    let lost = reply["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|warning| warning["source"] == "session");
    let lost = lost.unwrap_or_else(|| panic!("{ran:?}"));
    assert!(
        lost["reason"].as_str().unwrap().contains("the session s is lost"),
        "{lost}"
    );
}

/// Left behind by another user, say.
#[test]
fn eng_70_a_journal_that_may_not_be_read_costs_the_memories_and_not_the_pack() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::without_git(SHOP);
    let store = world.home.path("store");
    let name = store.display().to_string();
    let args = ["--json", "--store", &name, "pack", "verify_password"];
    assert_eq!(world.run(args).code, Some(0));
    let kept = ["--store", &name, "memory", "add", "passwords are hashed twice"];
    assert_eq!(world.run(kept).code, Some(0));
    let mut command = make_read_only(&world, &store, world.command(args));
    let set = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let mut pack = || {
        let ran = world.ran(&command.output().expect("kitbag starts"));
        let reply: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        assert!(
            reply["text"].as_str().unwrap().contains("verify_password"),
            "{ran:?}"
        );
        reply["warnings"].to_string()
    };
    set(&store.join("journal.db"), 0o000);
    let said = pack();
    assert!(said.contains("no memory is told"), "{said}");
    // In a folder that we may write to it is moved aside, and where it went is said.
    set(&store, 0o777);
    let said = pack();
    assert!(
        said.contains("it may not be read") && said.contains("damaged-journal-1"),
        "{said}"
    );
    assert!(store.join("damaged-journal-1/journal.db").exists());
}

#[test]
fn eng_70_a_damaged_journal_costs_the_session_and_not_the_pack() {
    let world = World::without_git(SHOP);
    let store = world.home.path("store");
    let name = store.display().to_string();
    let args = [
        "--json",
        "--store",
        &name,
        "pack",
        "verify_password",
        "--session",
        "s",
    ];
    world.run(args);
    for file in ["journal.db-wal", "journal.db-shm"] {
        let _ = std::fs::remove_file(store.join(file));
    }
    std::fs::write(
        store.join("journal.db"),
        "this is not a database at all, not even a little of one",
    )
    .unwrap();
    let ran = world.run(args);
    let reply: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.code, &reply["session"]["referred"]),
        (Some(0), &0.into()),
        "{ran:?}"
    );
    let said = reply["warnings"][0]["reason"].as_str().unwrap();
    assert!(said.starts_with("the journal was damaged ("), "{said}");
    assert!(store.join("damaged-journal-1/journal.db").exists());
    assert!(
        !store.join("damaged-1").exists(),
        "the index has nothing to do with it"
    );
    // The journal that was begun anew remembers, and nothing more is said.
    let reply: Value = serde_json::from_str(&world.run(args).out).unwrap();
    assert_eq!(reply["warnings"], serde_json::json!([]));
    assert_ne!(reply["session"]["referred"], 0);
}
