//! Memories for a task: which concern it, whether the code they speak of still means the same, and in which order they are told
//! (MEM-2, MEM-3).
//!
//! [`memories_for`] is what packs and `recall` ask. A memory is looked at against the code each time before it is served
//! (`check`); a file that has the bytes it had at the last look is not parsed again. `cite` makes citations, `code` is the code
//! as both see it: the working tree, or a commit of the past when histories are replayed.

pub(crate) mod check;
pub(crate) mod cite;
pub(crate) mod code;
pub(crate) mod likeness;
pub(crate) mod nearest;
pub(crate) mod relevance;
mod tree;

use kitbag_pack::{BriefSection, Insight, Intent, base_score, category_weight, proximity};
use kitbag_store::{CitationRow, MemoryRow, Snapshot};
use kitbag_types::Timestamp;

pub(crate) use tree::TreeCode;

use crate::{Engine, EngineError};
use code::Code;
use relevance::{Asked, relevance};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Without a citation nothing can tell that it has become wrong, so it is let go when nobody uses it for this long.
const EXPIRY_DAYS: i64 = 90;
/// Of ENG-3.
const CATEGORY: &str = "memories";
/// Less concerns the task by chance.
const LEAST_RELEVANCE: f64 = 0.2;

/// What the code that a memory cites says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MemoryState {
    /// All of it means the same as then.
    Fresh,
    /// It cites nothing, so nobody can tell.
    Uncited,
    /// Some of it changed or is gone.
    Drifted,
    /// All of it is gone.
    Orphaned,
}

impl MemoryState {
    pub(crate) const ALL: [Self; 4] = [Self::Fresh, Self::Uncited, Self::Drifted, Self::Orphaned];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Uncited => "uncited",
            Self::Drifted => "drifted",
            Self::Orphaned => "orphaned",
        }
    }

    fn of(citations: &[CitationRow]) -> Self {
        let is = |state: Self| move |citation: &CitationRow| citation.state == state.as_str();
        if citations.is_empty() {
            Self::Uncited
        } else if citations.iter().all(is(Self::Orphaned)) {
            Self::Orphaned
        } else if citations.iter().all(is(Self::Fresh)) {
            Self::Fresh
        } else {
            Self::Drifted
        }
    }
}

/// A memory as it is served, checked a moment ago.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ServedMemory {
    pub row: MemoryRow,
    /// Where what it cites is now, each once; where it was, if it is gone.
    pub files: Vec<String>,
    pub state: MemoryState,
    /// A sentence per citation that changed, moved or is gone.
    pub changes: Vec<String>,
    /// ENG-4 times the weight of the intent: 0 to 2.
    pub score: f64,
    /// How much it concerns the task, 0 to 1.
    pub relevance: f64,
}

impl ServedMemory {
    /// `[decision] Prices are in cents. (src/cart.rs)` (MEM-2), with what is wrong with it.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("[{}] {}", self.row.kind, self.row.content);
        if !self.files.is_empty() {
            line.push_str(&format!(" ({})", self.files.join(", ")));
        }
        if matches!(self.state, MemoryState::Drifted | MemoryState::Orphaned) {
            let changes = self.changes.join("; ");
            line.push_str(&format!(" [{}: {changes}]", self.state.as_str()));
        }
        line
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryQuery<'q> {
    /// Who asks; empty if there is one user.
    pub user: &'q str,
    /// Empty: all, whatever they concern.
    pub task: &'q str,
    pub intent: Option<Intent>,
    /// Files that the task or its pack is about, best first.
    pub files: &'q [String],
    /// Names that it is about: `name` or `container::name`.
    pub symbols: &'q [String],
    /// What is being worked on.
    pub active: Option<&'q str>,
    pub limit: usize,
    /// 0.5 unless told.
    pub min_confidence: f64,
    /// Also those whose code is gone.
    pub orphaned: bool,
    pub archived: bool,
}

/// The memories that concern a task, best first, those whose code changed last (MEM-2, MEM-3). Reads the journal, looks at the files
/// that are cited, starts no program.
pub(crate) fn memories_for(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    query: &MemoryQuery<'_>,
    now: Timestamp,
) -> Result<Vec<ServedMemory>, EngineError> {
    let Some(rows) = engine.read_journal(|journal| journal.memories(query.user))? else {
        return Ok(Vec::new());
    };
    let code = TreeCode::new(engine, snapshot);
    let mut served = ranked(engine, rows, query, now);
    let mut checked = Vec::new();
    let mut kept: Vec<ServedMemory> = Vec::new();
    let mut n_drifted = 0;
    for memory in served.drain(..) {
        // Drifted ones come last, so what comes after enough good ones is not looked at.
        if kept.len() - n_drifted >= query.limit {
            break;
        }
        let memory = looked_at(&code, memory, &mut checked);
        if memory.state == MemoryState::Orphaned && !query.orphaned {
            continue;
        }
        n_drifted += usize::from(memory.state >= MemoryState::Drifted);
        kept.push(memory);
    }
    kept.sort_by_key(|memory| memory.state >= MemoryState::Drifted);
    kept.truncate(query.limit);
    if !checked.is_empty() {
        // The next look is quicker for it; a journal that cannot be written does not keep anybody from an answer.
        let _ = engine.journal(|journal| journal.keep_verdicts(&checked));
    }
    Ok(kept)
}

/// A memory that nobody has asked anything about.
pub(crate) fn unchecked(row: MemoryRow, now: Timestamp) -> ServedMemory {
    let most = row.uses.into();
    ServedMemory {
        score: base_score(&insight(&row, None, now), Intent::Understand, most),
        row,
        files: Vec::new(),
        state: MemoryState::Uncited,
        changes: Vec::new(),
        relevance: 1.0,
    }
}

/// One memory, checked now.
pub(crate) fn looked_at(
    code: &dyn Code,
    mut memory: ServedMemory,
    checked: &mut Vec<(i64, Vec<CitationRow>)>,
) -> ServedMemory {
    let citations: Vec<CitationRow> = memory
        .row
        .citations
        .iter()
        .map(|citation| check::checked(code, citation))
        .collect();
    if citations != memory.row.citations {
        checked.push((memory.row.id, citations.clone()));
    }
    memory.state = MemoryState::of(&citations);
    memory.changes = citations.iter().filter_map(check::change).collect();
    memory.files = citations
        .iter()
        .map(|citation| check::place(citation).to_owned())
        .collect();
    memory.files.extend(memory.row.files.iter().cloned());
    let mut seen = std::collections::BTreeSet::new();
    memory.files.retain(|file| seen.insert(file.clone()));
    memory.row.citations = citations;
    memory
}

/// Those that concern the task, best first, not checked yet.
fn ranked(
    engine: &Engine,
    rows: Vec<MemoryRow>,
    query: &MemoryQuery<'_>,
    now: Timestamp,
) -> Vec<ServedMemory> {
    let is_wanted = |row: &MemoryRow| {
        (query.archived || !row.archived) && row.confidence >= query.min_confidence && !is_expired(row, now)
    };
    let rows: Vec<MemoryRow> = rows.into_iter().filter(is_wanted).collect();
    let asked = Asked {
        text: query.task,
        files: query.files,
        symbols: query.symbols,
    };
    let relevances = relevance(engine, &rows, &asked);
    let most_uses = rows.iter().map(|row| row.uses).max().unwrap_or(0);
    let intent = query.intent.unwrap_or(Intent::Understand);
    let mut found: Vec<ServedMemory> = rows
        .into_iter()
        .zip(relevances)
        .filter(|(_, relevance)| *relevance >= LEAST_RELEVANCE)
        .map(|(row, relevance)| ServedMemory {
            score: category_weight(intent, CATEGORY)
                * base_score(&insight(&row, query.active, now), intent, most_uses.into()),
            row,
            files: Vec::new(),
            state: MemoryState::Uncited,
            changes: Vec::new(),
            relevance,
        })
        .collect();
    found.sort_by(|a, b| {
        let by_both = (b.score * b.relevance).total_cmp(&(a.score * a.relevance));
        by_both.then(b.row.id.cmp(&a.row.id))
    });
    found
}

/// What ENG-4 weighs: its uses are its importance, its last use is its age.
pub(crate) fn insight(row: &MemoryRow, active: Option<&str>, now: Timestamp) -> Insight {
    let cited = row.citations.iter().map(check::place);
    let files = cited.chain(row.files.iter().map(String::as_str));
    let nearness = files
        .map(|file| proximity(active, Some(file), false))
        .fold(None, |best, near| {
            Some(best.map_or(near, |best: f64| best.max(near)))
        });
    Insight {
        confidence: row.confidence,
        occurrences: row.uses.into(),
        days: Some((now.0 - row.last_used.0).max(0) as f64 / DAY_MS as f64),
        nearness: nearness.unwrap_or_else(|| proximity(active, None, false)),
        ..Insight::new(
            BriefSection::Memories,
            CATEGORY,
            format!("memory:{}", row.id),
            row.content.clone(),
        )
    }
}

pub(crate) fn is_expired(row: &MemoryRow, now: Timestamp) -> bool {
    let last = row.last_used.max(row.created);
    row.citations.is_empty() && now.0.saturating_sub(last.0) > EXPIRY_DAYS * DAY_MS
}
