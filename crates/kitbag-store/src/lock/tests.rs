//! Who gets a lock, and who waits.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::{WatchLock, WriterLock};

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn idx_50_one_watcher_a_project_and_the_next_one_follows() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, root) = (dir.path(), Path::new("/home/me/shop"));
    let first = WatchLock::try_take(dir, root)
        .unwrap()
        .expect("nobody else watches");
    assert!(first.is_current());
    assert!(WatchLock::try_take(dir, root).unwrap().is_none());
    // Another worktree in the same store has a watcher of its own.
    assert!(
        WatchLock::try_take(dir, Path::new("/home/me/shop2"))
            .unwrap()
            .is_some()
    );

    let (send, receive) = channel();
    WatchLock::queue(dir, root, move |lock| send.send(lock.unwrap()).unwrap());
    assert!(receive.try_recv().is_err());
    drop(first);
    let second = receive.recv_timeout(LIMIT).expect("it is free");
    assert!(WatchLock::try_take(dir, root).unwrap().is_none());
    drop(second);
    assert!(WatchLock::try_take(dir, root).unwrap().is_some());
}

#[test]
fn idx_50_a_lock_whose_file_is_gone_is_known_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let root = Path::new("/home/me/shop");
    let lock = WatchLock::try_take(dir.path(), root).unwrap().unwrap();
    std::fs::remove_file(&lock.path).unwrap();
    assert!(!lock.is_current());
    let other = WatchLock::try_take(dir.path(), root).unwrap();
    assert!(other.is_some_and(|other| other.is_current()) && !lock.is_current());
}

#[test]
fn idx_52_waiting_for_the_writer_can_be_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let writer = WriterLock::take(dir.path(), false).unwrap();
    let stop = AtomicBool::new(true);
    assert!(WriterLock::take_unless(dir.path(), &stop).unwrap().is_none());
    // Whoever gave up does not keep the lock from the next.
    drop(writer);
    stop.store(false, Ordering::Relaxed);
    assert!(WriterLock::take_unless(dir.path(), &stop).unwrap().is_some());
}
