//! `full_text`: BM25 over the fields of the text index (RET-10). If hardly anything matches, names and paths are compared
//! by trigrams: a typing error should not end a search.

use std::cell::Cell;
use std::collections::HashMap;

use kitbag_rank::{bm25, fuzzy, tuning};
use kitbag_store::ChunkRef;
use kitbag_types::terms::fold;

use super::{Answer, Ask, Evidence, Provider, Row};
use crate::EngineError;
use crate::engine::TextMatch;

/// Most words of a question that are compared with every name; more would take too long.
const FUZZY_WORDS: usize = 12;

pub(super) struct FullText;

impl Provider for FullText {
    fn name(&self) -> &'static str {
        "full_text"
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let TextMatches {
            mut found,
            text,
            n_matched,
        } = matching(ask)?;
        if n_matched < tuning::FUZZY_BELOW {
            found.extend(nearly(ask)?.into_iter().map(|row| (row, None)));
        }
        Ok(Answer {
            found,
            evidence: Evidence::text(text),
            ..Answer::default()
        })
    }
}

struct TextMatches {
    /// The chunks that match best, best first, with their shares.
    found: Vec<(Row, Option<f64>)>,
    /// How well chunks match, also those that are not in `found`: another provider may find them.
    text: HashMap<ChunkRef, TextMatch>,
    /// The number of chunks that match at all.
    n_matched: usize,
}

fn matching(ask: &Ask<'_>) -> Result<TextMatches, EngineError> {
    let Ask {
        snapshot,
        query,
        allowed,
        ..
    } = *ask;
    let text = snapshot.text();
    let (terms, weights): (Vec<String>, Vec<f32>) = query.terms.iter().cloned().unzip();
    let postings = text.postings(&terms, &bm25::weigh)?;
    let most_looked_at = if allowed.has_kinds() {
        tuning::TEXT_CANDIDATES * 8
    } else {
        tuning::TEXT_CANDIDATES
    };
    let n_matched = Cell::new(0usize);
    let keep = |doc: u32| {
        let kept = allowed.file(text.chunk(doc).file);
        n_matched.set(n_matched.get() + usize::from(kept));
        kept
    };
    let matches = bm25::Matches {
        postings: &postings,
        weights: &weights,
        n_docs: text.n_docs(),
        files: text.files(),
    };
    let most = most_looked_at.max(tuning::TEXT_EVIDENCE);
    let scored = bm25::score(&matches, &keep, &|doc| text.order(doc), most);
    let best = scored.first().map_or(1.0, |hit| f64::from(hit.score));
    let best_file = scored
        .iter()
        .map(|hit| f64::from(hit.file_score))
        .fold(0.0, f64::max);
    let mut known = Vec::with_capacity(scored.len());
    let mut rows: Vec<(Row, f64)> = Vec::with_capacity(tuning::TEXT_CANDIDATES);
    for (rank_idx, hit) in scored.into_iter().enumerate() {
        ask.stop.check()?;
        let chunk = text.chunk(hit.doc);
        let share = f64::from(hit.score) / best;
        let matched = TextMatch {
            share,
            coverage: f64::from(hit.coverage),
            file_share: f64::from(hit.file_score) / best_file,
        };
        known.push((chunk, matched));
        if rank_idx < most_looked_at && rows.len() < tuning::TEXT_CANDIDATES {
            let row = snapshot.chunk(chunk)?.filter(|row| allowed.row(row));
            rows.extend(row.map(|row| (Row::from(row), share)));
        }
    }
    // Order equal scores by place: the hash that broke ties before means nothing to a reader.
    rows.sort_by(|(a, a_share), (b, b_share)| {
        let by_score = b_share.total_cmp(a_share);
        by_score
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.lines.cmp(&b.lines))
    });
    Ok(TextMatches {
        found: rows.into_iter().map(|(row, share)| (row, Some(share))).collect(),
        text: known.into_iter().collect(),
        n_matched: n_matched.get(),
    })
}

/// Chunks that define a name, or are in a file, that is spelt nearly like a word of the question.
fn nearly(ask: &Ask<'_>) -> Result<Vec<Row>, EngineError> {
    let Ask {
        snapshot,
        query,
        allowed,
        stop,
        ..
    } = *ask;
    let words: Vec<fuzzy::Word> = query
        .text
        .split_whitespace()
        .map(fold)
        .filter(|word| word.len() > 3)
        .filter_map(|word| fuzzy::Word::new(&word))
        .take(FUZZY_WORDS)
        .collect();
    let nearest = |name: &str| {
        let name = fuzzy::Name::new(name);
        words
            .iter()
            .map(|word| word.similarity(&name))
            .fold(0.0, f64::max)
    };
    let mut near: Vec<(f64, String)> = Vec::new();
    for (name, _) in snapshot.names_from("", usize::MAX >> 1)? {
        stop.check()?;
        let best = nearest(&name);
        if best >= tuning::FUZZY_SIMILARITY {
            near.push((best, name));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.dedup();
    let mut rows = Vec::new();
    for (_, name) in near.iter().take(10) {
        for symbol in snapshot.symbols_named(name)? {
            stop.check()?;
            rows.extend(
                snapshot
                    .chunk_at(symbol.file, symbol.parse, symbol.name_line)?
                    .filter(|row| allowed.row(row)),
            );
        }
    }
    let mut files: Vec<_> = snapshot.files()?;
    files.retain(|file| file.parse.is_some() && allowed.file(file.id));
    stop.check()?;
    let mut near: Vec<_> = files
        .iter()
        .map(|file| (nearest(file.path.stem()), file))
        .filter(|(similarity, _)| *similarity >= tuning::FUZZY_SIMILARITY)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    for (_, file) in near.iter().take(10) {
        let Some(parse) = file.parse else { continue };
        rows.extend(
            snapshot
                .chunk_at(file.id, parse, 1)?
                .filter(|row| allowed.row(row)),
        );
    }
    Ok(rows.into_iter().map(Row::from).collect())
}
