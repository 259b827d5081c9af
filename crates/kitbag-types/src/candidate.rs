//! A candidate: a chunk somebody found, and why. Reasons travel with it to the very end, so that provenance and
//! `--explain` are the same data.

/// One factor of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// A name documented in `kitbag_rank::tuning`.
    pub factor: &'static str,
    pub value: f64,
}

/// `id` is whatever the caller tells chunks apart by; ranking only compares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<Id> {
    pub id: Id,
    pub score: f64,
    pub reasons: Vec<Reason>,
}
