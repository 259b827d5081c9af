//! An index for one answer, in a temporary folder: for a store that cannot be used, where making it again does not help (ENG-70).

use kitbag_door::failure::Failure;
use kitbag_door::settings::Flag;
use kitbag_engine::{Engine, EngineError};

use super::context::Context;

/// What stands instead of the store, in warnings.
pub(crate) const FALLBACK: &str = "an index was made for this answer only";

/// Runs `work` with an index of its own, which is removed afterwards. `error`: why the store cannot be used.
pub(crate) fn with_spare_store<T>(
    context: &Context,
    flags: Vec<Flag>,
    error: EngineError,
    work: impl FnOnce(&Engine) -> Result<T, EngineError>,
) -> Result<T, Failure> {
    let folder = std::env::temp_dir().join(format!("kitbag-{}", std::process::id()));
    // The temporary folder is everybody's: a folder that is already there may be somebody else's trap.
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if builder.create(&folder).is_err() {
        return Err(error.into());
    }
    let mut around = context.around.clone();
    around.given.store = Some(folder.clone());
    let done = match around.open(flags) {
        Ok((engine, _)) => work(&engine).map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    // If it cannot be removed, it lies where the system cleans up.
    let _ = std::fs::remove_dir_all(&folder);
    done
}
