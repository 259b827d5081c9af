//! The conventions that have names (INS-1), counted: for each row of the table, in each language, in the whole project and in its outermost folders.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::WIDTHS;
use super::table::{ROWS, Row, Then};
use super::tuning::{LEAST_CASES, LEAST_SHARE};
use super::units::{Rule, UnitKind, Units};
use super::{Pattern, Project, share};

pub(super) fn find(project: &Project<'_>) -> Vec<Pattern> {
    let mut found = counted(project);
    // What holds everywhere need not be told of a part; nor a second width.
    let is_width = |then: &str| then.starts_with("width=");
    let told: Vec<Rule> = found
        .iter()
        .filter(|one| one.is_shown)
        .map(|one| one.rule.clone())
        .collect();
    for one in &mut found {
        let is_wider = |rule: &Rule| {
            rule.unit == one.rule.unit
                && (rule.then == one.rule.then || is_width(&rule.then) && is_width(&one.rule.then))
                && rule.given.len() < one.rule.given.len()
                && rule.given.iter().all(|given| one.rule.given.contains(given))
        };
        one.is_shown = one.is_shown && !told.iter().any(is_wider);
    }
    // `below src` and `within folders named src` may be the same, as may be sources and all files. The widest is kept.
    found.sort_by_key(|one| one.rule.given.len());
    let mut seen: BTreeSet<(UnitKind, String, String, u64, u64)> = BTreeSet::new();
    found.retain(|one| {
        let language = one.rule.given.first().cloned().unwrap_or_default();
        seen.insert((
            one.rule.unit,
            one.rule.then.clone(),
            language,
            one.followed,
            one.applicable,
        ))
    });
    found
}

fn counted(project: &Project<'_>) -> Vec<Pattern> {
    let units = &project.units;
    let scopes = scopes(project);
    let mut found = Vec::new();
    for row in ROWS {
        for language in languages(row, units) {
            let given = |area: Option<&str>| {
                let mut given = vec![format!("lang={language}")];
                given.extend(row.3.split_whitespace().map(str::to_owned));
                given.extend(
                    area.into_iter()
                        .flat_map(str::split_whitespace)
                        .map(str::to_owned),
                );
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
    let mut scopes: Vec<String> = folders
        .into_iter()
        .map(|(folder, _)| format!("under={folder}"))
        .collect();
    let largest: Vec<String> = scopes.iter().take(2).cloned().collect();
    for part in ["src", "lib", "app"] {
        scopes.push(format!("within={part}"));
        scopes.extend(largest.iter().map(|folder| format!("{folder} within={part}")));
    }
    scopes
}

fn languages(row: &Row, units: &Units) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for language in ALL_LANGUAGES {
        let is_meant = row.2.is_empty() || row.2.split(' ').any(|one| one == *language);
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
    let then = match row.4 {
        Then::Is(then) => then.to_owned(),
        Then::Best(family) => best(project, row.1, &given, family)?,
        Then::Width => width(project, row.1, &given)?,
    };
    let rule = Rule {
        unit: row.1,
        given,
        then,
    };
    let counted = project.units.count(&rule);
    let is_enough = counted.applicable >= LEAST_CASES;
    let holds = share(counted.followed, counted.applicable) >= LEAST_SHARE;
    (is_enough && holds).then(|| project.pattern(rule, &counted, row.0))
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
