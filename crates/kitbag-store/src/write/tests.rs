use kitbag_types::{Chunk, ChunkKind, LineRange, Link, LinkKind, Parsed, Symbol, SymbolKind, Visibility};

use super::*;
use crate::{OpenMode, Snapshot};

pub(super) const ROOT: &str = "/project";

fn parse(text: &str) -> NewParse {
    let name = text.split_whitespace().last().unwrap_or("x").to_owned();
    let lines = LineRange::new(1, text.lines().count().max(1) as u32);
    NewParse {
        key: *blake3::hash(text.as_bytes()).as_bytes(),
        language: "text".into(),
        text: text.into(),
        n_redacted: 0,
        parsed: Parsed {
            chunks: vec![Chunk {
                lines,
                bytes: 0..text.len(),
                kind: ChunkKind::CodeBlock,
                label: name.clone(),
                part: (1, 1),
                symbol_path: name.clone(),
                names: vec![name.clone()],
                docs: String::new(),
                capsule: String::new(),
            }],
            symbols: vec![Symbol {
                name: name.clone(),
                kind: SymbolKind::Function,
                container: String::new(),
                signature: String::new(),
                visibility: Visibility::Public,
                doc: String::new(),
                lines,
                name_line: 1,
                declared: "Printer@".into(),
            }],
            links: vec![Link {
                kind: LinkKind::Call,
                name: "print".into(),
                from: Some(0),
                line: 1,
                count: 2,
                more_lines: vec![1],
                path: Some(String::new()),
            }],
            facts: Vec::new(),
            notes: Vec::new(),
        },
        tokens: vec![7],
        hashes: vec![[1; 16]],
    }
}

pub(super) fn indexed(path: &str, text: &str, with_parse: bool) -> Change {
    let new = parse(text);
    let file = StoredFile {
        path: RepoPath::new(path).unwrap(),
        stamp: FileStamp {
            size: text.len() as u64,
            mtime_ns: 5,
        },
        hash: new.key,
        language: "text".into(),
        key: new.key,
    };
    Change::Indexed {
        file,
        parse: with_parse.then(|| Box::new(new)),
    }
}

fn gone(path: &str) -> Change {
    Change::Gone {
        path: RepoPath::new(path).unwrap(),
    }
}

/// Runs `work` with a writer over the store in `dir`.
pub(super) fn write(dir: &Path, work: impl FnOnce(&mut Writer<'_>)) {
    let mut store = Store::open(dir, OpenMode::Create).unwrap();
    let lock = store.lock_writer(false).unwrap();
    let mut writer = Writer::open(&mut store, lock, Path::new(ROOT), false, 1).unwrap();
    work(&mut writer);
    writer.close().unwrap();
}

/// Files that hold a term, and what the counters say.
pub(super) fn found(dir: &Path, term: &str) -> (Vec<String>, u64, u64) {
    let store = Store::open(dir, OpenMode::ReadOnly).unwrap();
    let snapshot = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
    let lists = snapshot
        .text()
        .postings(&[term.to_owned()], &|_, tf, _| tf as f32)
        .unwrap();
    let mut paths: Vec<String> = lists[0]
        .iter()
        .filter_map(|(doc, _)| snapshot.chunk(snapshot.text().chunk(*doc)).unwrap())
        .map(|row| row.path.to_string())
        .collect();
    paths.sort();
    (paths, snapshot.state().n_files, snapshot.state().n_chunks)
}

#[test]
fn idx_31_changes_become_rows_and_documents() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        writer.begin(b"b", 1, 2, 2).unwrap();
        writer
            .apply(
                &[indexed("a.rs", "mango", true), indexed("b.rs", "banana", true)],
                1,
            )
            .unwrap();
        writer.finish(b"scan", 1, 2).unwrap();
    });
    assert_eq!(found(dir.path(), "mango"), (vec!["a.rs".into()], 2, 2));
    write(dir.path(), |writer| {
        writer
            .apply(
                &[indexed("a.rs", "cherry", true), gone("b.rs"), gone("never.rs")],
                3,
            )
            .unwrap();
        writer.finish(b"scan", 1, 4).unwrap();
    });
    assert_eq!(found(dir.path(), "mango").0, Vec::<String>::new());
    assert_eq!(found(dir.path(), "banana").0, Vec::<String>::new());
    assert_eq!(found(dir.path(), "cherri"), (Vec::new(), 1, 1));
    assert_eq!(found(dir.path(), "cherry"), (vec!["a.rs".into()], 1, 1));
}

#[test]
fn idx_35_known_content_needs_no_parse() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        writer.apply(&[indexed("a.rs", "mango", true)], 1).unwrap();
        writer
            .apply(&[gone("a.rs"), indexed("moved.rs", "mango", false)], 2)
            .unwrap();
        writer.finish(b"", 1, 2).unwrap();
        // A product that is not there leaves the file for the next run instead of half a row.
        writer.apply(&[indexed("lost.rs", "unknown", false)], 3).unwrap();
    });
    assert_eq!(found(dir.path(), "mango"), (vec!["moved.rs".into()], 1, 1));
}

#[test]
fn what_was_not_published_is_replayed() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        writer.apply(&[indexed("a.rs", "mango", true)], 1).unwrap()
    });
    // Dropped without publishing, as by a kill between the two commits.
    assert_eq!(found(dir.path(), "mango").0, Vec::<String>::new());
    write(dir.path(), |_| {});
    assert_eq!(found(dir.path(), "mango").0, ["a.rs"]);
    write(dir.path(), |writer| writer.apply(&[gone("a.rs")], 1).unwrap());
    write(dir.path(), |_| {});
    assert_eq!(found(dir.path(), "mango").0, Vec::<String>::new());
    // The whole index is lost.
    write(dir.path(), |writer| {
        writer
            .apply(
                &[indexed("a.rs", "mango", true), indexed("b.rs", "mango", true)],
                1,
            )
            .unwrap();
        writer.publish().unwrap();
    });
    std::fs::remove_dir_all(dir.path().join("text")).unwrap();
    write(dir.path(), |_| {});
    assert_eq!(
        found(dir.path(), "mango"),
        (vec!["a.rs".into(), "b.rs".into()], 2, 2)
    );
}

/// The rows of files that went are dropped when the text index has heard of it. One that has not heard of it any more, because an
/// older list of its files was put back, would show them for ever.
#[test]
fn idx_31_a_text_index_from_before_files_went_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<Change> = (0..20)
        .map(|n| indexed(&format!("f{n}.rs"), &format!("mango {n}"), true))
        .collect();
    write(dir.path(), |writer| {
        writer.apply(&files, 1).unwrap();
        writer.publish().unwrap();
    });
    let list = crate::text::folder(dir.path(), TreeId(1)).join("meta.json");
    let older = std::fs::read(&list).unwrap();
    write(dir.path(), |writer| {
        writer.apply(&[gone("f3.rs")], 2).unwrap();
        writer.publish().unwrap();
    });
    let well = found(dir.path(), "mango");
    assert_eq!(well.0.len(), 19);
    std::fs::write(&list, older).unwrap();
    write(dir.path(), |writer| {
        assert_eq!(writer.text_fault(), Some(&Fault::Astray));
    });
    assert_eq!(found(dir.path(), "mango"), well);
}

#[test]
fn a_text_index_from_the_future_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        writer
            .apply(
                &[indexed("a.rs", "mango", true), indexed("b.rs", "banana", true)],
                1,
            )
            .unwrap();
        writer.publish().unwrap();
    });
    // The database is lost, the index is not: its documents point at rows of another database.
    std::fs::remove_file(dir.path().join("kitbag.db")).unwrap();
    write(dir.path(), |writer| {
        writer.apply(&[indexed("c.rs", "cherry", true)], 1).unwrap();
        writer.publish().unwrap();
    });
    assert_eq!(found(dir.path(), "mango").0, Vec::<String>::new());
    assert_eq!(found(dir.path(), "cherry").0, ["c.rs"]);
}

#[test]
fn idx_42_failures_are_remembered_and_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let path = RepoPath::new("a.rs").unwrap();
    let stamp = FileStamp { size: 1, mtime_ns: 1 };
    let failed = Change::Failed {
        path: path.clone(),
        stamp,
        kind: "permission".into(),
        message: "permission denied".into(),
    };
    write(dir.path(), |writer| {
        writer.apply(std::slice::from_ref(&failed), 1).unwrap();
        writer.apply(&[failed], 2).unwrap();
    });
    let failures = || {
        let store = Store::open(dir.path(), OpenMode::ReadOnly).unwrap();
        let snapshot = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
        snapshot.failures().unwrap()
    };
    assert_eq!(
        failures()
            .iter()
            .map(|failure| failure.retries)
            .collect::<Vec<_>>(),
        [1]
    );
    write(dir.path(), |writer| {
        writer.apply(&[indexed("a.rs", "mango", true)], 3).unwrap()
    });
    assert!(failures().is_empty());
}

#[test]
fn idx_35_unused_products_are_collected_oldest_first() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        for (now, text) in ["one", "two", "three"].iter().enumerate() {
            writer.apply(&[indexed("a.rs", text, true)], now as i64).unwrap();
        }
        let size_of = |text: &str| codec_len(text);
        assert_eq!(
            writer.collect(size_of("two")).unwrap(),
            1,
            "`one` goes, `two` stays, `three` is in use"
        );
        let has_parse = |writer: &Writer<'_>, text: &str| {
            let id = parse_id(&writer.store.conn, &parse(text).key);
            id.unwrap().is_some()
        };
        assert!(!has_parse(writer, "one"));
        assert!(has_parse(writer, "two"));
        assert_eq!(writer.collect(0).unwrap(), 1);
        assert!(has_parse(writer, "three"));
    });
}

fn codec_len(text: &str) -> u64 {
    crate::codec::pack(text).len() as u64
}

#[test]
fn idx_32_one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    let lock = store.lock_writer(false).unwrap();
    let other = Store::open(dir.path(), OpenMode::Create).unwrap();
    assert!(matches!(other.lock_writer(false), Err(StoreError::Busy { .. })));
    drop(lock);
    other.lock_writer(false).unwrap();
}

#[test]
fn a_snapshot_does_not_move() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        writer.apply(&[indexed("a.rs", "mango", true)], 1).unwrap();
        writer.publish().unwrap();
    });
    let store = Store::open(dir.path(), OpenMode::ReadOnly).unwrap();
    let snapshot = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
    write(dir.path(), |writer| {
        writer
            .apply(&[gone("a.rs"), indexed("b.rs", "banana", true)], 2)
            .unwrap();
        writer.publish().unwrap();
    });
    let paths: Vec<String> = snapshot
        .files()
        .unwrap()
        .iter()
        .map(|file| file.path.to_string())
        .collect();
    assert_eq!(paths, ["a.rs"]);
    let lists = snapshot
        .text()
        .postings(&["mango".into(), "banana".into()], &|_, tf, _| tf as f32)
        .unwrap();
    assert_eq!((lists[0].len(), lists[1].len()), (1, 0));
}

#[test]
fn idx_30_a_database_that_fell_back_makes_text_and_vectors_again() {
    let dir = tempfile::tempdir().unwrap();
    let add = |path: &str, text: &str| {
        write(dir.path(), |writer| {
            writer.apply(&[indexed(path, text, true)], 1).unwrap();
            writer.publish().unwrap();
            let mut embedding = writer.embedding("model", 1).unwrap();
            for file in embedding.pending().to_vec() {
                embedding.add(&file, &[vec![text.len() as f32]]).unwrap();
            }
            embedding.finish(true).unwrap();
        });
    };
    let database = dir.path().join("kitbag.db");
    add("a.rs", "mango");
    let before = std::fs::read(&database).unwrap();
    add("b.rs", "banana");
    // A power cut takes the last transaction, and the next run gives its number to another file.
    std::fs::write(&database, before).unwrap();
    let faults = || {
        let store = Store::open(dir.path(), OpenMode::ReadOnly).unwrap();
        let snapshot = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
        let vectors = snapshot.vectors("model", 1).unwrap();
        (
            snapshot.text_fault().cloned(),
            vectors.fault().cloned(),
            vectors.seq(),
        )
    };
    assert_eq!(faults(), (Some(Fault::Astray), Some(Fault::Astray), 1));
    write(dir.path(), |writer| {
        assert_eq!(writer.text_fault(), Some(&Fault::Astray));
        writer.apply(&[indexed("c.rs", "cherry", true)], 1).unwrap();
        writer.publish().unwrap();
    });
    assert_eq!(
        faults(),
        (None, Some(Fault::Astray), 1),
        "the number is there again, the mark is not"
    );
    write(dir.path(), |writer| {
        let embedding = writer.embedding("model", 1).unwrap();
        let pending: Vec<&str> = embedding
            .pending()
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(pending, ["c.rs"]);
        assert_eq!(embedding.fault(), Some(&Fault::Astray));
    });
    assert_eq!(found(dir.path(), "banana").0, Vec::<String>::new());
    assert_eq!(found(dir.path(), "cherry").0, ["c.rs"]);
}

#[test]
fn idx_30_a_flipped_letter_in_a_row_is_found_by_a_check() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), |writer| {
        writer.apply(&[indexed("a.rs", "mango", true)], 1).unwrap();
    });
    let check = || Store::open(dir.path(), OpenMode::ReadOnly).unwrap().check();
    check().unwrap();
    for sql in [
        "UPDATE chunks SET docs = 'x'",
        "UPDATE symbols SET signature = 'x'",
        "UPDATE links SET line = line + 1",
        "UPDATE parses SET n_lines = n_lines + 1",
    ] {
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(dir.path().join("kitbag.db"), copy.path().join("kitbag.db")).unwrap();
        let store = Store::open(copy.path(), OpenMode::Create).unwrap();
        store.conn.execute(sql, []).unwrap();
        assert!(matches!(store.check(), Err(StoreError::Corrupt { .. })), "{sql}");
    }
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    store.conn.execute("UPDATE parses SET used_at = 99", []).unwrap();
    check().unwrap();
}
