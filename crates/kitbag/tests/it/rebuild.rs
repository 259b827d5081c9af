//! IDX-51: whatever becomes of a rebuild, the old index answers until the new one is whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::crowd::{answers, command, fresh_answers, project, run};
use crate::world::{SHOP, World};

/// A minute in steps, for what another process does.
const STEPS: usize = 1_200;
const STEP: Duration = Duration::from_millis(50);

fn indexed() -> (World, String) {
    let world = project();
    let store = world.home.path("store").display().to_string();
    let ran = run(&world, &["--store", &store, "--quiet", "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (world, store)
}

fn start(world: &World, store: &str) -> Child {
    command(world, &["--store", store, "--quiet", "rebuild", "--force"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("kitbag starts")
}

fn json(world: &World, store: &str, args: &[&str]) -> Value {
    let ran = run(world, &[&["--json", "--store", store], args].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn newest(world: &World, store: &str) -> Value {
    json(world, store, &["jobs"])["jobs"][0].clone()
}

/// The newest job, as soon as it is as `wanted`, or as it ended.
fn when(world: &World, store: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let (_keep, moment) = mpsc::channel::<()>();
    for _ in 0..STEPS {
        let job = newest(world, store);
        let is_open = job.is_null() || job["status"] == "queued" || job["status"] == "in_progress";
        if wanted(&job) || !is_open {
            return job;
        }
        assert!(moment.recv_timeout(STEP).is_err());
    }
    panic!("it never came to that: {}", newest(world, store));
}

/// Every file under a folder, with its content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the store") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(
                    path.display().to_string(),
                    std::fs::read(&path).expect("it can be read"),
                );
            }
        }
    }
    found
}

#[test]
fn idx_51_killed_in_the_middle_the_old_index_answers_and_the_job_is_failed() {
    let (world, store) = indexed();
    let before = answers(&world, &store);
    let mut n_killed = 0;
    for _ in 0..10 {
        let mut child = start(&world, &store);
        let job = when(&world, &store, |job| job["processed"].as_u64() > Some(0));
        // SIGKILL: no handler, no clean-up.
        child.kill().expect("it is ours to kill");
        child.wait().expect("it has ended");
        if job["status"] != "in_progress" {
            continue;
        }
        let ended = json(&world, &store, &["jobs", job["id"].as_str().unwrap()]);
        if ended["status"] == "completed" {
            continue;
        }
        n_killed += 1;
        assert_eq!(ended["status"], "failed", "{ended}");
        assert_eq!(ended["error"]["message"], "its process ended", "{ended}");
        assert_eq!(answers(&world, &store), before);
        if n_killed == 3 {
            break;
        }
    }
    assert!(n_killed > 0, "no rebuild was slow enough to be killed");
    // The next one is not held up by the dead, and clears up after them.
    let ran = run(&world, &["--store", &store, "--quiet", "rebuild", "--force"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(answers(&world, &store), before);
    let n_text = std::fs::read_dir(Path::new(&store).join("text")).unwrap().count();
    assert_eq!(n_text, 1, "what a killed rebuild left is gone");
    assert_eq!(before, fresh_answers(&world));
}

#[test]
fn idx_51_two_at_once_one_is_refused_and_any_process_may_cancel() {
    let (world, store) = indexed();
    let before = answers(&world, &store);
    // Whoever writes holds this lock; while the test does, a rebuild can but wait.
    let lock = std::fs::File::open(Path::new(&store).join("writer.lock")).unwrap();
    lock.lock().unwrap();
    let mut child = start(&world, &store);
    let waits = |job: &Value| job["log"].to_string().contains("waiting");
    let job = when(&world, &store, waits);
    assert_eq!(
        (&job["type"], &job["status"]),
        (&"rebuild_full".into(), &"in_progress".into()),
        "{job}"
    );
    let id = job["id"].as_str().unwrap();
    let second = run(&world, &["--store", &store, "rebuild", "--force"]);
    second.check_error(
        3,
        &format!("error: {id} (rebuild_full) is under way; wait for it, or cancel it\n"),
    );
    let ran = run(&world, &["--store", &store, "jobs", "--cancel", id]);
    ran.check(0, &format!("{id} will stop at the next file\n"));
    lock.unlock().unwrap();
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let ended = json(&world, &store, &["jobs", id]);
    assert_eq!(
        (&ended["status"], &ended["error"]),
        (&"cancelled".into(), &Value::Null),
        "{ended}"
    );
    assert_eq!(answers(&world, &store), before);
    let ran = run(&world, &["--store", &store, "jobs", "--cancel", id]);
    ran.check(0, &format!("{id} has ended: cancelled\n"));
}

#[test]
fn cli_3_an_interrupted_rebuild_is_a_cancelled_one() {
    let (world, store) = indexed();
    let before = answers(&world, &store);
    let lock = std::fs::File::open(Path::new(&store).join("writer.lock")).unwrap();
    lock.lock().unwrap();
    let mut child = start(&world, &store);
    let waits = |job: &Value| job["log"].to_string().contains("waiting");
    let job = when(&world, &store, waits);
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
    lock.unlock().unwrap();
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let ended = json(&world, &store, &["jobs", job["id"].as_str().unwrap()]);
    assert_eq!(ended["status"], "cancelled", "{ended}");
    assert_eq!(answers(&world, &store), before);
}

#[test]
fn idx_51_a_rebuild_without_room_leaves_the_old_index() {
    let (world, store) = indexed();
    let before = answers(&world, &store);
    // Every file the program writes ends at 300 kB, as on a full disk: enough for the journal, which tells of it. The signal that
    // goes with it is ignored.
    let script = "trap '' XFSZ; ulimit -f 300; exec \"$0\" \"$@\"";
    let output = std::process::Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_kitbag"), "--root"])
        .arg(world.project.root())
        .args(["--store", &store, "--json", "rebuild", "--force"])
        .env("HOME", world.home.root())
        .output()
        .expect("bash is there");
    let ran = world.ran(&output);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.out.contains("STORAGE_ERROR"), "{ran:?}");
    assert_eq!(newest(&world, &store)["status"], "failed");
    assert_eq!(answers(&world, &store), before);
    let ran = run(&world, &["--store", &store, "--quiet", "rebuild", "--force"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(answers(&world, &store), before);
}

#[test]
fn idx_51_a_dry_run_changes_no_byte() {
    let (world, store) = indexed();
    let before = content(Path::new(&store));
    let plan = json(&world, &store, &["rebuild", "--dry-run"]);
    assert_eq!(content(Path::new(&store)), before);
    assert_eq!(
        (&plan["dry_run"], &plan["type"]),
        (&true.into(), &"rebuild_full".into()),
        "{plan}"
    );
    assert_eq!(plan["files"], 321, "{plan}");
    assert_eq!(plan["languages"]["rust"]["files"], 240, "{plan}");
    assert!(plan["estimate"]["seconds"].as_f64() > Some(0.0), "{plan}");
    assert_eq!(newest(&world, &store), Value::Null);
}

#[test]
fn idx_51_a_rebuild_keeps_what_happened_and_other_worktrees() {
    let world = World::new(SHOP);
    let store = world.home.path("store").display().to_string();
    let other = World::without_git("//- far.rs\npub fn lighthouse() {}\n");
    let elsewhere = other.project.root().display().to_string();
    let at = |args: &[&str]| world.json(&[&["--store", &store], args].concat());
    let far = |args: &[&str]| world.json(&[&["--store", &store, "--root", &elsewhere], args].concat());
    at(&["pack", "verify the password"]);
    at(&["search", "Cart"]);
    far(&["search", "lighthouse"]);
    let stats = at(&["stats"]).1;
    assert_eq!(stats["usage"]["requests"], 2, "{stats}");
    let packs = content(&Path::new(&store).join("packs"));
    assert_eq!(packs.len(), 1);
    let (code, job) = at(&["rebuild", "--force", "--keep-errors"]);
    assert_eq!((code, &job["status"]), (Some(0), &"completed".into()), "{job}");
    assert_eq!(at(&["stats"]).1["usage"], stats["usage"]);
    assert_eq!(content(&Path::new(&store).join("packs")), packs);
    let (code, found) = far(&["search", "--no-update", "lighthouse"]);
    assert_eq!(
        (code, &found["results"][0]["path"]),
        (Some(0), &"far.rs".into()),
        "{found}"
    );
    let (_, found) = at(&["search", "--no-update", "verify_password"]);
    assert_eq!(found["results"][0]["path"], "src/auth.rs", "{found}");
}
