//! Entry points and data access as insights. Where there are more entry points than anybody reads, each file's are one line, so that the
//! whole of the surface is seen; the single ones follow where there is room.

use std::collections::BTreeMap;

use kitbag_analyse::data_access::DataAccessor;
use kitbag_analyse::entry_points::{EntryKind, EntryPoint};
use kitbag_pack::{BriefSection, Depth, Insight, InsightPlace, most_of};
use kitbag_types::RepoPath;

use super::prove::Told;

/// Tables that are named.
const MOST_TABLES: usize = 6;

pub(super) fn points(entries: &[&EntryPoint]) -> Vec<Told> {
    let is_few = entries.len() <= most_of(BriefSection::EntryPoints, Depth::Standard);
    let mut told = Vec::new();
    if !is_few {
        told.extend(by_file(entries));
    }
    for entry in entries {
        let mut one = point(entry);
        one.insight.from = match is_few {
            true => Depth::Standard,
            false => Depth::Deep,
        };
        told.push(one);
    }
    told
}

/// `GET /users/{id} → show_user`.
pub(super) fn point(entry: &EntryPoint) -> Told {
    let what = said(entry);
    let handler = entry.handler.as_ref();
    let is_elsewhere = |handler: &&kitbag_analyse::entry_points::Handler| {
        handler.path != entry.path || handler.line != entry.line
    };
    let handled = match handler.filter(is_elsewhere) {
        Some(handler) if handler.path == entry.path => format!(" → {}", handler.name),
        Some(handler) => format!(" → {} in {}:{}", handler.name, handler.path, handler.line),
        None => handler.map_or_else(String::new, |handler| format!(" → {}", handler.name)),
    };
    let guards = match entry.guards.is_empty() {
        true => String::new(),
        false => format!(", after {}", entry.guards.join(", ")),
    };
    let id = format!("entry {} {what}", entry.path);
    let mut insight = Insight::new(
        BriefSection::EntryPoints,
        "entry_points",
        id,
        format!("{what}{handled}{guards}"),
    );
    insight.place = Some(place(&entry.path, entry.line));
    insight.from = Depth::Standard;
    insight.confidence = 0.97;
    let mut told = Told::new(insight).proved_by(&entry.path, entry.line, last_word(&entry.route));
    if let Some(handler) = handler {
        let name = handler.name.rsplit(['.', ':']).next().unwrap_or_default();
        told = told.proved_by(&handler.path, handler.line, vec![name.to_owned()]);
    }
    told
}

fn said(entry: &EntryPoint) -> String {
    match entry.kind {
        EntryKind::Api if !entry.method.is_empty() => format!("{} {}", entry.method, entry.route),
        EntryKind::Api => entry.name.clone(),
        EntryKind::Cli => format!("command `{}`", entry.name),
        EntryKind::Event => format!(
            "on {}",
            if entry.route.is_empty() {
                &entry.name
            } else {
                &entry.route
            }
        ),
        EntryKind::Job if entry.route.is_empty() => format!("job {}", entry.name),
        EntryKind::Job => format!("job {} ({})", entry.name, entry.route),
        EntryKind::Main => format!("main {}", entry.name),
        EntryKind::Export => format!("{} of {}", entry.name, entry.route),
    }
}

/// The last part of a route that is written as it is: prefixes stand elsewhere, parameters are spelt differently.
fn last_word(route: &str) -> Vec<String> {
    let mut words = route.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    let word = words.rfind(|word| word.len() > 2);
    word.map(str::to_owned).into_iter().collect()
}

/// `9 requests below /v1/users`, one line per file and kind.
fn by_file(entries: &[&EntryPoint]) -> Vec<Told> {
    let mut groups: BTreeMap<(&RepoPath, EntryKind), Vec<&EntryPoint>> = BTreeMap::new();
    for entry in entries {
        groups.entry((&entry.path, entry.kind)).or_default().push(entry);
    }
    let group = |((path, kind), list): ((&RepoPath, EntryKind), Vec<&EntryPoint>)| {
        let n = list.len();
        let text = match (kind, n) {
            (_, 1) => said(list[0]),
            (EntryKind::Api, _) => {
                let routes: Vec<&str> = list.iter().map(|entry| entry.route.as_str()).collect();
                match common_start(&routes) {
                    start if start.len() > 1 => format!("{n} requests below {start}"),
                    _ => format!("{n} requests: {}", few(list.iter().map(|entry| said(entry)))),
                }
            }
            (EntryKind::Cli, _) => format!(
                "{n} commands: {}",
                few(list.iter().map(|entry| entry.name.clone()))
            ),
            (EntryKind::Event, _) => format!(
                "{n} handlers: {}",
                few(list.iter().map(|entry| entry.name.clone()))
            ),
            (EntryKind::Job, _) => format!("{n} jobs: {}", few(list.iter().map(|entry| entry.name.clone()))),
            (EntryKind::Main, _) => format!("{n} mains"),
            (EntryKind::Export, _) => format!("{n} public names"),
        };
        let id = format!("entries {path} {}", kind.as_str());
        let mut insight = Insight::new(BriefSection::EntryPoints, "entry_points", id, text);
        insight.place = Some(place(path, list[0].line));
        insight.from = Depth::Standard;
        insight.confidence = 0.97;
        insight.occurrences = n as u64;
        Told::new(insight).proved_by(path, list[0].line, last_word(&list[0].route))
    };
    groups.into_iter().map(group).collect()
}

/// The first few, and how many more there are.
fn few(mut names: impl Iterator<Item = String>) -> String {
    let first: Vec<String> = names.by_ref().take(5).collect();
    match names.count() {
        0 => first.join(", "),
        n => format!("{} and {n} more", first.join(", ")),
    }
}

/// The folders that all routes share.
fn common_start(routes: &[&str]) -> String {
    let parts = |route: &str| route.split('/').map(str::to_owned).collect::<Vec<_>>();
    let mut shared = routes.first().map(|route| parts(route)).unwrap_or_default();
    for route in routes {
        let other = parts(route);
        let n = shared.iter().zip(&other).take_while(|(a, b)| a == b).count();
        shared.truncate(n);
    }
    shared.join("/")
}

/// `load_user reads users, sessions; sensitive: …`.
pub(super) fn accessor(accessor: &DataAccessor) -> Option<Told> {
    if accessor.function.is_empty() {
        return None;
    }
    let does = match (accessor.reads, accessor.writes) {
        (true, true) => "reads and writes",
        (false, true) => "writes",
        _ => "reads",
    };
    let tables: Vec<&str> = accessor
        .tables
        .iter()
        .take(MOST_TABLES)
        .map(String::as_str)
        .collect();
    if tables.is_empty() {
        return None;
    }
    let sensitive = match accessor.sensitive.first() {
        Some(reason) => format!("; sensitive: {reason}"),
        None => String::new(),
    };
    let text = format!("{} {does} {}{sensitive}", accessor.function, tables.join(", "));
    let id = format!("data {} {}", accessor.path, accessor.function);
    let category = match accessor.sensitive.is_empty() {
        true => "data_accessors",
        false => "security",
    };
    let mut insight = Insight::new(BriefSection::DataAccessors, category, id, text);
    insight.place = Some(place(&accessor.path, accessor.line));
    insight.from = Depth::Standard;
    insight.confidence = 0.95;
    insight.occurrences = accessor.tables.len() as u64;
    let name = accessor.function.rsplit(['.', ':']).next().unwrap_or_default();
    Some(Told::new(insight).proved_by(&accessor.path, accessor.line, vec![name.to_owned()]))
}

fn place(path: &RepoPath, line: u32) -> InsightPlace {
    InsightPlace {
        path: path.to_string(),
        line,
    }
}
