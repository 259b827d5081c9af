//! The models of a project and their tables: classes that an ORM maps, repositories and sets of them.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{FactKind, Value};

use super::sensitive::snake;
use crate::code::{At, Code, keyword, last_name, positional};

/// See the module.
pub(super) struct Models<'c> {
    /// By the name of the type: its table.
    tables: BTreeMap<&'c str, String>,
    /// By the name of a property: the table of the set that it is (`DbSet<Article> Articles`).
    pub(super) sets: BTreeMap<&'c str, String>,
    /// By the name of a type that gives access to a model: the model's table.
    pub(super) repositories: BTreeMap<&'c str, String>,
    /// Names of relations, with the table they lead to.
    pub(super) relations: BTreeMap<String, String>,
    fields: BTreeMap<String, BTreeSet<String>>,
}

/// Base classes that make a class a model, by language.
const BASES: &[(&str, &[&str])] = &[
    (
        "python",
        &[
            "Model",
            "models.Model",
            "db.Model",
            "Base",
            "DeclarativeBase",
            "SurrogatePK",
            "Document",
            "peewee.Model",
        ],
    ),
    (
        "ruby",
        &["ApplicationRecord", "ActiveRecord::Base", "Sequel::Model"],
    ),
    ("php", &["Model", "Eloquent", "Authenticatable", "Pivot"]),
    ("typescript", &["Model", "BaseEntity"]),
    ("javascript", &["Model", "BaseEntity"]),
];
/// Marks that make a class a model.
const MARKS: &[&str] = &[
    "Entity",
    "Table",
    "Document",
    "Schema",
    "MappedSuperclass",
    "Collection",
];

impl<'c> Models<'c> {
    pub(super) fn of(code: &Code<'c>) -> Self {
        let mut models = Self {
            tables: BTreeMap::new(),
            sets: BTreeMap::new(),
            repositories: BTreeMap::new(),
            relations: BTreeMap::new(),
            fields: BTreeMap::new(),
        };
        for at in code.all(FactKind::Type).filter(|at| !code.source(*at).is_test) {
            models.add_type(code, at);
        }
        // A class below a model is one too.
        for _ in 0..4 {
            for at in code.all(FactKind::Type).filter(|at| !code.source(*at).is_test) {
                models.inherit(code, at);
            }
        }
        for at in code.all(FactKind::Type).filter(|at| !code.source(*at).is_test) {
            models.add_access(code, at);
        }
        models.add_calls(code);
        models
    }

    /// The table of a model by the name of its type, which may have arguments: `User`, `models.User`, `*UserModel`, `[]User`.
    pub(super) fn table(&self, name: &str) -> Option<&str> {
        let bare = name.trim_start_matches(['*', '&', '[', ']', '?']);
        self.tables.get(last_name(bare)).map(String::as_str)
    }

    /// The tables of all models that a type names: `list[User] | None`, `Promise<User>`.
    pub(super) fn tables_in(&self, annotation: &str) -> Vec<String> {
        let words = annotation.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter_map(|word| self.tables.get(word).cloned()).collect()
    }

    /// A model that is called like a variable: `user`, `current_user`, `articleModel`.
    pub(super) fn called_like(&self, name: &str) -> Option<&str> {
        let snake = snake(name.trim_start_matches(['@', '$', '&', '*']));
        let fits = |model: &str| {
            let model = super::sensitive::snake(model);
            let model = model.trim_end_matches("_entity").trim_end_matches("_model");
            snake == model
                || snake.strip_suffix(model).is_some_and(|rest| rest.ends_with('_'))
                || snake == format!("{model}_model")
        };
        let mut found = self
            .tables
            .iter()
            .filter(|(model, _)| fits(model))
            .map(|(_, table)| table.as_str());
        found.next()
    }

    pub(super) fn fields_of(&self, table: &str) -> Vec<&str> {
        self.fields
            .get(table)
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect()
    }

    fn add_type(&mut self, code: &Code<'c>, at: At) {
        let fact = code.fact(at);
        let language = code.source(at).language.as_str();
        let field = |name: &str| {
            let mut fields = code.children(at.file, Some(at.fact));
            fields.find(|at| code.fact(*at).kind == FactKind::Bind && code.fact(*at).name == name)
        };
        let said = |name: &str| field(name).and_then(|at| code.text(at, code.fact(at).arguments.first()?));
        let mark = code
            .marks(at)
            .find(|mark| MARKS.contains(&last_name(&code.fact(*mark).name)));
        let marked = mark.map(|mark| {
            let table = code
                .marks(at)
                .find(|mark| last_name(&code.fact(*mark).name) == "Table")
                .unwrap_or(mark);
            let arguments = &code.fact(table).arguments;
            let name = keyword(arguments, "name")
                .or_else(|| keyword(arguments, "tableName"))
                .or_else(|| positional(arguments, 0));
            name.and_then(|value| code.text(table, value))
        });
        let bases = BASES
            .iter()
            .find(|(known, _)| *known == language || *known == "typescript" && language == "tsx");
        let is_model = bases.is_some_and(|(_, bases)| {
            fact.arguments.iter().any(|base| {
                matches!(base, Value::Name(name) if bases.contains(&name.split(['<', '(', '[']).next().unwrap_or(name).trim_start_matches("::")))
            })
        });
        let is_sqlmodel = fact
            .arguments
            .iter()
            .any(|base| matches!(base, Value::Name(name) if name.replace(' ', "") == "table=True"));
        let is_gorm = language == "go"
            && code.children(at.file, Some(at.fact)).any(|field| {
                let fact = code.fact(field);
                matches!(fact.arguments.first(), Some(Value::Text(tag)) if tag.contains("gorm:") || tag.contains("gorm\\:"))
                    || fact.annotation.contains("gorm.")
            });
        let is_go_model = language == "go" && (is_gorm || embeds_gorm(code, at));
        let table = said("__tablename__")
            .or_else(|| said("table"))
            .or_else(|| said("db_table"));
        let is_abstract =
            matches!(said("__abstract__").as_deref(), Some("True")) || field("__abstract__").is_some();
        if is_abstract {
            return;
        }
        if marked.is_some() || is_model || is_sqlmodel || is_go_model || said("__tablename__").is_some() {
            let name = match language {
                "ruby" => plural(&snake(last_name(&fact.name))),
                _ => fact.name.clone(),
            };
            let table = marked.flatten().or(table).unwrap_or(name);
            self.tables.insert(last_name(&fact.name), table.clone());
            self.add_fields(code, at, &table);
        }
    }

    fn add_fields(&mut self, code: &Code<'c>, at: At, table: &str) {
        let own = code.children(at.file, Some(at.fact));
        let fields = own.filter(|at| matches!(code.fact(*at).kind, FactKind::Bind | FactKind::Parameter));
        let names = fields.map(|at| last_name(&code.fact(at).name).to_owned());
        self.fields.entry(table.to_owned()).or_default().extend(names);
        // What a base class declares (`class UserBase(SQLModel)`).
        for base in &code.fact(at).arguments {
            if let Value::Name(name) = base
                && let [only] = code.types_named(last_name(name))
                && *only != at
            {
                let inherited = code.children(only.file, Some(only.fact));
                let names = inherited
                    .filter(|at| code.fact(*at).kind == FactKind::Bind)
                    .map(|at| code.fact(at).name.clone());
                self.fields.entry(table.to_owned()).or_default().extend(names);
            }
        }
    }

    fn inherit(&mut self, code: &Code<'c>, at: At) {
        let fact = code.fact(at);
        let language = code.source(at).language.as_str();
        if self.tables.contains_key(fact.name.as_str()) || !matches!(language, "ruby" | "php") {
            return;
        }
        let inherits = fact
            .arguments
            .iter()
            .any(|base| matches!(base, Value::Name(name) if self.tables.contains_key(last_name(name))));
        if inherits {
            self.tables.insert(last_name(&fact.name), fact.name.clone());
        }
    }

    /// Repositories, sets and relations.
    fn add_access(&mut self, code: &Code<'c>, at: At) {
        let fact = code.fact(at);
        for base in &fact.arguments {
            let Value::Name(name) = base else { continue };
            let is_repository = ["Repository", "Dao", "CrudRepository"]
                .iter()
                .any(|word| name.split('<').next().is_some_and(|head| head.ends_with(word)));
            if let (true, Some((_, inner))) = (is_repository, name.split_once('<')) {
                let model = inner.split([',', '>']).next().unwrap_or_default().trim();
                let table = self.table(model).map_or_else(|| model.to_owned(), str::to_owned);
                self.repositories.insert(last_name(&fact.name), table);
            }
        }
        for child in code.children(at.file, Some(at.fact)) {
            let field = code.fact(child);
            if !matches!(field.kind, FactKind::Bind | FactKind::Parameter) {
                continue;
            }
            if let Some(inner) = generic_of(&field.annotation, &["DbSet", "IDbSet"]) {
                let table = self
                    .table(&inner)
                    .map_or_else(|| field.name.clone(), str::to_owned);
                self.sets.insert(&field.name, table);
                if let [only] = code.types_named(&inner) {
                    self.add_fields(code, *only, &field.name.clone());
                }
            }
        }
    }

    /// Models that calls declare.
    fn add_calls(&mut self, code: &Code<'c>) {
        for word in ["has_many", "has_one", "belongs_to", "has_and_belongs_to_many"] {
            for at in code
                .calls_named(word)
                .iter()
                .filter(|at| code.source(**at).language == "ruby")
            {
                if let Some(Value::Text(name)) = code.fact(*at).arguments.first() {
                    let class = keyword(&code.fact(*at).arguments, "class_name")
                        .and_then(|value| code.text(*at, value));
                    let class = class.unwrap_or_else(|| name.clone());
                    let table = plural(&snake(last_name(&class)));
                    self.relations.insert(name.clone(), table);
                }
            }
        }
        for at in code
            .calls_named("create_table")
            .iter()
            .filter(|at| code.source(**at).language == "ruby")
        {
            let Some(Value::Text(table)) = code.fact(*at).arguments.first() else {
                continue;
            };
            let fields = code.source(*at).facts.iter().enumerate().filter(|(idx, fact)| {
                let inner = At {
                    file: at.file,
                    fact: *idx,
                };
                fact.kind == FactKind::Call
                    && matches!(&fact.receiver, Some(Value::Name(name)) if name == "t")
                    && code.ancestors(inner).any(|above| above == *at)
            });
            let names = fields.filter_map(|(_, fact)| match fact.arguments.first() {
                Some(Value::Text(name)) => Some(name.clone()),
                _ => None,
            });
            let names: Vec<String> = names.collect();
            self.fields.entry(table.clone()).or_default().extend(names);
        }
        for at in code
            .calls_named("schema")
            .iter()
            .filter(|at| code.source(**at).language == "elixir")
        {
            if let (Some(Value::Text(table)), Some(module)) =
                (code.fact(*at).arguments.first(), code.holder(*at, FactKind::Type))
            {
                self.tables
                    .insert(last_name(&code.fact(module).name), table.clone());
            }
        }
        for word in ["model", "define"] {
            for at in code.calls_named(word) {
                let is_script = matches!(code.source(*at).language.as_str(), "javascript" | "typescript");
                let by = matches!(&code.fact(*at).receiver, Some(Value::Name(name)) if name == "mongoose" || name.ends_with("sequelize"));
                if let (true, Some(Value::Text(name)), Some(bind)) = (
                    is_script && by,
                    code.fact(*at).arguments.first(),
                    code.parent(*at),
                ) {
                    let bound = code.fact(bind);
                    if bound.kind == FactKind::Bind {
                        self.tables.insert(last_name(&bound.name), name.clone());
                    }
                }
            }
        }
    }
}

/// `gorm.Model` without a name is not a field of the tree we keep; a call of AutoMigrate or a query with the type tells too.
fn embeds_gorm(code: &Code<'_>, at: At) -> bool {
    let name = &code.fact(at).name;
    let migrated = |call: &At| {
        let fact = code.fact(*call);
        fact.arguments.iter().any(|value| match value {
            Value::Fact(made) => last_name(&code.files[call.file].facts[*made as usize].name) == name,
            _ => false,
        })
    };
    ["AutoMigrate", "Model"]
        .iter()
        .any(|word| code.calls_named(word).iter().any(migrated))
        || name.ends_with("Model")
}

/// The argument of one of these generic types: `DbSet<Article>` → `Article`.
pub(super) fn generic_of(annotation: &str, names: &[&str]) -> Option<String> {
    let (head, inner) = annotation.split_once('<')?;
    let head = last_name(head.trim());
    names.contains(&head).then(|| {
        inner
            .split(['>', ','])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    })
}

pub(super) fn plural(name: &str) -> String {
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if name.ends_with('s') => name.to_owned(),
        _ => format!("{name}s"),
    }
}
