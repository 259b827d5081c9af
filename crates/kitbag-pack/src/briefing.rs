//! The brief of a pack: facts about a project, its packages and its rules that the code shown does not say (ENG-3, ENG-4, ENG-10, ENG-11,
//! ENG-30).
//!
//! Insights come in as plain data, each one line that is proved; out comes the list that stands in the text, in order. Patterns, memories
//! and whatever is found out next are insights like the others: a section, a category and what speaks for it. Nothing is read here
//! and no insight is changed: one is shown whole or not at all.
//!
//! Read [`choose_brief`] first: weighed by what the task wants (`weigh.rs`), then the best of each section within its share
//! (`shares.rs`), one depth on top of the other, so that a deeper brief says all that a shallower one does.

mod choose;
mod insight;
mod shares;
mod weigh;

pub use choose::{BriefPlan, ShownInsight, choose_brief};
pub use insight::{BriefSection, Code, Depth, Insight, InsightPlace};
pub use shares::{brief_shares, most_of};
pub use weigh::{base_score, category_weight, is_priority, proximity};
