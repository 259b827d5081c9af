//! A temporary folder built from one string, so that a test shows its whole world in one place.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Removed when dropped.
pub struct TempTree {
    dir: TempDir,
    root: PathBuf,
}

impl TempTree {
    /// An empty folder. Its path is canonical, so that tests can compare paths with `==`.
    pub fn empty() -> Self {
        let dir = TempDir::with_prefix("kitbag-").expect("the temporary folder is writable");
        let root = dir.path().canonicalize().expect("it was just made");
        Self { dir, root }
    }

    /// A folder with the files of `fixture`: each starts with a line `//- path/to/file`, and what follows up to the next
    /// such line is its content. A path that ends in `/` is an empty folder.
    pub fn new(fixture: &str) -> Self {
        let tree = Self::empty();
        let mut open: Option<(&str, String)> = None;
        for line in fixture.split_inclusive('\n') {
            if let Some(path) = line.strip_prefix("//- ") {
                tree.put(open.take());
                open = Some((path.trim_end_matches(['\n', '\r']), String::new()));
            } else if let Some((_, text)) = &mut open {
                text.push_str(line);
            } else {
                assert!(
                    line.trim().is_empty(),
                    "text before the first `//- path` of a fixture: {line:?}"
                );
            }
        }
        tree.put(open);
        tree
    }

    fn put(&self, file: Option<(&str, String)>) {
        match file {
            Some((path, _)) if path.ends_with('/') => self.mkdir(path),
            Some((path, text)) => self.write(path, text),
            None => {}
        }
    }

    /// The canonical path of the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file and the folders it needs.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("the folder can be made");
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    pub fn read(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(path);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn mkdir(&self, path: impl AsRef<Path>) {
        fs::create_dir_all(self.path(path)).expect("the folder can be made");
    }

    /// Removes a file, a link or a folder with all that is in it.
    pub fn remove(&self, path: impl AsRef<Path>) {
        let path = self.path(path);
        let kind = fs::symlink_metadata(&path)
            .expect("what is removed exists")
            .file_type();
        let done = if kind.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Makes `link` a symbolic link that says `target`.
    #[cfg(unix)]
    pub fn symlink(&self, target: impl AsRef<Path>, link: impl AsRef<Path>) {
        let link = self.path(link);
        fs::create_dir_all(link.parent().expect("a link stands in a folder"))
            .expect("the folder can be made");
        std::os::unix::fs::symlink(target, link).expect("the link can be made");
    }

    /// Runs git here; see [`crate::git()`].
    pub fn git(&self, args: &[&str]) -> String {
        crate::git(&self.root, args)
    }

    /// Keeps the folder for a look after a failure and gives its path.
    pub fn keep(self) -> PathBuf {
        self.dir.keep()
    }
}
