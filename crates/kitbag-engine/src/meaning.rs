//! How near every chunk is to a question, by their vectors. Computed once per question: a provider takes the nearest, and
//! ranking uses it for every candidate, whichever provider found it.

use std::sync::Arc;

use kitbag_rank::tuning;
use kitbag_store::{ChunkRef, ParseId, Vectors};

/// How near every chunk is to a question, by their vectors.
pub(crate) struct Meaning {
    vectors: Arc<Vectors>,
    text: Nearness,
    /// The same for the title of a long question.
    title: Option<Nearness>,
}

/// How near every row is to a text, as cosines, and how near the nearest.
pub(crate) struct Nearness {
    rows: Vec<f32>,
    best: f32,
}

impl Meaning {
    pub(crate) fn new(vectors: Arc<Vectors>, text: Nearness, title: Option<Nearness>) -> Self {
        Self { vectors, text, title }
    }

    /// The cosine of a chunk and the question as a share of the best one's, 0 to 1.
    pub(crate) fn share(&self, chunk: ChunkRef) -> f64 {
        self.text.share(self.vectors.row(chunk))
    }

    /// The cosine itself; 0 for a chunk without a vector.
    pub(crate) fn cosine(&self, chunk: ChunkRef) -> f64 {
        let row = self.vectors.row(chunk);
        row.map_or(0.0, |row| f64::from(self.text.rows[row].clamp(0.0, 1.0)))
    }

    /// The same for the title alone; 0 for a short question, which is its own title.
    pub(crate) fn title_share(&self, chunk: ChunkRef) -> f64 {
        let title = self.title.as_ref();
        title.map_or(0.0, |title| title.share(self.vectors.row(chunk)))
    }

    /// The share of the nearest chunk of a chunk's file.
    pub(crate) fn file_share(&self, chunk: ChunkRef) -> f64 {
        let rows = self.vectors.rows(chunk.file, chunk.parse).unwrap_or(0..0);
        rows.map(|row| self.text.share(Some(row))).fold(0.0, f64::max)
    }

    /// The nearest chunk of one file.
    pub(crate) fn nearest_of(&self, file: i64, parse: ParseId) -> Option<ChunkRef> {
        let rows = self.vectors.rows(file, parse)?;
        let (first, near) = (rows.start, &self.text.rows);
        let best = rows.max_by(|a, b| near[*a].total_cmp(&near[*b]).then(b.cmp(a)))?;
        Some(ChunkRef {
            file,
            parse,
            idx: (best - first) as u32,
        })
    }

    /// How similar two chunks are; `None` if one has no vector.
    pub(crate) fn similarity(&self, a: ChunkRef, b: ChunkRef) -> Option<f64> {
        let (a, b) = (self.vectors.row(a)?, self.vectors.row(b)?);
        Some(f64::from(self.vectors.similarity(a, b)))
    }

    /// The nearest chunks that `keep` lets through, nearest first, equals in any order: at least `most` if there are as many,
    /// and all that are as near as the last of them.
    pub(crate) fn nearest(&self, most: usize, keep: impl Fn(ChunkRef) -> bool) -> Vec<(ChunkRef, f32)> {
        let near = &self.text.rows;
        let floor = tuning::SEMANTIC_FLOOR;
        let mut found: Vec<(ChunkRef, f32)> = (0..near.len())
            .filter(|row| near[*row] >= floor)
            .map(|row| (self.vectors.chunk(row), near[row]))
            .filter(|(chunk, _)| keep(*chunk))
            .collect();
        let compare = |a: &(ChunkRef, f32), b: &(ChunkRef, f32)| b.1.total_cmp(&a.1);
        if found.len() > most && most > 0 {
            let (_, last, _) = found.select_nth_unstable_by(most - 1, compare);
            let last = last.1;
            found.retain(|(_, near)| *near >= last);
        }
        found.sort_by(compare);
        found
    }
}

impl Nearness {
    /// `asked` is the vector of a text. `None` if nothing is near it.
    pub(crate) fn of(vectors: &Vectors, asked: &[f32]) -> Option<Self> {
        if asked.iter().all(|value| *value == 0.0) {
            return None;
        }
        let rows = vectors.similarities(asked);
        let best = rows.iter().copied().fold(0.0, f32::max);
        (best > 0.0).then_some(Self { rows, best })
    }

    fn share(&self, row: Option<usize>) -> f64 {
        let near = row.map_or(0.0, |row| self.rows[row]);
        f64::from((near / self.best).max(0.0))
    }
}
