//! Which setting made the engine refuse to open, so that the refusal can name its line (CFG-3).
//!
//! Globs, regular expressions and watch paths are checked by the rooms that use them, which do not know files or lines. So
//! each suspect is tried alone on top of the defaults. That is slower than passing places through every room, but it only
//! runs when something is wrong.

#[cfg(test)]
mod tests;

use crate::settings::{Loaded, Place, Settings};

/// The keys whose values other rooms check.
const SUSPECTS: &[&str] = &[
    "indexing.watch_paths",
    "indexing.ignore_patterns",
    "indexing.size_exceptions",
    "security.denied_paths",
    "security.secret_patterns",
];

/// The place of the setting that keeps `opens` from succeeding; `None` if no setting is to blame.
pub fn blamed(loaded: &Loaded, opens: &dyn Fn(&Settings) -> bool) -> Option<Place> {
    if !opens(&Settings::default()) {
        return None;
    }
    SUSPECTS.iter().find_map(|suspect| {
        let mut alone = Settings::default();
        loaded.settings.copy_to(&mut alone, suspect);
        let guilty = !opens(&alone);
        guilty.then(|| {
            loaded
                .entries
                .iter()
                .find(|entry| entry.key == *suspect)
                .map(|entry| entry.place.clone())
        })?
    })
}
