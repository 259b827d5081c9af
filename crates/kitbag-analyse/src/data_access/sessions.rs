//! Sources that are sessions, connections and managers: they are handed statements and objects, and the tables come from the types of those.

use kitbag_types::{FactKind, Value};

use super::chains::{MAX_DEPTH, Reader};
use super::verbs::{Operation, operation};
use crate::code::At;

/// What sessions are called, and of which types they are.
struct Session {
    store: &'static str,
    languages: &'static [&'static str],
    names: &'static [&'static str],
    types: &'static [&'static str],
}

#[rustfmt::skip]
const SESSIONS: &[Session] = &[
    Session { store: "sqlalchemy", languages: &["python"], names: &["session", "db", "db_session", "async_session", "sess"], types: &["Session", "AsyncSession", "SessionDep"] },
    Session { store: "gorm", languages: &["go"], names: &["db", "tx", "DB", "conn", "GormDB", "gormDB"], types: &["gorm.DB"] },
    Session { store: "ecto", languages: &["elixir"], names: &["Repo"], types: &[] },
    Session { store: "jpa", languages: &["java", "kotlin"], names: &["em", "entityManager", "session", "mongoTemplate"], types: &["EntityManager", "Session", "MongoTemplate"] },
    Session { store: "typeorm", languages: &["typescript", "javascript", "tsx"], names: &["manager", "entityManager", "em"], types: &["EntityManager"] },
    Session { store: "efcore", languages: &["csharp"], names: &["_context", "context", "_db", "db", "dbContext", "_dbContext"], types: &["DbContext"] },
    Session { store: "doctrine", languages: &["php"], names: &["em", "entityManager", "manager"], types: &["EntityManagerInterface"] },
];

/// Calls that neither read nor write a table of their own.
const SILENT: &[&str] = &[
    "refresh", "commit", "flush", "close", "rollback", "begin", "expire", "Error", "Debug",
];

impl Reader<'_, '_> {
    /// A session, connection or manager that is handed statements and objects.
    pub(super) fn session(
        &self,
        root: At,
        segments: &[&str],
        calls: &[At],
    ) -> Option<(&'static str, Vec<String>, Operation)> {
        let language = self.code.source(root).language.as_str();
        let row = SESSIONS.iter().find(|row| row.languages.contains(&language))?;
        let last = segments.last().copied().unwrap_or_default();
        let is_named = row.names.contains(&last);
        let is_typed = || {
            let path = segments.join(".");
            let found = self.code.meaning(root, &path).map(|at| self.code.fact(at));
            found.is_some_and(|fact| row.types.iter().any(|name| fact.annotation.contains(name)))
        };
        if segments.is_empty() || !(is_named || is_typed()) {
            return None;
        }
        let mut tables: Vec<String> = Vec::new();
        let mut operations = Operation::default();
        let mut both = false;
        for at in calls {
            let fact = self.code.fact(*at);
            if SILENT.contains(&fact.name.as_str()) {
                continue;
            }
            let mut one = operation(&fact.name);
            if matches!(fact.name.as_str(), "exec" | "execute" | "scalars" | "scalar") {
                one.reads = true;
                if let Some(kind) = fact
                    .arguments
                    .first()
                    .and_then(|value| self.statement_kind(*at, value, 0))
                {
                    one = kind;
                }
            }
            both |= one.reads && one.writes;
            operations.reads |= one.reads;
            operations.writes |= one.writes;
            for value in &fact.arguments {
                tables.extend(self.tables_of(*at, value, 0));
            }
            if language == "go"
                && fact.name == "Table"
                && let Some(Value::Text(table)) = fact.arguments.first()
            {
                tables.push(table.clone());
            }
        }
        if operations.writes && !both {
            operations.reads = false;
        }
        // The type of an argument may be an alias; then its name tells.
        if tables.is_empty() && operations.writes && language == "python" {
            for value in calls.iter().flat_map(|at| &self.code.fact(*at).arguments) {
                if let Value::Name(name) = value {
                    tables.extend(self.models.called_like(name).map(str::to_owned));
                }
            }
        }
        (!tables.is_empty()).then_some((row.store, tables, operations))
    }

    /// What a statement object does: `select(User)`, `delete(Item).where(…)`, a name that is bound to one.
    fn statement_kind(&self, from: At, value: &Value, depth: u32) -> Option<Operation> {
        if depth > MAX_DEPTH {
            return None;
        }
        match value {
            Value::Fact(call) => {
                let calls = self.calls_of(At {
                    file: from.file,
                    fact: *call as usize,
                });
                let first = self.code.fact(*calls.first()?);
                match first.name.as_str() {
                    "select" => Some(Operation {
                        reads: true,
                        writes: false,
                    }),
                    "insert" | "update" | "delete" => Some(Operation {
                        reads: false,
                        writes: true,
                    }),
                    _ => None,
                }
            }
            Value::Name(name) => {
                let at = self.code.meaning(from, name)?;
                let fact = self.code.fact(at);
                let value = fact.arguments.first().filter(|_| fact.kind == FactKind::Bind)?;
                self.statement_kind(at, value, depth + 1)
            }
            _ => None,
        }
    }
}
