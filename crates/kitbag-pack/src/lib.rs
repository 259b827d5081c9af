//! Pieces of source and a budget in, a pack out: scored, without repeats, chosen, written, and never one token over.
//!
//! Pure: the tokenizer is an argument, and so is every fact about a piece. Every resolution of a piece is a set of its
//! lines, so every line that a pack shows has the number that it has in the file, and the gaps between them can be computed.
//! Formats write what was chosen and never choose.
//!
//! Read [`choose`] and [`write()`] first: they are the whole pipeline. Then [`Piece`] (what comes in), `select` (what stays, at which
//! resolution), `settle` (how the finished text is made to fit), `format` (how it looks).

mod brief;
mod briefing;
mod cite;
mod dedup;
mod format;
mod item;
mod listing;
mod outline;
mod pack;
mod piece;
mod score;
mod section;
mod select;
mod session;
mod settle;
#[cfg(test)]
mod tests;
pub mod tuning;

pub use brief::{Brief, Pack, PackError, PackOptions};
pub use briefing::{
    BriefPlan, BriefSection, Code, Depth, Insight, InsightPlace, ShownInsight, base_score, brief_shares,
    category_weight, choose_brief, is_priority, most_of, proximity,
};
pub use cite::{citations_in, prefix_of};
pub use format::json::quoted as json_quoted;
pub use format::{BadTemplate, Format, Style, Template, brief_text, clean_text};
pub use item::{Ahead, Excluded, ExcludedReason, Item, Like};
pub use listing::{Entry, ListOptions, Listing, list};
pub use outline::lines_in;
pub use pack::{Chosen, choose, write};
pub use piece::{Origin, Piece, Resolution, Role};
pub use score::{Intent, Weights, coverage, priority, recency};
pub use section::{Section, Shares};
pub use session::{BRIEF_PATH, Delivered, SeenBefore, Session, insight_hash, runs_of};
