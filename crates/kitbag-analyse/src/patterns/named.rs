//! The conventions that have names (INS-1): rows of a table. A row says what is counted, among which units, and what they should have.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::WIDTHS;
use super::tuning::{LEAST_CASES, LEAST_SHARE};
use super::units::{Rule, UnitKind, Units};
use super::{Category, Pattern, Project, share};

/// What the units of a row should have.
enum Then {
    Is(&'static str),
    /// The value of this family that most have.
    Best(&'static str),
    /// The smallest width that nearly all lines keep.
    Width,
}

struct Row {
    unit: UnitKind,
    /// Empty: all.
    languages: &'static [&'static str],
    given: &'static [&'static str],
    then: Then,
    category: Category,
}

const fn row(
    category: Category,
    unit: UnitKind,
    languages: &'static [&'static str],
    given: &'static [&'static str],
    then: Then,
) -> Row {
    Row {
        unit,
        languages,
        given,
        then,
        category,
    }
}

const SOURCE: &str = "role=source";
const SCRIPTS: &[&str] = &["javascript", "typescript"];

const ROWS: &[Row] = &[
    // Naming.
    row(
        Category::Naming,
        UnitKind::Function,
        &[],
        &[SOURCE, "ordinary"],
        Then::Best("case"),
    ),
    row(
        Category::Naming,
        UnitKind::Type,
        &[],
        &[SOURCE],
        Then::Best("case"),
    ),
    row(Category::Naming, UnitKind::File, &[], &[], Then::Best("case")),
    row(
        Category::Naming,
        UnitKind::File,
        &[],
        &[SOURCE],
        Then::Best("case"),
    ),
    row(
        Category::Naming,
        UnitKind::Constant,
        &[],
        &[SOURCE],
        Then::Best("case"),
    ),
    row(
        Category::Naming,
        UnitKind::Type,
        &["php", "csharp", "kotlin"],
        &[SOURCE],
        Then::Is("named-as-file"),
    ),
    row(
        Category::Naming,
        UnitKind::Function,
        &["go"],
        &["receiver"],
        Then::Is("short-receiver"),
    ),
    // Documentation and types.
    row(
        Category::Documentation,
        UnitKind::Function,
        &["python", "go"],
        &[SOURCE, "public", "top"],
        Then::Is("doc"),
    ),
    row(
        Category::Documentation,
        UnitKind::Function,
        &["python"],
        &[SOURCE, "public", "method"],
        Then::Is("doc"),
    ),
    row(
        Category::Documentation,
        UnitKind::Function,
        &[],
        &[SOURCE, "public"],
        Then::Is("doc"),
    ),
    row(
        Category::Documentation,
        UnitKind::Function,
        &["go"],
        &[SOURCE, "public", "doc"],
        Then::Is("doc-names-it"),
    ),
    row(
        Category::Documentation,
        UnitKind::Type,
        &[],
        &[SOURCE, "public"],
        Then::Is("doc"),
    ),
    row(
        Category::Documentation,
        UnitKind::File,
        &["rust", "python"],
        &[SOURCE],
        Then::Is("module-doc"),
    ),
    row(
        Category::Documentation,
        UnitKind::File,
        &[],
        &[],
        Then::Is("header"),
    ),
    row(
        Category::Documentation,
        UnitKind::Function,
        &["python", "php", "typescript"],
        &[SOURCE, "ordinary"],
        Then::Is("typed"),
    ),
    row(
        Category::Documentation,
        UnitKind::Function,
        &["typescript"],
        &[SOURCE, "public"],
        Then::Is("typed"),
    ),
    // Errors.
    row(
        Category::ErrorHandling,
        UnitKind::Catch,
        &["python"],
        &[SOURCE],
        Then::Is("named-error"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::Catch,
        &["python", "java", "kotlin", "csharp", "php"],
        &[SOURCE],
        Then::Is("narrow"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::Catch,
        &[],
        &[SOURCE],
        Then::Is("raises-again"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::Catch,
        &[],
        &[SOURCE],
        Then::Is("logs"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::Call,
        &["go"],
        &["wraps-error"],
        Then::Is("by=%w"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::File,
        &["rust"],
        &[SOURCE],
        Then::Is("avoids=unwrap()"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::File,
        &["rust"],
        &[SOURCE],
        Then::Is("avoids=panic!"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::File,
        &["go"],
        &[SOURCE, "has-functions"],
        Then::Is("avoids=panic()"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::File,
        &["swift"],
        &[SOURCE],
        Then::Is("avoids=try!"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::File,
        &["kotlin"],
        &[SOURCE],
        Then::Is("avoids=!!"),
    ),
    row(
        Category::ErrorHandling,
        UnitKind::File,
        &["java"],
        &[SOURCE],
        Then::Is("avoids=printStackTrace()"),
    ),
    // Async.
    row(
        Category::Async,
        UnitKind::Function,
        &["python", "rust", "typescript", "javascript", "csharp"],
        &[SOURCE],
        Then::Is("word=async"),
    ),
    row(
        Category::Async,
        UnitKind::File,
        SCRIPTS,
        &[SOURCE],
        Then::Is("avoids=async/await"),
    ),
    // Tests.
    row(
        Category::Tests,
        UnitKind::Test,
        &["python"],
        &["role=test"],
        Then::Is("named=test_*"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["python"],
        &["role=test"],
        Then::Is("top"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["python"],
        &["role=test"],
        Then::Is("without-type"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["python"],
        &["role=test"],
        Then::Is("method"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["go"],
        &[],
        Then::Is("takes-testing"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["php"],
        &[],
        Then::Is("marked-test"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["php"],
        &[],
        Then::Is("named=test*"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["php", "java", "kotlin", "csharp", "rust", "go", "swift"],
        &[],
        Then::Best("case"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["java"],
        &[],
        Then::Is("not-public"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["python"],
        &["role=test"],
        Then::Is("word=async"),
    ),
    row(
        Category::Tests,
        UnitKind::Test,
        &["python"],
        &["role=test"],
        Then::Is("typed"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        &["python"],
        &["role=test", "has-tests"],
        Then::Best("begins"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        &["java", "kotlin", "csharp"],
        &["has-tests"],
        Then::Best("stem-ends"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        SCRIPTS,
        &["role=test"],
        Then::Best("ends"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        SCRIPTS,
        &["role=test"],
        Then::Is("in-tests-folder"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        &["go", "typescript", "javascript"],
        &["role=test", "test-suffix"],
        Then::Is("beside-source"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        &["rust"],
        &["has-tests"],
        Then::Is("test-module"),
    ),
    row(
        Category::Tests,
        UnitKind::File,
        &[],
        &[SOURCE, "has-functions"],
        Then::Is("has-test"),
    ),
    row(
        Category::Tests,
        UnitKind::Call,
        &["go"],
        &["assertion"],
        Then::Best("by"),
    ),
    row(
        Category::Tests,
        UnitKind::Call,
        SCRIPTS,
        &["case-call"],
        Then::Best("by"),
    ),
    // Logging.
    row(
        Category::Logging,
        UnitKind::Call,
        &[],
        &[SOURCE, "log"],
        Then::Best("by"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["rust"],
        &[SOURCE],
        Then::Is("avoids=println!/dbg!"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["python"],
        &[SOURCE],
        Then::Is("avoids=print()"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["go"],
        &[SOURCE, "has-functions"],
        Then::Is("avoids=fmt.Print"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        SCRIPTS,
        &[SOURCE],
        Then::Is("avoids=console.log"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["java"],
        &[SOURCE],
        Then::Is("avoids=System.out"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["kotlin"],
        &[SOURCE],
        Then::Is("avoids=println()"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["csharp"],
        &[SOURCE],
        Then::Is("avoids=Console.WriteLine"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["ruby"],
        &[SOURCE],
        Then::Is("avoids=puts"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["php"],
        &[SOURCE],
        Then::Is("avoids=dd()/dump()"),
    ),
    row(
        Category::Logging,
        UnitKind::File,
        &["elixir"],
        &[SOURCE],
        Then::Is("avoids=IO.inspect"),
    ),
    // Construction and configuration.
    row(
        Category::Injection,
        UnitKind::Type,
        &[],
        &["made-by-container"],
        Then::Is("no-injected-fields"),
    ),
    row(
        Category::Injection,
        UnitKind::Type,
        &["java", "typescript", "kotlin"],
        &["mark=Controller"],
        Then::Is("no-injected-fields"),
    ),
    row(
        Category::Injection,
        UnitKind::Function,
        &["php"],
        &[SOURCE, "constructor-with-parameters"],
        Then::Is("promotes"),
    ),
    row(
        Category::Configuration,
        UnitKind::File,
        &["php"],
        &[SOURCE],
        Then::Is("avoids=env()"),
    ),
    row(
        Category::Data,
        UnitKind::File,
        &["php"],
        &[SOURCE],
        Then::Is("avoids=the DB facade"),
    ),
    // Imports.
    row(
        Category::Imports,
        UnitKind::Import,
        &["python"],
        &[SOURCE, "from"],
        Then::Is("one-name"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        &["python"],
        &[SOURCE, "internal"],
        Then::Is("relative"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        &["python"],
        &[SOURCE, "internal"],
        Then::Is("absolute"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        SCRIPTS,
        &[SOURCE, "internal"],
        Then::Is("relative"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        SCRIPTS,
        &[SOURCE, "internal"],
        Then::Best("alias"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        SCRIPTS,
        &[SOURCE, "relative"],
        Then::Is("with-extension"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        SCRIPTS,
        &[SOURCE, "relative"],
        Then::Is("without-extension"),
    ),
    row(
        Category::Imports,
        UnitKind::Import,
        SCRIPTS,
        &["node"],
        Then::Is("node-prefix"),
    ),
    row(
        Category::Imports,
        UnitKind::File,
        &["python"],
        &[SOURCE, "has-functions"],
        Then::Is("future-annotations"),
    ),
    row(
        Category::Imports,
        UnitKind::File,
        &["python"],
        &[SOURCE],
        Then::Is("avoids=import *"),
    ),
    row(
        Category::Imports,
        UnitKind::Line,
        SCRIPTS,
        &[SOURCE, "quoted-import"],
        Then::Best("quotes"),
    ),
    // Structure.
    row(
        Category::Structure,
        UnitKind::File,
        &["rust"],
        &[SOURCE],
        Then::Is("avoids=unsafe"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["go"],
        &[SOURCE, "has-functions"],
        Then::Is("avoids=init()"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        SCRIPTS,
        &[SOURCE],
        Then::Is("avoids=export default"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        SCRIPTS,
        &[SOURCE],
        Then::Is("default-export"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["typescript"],
        &[SOURCE],
        Then::Is("avoids=any"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["typescript"],
        &[SOURCE],
        Then::Is("avoids=enum"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["javascript"],
        &[SOURCE],
        Then::Is("avoids=var"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["python"],
        &[SOURCE],
        Then::Is("avoids=global"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["php"],
        &[SOURCE],
        Then::Is("strict-types"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["ruby"],
        &[],
        Then::Is("frozen-strings"),
    ),
    row(
        Category::Structure,
        UnitKind::File,
        &["csharp"],
        &["has-namespace"],
        Then::Is("file-scoped-namespace"),
    ),
    row(
        Category::Structure,
        UnitKind::Line,
        &[],
        &[SOURCE, "indented"],
        Then::Best("indent"),
    ),
    row(
        Category::Structure,
        UnitKind::Line,
        SCRIPTS,
        &[SOURCE, "filled"],
        Then::Is("no-semicolon"),
    ),
    row(
        Category::Structure,
        UnitKind::Line,
        &[],
        &[SOURCE, "line"],
        Then::Width,
    ),
    row(
        Category::Structure,
        UnitKind::Type,
        &["php", "java", "kotlin"],
        &[SOURCE, "kind=class"],
        Then::Is("word=final"),
    ),
];

pub(super) fn find(project: &Project<'_>) -> Vec<Pattern> {
    let units = &project.units;
    let scopes = scopes(project);
    let mut found = Vec::new();
    for row in ROWS {
        for language in languages(row, units) {
            let given = |area: Option<&str>| {
                let mut given = vec![format!("lang={language}")];
                given.extend(row.given.iter().map(|one| (*one).to_owned()));
                given.extend(area.map(|area| format!("under={area}")));
                given
            };
            let whole = one(project, row, given(None));
            let is_told = whole.as_ref().is_some_and(|one| one.is_shown);
            let n_whole = whole.as_ref().map_or(0, |one| one.applicable);
            found.extend(whole);
            for area in &scopes {
                let part = one(project, row, given(Some(area)));
                // A part that says the same as the whole is told only to who asks for all.
                found.extend(
                    part.filter(|part| part.applicable != n_whole)
                        .map(|part| Pattern {
                            is_shown: part.is_shown && !is_told,
                            ..part
                        }),
                );
            }
        }
    }
    found
}

/// The outermost folders that hold sources, if there are several.
fn scopes(project: &Project<'_>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in project.files {
        if let Some((first, _)) = file.path.as_str().split_once('/') {
            *counts.entry(first).or_default() += 1;
        }
    }
    let mut folders: Vec<(&str, usize)> = counts.into_iter().filter(|(_, n)| *n >= 5).collect();
    folders.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    folders.truncate(8);
    folders.into_iter().map(|(folder, _)| folder.to_owned()).collect()
}

fn languages(row: &Row, units: &Units) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for language in ALL_LANGUAGES {
        let is_meant = row.languages.is_empty() || row.languages.contains(language);
        if is_meant && units.known(&format!("lang={language}")).is_some() {
            found.insert((*language).to_owned());
        }
    }
    found
}

const ALL_LANGUAGES: &[&str] = &[
    "c",
    "cpp",
    "csharp",
    "elixir",
    "go",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "lua",
    "php",
    "python",
    "ruby",
    "rust",
    "scala",
    "swift",
    "typescript",
    "zig",
];

fn one(project: &Project<'_>, row: &Row, given: Vec<String>) -> Option<Pattern> {
    let then = match &row.then {
        Then::Is(then) => (*then).to_owned(),
        Then::Best(family) => best(project, row.unit, &given, family)?,
        Then::Width => width(project, row.unit, &given)?,
    };
    let rule = Rule {
        unit: row.unit,
        given,
        then,
    };
    let counted = project.units.count(&rule);
    let is_enough = counted.applicable >= LEAST_CASES;
    let holds = share(counted.followed, counted.applicable) >= LEAST_SHARE;
    (is_enough && holds).then(|| project.pattern(rule, &counted, row.category))
}

/// The value of a family that most units have; of cases, the one that names of several words decide.
fn best(project: &Project<'_>, unit: UnitKind, given: &[String], family: &str) -> Option<String> {
    let units = &project.units;
    let given: Option<Vec<u32>> = given.iter().map(|one| units.known(one)).collect();
    let given = given?;
    let telling = units.known("telling");
    let mut counts: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for (_, one) in units.of(unit) {
        if !given.iter().all(|feature| one.has(*feature)) {
            continue;
        }
        let tells = telling.is_some_and(|telling| one.has(telling));
        for feature in &one.features {
            let text = units.text(*feature);
            if text
                .strip_prefix(family)
                .is_some_and(|rest| rest.starts_with('='))
            {
                let (told, all) = counts.entry(*feature).or_default();
                *told += if tells || family != "case" { one.weight } else { 0 };
                *all += one.weight;
            }
        }
    }
    let best = counts.into_iter().max_by(|(a, a_counts), (b, b_counts)| {
        a_counts
            .cmp(b_counts)
            .then_with(|| units.text(*b).cmp(units.text(*a)))
    });
    best.filter(|(_, (told, _))| *told > 0)
        .map(|(feature, _)| units.text(feature).to_owned())
}

/// The smallest width that nearly all lines keep.
fn width(project: &Project<'_>, unit: UnitKind, given: &[String]) -> Option<String> {
    WIDTHS.iter().find_map(|width| {
        let rule = Rule {
            unit,
            given: given.to_vec(),
            then: format!("width={width}"),
        };
        let counted = project.units.count(&rule);
        (share(counted.followed, counted.applicable) >= 0.995).then_some(rule.then)
    })
}
