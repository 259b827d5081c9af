//! Projects that somebody made to harm whoever looks at them (SEC-4, IDX-15, IDX-30). Each test ends by itself: what hangs is
//! ended after a minute and named.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::world::{Ran, SHOP, World};

fn pipe(path: &Path) {
    let done = Command::new("mkfifo").arg(path).status();
    assert!(done.is_ok_and(|status| status.success()), "mkfifo");
}

/// Runs it, and fails if it is still running after a minute.
#[track_caller]
pub(crate) fn ends(world: &World, args: &[&str]) -> Ran {
    let mut command = world.command(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("kitbag was built with these tests");
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Ok(output) => world.ran(&output.expect("it ended")),
        Err(_) => {
            let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
            panic!("{args:?} hangs");
        }
    }
}

#[test]
fn idx_15_pipes_among_the_files_of_git_hang_no_command() {
    for name in [
        "HEAD",
        "commondir",
        "index",
        "config",
        "packed-refs",
        "info/exclude",
    ] {
        let world = World::new(SHOP);
        let place = world.project.path(".git").join(name);
        let _ = std::fs::remove_file(&place);
        std::fs::create_dir_all(place.parent().expect("it has a folder")).expect("a folder");
        pipe(&place);
        for args in [
            &["index"][..],
            &["status"],
            &["search", "password"],
            &["pack", "password"],
            &["list-indexable"],
        ] {
            let ran = ends(&world, args);
            assert_eq!(ran.code, Some(0), "{name}, {args:?}: {ran:?}");
        }
    }
}

#[test]
fn idx_15_pipes_and_devices_that_are_named_are_refused() {
    let world = World::new(SHOP);
    pipe(&world.project.path("pipe"));
    for path in ["pipe", "/dev/zero"] {
        for args in [
            &["tokens", path][..],
            &["pack", "x", "--tool-result", path],
            &["pack", "x", "--sources", path],
            &["pack", "x", "--tokenizer", path],
            &["verify", path],
        ] {
            let ran = ends(&world, args);
            assert!(
                ran.err.contains("it is a pipe or a device, not a regular file"),
                "{args:?}: {ran:?}"
            );
        }
    }
}

#[test]
fn idx_15_pipes_in_the_place_of_settings_and_ignore_files_hang_no_command() {
    for name in [".gitignore", ".contextignore", ".dockerignore"] {
        let world = World::new(SHOP);
        let _ = std::fs::remove_file(world.project.path(name));
        pipe(&world.project.path(name));
        assert_eq!(ends(&world, &["search", "password"]).code, Some(0), "{name}");
    }
    let world = World::new(SHOP);
    pipe(&world.project.path("kitbag.toml"));
    let ran = ends(&world, &["search", "password"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("kitbag.toml"), "{ran:?}");
}

#[test]
fn idx_30_a_crafted_commondir_writes_nothing_outside() {
    let world = World::new(SHOP);
    let outside = kitbag_testkit::TempTree::new("//- HEAD\nref: refs/heads/main\n");
    world
        .project
        .write(".git/commondir", outside.root().display().to_string());
    assert_eq!(ends(&world, &["index"]).code, Some(0));
    assert!(!outside.path("kitbag").exists());
    assert!(world.project.path(".git/kitbag").exists());
}

/// Half a second for every hundred steps of the parser, with nothing that could be counted: only the clock stops it.
#[test]
fn idx_15_a_text_that_takes_hours_to_parse_is_cut_by_lines() {
    let world = World::new(SHOP);
    world.project.write("src/slow.c", "~=\n".repeat(100_000));
    let ran = ends(&world, &["index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
