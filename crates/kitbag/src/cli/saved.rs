//! Finds a pack that was made before: the last one, the one whose reply is in a file, or the one that was printed as a given text.

use std::path::Path;

use kitbag_engine::Engine;
use kitbag_engine::api::{self, PackReply, SavedPack};

use super::context::Context;
use super::input::text_at;
use kitbag_door::failure::{Exit, Failure};

/// The command line has only one user.
pub(crate) const USER: &str = "";
/// No pack is larger (SEC-4).
const MAX_BYTES: u64 = 64_000_000;

pub(crate) struct FoundPack {
    pub(crate) saved: SavedPack,
    pub(crate) id: String,
    /// It is in the store; if false, it is only in a file.
    pub(crate) kept: bool,
}

/// Updates a pack that is kept.
pub(crate) fn update(engine: &Engine, found: &FoundPack) -> Result<bool, Failure> {
    Ok(api::update_pack(engine, USER, &found.id, &found.saved)?)
}

/// The pack that a person means: the one in the file `named`, or the last one that was made here.
pub(crate) fn find(context: &Context, engine: &Engine, named: Option<&Path>) -> Result<FoundPack, Failure> {
    let Some(path) = named else {
        return last(engine);
    };
    let text = text_at(context, path, MAX_BYTES)?;
    if let Some(found) = kept(engine, api::pack_id(&text))? {
        return Ok(found);
    }
    let reply = serde_json::from_str::<PackReply>(&text);
    let Ok(reply) = reply else {
        let name = path.display();
        let message = format!("{name} is neither the JSON of a pack nor the text of one that is known here");
        let hint =
            "give what `kitbag pack --json` printed, or the unchanged text of one of the last 20 packs";
        return Err(Failure::wrong_use("PACK_UNKNOWN", message).with_hint(hint));
    };
    let id = api::pack_id(&reply.text);
    if let Some(found) = kept(engine, id.clone())? {
        return Ok(found);
    }
    let saved = SavedPack {
        reply,
        template: None,
        line_numbers: false,
        made_at: 0,
        used: Vec::new(),
    };
    Ok(FoundPack {
        saved,
        id,
        kept: false,
    })
}

fn last(engine: &Engine) -> Result<FoundPack, Failure> {
    for id in api::kept_packs(engine, USER)? {
        if let Some(found) = kept(engine, id)? {
            return Ok(found);
        }
    }
    let failure = Failure {
        exit: Exit::NothingFound,
        ..Failure::wrong_use("PACK_UNKNOWN", "no pack of this project is kept")
    };
    Err(failure.with_hint("make one with `kitbag pack \"<task>\"`, or name a file"))
}

fn kept(engine: &Engine, id: String) -> Result<Option<FoundPack>, Failure> {
    let saved = api::kept_pack(engine, USER, &id)?;
    Ok(saved.map(|saved| FoundPack {
        saved,
        id,
        kept: true,
    }))
}
