//! The user's options for what belongs to the project. Plain data, which the door merges from flags, environment and files.

use std::path::PathBuf;

/// `Default` is the default of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundaryOptions {
    /// Folders or files inside the root, relative to it; `["auto"]` is the whole root (IDX-2).
    pub watch_paths: Vec<String>,
    /// In the syntax of `.gitignore`, relative to the root (IDX-3).
    pub ignore_patterns: Vec<String>,
    /// With or without the dot, any case; a whole file name counts too (`Dockerfile`). Empty: all (IDX-4).
    pub allowed_extensions: Vec<String>,
    pub blocked_extensions: Vec<String>,
    /// Patterns of files that may exceed `max_file_bytes`, up to [`Self::EXCEPTION_BYTES`].
    pub size_exceptions: Vec<String>,
    /// Never indexed and never shown, in addition to the built-in deny-list; `!exceptions` revoke a built-in rule (SEC-7).
    pub denied_paths: Vec<String>,
    pub max_file_bytes: u64,
    pub warn_file_bytes: u64,
    pub follow_symlinks: bool,
    /// Enter every hidden folder, not only those that describe the project. `.git` and the other built-in ones stay out.
    pub hidden: bool,
    /// Leave out what git ignores.
    pub use_gitignore: bool,
    pub use_dockerignore: bool,
    /// Git's `core.excludesFile`; see `global_ignore_path`.
    pub global_ignore: Option<PathBuf>,
    /// The user's home folder, which is refused as a root.
    pub home: Option<PathBuf>,
}

impl Default for BoundaryOptions {
    fn default() -> Self {
        Self {
            watch_paths: vec!["auto".to_owned()],
            ignore_patterns: Vec::new(),
            allowed_extensions: Vec::new(),
            blocked_extensions: Vec::new(),
            size_exceptions: Vec::new(),
            denied_paths: Vec::new(),
            max_file_bytes: 5_000_000,
            warn_file_bytes: 2_000_000,
            follow_symlinks: false,
            hidden: false,
            use_gitignore: true,
            use_dockerignore: false,
            global_ignore: None,
            home: None,
        }
    }
}

/// Raised when built-in rules change, so that stored boundaries are evaluated again. 1: the first. 2: hidden folders that describe
/// the project are in; files on the deny-list are not indexed. 3: hidden folders below which git tracks a build manifest are in.
const BUILT_IN_VERSION: u32 = 3;

impl BoundaryOptions {
    /// The limit of a size exception (SEC-4).
    pub const EXCEPTION_BYTES: u64 = 64_000_000;

    /// BLAKE3 of everything that decides what is indexed (IDX-8). Lists whose order does not matter are taken as sets.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&BUILT_IN_VERSION.to_le_bytes());
        let mut list = |items: &[String], ordered: bool| {
            let mut items: Vec<&String> = items.iter().collect();
            if !ordered {
                items.sort();
                items.dedup();
            }
            hasher.update(&(items.len() as u64).to_le_bytes());
            for item in items {
                hasher.update(&(item.len() as u64).to_le_bytes());
                hasher.update(item.as_bytes());
            }
        };
        list(&self.watch_paths, false);
        list(&self.ignore_patterns, true);
        list(&normal_extensions(&self.allowed_extensions), false);
        list(&normal_extensions(&self.blocked_extensions), false);
        list(&self.size_exceptions, true);
        list(&self.denied_paths, true);
        let global = self
            .global_ignore
            .as_ref()
            .map(|path| path.to_string_lossy().into_owned());
        list(&global.into_iter().collect::<Vec<_>>(), true);
        hasher.update(&self.max_file_bytes.to_le_bytes());
        hasher.update(&[
            u8::from(self.follow_symlinks),
            u8::from(self.hidden),
            u8::from(self.use_dockerignore),
            u8::from(self.use_gitignore),
        ]);
        *hasher.finalize().as_bytes()
    }
}

/// Lower case without the dot: `.RS` and `rs` mean the same.
pub(crate) fn normal_extensions(extensions: &[String]) -> Vec<String> {
    extensions
        .iter()
        .map(|extension| extension.trim_start_matches('.').to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests;
