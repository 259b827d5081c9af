//! Names: where they are defined, where they are used. All answers in one total order: path, then line.
//!
//! `CROSS JOIN` is SQLite's way to say which table comes first: the name's few rows, then the files that show them. Left to
//! itself the planner, which has no statistics here, walks all files of the tree instead.

use kitbag_types::{LineRange, LinkKind, SymbolKind};
use rusqlite::{Row, params};

use super::{Snapshot, lines, parsed, path};
use crate::rows::{LinkRow, ParseId, SymbolRow};
use crate::{StoreError, codec};

const SYMBOL_COLUMNS: &str = "files.id, symbols.parse_id, symbols.idx, files.path, files.language, symbols.name, \
     symbols.kind, symbols.container, symbols.signature, symbols.exported, symbols.doc, symbols.line_start, \
     symbols.line_end, symbols.name_line, symbols.declared";

const LINK_COLUMNS: &str = "files.id, links.parse_id, files.path, files.language, links.kind, links.name, \
     links.from_symbol, links.line, links.count, links.more_lines, links.path";

impl Snapshot<'_> {
    /// Definitions whose name folds to `folded` (`kitbag_types::terms::fold`).
    pub fn symbols_named(&self, folded: &str) -> Result<Vec<SymbolRow>, StoreError> {
        self.list(
            &format!(
                "SELECT {SYMBOL_COLUMNS} FROM symbols CROSS JOIN files ON files.parse_id = symbols.parse_id
                 WHERE symbols.folded = ?1 AND files.tree_id = ?2 AND files.state = 0
                 ORDER BY files.path, symbols.idx"
            ),
            params![folded, self.state().id.0],
            symbol_row,
        )
    }

    /// The same if there are at most `most`, else nothing. What stops at a number must not sort first: a name that everything
    /// has would cost the most and say the least.
    pub fn few_named(&self, folded: &str, most: usize) -> Result<Vec<SymbolRow>, StoreError> {
        let found = self.list(
            &format!(
                "SELECT {SYMBOL_COLUMNS} FROM symbols CROSS JOIN files ON files.parse_id = symbols.parse_id
                 WHERE symbols.folded = ?1 AND files.tree_id = ?2 AND files.state = 0 LIMIT ?3"
            ),
            params![folded, self.state().id.0, most as i64 + 1],
            symbol_row,
        )?;
        Ok(few(found, most, |a, b| {
            a.path.cmp(&b.path).then(a.idx.cmp(&b.idx))
        }))
    }

    /// Names that this tree defines and whose folded form begins with `prefix`, each as (folded, as written), in order, at most
    /// `limit`.
    pub fn names_from(&self, prefix: &str, limit: usize) -> Result<Vec<(String, String)>, StoreError> {
        self.list(
            "SELECT DISTINCT folded, name FROM symbols WHERE folded >= ?1 AND folded < ?1 || char(1114111)
             AND EXISTS (SELECT 1 FROM files WHERE files.parse_id = symbols.parse_id AND files.tree_id = ?3 AND files.state = 0)
             ORDER BY folded, name LIMIT ?2",
            params![prefix, limit as i64, self.state().id.0],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// Definitions of one product, in file order.
    pub fn symbols_of(&self, file: i64, parse: ParseId) -> Result<Vec<SymbolRow>, StoreError> {
        self.list(
            &format!(
                "SELECT {SYMBOL_COLUMNS} FROM symbols JOIN files ON files.id = ?1
                 WHERE symbols.parse_id = ?2 ORDER BY symbols.idx"
            ),
            params![file, parse.0],
            symbol_row,
        )
    }

    /// Definitions in the files of one folder (not below it) and language whose container is `container`, by path and place.
    pub fn members_in(
        &self,
        container: &str,
        folder: &str,
        language: &str,
    ) -> Result<Vec<SymbolRow>, StoreError> {
        let prefix = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        self.list(
            &format!(
                "SELECT {SYMBOL_COLUMNS} FROM files CROSS JOIN symbols ON symbols.parse_id = files.parse_id
                 WHERE files.tree_id = ?1 AND files.state = 0 AND files.language = ?4 AND symbols.container = ?3
                 AND files.path >= ?2 AND files.path < ?2 || char(1114111)
                 AND instr(substr(files.path, length(?2) + 1), '/') = 0
                 ORDER BY files.path, symbols.idx"
            ),
            params![self.state().id.0, prefix, container, language],
            symbol_row,
        )
    }

    /// Uses of a name, as written, of one kind.
    pub fn links_to(&self, name: &str, kind: LinkKind) -> Result<Vec<LinkRow>, StoreError> {
        self.list(
            &format!(
                "SELECT {LINK_COLUMNS} FROM links CROSS JOIN files ON files.parse_id = links.parse_id
                 WHERE links.name = ?1 AND links.kind = ?2 AND files.tree_id = ?3 AND files.state = 0
                 ORDER BY files.path, links.line, links.idx"
            ),
            params![name, kind.as_str(), self.state().id.0],
            link_row,
        )
    }

    /// Uses of a name, imports apart, one per kind and definition around it, if there are at most `most`, else nothing; as
    /// [`Self::few_named`].
    pub fn few_links_to(&self, name: &str, most: usize) -> Result<Vec<LinkRow>, StoreError> {
        /// Ways in which one definition reaches a name; a name with more has too many users anyway.
        const WAYS: usize = 3;
        let limit = (most + 1) * WAYS;
        let mut found = self.list(
            &format!(
                "SELECT {LINK_COLUMNS} FROM links CROSS JOIN files ON files.parse_id = links.parse_id
                 WHERE links.name = ?1 AND links.kind IN ('call', 'inherit', 'reference')
                 AND files.tree_id = ?2 AND files.state = 0 LIMIT ?3"
            ),
            params![name, self.state().id.0, limit as i64],
            link_row,
        )?;
        if found.len() == limit {
            return Ok(Vec::new());
        }
        found.sort_by(|a, b| {
            let by_place = a.path.cmp(&b.path).then(a.kind.cmp(&b.kind));
            by_place
                .then(a.from_symbol.cmp(&b.from_symbol))
                .then(a.line.cmp(&b.line))
        });
        found.dedup_by(|later, first| {
            let is_same =
                (later.file, later.kind, later.from_symbol) == (first.file, first.kind, first.from_symbol);
            if is_same {
                first.count += later.count;
            }
            is_same
        });
        Ok(few(found, most, |a, b| {
            let by_place = a.path.cmp(&b.path).then(a.line.cmp(&b.line));
            by_place.then(a.kind.cmp(&b.kind))
        }))
    }

    /// What some lines of a product use, and what all of it imports: kind, name and line, in its own order. One look at the
    /// product, because there is no index by line.
    pub fn uses_in(
        &self,
        parse: ParseId,
        lines: LineRange,
    ) -> Result<Vec<(LinkKind, String, u32)>, StoreError> {
        self.list(
            "SELECT kind, name, line FROM links
             WHERE parse_id = ?1 AND name <> '='
               AND (line BETWEEN ?2 AND ?3 OR kind = 'import') ORDER BY idx",
            params![parse.0, lines.start(), lines.end()],
            |row| Ok((parsed(row, 0, LinkKind::parse)?, row.get(1)?, row.get(2)?)),
        )
    }

    /// What a product imports and what its types inherit from, in its own order.
    pub fn ties_of(&self, file: i64, parse: ParseId) -> Result<Vec<LinkRow>, StoreError> {
        self.list(
            &format!(
                "SELECT {LINK_COLUMNS} FROM links JOIN files ON files.id = ?1
                 WHERE links.parse_id = ?2 AND links.kind IN ('import', 'inherit') ORDER BY links.idx"
            ),
            params![file, parse.0],
            link_row,
        )
    }

    /// What a product imports, in its own order.
    pub fn imports_of(&self, parse: ParseId) -> Result<Vec<String>, StoreError> {
        self.list(
            "SELECT DISTINCT name FROM links WHERE parse_id = ?1 AND kind = 'import' AND name <> '=' ORDER BY idx",
            [parse.0],
            |row| row.get(0),
        )
    }

    /// What one product uses, in its own order.
    pub fn links_of(&self, file: i64, parse: ParseId) -> Result<Vec<LinkRow>, StoreError> {
        self.list(
            &format!(
                "SELECT {LINK_COLUMNS} FROM links JOIN files ON files.id = ?1 WHERE links.parse_id = ?2 ORDER BY links.idx"
            ),
            params![file, parse.0],
            link_row,
        )
    }

    /// In how many files of this tree a name is used, counted up to `most`.
    pub fn n_users(&self, name: &str, most: u32) -> Result<u32, StoreError> {
        let count = self.one(
            "SELECT count(*) FROM (
                 SELECT DISTINCT files.id FROM links CROSS JOIN files ON files.parse_id = links.parse_id
                 WHERE links.name = ?1 AND files.tree_id = ?2 AND files.state = 0 LIMIT ?3)",
            params![name, self.state().id.0, most],
            |row| row.get(0),
        )?;
        Ok(count.unwrap_or(0))
    }

    /// Every (file id, name) that a file of this tree defines. Sorted by name and path.
    pub fn defined_names(&self) -> Result<Vec<(i64, String)>, StoreError> {
        self.list(
            "SELECT DISTINCT files.id, symbols.name FROM symbols CROSS JOIN files ON files.parse_id = symbols.parse_id
             WHERE files.tree_id = ?1 AND files.state = 0 AND symbols.kind <> 'section' ORDER BY 2, files.path",
            [self.state().id.0],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// Every (file id, name) that a file of this tree calls or refers to. Sorted by name and path.
    pub fn used_names(&self) -> Result<Vec<(i64, String)>, StoreError> {
        self.list(
            "SELECT DISTINCT files.id, links.name FROM links CROSS JOIN files ON files.parse_id = links.parse_id
             WHERE files.tree_id = ?1 AND files.state = 0 AND links.kind <> 'import' ORDER BY 2, files.path",
            [self.state().id.0],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }
}

/// Sorted, or nothing if there are more than `most`: which of them came first would be chance.
fn few<T>(mut found: Vec<T>, most: usize, compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> Vec<T> {
    if found.len() > most {
        found.clear();
    }
    found.sort_by(compare);
    found
}

fn symbol_row(row: &Row<'_>) -> rusqlite::Result<SymbolRow> {
    Ok(SymbolRow {
        file: row.get(0)?,
        parse: ParseId(row.get(1)?),
        idx: row.get(2)?,
        path: path(row, 3)?,
        language: row.get(4)?,
        name: row.get(5)?,
        kind: parsed(row, 6, SymbolKind::parse)?,
        container: row.get(7)?,
        signature: row.get(8)?,
        exported: row.get(9)?,
        doc: row.get(10)?,
        lines: lines(row, 11)?,
        name_line: row.get(13)?,
        declared: row.get(14)?,
    })
}

fn link_row(row: &Row<'_>) -> rusqlite::Result<LinkRow> {
    let line = row.get(7)?;
    Ok(LinkRow {
        file: row.get(0)?,
        parse: ParseId(row.get(1)?),
        path: path(row, 2)?,
        language: row.get(3)?,
        kind: parsed(row, 4, LinkKind::parse)?,
        name: row.get(5)?,
        from_symbol: row.get(6)?,
        line,
        count: row.get(8)?,
        more_lines: codec::unpack_lines(line, &row.get::<_, String>(9)?),
        reached: row.get(10)?,
    })
}
