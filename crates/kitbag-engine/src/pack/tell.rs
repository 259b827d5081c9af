//! The brief of a pack (ENG-10 to ENG-12): what is told is gathered by `brief`, chosen by `kitbag-pack`, and measured here as it will be
//! written.

use kitbag_pack::{
    BriefPlan, BriefSection, Depth, Format, Insight, Intent, Item, ShownInsight, Style, brief_text,
    choose_brief,
};
use kitbag_types::RepoPath;

use super::{PackJob, ParsedTask};
use crate::EngineError;
use crate::brief::{self, BriefWish, Briefed, Ground, Missing, facts_of};
use crate::budget::count_until;
use crate::memory::{MemoryQuery, memories_for};
use crate::scope::find;

/// Memories of a brief, by [`Depth`].
const MEMORIES: [usize; 3] = [0, 5, 15];
/// Files and names of a pack that memories are looked for by.
const LOOKED_AT: usize = 12;

/// What a brief tells, in the order of the text.
#[derive(Default)]
pub(super) struct Telling {
    pub told: Vec<ShownInsight>,
    /// What could not be asked.
    pub missing: Vec<Missing>,
    /// The package that it is about.
    pub package: Option<String>,
}

/// The brief of a package or of the repository, which comes before the code. Empty if the pack is a task's.
pub(super) fn first(job: PackJob<'_>, asked: &ParsedTask) -> Result<Telling, EngineError> {
    if !job.brief_first() || !job.wants_brief() {
        return Ok(Telling::default());
    }
    let facts = facts_of(job.engine, job.snapshot);
    let ground = ground(job, &facts);
    let wish = wish(job, asked);
    let mut package = None;
    let briefed = if job.request.map {
        brief::of_repository(ground, wish)?
    } else {
        let known = facts.packages(ground).map(|known| &known.packages);
        let at = match (job.request.packages.first(), known) {
            (Some(wanted), Some(packages)) => Some(find(packages, wanted)?),
            _ => None,
        };
        package = at.and_then(|at| known.map(|packages| packages.list()[at].name.clone()));
        brief::of_package(ground, at, wish)?
    };
    let remembered = match job.request.map {
        true => Ok(Vec::new()),
        false => remembered(job, asked, &[], &[]),
    };
    // The title stands above it; in the worst case every letter of it is escaped.
    let title = 2 * count_until(job.tokenizer, &asked.task, job.request.stop) + 16;
    let budget = asked.budget.saturating_sub(title);
    let mut telling = told(job, asked, briefed, remembered, budget);
    telling.package = package;
    Ok(telling)
}

/// What is told beside the code that a task's pack shows. `used`: tokens that the code takes.
pub(super) fn beside(
    job: PackJob<'_>,
    asked: &ParsedTask,
    shown: &[Item],
    used: usize,
) -> Result<Telling, EngineError> {
    if !job.tells_beside() {
        return Ok(Telling::default());
    }
    let room = room(job, asked, used);
    let facts = facts_of(job.engine, job.snapshot);
    let briefed = brief::of_task(ground(job, &facts), shown, wish(job, asked))?;
    let best = shown.iter().filter(|item| item.piece.is_file).take(LOOKED_AT);
    let files: Vec<String> = best.clone().map(|item| item.piece.path.clone()).collect();
    let symbols: Vec<String> = best.flat_map(|item| item.piece.names.clone()).collect();
    let remembered = remembered(job, asked, &files, &symbols);
    Ok(told(job, asked, briefed, remembered, room))
}

/// Tokens that the brief of a task's pack may take. What the code does not need is the brief's too: surplus goes both ways.
pub(super) fn room(job: PackJob<'_>, asked: &ParsedTask, used: usize) -> usize {
    let share = job.engine.options.packing.brief_share;
    ((asked.budget as f64 * share) as usize).max(asked.budget.saturating_sub(used))
}

fn ground<'g>(job: PackJob<'g>, facts: &'g brief::ProjectFacts) -> Ground<'g> {
    Ground {
        engine: job.engine,
        snapshot: job.snapshot,
        facts,
        now: job.now,
    }
}

fn wish<'w>(job: PackJob<'w>, asked: &'w ParsedTask) -> BriefWish<'w> {
    BriefWish {
        depth: depth_of(job),
        intent: asked.intent,
        with_dependencies: job.request.include_dependencies,
        active: asked.active.as_ref(),
        whole_code: job.request.include_brief == Some(true),
    }
}

/// Memories that concern the task, checked a moment ago (MEM-3). A journal that cannot be read keeps nobody from the code (ENG-70).
fn remembered(
    job: PackJob<'_>,
    asked: &ParsedTask,
    files: &[String],
    symbols: &[String],
) -> Result<Vec<Insight>, Missing> {
    let depth = depth_of(job);
    let query = MemoryQuery {
        user: job.request.user,
        task: &asked.task,
        intent: Some(asked.intent),
        files,
        symbols,
        active: asked.active.as_ref().map(RepoPath::as_str),
        limit: MEMORIES[depth as usize],
        min_confidence: job.request.min_confidence.unwrap_or(0.5),
        ..MemoryQuery::default()
    };
    if query.limit == 0 {
        return Ok(Vec::new());
    }
    let found = memories_for(job.engine, Some(job.snapshot), &query, job.now).map_err(|error| Missing {
        source: "memories",
        reason: error.to_string(),
        fallback: "no memory is told",
    })?;
    let insights = found.iter().map(|memory| {
        let insight = crate::memory::insight(&memory.row, query.active, job.now);
        Insight {
            text: memory.line(),
            // Those that concern the task more come first, as they were found.
            confidence: insight.confidence * memory.relevance,
            ..insight
        }
    });
    Ok(insights.collect())
}

/// With a task, as much as concerns it.
fn depth_of(job: PackJob<'_>) -> Depth {
    job.depth.unwrap_or_default()
}

fn told(
    job: PackJob<'_>,
    asked: &ParsedTask,
    briefed: Briefed,
    remembered: Result<Vec<Insight>, Missing>,
    budget: usize,
) -> Telling {
    let Briefed {
        mut insights,
        mut missing,
    } = briefed;
    match remembered {
        Ok(remembered) => insights.extend(remembered),
        Err(unread) => missing.push(unread),
    }
    let style = Style {
        template: None,
        format: match job.style.template {
            Some(_) => Format::Markdown,
            None => job.style.format,
        },
        line_numbers: false,
    };
    let count = |text: &str| count_until(job.tokenizer, text, job.request.stop);
    let bare = count(&brief_text(&[], &style));
    let alone = |insight: &Insight| count(&brief_text(&[unweighed(insight)], &style)).saturating_sub(bare);
    let headings: Vec<usize> = BriefSection::ALL
        .iter()
        .map(|section| alone(&probe(*section)))
        .collect();
    let heading = |section: BriefSection| headings[section as usize];
    // Tokens span line breaks, so a part alone may have one less than it adds.
    let cost = |insight: &Insight| alone(insight).saturating_sub(heading(insight.section)) + 3;
    let plan = BriefPlan {
        depth: match job.request.map {
            true => Depth::Deep,
            false => depth_of(job),
        },
        intent: asked.intent,
        budget: budget.saturating_sub(bare),
        min_confidence: job.request.min_confidence.unwrap_or(0.0),
        categories: &job.request.categories,
        cost: &cost,
        heading: &heading,
    };
    Telling {
        told: choose_brief(insights, &plan),
        missing,
        package: None,
    }
}

fn probe(section: BriefSection) -> Insight {
    Insight::new(section, "", String::new(), "x".to_owned())
}

fn unweighed(insight: &Insight) -> ShownInsight {
    ShownInsight {
        insight: insight.clone(),
        base: 0.0,
        score: 0.0,
        tokens: 0,
        delivered_in: Vec::new(),
        changed_since: None,
    }
}

/// Of an insight about a file: whether the pack still shows that file, now that the brief has taken its room.
pub(super) fn concerns(insight: &Insight, items: &[Item]) -> bool {
    let is_shown = |path: &str| items.iter().any(|item| item.piece.path == path);
    // A rule stands in its configuration and a memory where it stands; what is told of a shown file names it.
    match insight.section {
        BriefSection::Guidance => items.iter().any(|item| insight.text.contains(&item.piece.path)),
        BriefSection::DataAccessors => insight.place.as_ref().is_none_or(|place| is_shown(&place.path)),
        _ => true,
    }
}

/// The intent of a pack without a task.
pub(super) const WITHOUT_TASK: Intent = Intent::Understand;
