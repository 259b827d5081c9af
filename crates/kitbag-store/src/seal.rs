//! A checksum for each parse product, over everything that its rows hold. SQLite's own check looks at how pages hang together and
//! not at what stands in them, and products are nearly all that a store is made of.
//!
//! It is taken of the rows as they are read back, column by column, so there is no second list of columns to keep. It is
//! compared only by those who read the whole database anyway: `kitbag index --thorough` and `kitbag doctor`.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use crate::rows::ParseId;

/// The tables of a product. The time of its last use is not included.
const PARTS: [&str; 5] = [
    "SELECT key, language, n_bytes, n_lines, n_chunks, n_symbols, n_redacted, text FROM parses WHERE id = ?1",
    "SELECT * FROM chunks WHERE parse_id = ?1 ORDER BY idx",
    "SELECT * FROM symbols WHERE parse_id = ?1 ORDER BY idx",
    "SELECT * FROM links WHERE parse_id = ?1 ORDER BY idx",
    "SELECT * FROM facts WHERE parse_id = ?1",
];

/// Stores the checksum of a product, in the transaction that writes it.
pub(crate) fn seal(tx: &Connection, parse: ParseId) -> rusqlite::Result<()> {
    let digest = digest(tx, parse)?;
    tx.prepare_cached("INSERT OR REPLACE INTO seals (parse_id, digest) VALUES (?1, ?2)")?
        .execute(params![parse.0, digest])
        .map(|_| ())
}

/// How many products differ from what was written. Products from before there were checksums are not checked.
pub(crate) fn n_broken(conn: &Connection) -> rusqlite::Result<usize> {
    let sealed: Vec<(i64, u32)> = conn
        .prepare("SELECT parse_id, digest FROM seals ORDER BY parse_id")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut n_broken = 0;
    for (parse, sealed) in sealed {
        n_broken += usize::from(digest(conn, ParseId(parse))? != sealed);
    }
    Ok(n_broken)
}

fn digest(conn: &Connection, parse: ParseId) -> rusqlite::Result<u32> {
    let mut hasher = crc32fast::Hasher::new();
    for part in PARTS {
        let mut query = conn.prepare_cached(part)?;
        let n_columns = query.column_count();
        let mut rows = query.query([parse.0])?;
        while let Some(row) = rows.next()? {
            add_row(&mut hasher, row, n_columns)?;
        }
    }
    Ok(hasher.finalize())
}

fn add_row(hasher: &mut crc32fast::Hasher, row: &Row<'_>, n_columns: usize) -> rusqlite::Result<()> {
    for idx in 0..n_columns {
        match row.get_ref(idx)? {
            ValueRef::Null => hasher.update(&[0]),
            ValueRef::Integer(number) => hasher.update(&number.to_le_bytes()),
            ValueRef::Real(number) => hasher.update(&number.to_le_bytes()),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                hasher.update(&(bytes.len() as u64).to_le_bytes());
                hasher.update(bytes);
            }
        }
    }
    Ok(())
}
