//! The surroundings of a command or a server: the current folder, the environment, the clock, and the options that override
//! them. They determine the project root, the settings and the engine.
//!
//! Nothing is loaded before it is needed: `kitbag languages` reads no settings, `kitbag status` loads no grammar.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use kitbag_engine::{Engine, Timestamp, api, default_store, find_root, global_ignore_path};

use crate::blame::blamed;
use crate::env::{self, Variables};
use crate::failure::Failure;
use crate::settings::{self, Flag, Loaded, Mode, Place, Settings};

/// The options that every command takes and that decide on which project it works.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `--root`.
    pub root: Option<PathBuf>,
    /// `--store`.
    pub store: Option<PathBuf>,
    /// `--server`.
    pub server: Option<String>,
    /// `--now`, in milliseconds since 1970.
    pub now: Option<i64>,
}

#[derive(Clone)]
pub struct Surroundings {
    pub given: Options,
    pub variables: Variables,
    pub cwd: PathBuf,
    /// When the command began.
    pub now: Timestamp,
}

impl Surroundings {
    pub fn new(given: Options, variables: Variables) -> Result<Surroundings, Failure> {
        let cwd = std::env::current_dir().map_err(|error| {
            Failure::wrong_use(
                "PATH_NOT_FOUND",
                format!("the current folder cannot be used: {error}"),
            )
        })?;
        let now = clock(given.now);
        Ok(Surroundings {
            given,
            variables,
            cwd,
            now,
        })
    }

    /// The current time, for commands that run for long; `now` is when the command began.
    pub fn clock(&self) -> Timestamp {
        clock(self.given.now)
    }

    /// A clock that starts at `now`, for work on another thread.
    pub fn ticking(&self) -> impl Fn() -> Timestamp + Send + use<> {
        let (begin, started, given) = (self.now, Instant::now(), self.given.now);
        move || match given {
            Some(_) => Timestamp(begin.0 + started.elapsed().as_millis() as i64),
            None => clock(None),
        }
    }

    /// The project root: `--root`, or the project around the current folder.
    pub fn root(&self) -> PathBuf {
        match &self.given.root {
            Some(root) => self.cwd.join(root),
            None => find_root(&self.cwd, env::home(&self.variables).as_deref()).0,
        }
    }

    /// The same surroundings with another project.
    pub fn at(&self, root: &Path) -> Surroundings {
        let mut around = self.clone();
        around.given.root = Some(root.to_owned());
        around
    }

    /// The settings of the project, with `flags` on top.
    pub fn settings(&self, root: &Path, flags: Vec<Flag>) -> Result<Loaded, Failure> {
        let files = settings::files(root, &self.variables)?;
        Ok(settings::load(
            &files,
            &self.variables,
            &self.with_store(flags),
            &languages(),
        )?)
    }

    /// `--store` is passed as a setting, so that `config show` can say where it came from.
    pub fn with_store(&self, mut flags: Vec<Flag>) -> Vec<Flag> {
        let store = self.given.store.as_ref().map(|store| self.cwd.join(store));
        if let Some(text) = store.as_ref().and_then(|store| store.to_str()) {
            flags.push(Flag {
                flag: "--store",
                key: "storage.path",
                text: text.to_owned(),
            });
        }
        if let Some(url) = &self.given.server {
            let given = [
                ("engine.url", url.as_str()),
                ("engine.mode", Mode::Standalone.as_str()),
            ];
            flags.extend(given.map(|(key, text)| Flag {
                flag: "--server",
                key,
                text: text.to_owned(),
            }));
        }
        flags
    }

    /// The engine; or the failure and, if a setting caused it, the place of that setting.
    pub fn engine(&self, root: &Path, loaded: &Loaded) -> Result<Engine, (Failure, Option<Place>)> {
        let store = self
            .store(root, &loaded.settings)
            .map_err(|failure| (failure, None))?;
        let home = env::home(&self.variables);
        let config_home = env::config_home(&self.variables);
        let global_ignore = global_ignore_path(home.as_deref(), config_home.as_deref());
        let open = |settings: &Settings| {
            let mut options = settings.options();
            options.boundary.home.clone_from(&home);
            options.boundary.global_ignore.clone_from(&global_ignore);
            Engine::open(root, store.clone(), options)
        };
        open(&loaded.settings)
            .map_err(|error| (error.into(), blamed(loaded, &|settings| open(settings).is_ok())))
    }

    /// Finds the root, loads the settings and opens the engine.
    pub fn open(&self, flags: Vec<Flag>) -> Result<(Engine, Settings), Failure> {
        let root = self.root();
        let loaded = self.settings(&root, flags)?;
        let engine = self
            .engine(&root, &loaded)
            .map_err(|(failure, place)| match place {
                Some(place) => Failure {
                    message: format!("{place}: {}", failure.message),
                    ..failure
                },
                None => failure,
            })?;
        Ok((engine, loaded.settings))
    }

    fn store(&self, root: &Path, settings: &Settings) -> Result<PathBuf, Failure> {
        if let Some(store) = &self.given.store {
            return Ok(self.cwd.join(store));
        }
        if let Some(path) = &settings.storage_path {
            return Ok(root.join(path));
        }
        let cache = env::cache_home(&self.variables);
        let store = default_store(root, cache.as_deref().unwrap_or(Path::new("")));
        if store.is_relative() {
            let message =
                "there is no place for the index: neither HOME nor XDG_CACHE_HOME is an absolute path";
            return Err(
                Failure::wrong_use("CONFIG_ERROR", message).with_hint("choose one with --store FOLDER")
            );
        }
        Ok(store)
    }
}

/// The names that `[chunking.<language>]` may have.
pub fn languages() -> Vec<&'static str> {
    api::languages().iter().map(|language| language.name).collect()
}

fn clock(given: Option<i64>) -> Timestamp {
    Timestamp(given.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }))
}
