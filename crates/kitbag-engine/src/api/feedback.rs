//! `give_feedback`: which items of a pack were of use (MEM-5). It is noted by the place in the code that an item shows, moves later
//! answers a little, can be listed and taken back. An item that an answer quotes was of use.

use kitbag_store::FeedbackRow;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CiteReply, PackSource, SavedPack, kept_pack, kept_packs, pack_id, unusable_sources};
use crate::feedback::Feedback;
use crate::{Engine, EngineError};

const MOST_ITEMS: usize = 500;
const MAX_ITEM_BYTES: usize = 300;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedbackRequest {
    pub useful: bool,
    /// Citations ([fn-ab12]) or path:first-last.
    #[serde(
        alias = "contextItemId",
        alias = "context_item_id",
        deserialize_with = "one_or_many"
    )]
    pub items: Vec<String>,
    /// Its id, if known.
    #[serde(default)]
    pub pack: String,
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(given: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Given::deserialize(given)? {
        Given::One(item) => vec![item],
        Given::Many(items) => items,
    })
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FeedbackReply {
    /// Items that were noted now.
    pub noted: usize,
    /// Of all that this user said.
    pub useful: usize,
    pub not_useful: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FeedbackList {
    /// Newest first.
    pub given: Vec<GivenFeedback>,
    /// What it does to the scores of later answers, by place.
    pub influence: Vec<FeedbackInfluence>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GivenFeedback {
    pub id: i64,
    pub item: String,
    pub path: String,
    pub label: String,
    pub useful: bool,
    /// Nobody said so: an answer quoted it.
    pub quoted: bool,
    pub pack: String,
    /// Milliseconds since 1970.
    pub at: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FeedbackInfluence {
    pub path: String,
    /// Empty: all of the file.
    pub label: String,
    /// How much more often it was of use than not.
    pub net: i64,
    /// 0.8 to 1.2.
    pub factor: f64,
}

fn invalid(code: &'static str, message: impl Into<String>) -> EngineError {
    EngineError::Invalid {
        code,
        message: message.into(),
    }
}

/// Notes whether items were of use. Refuses what nobody was sent: it would count for nothing, or for something else.
pub fn give_feedback(
    engine: &Engine,
    user: &str,
    request: &FeedbackRequest,
    now: Timestamp,
) -> Result<FeedbackReply, EngineError> {
    let one_line = |text: &str| (1..=MAX_ITEM_BYTES).contains(&text.len()) && !text.contains(['\n', '\r']);
    let is_fine =
        (1..=MOST_ITEMS).contains(&request.items.len()) && request.items.iter().all(|item| one_line(item));
    if !is_fine || request.pack.len() > 100 {
        let message = format!(
            "feedback names 1 to {MOST_ITEMS} items, each a citation or path:first-last, and a pack by its id"
        );
        return Err(invalid("INVALID_FEEDBACK", message));
    }
    let rows = resolved(engine, user, request, now)?;
    let all = engine.journal(|journal| {
        journal.add_feedback(user, &rows)?;
        journal.feedback(user)
    })?;
    let useful = all.iter().filter(|row| row.useful).count();
    Ok(FeedbackReply {
        noted: rows.len(),
        useful,
        not_useful: all.len() - useful,
    })
}

/// Each item with the place in the code that it shows.
fn resolved(
    engine: &Engine,
    user: &str,
    request: &FeedbackRequest,
    now: Timestamp,
) -> Result<Vec<FeedbackRow>, EngineError> {
    let kept = kept_packs(engine, user)?;
    let ids: Vec<&String> = kept
        .iter()
        .filter(|id| request.pack.is_empty() || **id == request.pack)
        .collect();
    if ids.is_empty() && !request.pack.is_empty() {
        let message = format!(
            "no pack `{}` is kept; only the latest are; leave out `pack`",
            request.pack
        );
        return Err(invalid("PACK_UNKNOWN", message));
    }
    let mut rows: Vec<Option<FeedbackRow>> = request.items.iter().map(|item| place(engine, item)).collect();
    for id in ids {
        if rows.iter().all(Option::is_some) {
            break;
        }
        let Some(saved) = kept_pack(engine, user, id)? else {
            continue;
        };
        for (row, named) in rows
            .iter_mut()
            .zip(&request.items)
            .filter(|(row, _)| row.is_none())
        {
            *row = cited(&saved, named).map(|found| FeedbackRow {
                pack: id.clone(),
                ..found
            });
        }
    }
    let unknown: Vec<String> = rows
        .iter()
        .zip(&request.items)
        .filter(|(row, _)| row.is_none())
        .map(|(_, item)| format!("`{item}`"))
        .take(5)
        .collect();
    if !unknown.is_empty() {
        let message = format!(
            "no kept pack has an item {}, and it is not a place in this project; name items as a pack does: its citation, such as \
             [fn-ab12], or path:first-last",
            unknown.join(", ")
        );
        return Err(invalid("ITEM_NOT_FOUND", message));
    }
    let noted = |row: FeedbackRow| FeedbackRow {
        useful: request.useful,
        at: now,
        ..row
    };
    Ok(rows.into_iter().flatten().map(noted).collect())
}

fn cited(saved: &SavedPack, named: &str) -> Option<FeedbackRow> {
    let bare = named.trim().trim_start_matches('[').trim_end_matches(']');
    let item = saved.reply.items.iter().find(|item| item.citation == bare)?;
    Some(FeedbackRow {
        item: bare.to_owned(),
        path: item.path.clone(),
        label: item.label.clone(),
        ..FeedbackRow::default()
    })
}

/// `path:first-last`: lines that a file of the project has. Answers to questions name places in this way, too.
fn place(engine: &Engine, named: &str) -> Option<FeedbackRow> {
    let named = named.trim().trim_start_matches('[').trim_end_matches(']');
    let (path, lines) = named.rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    if first < 1 || first > last {
        return None;
    }
    // Each end alone: a range that begins in the file may end behind it.
    let at = |line: u32| PackSource {
        kind: "reference".to_owned(),
        path: Some(path.to_owned()),
        line_start: Some(line),
        line_end: Some(line),
        ..PackSource::default()
    };
    unusable_sources(engine, &[at(first), at(last)])
        .is_empty()
        .then(|| FeedbackRow {
            item: named.to_owned(),
            path: path.to_owned(),
            ..FeedbackRow::default()
        })
}

/// What an answer quotes was of use (PACK-61).
pub fn count_cited(
    engine: &Engine,
    user: &str,
    saved: &SavedPack,
    reply: &CiteReply,
    now: Timestamp,
) -> Result<(), EngineError> {
    let pack = pack_id(&saved.reply.text);
    let rows: Vec<FeedbackRow> = reply
        .sources
        .iter()
        .map(|source| FeedbackRow {
            pack: pack.clone(),
            item: source.citation.clone(),
            path: source.path.clone(),
            label: source.label.clone(),
            useful: true,
            quoted: true,
            at: now,
            ..FeedbackRow::default()
        })
        .collect();
    Ok(engine.journal(|journal| journal.add_feedback(user, &rows))?)
}

/// What a user said, and what it does.
pub fn feedback(engine: &Engine, user: &str) -> Result<FeedbackList, EngineError> {
    let rows = engine.journal(|journal| journal.feedback(user))?;
    let net = Feedback::new(&rows);
    let influence = net.places().map(|(path, label, n)| FeedbackInfluence {
        path: path.to_owned(),
        label: label.to_owned(),
        net: n,
        factor: kitbag_rank::thread::feedback_factor(n),
    });
    Ok(FeedbackList {
        influence: influence.collect(),
        given: rows
            .into_iter()
            .map(|row| GivenFeedback {
                id: row.id,
                item: row.item,
                path: row.path,
                label: row.label,
                useful: row.useful,
                quoted: row.quoted,
                pack: row.pack,
                at: row.at.0,
            })
            .collect(),
    })
}

/// Takes one back by its id; without one, all. Gives how many.
pub fn undo_feedback(engine: &Engine, user: &str, id: Option<i64>) -> Result<usize, EngineError> {
    Ok(engine.journal(|journal| journal.undo_feedback(user, id))?)
}
