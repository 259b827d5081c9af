//! Packs that were made, kept in the store so that `explain`, `verify` and `cite` know them again: by a text that somebody
//! still has, or simply the last one.
//!
//! A pack is known by the hash of its text without the white space at its end, because clipboards and editors change that and
//! nothing else. What is kept is the JSON of a [`SavedPack`].

use kitbag_store::Packs;
use serde::{Deserialize, Serialize};

use super::PackReply;
use crate::pack::hex;
use crate::{Engine, EngineError};

/// A pack with what it takes to make it again.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct SavedPack {
    pub reply: PackReply,
    pub template: Option<String>,
    pub line_numbers: bool,
    /// Milliseconds since 1970.
    pub made_at: i64,
    /// Citations that answers have quoted (PACK-61), in the order of the pack.
    pub used: Vec<String>,
}

/// What a pack with this text is kept under.
pub fn pack_id(text: &str) -> String {
    hex(&blake3::hash(text.trim_end().as_bytes()).as_bytes()[..16])
}

/// Keeps a pack as the newest. `user`: whose it is; empty where there is only one.
pub fn keep_pack(engine: &Engine, user: &str, saved: &SavedPack) -> Result<(), EngineError> {
    Ok(packs(engine, user).keep(&pack_id(&saved.reply.text), &encoded(saved))?)
}

/// Writes a kept pack anew without making it newer. False: it is not kept.
pub fn update_pack(engine: &Engine, user: &str, id: &str, saved: &SavedPack) -> Result<bool, EngineError> {
    Ok(packs(engine, user).replace(id, &encoded(saved))?)
}

/// What was kept under an id. A pack that another version of Kitbag wrote, and that cannot be read, counts as not kept.
pub fn kept_pack(engine: &Engine, user: &str, id: &str) -> Result<Option<SavedPack>, EngineError> {
    let json = packs(engine, user).read(id)?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
}

fn encoded(saved: &SavedPack) -> String {
    serde_json::to_string(saved).expect("a pack is made of strings and numbers, which JSON can always hold")
}

/// The ids of the kept packs of this project, newest first.
pub fn kept_packs(engine: &Engine, user: &str) -> Result<Vec<String>, EngineError> {
    Ok(packs(engine, user).ids()?)
}

fn packs(engine: &Engine, user: &str) -> Packs {
    Packs::of(engine.store_dir(), engine.root(), user)
}
