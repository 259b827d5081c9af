//! `semantic`: the chunks whose vectors are nearest to the question's (RET-12). How near every chunk is, is computed once per
//! question: the provider takes the nearest, and ranking uses it for every candidate, whichever provider found it.

use kitbag_embed::EmbedError;
use kitbag_rank::tuning;
use kitbag_store::{Snapshot, Vectors};
use kitbag_types::Query;

use super::{Answer, Ask, Evidence, Provider, Row};
use crate::embed::{self, Serving};
use crate::meaning::{Meaning, Nearness};
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
        match meaning_of(ask.engine, ask.snapshot, ask.query) {
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

/// `None` if there are no vectors, or if the model knows no word of the question.
fn meaning_of(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    query: &Query,
) -> Result<Option<Meaning>, EmbedError> {
    let Some((vectors, model)) = embed::vectors(engine, snapshot) else {
        return Ok(None);
    };
    let Some(text) = near(&vectors, &model, &query.text)? else {
        return Ok(None);
    };
    let title = if query.title.text.len() < query.text.trim().len() {
        near(&vectors, &model, &query.title.text)?
    } else {
        None
    };
    Ok(Some(Meaning::new(vectors, text, title)))
}

fn near(vectors: &Vectors, model: &Serving<'_>, text: &str) -> Result<Option<Nearness>, EmbedError> {
    Ok(Nearness::of(vectors, &model.query(text)?))
}
