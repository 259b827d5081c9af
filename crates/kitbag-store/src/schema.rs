//! The tables, and the numbers that say which make of them a store has.
//!
//! Parse products (`parses` and its `chunks`, `symbols`, `links`, `facts`) hang on content, not on paths: `key` is a hash of bytes,
//! language, settings and content version, so a branch switch, a second worktree or a moved file finds its products
//! waiting (IDX-35). `files` says which product a path of a tree shows at the moment. A tree is one root folder: worktrees
//! of a repository share a store and its products, and differ in a few small rows.
//!
//! Every change of a file takes the next `seq` of its tree; a deleted file stays as a tombstone until the text index has
//! passed its number. With the marks of `runs.rs` that is all the bookkeeping that two storage engines need to agree after any
//! crash.
//!
//! Products are clustered by (parse, idx): a file's rows stand together and are appended in one go. The only secondary
//! indexes are the ones a question needs: a name's definitions, a name's uses, a product's files. What the working tree
//! looked like at the last run (`trees.scan`) is one value that only `kitbag-repo` understands.

use rusqlite::Connection;

/// Bump when a table changes shape, with a migration in [`prepare`] and a line here.
/// 1: first. 2: commits. 3: how links are reached, what symbols are or give. 4: how many bytes are expected, and when files
/// last changed. 5: marks of runs, because change numbers are given twice after a power cut, and
/// checksums of products, because SQLite has none. 6: manifests and packages, and a way to all imports that passes by the
/// other links. 7: facts.
pub const SCHEMA_VERSION: i64 = 7;

/// Bump when the text index changes fields or terms: it is rebuilt from the database.
/// 1: first. 2: the mark of the run that made the last change.
pub const TEXT_VERSION: i64 = 2;

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE trees (
    id INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    boundary BLOB NOT NULL,
    content_version INTEGER NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    complete INTEGER NOT NULL DEFAULT 0,
    n_expected INTEGER NOT NULL DEFAULT 0,
    n_files INTEGER NOT NULL DEFAULT 0,
    n_chunks INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL,
    scan BLOB NOT NULL DEFAULT x''
);
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    tree_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    state INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    hash BLOB NOT NULL,
    language TEXT NOT NULL,
    parse_id INTEGER,
    reason TEXT NOT NULL,
    indexed_at INTEGER NOT NULL,
    seq INTEGER NOT NULL
);
CREATE UNIQUE INDEX files_by_path ON files (tree_id, path);
CREATE INDEX files_by_seq ON files (tree_id, seq);
CREATE INDEX files_by_parse ON files (parse_id);
CREATE TABLE bootstrap_errors (
    tree_id INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL,
    retries INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tree_id, path)
) WITHOUT ROWID;
CREATE TABLE parses (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    language TEXT NOT NULL,
    n_bytes INTEGER NOT NULL,
    n_lines INTEGER NOT NULL,
    n_chunks INTEGER NOT NULL,
    n_symbols INTEGER NOT NULL,
    n_redacted INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    text BLOB NOT NULL
);
CREATE UNIQUE INDEX parses_by_key ON parses (key);
CREATE TABLE chunks (
    parse_id INTEGER NOT NULL, idx INTEGER NOT NULL,
    line_start INTEGER NOT NULL, line_end INTEGER NOT NULL, byte_start INTEGER NOT NULL, byte_end INTEGER NOT NULL,
    kind TEXT NOT NULL, label TEXT NOT NULL, part INTEGER NOT NULL, parts INTEGER NOT NULL, tokens INTEGER NOT NULL,
    exported INTEGER NOT NULL, hash BLOB NOT NULL, symbol_path TEXT NOT NULL, names TEXT NOT NULL, docs TEXT NOT NULL,
    capsule TEXT NOT NULL, PRIMARY KEY (parse_id, idx)
) WITHOUT ROWID;
CREATE TABLE symbols (
    parse_id INTEGER NOT NULL, idx INTEGER NOT NULL,
    name TEXT NOT NULL, folded TEXT NOT NULL, kind TEXT NOT NULL, container TEXT NOT NULL, signature TEXT NOT NULL,
    exported INTEGER NOT NULL, doc TEXT NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
    name_line INTEGER NOT NULL, PRIMARY KEY (parse_id, idx)
) WITHOUT ROWID;
CREATE INDEX symbols_by_name ON symbols (folded);
CREATE TABLE links (
    parse_id INTEGER NOT NULL, idx INTEGER NOT NULL,
    kind TEXT NOT NULL, name TEXT NOT NULL, from_symbol INTEGER, line INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (parse_id, idx)
) WITHOUT ROWID;
CREATE INDEX links_by_name ON links (name, kind);
";

/// Since version 2.
const HISTORY_TABLES: &str = "
CREATE TABLE histories (tree_id INTEGER PRIMARY KEY, stamp TEXT NOT NULL, n_commits INTEGER NOT NULL);
CREATE TABLE commits (
    tree_id INTEGER NOT NULL, idx INTEGER NOT NULL,
    id TEXT NOT NULL, paths TEXT NOT NULL, PRIMARY KEY (tree_id, idx)
) WITHOUT ROWID;
CREATE TABLE commit_terms (
    tree_id INTEGER NOT NULL, term TEXT NOT NULL, mentions BLOB NOT NULL, PRIMARY KEY (tree_id, term)
) WITHOUT ROWID;
";

/// Since version 3. What is stored from before has none of it, and is parsed again because the content version rose too.
const LEXICAL_COLUMNS: &str = "
ALTER TABLE symbols ADD COLUMN declared TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN path TEXT;
ALTER TABLE links ADD COLUMN more_lines TEXT NOT NULL DEFAULT '';
";

/// Since version 4. `seq`: the last change of the tree whose working copy was compared with the commit.
const AGE_TABLES: &str = "
ALTER TABLE trees ADD COLUMN expected_bytes INTEGER NOT NULL DEFAULT 0;
CREATE TABLE ages (
    tree_id INTEGER PRIMARY KEY, stamp TEXT NOT NULL, head TEXT NOT NULL, since INTEGER NOT NULL, seq INTEGER NOT NULL
);
CREATE TABLE touches (
    tree_id INTEGER NOT NULL, path TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tree_id, path)
) WITHOUT ROWID;
CREATE TABLE differing (tree_id INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (tree_id, path)) WITHOUT ROWID;
";

/// Since version 5. A run made the changes after `seq`, up to the next run's. What was derived from changes before there were marks
/// is of an older make, so those need one mark together. `seals` are checksums of products (`seal.rs`).
const RUN_TABLES: &str = "
CREATE TABLE runs (
    tree_id INTEGER NOT NULL, seq INTEGER NOT NULL, mark INTEGER NOT NULL, PRIMARY KEY (tree_id, seq)
) WITHOUT ROWID;
INSERT INTO runs (tree_id, seq, mark) SELECT id, 0, random() FROM trees;
CREATE TABLE seals (parse_id INTEGER PRIMARY KEY, digest INTEGER NOT NULL);
";

/// Since version 6. What a manifest says hangs on its text and its file name, the packages on the state of their tree. Both are
/// values that only `kitbag-analyse` understands, each with a checksum.
const PACKAGE_TABLES: &str = "
CREATE TABLE manifests (
    parse_id INTEGER NOT NULL, file_name TEXT NOT NULL, version INTEGER NOT NULL, digest INTEGER NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (parse_id, file_name)
) WITHOUT ROWID;
CREATE TABLE packages (
    tree_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, stamp TEXT NOT NULL, digest INTEGER NOT NULL, content BLOB NOT NULL
);
CREATE INDEX links_that_import ON links (parse_id, name, line) WHERE kind = 'import';
";

/// Since version 7. What a file says beside its definitions and links, in one packed value of `n_bytes`: it is read a whole tree at a
/// time.
const FACT_TABLES: &str = "
CREATE TABLE facts (parse_id INTEGER PRIMARY KEY, n_bytes INTEGER NOT NULL, content BLOB NOT NULL);
";

/// The schema version a database has, 0 for an empty one.
pub(crate) fn version(conn: &Connection) -> rusqlite::Result<i64> {
    let n_tables: i64 = conn.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'meta'",
        [],
        |row| row.get(0),
    )?;
    if n_tables == 0 {
        return Ok(0);
    }
    conn.query_row(
        "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'schema_version'",
        [],
        |row| row.get(0),
    )
}

/// Brings an empty or older database to the present schema. Runs under the writer lock, in one transaction.
pub(crate) fn prepare(conn: &mut Connection) -> rusqlite::Result<()> {
    if version(conn)? == SCHEMA_VERSION {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let found = version(&tx)?;
    if found < 1 {
        tx.execute_batch(TABLES)?;
    }
    if found < 2 {
        tx.execute_batch(HISTORY_TABLES)?;
    }
    if found < 3 {
        tx.execute_batch(LEXICAL_COLUMNS)?;
    }
    if found < 4 {
        tx.execute_batch(AGE_TABLES)?;
    }
    if found < 5 {
        tx.execute_batch(RUN_TABLES)?;
    }
    if found < 6 {
        tx.execute_batch(PACKAGE_TABLES)?;
    }
    if found < 7 {
        tx.execute_batch(FACT_TABLES)?;
    }
    tx.execute(
        "INSERT INTO meta (key, value) VALUES ('schema_version', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1",
        [SCHEMA_VERSION.to_string()],
    )?;
    tx.commit()
}
