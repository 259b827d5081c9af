//! From a task to a pack in five steps: ask → collect → choose → hint → write. Each is a function of what the one before it
//! gives. The engine asks, collects and hints, because that needs the index; `kitbag-pack` chooses and writes.

mod ask;
mod change;
mod closure;
mod collect;
mod depth;
mod hints;
mod lines;
mod log;
mod past;
mod pieces;
mod sources;
mod steer;
mod tell;
mod titled;

use std::time::Duration;

use kitbag_pack::{Brief, Depth, Intent, Pack, PackOptions, Shares, Style, Weights, choose, write};
use kitbag_store::Snapshot;
use kitbag_tokens::Tokenizer;
use kitbag_types::Timestamp;

use crate::brief::Missing;
use crate::budget::count_until;
use crate::request::PackRequest;
use crate::session::Visit;
use crate::{Engine, EngineError};
use ask::ask;
use collect::collect;
use hints::hint;

pub(crate) use ask::ParsedTask;
pub(crate) use change::{Change, read_change};
pub(crate) use hints::Advice;
pub(crate) use lines::find_focus;
#[cfg(test)]
pub(crate) use pieces::role_of;
pub(crate) use pieces::{hex, id_of};
pub(crate) use sources::{MOST_SOURCES, read_all};

/// A request that was checked, and what it is answered from.
#[derive(Clone, Copy)]
pub(crate) struct PackJob<'j> {
    pub engine: &'j Engine,
    pub snapshot: &'j Snapshot<'j>,
    pub request: &'j PackRequest<'j>,
    pub tokenizer: &'j Tokenizer,
    /// `None`: it is inferred from the task.
    pub intent: Option<Intent>,
    pub depth: Option<Depth>,
    /// By the names of the index.
    pub languages: &'j [String],
    pub style: &'j Style,
    pub clock: &'j (dyn Fn() -> Duration + Sync),
    pub now: Timestamp,
}

impl PackJob<'_> {
    /// A package or the repository is told about; code comes second, if at all (ENG-12).
    pub(crate) fn brief_first(&self) -> bool {
        self.request.task.trim().is_empty() || !self.wants_snippets()
    }

    pub(crate) fn wants_brief(&self) -> bool {
        let packing = &self.engine.options.packing;
        let by_default = self.brief_first() || packing.brief && !self.request.sources_only;
        let is_asked = self.request.include_brief.unwrap_or(by_default);
        is_asked && (self.brief_first() || packing.brief_share > 0.0)
    }

    /// It is a task's pack with a brief.
    fn tells_beside(&self) -> bool {
        !self.brief_first() && self.wants_brief()
    }

    pub(crate) fn wants_snippets(&self) -> bool {
        let has_task = !self.request.task.trim().is_empty();
        self.request.include_snippets.unwrap_or(has_task)
    }
}

/// A pack, and what its steps gave.
pub(crate) struct MadePack {
    pub packed: Pack,
    pub asked: ParsedTask,
    pub options: PackOptions,
    pub advice: Advice,
    pub n_candidates: usize,
    /// Files that changed since they were indexed.
    pub changed_files: Vec<String>,
    /// Parts of the brief that could not be asked.
    pub missing: Vec<Missing>,
    /// The package that the brief is about.
    pub package: Option<String>,
    /// To the session of the request.
    pub visit: Option<Visit>,
}

/// All five steps. `lap` is called when a stage has ended.
pub(crate) fn make(job: PackJob<'_>, lap: &mut dyn FnMut(&str)) -> Result<MadePack, EngineError> {
    let (mut asked, material) = ask(job)?;
    lap("retrieve");
    let collected = collect(job, &asked, material)?;
    lap("collect");
    let n_candidates = collected.pieces.len();
    let options = options(job, &asked);
    let session = job.request.session.as_deref();
    let visit = session.map(|id| Visit::begin(job.engine, id, job.now));
    let first = tell::first(job, &asked)?;
    let (beside, with_brief);
    let brief = Brief {
        task: &asked.task,
        told: &first.told,
        options: &options,
        session: visit.as_ref().map(|visit| visit.session(asked.intent)),
        count: &|text| count_until(job.tokenizer, text, job.request.stop),
        stop: job.request.stop,
    };
    let again = job.tells_beside().then(|| collected.pieces.clone());
    let mut chosen = choose(collected.pieces, brief)?;
    lap("choose");
    // What a task's pack would show decides what is worth telling beside it.
    beside = tell::beside(job, &asked, &chosen.items, chosen.tokens())?;
    lap("brief");
    if let Some(pieces) = again.filter(|_| !beside.told.is_empty()) {
        with_brief = PackOptions {
            brief_tokens: tell::room(job, &asked, chosen.tokens()),
            ..options.clone()
        };
        let brief = Brief {
            told: &beside.told,
            options: &with_brief,
            ..brief
        };
        chosen = choose(pieces, brief)?;
        chosen.tell_only(&tell::concerns)?;
    }
    let advice = hint(job, &asked, &collected.rows, &chosen)?;
    let mut packed = write(chosen, advice.hints.clone())?;
    // Counts after a stop are wrong.
    job.request.stop.check()?;
    lap("pack");
    packed.excluded.splice(0..0, collected.excluded);
    asked.warnings.extend(collected.warnings);
    Ok(MadePack {
        packed,
        asked,
        options,
        advice,
        n_candidates,
        changed_files: collected.changed_files,
        missing: [first.missing, beside.missing].concat(),
        package: first.package,
        visit,
    })
}

fn options(job: PackJob<'_>, asked: &ParsedTask) -> PackOptions {
    let packing = &job.engine.options.packing;
    let intent = asked.intent;
    PackOptions {
        weights: packing.weights.unwrap_or_else(|| Weights::of(intent)),
        priorities: packing.priorities,
        overlap_share: packing.overlap_share,
        ignore_comments: packing.ignore_comments,
        ignore_case: packing.ignore_case,
        balance: packing.balance,
        min_score: packing.min_score,
        note: asked.note(),
        searched_all: asked.is_searched && !asked.matched.is_weak(),
        shares: Shares::of(intent, asked.query.wants_tests, asked.query.wants_docs),
        ..PackOptions::new(asked.budget, job.style.clone())
    }
}
