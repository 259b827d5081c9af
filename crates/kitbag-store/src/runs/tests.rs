use super::*;
use crate::{OpenMode, Store};

#[test]
fn idx_30_a_number_that_is_given_again_has_another_mark() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    let tree = TreeId(1);
    let insert = "INSERT INTO trees (root, boundary, content_version, updated_at) VALUES ('/p', x'', 0, 1)";
    store.conn.execute(insert, []).unwrap();
    let to = |seq: i64| {
        store
            .conn
            .execute("UPDATE trees SET seq = ?1", [seq])
            .map(|_| ())
            .unwrap()
    };
    let seen = |seq| seen(&store.conn, tree, seq).unwrap();
    let holds = |last, seen| holds(&store.conn, tree, last, seen).unwrap();
    begin(&store.conn, tree).unwrap();
    to(3);
    begin(&store.conn, tree).unwrap();
    to(5);
    let (first, second) = (seen(3), seen(5));
    assert!(first.mark != second.mark && seen(4).mark == second.mark && seen(1).mark == first.mark);
    assert!(holds(5, first) && holds(5, second) && !holds(4, second) && holds(5, SeenUpTo::default()));
    // The second run is lost, and another gives its numbers again.
    to(3);
    begin(&store.conn, tree).unwrap();
    to(9);
    assert!(holds(9, first) && !holds(9, second));
}

#[test]
fn idx_34_old_runs_are_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), OpenMode::Create).unwrap();
    store
        .conn
        .execute_batch(
            "INSERT INTO trees (root, boundary, content_version, updated_at, seq) VALUES ('/p', x'', 0, 1, 5000);
             WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
             INSERT INTO runs SELECT 1, i, i FROM n;",
        )
        .unwrap();
    begin(&store.conn, TreeId(1)).unwrap();
    let kept: u32 = store
        .conn
        .query_row("SELECT count(*) FROM runs", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, KEPT);
    assert_eq!(seen(&store.conn, TreeId(1), 4_999).unwrap().mark, 4_998);
}
