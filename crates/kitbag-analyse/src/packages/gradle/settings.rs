//! The settings of a Gradle build: which projects it includes and where they stand.
//!
//! What is literal counts, conditions count as true. A loop over literals counts for each of them; a computed name stands for
//! every folder that fits and has a build file. Settings that include by functions of their own are read for the names they mention.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::manifest::{Manifest, Member, Project, Standing, Stated};
use crate::formats::script::{Kind, Script};

const SETTINGS_BLOCKS: &[&str] = &[
    "buildCache",
    "dependencyResolutionManagement",
    "pluginManagement",
    "plugins",
    "repositories",
];
/// How many blocks around an `include` are asked for what they go over.
const MAX_LOOPS: usize = 4;
/// How many values of a literal list are taken.
const MAX_LISTED: usize = 1_000;

pub(super) fn read(script: &Script) -> Manifest {
    let mut manifest = Manifest::default();
    let mut members: Vec<Member> = Vec::new();
    let mut root = Project {
        line: 1,
        standing: Standing::Part,
        ..Project::default()
    };
    // Project path, folder and line of each that is included.
    let mut included: Vec<(String, String, u32)> = Vec::new();
    // New last names of projects, by path.
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    // Where each open block ends, and what an `include` inside it goes over.
    let mut blocks: Vec<(usize, Vec<String>)> = Vec::new();
    let lists = literal_lists(script);
    let mut statement = 0;
    // Where the arguments of the last `include` end; a word among them is not a call.
    let mut told = 0;
    for at in 0..script.tokens.len() {
        while blocks.last().is_some_and(|(end, _)| at >= *end) {
            blocks.pop();
        }
        let line = script.line(at);
        match &script.tokens[at].kind {
            Kind::LineEnd | Kind::Mark(';' | '}') => statement = at + 1,
            Kind::Mark('{') => {
                blocks.push((script.past(at), looped(script, statement..at, &lists)));
                statement = at + 1;
            }
            Kind::Word(word) if matches!(word.as_str(), "include" | "includeFlat") && at >= told => {
                // `it.include(…)` filters files; `settings.include(…)` is the call.
                let owner = at.checked_sub(2).and_then(|owner| script.word(owner));
                if at > 0 && script.is_mark(at - 1, '.') && owner != Some("settings") {
                    continue;
                }
                let looped = blocks
                    .iter()
                    .rev()
                    .take(MAX_LOOPS)
                    .find(|(_, values)| !values.is_empty());
                let looped = looped.map_or(&[][..], |(_, values)| values.as_slice());
                let flat = if word == "includeFlat" { "../" } else { "" };
                let arguments = script.arguments(at + 1);
                told = arguments.end;
                for name in included_names(script, arguments, looped) {
                    let folder = name.trim_matches(':').replace(':', "/");
                    match name.contains('*') {
                        true => members.push(Member::new(format!("{flat}{folder}"), line, false)),
                        false => included.push((name, format!("{flat}{folder}"), line)),
                    }
                }
            }
            Kind::Word(word) if word == "project" && script.is_mark(at + 1, '(') => {
                let end = script.past(at + 1);
                let name = script.text(at + 2);
                if script.is_mark(end, '.') && script.word(end + 1) == Some("projectDir") {
                    let folder = last_text(script, script.arguments(end + 2));
                    if let (Some(name), Some(folder)) = (name, folder) {
                        move_project(&mut included, name, &folder);
                    }
                } else if script.is_mark(end, '.')
                    && script.word(end + 1) == Some("name")
                    && let (Some(name), Some(new)) = (name, script.text(end + 3))
                {
                    renamed.insert(name.trim_matches(':').to_owned(), new.to_owned());
                }
            }
            // `it.projectDir = file("modules/${it.name}")` moves all that were included.
            Kind::Word(word) if word == "projectDir" && script.is_mark(at + 1, '=') => {
                let above = computed_folder(script, script.arguments(at + 2));
                let is_one = at > 1 && script.is_mark(at - 2, ')');
                for (name, folder, _) in included.iter_mut().filter(|_| !is_one) {
                    if let Some(above) = &above {
                        *folder = format!("{above}/{}", name.trim_matches(':').replace(':', "/"));
                    }
                }
            }
            Kind::Word(word) if word == "rootProject" && script.word(at + 2) == Some("name") => {
                if let Some(name) = script.text(at + 4) {
                    root.name = Some(Stated::new(name, line));
                }
            }
            _ => {}
        }
    }
    if included.is_empty() {
        members.extend(mentioned(script));
    }
    manifest.projects.push(root);
    for (name, folder, line) in included {
        members.push(Member::new(&folder, line, false));
        let name = called(name.trim_matches(':'), &renamed);
        manifest.projects.push(project(name, folder, line));
    }
    manifest.members = Some(members);
    manifest
}

fn project(name: String, folder: String, line: u32) -> Project {
    Project {
        folder,
        name: Some(Stated::new(name, line)),
        line,
        ..Project::default()
    }
}

/// A project's path in the build: `project(":a").name = "b"` gives `:a` and what is below it another one.
fn called(name: &str, renamed: &BTreeMap<String, String>) -> String {
    let mut path = String::new();
    let mut called = String::new();
    for part in name.split(':') {
        if !path.is_empty() {
            path.push(':');
        }
        path.push_str(part);
        called.push(':');
        called.push_str(renamed.get(&path).map_or(part, String::as_str));
    }
    called
}

/// Names of projects in settings that include them by functions of their own: texts in blocks. Whether there is such a project is
/// seen by whether a folder of the name has a build file.
fn mentioned(script: &Script) -> Vec<Member> {
    let mut members = Vec::new();
    let mut at = 0;
    while at < script.tokens.len() && members.len() < MAX_LISTED {
        match &script.tokens[at].kind {
            // Blocks that speak of plugins and repositories, not of projects.
            Kind::Word(word) if SETTINGS_BLOCKS.contains(&word.as_str()) && script.is_mark(at + 1, '{') => {
                at = script.past(at + 1);
                continue;
            }
            Kind::Text(text) => {
                let name = text.rsplit([':', '/']).next().unwrap_or_default();
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
                if !name.is_empty() && name.chars().all(is_name) {
                    members.push(Member::new(format!("**/{name}"), script.line(at), false));
                }
            }
            _ => {}
        }
        at += 1;
    }
    members
}

/// Lists of literal texts by the name of the variable that has them.
fn literal_lists(script: &Script) -> BTreeMap<&str, Vec<&str>> {
    let mut lists = BTreeMap::new();
    for at in 0..script.tokens.len() {
        let Some(name) = script.word(at).filter(|_| script.is_mark(at + 1, '=')) else {
            continue;
        };
        let open = match script.word(at + 2) {
            Some("listOf" | "setOf" | "arrayOf") => at + 3,
            _ => at + 2,
        };
        if script.is_mark(open, '[') || script.is_mark(open, '(') {
            let texts = script
                .inside(open)
                .filter_map(|at| script.text(at))
                .take(MAX_LISTED);
            lists.insert(name, texts.collect());
        }
    }
    lists
}

/// What the block with this head is done for: the literals of a loop, or a pattern for a filter by name. Empty: not known.
fn looped(script: &Script, head: Range<usize>, lists: &BTreeMap<&str, Vec<&str>>) -> Vec<String> {
    let mut values = Vec::new();
    let mut is_loop = false;
    for at in head {
        match script.word(at) {
            Some("for" | "each" | "forEach") => is_loop = true,
            Some("startsWith") => {
                return script
                    .text(at + 2)
                    .map(|text| format!("{text}*"))
                    .into_iter()
                    .collect();
            }
            Some("endsWith") => {
                return script
                    .text(at + 2)
                    .map(|text| format!("*{text}"))
                    .into_iter()
                    .collect();
            }
            Some(name) => values.extend(
                lists
                    .get(name)
                    .into_iter()
                    .flatten()
                    .map(|text| (*text).to_owned()),
            ),
            None => values.extend(script.text(at).map(str::to_owned)),
        }
    }
    if !is_loop {
        values.clear();
    }
    values.truncate(MAX_LISTED);
    values
}

/// The folder before what is computed: `modules` of `"modules/${it.name}"`.
fn computed_folder(script: &Script, arguments: Range<usize>) -> Option<String> {
    let text = arguments
        .rev()
        .find_map(|at| match &script.tokens.get(at)?.kind {
            Kind::Computed(text) => Some(text.as_str()),
            _ => None,
        })?;
    let text = ["$rootDir/", "${rootDir}/"]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(text);
    let (folder, rest) = text.split_once("/$")?;
    let is_name = rest.contains("name") && !rest.contains('/');
    (is_name && !folder.is_empty() && !folder.contains('$')).then(|| folder.to_owned())
}

/// What an `include` names; `*` stands for what is computed and not known.
fn included_names(script: &Script, arguments: Range<usize>, looped: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut has_literal = false;
    for at in arguments.clone() {
        match &script.tokens[at].kind {
            Kind::Text(text) if !text.contains('*') => {
                has_literal = true;
                names.push(text.clone());
            }
            Kind::Computed(text) => {
                has_literal = true;
                let (before, rest) = text.split_once('$').unwrap_or((text, ""));
                let rest = match rest.strip_prefix('{') {
                    Some(rest) => rest.split_once('}').map_or("", |(_, rest)| rest),
                    None => rest.trim_start_matches(|c: char| c == '_' || c.is_alphanumeric()),
                };
                let fill = |value: &str| format!("{before}{}{rest}", value.trim_start_matches(':'));
                match looped.is_empty() || rest.contains('$') {
                    true => names.push(fill("*").split('$').next().unwrap_or_default().to_owned()),
                    false => names.extend(looped.iter().map(|value| fill(value))),
                }
            }
            _ => {}
        }
    }
    if !has_literal && !arguments.is_empty() {
        // `include(it)`, `include(name)`
        match looped.is_empty() {
            true => names.push("*".to_owned()),
            false => names.extend(looped.iter().cloned()),
        }
    }
    names
}

/// `file("x")`, `new File(settingsDir, "x")`, `rootDir.resolve("x")`, `"$rootDir/x"`: the text at the end.
fn last_text(script: &Script, range: Range<usize>) -> Option<String> {
    let found = range.rev().find_map(|at| match &script.tokens.get(at)?.kind {
        Kind::Text(text) => Some(text.clone()),
        Kind::Computed(text) => Some(text.split_once('/')?.1.to_owned()),
        _ => None,
    })?;
    (!found.contains('$')).then_some(found)
}

/// A project moved to another folder takes those below it along, as Gradle does.
fn move_project(included: &mut [(String, String, u32)], name: &str, folder: &str) {
    let name = name.trim_matches(':');
    let old = included
        .iter()
        .find(|(known, ..)| known.trim_matches(':') == name);
    let Some(old) = old.map(|(_, folder, _)| folder.clone()) else {
        return;
    };
    for (known, place, _) in included {
        let known = known.trim_matches(':');
        if known == name {
            *place = folder.to_owned();
        } else if known.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'))
            && let Some(rest) = place.strip_prefix(&format!("{old}/"))
        {
            *place = format!("{folder}/{rest}");
        }
    }
}
