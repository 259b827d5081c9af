//! A visit to a session (ENG-40, ENG-41): before an answer is made, what the session was shown is read from the journal. When the
//! door has delivered the answer, what it shows is written there, as a [`Delivery`].
//!
//! There is no lock around an answer, because it takes long and others of the same session may run at the same time. If the
//! journal cannot be read or written, everything is sent in full, with a warning (ENG-70). Session ids are the caller's; a server
//! with several users puts the user into the id (SEC-5).

use std::path::PathBuf;
use std::time::Duration;

use kitbag_pack::{
    BRIEF_PATH, Delivered, Insight, Intent, Piece, Resolution, Session, insight_hash, runs_of,
};
use kitbag_store::{DeliveryRow, Journal, NewDelivery, StoreError};
use kitbag_types::{LineRange, Timestamp};

use crate::{Engine, EngineError};

/// Longer ids are refused (SEC-4).
const MAX_ID: usize = 128;

/// One answer of a session, while it is made.
pub(crate) struct Visit {
    store_dir: PathBuf,
    root: PathBuf,
    id: String,
    idle: Duration,
    journal: Option<Journal>,
    delivered: Vec<Delivered>,
    /// Why there is no session after all.
    failure: Option<StoreError>,
}

/// Checks that a session can have this name.
pub(crate) fn check_id(id: &str) -> Result<(), EngineError> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    if !id.is_empty() && id.len() <= MAX_ID && id.bytes().all(is_allowed) {
        return Ok(());
    }
    Err(EngineError::Invalid {
        code: "INVALID_SESSION",
        message: format!(
            "a session is called by 1 to {MAX_ID} letters, digits, `_`, `.`, `:` and `-`, not `{}`",
            id.chars().take(MAX_ID).collect::<String>()
        ),
    })
}

impl Visit {
    pub(crate) fn begin(engine: &Engine, id: &str, now: Timestamp) -> Self {
        let idle = engine.options.session_idle;
        let read = || {
            let journal = engine.open_journal()?;
            let rows = journal.delivered(id, idle, now)?;
            Ok((journal, rows))
        };
        let read = match read() {
            // Opening it again sets a damaged one aside.
            Err(StoreError::Corrupt { .. }) => read(),
            other => other,
        };
        let (journal, rows, failure) = match read {
            Ok((journal, rows)) => (Some(journal), rows, None),
            Err(error) => (None, Vec::new(), Some(error)),
        };
        Self {
            store_dir: engine.store_dir().to_owned(),
            root: engine.root().to_owned(),
            id: id.to_owned(),
            idle,
            journal,
            delivered: rows.into_iter().filter_map(delivered).collect(),
            failure,
        }
    }

    pub(crate) fn session(&self, intent: Intent) -> Session<'_> {
        Session {
            delivered: &self.delivered,
            intent,
            hash: &line_hash,
        }
    }

    /// Gives the answer its number and returns what is to be written when it was delivered; or why there is no session
    /// after all.
    pub(crate) fn end(mut self, shown: Vec<NewDelivery>, now: Timestamp) -> Result<Delivery, Option<String>> {
        let numbered = self
            .journal
            .as_mut()
            .map(|journal| journal.next_answer(&self.id, self.idle, now));
        let failure = match numbered {
            Some(Ok(answer)) => {
                return Ok(Delivery {
                    store_dir: self.store_dir,
                    root: self.root,
                    session: self.id,
                    answer,
                    shown,
                    at: now,
                });
            }
            Some(Err(error)) => Some(error),
            None => self.failure,
        };
        Err(failure.map(|error| format!("the session {} is lost: {error}", self.id)))
    }
}

/// What an answer shows to a session. It counts as shown only when the door confirms it after delivering the answer: an
/// answer that was cancelled, or that could not be written, must not be referred to later (ENG-40).
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    store_dir: PathBuf,
    root: PathBuf,
    session: String,
    answer: u32,
    shown: Vec<NewDelivery>,
    at: Timestamp,
}

impl Delivery {
    /// The number of the answer in its session, from 1.
    pub fn answer(&self) -> u32 {
        self.answer
    }

    /// Records that the answer was delivered. If this fails, its text is sent again later.
    pub fn confirm(&self) -> Result<(), EngineError> {
        let mut journal = Journal::open(&self.store_dir, &self.root)?;
        journal.deliver(&self.session, self.answer, &self.shown, self.at)?;
        Ok(())
    }
}

/// A warning for a session that cannot be used.
pub(crate) const LOST: &str = "what is sent in full now may be sent again";

/// A delivery that another version wrote and this one does not understand is ignored.
fn delivered(row: DeliveryRow) -> Option<Delivered> {
    Some(Delivered {
        answer: row.answer,
        resolution: Resolution::parse(&row.resolution)?,
        intent: Intent::parse(&row.intent)?,
        path: row.path,
        label: row.label,
        line_start: row.line_start,
        hashes: row.hashes,
    })
}

/// What the journal keeps of a piece that was shown.
pub(crate) fn shown(
    piece: &Piece,
    lines: &[LineRange],
    resolution: Resolution,
    intent: Intent,
) -> Vec<NewDelivery> {
    let runs = runs_of(piece, lines, &line_hash);
    runs.into_iter()
        .map(|(line_start, hashes)| NewDelivery {
            path: piece.path.clone(),
            label: piece.label.clone(),
            line_start,
            hashes,
            resolution: resolution.as_str(),
            intent: intent.as_str(),
        })
        .collect()
}

/// What the journal keeps of something that a brief told.
pub(crate) fn told(insight: &Insight, intent: Intent) -> NewDelivery {
    NewDelivery {
        path: BRIEF_PATH.to_owned(),
        label: insight.id.clone(),
        line_start: 1,
        hashes: vec![insight_hash(insight, &line_hash)],
        resolution: Resolution::Full.as_str(),
        intent: intent.as_str(),
    }
}

fn line_hash(line: &str) -> u64 {
    let hash = blake3::hash(line.as_bytes());
    let (words, _) = hash.as_bytes().as_chunks::<8>();
    u64::from_le_bytes(words[0])
}
