//! The files of the tree, for the few questions that assembling asks: is there a file beside this one, are there sources below.
//!
//! A sorted list and binary search: what lies below a folder is one range of it, and no folder is listed.

use kitbag_types::RepoPath;

pub(super) struct Files<'a> {
    /// Sorted.
    paths: Vec<&'a str>,
}

impl<'a> Files<'a> {
    pub(super) fn new(files: &'a [RepoPath]) -> Self {
        let mut paths: Vec<&str> = files.iter().map(RepoPath::as_str).collect();
        if !paths.is_sorted() {
            paths.sort_unstable();
        }
        Self { paths }
    }

    pub(super) fn has_beside(&self, folder: &str, name: &str) -> bool {
        match folder {
            "" => self.paths.binary_search(&name).is_ok(),
            folder => self
                .paths
                .binary_search(&format!("{folder}/{name}").as_str())
                .is_ok(),
        }
    }

    pub(super) fn has_folder(&self, folder: &str) -> bool {
        !self.below(folder).is_empty()
    }

    /// Whether a file with one of the extensions stands in the folder or one level below.
    pub(super) fn has_sources(&self, folder: &str, extensions: &[&str]) -> bool {
        let skipped = if folder.is_empty() { 0 } else { folder.len() + 1 };
        self.below(folder).iter().any(|path| {
            let near = path[skipped..].matches('/').count() <= 1;
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
            near && extensions.contains(&ending)
        })
    }

    /// Folder and extension of every file, in the order of the paths.
    pub(super) fn folders_and_extensions(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.paths.iter().map(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            (
                folder,
                name.rsplit_once('.').map_or("", |(_, extension)| extension),
            )
        })
    }

    fn below(&self, folder: &str) -> &[&'a str] {
        if folder.is_empty() {
            return &self.paths;
        }
        let first = format!("{folder}/");
        let start = self.paths.partition_point(|path| *path < first.as_str());
        let n = self.paths[start..].partition_point(|path| path.starts_with(&first));
        &self.paths[start..start + n]
    }
}
