//! `history`: the commits of a place with their hunks, who wrote its lines, and what usually changes with it (RET-13, CLI-6).

use kitbag_types::{Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_index::{IndexQuestion, checked_limit};
use super::past_reply::HistoryReply;
use crate::past::of_place;
use crate::place::place_of;
use crate::request::yes;
use crate::{Engine, EngineError, Progress};

const MAX_LIMIT: usize = 100;
const DEFAULT_LIMIT: usize = 10;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryRequest<'s> {
    /// `PATH`, `PATH:LINE`, `PATH:LINE-LINE`, or the name of a definition.
    pub of: String,
    /// Commits, 1 to 100; without it, 10.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: Option<usize>,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    #[serde(skip)]
    pub stop: Stop<'s>,
}

impl HistoryRequest<'_> {
    pub fn new(of: impl Into<String>) -> Self {
        Self {
            of: of.into(),
            update: true,
            ..Self::default()
        }
    }
}

pub fn history(
    engine: &Engine,
    request: &HistoryRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<HistoryReply, EngineError> {
    let limit = checked_limit(request.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let question = IndexQuestion {
        engine,
        update: request.update,
        stop: request.stop,
        progress,
        now,
    };
    let (mut reply, warnings) = question.answer(|snapshot| {
        let place = place_of(engine, snapshot, &request.of, true)?;
        request.stop.check()?;
        of_place(engine, snapshot, place, limit).map(HistoryReply::of)
    })?;
    reply.warnings.splice(0..0, warnings);
    Ok(reply)
}
