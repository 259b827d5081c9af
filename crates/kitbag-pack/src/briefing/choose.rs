//! Which insights stand in a brief, and in which order.
//!
//! A depth begins with what the depth before it chose and adds to that, so overview ⊂ standard ⊂ deep holds for every input and not only
//! where the shares happen to grow. Within a section an insight that does not fit is passed over and the next is tried.

use std::collections::BTreeSet;

use super::insight::{BriefSection, Depth, Insight};
use super::shares::{most_of, rooms};
use super::weigh::{base_score, weighted};
use crate::score::Intent;

/// What a brief obeys.
#[derive(Clone, Copy)]
pub struct BriefPlan<'p> {
    pub depth: Depth,
    pub intent: Intent,
    /// Tokens that the insights may cost together; a depth takes no more than [`Depth::tokens`].
    pub budget: usize,
    /// Insights that are less certain are left out.
    pub min_confidence: f64,
    /// Only these, if any; what a project is (the header) is always told.
    pub categories: &'p [String],
    /// Tokens of an insight as it is written.
    pub cost: &'p dyn Fn(&Insight) -> usize,
    /// Tokens of a section's heading, paid by its first insight.
    pub heading: &'p dyn Fn(BriefSection) -> usize,
}

/// An insight that stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownInsight {
    pub insight: Insight,
    /// 0 to 1 (ENG-4).
    pub base: f64,
    /// 0 to 2: base × what its category counts for the intent (ENG-3).
    pub score: f64,
    /// Of its own part of the text (PACK-74).
    pub tokens: usize,
    /// Earlier answers of the session that told it; then it is only counted here (ENG-40).
    pub delivered_in: Vec<u32>,
    /// The answer of the session that told it otherwise.
    pub changed_since: Option<u32>,
}

/// After the shares, in this order (ENG-11): half of what is left each, then the rest to the first.
const SURPLUS: [BriefSection; 4] = [
    BriefSection::Patterns,
    BriefSection::Constraints,
    BriefSection::Memories,
    BriefSection::EntryPoints,
];

/// The insights of a brief, section by section, in the order in which they stand there.
pub fn choose_brief(insights: Vec<Insight>, plan: &BriefPlan<'_>) -> Vec<ShownInsight> {
    let ranked = rank(insights, plan);
    let costs: Vec<usize> = ranked.iter().map(|one| (plan.cost)(&one.insight)).collect();
    let mut filling = Filling {
        plan,
        ranked: &ranked,
        costs: &costs,
        taken: vec![false; ranked.len()],
        used: [0; 9],
        n: [0; 9],
    };
    for depth in Depth::ALL.into_iter().filter(|depth| *depth <= plan.depth) {
        filling.fill(depth);
    }
    let Filling { taken, .. } = filling;
    let mut chosen: [Vec<ShownInsight>; 9] = Default::default();
    for ((one, cost), is_in) in ranked.into_iter().zip(costs).zip(taken) {
        if is_in {
            let section = one.insight.section as usize;
            chosen[section].push(ShownInsight { tokens: cost, ..one });
        }
    }
    let in_order = BriefSection::ALL.into_iter().zip(chosen);
    in_order
        .flat_map(|(section, list)| match section.keeps_order() {
            true => list,
            false => ends_first(list),
        })
        .collect()
}

/// Best first within each section; what the plan does not want is gone.
fn rank(insights: Vec<Insight>, plan: &BriefPlan<'_>) -> Vec<ShownInsight> {
    let most = insights.iter().map(|one| one.occurrences).max().unwrap_or(1);
    let is_wanted = |one: &Insight| {
        let is_header = one.section == BriefSection::Header;
        let of_category =
            plan.categories.is_empty() || plan.categories.iter().any(|name| *name == one.category);
        one.confidence >= plan.min_confidence && (is_header || of_category)
    };
    let mut ranked: Vec<ShownInsight> = insights
        .into_iter()
        .filter(is_wanted)
        .map(|insight| ShownInsight {
            base: base_score(&insight, plan.intent, most),
            score: weighted(&insight, plan.intent, most),
            tokens: 0,
            delivered_in: Vec::new(),
            changed_since: None,
            insight,
        })
        .collect();
    // The header is told in the order in which it came.
    ranked.sort_by(|a, b| {
        let of_section = a.insight.section.cmp(&b.insight.section);
        of_section.then_with(|| match a.insight.section.keeps_order() {
            true => std::cmp::Ordering::Equal,
            false => b
                .score
                .total_cmp(&a.score)
                .then_with(|| (&a.insight.place, &a.insight.id).cmp(&(&b.insight.place, &b.insight.id))),
        })
    });
    let mut told = BTreeSet::new();
    ranked.retain(|one| told.insert((one.insight.section, one.insight.id.clone())));
    ranked
}

struct Filling<'f> {
    plan: &'f BriefPlan<'f>,
    ranked: &'f [ShownInsight],
    costs: &'f [usize],
    taken: Vec<bool>,
    /// Tokens and items by section.
    used: [usize; 9],
    n: [usize; 9],
}

impl Filling<'_> {
    fn fill(&mut self, depth: Depth) {
        let total = self.plan.budget.min(depth.tokens());
        let rooms = rooms(depth, self.plan.intent, total);
        for section in BriefSection::ALL {
            let own = rooms[section as usize].saturating_sub(self.used[section as usize]);
            self.take(section, depth, own.min(self.left(total)));
        }
        for section in SURPLUS {
            self.take(section, depth, self.left(total) / 2);
        }
        // The rest is patterns'; what they do not need is for whoever still has something to say (PACK-32).
        self.take(BriefSection::Patterns, depth, self.left(total));
        for section in BriefSection::ALL {
            self.take(section, depth, self.left(total));
        }
    }

    fn left(&self, total: usize) -> usize {
        total.saturating_sub(self.used.iter().sum())
    }

    /// The best of a section that fit into `room`, whole or not at all.
    fn take(&mut self, section: BriefSection, depth: Depth, mut room: usize) {
        let at = section as usize;
        for (idx, one) in self.ranked.iter().enumerate() {
            let is_open = one.insight.section == section && one.insight.from <= depth && !self.taken[idx];
            if !is_open {
                continue;
            }
            if self.n[at] >= most_of(section, depth) {
                return;
            }
            let heading = match self.n[at] {
                0 => (self.plan.heading)(section),
                _ => 0,
            };
            let cost = self.costs[idx] + heading;
            if cost <= room {
                self.taken[idx] = true;
                self.used[at] += cost;
                self.n[at] += 1;
                room -= cost;
            }
        }
    }
}

/// The best first and the second best last, the others between them in their order: readers attend to the ends of a list most
/// (ENG-30).
fn ends_first(mut ranked: Vec<ShownInsight>) -> Vec<ShownInsight> {
    if ranked.len() > 2 {
        let second = ranked.remove(1);
        ranked.push(second);
    }
    ranked
}
