//! `kitbag index`.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::json;

use crate::world::{SHOP, World, keys};

#[test]
fn cli_2_index_says_what_it_did() {
    let world = World::new(SHOP);
    let first = world.run(["index"]);
    first.check(0, "indexed 6 files, 6 chunks: 6 added\n");
    assert_eq!(first.err, "", "a short run needs no progress");
    world
        .run(["index"])
        .check(0, "indexed 6 files, 6 chunks: 6 unchanged\n");
    world.project.write("src/main.rs", "fn main() {}\n");
    world.project.remove("README.md");
    world.run(["index"]).check(
        0,
        "indexed 5 files, 5 chunks: 1 changed, 1 removed, 4 unchanged\n",
    );
    world.run(["index", "--quiet"]).check(0, "");
    world
        .run(["index", "--thorough"])
        .check(0, "indexed 5 files, 5 chunks: 5 unchanged\n");
}

#[test]
fn cli_3_index_as_json() {
    let world = World::new(SHOP);
    let (code, reply) = world.json(&["index"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        keys(&reply),
        [
            "added",
            "bytes",
            "changed",
            "chunks",
            "complete",
            "failed",
            "files",
            "parsed",
            "removed",
            "reused",
            "root",
            "skipped",
            "store",
            "unchanged",
            "warnings"
        ]
    );
    assert_eq!(reply["complete"], json!(true));
    assert_eq!(reply["root"], "[ROOT]");
    assert_eq!(reply["store"], "[ROOT]/.git/kitbag");
}

#[test]
fn idx_30_a_store_in_the_tree_hides_from_git_and_from_itself() {
    for world in [World::new(SHOP), World::without_git(SHOP)] {
        let before = world.run(["list-indexable"]).out;
        assert_eq!(world.run(["index", "--store", ".index"]).code, Some(0));
        assert_eq!(world.project.read(".index/.gitignore"), b"*\n");
        assert_eq!(world.run(["list-indexable", "--store", ".index"]).out, before);
        world
            .run(["index", "--store", "index2"])
            .check(0, "indexed 6 files, 6 chunks: 6 added\n");
        world
            .run(["index", "--store", "index2"])
            .check(0, "indexed 6 files, 6 chunks: 6 unchanged\n");
        assert_eq!(world.run(["list-indexable", "--store", "index2"]).out, before);
    }
}

#[test]
fn idx_30_without_git_the_store_is_in_the_cache_folder() {
    let world = World::without_git(SHOP);
    let (_, reply) = world.json(&["index"]);
    let store = reply["store"].as_str().unwrap();
    assert!(store.starts_with("[HOME]/cache/kitbag/kitbag-"), "{store}");
    let mut command = world.command(["index"]);
    let ran = world.ran(
        &command
            .env_remove("HOME")
            .env_remove("XDG_CACHE_HOME")
            .output()
            .unwrap(),
    );
    ran.check_error(
        2,
        "error: there is no place for the index: neither HOME nor XDG_CACHE_HOME is an absolute path\n\
         hint: choose one with --store FOLDER\n",
    );
}

#[test]
fn cli_3_a_store_that_cannot_be_is_trouble() {
    let world = World::new(SHOP);
    world.project.write("file", "");
    let ran = world.run(["index", "--store", "file/store"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.starts_with("error: ") && ran.err.contains("[ROOT]/file/store"),
        "{ran:?}"
    );
    let (code, reply) = world.json(&["index", "--store", "file/store"]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(3), &json!("STORAGE_ERROR"))
    );
}

#[test]
fn cli_3_while_another_process_indexes() {
    let world = World::new(SHOP);
    world.run(["index"]);
    world.project.write("src/trip.rs", "fn fly_to_zanzibar() {}\n");
    let lock = std::fs::File::open(world.project.path(".git/kitbag/writer.lock")).expect("there is a lock");
    lock.lock().expect("nobody else has it");
    let ran = world.run(["index", "--no-wait"]);
    ran.check_error(
        3,
        "error: another process is writing to the store at [ROOT]/.git/kitbag\n\
         hint: wait for the other process, or search what is indexed so far\n",
    );
    let ran = world.run(["search", "password", "--top", "1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.err,
        "warning: another process is indexing; this is what it has published so far\n"
    );
    // The waiting process says so at once, and goes on when the other is done.
    let mut waiting = world.command(["index"]);
    let mut waiting = waiting
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kitbag was built");
    let mut talk = BufReader::new(waiting.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains("waiting") {
        line.clear();
        assert_ne!(
            talk.read_line(&mut line).expect("a line"),
            0,
            "it ended without waiting"
        );
    }
    lock.unlock().expect("it is ours");
    let ran = world.ran(&waiting.wait_with_output().expect("kitbag ends"));
    ran.check(0, "indexed 7 files, 7 chunks: 1 added, 6 unchanged\n");
}
