//! Order, limits, and what other processes may do meanwhile.

use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn pack_62_the_newest_are_kept_in_order() {
    let dir = folder();
    let packs = Packs::of(dir.path(), Path::new("/a"), "");
    assert_eq!(packs.ids().unwrap(), Vec::<String>::new());
    for n in 0..25 {
        packs.keep(&format!("id{n}"), &format!("text {n}")).unwrap();
    }
    let expected: Vec<String> = (5..25).rev().map(|n| format!("id{n}")).collect();
    assert_eq!(packs.ids().unwrap(), expected);
    assert_eq!(packs.read("id7").unwrap().as_deref(), Some("text 7"));
    assert_eq!(packs.read("id4").unwrap(), None);
    packs.keep("id7", "again").unwrap();
    assert_eq!(packs.ids().unwrap()[0], "id7", "made again, it is the newest");
    assert_eq!(packs.ids().unwrap().len(), 20);
    assert_eq!(packs.read("id7").unwrap().as_deref(), Some("again"));
}

#[test]
fn pack_61_replacing_keeps_the_place() {
    let dir = folder();
    let packs = Packs::of(dir.path(), Path::new("/a"), "");
    packs.keep("one", "1").unwrap();
    packs.keep("two", "2").unwrap();
    assert!(packs.replace("one", "changed").unwrap());
    assert!(!packs.replace("three", "3").unwrap());
    assert_eq!(packs.ids().unwrap(), ["two", "one"]);
    assert_eq!(packs.read("one").unwrap().as_deref(), Some("changed"));
}

#[test]
fn worktrees_that_share_a_store_see_their_own() {
    let dir = folder();
    let (a, b) = (
        Packs::of(dir.path(), Path::new("/a"), ""),
        Packs::of(dir.path(), Path::new("/b"), ""),
    );
    a.keep("same", "of a").unwrap();
    b.keep("same", "of b").unwrap();
    for n in 0..30 {
        b.keep(&format!("b{n}"), "x").unwrap();
    }
    assert_eq!(a.ids().unwrap(), ["same"]);
    assert_eq!(a.read("same").unwrap().as_deref(), Some("of a"));
}

#[test]
fn what_a_dead_process_left_goes_in_time_and_strangers_stay() {
    let dir = folder();
    let packs = Packs::of(dir.path(), Path::new("/a"), "");
    packs.keep("id", "x").unwrap();
    let half = dir.path().join("packs/0000000001-00000000-abc.77.tmp");
    let note = dir.path().join("packs/note.txt");
    std::fs::write(&half, "ha").unwrap();
    std::fs::write(&note, "mine").unwrap();
    for _ in 0..99 {
        packs.keep("id", "x").unwrap();
    }
    assert!(half.exists());
    for _ in 0..3 {
        packs.keep("id", "x").unwrap();
    }
    assert!(!half.exists() && note.exists());
    assert_eq!(packs.ids().unwrap(), ["id"]);
}

#[cfg(unix)]
#[test]
fn sec_4_only_the_owner_reads_them_and_no_link_is_followed() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let dir = folder();
    let packs = Packs::of(dir.path(), Path::new("/a"), "");
    packs.keep("id", "x").unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path().join("packs")), 0o700);
    let file = std::fs::read_dir(dir.path().join("packs"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(mode(&file.path()), 0o600);
    let (other, elsewhere) = (folder(), folder());
    symlink(elsewhere.path(), other.path().join("packs")).unwrap();
    assert!(
        Packs::of(other.path(), Path::new("/a"), "")
            .keep("id", "x")
            .is_err()
    );
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn sec_5_users_have_packs_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let of = |user| Packs::of(dir.path(), Path::new("/a"), user);
    of("ann").keep("1", "hers").unwrap();
    assert_eq!(of("ann").read("1").unwrap().as_deref(), Some("hers"));
    assert_eq!(of("ben").read("1").unwrap(), None);
    assert_eq!(of("").ids().unwrap(), Vec::<String>::new());
}
