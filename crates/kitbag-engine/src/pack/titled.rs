//! Ranks a long text and its title separately, and fuses the two. The body of an issue has as many misleading words (logs, the
//! reporter's machine, what was tried) as useful ones; its title says in one line what is wrong. What both find is most likely meant.

use std::collections::BTreeMap;

use kitbag_rank::tuning::Group;
use kitbag_types::{Query, Reason};

use crate::conventions::analyse;
use crate::engine::Candidate;

/// Weight of the ranking by the title alone; the whole text has the rest. Measured in docs/quality.md.
const TITLE_SHARE: f64 = 0.3;
/// A title with fewer significant words is not ranked separately.
const LEAST_WORDS: usize = 2;

/// The title of a long text as a question of its own.
pub(super) fn title_of(query: &Query) -> Option<Query> {
    let is_text = Group::of(query) == Group::Text;
    let has_title = query.title.text.len() < query.text.trim().len();
    let tells = query.title.keywords.len() >= LEAST_WORDS;
    (is_text && has_title && tells).then(|| analyse(&query.title.text))
}

/// One list of both, the best first. Further chunks of a file are not lowered.
pub(super) fn fuse(whole: Vec<Candidate>, title: Vec<Candidate>) -> Vec<Candidate> {
    let mut fused: BTreeMap<_, Candidate> = BTreeMap::new();
    for (list, share) in [(whole, 1.0 - TITLE_SHARE), (title, TITLE_SHARE)] {
        let undamped = |hit: &Candidate| hit.score / hit.damping;
        let best = list.iter().map(undamped).fold(0.0, f64::max);
        for mut hit in list.into_iter().filter(|_| best > 0.0) {
            hit.score = share * undamped(&hit) / best;
            hit.damping = 1.0;
            match fused.get_mut(&hit.chunk.at) {
                None => {
                    fused.insert(hit.chunk.at, hit);
                }
                Some(known) => {
                    known.score += hit.score;
                    let new = hit.found_by.iter().filter(|name| !known.found_by.contains(name));
                    let new: Vec<&'static str> = new.copied().collect();
                    known.found_by.extend(new);
                    known.reasons.push(Reason {
                        factor: "title",
                        value: known.score / (known.score - hit.score),
                    });
                }
            }
        }
    }
    let mut fused: Vec<Candidate> = fused.into_values().collect();
    fused.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score
            .then_with(|| a.chunk.path.cmp(&b.chunk.path))
            .then_with(|| a.chunk.lines.cmp(&b.chunk.lines))
    });
    fused
}
