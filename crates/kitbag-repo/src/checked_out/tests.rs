use super::checked_out;

#[test]
fn ret_13_it_changes_with_the_commit_and_not_without() {
    let world = tempfile::tempdir().unwrap();
    assert_eq!(checked_out(world.path()), None);
    let git = world.path().join(".git");
    std::fs::create_dir_all(git.join("refs/heads")).unwrap();
    std::fs::create_dir_all(git.join("objects")).unwrap();
    std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let empty = checked_out(world.path());
    std::fs::write(git.join("refs/heads/main"), "a".repeat(40)).unwrap();
    let first = checked_out(world.path());
    assert!(empty.is_some() && first.is_some() && empty != first);
    assert_eq!(checked_out(world.path()), first);
    std::fs::write(git.join("refs/heads/main"), "b".repeat(40)).unwrap();
    assert_ne!(checked_out(world.path()), first);
    std::fs::write(git.join("HEAD"), "c".repeat(40)).unwrap();
    let detached = checked_out(world.path()).unwrap();
    assert!(detached.ends_with(&"c".repeat(40)));
}
