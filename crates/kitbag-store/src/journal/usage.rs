//! Requests and their cost: one row per request (MET-1), with numbers and fixed words.
//!
//! No text of a question or of a file is ever in here (SEC-2): no column could hold one. Rows older than the project wants
//! are removed whenever one is added, so the table needs no other care.

use rusqlite::{Row, params};

use super::Journal;
use crate::StoreError;

pub(super) const TABLES: &str = "
CREATE TABLE usage_metrics (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    at INTEGER NOT NULL,
    door TEXT NOT NULL,
    operation TEXT NOT NULL,
    total_us INTEGER NOT NULL,
    stages TEXT NOT NULL,
    candidates INTEGER NOT NULL,
    items INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    budget INTEGER NOT NULL,
    duplicate_tokens INTEGER NOT NULL,
    session_tokens INTEGER NOT NULL,
    cache_hit INTEGER NOT NULL,
    providers TEXT NOT NULL,
    languages TEXT NOT NULL,
    baseline_tokens INTEGER,
    correlation TEXT NOT NULL
);
CREATE INDEX usage_by_time ON usage_metrics (project, at);
";

/// One request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageRow {
    /// Milliseconds since 1970.
    pub at: i64,
    pub door: String,
    pub operation: String,
    /// Microseconds, whole and by stage.
    pub total_us: u64,
    pub stages: Vec<(String, u64)>,
    pub candidates: u64,
    pub items: u64,
    pub tokens: u64,
    /// 0 if there was none.
    pub budget: u64,
    /// Tokens left out because the pack had them already.
    pub duplicate_tokens: u64,
    /// Tokens left out because the session had been shown them.
    pub session_tokens: u64,
    pub cache_hit: bool,
    /// Items by provider and by language; an item may have several providers.
    pub providers: Vec<(String, u64)>,
    pub languages: Vec<(String, u64)>,
    /// Tokens that an agent without Kitbag would have read; `None` if that is not known.
    pub baseline_tokens: Option<u64>,
    pub correlation: String,
}

impl Journal {
    /// Adds a row, and removes those from before `oldest_ms`.
    pub fn add_usage(&mut self, row: &UsageRow, oldest_ms: i64) -> Result<(), StoreError> {
        let project = self.project.clone();
        let add = |conn: &mut rusqlite::Connection| -> rusqlite::Result<()> {
            let tx = conn.transaction()?;
            tx.execute(
                "INSERT INTO usage_metrics (project, at, door, operation, total_us, stages, candidates, items, tokens, budget,
                     duplicate_tokens, session_tokens, cache_hit, providers, languages, baseline_tokens, correlation)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
                params![
                    project,
                    row.at,
                    row.door,
                    row.operation,
                    row.total_us as i64,
                    packed(&row.stages),
                    row.candidates as i64,
                    row.items as i64,
                    row.tokens as i64,
                    row.budget as i64,
                    row.duplicate_tokens as i64,
                    row.session_tokens as i64,
                    row.cache_hit,
                    packed(&row.providers),
                    packed(&row.languages),
                    row.baseline_tokens.map(|tokens| tokens as i64),
                    row.correlation,
                ],
            )?;
            tx.execute(
                "DELETE FROM usage_metrics WHERE project = ?1 AND at < ?2",
                params![project, oldest_ms],
            )?;
            tx.commit()
        };
        add(&mut self.conn).map_err(|error| self.fail(error))
    }

    /// Rows since `since_ms`, oldest first.
    pub fn usage(&self, since_ms: i64) -> Result<Vec<UsageRow>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<UsageRow>> {
            self.conn
                .prepare(
                    "SELECT at, door, operation, total_us, stages, candidates, items, tokens, budget, duplicate_tokens,
                         session_tokens, cache_hit, providers, languages, baseline_tokens, correlation
                     FROM usage_metrics WHERE project = ?1 AND at >= ?2 ORDER BY at, id",
                )?
                .query_map(params![self.project, since_ms], usage_row)?
                .collect()
        };
        rows().map_err(|error| self.fail(error))
    }
}

fn usage_row(row: &Row<'_>) -> rusqlite::Result<UsageRow> {
    let number = |idx| row.get::<_, i64>(idx).map(|n| n as u64);
    let pairs = |idx| Ok::<_, rusqlite::Error>(unpacked(row.get_ref(idx)?.as_str()?));
    Ok(UsageRow {
        at: row.get(0)?,
        door: row.get(1)?,
        operation: row.get(2)?,
        total_us: number(3)?,
        stages: pairs(4)?,
        candidates: number(5)?,
        items: number(6)?,
        tokens: number(7)?,
        budget: number(8)?,
        duplicate_tokens: number(9)?,
        session_tokens: number(10)?,
        cache_hit: row.get(11)?,
        providers: pairs(12)?,
        languages: pairs(13)?,
        baseline_tokens: row.get::<_, Option<i64>>(14)?.map(|n| n as u64),
        correlation: row.get(15)?,
    })
}

/// One `name 3` per line: they are always read together, and tables of their own would be three more writes per request.
fn packed(pairs: &[(String, u64)]) -> String {
    let lines: Vec<String> = pairs.iter().map(|(name, n)| format!("{name} {n}")).collect();
    lines.join("\n")
}

fn unpacked(text: &str) -> Vec<(String, u64)> {
    let pair = |line: &str| {
        let (name, n) = line.rsplit_once(' ')?;
        Some((name.to_owned(), n.parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests;
