//! Path patterns of requests.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::EngineError;

/// Globs as people use them: `src` matches everything below a folder of that name, `*.rs` matches at any depth, `src/*.rs` only
/// directly in `src`.
pub(crate) fn globs(patterns: &[String]) -> Result<GlobSet, EngineError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let invalid = |error: globset::Error| EngineError::Invalid {
            code: "INVALID_GLOB",
            message: format!("`{pattern}` is not a valid path pattern: {}", error.kind()),
        };
        let bare = pattern.trim_start_matches("./").trim_end_matches('/');
        if bare.is_empty() || bare == "." {
            set.add(glob("**").map_err(invalid)?);
            continue;
        }
        set.add(glob(bare).map_err(invalid)?);
        set.add(glob(&format!("{bare}/**")).map_err(invalid)?);
        if !bare.contains('/') {
            set.add(glob(&format!("**/{bare}")).map_err(invalid)?);
            set.add(glob(&format!("**/{bare}/**")).map_err(invalid)?);
        }
    }
    set.build().map_err(|error| EngineError::Invalid {
        code: "INVALID_GLOB",
        message: error.to_string(),
    })
}

/// Whether a path matches one of `paths`, if there are any, and none of `exclude`. A pattern that is none matches nothing.
pub(crate) fn allows(paths: &[String], exclude: &[String], path: &str) -> bool {
    let matches = |patterns: &[String]| globs(patterns).is_ok_and(|set| set.is_match(path));
    (paths.is_empty() || matches(paths)) && !matches(exclude)
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}
