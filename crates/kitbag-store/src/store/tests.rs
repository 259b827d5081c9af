use super::*;

#[test]
fn idx_30_a_newer_store_is_refused_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    store
        .conn
        .execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'", [])
        .unwrap();
    drop(store);
    for mode in [OpenMode::Create, OpenMode::ReadOnly] {
        let error = Store::open(dir.path(), mode).err().unwrap();
        assert!(matches!(error, StoreError::Newer { found: 999, .. }), "{error}");
    }
    assert!(database(dir.path()).exists());
}

#[test]
fn idx_30_a_damaged_store_is_set_aside() {
    type Damage = fn(&[u8]) -> Vec<u8>;
    let cases: [(&str, Damage); 3] = [
        ("not a database", |_| {
            b"this is not a database at all, not even a little bit".to_vec()
        }),
        ("truncated", |bytes| bytes[..bytes.len() / 2].to_vec()),
        ("scribbled over", |bytes| {
            bytes
                .iter()
                .enumerate()
                .map(|(at, b)| if at < 60 { 0xAA } else { *b })
                .collect()
        }),
    ];
    for (what, damage) in cases {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), OpenMode::Create).unwrap();
        store
            .conn
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
            .unwrap();
        drop(store);
        let path = database(dir.path());
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, damage(&bytes)).unwrap();
        let opened = Store::open(dir.path(), OpenMode::Create).and_then(|store| store.check());
        assert!(
            matches!(opened, Err(StoreError::Corrupt { .. })),
            "{what}: {opened:?}"
        );
        let aside = Store::set_aside(dir.path(), false)
            .unwrap()
            .expect("it was damaged");
        assert!(aside.join("kitbag.db").exists(), "{what}");
        Store::open(dir.path(), OpenMode::Create)
            .unwrap()
            .check()
            .unwrap();
        assert_eq!(
            Store::set_aside(dir.path(), false).unwrap(),
            None,
            "{what}: a healthy store stays"
        );
    }
}

#[test]
fn mcp_6_whether_a_store_can_be_written_is_told_without_writing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("not/yet/there");
    assert!(Store::check_writable(&dir).is_ok());
    assert!(!folder.path().join("not").exists(), "asking makes nothing");
    drop(Store::open(&dir, OpenMode::Create).unwrap());
    assert!(Store::check_writable(&dir).is_ok());
    std::fs::write(folder.path().join("file"), "").unwrap();
    let below_a_file = Store::check_writable(&folder.path().join("file/store"));
    assert!(
        matches!(below_a_file, Err(StoreError::ReadOnly { .. })),
        "{below_a_file:?}"
    );
}

#[test]
fn a_missing_store_is_not_made_by_reading() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("none");
    assert!(matches!(
        Store::open(&path, OpenMode::ReadOnly),
        Err(StoreError::Missing { .. })
    ));
    assert!(!path.exists());
}

#[test]
fn odd_folder_names_open_read_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a b?c#d%e'ü");
    Store::open(&path, OpenMode::Create).unwrap();
    Store::open(&path, OpenMode::ReadOnly).unwrap();
}

#[test]
fn idx_30_an_older_store_is_brought_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    let older = "DROP TABLE histories; DROP TABLE commits; DROP TABLE commit_terms;
        DROP TABLE ages; DROP TABLE touches; DROP TABLE differing; DROP TABLE runs; DROP TABLE seals;
        DROP TABLE manifests; DROP TABLE packages; DROP TABLE facts; DROP INDEX links_that_import;
        ALTER TABLE trees DROP COLUMN expected_bytes;
        ALTER TABLE symbols DROP COLUMN declared; ALTER TABLE links DROP COLUMN path;
        ALTER TABLE links DROP COLUMN more_lines;
        INSERT INTO meta (key, value) VALUES ('kept', 'yes');
        UPDATE meta SET value = '1' WHERE key = 'schema_version'";
    store.conn.execute_batch(older).unwrap();
    drop(store);
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    let number = |sql: &str| store.conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    for table in [
        "commits",
        "ages",
        "touches",
        "differing",
        "facts",
        "manifests",
        "packages",
        "runs",
        "seals",
    ] {
        assert_eq!(number(&format!("SELECT count(*) FROM {table}")), 0);
    }
    assert_eq!(number("SELECT count(expected_bytes) FROM trees"), 0);
    assert_eq!(number("SELECT count(path) + count(more_lines) FROM links"), 0);
    assert_eq!(number("SELECT count(declared) FROM symbols"), 0);
    assert_eq!(number("SELECT count(*) FROM meta WHERE key = 'kept'"), 1);
    assert_eq!(schema::version(&store.conn).unwrap(), SCHEMA_VERSION);
}
