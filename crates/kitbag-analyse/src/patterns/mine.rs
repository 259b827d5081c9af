//! Conventions that nobody listed: what nearly all members of a group have and others have not. A group is a folder, a base, a mark, the end
//! or beginning of a name, a kind of type; what they may have in common are marks, bases, results, calls, parameters, names,
//! members, imports and companions.

use std::collections::{BTreeMap, BTreeSet};

use super::tuning::{
    FOLDER_GROUPS, MINED_ELSEWHERE, MINED_FILES, MINED_LIFT, MINED_MEMBERS, MINED_MOST, MINED_PER_GROUP,
    MINED_SHARE, SHOWN_BODY_BOUND,
};
use super::units::{Rule, UnitKind, Units};
use super::{Category, Pattern, Project, bound, share};

/// By which families units are grouped, and what is looked for in the groups.
struct Search {
    unit: UnitKind,
    /// Families, separated by spaces.
    groups: &'static str,
    sought: &'static str,
}

const SEARCHES: &[Search] = &[
    Search {
        unit: UnitKind::Type,
        groups: "base mark folder in under suffix kind",
        sought: "base mark suffix method derives word doc private public prefix",
    },
    Search {
        unit: UnitKind::Function,
        groups: "marked type-base type-mark type-suffix folder in under prefix suffix",
        sought: "mark returns takes first calls raises word typed doc prefix suffix public",
    },
    Search {
        unit: UnitKind::Test,
        groups: "folder in under type-base",
        sought: "mark calls first takes word typed type-base type-mark",
    },
    Search {
        unit: UnitKind::File,
        groups: "folder in under ends begins is",
        sought: "imports ends begins has-test has-test-beside default-export use-client strict-types header",
    },
];

fn is_in(families: &str, family: &str) -> bool {
    families.split(' ').any(|one| one == family)
}

/// What was found of one group.
struct Candidate {
    rule: Rule,
    group: u32,
    then: u32,
    followed: u64,
    applicable: u64,
    lift: f64,
    members: Vec<usize>,
}

pub(super) fn find(project: &Project<'_>) -> Vec<Pattern> {
    let mut candidates = Vec::new();
    for search in SEARCHES {
        let by_scope = scopes(&project.units, search.unit);
        for ((language, role), members) in &by_scope {
            candidates.extend(in_scope(project, search, (language, role), members));
        }
    }
    let mut patterns = Vec::new();
    for candidate in chosen(&project.units, candidates) {
        let counted = project.units.count(&candidate.rule);
        let category = category(&candidate.rule);
        let is_of_body = matches!(family(&candidate.rule.then), "calls" | "takes" | "first");
        let is_of_folder = candidate
            .rule
            .given
            .last()
            .is_some_and(|group| is_in(FOLDER_GROUPS, family(group)));
        let is_sure =
            !is_of_folder && (!is_of_body || bound(counted.followed, counted.applicable) >= SHOWN_BODY_BOUND);
        let pattern = project.pattern(candidate.rule, &counted, category);
        patterns.push(Pattern {
            is_mined: true,
            is_shown: pattern.is_shown && is_sure,
            lift: (candidate.lift * 100.0).round() / 100.0,
            ..pattern
        });
    }
    patterns
}

/// The units of a kind, by language and role.
fn scopes(units: &Units, kind: UnitKind) -> BTreeMap<(String, String), Vec<usize>> {
    let mut found: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (idx, unit) in units.of(kind) {
        let of = |family: &str| {
            let texts = unit.features.iter().map(|feature| units.text(*feature));
            texts
                .into_iter()
                .find(|text| text.starts_with(family))
                .unwrap_or_default()
                .to_owned()
        };
        found.entry((of("lang="), of("role="))).or_default().push(idx);
    }
    found
}

fn family(feature: &str) -> &str {
    feature.split_once('=').map_or(feature, |(family, _)| family)
}

fn in_scope(
    project: &Project<'_>,
    search: &Search,
    scope: (&str, &str),
    members: &[usize],
) -> Vec<Candidate> {
    let units = &project.units;
    let mut all: BTreeMap<u32, u64> = BTreeMap::new();
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for idx in members {
        for feature in &units.list[*idx].features {
            let family = family(units.text(*feature));
            if is_in(search.sought, family) {
                *all.entry(*feature).or_default() += 1;
            }
            if is_in(search.groups, family) {
                groups.entry(*feature).or_default().push(*idx);
            }
        }
    }
    let n_all = members.len() as u64;
    let mut found = Vec::new();
    for (group, inside) in &groups {
        let n = inside.len() as u64;
        if n < MINED_MEMBERS || n * 10 > n_all * 8 || n_files(units, inside) < MINED_FILES {
            continue;
        }
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for idx in inside {
            for feature in units.list[*idx]
                .features
                .iter()
                .filter(|one| all.contains_key(one))
            {
                *counts.entry(*feature).or_default() += 1;
            }
        }
        for (then, followed) in counts {
            let elsewhere = share(all[&then] - followed, n_all - n);
            let own = share(followed, n);
            let is_told = own >= MINED_SHARE
                && elsewhere <= MINED_ELSEWHERE
                && own >= MINED_LIFT * share(all[&then], n_all)
                && is_sensible(search.unit, scope, units.text(*group), units.text(then));
            if is_told {
                found.push(Candidate {
                    rule: Rule {
                        unit: search.unit,
                        given: vec![
                            scope.0.to_owned(),
                            scope.1.to_owned(),
                            units.text(*group).to_owned(),
                        ],
                        then: units.text(then).to_owned(),
                    },
                    group: *group,
                    then,
                    followed,
                    applicable: n,
                    lift: own / elsewhere.max(1.0 / n_all as f64),
                    members: inside.clone(),
                });
            }
        }
    }
    found
}

fn n_files(units: &Units, members: &[usize]) -> usize {
    let files: BTreeSet<usize> = members.iter().map(|idx| units.list[*idx].file).collect();
    files.len()
}

/// What follows from the words alone, or from the language, is not worth telling.
fn is_sensible(unit: UnitKind, scope: (&str, &str), group: &str, then: &str) -> bool {
    let value = |feature: &str| {
        feature
            .split_once('=')
            .map_or("", |(_, value)| value)
            .to_lowercase()
    };
    let (of_group, of_then) = (family(group), family(then));
    if of_group == of_then || scope.1 == "role=example" {
        return false;
    }
    let is_name = |family: &str| matches!(family, "prefix" | "suffix" | "ends" | "begins" | "is");
    // Two parts of one name, and names of tests, which hold anything.
    if is_name(of_group)
        && (is_name(of_then) || scope.1 == "role=test" && of_group != "ends" && of_group != "is")
    {
        return false;
    }
    if matches!(then, "prefix=test" | "first=self" | "first=cls") {
        return false;
    }
    // What names have in common by chance: later code does not follow it (measured by `kitbag eval --conventions`).
    let is_chance = matches!(
        of_then,
        "takes" | "first" | "doc" | "public" | "prefix" | "suffix" | "typed"
    );
    if matches!(of_group, "prefix" | "suffix" | "type-suffix") && unit == UnitKind::Function && is_chance {
        return false;
    }
    if unit == UnitKind::Function && matches!(of_then, "doc" | "public") {
        return false;
    }
    // Tests are units of their own, and what their helpers do changes with every test.
    if unit == UnitKind::Function && scope.1 == "role=test" && matches!(of_then, "calls" | "takes" | "first")
    {
        return false;
    }
    // Files of these languages are named after their type, which is told of the type.
    let by_type = matches!(scope.0, "lang=java" | "lang=php" | "lang=csharp" | "lang=kotlin");
    if by_type && of_then == "ends" {
        return false;
    }
    // `marked=get` brings `mark=app.get`.
    !(of_group == "marked" && of_then == "mark" && value(then).ends_with(&value(group)))
}

/// One of those that say the same: the same members and the same feature, or a group inside a group.
fn chosen(units: &Units, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let rank = |one: &Candidate| {
        let family = family(units.text(one.group));
        let order = "base mark marked type-base type-mark suffix type-suffix ends is begins prefix kind folder in under";
        order.split(' ').position(|known| known == family)
    };
    candidates.sort_by(|a, b| {
        (b.followed.cmp(&a.followed))
            .then_with(|| rank(a).cmp(&rank(b)))
            .then_with(|| a.rule.cmp(&b.rule))
    });
    let mut kept: Vec<Candidate> = Vec::new();
    for one in candidates {
        let covered = kept.iter().any(|known| {
            // `imports=a` and `imports=a#B` of the same files say one thing.
            let says_same = known.members == one.members
                && known.followed == one.followed
                && family(&known.rule.then) == family(&one.rule.then);
            known.rule.unit == one.rule.unit
                && (says_same || known.then == one.then && overlaps(&known.members, &one.members))
        });
        let of_group = kept
            .iter()
            .filter(|known| known.group == one.group && known.rule.unit == one.rule.unit);
        // The same members with another feature: a few of them are enough.
        let same = kept
            .iter()
            .filter(|known| known.rule.unit == one.rule.unit && known.members == one.members);
        if !covered && of_group.count() < MINED_PER_GROUP && same.count() < MINED_PER_GROUP {
            kept.push(one);
        }
    }
    kept.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.rule.cmp(&b.rule)));
    kept.truncate(MINED_MOST);
    kept
}

/// Most of one is in the other. Both are sorted.
fn overlaps(larger: &[usize], one: &[usize]) -> bool {
    let shared = one.iter().filter(|idx| larger.binary_search(idx).is_ok()).count();
    shared * 2 > one.len()
}

fn worth(one: &Candidate) -> f64 {
    bound(one.followed, one.applicable) * (one.applicable as f64).ln() * one.lift.ln().clamp(0.5, 4.0)
}

fn category(rule: &Rule) -> Category {
    match (rule.unit, family(&rule.then)) {
        (UnitKind::Test, _) => Category::Tests,
        (_, "suffix" | "prefix" | "ends" | "begins") => Category::Naming,
        (_, "raises" | "catches") => Category::ErrorHandling,
        (_, "imports") => Category::Imports,
        (_, "has-test" | "has-test-beside") => Category::Tests,
        (_, "doc" | "header" | "typed") => Category::Documentation,
        (_, "word") if rule.then == "word=async" => Category::Async,
        (_, "base" | "method") => Category::Structure,
        (_, "returns" | "takes") => Category::Api,
        _ => Category::Conventions,
    }
}
