//! `live_search`: searches the files of a project that is not indexed yet (MCP-4), or whose store is broken (ENG-70).

use std::time::Duration;

use super::search::{Factor, Hit, SearchReply, SearchRequest, Whole, check};
use crate::conventions::analyse;
use crate::current::whole_in;
use crate::live::{self, LiveChunk};
use crate::matched::rounded;
use crate::{Engine, EngineError};

/// The beginning of the warning in such an answer.
pub(super) const NOT_INDEXED: &str = "not indexed yet";

/// Searches the files themselves, the most promising first, and answers within about `limit` by the caller's `clock` with
/// what it has found by then. Does not touch the store. Lines and texts are those of the files as they are now.
pub fn live_search(
    engine: &Engine,
    request: &SearchRequest<'_>,
    limit: Duration,
    clock: &dyn Fn() -> Duration,
) -> Result<SearchReply, EngineError> {
    let filter = check(engine, request)?;
    let query = analyse(&request.query);
    let live = live::search(engine, &query, &filter, limit, clock, request.stop)?;
    let extent = if live.complete { "all " } else { "" };
    let results = live
        .found
        .iter()
        .take(request.top.unwrap_or(engine.options.searching.top))
        .enumerate();
    let warning = format!("{NOT_INDEXED}: looked at {extent}{} files directly", live.n_read);
    let is_scoped = !request.packages.is_empty() || request.scope.is_some();
    let unscoped = is_scoped
        .then(|| "packages are not known before the index is: all of the project was looked at".to_owned());
    Ok(SearchReply {
        results: results
            .map(|(rank_idx, chunk)| hit(rank_idx + 1, chunk))
            .collect(),
        warnings: query
            .left_out
            .iter()
            .cloned()
            .chain(unscoped)
            .chain([warning.clone()])
            .collect(),
        ..SearchReply::nothing(&request.query, warning)
    })
}

fn hit(rank: usize, found: &LiveChunk) -> Hit {
    let chunk = &found.parse.parsed.chunks[found.chunk_idx];
    Hit {
        rank,
        path: found.path.to_string(),
        line_start: chunk.lines.start(),
        line_end: chunk.lines.end(),
        kind: chunk.kind.as_str().into(),
        label: chunk.label.clone(),
        part: (chunk.part.1 > 1).then_some(chunk.part.into()),
        definition: whole_in(&found.parse.parsed, chunk).map(Whole::from),
        language: found.parse.language.clone(),
        score: rounded(found.score),
        reasons: vec![Factor {
            factor: "live".into(),
            value: rounded(found.score),
        }],
        found_by: Vec::new(),
        tokens: found.parse.tokens[found.chunk_idx],
        text: found.parse.text[chunk.bytes.clone()].to_owned(),
    }
}
