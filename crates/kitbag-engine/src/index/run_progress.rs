//! How far a run is, over all its phases and in one measure (IDX-41).
//!
//! The measure is bytes of text: files differ by a factor of ten thousand, so a count of files says little about the time that
//! is left. A byte costs more in one phase than in another; each phase is weighed by what a byte of it costs, so that percent
//! and time left hold for the whole run and not only for the phase at hand. They never fall, whatever a phase finds to do that
//! was not foreseen.

use crate::run::{Phase, Progress, Work};

/// What a byte costs, as a share of reading, parsing and storing it; and what a file costs beside its bytes. Vectors of the built-in
/// model took 1.1 times as long as everything before them in a run over 5,657 files with an unoptimised build on a busy machine,
/// and about 0.45 by the release rates of docs/embedding.md and docs/performance.md: this lies between. Not measured on a release build.
const PUBLISHING: f64 = 0.05;
const EMBEDDING: f64 = 0.6;
/// With a model that computes. It is slower than everything else by far; the exact factor changes little.
const SLOW_EMBEDDING: f64 = 100.0;
const FINISHING: f64 = 0.03;
const FILE_BYTES: u64 = 2 << 10;

/// The phases of one run, each with its share of the work.
pub(crate) struct RunProgress {
    /// Indexing, publishing, embedding, finishing.
    weights: [u64; 4],
    furthest: u64,
}

/// What a run has before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkAhead {
    pub n_files: usize,
    /// To read and parse.
    pub bytes: u64,
    /// To make vectors of.
    pub embedded_bytes: u64,
    pub is_slow: bool,
}

impl RunProgress {
    pub(crate) fn new(ahead: WorkAhead) -> Self {
        let indexing = cost(ahead.bytes, ahead.n_files);
        let of = |bytes: u64, share: f64| (bytes as f64 * share) as u64;
        let embedding = if ahead.is_slow { SLOW_EMBEDDING } else { EMBEDDING };
        let weights = [
            indexing,
            of(ahead.bytes, PUBLISHING),
            of(ahead.embedded_bytes, embedding),
            // Never nothing: a run is not over before its end.
            of(indexing, FINISHING).max(1),
        ];
        Self { weights, furthest: 0 }
    }

    /// A step of a phase, which says how far the phase is, as one of the run.
    pub(crate) fn whole<'p>(&mut self, step: Progress<'p>) -> Progress<'p> {
        let place = match step.phase {
            Phase::Waiting | Phase::Scanning => return step,
            Phase::Indexing => 0,
            Phase::Publishing => 1,
            Phase::Embedding => 2,
            Phase::Finishing => 3,
        };
        let before: u64 = self.weights[..place].iter().sum();
        let Work { done, total } = step.work;
        let share = if total == 0 {
            0.0
        } else {
            done as f64 / total as f64
        };
        let here = (self.weights[place] as f64 * share.min(1.0)) as u64;
        self.furthest = self.furthest.max(before + here);
        Progress {
            work: Work {
                done: self.furthest,
                total: self.weights.iter().sum(),
            },
            ..step
        }
    }
}

/// Reading, parsing and storing files, in bytes.
pub(crate) fn cost(bytes: u64, n_files: usize) -> u64 {
    bytes + n_files as u64 * FILE_BYTES
}

#[cfg(test)]
mod tests;
