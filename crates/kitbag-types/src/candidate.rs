//! A candidate: a chunk that a provider found, and the reasons. The reasons stay with it until the pack is written, so that
//! the pack and `--explain` report the same data.

/// One factor of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// A name documented in `kitbag_rank::tuning`.
    pub factor: &'static str,
    pub value: f64,
}

/// `chunk` identifies a chunk to the caller; ranking only compares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<Chunk> {
    pub chunk: Chunk,
    pub score: f64,
    /// Names of the providers that found it, sorted.
    pub found_by: Vec<&'static str>,
    /// The factor by which the score was lowered because better chunks of the same file rank above it; 1 for the best chunk
    /// of a file.
    pub damping: f64,
    /// For reports only. No decision reads them; the fields above decide.
    pub reasons: Vec<Reason>,
}
