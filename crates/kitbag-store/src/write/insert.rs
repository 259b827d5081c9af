//! A batch of changes as rows. Everything here runs inside one transaction.

use kitbag_types::terms::fold;
use kitbag_types::{FileStamp, Visibility};
use rusqlite::{OptionalExtension, Transaction, params};

use super::{Change, parse_id};
use crate::codec;
use crate::rows::{FileState, NewParse, ParseId, StoredFile, TreeId};
use crate::seal::seal;

/// The separator of a chunk's names in their column; no language allows a newline in a name, and no query file captures one.
const NAME_SEPARATOR: &str = "\n";

/// A file that the text index must update: its row, and its present product, if any.
pub(super) type Touched = Option<(i64, Option<ParseId>)>;

pub(super) struct Batch<'t> {
    tx: &'t Transaction<'t>,
    tree: TreeId,
    replaces: bool,
    now_ms: i64,
    seq: i64,
    n_files: i64,
    n_chunks: i64,
    touched: Vec<Touched>,
}

/// A file's row before a change.
struct OldFileRow {
    id: i64,
    state: FileState,
    parse: Option<ParseId>,
}

impl<'t> Batch<'t> {
    /// `replaces`: a product that comes with a change takes the place of a stored one with its key.
    pub(super) fn begin(
        tx: &'t Transaction<'t>,
        tree: TreeId,
        replaces: bool,
        now_ms: i64,
    ) -> rusqlite::Result<Self> {
        let (seq, n_files, n_chunks) = tx.query_row(
            "SELECT seq, n_files, n_chunks FROM trees WHERE id = ?1",
            [tree.0],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        Ok(Self {
            tx,
            tree,
            replaces,
            now_ms,
            seq,
            n_files,
            n_chunks,
            touched: Vec::new(),
        })
    }

    /// Writes the tree's counters. Returns its last change and, one per change, what the text index must do.
    pub(super) fn end(self) -> rusqlite::Result<(i64, Vec<Touched>)> {
        self.tx.execute(
            "UPDATE trees SET seq = ?2, n_files = ?3, n_chunks = ?4, updated_at = ?5 WHERE id = ?1",
            params![self.tree.0, self.seq, self.n_files, self.n_chunks, self.now_ms],
        )?;
        Ok((self.seq, self.touched))
    }

    pub(super) fn apply(&mut self, change: &Change) -> rusqlite::Result<()> {
        let touched = match change {
            Change::Indexed { file, parse } => self.indexed(file, parse.as_deref())?,
            Change::Skipped { path, stamp, reason } => {
                self.unindexed(path.as_str(), FileState::Skipped, stamp, reason)?
            }
            Change::Failed {
                path,
                stamp,
                kind,
                message,
            } => {
                self.tx
                    .prepare_cached(
                        "INSERT INTO bootstrap_errors (tree_id, path, kind, message, retries, at)
                         VALUES (?1, ?2, ?3, ?4, 0, ?5)
                         ON CONFLICT DO UPDATE SET kind = ?3, message = ?4, retries = retries + 1, at = ?5",
                    )?
                    .execute(params![self.tree.0, path.as_str(), kind, message, self.now_ms])?;
                self.unindexed(path.as_str(), FileState::Failed, stamp, message)?
            }
            Change::Touched { path, stamp } => {
                self.tx
                    .prepare_cached(
                        "UPDATE files SET size = ?3, mtime_ns = ?4 WHERE tree_id = ?1 AND path = ?2",
                    )?
                    .execute(params![
                        self.tree.0,
                        path.as_str(),
                        stamp.size as i64,
                        stamp.mtime_ns
                    ])?;
                None
            }
            Change::Gone { path } => self.gone(path.as_str())?,
        };
        self.touched.push(touched);
        Ok(())
    }

    fn indexed(&mut self, file: &StoredFile, parse: Option<&NewParse>) -> rusqlite::Result<Touched> {
        let parse = match (parse_id(self.tx, &file.key)?, parse) {
            (Some(id), Some(new)) if self.replaces => {
                // Under its old number, because files of other trees may show it too.
                self.n_chunks -= self.chunks_shown(id)?;
                replace_parse(self.tx, id, new)?;
                self.n_chunks += self.chunks_shown(id)?;
                id
            }
            (Some(id), _) => id,
            (None, Some(new)) => insert_parse(self.tx, new, self.now_ms)?,
            // The product was collected between the caller's look and this batch. Leave the file for the next run.
            (None, None) => return Ok(None),
        };
        let before = self.before(file.path.as_str())?;
        self.settle(before.as_ref())?;
        self.clear_error(file.path.as_str())?;
        self.n_files += 1;
        self.n_chunks += self.chunks_of(parse)?;
        self.seq += 1;
        let id = self.upsert(
            file.path.as_str(),
            FileState::Indexed,
            &file.stamp,
            &file.hash,
            (&file.language, Some(parse), ""),
        )?;
        Ok(Some((id, Some(parse))))
    }

    fn unindexed(
        &mut self,
        path: &str,
        state: FileState,
        stamp: &FileStamp,
        reason: &str,
    ) -> rusqlite::Result<Touched> {
        let before = self.before(path)?;
        self.settle(before.as_ref())?;
        if state != FileState::Failed {
            self.clear_error(path)?;
        }
        self.seq += 1;
        let id = self.upsert(path, state, stamp, &[0; 32], ("", None, reason))?;
        Ok(before.and_then(|before| before.parse).map(|_| (id, None)))
    }

    fn gone(&mut self, path: &str) -> rusqlite::Result<Touched> {
        let Some(before) = self.before(path)? else {
            return Ok(None);
        };
        if before.state == FileState::Gone {
            return Ok(None);
        }
        self.settle(Some(&before))?;
        self.clear_error(path)?;
        self.seq += 1;
        self.tx
            .prepare_cached("UPDATE files SET state = ?2, parse_id = NULL, seq = ?3 WHERE id = ?1")?
            .execute(params![before.id, FileState::Gone.to_i64(), self.seq])?;
        Ok(Some((before.id, None)))
    }

    fn before(&self, path: &str) -> rusqlite::Result<Option<OldFileRow>> {
        self.tx
            .prepare_cached("SELECT id, state, parse_id FROM files WHERE tree_id = ?1 AND path = ?2")?
            .query_row(params![self.tree.0, path], |row| {
                Ok(OldFileRow {
                    id: row.get(0)?,
                    state: FileState::from_i64(row.get(1)?),
                    parse: row.get::<_, Option<i64>>(2)?.map(ParseId),
                })
            })
            .optional()
    }

    /// Subtracts a file's old product from the counters, and notes when it was last used.
    fn settle(&mut self, before: Option<&OldFileRow>) -> rusqlite::Result<()> {
        let Some(OldFileRow {
            state: FileState::Indexed,
            parse: Some(parse),
            ..
        }) = before
        else {
            return Ok(());
        };
        self.n_files -= 1;
        self.n_chunks -= self.chunks_of(*parse)?;
        self.tx
            .prepare_cached("UPDATE parses SET used_at = ?2 WHERE id = ?1")?
            .execute(params![parse.0, self.now_ms])?;
        Ok(())
    }

    fn clear_error(&self, path: &str) -> rusqlite::Result<()> {
        self.tx
            .prepare_cached("DELETE FROM bootstrap_errors WHERE tree_id = ?1 AND path = ?2")?
            .execute(params![self.tree.0, path])?;
        Ok(())
    }

    fn chunks_of(&self, parse: ParseId) -> rusqlite::Result<i64> {
        self.tx
            .prepare_cached("SELECT n_chunks FROM parses WHERE id = ?1")?
            .query_row([parse.0], |row| row.get(0))
    }

    /// The counts of a product in this tree, over all files that use it.
    fn chunks_shown(&self, parse: ParseId) -> rusqlite::Result<i64> {
        self.tx
            .prepare_cached(
                "SELECT count(*) * (SELECT n_chunks FROM parses WHERE id = ?1) FROM files
                 WHERE parse_id = ?1 AND tree_id = ?2 AND state = 0",
            )?
            .query_row(params![parse.0, self.tree.0], |row| row.get(0))
    }

    fn upsert(
        &self,
        path: &str,
        state: FileState,
        stamp: &FileStamp,
        hash: &[u8; 32],
        (language, parse, reason): (&str, Option<ParseId>, &str),
    ) -> rusqlite::Result<i64> {
        self.tx
            .prepare_cached(
                "INSERT INTO files (tree_id, path, state, size, mtime_ns, hash, language, parse_id, reason, indexed_at, seq)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                 ON CONFLICT (tree_id, path) DO UPDATE SET state = ?3, size = ?4, mtime_ns = ?5, hash = ?6,
                     language = ?7, parse_id = ?8, reason = ?9, indexed_at = ?10, seq = ?11
                 RETURNING id",
            )?
            .query_row(
                params![
                    self.tree.0,
                    path,
                    state.to_i64(),
                    stamp.size as i64,
                    stamp.mtime_ns,
                    hash.as_slice(),
                    language,
                    parse.map(|parse| parse.0),
                    reason,
                    self.now_ms,
                    self.seq,
                ],
                |row| row.get(0),
            )
    }
}

fn insert_parse(tx: &Transaction<'_>, new: &NewParse, now_ms: i64) -> rusqlite::Result<ParseId> {
    let parsed = &new.parsed;
    tx.prepare_cached(
        "INSERT INTO parses (key, language, n_bytes, n_lines, n_chunks, n_symbols, n_redacted, used_at, text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        new.key.as_slice(),
        new.language,
        new.text.len() as i64,
        new.text.lines().count() as i64,
        parsed.chunks.len() as i64,
        parsed.symbols.len() as i64,
        new.n_redacted,
        now_ms,
        codec::pack(&new.text),
    ])?;
    let id = tx.last_insert_rowid();
    insert_rows(tx, id, new)?;
    seal(tx, ParseId(id))?;
    Ok(ParseId(id))
}

/// Replaces a product with the same key, whatever its state.
fn replace_parse(tx: &Transaction<'_>, id: ParseId, new: &NewParse) -> rusqlite::Result<()> {
    for table in ["chunks", "symbols", "links", "facts", "manifests"] {
        tx.prepare_cached(&format!("DELETE FROM {table} WHERE parse_id = ?1"))?
            .execute([id.0])?;
    }
    tx.prepare_cached(
        "UPDATE parses SET language = ?2, n_bytes = ?3, n_lines = ?4, n_chunks = ?5, n_symbols = ?6, n_redacted = ?7,
             text = ?8 WHERE id = ?1",
    )?
    .execute(params![
        id.0,
        new.language,
        new.text.len() as i64,
        new.text.lines().count() as i64,
        new.parsed.chunks.len() as i64,
        new.parsed.symbols.len() as i64,
        new.n_redacted,
        codec::pack(&new.text),
    ])?;
    insert_rows(tx, id.0, new)?;
    seal(tx, id)
}

/// The chunks, symbols, links and facts of a product.
fn insert_rows(tx: &Transaction<'_>, id: i64, new: &NewParse) -> rusqlite::Result<()> {
    let parsed = &new.parsed;
    let mut insert = tx.prepare_cached(
        "INSERT INTO chunks (parse_id, idx, line_start, line_end, byte_start, byte_end, kind, label, part, parts, tokens,
             exported, hash, symbol_path, names, docs, capsule)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?;
    let public = parsed
        .symbols
        .iter()
        .filter(|symbol| symbol.visibility == Visibility::Public);
    let mut public_lines: Vec<u32> = public.map(|symbol| symbol.name_line).collect();
    public_lines.sort_unstable();
    for (idx, chunk) in parsed.chunks.iter().enumerate() {
        let next = public_lines.partition_point(|line| *line < chunk.lines.start());
        let exported = public_lines
            .get(next)
            .is_some_and(|line| chunk.lines.contains(*line));
        insert.execute(params![
            id,
            idx as i64,
            chunk.lines.start(),
            chunk.lines.end(),
            chunk.bytes.start as i64,
            chunk.bytes.end as i64,
            chunk.kind.as_str(),
            chunk.label,
            chunk.part.0,
            chunk.part.1,
            new.tokens.get(idx).copied().unwrap_or(0),
            exported,
            new.hashes.get(idx).map_or(&[][..], |hash| &hash[..]),
            chunk.symbol_path,
            chunk.names.join(NAME_SEPARATOR),
            chunk.docs,
            chunk.capsule,
        ])?;
    }
    let mut insert = tx.prepare_cached(
        "INSERT INTO symbols (parse_id, idx, name, folded, kind, container, signature, exported, doc, line_start, line_end,
             name_line, declared)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    for (idx, symbol) in parsed.symbols.iter().enumerate() {
        insert.execute(params![
            id,
            idx as i64,
            symbol.name,
            fold(&symbol.name),
            symbol.kind.as_str(),
            symbol.container,
            symbol.signature,
            symbol.visibility == Visibility::Public,
            symbol.doc,
            symbol.lines.start(),
            symbol.lines.end(),
            symbol.name_line,
            symbol.declared,
        ])?;
    }
    let mut insert = tx.prepare_cached(
        "INSERT INTO links (parse_id, idx, kind, name, from_symbol, line, count, path, more_lines)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (idx, link) in parsed.links.iter().enumerate() {
        insert.execute(params![
            id,
            idx as i64,
            link.kind.as_str(),
            link.name,
            link.from,
            link.line,
            link.count,
            link.path,
            codec::pack_lines(link.line, &link.more_lines),
        ])?;
    }
    if !parsed.facts.is_empty() {
        let content = kitbag_types::fact::to_bytes(&parsed.facts);
        tx.prepare_cached("INSERT INTO facts (parse_id, n_bytes, content) VALUES (?1, ?2, ?3)")?
            .execute(params![id, content.len() as i64, codec::pack_bytes(&content)])?;
    }
    Ok(())
}
