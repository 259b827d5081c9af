//! Letting go of parse products that no file shows any more. They are kept for a while, because branches come back.

use rusqlite::{Connection, params};

/// Drops unshown products, the longest unused first, until what is kept of them fits in `keep_bytes`. Gives the number
/// dropped. Ties go by id, which only decides what is cached, never what is answered.
pub(super) fn collect(conn: &mut Connection, keep_bytes: u64) -> rusqlite::Result<u64> {
    let tx = conn.transaction()?;
    let unshown: Vec<(i64, u64)> = tx
        .prepare(
            "SELECT id, length(text) FROM parses
             WHERE NOT EXISTS (SELECT 1 FROM files WHERE files.parse_id = parses.id)
             ORDER BY used_at DESC, id DESC",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut kept = 0;
    let mut n_dropped = 0;
    for (id, n_bytes) in unshown {
        kept += n_bytes;
        if kept <= keep_bytes {
            continue;
        }
        for table in ["chunks", "symbols", "links", "facts", "manifests", "seals"] {
            tx.prepare_cached(&format!("DELETE FROM {table} WHERE parse_id = ?1"))?
                .execute(params![id])?;
        }
        tx.prepare_cached("DELETE FROM parses WHERE id = ?1")?
            .execute(params![id])?;
        n_dropped += 1;
    }
    tx.commit()?;
    Ok(n_dropped)
}
