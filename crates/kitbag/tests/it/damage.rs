//! IDX-30: a store that is damaged, truncated, newer, read-only or out of room.

use std::path::PathBuf;

use kitbag_testkit::random::Random;

use crate::crowd::{answers, fresh_answers, project, run};
use crate::world::{Ran, SHOP, World};

fn indexed(fixture: &str) -> (World, PathBuf) {
    let world = World::without_git(fixture);
    let store = world.home.path("store");
    let ran = world.run(["--store", &store.display().to_string(), "--quiet", "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (world, store)
}

#[test]
fn idx_30_scribbled_and_torn_databases_are_rebuilt() {
    let mut random = Random::new(11);
    for round in 0..12 {
        let (world, store) = indexed(SHOP);
        let name = store.display().to_string();
        let database = store.join("kitbag.db");
        let mut bytes = std::fs::read(&database).unwrap();
        match round % 3 {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => bytes.iter_mut().take(4096).for_each(|byte| *byte ^= 0x5A),
            _ => {
                let at = random.below(bytes.len() - 2000);
                bytes[at..at + 2000]
                    .iter_mut()
                    .for_each(|byte| *byte = random.below(256) as u8);
            }
        }
        std::fs::write(&database, bytes).unwrap();
        let ran = world.run(["--json", "--store", &name, "search", "verify_password"]);
        assert_eq!(ran.code, Some(0), "round {round}: {ran:?}");
        let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            reply["results"][0]["path"], "src/auth.rs",
            "round {round}: {ran:?}"
        );
    }
}

#[test]
fn idx_30_a_damaged_text_index_is_rebuilt_with_a_warning() {
    let world = project();
    let store = world.home.path("store");
    let name = store.display().to_string();
    assert_eq!(run(&world, &["--store", &name, "--quiet", "index"]).code, Some(0));
    let expected = answers(&world, &name);
    let text = std::fs::read_dir(store.join("text"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    for damage in ["truncate", "remove", "garbage"] {
        for entry in std::fs::read_dir(&text).unwrap() {
            let path = entry.unwrap().path();
            let wanted = match damage {
                "garbage" => path.ends_with("meta.json"),
                _ => path.extension().is_some_and(|end| end == "term" || end == "idx"),
            };
            if wanted {
                match damage {
                    "truncate" => std::fs::write(&path, b"short").unwrap(),
                    "remove" => std::fs::remove_file(&path).unwrap(),
                    _ => std::fs::write(&path, b"not json at all").unwrap(),
                }
            }
        }
        let ran = run(&world, &["--json", "--store", &name, "search", "step_17_0"]);
        assert_eq!(ran.code, Some(0), "{damage}: {ran:?}");
        let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let warnings = reply["warnings"].as_array().unwrap();
        assert_eq!(warnings.len(), 1, "{damage}: {warnings:?}");
        let said = warnings[0].as_str().unwrap();
        assert!(
            said.starts_with("the text index was damaged (") && said.ends_with("made again"),
            "{said}"
        );
        assert_eq!(answers(&world, &name), expected, "{damage}");
    }
}

#[test]
fn idx_30_a_store_that_cannot_be_written_still_answers() {
    let (world, store) = indexed(SHOP);
    world.project.write("src/later.rs", "pub fn later() {}\n");
    let command = world.command([
        "--json",
        "--store",
        &store.display().to_string(),
        "search",
        "verify_password",
    ]);
    let mut command = make_read_only(&world, &store, command);
    let ran = world.ran(&command.output().expect("kitbag starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(reply["results"][0]["path"], "src/auth.rs");
    assert!(
        reply["warnings"][0]
            .as_str()
            .unwrap()
            .contains("could not be brought up to date"),
        "{ran:?}"
    );
}

/// Takes the right to write from a store, and gives the command as somebody who has none. A temporary folder can be removed
/// all the same: its owner is root, or may give the right back.
pub(crate) fn make_read_only(
    world: &World,
    store: &std::path::Path,
    command: std::process::Command,
) -> std::process::Command {
    use std::os::unix::fs::PermissionsExt;
    let set = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours")
    };
    set(world.home.root(), 0o755);
    set(world.project.root(), 0o755);
    let mut folders = vec![store.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("it is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path)
            } else {
                set(&path, 0o444)
            }
        }
        set(&folder, 0o555);
    }
    // Root may write anywhere: become nobody, who may not, and who may not even start a program that lies in root's home.
    if std::fs::write(store.join("probe"), "").is_err() {
        return command;
    }
    std::fs::remove_file(store.join("probe")).expect("it was written");
    let copy = world.home.path("kitbag");
    std::fs::copy(env!("CARGO_BIN_EXE_kitbag"), &copy).expect("kitbag was built with these tests");
    set(&copy, 0o755);
    as_nobody(&command, &copy)
}

/// The same command, another copy of the program, another user.
fn as_nobody(command: &std::process::Command, program: &std::path::Path) -> std::process::Command {
    use std::os::unix::process::CommandExt;
    let mut same = std::process::Command::new(program);
    same.args(command.get_args()).env_clear().uid(65534).gid(65534);
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            same.env(name, value);
        }
    }
    if let Some(folder) = command.get_current_dir() {
        same.current_dir(folder);
    }
    same
}

/// Runs the program so that every file it writes ends at so many kilobytes, as on a full disk; the signal that goes with it is
/// ignored.
fn run_full(world: &World, kilobytes: u32, store: &str, args: &[&str]) -> Ran {
    let kitbag = env!("CARGO_BIN_EXE_kitbag");
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" \"$@\"");
    let output = std::process::Command::new("bash")
        .args(["-c", &script, kitbag, "--root"])
        .arg(world.project.root())
        .args(["--store", store, "--json"])
        .args(args)
        .env("HOME", world.home.root())
        .output()
        .expect("bash is there");
    world.ran(&output)
}

#[test]
fn idx_30_on_a_full_disk_everything_that_reads_works() {
    let (world, store) = indexed(SHOP);
    let store = store.display().to_string();
    world.project.write("src/later.rs", "pub fn later() {}\n");
    for args in [
        &["search", "verify_password"][..],
        &["symbol", "verify_password"],
        &["pack", "verify_password", "--session", "s"],
        &["status"],
        &["stats"],
        &["jobs"],
        &["doctor"],
    ] {
        let ran = run_full(&world, 0, &store, args);
        let reply: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.out);
        assert_eq!(reply.get("error"), None, "{args:?}: {ran:?}");
        match args[0] {
            "search" => {
                assert_eq!(reply["results"][0]["path"], "src/auth.rs");
                let said = reply["warnings"][0].as_str().unwrap();
                assert!(said.contains("no room left"), "{said}");
            }
            "status" => assert_eq!(reply["complete"], true, "{ran:?}"),
            "doctor" => assert!(!ran.out.contains("journal"), "{ran:?}"),
            _ => assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}"),
        }
    }
    let ran = run_full(&world, 0, &store, &["index"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.out.contains("no room left"), "{ran:?}");
}

#[test]
fn idx_30_what_was_set_aside_is_named_until_it_is_deleted() {
    let (world, store) = indexed(SHOP);
    let name = store.display().to_string();
    for _ in 0..4 {
        std::fs::write(store.join("kitbag.db"), vec![7; 20_000]).unwrap();
        let ran = world.run(["--store", &name, "--quiet", "index"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let ran = world.run(["--json", "--store", &name, "status"]);
    let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let aside = reply["set_aside"].as_array().unwrap();
    assert_eq!(aside.len(), 2, "the newest two: {ran:?}");
    assert_eq!(aside[0]["bytes"], 20_000);
    assert!(aside[1]["path"].as_str().unwrap().ends_with("damaged-4"));
    for verb in ["status", "doctor"] {
        let said = world.run(["--store", &name, verb]).out;
        assert!(said.contains("damaged-3") && said.contains("rm -r"), "{said}");
    }
}

#[test]
fn a_full_disk_is_said_and_survived() {
    let world = project();
    let store = world.home.path("store").display().to_string();
    let ran = run_full(&world, 100, &store, &["index"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(reply["error"]["code"], "STORAGE_ERROR", "{ran:?}");
    assert!(
        reply["error"]["hint"].as_str().unwrap().contains("space"),
        "{ran:?}"
    );
    // With room again it carries on.
    let ran = run(&world, &["--store", &store, "--quiet", "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(answers(&world, &store), fresh_answers(&world));
}

#[test]
fn eng_70_a_store_that_cannot_be_made_costs_time_and_not_the_pack() {
    let world = World::new(SHOP);
    world.project.write("file", "");
    let (code, reply) = world.json(&["pack", "verify_password", "--store", "file/store"]);
    assert_eq!(code, Some(0), "{reply}");
    assert_eq!(reply["items"][0]["path"], "src/auth.rs", "{reply}");
    let warning = &reply["warnings"][0];
    assert_eq!(
        (&warning["source"], &warning["fallback"]),
        (&"store".into(), &"an index was made for this answer only".into()),
        "{reply}"
    );
    assert!(
        warning["reason"]
            .as_str()
            .unwrap()
            .starts_with("the store cannot be used: "),
        "{warning}"
    );
    let (code, reply) = world.json(&["search", "verify_password", "--store", "file/store"]);
    assert_eq!(code, Some(0), "{reply}");
    assert_eq!(reply["results"][0]["path"], "src/auth.rs", "{reply}");
    let warning = reply["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with("the store cannot be used: ") && warning.ends_with("made for this answer only"),
        "{warning}"
    );
}
