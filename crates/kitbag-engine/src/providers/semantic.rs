//! `semantic`: the chunks whose vectors are nearest to the question's (RET-12). How near every chunk is gets computed once for a
//! question: the provider takes the nearest, and ranking asks it of every candidate, whoever found it.

use std::sync::Arc;

use kitbag_embed::EmbedError;
use kitbag_rank::tuning;
use kitbag_store::{ChunkRef, ParseId, Snapshot, Vectors};
use kitbag_types::Query;

use super::{Answer, Ask, Evidence, Provider, Row};
use crate::embed::{self, Serving};
use crate::{Engine, EngineError};

pub(super) struct Semantic;

impl Provider for Semantic {
    fn name(&self) -> &'static str {
        "semantic"
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let mut answer = Answer::default();
        if let Some(error) = ask.engine.model_failure() {
            answer
                .warnings
                .push(format!("the built-in model answers: {error}"));
        }
        match Meaning::of(ask.engine, ask.snapshot, ask.query) {
            Ok(Some(meaning)) => {
                answer.found = nearest(ask, &meaning)?;
                answer.evidence = Evidence::near(meaning);
            }
            Ok(None) => {}
            Err(error) => answer.warnings.push(format!("provider semantic failed: {error}")),
        }
        Ok(answer)
    }
}

fn nearest(ask: &Ask<'_>, meaning: &Meaning) -> Result<Vec<(Row, Option<f64>)>, EngineError> {
    let most = tuning::SEMANTIC_CANDIDATES;
    let most_looked_at = if ask.allowed.has_kinds() { most * 8 } else { most };
    let mut rows = Vec::with_capacity(most);
    for (chunk, near) in meaning.nearest(most_looked_at, |chunk| ask.allowed.file(chunk.file)) {
        ask.stop.check()?;
        // A row may be of a file that has changed or gone since.
        if let Some(row) = ask.snapshot.chunk(chunk)?
            && row.current
            && ask.allowed.row(&row)
        {
            rows.push((near, row));
        }
    }
    rows.sort_by(|(a_near, a), (b_near, b)| {
        let by_nearness = b_near.total_cmp(a_near);
        by_nearness
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.lines.cmp(&b.lines))
    });
    rows.truncate(most);
    let with_share = rows.into_iter().map(|(_, row)| {
        let share = meaning.share(row.at);
        (Row::from(row), Some(share))
    });
    Ok(with_share.collect())
}

/// How near every chunk is to a question, by their vectors.
pub(crate) struct Meaning {
    vectors: Arc<Vectors>,
    text: Nearness,
    /// To the title of a long question.
    title: Option<Nearness>,
}

/// How near every row is to a text, as cosines, and how near the nearest.
struct Nearness {
    rows: Vec<f32>,
    best: f32,
}

impl Meaning {
    /// `None`: there are no vectors, or nothing in the question means anything to the model.
    pub(crate) fn of(
        engine: &Engine,
        snapshot: &Snapshot<'_>,
        query: &Query,
    ) -> Result<Option<Self>, EmbedError> {
        let Some((vectors, model)) = embed::vectors(engine, snapshot) else {
            return Ok(None);
        };
        let Some(text) = Nearness::of(&vectors, &model, &query.text)? else {
            return Ok(None);
        };
        let title = if query.title.text.len() < query.text.trim().len() {
            Nearness::of(&vectors, &model, &query.title.text)?
        } else {
            None
        };
        Ok(Some(Self { vectors, text, title }))
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

    /// How alike two chunks are, where both have vectors.
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
    fn of(vectors: &Vectors, model: &Serving<'_>, text: &str) -> Result<Option<Self>, EmbedError> {
        let asked = model.query(text)?;
        if asked.iter().all(|value| *value == 0.0) {
            return Ok(None);
        }
        let rows = vectors.similarities(&asked);
        let best = rows.iter().copied().fold(0.0, f32::max);
        Ok((best > 0.0).then_some(Self { rows, best }))
    }

    fn share(&self, row: Option<usize>) -> f64 {
        let near = row.map_or(0.0, |row| self.rows[row]);
        f64::from((near / self.best).max(0.0))
    }
}
