//! What a newcomer wants to know of a package, or of the whole repository.

use kitbag_analyse::entry_points::EntryPoint;
use kitbag_analyse::packages::{Package, Packages};
use kitbag_pack::{BriefSection, Depth, Insight, InsightPlace, Intent};
use kitbag_rank::paths::PathClass;
use kitbag_types::RepoPath;

use super::conventions::Convention;
use super::files::{self, KeyFile, key_files};
use super::prove::Told;
use super::readme::introduces;
use super::{BriefWish, Ground, commands, entries, rules};
use crate::EngineError;
use crate::conventions::{classes, is_test};

/// Names of one kind in a line.
const MOST_NAMES: usize = 12;
/// Entry points of a map: it is one page.
const MAP_ENTRIES: usize = 12;
/// Packages of a map.
const MAP_PACKAGES: usize = 24;
/// Files to start with.
const START_FILES: usize = 3;
/// Pairs of files that change together.
const COUPLED: usize = 3;

/// `None`: the whole repository.
pub(super) fn insights(
    ground: Ground<'_>,
    package: Option<usize>,
    wish: BriefWish<'_>,
) -> Result<Vec<Told>, EngineError> {
    let packages = ground.facts.packages(ground).map(|known| &known.packages);
    let one = package.and_then(|at| packages.map(|packages| (packages, at)));
    let is_inside = |path: &RepoPath| one.is_none_or(|(packages, at)| packages.of_file(path) == Some(at));
    let mut told = Vec::new();
    let folder = one.map_or("", |(packages, at)| packages.list()[at].path.as_str());
    let all_rules = ground.facts.rules(ground);
    let applying: Vec<_> = all_rules
        .iter()
        .filter(|rule| folder.is_empty() || rule.applies_to(folder))
        .collect();
    let root = packages.and_then(|packages| packages.list().iter().position(|one| one.path.is_empty()));
    if let (Some(packages), Some(at)) = (packages, package.or(root)) {
        told.extend(header(ground, packages, at));
        told.extend(commands::insights(ground, &packages.list()[at], &applying));
    }
    let extensions = extensions(ground, &is_inside)?;
    let speaks = |rule: &&&kitbag_analyse::constraints::Constraint| {
        rule.category != "ci" && extensions.iter().any(|file| rules::concerns(rule, file))
    };
    told.extend(rules::insights(applying.iter().filter(speaks).copied()));
    if let Some(conventions) = ground.facts.conventions(ground) {
        told.extend(conventions.of(&is_inside).map(Convention::told));
        let telling = conventions.of(&is_inside).filter(|one| one.is_telling());
        told.extend(telling.filter_map(Convention::shown));
        told.extend(conventions.layers(&is_inside));
    }
    told.extend(entries::points(&own_entries(ground, &is_inside)));
    if wish.depth == Depth::Deep || wish.intent == Intent::SecurityReview {
        let accessors = ground.facts.accessors(ground).iter();
        told.extend(
            accessors
                .filter(|one| is_inside(&one.path))
                .filter_map(entries::accessor),
        );
    }
    let key = key_files(ground, &is_inside)?;
    told.extend(start(&key));
    told.extend(coupled(ground, &is_inside));
    told.extend(tests(ground, &is_inside)?);
    told.extend(files::insights(ground, &key, false));
    if let (Some(packages), Some(at), true) = (packages, package, wish.with_dependencies) {
        told.extend(dependencies(ground, packages, at));
    }
    Ok(told)
}

/// Packages, entry points, key files with their signatures.
pub(super) fn map(ground: Ground<'_>) -> Result<Vec<Told>, EngineError> {
    let mut told = Vec::new();
    let packages = ground.facts.packages(ground).map(|known| &known.packages);
    if let Some(packages) = packages {
        told.extend(listed(ground, packages));
    }
    let everything = |_: &RepoPath| true;
    let mut points = entries::points(&own_entries(ground, &everything));
    points.sort_by_key(|one| std::cmp::Reverse(one.insight.occurrences));
    points.retain(|one| one.insight.from <= Depth::Standard);
    points.truncate(MAP_ENTRIES);
    told.extend(points);
    let key = key_files(ground, &everything)?;
    told.extend(files::insights(ground, &key, true));
    Ok(told)
}

/// Entry points of the program itself; those of examples only where there are no others.
fn own_entries<'e>(ground: Ground<'e>, is_inside: &dyn Fn(&RepoPath) -> bool) -> Vec<&'e EntryPoint> {
    let all = ground.facts.entries(ground).iter();
    let inside: Vec<&EntryPoint> = all.filter(|entry| is_inside(&entry.path)).collect();
    let is_own = |path: &RepoPath| classes(path).is_empty() && !path.as_str().starts_with('.');
    match inside.iter().any(|entry| is_own(&entry.path)) {
        true => inside.into_iter().filter(|entry| is_own(&entry.path)).collect(),
        false => inside,
    }
}

fn place(path: &RepoPath, line: u32) -> Option<InsightPlace> {
    Some(InsightPlace {
        path: path.to_string(),
        line,
    })
}

/// `kitbag-pack 0.1.0, a cargo package in crates/kitbag-pack: 40 files, 9,812 lines of Rust`.
fn said(ground: Ground<'_>, packages: &Packages, at: usize) -> String {
    let package = &packages.list()[at];
    let version = package
        .version
        .as_ref()
        .map_or_else(String::new, |version| format!(" {}", version.text));
    let within = match (package.path.as_str(), package.manager) {
        ("", "root") => String::new(),
        ("", manager) => format!(" ({manager})"),
        (path, manager) => format!(" ({manager}, {path})"),
    };
    let size = ground.facts.sizes(ground).and_then(|sizes| sizes.get(at));
    let size = size.map_or_else(String::new, |size| {
        let language = package
            .language
            .map_or_else(String::new, |language| format!(" of {language}"));
        format!(": {} files, {} lines{language}", size.n_files, size.n_lines)
    });
    format!("{}{version}{within}{size}", package.name)
}

fn header(ground: Ground<'_>, packages: &Packages, at: usize) -> Vec<Told> {
    let package = &packages.list()[at];
    let mut told = Vec::new();
    let manifest = package.place.as_ref();
    let mut about = |id: &str, text: String, line: u32, holds: Vec<String>| {
        let mut insight = Insight::new(
            BriefSection::Header,
            "architectural",
            format!("{id} {}", package.path),
            text,
        );
        insight.place = manifest.and_then(|manifest| place(&manifest.path, line));
        let one = Told::new(insight);
        told.push(match manifest {
            Some(manifest) => one.proved_by(&manifest.path, line, holds),
            None => one,
        });
    };
    about("package", said(ground, packages, at), 0, Vec::new());
    let is_told = |text: &str| introduces(ground.facts.readmes(ground), &package.path, text);
    if let Some(description) = package.description.as_ref().filter(|one| !is_told(&one.text)) {
        let is_here = manifest.is_some_and(|manifest| manifest.path == description.place.path);
        let line = if is_here { description.place.line } else { 0 };
        about("description", description.text.clone(), line, Vec::new());
    }
    let internal: Vec<String> = package
        .internal()
        .map(|(to, _)| packages.list()[to].name.clone())
        .collect();
    if !internal.is_empty() {
        about(
            "internal",
            format!("Depends on {} of this repository", listed_names(&internal)),
            0,
            internal,
        );
    }
    let is_direct = |name: &&kitbag_analyse::packages::PackageDependency| {
        matches!(name.kind.name(), "direct" | "peer" | "optional")
    };
    let external: Vec<String> = package
        .external()
        .filter(is_direct)
        .map(|one| one.name.clone())
        .collect();
    if !external.is_empty() {
        about(
            "external",
            format!("Uses {}", listed_names(&external)),
            0,
            Vec::new(),
        );
    }
    if let Some(graph) = ground.facts.graph(ground) {
        let users: Vec<String> = graph
            .dependents(at)
            .iter()
            .map(|from| packages.list()[*from].name.clone())
            .collect();
        if !users.is_empty() {
            let text = format!("Used by {}", listed_names(&users));
            let mut insight = Insight::new(
                BriefSection::Header,
                "architectural",
                format!("users {}", package.path),
                text,
            );
            insight.occurrences = users.len() as u64;
            told.push(Told::new(insight));
        }
    }
    told
}

fn listed_names(names: &[String]) -> String {
    let shown = names
        .iter()
        .take(MOST_NAMES)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        n => format!("{shown} and {n} more"),
    }
}

/// The packages of a map: those that most others use first, then the largest.
fn listed(ground: Ground<'_>, packages: &Packages) -> Vec<Told> {
    let graph = ground.facts.graph(ground);
    let sizes = ground.facts.sizes(ground);
    let users = |at: usize| graph.map_or(0, |graph| graph.dependents(at).len());
    let lines = |at: usize| {
        sizes
            .and_then(|sizes| sizes.get(at))
            .map_or(0, |size| size.n_lines)
    };
    let mut order: Vec<usize> = (0..packages.list().len()).collect();
    // The root first: it says what the whole is.
    let is_below = |at: usize| !packages.list()[at].path.is_empty();
    let is_aside = |at: usize| {
        let manifest = packages.list()[at].place.as_ref();
        manifest.is_some_and(|place| classes(&place.path).contains(&PathClass::Example))
    };
    order.sort_by_key(|at| {
        (
            is_below(*at),
            is_aside(*at),
            std::cmp::Reverse((users(*at), lines(*at))),
            *at,
        )
    });
    let more = order.len().saturating_sub(MAP_PACKAGES);
    let mut told: Vec<Told> = Vec::new();
    for at in order.into_iter().take(MAP_PACKAGES) {
        let package = &packages.list()[at];
        let description = package
            .description
            .as_ref()
            .map_or_else(String::new, |text| format!(". {}", first_sentence(&text.text)));
        let used = match users(at) {
            0 => String::new(),
            1 => format!(
                "; used by {}",
                packages.list()[graph.map_or(0, |graph| graph.dependents(at)[0])].name
            ),
            n => format!("; used by {n} packages"),
        };
        let text = format!("{}{used}{description}", said(ground, packages, at));
        let mut insight = Insight::new(
            BriefSection::Header,
            "architectural",
            format!("package {}", package.path),
            text,
        );
        insight.occurrences = users(at) as u64;
        let one = Told::new(insight);
        told.push(match &package.place {
            Some(manifest) => one.proved_by(&manifest.path, 0, Vec::new()),
            None => one,
        });
    }
    if more > 0 {
        let text = format!("{more} more packages (`kitbag packages`)");
        told.push(Told::new(Insight::new(
            BriefSection::Header,
            "architectural",
            "packages more".into(),
            text,
        )));
    }
    told
}

fn first_sentence(text: &str) -> &str {
    text.split(". ").next().unwrap_or(text).trim()
}

/// Where to start, and what is there (INS-9).
fn start(key: &[KeyFile]) -> Option<Told> {
    let first: Vec<String> = key
        .iter()
        .take(START_FILES)
        .map(|file| match files::names(file).as_slice() {
            [] => file.rank.path.to_string(),
            names => format!("{} ({})", file.rank.path, names[..names.len().min(2)].join(", ")),
        })
        .collect();
    if first.len() < 3 {
        return None;
    }
    let text = format!("Start with {}: the rest leans on them most", first.join(", "));
    let insight = Insight::new(BriefSection::Guidance, "architectural", "start".into(), text);
    let mut told = Told::new(insight);
    for file in key.iter().take(START_FILES) {
        told = told.proved_by(&file.rank.path, 0, Vec::new());
    }
    Some(told)
}

/// Pairs of files that seldom change alone.
fn coupled(ground: Ground<'_>, is_inside: &dyn Fn(&RepoPath) -> bool) -> Vec<Told> {
    let Some(history) = ground.facts.history(ground) else {
        return Vec::new();
    };
    let is_there = |path: &RepoPath| matches!(ground.snapshot.file(path), Ok(Some(_)));
    let mut known: Vec<(RepoPath, RepoPath)> = Vec::new();
    let mut told = Vec::new();
    for pair in history.coupled(is_inside, &|_| true) {
        if is_test(&pair.path) {
            continue;
        }
        let is_repeat = known.contains(&(pair.with.clone(), pair.path.clone()));
        if is_repeat || same_stem(&pair.path, &pair.with) || !is_there(&pair.path) || !is_there(&pair.with) {
            continue;
        }
        let (together, changes) = (pair.together, pair.changes);
        let text = format!(
            "{} changes with {}: {together} of {changes} commits",
            pair.path, pair.with
        );
        let id = format!("coupled {} {}", pair.path, pair.with);
        let mut insight = Insight::new(BriefSection::Guidance, "coupling", id, text);
        insight.confidence = pair.share();
        insight.occurrences = u64::from(together);
        told.push(Told::new(insight).proved_by(&pair.path, 0, Vec::new()).proved_by(
            &pair.with,
            0,
            Vec::new(),
        ));
        known.push((pair.path, pair.with));
        if told.len() >= COUPLED {
            break;
        }
    }
    told
}

/// `app.h` and `app.c`, `app.py` and `test_app.py`: everybody expects that.
pub(super) fn same_stem(a: &RepoPath, b: &RepoPath) -> bool {
    let stem = |path: &RepoPath| {
        let name = path
            .file_name()
            .split('.')
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let name = name.trim_start_matches("test_").trim_end_matches("_test");
        name.trim_end_matches("test")
            .trim_end_matches("_spec")
            .trim_end_matches("spec")
            .to_owned()
    };
    stem(a) == stem(b)
}

/// Where the tests are.
fn tests(ground: Ground<'_>, is_inside: &dyn Fn(&RepoPath) -> bool) -> Result<Option<Told>, EngineError> {
    let mut folders: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    let mut total = 0u64;
    for file in ground.snapshot.files()? {
        if file.parse.is_some() && is_inside(&file.path) && is_test(&file.path) {
            let folder = file
                .path
                .as_str()
                .rsplit_once('/')
                .map_or(".", |(folder, _)| folder);
            *folders.entry(folder.to_owned()).or_default() += 1;
            total += 1;
        }
    }
    let mut ranked: Vec<(String, u64)> = folders.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let shown: Vec<String> = ranked
        .iter()
        .take(3)
        .map(|(folder, n)| format!("{folder} ({n})"))
        .collect();
    if shown.is_empty() {
        return Ok(None);
    }
    let text = format!("{total} test files, most in {}", shown.join(", "));
    let mut insight = Insight::new(BriefSection::Guidance, "test_topology", "tests".into(), text);
    insight.occurrences = total;
    Ok(Some(Told::new(insight)))
}

/// What a package's dependencies in this repository are, a line each (ENG-10: at most ten of one).
fn dependencies(ground: Ground<'_>, packages: &Packages, at: usize) -> Vec<Told> {
    let mut told = Vec::new();
    for (to, _) in packages.list()[at].internal() {
        let package: &Package = &packages.list()[to];
        let description = package
            .description
            .as_ref()
            .map_or_else(String::new, |text| format!(". {}", first_sentence(&text.text)));
        let text = format!("depends on {}{description}", said(ground, packages, to));
        let mut insight = Insight::new(
            BriefSection::Examples,
            "architectural",
            format!("dependency {}", package.path),
            text,
        );
        insight.from = Depth::Deep;
        let one = Told::new(insight);
        told.push(match &package.place {
            Some(manifest) => one.proved_by(&manifest.path, 0, Vec::new()),
            None => one,
        });
    }
    told
}

/// One path per extension that the package has code in.
fn extensions(ground: Ground<'_>, is_inside: &dyn Fn(&RepoPath) -> bool) -> Result<Vec<String>, EngineError> {
    let mut known: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
    for file in ground.snapshot.files()? {
        if file.parse.is_some() && is_inside(&file.path) {
            let path = file.path.as_str();
            let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            known
                .entry(extension.to_owned())
                .or_insert_with(|| path.to_owned());
        }
    }
    Ok(known.into_values().collect())
}
