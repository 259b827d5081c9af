//! What `pack` answers: the reply as every door shows it, and how items become its rows. `docs/pack.schema.json` says the same.

use std::collections::BTreeMap;

use kitbag_pack::{
    BriefSection, Excluded, ExcludedReason, Item, Like, Pack, SeenBefore, ShownInsight, priority,
};
use kitbag_types::LineRange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::window_warning;
use super::freshness::PackFreshness;
use crate::api::{IndexState, Matched};
use crate::cut::content_hash;
use crate::matched::rounded;
use crate::pack::{MadePack, PackJob, hex};
use crate::session::Delivery;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackReply {
    pub text: String,
    pub tokens: usize,
    pub budget: usize,
    pub tokenizer: String,
    /// False: `tokens` is an over-estimate.
    pub exact: bool,
    pub task: String,
    pub intent: String,
    /// The intent was guessed from the task.
    pub intent_inferred: bool,
    /// Stands for the text: the same text has the same id.
    #[serde(default)]
    pub context_id: String,
    /// How much is told (ENG-10).
    #[serde(default)]
    pub depth: String,
    /// How far the question reached, if that was said.
    #[serde(default)]
    pub scope: Option<String>,
    /// The package that it is about, if it is about one.
    #[serde(default)]
    pub package: Option<String>,
    /// What is told beside the code (ENG-6).
    #[serde(default)]
    pub brief: PackBrief,
    /// How old what it is made from is (ENG-50).
    #[serde(default)]
    pub freshness: PackFreshness,
    /// It was made for an earlier request, and nothing has changed since (ENG-60).
    #[serde(default)]
    pub cache_hit: bool,
    /// The sum of the stages of `timings_ms`.
    #[serde(default)]
    pub generation_ms: f64,
    /// What each part of a score counted.
    pub weights: PackWeights,
    pub format: String,
    /// How well the best of what was found matches the task at all.
    #[serde(rename = "match", default)]
    pub matched: Matched,
    /// How much of the project could be searched.
    #[serde(default)]
    pub index: IndexState,
    pub items: Vec<PackItem>,
    /// What was left out, with the reason: everything if the request says `explain`, else what was handed in and could not be used.
    pub excluded: Vec<PackExcluded>,
    /// Tokens by section, with `frame` for what belongs to none; they sum to `tokens` (PACK-74).
    pub sections: BTreeMap<String, usize>,
    /// Tokens of everything that is not an item's own: headings, citations, fences, hints.
    #[serde(default)]
    pub frame_tokens: usize,
    /// Every candidate is in, in full: a larger budget would change nothing (PACK-33).
    #[serde(default)]
    pub candidates_ran_out: bool,
    pub suggested_next_queries: Vec<String>,
    pub missing_context_hints: Vec<String>,
    pub warnings: Vec<PackWarning>,
    /// What the session made of it, if there is one.
    pub session: Option<PackSession>,
    pub stats: PackStats,
    /// By stage. `providers.NAME` is what a provider took of `retrieve`, in processor time.
    pub timings_ms: BTreeMap<String, f64>,
}

impl PackReply {
    /// Neither code nor anything about it.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.brief.counts.is_empty()
    }
}

/// What is told about the project, in the order of the text (ENG-30): the best of a section first, the second best last.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackBrief {
    pub header: Vec<PackInsight>,
    pub constraints: Vec<PackInsight>,
    pub patterns: Vec<PackInsight>,
    pub entry_points: Vec<PackInsight>,
    pub guidance: Vec<PackInsight>,
    pub key_files: Vec<PackInsight>,
    pub data_accessors: Vec<PackInsight>,
    pub examples: Vec<PackInsight>,
    pub memories: Vec<PackInsight>,
    /// How many of each; what is empty is left out.
    pub counts: BTreeMap<String, usize>,
    /// Of all of it.
    pub tokens: usize,
}

/// Something that is told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackInsight {
    pub category: String,
    pub text: String,
    /// Where it can be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    pub occurrences: u64,
    /// 0 to 2: what orders it (ENG-3, ENG-4).
    pub score: f64,
    /// Of its own part of the text.
    pub tokens: usize,
    /// The answers of the session that told it; then it is only counted in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delivered_in: Vec<u32>,
    /// The answer of the session that told it otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<u32>,
}

impl PackBrief {
    fn new(told: &[ShownInsight]) -> Self {
        let mut brief = Self::default();
        for one in told {
            let section = one.insight.section;
            *brief.counts.entry(section.as_str().to_owned()).or_default() += 1;
            brief.tokens += one.tokens;
            let list = match section {
                BriefSection::Header => &mut brief.header,
                BriefSection::Constraints => &mut brief.constraints,
                BriefSection::Patterns => &mut brief.patterns,
                BriefSection::EntryPoints => &mut brief.entry_points,
                BriefSection::Guidance => &mut brief.guidance,
                BriefSection::KeyFiles => &mut brief.key_files,
                BriefSection::DataAccessors => &mut brief.data_accessors,
                BriefSection::Examples => &mut brief.examples,
                BriefSection::Memories => &mut brief.memories,
            };
            list.push(PackInsight::new(one));
        }
        brief
    }
}

impl PackInsight {
    fn new(one: &ShownInsight) -> Self {
        let insight = &one.insight;
        let place = insight.place.as_ref();
        Self {
            category: insight.category.to_string(),
            text: insight.text.clone(),
            path: place.map(|place| place.path.clone()),
            line: place.map(|place| place.line).filter(|line| *line > 0),
            code: insight.code.as_ref().map(|code| code.text.clone()),
            confidence: rounded(insight.confidence),
            occurrences: insight.occurrences,
            score: rounded(one.score),
            tokens: one.tokens,
            delivered_in: one.delivered_in.clone(),
            changed_since: one.changed_since,
        }
    }
}

/// An answer as part of a session (ENG-40).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackSession {
    pub id: String,
    /// The how manyeth it is, from 1. `None`: it does not count, because it was a preview or could not be written down.
    pub answer: Option<u32>,
    /// Items that are named because an earlier answer shows them.
    pub referred: usize,
    /// Items that an earlier answer shows as they no longer are.
    pub changed: usize,
    pub tokens_saved: usize,
    /// To be confirmed by whoever hands the answer over.
    #[serde(skip)]
    pub delivery: Option<Delivery>,
}

/// They sum to 1 (PACK-10).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackWeights {
    pub relevance: f64,
    pub recency: f64,
    pub source: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackItem {
    pub snippet_id: String,
    pub citation: String,
    /// `worktree`, or the commit.
    #[serde(rename = "ref")]
    pub at: String,
    pub path: String,
    /// False: handed in, and `path` is what it was called.
    pub is_file: bool,
    pub line_start: u32,
    pub line_end: u32,
    /// The source lines that stand in the text.
    pub lines_shown: Vec<[u32; 2]>,
    /// Lines before it that stand above it: heads of the definitions that it is in.
    #[serde(default)]
    pub head_lines: Vec<[u32; 2]>,
    /// Lines of it that were asked for.
    #[serde(default)]
    pub asked: Vec<[u32; 2]>,
    /// Part 2 of 3 of a definition that was split is `[2, 3]`.
    #[serde(default)]
    pub part: Option<[u32; 2]>,
    pub section: String,
    pub resolution: String,
    pub truncated: bool,
    pub rank: usize,
    pub score: f64,
    /// Of its own part of the text; with `frame_tokens` they sum to the tokens of the text.
    pub tokens: usize,
    /// Why it is in although something with a better score is not: `asked_for`, `named_by_task`, `handed_in`, `best_of_file`,
    /// `share`, `smaller` or `fitted`.
    #[serde(default)]
    pub ahead: Option<String>,
    pub content_hash: String,
    pub selection_reason: String,
    pub providers: Vec<String>,
    pub source: String,
    pub kind: String,
    pub label: String,
    /// What to know of it, in a few words: `changed 12–14`, `calls next at 30`.
    #[serde(default)]
    pub note: String,
    pub language: String,
    /// Places that hold the same.
    pub copies: Vec<String>,
    /// Places that hold nearly the same.
    #[serde(default)]
    pub like: Vec<PackLike>,
    /// The answers of the session that show it; then it is only named here.
    #[serde(default)]
    pub delivered_in: Vec<u32>,
    /// The answer of the session that shows it as it was before.
    #[serde(default)]
    pub changed_since: Option<u32>,
    pub factors: Vec<PackFactor>,
}

/// A copy with edits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackLike {
    /// `path:10-20`.
    pub place: String,
    /// Of the lines of both, those that both have.
    pub percent: usize,
    /// The lines of that place that the item does not have.
    pub differs: Vec<[u32; 2]>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackFactor {
    pub factor: String,
    pub value: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackExcluded {
    pub path: String,
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub label: String,
    pub reason: String,
    pub detail: String,
    /// `None`: it was never a candidate. So for the next two.
    #[serde(default)]
    pub score: Option<f64>,
    #[serde(default)]
    pub rank: Option<usize>,
    /// Of its whole text.
    #[serde(default)]
    pub tokens: Option<usize>,
}

impl PackExcluded {
    /// It was asked for and could not be used (PACK-2).
    pub fn is_refused(&self) -> bool {
        ["denied", "missing", "binary", "timeout"].contains(&self.reason.as_str())
    }
}

/// A fallback that was used (ENG-71).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackWarning {
    pub source: String,
    pub reason: String,
    pub fallback: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackStats {
    pub candidates: usize,
    pub items: usize,
    pub files: usize,
    /// Items by resolution, excluded by reason, tokens by source.
    pub by_resolution: BTreeMap<String, usize>,
    pub by_reason: BTreeMap<String, usize>,
    pub by_source: BTreeMap<String, usize>,
    /// Used share of the budget, 0 to 1.
    pub utilisation: f64,
    /// Tokens of duplicates and overlaps that were left out.
    pub tokens_saved: usize,
    /// Files that changed since they were indexed and were read again.
    pub changed_files: Vec<String>,
}

/// What a pack is to whoever asked for it. The session and the times are the caller's.
pub(super) fn reply_of(job: PackJob<'_>, made: MadePack, mut warnings: Vec<PackWarning>) -> PackReply {
    let PackJob { request, style, .. } = job;
    let MadePack {
        packed,
        asked,
        options,
        ..
    } = made;
    let percent = job.engine.options.packing.warn_threshold_percent;
    warnings.extend(window_warning(request, packed.tokens, percent));
    let items: Vec<PackItem> = packed
        .items
        .iter()
        .map(|item| pack_item(item, &options.priorities))
        .collect();
    let mut sections = BTreeMap::new();
    for item in &items {
        *sections.entry(item.section.clone()).or_insert(0) += item.tokens;
    }
    for one in packed.brief.iter().filter(|one| one.tokens > 0) {
        let section = one.insight.section.as_str();
        *sections.entry(section.to_owned()).or_insert(0) += one.tokens;
    }
    if packed.frame_tokens > 0 {
        sections.insert(FRAME.to_owned(), packed.frame_tokens);
    }
    PackReply {
        stats: stats(&packed, made.n_candidates, asked.budget, made.changed_files),
        tokens: packed.tokens,
        budget: asked.budget,
        tokenizer: job.tokenizer.name().to_owned(),
        exact: job.tokenizer.is_exact(),
        task: asked.task,
        intent: asked.intent.as_str().to_owned(),
        intent_inferred: job.intent.is_none() && !request.task.trim().is_empty(),
        context_id: hex(&content_hash(&packed.text))[..16].to_owned(),
        depth: job.depth.unwrap_or_default().as_str().to_owned(),
        scope: request.scope.map(|scope| scope.as_str().to_owned()),
        package: made.package,
        brief: PackBrief::new(&packed.brief),
        freshness: PackFreshness::default(),
        cache_hit: false,
        generation_ms: 0.0,
        weights: PackWeights {
            relevance: options.weights.relevance,
            recency: options.weights.recency,
            source: options.weights.source,
        },
        format: match request.template {
            Some(_) => "template".to_owned(),
            None => style.format.as_str().to_owned(),
        },
        matched: asked.matched,
        index: asked.index,
        items,
        excluded: packed.excluded.iter().map(pack_excluded).collect(),
        sections,
        frame_tokens: packed.frame_tokens,
        candidates_ran_out: packed.ran_out,
        suggested_next_queries: made.advice.commands,
        missing_context_hints: made.advice.hints,
        warnings,
        session: None,
        timings_ms: BTreeMap::new(),
        text: packed.text,
    }
}

fn pack_item(item: &Item, priorities: &[u32; 6]) -> PackItem {
    let piece = &item.piece;
    let own = [
        ("relevance", piece.relevance),
        ("recency", piece.recency),
        ("source", priority(piece.origin, priorities)),
    ];
    let factors = own
        .into_iter()
        .chain(piece.reasons.iter().map(|reason| (reason.factor, reason.value)))
        .map(|(factor, value)| PackFactor {
            factor: factor.to_owned(),
            value: rounded(value),
        })
        .collect();
    PackItem {
        snippet_id: piece.id.clone(),
        citation: item.citation.clone(),
        at: piece.at.clone(),
        path: piece.path.clone(),
        is_file: piece.is_file,
        line_start: piece.lines.start(),
        line_end: piece.lines.end(),
        lines_shown: pairs(&item.lines),
        head_lines: pairs(&item.head_lines()),
        asked: pairs(&piece.asked),
        part: piece.part.map(|(part, of)| [part, of]),
        section: item.section.as_str().to_owned(),
        resolution: item.resolution.as_str().to_owned(),
        truncated: item.truncated,
        rank: item.rank,
        score: rounded(item.score),
        tokens: item.tokens,
        ahead: item.ahead.map(|ahead| ahead.as_str().to_owned()),
        // Of what it became: pieces that overlapped were merged.
        content_hash: hex(&content_hash(&piece.text)),
        selection_reason: item.why.clone(),
        providers: piece.providers.clone(),
        source: piece.origin.as_str().to_owned(),
        kind: piece.kind.as_str().to_owned(),
        label: piece.label.clone(),
        note: piece.note.clone(),
        language: piece.language.clone(),
        copies: item.copies.clone(),
        like: item.like.iter().map(pack_like).collect(),
        delivered_in: match &item.seen {
            Some(SeenBefore::Delivered { answers, .. }) => answers.clone(),
            _ => Vec::new(),
        },
        changed_since: match item.seen {
            Some(SeenBefore::Changed { since }) if !item.lines.is_empty() => Some(since),
            _ => None,
        },
        factors,
    }
}

fn pairs(lines: &[LineRange]) -> Vec<[u32; 2]> {
    lines.iter().map(|lines| [lines.start(), lines.end()]).collect()
}

fn pack_like(like: &Like) -> PackLike {
    PackLike {
        place: like.place.clone(),
        percent: like.percent,
        differs: pairs(&like.differs),
    }
}

pub(in crate::api) fn pack_excluded(excluded: &Excluded) -> PackExcluded {
    PackExcluded {
        path: excluded.path.clone(),
        line_start: excluded.lines.map(|lines| lines.start()),
        line_end: excluded.lines.map(|lines| lines.end()),
        label: excluded.label.clone(),
        reason: excluded.reason.as_str().to_owned(),
        detail: excluded.detail.clone(),
        score: excluded.score.map(rounded),
        rank: excluded.rank,
        tokens: excluded.tokens,
    }
}

/// What belongs to no item, in sums over items.
const FRAME: &str = "frame";
/// What is told, in sums over sources.
const BRIEF: &str = "brief";

fn stats(packed: &Pack, candidates: usize, budget: usize, changed_files: Vec<String>) -> PackStats {
    let (items, excluded, tokens) = (&packed.items, &packed.excluded, packed.tokens);
    let mut stats = PackStats {
        candidates,
        items: items.len(),
        changed_files,
        utilisation: if budget == 0 {
            0.0
        } else {
            rounded(tokens as f64 / budget as f64)
        },
        ..PackStats::default()
    };
    let mut files: Vec<&str> = items.iter().map(|item| item.piece.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    stats.files = files.len();
    for item in items {
        *stats
            .by_resolution
            .entry(item.resolution.as_str().to_owned())
            .or_insert(0) += 1;
        *stats
            .by_source
            .entry(item.piece.origin.as_str().to_owned())
            .or_insert(0) += item.tokens;
    }
    let of_brief: usize = packed.brief.iter().map(|one| one.tokens).sum();
    if of_brief > 0 {
        stats.by_source.insert(BRIEF.to_owned(), of_brief);
    }
    if packed.frame_tokens > 0 {
        stats.by_source.insert(FRAME.to_owned(), packed.frame_tokens);
    }
    for one in excluded {
        *stats.by_reason.entry(one.reason.as_str().to_owned()).or_insert(0) += 1;
        if matches!(one.reason, ExcludedReason::Duplicate | ExcludedReason::Overlap) {
            stats.tokens_saved += one.tokens.unwrap_or(0);
        }
    }
    stats
}
