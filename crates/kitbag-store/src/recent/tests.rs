use kitbag_types::{ChunkKind, LineRange, RepoPath};

use super::*;

const TREE: TreeId = TreeId(1);
const AT: ChunkRef = ChunkRef {
    file: 1,
    parse: ParseId(2),
    idx: 3,
};

fn row(docs: String) -> Arc<ChunkRow> {
    Arc::new(ChunkRow {
        at: AT,
        path: RepoPath::new("a.rs").unwrap(),
        language: "rust".into(),
        lines: LineRange::new(1, 2),
        bytes: 0..10,
        kind: ChunkKind::Paragraph,
        label: "a".into(),
        part: (1, 1),
        tokens: 3,
        exported: true,
        hash: [0; 16],
        symbol_path: String::new(),
        names: vec!["a".into()],
        docs,
        current: true,
    })
}

/// ENG-60: rows are of one state of the database, whoever changes it.
#[test]
fn eng_60_rows_are_dropped_when_anything_changed() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Connection::open(dir.path().join("a.db")).unwrap();
    let (own, other) = (open(), open());
    own.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        .unwrap();
    let mut recent = RecentRows::default();
    let mut is_kept_after = |tree: TreeId, change: &dyn Fn()| {
        recent.begin(&own, TREE).unwrap();
        recent.keep_chunk(AT, &row(String::new()));
        recent.keep_at_line(1, ParseId(2), 7, &row(String::new()));
        change();
        recent.begin(&own, tree).unwrap();
        let kept = (recent.chunk(AT), recent.at_line(1, ParseId(2), 7));
        assert_eq!(kept.0.is_some(), kept.1.is_some());
        kept.0.is_some()
    };
    let insert = |conn: &Connection| {
        conn.execute("INSERT INTO t VALUES (1)", []).unwrap();
    };
    assert!(is_kept_after(TREE, &|| ()), "nothing changed");
    assert!(!is_kept_after(TREE, &|| insert(&other)), "another connection");
    assert!(!is_kept_after(TREE, &|| insert(&own)), "this connection");
    assert!(!is_kept_after(TreeId(2), &|| ()), "another tree");
}

#[test]
fn sec_4_few_bytes_are_kept() {
    let mut recent = RecentRows::default();
    for idx in 0..100 {
        let at = ChunkRef { idx, ..AT };
        recent.keep_chunk(at, &row("x".repeat(500_000)));
        assert!(recent.chunks.len() <= 32);
        assert!(recent.chunk(at).is_some(), "the last one is always there");
    }
}
