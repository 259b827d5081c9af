//! Chains of calls that end at a database: each chain has a source (a model, a repository, a set, a session, a builder) and says by the
//! names of its calls whether it reads or writes. A chain that writes anywhere is a write; its conditions are not reads.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{Fact, FactKind, Value};

use super::models::{Models, generic_of};
use super::records::retain_records;
use super::verbs::{Operation, operation_of};
use super::{Access, sql};
use crate::code::{At, Code, first_name, last_name};

pub(super) const MAX_DEPTH: u32 = 8;

/// Every access, with the function that it stands in.
pub(super) fn find(code: &Code<'_>, models: &Models<'_>) -> Vec<(At, Access)> {
    let mut found = Vec::new();
    let reader = Reader {
        code,
        models,
        imported: RefCell::default(),
        known: RefCell::default(),
    };
    for (file, source) in code.files.iter().enumerate() {
        if source.is_test || is_migration(source.path.as_str()) {
            continue;
        }
        let inner: BTreeSet<u32> = source.facts.iter().flat_map(parts_of).collect();
        for (fact, call) in source.facts.iter().enumerate() {
            let at = At { file, fact };
            if call.kind != FactKind::Call {
                continue;
            }
            let Some(function) = function_of(code, at) else {
                continue;
            };
            let plain = reader.statements(at).into_iter().chain(reader.record(at));
            found.extend(plain.map(|access| (function, access)));
            if !inner.contains(&(fact as u32))
                && let Some(access) = reader.chain(at)
            {
                found.push((function, access));
            }
        }
    }
    found.retain(|(_, access)| access.reads || access.writes);
    retain_records(&mut found);
    let with_tables: BTreeSet<At> = found
        .iter()
        .filter(|(_, access)| !access.tables.is_empty())
        .map(|(at, _)| *at)
        .collect();
    found.retain(|(at, _)| with_tables.contains(at));
    found
}

/// The calls that are read with this one: what it is called on, and what diesel changes (`diesel::delete(users::table.filter(…))`).
fn parts_of(fact: &Fact) -> Vec<u32> {
    let is_change = matches!(
        fact.name.as_str(),
        "delete" | "update" | "insert_into" | "replace_into"
    ) && matches!(&fact.receiver, Some(Value::Name(name)) if name == "diesel");
    let target = fact.arguments.first().filter(|_| is_change);
    let parts = fact.receiver.iter().chain(target);
    let parts = parts.filter(|_| fact.kind == FactKind::Call);
    parts
        .filter_map(|value| match value {
            Value::Fact(inner) => Some(*inner),
            _ => None,
        })
        .collect()
}

/// Files that say how tables are made are not accessors of a program.
fn is_migration(path: &str) -> bool {
    path.split('/').any(|part| {
        part.ends_with("migrations")
            || matches!(
                part,
                "migration" | "migrate" | "alembic" | "seeds" | "seeders" | "factories"
            )
    })
}

/// The function that a call belongs to: the innermost with a name, else the outermost block that is bound to a name or stands alone.
fn function_of(code: &Code<'_>, at: At) -> Option<At> {
    if let Some(function) = code.holder(at, FactKind::Function) {
        return Some(function);
    }
    let blocks = code
        .ancestors(at)
        .filter(|above| code.fact(*above).kind == FactKind::Block);
    let block = blocks.last()?;
    let bound = code
        .parent(block)
        .filter(|above| code.fact(*above).kind == FactKind::Bind);
    Some(bound.unwrap_or(block))
}

/// `Type.method`, or the name of what a block is bound to.
pub(super) fn name_of(code: &Code<'_>, at: At) -> String {
    let fact = code.fact(at);
    match (fact.kind, code.type_of(at)) {
        (FactKind::Function, Some(holder)) => format!("{}.{}", last_name(&holder), fact.name),
        (FactKind::Function, None) => fact.name.clone(),
        (FactKind::Bind, _) => last_name(&fact.name).to_owned(),
        // `scope :by_author, ->(name) { … }`.
        _ => match code.parent(at).map(|above| code.fact(above)) {
            Some(call) if call.name == "scope" => match call.arguments.first() {
                Some(Value::Text(name)) => name.clone(),
                _ => String::new(),
            },
            _ => String::new(),
        },
    }
}

pub(super) struct Reader<'r, 'c> {
    pub(super) code: &'r Code<'c>,
    pub(super) models: &'r Models<'c>,
    /// Modules, and whether the project imports them.
    pub(super) imported: RefCell<BTreeMap<&'static str, bool>>,
    /// By fact: at which depth its tables were looked for, and what they are. Values are made of values, so that without it the work
    /// would double with every step.
    known: RefCell<BTreeMap<At, (u32, Vec<String>)>>,
}

impl Reader<'_, '_> {
    /// Raw SQL among the arguments of a call.
    fn statements(&self, at: At) -> Vec<Access> {
        let fact = self.code.fact(at);
        let mut found = Vec::new();
        let runs = [
            "query", "execute", "exec", "raw", "run", "fetch", "prepare", "select", "all", "get", "text",
            "sql", "queryrow",
        ];
        for value in &fact.arguments {
            let text = match value {
                Value::Text(text) => Some(text.clone()),
                Value::Joined(_) => self.code.text(at, value),
                Value::Name(name) if runs.iter().any(|verb| fact.name.to_lowercase().starts_with(verb)) => {
                    let is_plain = !name.contains(['(', ' ']) && name.len() < 60;
                    is_plain.then(|| self.code.text(at, value)).flatten()
                }
                _ => None,
            };
            if let Some(touches) = text.and_then(|text| sql::read(&text)) {
                found.push(Access {
                    tables: touches.tables,
                    reads: touches.reads,
                    writes: touches.writes,
                    store: "sql",
                });
            }
        }
        found
    }

    /// The calls of a chain from the first to the last.
    pub(super) fn calls_of(&self, last: At) -> Vec<At> {
        let mut calls = vec![last];
        let mut at = last;
        while let Some(Value::Fact(inner)) = self.code.fact(at).receiver {
            at = At {
                file: last.file,
                fact: inner as usize,
            };
            if calls.len() > 200 || self.code.fact(at).kind != FactKind::Call {
                break;
            }
            calls.push(at);
        }
        calls.reverse();
        calls
    }

    fn chain(&self, last: At) -> Option<Access> {
        let calls = self.calls_of(last);
        let root = *calls.first()?;
        let path = match &self.code.fact(root).receiver {
            Some(Value::Name(path)) => path.trim_start_matches('&').replace("->", ".").replace("?.", "."),
            None => String::new(),
            Some(_) => return None,
        };
        let segments: Vec<&str> = path.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        let names: Vec<&str> = calls.iter().map(|at| self.code.fact(*at).name.as_str()).collect();
        let by = |store: &'static str, tables: Vec<String>, operation: Operation| Access {
            tables: tables.into_iter().filter(|table| !table.is_empty()).collect(),
            reads: operation.reads,
            writes: operation.writes,
            store,
        };
        let whole = operation_of(names.iter().copied());
        let language = self.code.source(root).language.as_str();
        let sources: [Option<Access>; 9] = [
            self.key_value(&calls, &path)
                .map(|(store, keys, operation)| by(store, keys, operation)),
            self.prisma(&segments, &names)
                .map(|table| by("prisma", vec![table], whole)),
            self.builder(&calls, &segments)
                .map(|(store, tables, operation)| by(store, tables, operation)),
            self.set(&segments, &calls).map(|table| {
                let operation = if whole.writes {
                    whole
                } else {
                    Operation {
                        reads: true,
                        writes: false,
                    }
                };
                by("efcore", vec![table], operation)
            }),
            (language == "csharp" && names.last().is_some_and(|name| name.starts_with("SaveChanges"))).then(
                || {
                    by(
                        "efcore",
                        Vec::new(),
                        Operation {
                            reads: false,
                            writes: true,
                        },
                    )
                },
            ),
            self.repository(root, &path, &calls).map(|(store, table)| {
                let known = names
                    .iter()
                    .copied()
                    .filter(|name| !(store == "typeorm" && *name == "create"));
                by(store, vec![table], operation_of(known))
            }),
            self.session(root, &segments, &calls)
                .map(|(store, tables, operation)| by(store, tables, operation)),
            self.static_model(root, &segments)
                .map(|table| by(orm_of(language), vec![table], whole)),
            self.instance(root, &path, &segments, &names)
                .map(|(tables, operation)| by(orm_of(language), tables, operation)),
        ];
        sources
            .into_iter()
            .flatten()
            .find(|access| access.reads || access.writes)
    }

    /// `_context.Articles.Where(…)`, `db.Set<Article>()`.
    fn set(&self, segments: &[&str], calls: &[At]) -> Option<String> {
        let root = self.code.fact(calls[0]);
        if self.code.source(calls[0]).language != "csharp" {
            return None;
        }
        if root.name == "Set" && !root.annotation.is_empty() {
            return Some(
                self.models
                    .table(&root.annotation)
                    .map_or_else(|| root.annotation.clone(), str::to_owned),
            );
        }
        if segments.len() < 2 {
            return None;
        }
        segments
            .iter()
            .skip(1)
            .find_map(|part| self.models.sets.get(part).cloned())
    }

    /// A value whose type is a repository of a model.
    fn repository(&self, root: At, path: &str, calls: &[At]) -> Option<(&'static str, String)> {
        const GENERIC: &[&str] = &[
            "Repository",
            "TreeRepository",
            "MongoRepository",
            "EntityRepository",
            "Model",
            "JpaRepository",
            "CrudRepository",
            "IRepository",
        ];
        let fact = self.code.fact(root);
        if matches!(
            fact.name.as_str(),
            "getRepository" | "getMongoRepository" | "GetRepository"
        ) {
            let Some(Value::Name(model)) = fact.arguments.first() else {
                return None;
            };
            if calls.len() < 2 {
                return None;
            }
            return self
                .models
                .table(model)
                .map(|table| ("typeorm", table.to_owned()));
        }
        let definition = (!path.is_empty())
            .then(|| self.code.meaning(root, path))
            .flatten()?;
        let fact = self.code.fact(definition);
        if !matches!(fact.kind, FactKind::Bind | FactKind::Parameter) {
            return None;
        }
        let annotation = fact.annotation.trim_start_matches("final ");
        if let Some(model) = generic_of(annotation, GENERIC) {
            let table = self
                .models
                .table(&model)
                .map_or_else(|| model.clone(), str::to_owned);
            return Some(("typeorm", table));
        }
        let bare = last_name(annotation.split('<').next().unwrap_or(annotation));
        if let Some(table) = self.models.repositories.get(bare) {
            return Some(("jpa", table.clone()));
        }
        if let Some(Value::Fact(call)) = fact.arguments.first() {
            let made = &self.code.files[definition.file].facts[*call as usize];
            if matches!(made.name.as_str(), "getRepository" | "getMongoRepository")
                && let Some(Value::Name(model)) = made.arguments.first()
            {
                return self
                    .models
                    .table(model)
                    .map(|table| ("typeorm", table.to_owned()));
            }
        }
        None
    }

    /// `Article.query.filter_by(…)`, `User.find(…)`, `User::where(…)`.
    fn static_model(&self, root: At, segments: &[&str]) -> Option<String> {
        let first = *segments.first()?;
        if matches!(first, "self" | "cls")
            && segments
                .get(1)
                .is_some_and(|next| matches!(*next, "query" | "objects"))
        {
            let holder = self.code.holder(root, FactKind::Type)?;
            return self.models.table(&self.code.fact(holder).name).map(str::to_owned);
        }
        if first == "cls" && segments.len() == 1 {
            return None;
        }
        let is_type = |part: &&&str| part.starts_with(|c: char| c.is_uppercase());
        let model = segments
            .iter()
            .find(|part| is_type(part) && self.models.table(part).is_some())?;
        self.models.table(model).map(str::to_owned)
    }

    /// An object of a model: `article.save()`, `current_user.articles.create(…)`, `User(…).save()`.
    fn instance(
        &self,
        root: At,
        path: &str,
        segments: &[&str],
        names: &[&str],
    ) -> Option<(Vec<String>, Operation)> {
        let whole = operation_of(names.iter().copied());
        let fact = self.code.fact(root);
        let language = self.code.source(root).language.as_str();
        if language == "ruby"
            && let Some(access) = self.relation(segments, names)
        {
            return Some(access);
        }
        if path.is_empty() {
            let table = self.models.table(&fact.name).filter(|_| names.len() >= 2)?;
            let rest = operation_of(names[1..].iter().copied());
            return rest.writes.then(|| (vec![table.to_owned()], rest));
        }
        const OWN: &[&str] = &[
            "save",
            "save!",
            "update",
            "update!",
            "delete",
            "destroy",
            "destroy!",
            "remove",
            "update_attributes",
            "update_columns",
            "forceDelete",
            "saveOrFail",
            "increment",
            "touch",
        ];
        let is_write = names.first().is_some_and(|name| OWN.contains(name));
        if !is_write
            || !matches!(language, "python" | "ruby" | "php" | "javascript" | "typescript")
            || segments.len() > 2
        {
            return None;
        }
        let variable = first_name(path.trim_start_matches('@'));
        if matches!(variable, "self" | "this" | "super" | "cls") {
            return None;
        }
        let name = path.split(['.', ':']).next().unwrap_or(path);
        let mut tables = self.tables_of(root, &Value::Name(name.to_owned()), 0);
        if tables.is_empty() {
            tables.extend(self.models.called_like(name).map(str::to_owned));
        }
        (!tables.is_empty()).then_some((tables, whole))
    }

    /// Rails: what a relation leads to.
    fn relation(&self, segments: &[&str], names: &[&str]) -> Option<(Vec<String>, Operation)> {
        let mut table = segments
            .iter()
            .rev()
            .find_map(|part| self.models.relations.get(*part).cloned());
        let mut rest = names;
        if table.is_none() {
            let at = names
                .iter()
                .position(|name| self.models.relations.contains_key(*name))?;
            table = self.models.relations.get(names[at]).cloned();
            rest = &names[at + 1..];
        }
        let is_known = segments.first().is_some_and(|first| {
            first.starts_with('@')
                || first.contains("current_")
                || segments.len() == 1
                || self.models.called_like(first).is_some()
        });
        let operation = operation_of(rest.iter().copied());
        table
            .filter(|_| is_known && (operation.reads || operation.writes))
            .map(|table| (vec![table], operation))
    }

    /// The tables of the models that a value is made of.
    pub(super) fn tables_of(&self, from: At, value: &Value, depth: u32) -> Vec<String> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        match value {
            Value::Name(name) => self.tables_of_name(from, name, depth),
            Value::Fact(call) => {
                let at = At {
                    file: from.file,
                    fact: *call as usize,
                };
                self.remembered(at, depth, &|| self.tables_of_call(at, depth))
            }
            Value::List(items) | Value::Joined(items) => items
                .iter()
                .flat_map(|item| self.tables_of(from, item, depth + 1))
                .collect(),
            Value::Pair(_, value) => self.tables_of(from, value, depth + 1),
            _ => Vec::new(),
        }
    }

    /// What was found before, unless it was looked for with fewer steps left. A fact that leads back to itself has nothing to add.
    fn remembered(&self, at: At, depth: u32, find: &dyn Fn() -> Vec<String>) -> Vec<String> {
        if let Some((known, tables)) = self.known.borrow().get(&at)
            && *known <= depth
        {
            return tables.clone();
        }
        self.known.borrow_mut().insert(at, (depth, Vec::new()));
        let mut found = find();
        found.sort();
        found.dedup();
        self.known.borrow_mut().insert(at, (depth, found.clone()));
        found
    }

    fn tables_of_call(&self, at: At, depth: u32) -> Vec<String> {
        let fact = self.code.fact(at);
        if fact.kind != FactKind::Call {
            return Vec::new();
        }
        if let Some(table) = self.models.table(&fact.name) {
            return vec![table.to_owned()];
        }
        let mut found = Vec::new();
        if let Some(receiver) = &fact.receiver {
            found.extend(self.tables_of(at, receiver, depth + 1));
        }
        for value in fact.arguments.iter().take(3) {
            found.extend(self.tables_of(at, value, depth + 1));
        }
        if found.is_empty() {
            let path = match &fact.receiver {
                Some(Value::Name(before)) => format!("{before}.{}", fact.name),
                _ => fact.name.clone(),
            };
            let function = self.code.meaning(at, &path).map(|at| self.code.fact(at));
            let given = function.filter(|fact| fact.kind == FactKind::Function);
            found.extend(
                given
                    .into_iter()
                    .flat_map(|fact| self.models.tables_in(&fact.annotation)),
            );
        }
        found
    }

    fn tables_of_name(&self, from: At, name: &str, depth: u32) -> Vec<String> {
        let bare = name.trim_start_matches(['&', '*']);
        let parts = bare
            .split(['.', ':'])
            .filter(|part| part.starts_with(|c: char| c.is_uppercase()));
        if let Some(table) = parts.into_iter().find_map(|part| self.models.table(part)) {
            return vec![table.to_owned()];
        }
        let first = bare.split('.').next().unwrap_or(bare);
        let Some(at) = self.code.lookup(from, first) else {
            return Vec::new();
        };
        let fact = self.code.fact(at);
        match fact.kind {
            FactKind::Parameter | FactKind::Bind => {
                let typed = self.models.tables_in(&fact.annotation);
                if !typed.is_empty() {
                    return typed;
                }
                match fact.arguments.first() {
                    Some(value) => self.remembered(at, depth, &|| self.tables_of(at, value, depth + 1)),
                    None => Vec::new(),
                }
            }
            FactKind::Loop => match fact.arguments.first() {
                Some(value) => self.remembered(at, depth, &|| self.tables_of(at, value, depth + 1)),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

fn orm_of(language: &str) -> &'static str {
    match language {
        "python" => "python-orm",
        "ruby" => "activerecord",
        "php" => "eloquent",
        "elixir" => "ecto",
        "java" | "kotlin" => "jpa",
        "csharp" => "efcore",
        "go" => "gorm",
        _ => "orm",
    }
}
