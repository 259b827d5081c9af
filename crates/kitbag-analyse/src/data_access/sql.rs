//! Statements for a database, read by a real parser in the dialects that fit: which tables, read or written, and the columns that are
//! named. A statement that is put together at run time, or that no dialect reads, is looked through for the words before tables.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{ObjectName, Query, SetExpr, Statement, TableFactor, Visit as _, Visitor};
use sqlparser::dialect::{
    Dialect, GenericDialect, MsSqlDialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect,
};
use sqlparser::parser::Parser;

/// Longer texts are not statements that somebody wrote into a program.
const MAX_BYTES: usize = 16_000;
/// How deep a statement may nest.
const MAX_DEPTH: usize = 60;

/// What a statement does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Touches {
    pub(super) tables: BTreeSet<String>,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// The statement was read by a parser.
    pub(super) is_parsed: bool,
}

/// `None`: this is not a statement.
pub(super) fn read(text: &str) -> Option<Touches> {
    if text.len() > MAX_BYTES || !is_statement(text) {
        return None;
    }
    let plain = without_holes(text);
    let dialects: [&dyn Dialect; 5] = [
        &PostgreSqlDialect {},
        &GenericDialect {},
        &MySqlDialect {},
        &SQLiteDialect {},
        &MsSqlDialect {},
    ];
    for dialect in dialects {
        let parser = Parser::new(dialect)
            .with_recursion_limit(MAX_DEPTH)
            .try_with_sql(&plain);
        let Ok(statements) = parser.and_then(|mut parser| parser.parse_statements()) else {
            continue;
        };
        let mut reader = Reader::default();
        let _ = statements.visit(&mut reader);
        let mut touches = reader.touches;
        for name in &reader.local {
            touches.tables.remove(name);
        }
        touches.is_parsed = true;
        return (!touches.tables.is_empty()).then_some(touches);
    }
    by_words(&plain)
}

/// The first word is a verb of SQL, and a second one that goes with it follows.
pub(super) fn is_statement(text: &str) -> bool {
    let mut start = text.trim_start();
    while let Some(comment) = start.strip_prefix("--") {
        start = comment.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    let lower = start
        .trim_start_matches(|c: char| c.is_whitespace() || c == '(')
        .to_ascii_lowercase();
    let mut words = lower.split_whitespace();
    let rest = |needle: &str| {
        lower
            .split_whitespace()
            .any(|word| word == needle || word.starts_with(&format!("{needle}(")))
    };
    match words.next() {
        Some("select") => rest("from"),
        Some("insert" | "replace") => rest("into"),
        Some("update") => rest("set"),
        Some("delete") => rest("from"),
        Some("with") => {
            rest("as")
                && (rest("select") || rest("(select") || rest("insert") || rest("update") || rest("delete"))
        }
        Some("merge") => rest("into") || rest("using"),
        Some("truncate") => rest("table"),
        _ => false,
    }
}

/// Holes that a program fills (`%s`, `{name}`, `#{…}`, `${…}`) become a value.
fn without_holes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match (c, letters.peek()) {
            ('%', Some('s' | 'd')) => {
                letters.next();
                out.push('1');
            }
            ('%', Some('(')) => {
                for inner in letters.by_ref() {
                    if inner == 's' || inner == 'd' {
                        break;
                    }
                }
                out.push('1');
            }
            ('#' | '$', Some('{')) | ('{', _) => {
                if c != '{' {
                    letters.next();
                }
                let mut depth = 1;
                for inner in letters.by_ref() {
                    depth += i32::from(inner == '{') - i32::from(inner == '}');
                    if depth == 0 {
                        break;
                    }
                }
                out.push('1');
            }
            _ => out.push(c),
        }
    }
    out
}

#[derive(Default)]
struct Reader {
    touches: Touches,
    /// Names of common table expressions.
    local: BTreeSet<String>,
}

fn last_part(name: &ObjectName) -> Option<String> {
    let last = name.0.last()?.to_string();
    Some(last.trim_matches(['"', '`', '[', ']']).to_owned())
}

impl Visitor for Reader {
    type Break = ();

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        self.touches.tables.extend(last_part(relation));
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for table in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.local.insert(table.alias.name.value.clone());
        }
        if let SetExpr::Select(select) = &*query.body {
            let is_table = |factor: &TableFactor| matches!(factor, TableFactor::Table { .. });
            self.touches.reads |= select.from.iter().any(|from| {
                is_table(&from.relation) || from.joins.iter().any(|join| is_table(&join.relation))
            });
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        if !matches!(statement, Statement::Query(_)) {
            self.touches.writes = true;
        }
        ControlFlow::Continue(())
    }
}

/// The names behind `from`, `join`, `into`, `update` and `table`.
fn by_words(text: &str) -> Option<Touches> {
    let mut touches = Touches::default();
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    // `with recent as (…)` names a table of the statement's own.
    let is_local = |name: &str| {
        let mut places = words.windows(3);
        places.any(|three| three[0] == name && three[1] == "as" && three[2].starts_with('('))
    };
    // `extract(epoch from created_at)`: a column.
    let in_function = |at: usize| {
        let before = at.checked_sub(1).map(|at| words[at]).unwrap_or_default();
        let functions = ["extract(", "overlay(", "substring(", "trim("];
        functions.iter().any(|function| before.contains(function))
    };
    for (at, pair) in words.windows(2).enumerate() {
        let name = pair[1]
            .split('(')
            .next()
            .unwrap_or_default()
            .trim_matches(['"', '`', '[', ']', '(', ')', ',', ';']);
        let is_name =
            name.starts_with(|c: char| c.is_alphabetic()) && !matches!(name, "select" | "set" | "only");
        let is_before = matches!(pair[0], "from" | "join" | "into" | "update" | "table");
        if is_before && is_name && !in_function(at) && !is_local(name) {
            let last = name.rsplit('.').next().unwrap_or(name);
            touches.tables.insert(last.trim_matches('"').to_owned());
        }
    }
    touches.reads = words.contains(&"select");
    touches.writes = ["insert", "update", "delete", "truncate", "merge"]
        .iter()
        .any(|verb| words.first() == Some(verb));
    (!touches.tables.is_empty()).then_some(touches)
}

#[cfg(test)]
mod tests;
