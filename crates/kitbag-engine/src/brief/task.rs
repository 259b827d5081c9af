//! What a task's pack tells beside its code: little. A fact must be about a file that the pack shows, must not be seen in the lines that are
//! shown, and must be one that reading does not give: who else changes with this file, which request leads here, what a tool will refuse.
//! Where nothing is left, the brief is empty and code gets the room (ENG-12).

use std::collections::BTreeSet;

use kitbag_analyse::constraints::{Enforcement, Kind};
use kitbag_analyse::patterns::Category;
use kitbag_pack::{BriefSection, Depth, Insight, Intent, Item, Resolution};
use kitbag_types::RepoPath;

use super::conventions::Convention;
use super::package::same_stem;
use super::prove::Told;
use super::{BriefWish, Ground, entries, rules};
use crate::EngineError;

/// Files that count as what the task is about: those of the best items.
const FILES: usize = 6;
const COUPLED: usize = 2;
const ENTRIES: usize = 3;
const RULES: usize = 2;
const ACCESSORS: usize = 4;
const HABITS: usize = 2;
/// Conventions that are broken more often do not help anybody who writes.
const LEAST_CONFIDENCE: f64 = 0.9;
/// Files of a project in which code is looked at as a whole for a task.
const MOST_FILES: u64 = 800;

/// The files that the pack shows text of, best first.
struct Shown<'s> {
    items: &'s [Item],
    files: Vec<RepoPath>,
    all: BTreeSet<String>,
}

impl<'s> Shown<'s> {
    fn of(items: &'s [Item]) -> Self {
        let mut files: Vec<RepoPath> = Vec::new();
        let mut all = BTreeSet::new();
        for item in items.iter().filter(|item| item.piece.is_file) {
            all.insert(item.piece.path.clone());
            let is_told = item.resolution > Resolution::Reference && files.len() < FILES;
            let path = RepoPath::new(&item.piece.path).ok().filter(|_| is_told);
            files.extend(path.filter(|path| !files.contains(path)));
        }
        Self { items, files, all }
    }

    /// Whether a line stands in the pack.
    fn has_line(&self, path: &RepoPath, line: u32) -> bool {
        self.items.iter().any(|item| {
            item.piece.path == path.as_str() && item.lines.iter().any(|range| range.contains(line))
        })
    }
}

pub(super) fn insights(
    ground: Ground<'_>,
    items: &[Item],
    wish: BriefWish<'_>,
) -> Result<Vec<Told>, EngineError> {
    let shown = Shown::of(items);
    let mut told = Vec::new();
    if shown.files.is_empty() {
        return Ok(told);
    }
    told.extend(coupled(ground, &shown));
    if wish.intent != Intent::Understand {
        told.extend(hard_rules(ground, &shown));
    }
    if wish.whole_code {
        told.extend(habits(ground, &shown, wish.intent));
        told.extend(leading_here(ground, &shown, wish.intent));
    }
    // A task's brief has one depth: what is told at all is worth telling.
    for one in &mut told {
        one.insight.from = Depth::Overview;
    }
    Ok(told)
}

/// Files that seldom stay as they are when a shown one changes, and that the pack does not show.
fn coupled(ground: Ground<'_>, shown: &Shown<'_>) -> Vec<Told> {
    let Some(history) = ground.facts.history(ground) else {
        return Vec::new();
    };
    let is_asked = |path: &RepoPath| shown.files.contains(path);
    let is_other = |path: &RepoPath| !shown.all.contains(path.as_str());
    let mut told = Vec::new();
    for pair in history.coupled(&is_asked, &is_other) {
        if same_stem(&pair.path, &pair.with) || !matches!(ground.snapshot.file(&pair.with), Ok(Some(_))) {
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
        if told.len() >= COUPLED {
            break;
        }
    }
    told
}

/// What a tool refuses in the files that are shown: settings only, because agents read the documents of a project anyway.
fn hard_rules(ground: Ground<'_>, shown: &Shown<'_>) -> Vec<Told> {
    let all = ground.facts.rules(ground).iter();
    let applying = all.filter(|rule| {
        let is_hard = rule.kind == Kind::Config && rule.enforcement == Enforcement::Error;
        let concerns = |path: &RepoPath| rules::concerns(rule, path.as_str());
        is_hard
            && rules::is_refusal(rule)
            && shown.files.iter().any(concerns)
            && !shown.has_line(&rule.place.path, rule.place.line)
    });
    let mut told = rules::insights(applying);
    // The nearest configuration speaks for a file; of those, the one that says most.
    told.sort_by_key(|one| {
        let folder = one
            .insight
            .place
            .as_ref()
            .map_or(0, |place| place.path.matches('/').count());
        (
            std::cmp::Reverse(folder),
            std::cmp::Reverse(one.insight.occurrences),
            one.insight.id.clone(),
        )
    });
    told.truncate(RULES);
    told
}

/// Conventions of the files that are shown, where reading them does not tell: how names are written is seen at a glance.
fn habits(ground: Ground<'_>, shown: &Shown<'_>, intent: Intent) -> Vec<Told> {
    if intent == Intent::Understand || !is_small(ground) {
        return Vec::new();
    }
    let Some(conventions) = ground.facts.conventions(ground) else {
        return Vec::new();
    };
    let is_asked = |path: &RepoPath| shown.files.contains(path);
    let is_unseen = |one: &&Convention| {
        let pattern = &one.pattern;
        let is_telling = match pattern.category {
            Category::Api
            | Category::Data
            | Category::ErrorHandling
            | Category::Injection
            | Category::Logging => true,
            Category::Tests => intent == Intent::AddTest,
            _ => false,
        };
        let site = pattern.example.as_ref();
        let is_seen = site.is_some_and(|site| shown.has_line(&site.path, site.line));
        is_telling && one.is_telling() && pattern.confidence() >= LEAST_CONFIDENCE && !is_seen
    };
    conventions
        .of(&is_asked)
        .filter(is_unseen)
        .take(HABITS)
        .map(Convention::told)
        .collect()
}

/// Reading all code of a larger project takes longer than the pack does, whatever is kept of it: the next edit makes it old.
fn is_small(ground: Ground<'_>) -> bool {
    ground.snapshot.state().n_files <= MOST_FILES
}

/// Requests, commands and jobs that lead to a definition that is shown, where that is not seen; for a review, the data that is touched.
fn leading_here(ground: Ground<'_>, shown: &Shown<'_>, intent: Intent) -> Vec<Told> {
    if !is_small(ground) {
        return Vec::new();
    }
    let leads_here = |entry: &&kitbag_analyse::entry_points::EntryPoint| {
        let Some(handler) = &entry.handler else {
            return false;
        };
        shown.has_line(&handler.path, handler.line) && !shown.has_line(&entry.path, entry.line)
    };
    let mut told: Vec<Told> = ground
        .facts
        .entries(ground)
        .iter()
        .filter(leads_here)
        .map(entries::point)
        .take(ENTRIES)
        .collect();
    if intent == Intent::SecurityReview {
        let near = ground.facts.accessors(ground).iter().filter(|accessor| {
            let is_sensitive = !accessor.sensitive.is_empty();
            is_sensitive
                && shown.files.contains(&accessor.path)
                && !shown.has_line(&accessor.path, accessor.line)
        });
        told.extend(near.filter_map(entries::accessor).take(ACCESSORS));
    }
    told
}
