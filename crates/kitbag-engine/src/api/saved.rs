//! Packs are kept in the store, so that `explain`, `verify` and `cite` can find them: by their text, or simply the last one.
//!
//! The id of a pack is the hash of its text without the white space at its end, because clipboards and editors change that and
//! nothing else. The JSON of a [`SavedPack`] is what is kept.

use kitbag_store::Packs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PackReply;
use crate::pack::hex;
use crate::{Engine, EngineError};

/// A pack with everything that is needed to make it again.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct SavedPack {
    pub reply: PackReply,
    pub template: Option<String>,
    pub line_numbers: bool,
    /// Milliseconds since 1970.
    pub made_at: i64,
    /// Citations that answers have used (PACK-61), in the order of the pack.
    pub used: Vec<String>,
}

/// The id of a pack with this text.
pub fn pack_id(text: &str) -> String {
    hex(&blake3::hash(text.trim_end().as_bytes()).as_bytes()[..16])
}

/// Keeps a pack as the newest. `user` is its owner; empty if there is only one user.
pub fn keep_pack(engine: &Engine, user: &str, saved: &SavedPack) -> Result<(), EngineError> {
    Ok(packs(engine, user).keep(&pack_id(&saved.reply.text), &encoded(saved))?)
}

/// Updates a kept pack without making it newer. Returns false if it is not kept.
pub fn update_pack(engine: &Engine, user: &str, id: &str, saved: &SavedPack) -> Result<bool, EngineError> {
    Ok(packs(engine, user).replace(id, &encoded(saved))?)
}

/// The pack with an id. A pack of another version of Kitbag that cannot be read counts as not kept.
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
