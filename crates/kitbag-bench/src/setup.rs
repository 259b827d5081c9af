//! What every measurement needs: the time, and an engine over a folder.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use kitbag_engine::{Engine, Options, Timestamp};

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("the clock is past 1970");
    Timestamp(since.as_millis() as i64)
}

pub(crate) fn engine(root: &Path, store: &Path) -> Engine {
    Engine::open(root, store.to_owned(), Options::default()).expect("the corpus is a folder")
}
