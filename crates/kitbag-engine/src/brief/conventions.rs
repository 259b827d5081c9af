//! Conventions as insights (INS-1): a line each, with the count that proves it; an example where there is room for one.

use std::collections::BTreeSet;

use kitbag_analyse::patterns::decisions::{DECISIONS_FILE, Decisions, Status};
use kitbag_analyse::patterns::{Category, Layer, Pattern, Project, Source, UnitKind};
use kitbag_pack::{BriefSection, Code, Depth, Insight, InsightPlace};
use kitbag_types::RepoPath;

use super::Ground;
use super::prove::Told;
use crate::{EngineError, code_units};

/// Folders that never import others; more are not read.
const MOST_LAYERS: usize = 5;
const MOST_CHARS: usize = 200;
/// Kinds of features that any file of the project shows, or that say what is not done.
const SEEN: &[&str] = &[
    "avoids",
    "begins",
    "case",
    "ends",
    "named",
    "prefix",
    "suffix",
    "top",
    "without-type",
];
/// Kinds of features of a type or its functions that its base decides.
const DEMANDED: &[&str] = &["first", "method", "returns", "takes"];

/// The conventions of a project that are strong enough to be told.
pub(crate) struct Conventions {
    list: Vec<Convention>,
    layers: Vec<Layer>,
}

pub(crate) struct Convention {
    pub pattern: Pattern,
    is_approved: bool,
    /// Where it applies, followed or not.
    files: BTreeSet<RepoPath>,
    /// The line of its example.
    example: Option<Code>,
}

pub(super) fn read(ground: Ground<'_>) -> Result<Conventions, EngineError> {
    let files = code_units::read(ground.snapshot)?;
    let sources: Vec<Source<'_>> = files.iter().map(code_units::CodeFile::source).collect();
    let project = Project::new(&sources);
    let decisions = decisions(ground);
    let mut list = Vec::new();
    for pattern in project.patterns() {
        let status = decisions.status(&pattern.id);
        let is_told = match status {
            Status::Approved => true,
            Status::Ignored => false,
            Status::Discovered => pattern.is_shown,
        };
        if !is_told {
            continue;
        }
        list.push(Convention {
            is_approved: status == Status::Approved,
            files: project.files_of(&pattern.rule),
            example: example(&sources, &pattern),
            pattern,
        });
    }
    Ok(Conventions {
        list,
        layers: project.layers(),
    })
}

fn decisions(ground: Ground<'_>) -> Decisions {
    let path = RepoPath::new(DECISIONS_FILE).ok();
    let source = path.and_then(|path| ground.engine.tree.read(&path).ok());
    source
        .and_then(|source| Decisions::read(&source.text).ok())
        .unwrap_or_default()
}

fn example(sources: &[Source<'_>], pattern: &Pattern) -> Option<Code> {
    let site = pattern.example.as_ref()?;
    let at = sources
        .binary_search_by(|source| source.path.cmp(&site.path))
        .ok()?;
    let line = sources[at]
        .text
        .lines()
        .nth((site.line as usize).checked_sub(1)?)?;
    let text: String = line.trim().chars().take(MOST_CHARS).collect();
    (!text.is_empty()).then(|| Code {
        language: sources[at].language.to_owned(),
        text,
    })
}

/// What the weights of ENG-3 call it.
pub(super) fn category(category: Category) -> &'static str {
    match category {
        Category::Api => "api",
        Category::Data => "data",
        Category::Coupling => "coupling",
        Category::ErrorHandling => "error_handling",
        Category::Structure => "architectural",
        Category::Tests => "test_topology",
        Category::Async
        | Category::Configuration
        | Category::Conventions
        | Category::Documentation
        | Category::Imports
        | Category::Injection
        | Category::Logging
        | Category::Naming => "conventions",
    }
}

impl Conventions {
    /// Those that have a case in a file that is asked about.
    pub(super) fn of<'c>(
        &'c self,
        is_asked: &'c dyn Fn(&RepoPath) -> bool,
    ) -> impl Iterator<Item = &'c Convention> {
        self.list.iter().filter(move |one| one.files.iter().any(is_asked))
    }

    /// Folders that keep away from others.
    pub(super) fn layers(&self, is_asked: &dyn Fn(&RepoPath) -> bool) -> Vec<Told> {
        let below = |folder: &str| RepoPath::new(format!("{folder}/x")).is_ok_and(|path| is_asked(&path));
        let asked = self.layers.iter().filter(|layer| below(&layer.from));
        let mut by_folder: Vec<(&Layer, Vec<&str>)> = Vec::new();
        for layer in asked.take(MOST_LAYERS) {
            match by_folder.iter_mut().find(|(known, _)| known.from == layer.from) {
                Some((_, others)) => others.push(&layer.to),
                None => by_folder.push((layer, vec![&layer.to])),
            }
        }
        let told = by_folder.into_iter().map(|(layer, others)| {
            let others = others.join(", ");
            let text = format!(
                "{} never imports {others}: none of its {} imports of other folders",
                layer.from, layer.could
            );
            let id = format!("layer {} {others}", layer.from);
            let mut insight = Insight::new(BriefSection::Patterns, "architectural", id, text);
            insight.from = Depth::Standard;
            insight.occurrences = layer.could;
            Told::new(insight)
        });
        told.collect()
    }
}

impl Convention {
    /// Reading a few lines does not give it: how names are written and lines are laid out is seen at a glance, and a formatter knows.
    /// Nor is it what nobody would do anyway, or what a base class asks for.
    pub(super) fn is_telling(&self) -> bool {
        let pattern = &self.pattern;
        let is_plain = matches!(
            pattern.category,
            Category::Naming | Category::Imports | Category::Documentation
        );
        let family = |feature: &str| feature.split('=').next().unwrap_or_default().to_owned();
        let then = family(&pattern.rule.then);
        let has_base = pattern
            .rule
            .given
            .iter()
            .any(|given| family(given).ends_with("base"));
        let is_demanded = has_base && DEMANDED.contains(&then.as_str());
        !is_plain && pattern.rule.unit != UnitKind::Line && !SEEN.contains(&then.as_str()) && !is_demanded
    }

    pub(super) fn told(&self) -> Told {
        let pattern = &self.pattern;
        let text = format!(
            "{} ({} of {})",
            pattern.statement, pattern.followed, pattern.applicable
        );
        let mut insight = Insight::new(
            BriefSection::Patterns,
            category(pattern.category),
            // Two counts of one sentence, of code and of tests, are one convention.
            format!("pattern {}", pattern.statement),
            text,
        );
        if !self.is_telling() {
            insight.from = Depth::Deep;
        }
        insight.confidence = match self.is_approved {
            true => 1.0,
            false => pattern.confidence(),
        };
        insight.occurrences = pattern.followed;
        let told = Told::new(insight);
        match &pattern.example {
            Some(site) => told.proved_by(&site.path, site.line, Vec::new()),
            None => told,
        }
    }

    /// The line that shows it.
    pub(super) fn shown(&self) -> Option<Told> {
        let site = self.pattern.example.as_ref()?;
        let code = self.example.clone()?;
        let mut one = self.told();
        one.insight.id = format!("example {}", self.pattern.id);
        one.insight.section = BriefSection::Examples;
        one.insight.text = self.pattern.name.clone();
        one.insight.place = Some(InsightPlace {
            path: site.path.to_string(),
            line: site.line,
        });
        one.insight.code = Some(code);
        one.insight.from = Depth::Deep;
        Some(one)
    }
}
