//! Sources that are query builders: Prisma, knex, Drizzle, Laravel's `DB::table`, diesel, SeaORM, Exposed. The table stands in the chain itself.

use kitbag_types::{Fact, FactKind, Value};

use super::chains::Reader;
use super::verbs::{Operation, operation_of};
use crate::code::{At, last_name};

impl Reader<'_, '_> {
    /// `prisma.user.findMany(…)`.
    pub(super) fn prisma(&self, segments: &[&str], names: &[&str]) -> Option<String> {
        const METHODS: &[&str] = &[
            "findMany",
            "findUnique",
            "findFirst",
            "findUniqueOrThrow",
            "findFirstOrThrow",
            "create",
            "createMany",
            "createManyAndReturn",
            "update",
            "updateMany",
            "upsert",
            "delete",
            "deleteMany",
            "count",
            "aggregate",
            "groupBy",
        ];
        let (table, client) = (
            segments.last()?,
            segments.len().checked_sub(2).map(|at| segments[at])?,
        );
        let lower = client.to_lowercase();
        let is_client = lower.contains("prisma")
            || matches!(lower.as_str(), "db" | "tx" | "trx") && self.imports("@prisma");
        (is_client && METHODS.contains(names.first()?)).then(|| (*table).to_owned())
    }

    /// Whether any file of the project does. Looked up once for a project: it is asked about every chain of calls.
    fn imports(&self, module: &'static str) -> bool {
        let is_it = |fact: &Fact| match fact.kind {
            FactKind::Import => fact.annotation.contains(module),
            FactKind::Call if fact.name == "require" => {
                matches!(fact.arguments.first(), Some(Value::Text(name)) if name.contains(module))
            }
            _ => false,
        };
        let mut known = self.imported.borrow_mut();
        *known.entry(module).or_insert_with(|| {
            let mut sources = self.code.files.iter();
            sources.any(|source| source.facts.iter().any(is_it))
        })
    }

    /// Builders: knex, drizzle, Laravel's `DB::table`, diesel, Exposed.
    pub(super) fn builder(
        &self,
        calls: &[At],
        segments: &[&str],
    ) -> Option<(&'static str, Vec<String>, Operation)> {
        let root = self.code.fact(calls[0]);
        let language = self.code.source(calls[0]).language.as_str();
        let names = || calls.iter().map(|at| self.code.fact(*at).name.as_str());
        match language {
            "javascript" | "typescript" | "tsx" => {
                let is_builder =
                    |name: &str| matches!(name, "knex" | "db" | "trx" | "tx" | "pg" | "database" | "qb");
                let first = match root.arguments.first() {
                    Some(Value::Text(table)) if is_builder(&root.name) && self.imports("knex") => {
                        Some(table_word(table))
                    }
                    _ => None,
                };
                let is_query = segments.last().is_some_and(|name| is_builder(name));
                let mut tables: Vec<String> = first.into_iter().collect();
                let is_drizzle = self.imports("drizzle-orm");
                if let (true, [.., "query", table]) = (is_drizzle, segments) {
                    return Some(("drizzle", vec![(*table).to_owned()], operation_of(names())));
                }
                if tables.is_empty() && !(is_query && (is_drizzle || self.imports("knex"))) {
                    return None;
                }
                for at in calls {
                    let fact = self.code.fact(*at);
                    let names_table = matches!(
                        fact.name.as_str(),
                        "from" | "into" | "table" | "insert" | "update" | "delete"
                    ) || fact.name.to_lowercase().ends_with("join");
                    match fact.arguments.first() {
                        Some(Value::Text(table))
                            if names_table
                                && !matches!(fact.name.as_str(), "insert" | "update" | "delete") =>
                        {
                            tables.push(table_word(table));
                        }
                        Some(Value::Name(name)) if names_table && is_drizzle => {
                            tables.push(self.drizzle_table(*at, name))
                        }
                        _ => {}
                    }
                }
                let mut operation = operation_of(names());
                if !operation.writes {
                    operation.reads = true;
                }
                (!tables.is_empty()).then_some((
                    if is_drizzle { "drizzle" } else { "knex" },
                    tables,
                    operation,
                ))
            }
            "php" => {
                let is_table = segments == ["DB"] && root.name == "table";
                match root.arguments.first() {
                    Some(Value::Text(table)) if is_table => {
                        Some(("laravel", vec![table_word(table)], operation_of(names())))
                    }
                    _ => None,
                }
            }
            "rust" => self.diesel(calls, segments),
            "kotlin" => {
                let object = segments.last()?;
                let is_table = self.code.types_named(object).iter().any(|at| {
                    let bases = &self.code.fact(*at).arguments;
                    bases.iter().any(|base| matches!(base, Value::Name(name) if name.split('(').next().is_some_and(|name| name.ends_with("Table"))))
                });
                is_table.then(|| ("exposed", vec![(*object).to_owned()], operation_of(names())))
            }
            _ => None,
        }
    }

    fn drizzle_table(&self, at: At, name: &str) -> String {
        let bound = self.code.meaning(at, name).map(|at| (at, self.code.fact(at)));
        let made = bound.and_then(|(at, fact)| match fact.arguments.first() {
            Some(Value::Fact(call)) => self.code.files[at.file].facts[*call as usize].arguments.first(),
            _ => None,
        });
        match made {
            Some(Value::Text(table)) => table.clone(),
            _ => last_name(name).to_owned(),
        }
    }

    /// `diesel::insert_into(users::table)`, `users::table.filter(…)`, `user::Entity::find()`.
    fn diesel(&self, calls: &[At], segments: &[&str]) -> Option<(&'static str, Vec<String>, Operation)> {
        let root = self.code.fact(calls[0]);
        let names = calls.iter().map(|at| self.code.fact(*at).name.as_str());
        let table_of = |name: &str| {
            let parts: Vec<&str> = name.split("::").collect();
            let at = parts.iter().position(|part| *part == "table")?;
            at.checked_sub(1).map(|at| parts[at].to_owned())
        };
        if let Some(at) = segments
            .iter()
            .position(|part| matches!(*part, "table" | "Entity"))
        {
            let table = at.checked_sub(1).map(|at| segments[at].to_owned())?;
            let store = if segments[at] == "table" {
                "diesel"
            } else {
                "sea-orm"
            };
            return Some((store, vec![table], operation_of(names)));
        }
        if !matches!(
            root.name.as_str(),
            "insert_into" | "update" | "delete" | "replace_into"
        ) {
            return None;
        }
        let table = root.arguments.iter().find_map(|value| match value {
            Value::Name(name) => table_of(name),
            Value::Fact(call) => {
                let inner = self.calls_of(At {
                    file: calls[0].file,
                    fact: *call as usize,
                });
                match &self.code.fact(*inner.first()?).receiver {
                    Some(Value::Name(name)) => table_of(name),
                    _ => None,
                }
            }
            _ => None,
        })?;
        let operation = Operation {
            reads: false,
            writes: true,
        };
        Some(("diesel", vec![table], operation))
    }
}

/// `articles as a` → `articles`.
fn table_word(text: &str) -> String {
    text.split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_matches(['"', '`'])
        .to_owned()
}
