//! Projects that somebody made to harm whoever looks at them: a name and a function that writes the project, for tests and for
//! `cargo xtask torture`. Generated and never stored, because git, editors and virus scanners stumble over such files too.
//!
//! Each project also holds `honest.rs`, which must be found whatever stands beside it. `bytes` is how large the large files are;
//! tests take little, the long run five megabytes. Unix only.

mod git_folder;
mod odd_files;
mod texts;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::random::Random;

pub use texts::soup;

/// Stands in `honest.rs`.
pub const HONEST: &str = "honest_marker_of_this_project";

pub struct Hostile {
    pub name: &'static str,
    /// Writes it into a folder that is empty but for `.git` and `honest.rs`.
    pub write: fn(&ProjectFolder<'_>),
    /// Whether the settings of the project are what is wrong, so that commands refuse it.
    pub is_refused: bool,
}

const fn hostile(name: &'static str, write: fn(&ProjectFolder<'_>)) -> Hostile {
    Hostile {
        name,
        write,
        is_refused: false,
    }
}

/// All of them, in a fixed order.
pub fn corpus() -> Vec<Hostile> {
    let mut all = odd_files();
    all.extend(texts());
    all.extend(git_folders());
    all
}

pub fn odd_files() -> Vec<Hostile> {
    odd_files::all()
}

pub fn texts() -> Vec<Hostile> {
    texts::all()
}

/// Crafted `.git` folders, ignore files and settings.
pub fn git_folders() -> Vec<Hostile> {
    git_folder::all()
}

/// Makes `root` a repository with `honest.rs` and what `hostile` adds.
pub fn make(hostile: &Hostile, root: &Path, bytes: usize, seed: u64) {
    let made = ProjectFolder { root, bytes, seed };
    made.write(
        "honest.rs",
        format!("/// Found whatever stands beside it.\npub fn {HONEST}() {{}}\n"),
    );
    crate::git(root, &["init", "--quiet"]);
    crate::git(root, &["add", "--all"]);
    crate::git(root, &["commit", "--quiet", "--message", "begin"]);
    (hostile.write)(&made);
}

/// The folder of a project that is being made.
pub struct ProjectFolder<'r> {
    root: &'r Path,
    bytes: usize,
    seed: u64,
}

impl ProjectFolder<'_> {
    fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    fn random(&self) -> Random {
        Random::new(self.seed)
    }

    fn folder(&self, path: &str) {
        std::fs::create_dir_all(self.path(path)).expect("a folder can be made");
    }

    fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("a folder can be made");
        std::fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// The text again and again until the file is as large as it should be.
    fn repeat(&self, path: &str, text: &str) {
        self.write(path, text.repeat(self.bytes.div_ceil(text.len())));
    }

    /// In the place of whatever is there.
    fn pipe(&self, path: &str) {
        let place = self.path(path);
        let _ = std::fs::remove_file(&place);
        std::fs::create_dir_all(place.parent().expect("it stands in a folder"))
            .expect("a folder can be made");
        run("mkfifo", &[place.as_os_str()]);
    }

    fn link(&self, target: impl AsRef<Path>, path: &str) {
        let place = self.path(path);
        let _ = std::fs::remove_file(&place);
        std::os::unix::fs::symlink(target, place).expect("a link can be made");
    }
}

fn run(program: &str, args: &[&std::ffi::OsStr]) -> bool {
    Command::new(program)
        .args(args)
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
