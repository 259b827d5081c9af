//! The public requests and replies. Every door speaks these structs; `--json` prints them as they are. Only this module
//! derives `Serialize`: below it, types may change freely.

mod cite;
mod doctor;
mod eval;
mod explain;
mod files;
mod index;
mod jobs;
mod languages;
mod links;
mod live;
mod matched;
mod memory;
mod named;
mod pack;
mod packages;
mod query;
mod saved;
mod search;
mod sources;
mod stats;
mod status;
mod symbol;
mod tokens;
mod usage;
mod verify;
mod watch;

pub use crate::pack::Door;
pub use cite::{CiteReply, CitedSource, cite};
pub use doctor::{DoctorReply, doctor};
pub use eval::{
    EvalAblation, EvalChange, EvalComparison, EvalDifference, EvalFigures, EvalFound, EvalGold, EvalGroup,
    EvalHistory, EvalHistoryRequest, EvalMeasures, EvalMetric, EvalQuery, EvalRequest, EvalResult, EvalRun,
    EvalSummary, EvalTiming, METRICS, compare_evals, eval, eval_history, join_evals,
};
pub use explain::{ExplainReply, explain};
pub use files::{
    CheckFileReply, IndexableCounts, IndexableFile, ListReply, SkippedPath, check_file, count_indexable,
    list_indexable,
};
pub use index::{IndexReply, IndexRequest, index};
pub use jobs::{
    JobFailure, JobReply, LanguagePlan, OpenJob, RebuildEstimate, RebuildOptions, RebuildPlan,
    RebuildRequest, RefreshRequest, cancel_job, create_rebuild, create_refresh, job, jobs, log_job,
    plan_rebuild, run_job,
};
pub use languages::{LanguageReply, languages};
pub use links::{LinkReply, LinkTarget, links};
pub use live::live_search;
pub use matched::Matched;
pub use memory::{
    Memory, RecallReply, RememberReply, RememberRequest, forget, give_feedback, recall, remember,
};
pub use named::{patterns_without_files, unusable_sources};
pub(crate) use pack::tokens_for;
pub use pack::{
    MAX_BUDGET, PackExcluded, PackFactor, PackItem, PackLike, PackReply, PackRequest, PackSession,
    PackSource, PackStats, PackWarning, PackWeights, PackWindow, formats, intents, pack,
};
pub use packages::{
    AffectedPackage, FactPlace, GRAPH_FORMS, ImportedPackage, Package, PackageDependency, PackagesReply,
    PackagesRequest, UndeclaredImport, packages, scope, scopes,
};
pub use query::{QueryReply, QueryRequest, QueryResult, query, render_hits};
pub use saved::{SavedPack, keep_pack, kept_pack, kept_packs, pack_id, update_pack};
pub use search::{Factor, Hit, IndexState, SearchReply, SearchRequest, Whole, index_state, search, switches};
pub(crate) use search::{check_packages, incomplete, index_state_of};
pub use sources::{DiffSource, denied_name, diff_source};
pub use stats::{CentralFile, LanguageStats, StatsReply, project_stats};
pub use status::{FailureReply, SetAsideReply, StatusReply, status};
pub(crate) use symbol::definitions_of;
pub use symbol::{Definition, Member, SymbolReply, SymbolRequest, SymbolTotals, Use, symbol};
pub(crate) use tokens::count_until;
pub use tokens::{TokensReply, count_tokens, models, tokenizer_of};
pub use usage::{
    UsageDay, UsageEntry, UsageLatency, UsageReply, UsageSaving, UsageShare, UsageTop, record, usage_of_pack,
    usage_of_query, usage_of_search, usage_stats,
};
pub use verify::{VerifiedItem, VerifyReply, refresh, verify};
pub use watch::{WatchEvent, WatchUpdate, watch};
