//! How the tokens of a brief are divided among its sections (ENG-11), and how many items of a section a depth has (ENG-10).

use super::insight::{BriefSection, Depth};
use crate::score::Intent;
use crate::tuning;

/// The share of each section, in the order of [`BriefSection::ALL`]. They sum to 1.
pub fn brief_shares(depth: Depth, intent: Intent) -> [f64; 9] {
    let mut shares = tuning::BRIEF_SHARES[depth as usize];
    let mut give = |from: BriefSection, to: BriefSection, part: f64| {
        shares[from as usize] -= part;
        shares[to as usize] += part;
    };
    let before = tuning::BRIEF_SHARES[depth as usize];
    match intent {
        Intent::SecurityReview => {
            let tenth = before[BriefSection::Patterns as usize] * 0.1;
            give(BriefSection::Patterns, BriefSection::DataAccessors, tenth);
            give(BriefSection::Patterns, BriefSection::Constraints, tenth);
        }
        Intent::FixBug => {
            let fifth = before[BriefSection::EntryPoints as usize] * 0.2;
            give(BriefSection::EntryPoints, BriefSection::Memories, fifth);
        }
        Intent::AddTest => {
            let half = before[BriefSection::DataAccessors as usize] * 0.5;
            give(BriefSection::DataAccessors, BriefSection::Examples, half);
        }
        Intent::Understand | Intent::AddFeature | Intent::Refactor => {}
    }
    shares
}

/// Items of a section that a brief of this depth has at most.
pub fn most_of(section: BriefSection, depth: Depth) -> usize {
    tuning::BRIEF_MOST[section as usize][depth as usize]
}

/// Tokens for each section, together not more than `total`: what rounding leaves is nobody's, and goes with the surplus.
pub(super) fn rooms(depth: Depth, intent: Intent, total: usize) -> [usize; 9] {
    brief_shares(depth, intent).map(|share| (share.max(0.0) * total as f64) as usize)
}
