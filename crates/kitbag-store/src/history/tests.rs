use std::path::Path;

use super::*;
use crate::{OpenMode, Store};

fn commit(id: &str, words: &[&str], paths: &[&str]) -> NewCommit {
    let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    NewCommit {
        id: id.into(),
        paths: owned(paths),
        terms: owned(words),
    }
}

#[test]
fn ret_13_a_history_is_found_by_its_words_and_replaced_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let root = Path::new("/project");
    let mut store = Store::open(dir.path(), OpenMode::Create).unwrap();
    let commits = [
        commit("b", &["fix", "token", "fix"], &["src/auth.rs", "src/b.rs"]),
        commit("a", &["token"], &["src/auth.rs"]),
    ];
    for (stamp, commits) in [("one", &commits[..]), ("two", &commits[1..])] {
        let lock = store.lock_writer(false).unwrap();
        let mut writer = Writer::open(&mut store, lock, root, false, 0).unwrap();
        writer.set_history(stamp, commits).unwrap();
        writer.close().unwrap();
        let snapshot = Snapshot::open(&store, root).unwrap().unwrap();
        let expected = Some((stamp.to_owned(), commits.len() as u64));
        assert_eq!(snapshot.history().unwrap(), expected);
        if stamp == "one" {
            assert_eq!(snapshot.mentions("token").unwrap(), [(0, 1, 3), (1, 1, 1)]);
            assert_eq!(snapshot.mentions("fix").unwrap(), [(0, 2, 3)]);
            let row = snapshot.commit(0).unwrap().unwrap();
            assert_eq!(row.paths, ["src/auth.rs", "src/b.rs"]);
        } else {
            assert_eq!(snapshot.mentions("token").unwrap(), [(0, 1, 1)]);
            assert!(snapshot.mentions("fix").unwrap().is_empty());
            assert_eq!(snapshot.commit(1).unwrap(), None);
        }
    }
    let lock = store.lock_writer(false).unwrap();
    Writer::open(&mut store, lock, Path::new("/other"), false, 0)
        .unwrap()
        .close()
        .unwrap();
    let other = Snapshot::open(&store, Path::new("/other")).unwrap().unwrap();
    assert_eq!(other.history().unwrap(), None);
    assert!(other.mentions("token").unwrap().is_empty());
}
