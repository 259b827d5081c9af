//! What an insight is worth: its own merits (ENG-4), times what its category counts for the task at hand (ENG-3).

use super::insight::Insight;
use crate::score::Intent;
use crate::tuning;

/// How much a category counts for an intent; 1 where nothing is said about it.
pub fn category_weight(intent: Intent, category: &str) -> f64 {
    let row = tuning::CATEGORY_WEIGHTS
        .iter()
        .find(|(name, _)| *name == category);
    row.map_or(1.0, |(_, weights)| weights[intent as usize])
}

/// Whether an intent asks for a category before others.
pub fn is_priority(intent: Intent, category: &str) -> bool {
    category_weight(intent, category) > 1.0
}

/// 0 to 1. `most`: the largest number of occurrences of all insights that are compared.
pub fn base_score(insight: &Insight, intent: Intent, most: u64) -> f64 {
    let category = if is_priority(intent, &insight.category) {
        1.0
    } else {
        0.5
    };
    let recency = insight
        .days
        .map_or(0.0, |days| 1.0 / (1.0 + days.max(0.0) / 30.0));
    let importance = insight.occurrences as f64 / most.max(1) as f64;
    let parts = [
        (0.30, insight.confidence),
        (0.25, category),
        (0.20, insight.nearness),
        (0.15, recency),
        (0.10, importance),
    ];
    let sum: f64 = parts.iter().map(|(weight, part)| weight * share(*part)).sum();
    share(sum)
}

/// 0 to 2: what orders insights.
pub(super) fn weighted(insight: &Insight, intent: Intent, most: u64) -> f64 {
    base_score(insight, intent, most) * category_weight(intent, &insight.category)
}

fn share(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

/// How near a file is to the active one: in its folder, in one above it, in its package, elsewhere (ENG-4).
pub fn proximity(active: Option<&str>, path: Option<&str>, same_package: bool) -> f64 {
    let (Some(active), Some(path)) = (active, path) else {
        return 0.5;
    };
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| format!("{folder}/"))
    };
    let (here, there) = (folder(active), folder(path));
    if here == there {
        1.0
    } else if here.starts_with(&there) {
        0.8
    } else if same_package {
        0.5
    } else {
        0.2
    }
}
