use std::path::Path;

use kitbag_types::{FileStamp, Parsed};

use super::*;
use crate::{Change, NewParse, OpenMode, Store, StoredFile};

const VERSION: u32 = 3;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn indexed(at: &str, text: &str) -> Change {
    let parse = NewParse {
        key: *blake3::hash(text.as_bytes()).as_bytes(),
        language: "text".into(),
        text: text.into(),
        n_redacted: 0,
        parsed: Parsed {
            chunks: Vec::new(),
            symbols: Vec::new(),
            links: Vec::new(),
            facts: Vec::new(),
            notes: Vec::new(),
        },
        tokens: Vec::new(),
        hashes: Vec::new(),
    };
    let file = StoredFile {
        path: path(at),
        stamp: FileStamp {
            size: text.len() as u64,
            mtime_ns: 5,
        },
        hash: parse.key,
        language: "text".into(),
        key: parse.key,
    };
    Change::Indexed {
        file,
        parse: Some(Box::new(parse)),
    }
}

/// A store with one manifest that two folders share.
fn stored(dir: &Path) -> Store {
    let mut store = Store::open(dir, OpenMode::Create).unwrap();
    let lock = store.lock_writer(false).unwrap();
    let mut writer = Writer::open(&mut store, lock, Path::new("/project"), false, 0).unwrap();
    let changes: Vec<Change> = ["a/Cargo.toml", "b/Cargo.toml", "c/setup.cfg"]
        .map(|path| indexed(path, "one text"))
        .into();
    writer.apply(&changes, 0).unwrap();
    writer.close().unwrap();
    store
}

#[test]
fn pkg_8_what_a_manifest_says_is_found_by_its_text_file_name_and_version() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = stored(dir.path());
    let lock = store.lock_writer(false).unwrap();
    let mut writer = Writer::open(&mut store, lock, Path::new("/project"), false, 0).unwrap();
    let row = writer.manifest(&path("a/Cargo.toml"), VERSION).unwrap().unwrap();
    assert_eq!(row.content, None);
    assert_eq!(writer.text_of(row.parse).unwrap(), "one text");
    let new = NewManifest {
        parse: row.parse,
        file_name: "Cargo.toml".into(),
        content: b"said".to_vec(),
    };
    writer
        .set_packages("stamp", b"packages", &[new], VERSION)
        .unwrap();
    let said = |of: &str, version| {
        writer
            .manifest(&path(of), version)
            .unwrap()
            .and_then(|row| row.content)
    };
    assert_eq!(said("b/Cargo.toml", VERSION), Some(b"said".to_vec()));
    assert_eq!(said("b/Cargo.toml", VERSION + 1), None);
    assert_eq!(said("c/setup.cfg", VERSION), None);
    assert_eq!(writer.manifest(&path("d/Cargo.toml"), VERSION).unwrap(), None);
}

#[test]
fn pkg_8_damaged_packages_are_as_good_as_none() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = stored(dir.path());
    let lock = store.lock_writer(false).unwrap();
    let mut writer = Writer::open(&mut store, lock, Path::new("/project"), false, 0).unwrap();
    writer.set_packages("stamp", b"packages", &[], VERSION).unwrap();
    let expected = Some(PackagesRow {
        seq: 3,
        stamp: "stamp".into(),
        content: b"packages".to_vec(),
    });
    assert_eq!(writer.packages().unwrap(), expected);
    writer.close().unwrap();
    let read = |store: &Store| {
        let snapshot = Snapshot::open(store, Path::new("/project")).unwrap().unwrap();
        snapshot.packages().unwrap()
    };
    assert_eq!(read(&store), expected);
    store
        .conn
        .execute("UPDATE packages SET content = x'00'", [])
        .unwrap();
    assert_eq!(read(&store), None);
}
