//! Which setting made the engine refuse to open, so that the refusal can name its line (CFG-3).
//!
//! Globs, regular expressions and watch paths are checked by the rooms that use them, which know no files or lines. Each
//! suspect is tried alone on top of the defaults: slower than threading places through every room, and only paid when
//! something is wrong.

#[cfg(test)]
mod tests;

use crate::settings::{self, Loaded, Place, Settings};

/// A suspect: its key, and how to copy it from one set of settings to another.
type Suspect = (&'static str, fn(&Settings, &mut Settings));

const SUSPECTS: &[Suspect] = &[
    ("indexing.watch_paths", |from, to| {
        to.indexing.watch_paths.clone_from(&from.indexing.watch_paths)
    }),
    ("indexing.ignore_patterns", |from, to| {
        to.indexing
            .ignore_patterns
            .clone_from(&from.indexing.ignore_patterns)
    }),
    ("indexing.size_exceptions", |from, to| {
        to.indexing
            .size_exceptions
            .clone_from(&from.indexing.size_exceptions)
    }),
    ("security.denied_paths", |from, to| {
        to.security.denied_paths.clone_from(&from.security.denied_paths)
    }),
    ("security.secret_patterns", |from, to| {
        to.security
            .secret_patterns
            .clone_from(&from.security.secret_patterns)
    }),
];

/// Where the setting stands without which everything opens; nothing if no setting is to blame.
pub(crate) fn blamed(loaded: &Loaded, opens: &dyn Fn(&Settings) -> bool) -> Option<Place> {
    let defaults = settings::load(&[], &Vec::new(), &[], &[]).ok()?.settings;
    if !opens(&defaults) {
        return None;
    }
    SUSPECTS.iter().find_map(|(key, copy)| {
        let mut alone = defaults.clone();
        copy(&loaded.settings, &mut alone);
        let guilty = !opens(&alone);
        guilty.then(|| {
            loaded
                .entries
                .iter()
                .find(|entry| entry.key == *key)
                .map(|entry| entry.place.clone())
        })?
    })
}
