//! What a case works in: the program, a project, a home folder that is nobody's, and ways to run one in the other.
//!
//! Every process gets a clean environment, so that no setting of the person who runs this reaches it.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kitbag_testkit::random::Random;

use super::process::{Bounds, Ran, run};

/// The user that owns nothing on Linux.
pub(super) const NOBODY: u32 = 65_534;

pub(super) struct Setup {
    pub(super) kitbag: PathBuf,
    /// A source file of every language.
    pub(super) fixtures: PathBuf,
    pub(super) seed: u64,
    pub(super) short: bool,
    /// Of all bounds in time.
    pub(super) factor: u32,
    pub(super) bounds: Bounds,
    pub(super) space: PathBuf,
}

impl Setup {
    pub(super) fn random(&self) -> Random {
        Random::new(self.seed)
    }

    /// A world with empty folders of this name.
    pub(super) fn world(&self, name: &str) -> Result<World, String> {
        let folder = self.space.join(name);
        // Of an earlier try; links and pipes are removed, not followed.
        if folder.exists() {
            remove(&folder)?;
        }
        let world = World {
            root: folder.join("project"),
            home: folder.join("home"),
            kitbag: self.kitbag.clone(),
            space: self.space.clone(),
            bounds: self.bounds,
            as_nobody: false,
        };
        for path in [&world.root, &world.home] {
            std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(world)
    }
}

#[derive(Clone)]
pub(super) struct World {
    pub(super) root: PathBuf,
    pub(super) home: PathBuf,
    pub(super) kitbag: PathBuf,
    pub(super) space: PathBuf,
    pub(super) bounds: Bounds,
    /// Run as a user without rights; only root can do that, and only root needs to.
    pub(super) as_nobody: bool,
}

impl World {
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.kitbag);
        command
            .current_dir(&self.root)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args(args)
            .stdin(Stdio::null());
        if self.as_nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Result<Ran, String> {
        run(&mut self.command(args), self.bounds, &self.space)
    }

    /// The same, with an index elsewhere than in git's folder.
    pub(super) fn run_in(&self, store: &Path, args: &[&str]) -> Result<Ran, String> {
        let store = store.display().to_string();
        self.run(&[&["--store", &store], args].concat())
    }

    pub(super) fn store(&self) -> PathBuf {
        self.root.join(".git/kitbag")
    }
}

/// Whether this process may do everything: then there are mounts, devices and other users to try with.
pub(super) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Removes a folder and all that is in it, at any depth. `std` keeps one file open per level, and deep trees have more levels
/// than a process may have files.
pub(super) fn remove(path: &Path) -> Result<(), String> {
    shell("chmod -R u+rwX \"$0\" 2>/dev/null; rm -rf \"$0\"", path)
}

/// Copies a folder, pipes and links as they are.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status();
    match done {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("cp {} {}: {other:?}", from.display(), to.display())),
    }
}

pub(super) fn shell(script: &str, path: &Path) -> Result<(), String> {
    let done = Command::new("sh").args(["-c", script]).arg(path).status();
    match done {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("{script} ({}): {other:?}", path.display())),
    }
}
