//! Gradle, in Groovy and in Kotlin: `include` and `projectDir` of the settings, dependencies of the build files.
//!
//! Both are programs, of which the literal parts are read. An `include` in a loop over literals counts for each of them; one
//! whose argument is computed counts for every folder beside the settings that has a build file. Conditions count as true.
//! Dependencies inside the tree are `project(":a:b")` and `projects.a.b`; `libs.…` is looked up in the version catalog.

use std::collections::BTreeMap;
use std::ops::Range;

use kitbag_types::RepoPath;

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Standing, Stated, Target};
use super::script::{self, Kind, Script};
use super::tree::{self, Node};
use super::{Family, Inheritance, PackageManager, places};

const FAMILY: Family = Family {
    name: "gradle",
    languages: &[
        ("java", &["java"]),
        ("kotlin", &["kt"]),
        ("groovy", &["groovy"]),
        ("scala", &["scala"]),
    ],
    normalise: normalised,
    inheritance: Inheritance::Workspace,
    home,
    unnamed,
    ..Family::PLAIN
};

pub(super) const GRADLE: PackageManager = PackageManager {
    name: "gradle",
    family: &FAMILY,
    manifests: &[
        "settings.gradle",
        "settings.gradle.kts",
        "build.gradle",
        "build.gradle.kts",
        "gradle.properties",
        "libs.versions.toml",
        "*.gradle",
        "*.gradle.kts",
    ],
    lockfiles: &["gradlew"],
    read,
};

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

/// `:core:data-test`, `projects.core.dataTest` and `core:data_test` are one project.
fn normalised(name: &str) -> String {
    let name = name.strip_prefix("projects.").unwrap_or(name);
    let parts = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .map(|c| if c == ':' { '.' } else { c });
    parts
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .trim_matches('.')
        .to_owned()
}

/// A project is called by its path in the build.
fn unnamed(folder: &str) -> String {
    format!(":{}", folder.replace('/', ":"))
}

/// The catalog stands in `gradle/` and belongs to the folder above.
fn home(path: &RepoPath) -> &str {
    match path.file_name() {
        "libs.versions.toml" => places::parent(path.folder()).unwrap_or_default(),
        _ => path.folder(),
    }
}

fn read(file_name: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    match file_name {
        "gradle.properties" => read_properties(text),
        "libs.versions.toml" => read_catalog(text),
        "settings.gradle" | "settings.gradle.kts" => read_settings(&Script::new(text, &script::GRADLE)),
        _ => read_build(file_name, &Script::new(text, &script::GRADLE)),
    }
}

fn read_properties(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    for (line_idx, line) in text.lines().enumerate() {
        if let Some((key, value)) = line.split_once('=')
            && !line.starts_with('#')
        {
            let value = Stated::new(value.trim(), line_idx as u32 + 1);
            manifest.shared.insert(key.trim().to_owned(), value);
        }
    }
    manifest
}

/// `[libraries]` of the version catalog: what `libs.a.b` stands for.
fn read_catalog(text: &str) -> Manifest {
    let root = match tree::toml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut manifest = Manifest::default();
    for entry in root.get("libraries").map_or(&[][..], Node::entries) {
        let of = |key: &str| entry.node.get(key).and_then(Node::text);
        let module = match (of("module").or(entry.node.text()), of("group"), of("name")) {
            (Some(module), ..) => coordinates(module).map(|(name, _)| name),
            (None, Some(group), Some(name)) => Some(format!("{group}:{name}")),
            _ => None,
        };
        if let Some(module) = module {
            let alias = entry.key.replace(['-', '_'], ".");
            manifest
                .shared
                .insert(format!("libs.{alias}"), Stated::new(module, entry.line));
        }
    }
    manifest
}

fn read_settings(script: &Script) -> Manifest {
    let mut manifest = Manifest::default();
    let mut members: Vec<Member> = Vec::new();
    let mut root = Project {
        line: 1,
        standing: Standing::Part,
        ..Project::default()
    };
    // Project path, folder and line of each that is included.
    let mut included: Vec<(String, String, u32)> = Vec::new();
    // Where each open block ends, and what an `include` inside it goes over.
    let mut blocks: Vec<(usize, Vec<String>)> = Vec::new();
    let lists = literal_lists(script);
    let mut statement = 0;
    // Where the arguments of the last `include` end; a word among them is no call.
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
        let name = format!(":{}", name.trim_matches(':'));
        manifest.projects.push(Project {
            folder,
            name: Some(Stated::new(name, line)),
            line,
            ..Project::default()
        });
    }
    manifest.members = Some(members);
    manifest
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

fn read_build(file_name: &str, script: &Script) -> Manifest {
    let is_build = matches!(file_name, "build.gradle" | "build.gradle.kts");
    let stem = file_name.split('.').next().unwrap_or_default();
    let mut main = Project {
        line: 1,
        version: Some(Stated::new("${version}", 1)),
        // A build file may have the name of its folder; other scripts are applied by somebody else.
        standing: if is_build {
            Standing::Declared
        } else {
            Standing::Part
        },
        name: (!is_build).then(|| Stated::new(stem, 1)),
        ..Project::default()
    };
    // Projects that a build file configures from above: `project(':a') { dependencies { … } }`.
    let mut others: Vec<Project> = Vec::new();
    let mut at = 0;
    // Where the block ends whose dependencies are of another project, and which: `None` is several that are not named.
    let mut owner: Vec<(usize, Option<usize>)> = Vec::new();
    let mut buildscript_end = 0;
    while at < script.tokens.len() {
        while owner.last().is_some_and(|(end, _)| at >= *end) {
            owner.pop();
        }
        let block = |open: usize| script.is_mark(open, '{').then(|| script.past(open));
        match script.word(at) {
            Some("project") if script.is_mark(at + 1, '(') => {
                let open = script.past(at + 1);
                if let (Some(end), Some(name)) = (block(open), script.text(at + 2)) {
                    let folder = name.trim_matches(':').replace(':', "/");
                    let other = Project {
                        folder,
                        line: script.line(at),
                        name: Some(Stated::new(
                            format!(":{}", name.trim_matches(':')),
                            script.line(at),
                        )),
                        ..Project::default()
                    };
                    others.push(other);
                    owner.push((end, Some(others.len() - 1)));
                }
            }
            Some("subprojects" | "allprojects" | "configure") => {
                let open = if script.is_mark(at + 1, '(') {
                    script.past(at + 1)
                } else {
                    at + 1
                };
                if let Some(end) = block(open) {
                    owner.push((end, None));
                }
            }
            Some("buildscript" | "pluginManagement") => {
                buildscript_end = block(at + 1).unwrap_or(buildscript_end);
            }
            Some("dependencies") => {
                if let Some(end) = block(at + 1) {
                    let found = read_dependencies(script, script.inside(at + 1), at < buildscript_end);
                    match owner.last() {
                        None => main.dependencies.extend(found),
                        Some((_, Some(other))) => others[*other].dependencies.extend(found),
                        Some((_, None)) => {}
                    }
                    at = end;
                    continue;
                }
            }
            Some(key @ ("version" | "description")) if owner.is_empty() && starts_line(script, at) => {
                let value = if script.is_mark(at + 1, '=') {
                    at + 2
                } else {
                    at + 1
                };
                if let Some(text) = script.text(value) {
                    let stated = Some(Stated::new(text, script.line(at)));
                    match key {
                        "version" => main.version = stated,
                        _ => main.description = stated,
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    Manifest {
        projects: std::iter::once(main).chain(others).collect(),
        ..Manifest::default()
    }
}

fn starts_line(script: &Script, at: usize) -> bool {
    at == 0 || script.tokens[at - 1].kind == Kind::LineEnd
}

fn read_dependencies(script: &Script, block: Range<usize>, is_buildscript: bool) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut kind = DependencyKind::Direct;
    let mut at = block.start;
    while at < block.end {
        let line = script.line(at);
        let first =
            at == block.start || matches!(script.tokens[at - 1].kind, Kind::LineEnd | Kind::Mark('{' | ';'));
        if first && let Some(word) = script.word(at) {
            kind = match is_buildscript {
                true => DependencyKind::Build,
                false => kind_of(word),
            };
        }
        match &script.tokens[at].kind {
            Kind::Word(word) if word == "project" && script.is_mark(at + 1, '(') => {
                let arguments = script.inside(at + 1);
                let path = script
                    .labelled_text(arguments.clone(), "path")
                    .map(|(text, _)| text);
                if let Some(path) = path.or_else(|| script.text(arguments.start)) {
                    found.push(Dependency::named(path, kind, line));
                }
                at = script.past(at + 1);
                continue;
            }
            Kind::Word(word) if matches!(word.as_str(), "projects" | "libs") && !follows_dot(script, at) => {
                let mut name = word.clone();
                let mut next = at + 1;
                while let Some(part) = script
                    .word(next + 1)
                    .filter(|_| script.is_mark(next, '.') && next < block.end)
                {
                    if !(part == "get" && script.is_mark(next + 2, '(')) {
                        name = format!("{name}.{part}");
                    }
                    next += 2;
                }
                let is_plugin = name.starts_with("libs.plugins.") || name.starts_with("libs.versions.");
                if next > at + 1 && !is_plugin {
                    found.push(match word.as_str() {
                        "projects" => Dependency::named(name, kind, line),
                        _ => Dependency::named(format!("${{{name}}}"), kind, line).to(Target::Outside),
                    });
                }
                at = next;
                continue;
            }
            Kind::Text(text) | Kind::Computed(text) => {
                if let Some((name, version)) = coordinates(text) {
                    let version = version.filter(|version| !version.contains('$'));
                    found.push(
                        Dependency::named(name, kind, line)
                            .version(version)
                            .to(Target::Outside),
                    );
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn follows_dot(script: &Script, at: usize) -> bool {
    at > 0 && script.is_mark(at - 1, '.')
}

/// `group:artifact:version`.
fn coordinates(text: &str) -> Option<(String, Option<&str>)> {
    let mut parts = text.split(':');
    let (group, artifact) = (parts.next()?, parts.next()?);
    let plain = |part: &str| !part.is_empty() && !part.contains(['/', ' ', '$']);
    (plain(group) && plain(artifact)).then(|| (format!("{group}:{artifact}"), parts.next()))
}

fn kind_of(configuration: &str) -> DependencyKind {
    let name = configuration.to_lowercase();
    match name.as_str() {
        name if name.contains("test") => DependencyKind::Dev,
        name if ["kapt", "ksp", "annotationprocessor", "classpath", "lint"]
            .iter()
            .any(|word| name.starts_with(word)) =>
        {
            DependencyKind::Build
        }
        name if name.contains("compileonly") || name.starts_with("provided") => DependencyKind::Peer,
        name if name.starts_with("optional") => DependencyKind::Optional,
        _ => DependencyKind::Direct,
    }
}
