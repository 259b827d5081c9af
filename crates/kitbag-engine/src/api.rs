//! The public requests and replies. Every door speaks these structs; `--json` prints them as they are. Types
//! that derive `Serialize` stand here, or in `request`, `index_state` and `matched`, which this module shows; all others may change freely.

mod add_text;
mod agents_md;
mod all_places;
mod check_docs;
mod cite;
mod constraints;
mod covering;
mod doctor;
mod eval;
mod explain;
mod feedback;
mod files;
mod from_index;
mod guidance;
mod history;
mod index;
mod insights;
mod jobs;
mod key_files;
mod languages;
mod links;
mod live;
mod memory;
mod named;
mod pack;
mod packages;
mod past_reply;
mod patterns;
mod query;
mod related;
mod saved;
mod search;
mod sources;
mod stats;
mod status;
mod symbol;
mod thread;
mod tokens;
mod usage;
mod verify;
mod watch;

pub use crate::door::Door;
pub use crate::index_state::{IndexState, index_state, whole_index};
pub use crate::matched::Matched;
pub use crate::providers::switches;
pub use crate::request::{
    MAX_BUDGET, PackRequest, PackSource, PackWindow, categories, depths, formats, intents,
};
pub use crate::scope::scopes;
pub use add_text::{AddTextReply, AddTextRequest, add_text, drop_text};
pub use agents_md::{AgentsMdReply, AgentsMdRequest, agents_md};
pub use all_places::{AllPlaces, FilePlaces, LeftOut, PlaceLine};
pub use check_docs::{CheckDocsReply, CheckDocsRequest, CheckedClaims, DocFinding, check_docs};
pub use cite::{CiteReply, CitedSource, cite};
pub use constraints::{ConstraintFact, ConstraintsReply, ConstraintsRequest, constraint_kinds, constraints};
pub use covering::{CoveringTest, TestCase, TestedPlace, TestsReply, TestsRequest, tests};
pub use doctor::{DoctorReply, doctor};
pub use eval::{
    ConventionResult, ConventionStep, EvalAblation, EvalChange, EvalComparison, EvalConventions,
    EvalConventionsRequest, EvalDifference, EvalEdits, EvalFigures, EvalFound, EvalGold, EvalGroup,
    EvalHistory, EvalHistoryRequest, EvalMeasures, EvalMemories, EvalMemoriesRequest, EvalMetric, EvalQuery,
    EvalReplayCase, EvalRequest, EvalResult, EvalRun, EvalSummary, EvalTiming, METRICS, compare_evals, eval,
    eval_conventions, eval_history, eval_memories, join_evals,
};
pub use explain::{ExplainReply, explain};
pub use feedback::{
    FeedbackInfluence, FeedbackList, FeedbackReply, FeedbackRequest, GivenFeedback, count_cited, feedback,
    give_feedback, undo_feedback,
};
pub use files::{
    CheckFileReply, IndexableCounts, IndexableFile, ListReply, SkippedPath, check_file, count_indexable,
    list_indexable,
};
pub use guidance::{Guidance, GuidanceFile, GuidanceRequest, guidance};
pub use history::{HistoryRequest, history};
pub use index::{IndexReply, IndexRequest, index};
pub use insights::{
    DataAccessReply, DataAccessor, EntryHandler, EntryPoint, EntryPointsReply, HiddenEntryPoints,
    InsightsRequest, data_access, entry_points,
};
pub use jobs::{
    JobFailure, JobReply, LanguagePlan, OpenJob, RebuildEstimate, RebuildOptions, RebuildPlan,
    RebuildRequest, RefreshRequest, cancel_job, create_rebuild, create_refresh, job, jobs, log_job,
    plan_rebuild, run_job,
};
pub use key_files::{ChangedTogether, KeyFile, KeyFilesReply, KeyFilesRequest, RecentChange, key_files};
pub use languages::{LanguageReply, languages};
pub use links::{LinkReply, LinkTarget, links};
pub use live::live_search;
pub use memory::{
    CheckMemoriesReply, CheckedMemory, Citation, ExportMemoriesReply, ImportMemoriesReply,
    ImportMemoriesRequest, ImportedMemory, LikeMemory, Memory, MemoryKind, MergeMemoriesReply,
    MergeMemoriesRequest, NearestSymbol, RecallReply, RecallRequest, RememberReply, RememberRequest,
    archive_memory, check_memories, export_memories, forget, import_memories, memory_states, merge_memories,
    recall, remember,
};
pub use named::{patterns_without_files, unusable_sources};
pub use pack::{
    DataAge, PackBrief, PackExcluded, PackFactor, PackFreshness, PackInsight, PackItem, PackLike, PackReply,
    PackSession, PackStats, PackWarning, PackWeights, pack,
};
pub use packages::{
    AffectedPackage, FactPlace, GRAPH_FORMS, ImportedPackage, Package, PackageDependency, PackagesReply,
    PackagesRequest, UndeclaredImport, packages, scope,
};
pub use past_reply::{
    Author, Blame, ChangedFile, ChangedLines, ChangesWith, HistoryPlace, HistoryReply, PastCommit,
};
pub use patterns::{
    DecideReply, DecideRequest, Pattern, PatternLayer, PatternSite, PatternsReply, PatternsRequest,
    decide_patterns, pattern_categories, patterns,
};
pub use query::{QueryReply, QueryRequest, QueryResult, query, render_hits};
pub use related::{RelatedPlace, RelatedReply, RelatedRequest, related};
pub use saved::{SavedPack, keep_pack, kept_pack, kept_packs, pack_id, update_pack};
pub use search::{Factor, Hit, MAX_TOP, SearchReply, SearchRequest, Whole, search};
pub use sources::denied_name;
pub use stats::{CentralFile, LanguageStats, StatsReply, project_stats};
pub use status::{FailureReply, SetAsideReply, StatusReply, status};
pub use symbol::{Definition, Member, SymbolReply, SymbolRequest, SymbolTotals, Use, symbol};
pub use thread::{
    AppendRequest, BuildReply, BuildRequest, SYSTEM_TOKENS, THREAD_TOKENS, ThreadItem, ThreadMessage,
    ThreadReply, append_to_thread, build_for_thread, delete_thread, thread, threads,
};
pub use tokens::{TokensReply, count_tokens, models, tokenizer_of};
pub use usage::{
    UsageDay, UsageEntry, UsageLatency, UsageReply, UsageSaving, UsageShare, UsageTop, record, usage_of_pack,
    usage_of_query, usage_of_search, usage_stats,
};
pub use verify::{VerifiedItem, VerifyReply, refresh, verify};
pub use watch::{WatchEvent, WatchUpdate, watch};
