//! Records what was answered (MET-1), unless the settings say not to. If the journal cannot be written, the answer is printed
//! anyway, and only `--verbose` mentions it.

use kitbag_engine::api::{self, UsageEntry};
use kitbag_engine::{Engine, EngineError};

use super::context::Context;
use kitbag_door::settings::Settings;

/// This door's name in the journal.
pub(crate) const DOOR: &str = "cli";

pub(crate) fn note(
    context: &Context,
    engine: &Engine,
    settings: &Settings,
    entry: impl FnOnce() -> Result<UsageEntry, EngineError>,
) {
    if !settings.metrics.enabled {
        return;
    }
    let noted =
        entry().and_then(|entry| api::record(engine, &entry, settings.metrics.keep_days, context.around.now));
    if let Err(error) = noted
        && context.everywhere.verbose
    {
        context.say("not noted", &error.to_string());
    }
}
