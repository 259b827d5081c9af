//! `entry_points` and `data_access`: where a program is entered from outside, and which functions touch data (INS-4, INS-5).
//!
//! Both are made from the facts of the index when they are asked for. A project that is not indexed is indexed first.

use std::borrow::Cow;

use kitbag_analyse::code::Code;
use kitbag_analyse::data_access::{self, DataAccessor as Accessor};
use kitbag_analyse::entry_points::{self, EntryKind, EntryPoint as Entry};
use kitbag_analyse::packages::Packages;
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::{RepoPath, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::packages::FactPlace;
use crate::code_facts;
use crate::globs::globs;
use crate::packages::stored;
use crate::scope::find;
use crate::{Engine, EngineError, Progress};

/// What is asked for; all of it without a filter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InsightsRequest {
    /// Only of this package, by its name, its path, or a part of either.
    pub package: Option<String>,
    /// Only of these files or folders, or of paths that match these patterns.
    pub paths: Vec<String>,
    /// Only entry points of these kinds: `api`, `cli`, `event`, `export`, `job`, `main`. Without any: all but `export`, which is only counted.
    pub kinds: Vec<String>,
    /// Only of this framework or store: `fastapi`, `rails`, `sql` … What browsers keep is only listed for `browser-storage`.
    pub framework: Option<String>,
    /// Only accessors of this table.
    pub table: Option<String>,
    /// Only accessors of sensitive data.
    pub sensitive: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntryPointsReply {
    /// By file, then by line.
    pub entry_points: Vec<EntryPoint>,
    /// Routes that are made at run time and cannot be told without running the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenEntryPoints>,
    /// How many names libraries offer that are not in the list, because nobody asked for `export`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted_exports: u64,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntryPoint {
    /// `api`, `cli`, `event`, `export`, `job` or `main`.
    pub kind: Cow<'static, str>,
    pub framework: Cow<'static, str>,
    /// Of a request: `GET`, `ANY` …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub method: String,
    /// Of a request: the full path. Of an event: its topic. Of a job: its schedule. Of an export: the module that offers it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// What it is called: the command, the job, the handler.
    pub name: String,
    /// Where it is declared.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The definition that handles it, where that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler: Option<EntryHandler>,
    /// Middleware, decorators and pipelines that stand before the handler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntryHandler {
    pub name: String,
    pub file: String,
    /// From 1.
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HiddenEntryPoints {
    pub what: String,
    /// How many. Absent: only the program knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    pub at: FactPlace,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataAccessReply {
    /// By file, then by line.
    pub data_accessors: Vec<DataAccessor>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataAccessor {
    /// With its type; empty for a function without a name.
    pub function: String,
    pub file: String,
    /// From 1.
    pub line: u32,
    pub tables: Vec<String>,
    /// `read`, `write`.
    pub operations: Vec<Cow<'static, str>>,
    /// `sql`, `prisma`, `activerecord` …
    pub stores: Vec<String>,
    pub sensitive: bool,
    /// Why it is sensitive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// Entry points that lead here by calls that are certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entry_points: Vec<String>,
}

/// Where the project is entered from outside.
pub fn entry_points(
    engine: &Engine,
    request: &InsightsRequest,
    update: bool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<EntryPointsReply, EngineError> {
    let kinds = kinds(request)?;
    let (mut reply, warnings) = answered(engine, request, update, progress, now, |known| {
        let wanted = |entry: &&Entry| {
            (kinds.is_empty() || kinds.contains(&entry.kind))
                && is_of(request, |name| entry.framework == name)
                && (known.is_wanted)(&entry.path)
        };
        let is_asked = kinds.contains(&EntryKind::Export);
        let exports = match known.packages {
            Some(packages) if is_asked || kinds.is_empty() => {
                entry_points::exports(known.code, packages, known.texts)
            }
            _ => Vec::new(),
        };
        let exports: Vec<&Entry> = exports.iter().filter(wanted).collect();
        let listed = exports.iter().copied().filter(|_| is_asked);
        let hidden = known
            .found
            .hidden
            .iter()
            .filter(|hidden| (known.is_wanted)(&hidden.path));
        EntryPointsReply {
            entry_points: known
                .found
                .list
                .iter()
                .filter(wanted)
                .chain(listed)
                .map(shown)
                .collect(),
            unlisted_exports: if is_asked { 0 } else { exports.len() as u64 },
            hidden: hidden
                .map(|hidden| HiddenEntryPoints {
                    what: hidden.what.clone(),
                    count: hidden.count,
                    at: FactPlace {
                        path: hidden.path.to_string(),
                        line: hidden.line,
                    },
                })
                .collect(),
            warnings: Vec::new(),
        }
    })?;
    reply.warnings = warnings;
    Ok(reply)
}

/// Which functions read or write data.
pub fn data_access(
    engine: &Engine,
    request: &InsightsRequest,
    update: bool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<DataAccessReply, EngineError> {
    let (mut reply, warnings) = answered(engine, request, update, progress, now, |known| {
        let entries = &known.found.list;
        let accessors = data_access::find(known.code, entries);
        let wanted = |accessor: &&Accessor| {
            let has_table = |table: &String| {
                accessor
                    .tables
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(table))
            };
            request.table.as_ref().is_none_or(has_table)
                && (!request.sensitive || !accessor.sensitive.is_empty())
                && is_of(request, |name| accessor.stores.iter().any(|store| store == name))
                && (request.framework.is_some() || !is_of_browser(accessor))
                && (known.is_wanted)(&accessor.path)
        };
        let list = accessors.iter().filter(wanted);
        DataAccessReply {
            data_accessors: list.map(|accessor| shown_accessor(accessor, entries)).collect(),
            warnings: Vec::new(),
        }
    })?;
    reply.warnings = warnings;
    Ok(reply)
}

/// What an answer is made of.
struct Known<'k> {
    code: &'k Code<'k>,
    found: &'k entry_points::EntryPoints,
    packages: Option<&'k Packages>,
    texts: &'k [(RepoPath, String)],
    is_wanted: &'k dyn Fn(&RepoPath) -> bool,
}

/// Brings the index up to date, reads the facts, and lets `make` answer.
fn answered<T>(
    engine: &Engine,
    request: &InsightsRequest,
    update: bool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
    make: impl Fn(&Known<'_>) -> T,
) -> Result<(T, Vec<String>), EngineError> {
    let patterns = globs(&request.paths)?;
    let ((reply, mut warnings), repaired) = engine.repairing(|again| {
        let mut warnings = Vec::new();
        if again || update {
            super::search::update(engine, Stop::never(), progress, now, &mut warnings)?;
        }
        let store = engine.read_store().map_err(|error| match error {
            error @ StoreError::Corrupt { .. } => EngineError::Store(error),
            _ => not_indexed(),
        })?;
        let snapshot = Snapshot::open(&store, engine.root())?.ok_or_else(not_indexed)?;
        let packages = stored(&snapshot)?.map(|known| known.packages);
        let one = match (&request.package, &packages) {
            (Some(wanted), Some(packages)) => Some(find(packages, wanted)?),
            (Some(_), None) => return Err(not_indexed()),
            (None, _) => None,
        };
        let is_wanted = |path: &RepoPath| {
            let in_package = one
                .is_none_or(|one| packages.as_ref().and_then(|packages| packages.of_file(path)) == Some(one));
            in_package && (request.paths.is_empty() || patterns.is_match(path.as_str()))
        };
        let facts = code_facts::read(&snapshot)?;
        let code = Code::new(&facts.files);
        let found = entry_points::find(&code, &facts.texts);
        let known = Known {
            code: &code,
            found: &found,
            packages: packages.as_ref(),
            texts: &facts.texts,
            is_wanted: &is_wanted,
        };
        Ok((make(&known), warnings))
    })?;
    warnings.extend(repaired);
    Ok((reply, warnings))
}

/// What a browser keeps is no data of the project: it is listed if it is asked for.
fn is_of_browser(accessor: &Accessor) -> bool {
    accessor.stores.iter().all(|store| store == data_access::BROWSER)
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn not_indexed() -> EngineError {
    EngineError::Invalid {
        code: "NOT_INDEXED",
        message: "the project is not indexed; run `kitbag index` first".to_owned(),
    }
}

fn kinds(request: &InsightsRequest) -> Result<Vec<EntryKind>, EngineError> {
    let parse = |word: &String| {
        EntryKind::parse(word).ok_or_else(|| EngineError::Invalid {
            code: "INVALID_KIND",
            message: format!(
                "unknown kind `{word}`; known are {}",
                EntryKind::ALL.map(EntryKind::as_str).join(", ")
            ),
        })
    };
    request.kinds.iter().map(parse).collect()
}

fn is_of(request: &InsightsRequest, is_it: impl Fn(&str) -> bool) -> bool {
    request.framework.as_deref().is_none_or(is_it)
}

fn shown(entry: &Entry) -> EntryPoint {
    EntryPoint {
        kind: entry.kind.as_str().into(),
        framework: entry.framework.into(),
        method: entry.method.clone(),
        path: entry.route.clone(),
        name: entry.name.clone(),
        file: entry.path.to_string(),
        line: entry.line,
        handler: entry.handler.as_ref().map(|handler| EntryHandler {
            name: handler.name.clone(),
            file: handler.path.to_string(),
            line: handler.line,
        }),
        guards: entry.guards.clone(),
    }
}

fn shown_accessor(accessor: &Accessor, entries: &[Entry]) -> DataAccessor {
    let name = |position: &usize| {
        let entry = entries.get(*position)?;
        Some(match entry.method.is_empty() {
            true => format!("{} {}", entry.kind.as_str(), entry.name),
            false => format!("{} {}", entry.method, entry.route),
        })
    };
    let operations = [(accessor.reads, "read"), (accessor.writes, "write")];
    DataAccessor {
        function: accessor.function.clone(),
        file: accessor.path.to_string(),
        line: accessor.line,
        tables: accessor.tables.clone(),
        operations: operations
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, word)| word.into())
            .collect(),
        stores: accessor.stores.clone(),
        sensitive: !accessor.sensitive.is_empty(),
        reasons: accessor.sensitive.clone(),
        entry_points: accessor.entry_points.iter().filter_map(name).collect(),
    }
}
