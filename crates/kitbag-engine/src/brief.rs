//! What a pack tells about the project beside its code (ENG-6, INS-9, INS-12): facts that the index and the files hold become insights,
//! each proved against the working tree; `kitbag-pack` chooses among them and writes them.
//!
//! Two uses. A *package* pack, and the map of a repository, is the brief: what it is, what it is built with, its rules, where it is entered,
//! where to start (`package.rs`). In a *task's* pack a fact must concern a file that the pack shows, and must not be seen there
//! (`task.rs`). Facts are read once for a state of the index (`facts.rs`); a part that cannot be read is missed and told
//! as a warning, never as an error (ENG-70).

mod commands;
mod conventions;
mod coupling;
mod entries;
mod facts;
mod files;
mod package;
mod prove;
mod readme;
mod rules;
mod task;

use kitbag_analyse::packages::Packages;
use kitbag_pack::{Depth, Insight, Intent, Item};
use kitbag_store::Snapshot;
use kitbag_types::{RepoPath, Timestamp};

use crate::{Engine, EngineError};
pub(crate) use facts::{Missing, ProjectFacts, facts_of};
use prove::Told;

/// What a brief is asked for.
#[derive(Clone, Copy)]
pub(crate) struct BriefWish<'w> {
    pub depth: Depth,
    pub intent: Intent,
    /// Also what is known of the packages that this one depends on.
    pub with_dependencies: bool,
    /// The file that the person works on.
    pub active: Option<&'w RepoPath>,
    /// Also what is known only after all code was looked at: conventions and entry points. A task's pack has it when asked: a process
    /// that answers one question would take longer for it than for the rest of the answer.
    pub whole_code: bool,
}

/// What a brief is made from.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'g> {
    pub engine: &'g Engine,
    pub snapshot: &'g Snapshot<'g>,
    pub facts: &'g ProjectFacts,
    pub now: Timestamp,
}

/// Insights that are true, and the parts that could not be asked.
pub(crate) struct Briefed {
    pub insights: Vec<Insight>,
    pub missing: Vec<Missing>,
}

/// What is worth knowing of a package; `None`: of the repository.
pub(crate) fn of_package(
    ground: Ground<'_>,
    package: Option<usize>,
    wish: BriefWish<'_>,
) -> Result<Briefed, EngineError> {
    let told = package::insights(ground, package, wish)?;
    finished(ground, told, wish)
}

/// The repository on one page (CLI-6): its packages, where it is entered, its key files with their signatures.
pub(crate) fn of_repository(ground: Ground<'_>, wish: BriefWish<'_>) -> Result<Briefed, EngineError> {
    let told = package::map(ground)?;
    finished(ground, told, wish)
}

/// What concerns the files that a task's pack shows, and is not seen there.
pub(crate) fn of_task(
    ground: Ground<'_>,
    shown: &[Item],
    wish: BriefWish<'_>,
) -> Result<Briefed, EngineError> {
    let told = task::insights(ground, shown, wish)?;
    finished(ground, told, wish)
}

fn finished(ground: Ground<'_>, told: Vec<Told>, wish: BriefWish<'_>) -> Result<Briefed, EngineError> {
    let mut insights = prove::proved(ground, told)?;
    let packages = ground.facts.packages(ground).map(|known| &known.packages);
    for insight in &mut insights {
        let path = insight.place.as_ref().map(|place| place.path.as_str());
        let same_package = same_package(packages, wish.active, path);
        insight.nearness = kitbag_pack::proximity(wish.active.map(RepoPath::as_str), path, same_package);
        insight.days = path.and_then(|path| days_since(ground, path));
    }
    Ok(Briefed {
        insights,
        missing: ground.facts.missing(),
    })
}

fn same_package(packages: Option<&Packages>, active: Option<&RepoPath>, path: Option<&str>) -> bool {
    let (Some(packages), Some(active), Some(path)) = (packages, active, path) else {
        return false;
    };
    let there = RepoPath::new(path).ok().and_then(|path| packages.of_file(&path));
    there.is_some() && packages.of_file(active) == there
}

/// Since the last commit that touched a file, as far as the index knows.
fn days_since(ground: Ground<'_>, path: &str) -> Option<f64> {
    let path = RepoPath::new(path).ok()?;
    let at = ground.snapshot.touched_at(&path).ok().flatten()?;
    Some((ground.now.0 - at).max(0) as f64 / 86_400_000.0)
}
