//! A candidate: a chunk somebody found, and why. Reasons travel with it to the very end, so that provenance and
//! `--explain` are the same data.

/// One factor of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// A name documented in `kitbag_rank::tuning`.
    pub factor: &'static str,
    pub value: f64,
}

/// `chunk` is whatever the caller tells chunks apart by; ranking only compares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<Chunk> {
    pub chunk: Chunk,
    pub score: f64,
    /// Names of the providers that found it, sorted.
    pub found_by: Vec<&'static str>,
    /// What the score was multiplied by because better chunks of the same file come first; 1 for the best of a file.
    pub damping: f64,
    /// Only told, never read back: what decides is in the fields above.
    pub reasons: Vec<Reason>,
}
