//! Where a command stands: the folder, the clock, the environment, the two streams; and the three things nearly every
//! command begins with: the root, the settings, the engine.
//!
//! Nothing is loaded before it is asked for: `kitbag languages` needs no settings, `kitbag status` no grammar.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use kitbag_engine::{Engine, Timestamp, api, default_store, find_root, global_ignore_path};

use super::arguments::{Colour, Everywhere};
use super::blame::blamed;
use crate::env::{self, Variables};
use crate::failure::Failure;
use crate::printer::{Page, Style, talk};
use crate::settings::{self, Flag, Loaded, Mode, Place, Settings};

/// How output looks. Known before the arguments are parsed, because refusing them is output too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks {
    pub(crate) json: bool,
    pub(crate) stdout_is_terminal: bool,
    pub(crate) stderr_is_terminal: bool,
    pub(crate) stdin_is_terminal: bool,
    /// Columns of the terminal that standard output goes to; `None` elsewhere.
    pub(crate) width: Option<usize>,
    pub(crate) stdout_colour: bool,
    pub(crate) stderr_colour: bool,
}

impl Looks {
    /// A guess from the bare words, for what is said before they are understood.
    pub(crate) fn guess(words: &[OsString], variables: &Variables) -> Looks {
        let flags: Vec<&str> = words
            .iter()
            .skip(1)
            .take_while(|word| *word != "--")
            .filter_map(|word| word.to_str())
            .collect();
        let after = |flag: &str| flags.iter().skip_while(|word| **word != flag).nth(1).copied();
        let colour = flags
            .iter()
            .find_map(|word| word.strip_prefix("--color="))
            .or_else(|| after("--color"));
        let colour = match colour {
            Some("always") => Colour::Always,
            Some("never") => Colour::Never,
            _ => Colour::Auto,
        };
        Looks::new(flags.contains(&"--json"), colour, variables)
    }

    pub(crate) fn new(json: bool, colour: Colour, variables: &Variables) -> Looks {
        let stdout_is_terminal = std::io::stdout().is_terminal();
        let stderr_is_terminal = std::io::stderr().is_terminal();
        // A flag outranks NO_COLOR, as flags outrank the environment everywhere.
        let wants = |is_terminal: bool| match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => is_terminal && !env::refuses_colour(variables),
        };
        Looks {
            json,
            stdout_is_terminal,
            stderr_is_terminal,
            stdin_is_terminal: std::io::stdin().is_terminal(),
            width: stdout_is_terminal.then(columns),
            stdout_colour: wants(stdout_is_terminal),
            stderr_colour: wants(stderr_is_terminal),
        }
    }

    /// Clap renders both ways whatever it is told; only its help pages look at this.
    pub(crate) fn clap_colour(&self) -> clap::ColorChoice {
        if self.stdout_colour {
            clap::ColorChoice::Always
        } else {
            clap::ColorChoice::Never
        }
    }
}

/// Of the terminal, or a usual number where it does not say.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) everywhere: Everywhere,
    pub(crate) variables: Variables,
    pub(crate) looks: Looks,
    pub(crate) cwd: PathBuf,
    pub(crate) now: Timestamp,
}

impl Context {
    pub(crate) fn new(
        everywhere: Everywhere,
        variables: Variables,
        looks: &Looks,
    ) -> Result<Context, Failure> {
        let cwd = std::env::current_dir().map_err(|error| {
            Failure::wrong_use(
                "PATH_NOT_FOUND",
                format!("the current folder cannot be used: {error}"),
            )
        })?;
        let now = clock(everywhere.now);
        Ok(Context {
            everywhere,
            variables,
            looks: *looks,
            cwd,
            now,
        })
    }

    /// The time at this moment, for commands that run on: `now` is when this one began.
    pub(crate) fn clock(&self) -> Timestamp {
        clock(self.everywhere.now)
    }

    /// The time that was given, or the clock's, and from there on as time goes: for work on another thread.
    pub(crate) fn ticking(&self) -> impl Fn() -> Timestamp + Send + use<> {
        let (begin, started, given) = (self.now, Instant::now(), self.everywhere.now);
        move || match given {
            Some(_) => Timestamp(begin.0 + started.elapsed().as_millis() as i64),
            None => clock(None),
        }
    }

    /// The project: what `--root` says, or the one around the current folder.
    pub(crate) fn root(&self) -> PathBuf {
        match &self.everywhere.root {
            Some(root) => self.cwd.join(root),
            None => find_root(&self.cwd, env::home(&self.variables).as_deref()).0,
        }
    }

    /// The same for another project.
    pub(crate) fn at(&self, root: &Path) -> Context {
        let mut context = self.clone();
        context.everywhere.root = Some(root.to_owned());
        context
    }

    /// Settings of the project, `flags` on top.
    pub(crate) fn settings(&self, root: &Path, flags: Vec<Flag>) -> Result<Loaded, Failure> {
        let files = settings::files(root, &self.variables)?;
        Ok(settings::load(
            &files,
            &self.variables,
            &self.with_store(flags),
            &languages(),
        )?)
    }

    /// `--store` is a setting like any other, so that `config show` can say where it came from.
    pub(crate) fn with_store(&self, mut flags: Vec<Flag>) -> Vec<Flag> {
        let store = self.everywhere.store.as_ref().map(|store| self.cwd.join(store));
        if let Some(text) = store.as_ref().and_then(|store| store.to_str()) {
            flags.push(Flag {
                flag: "--store",
                key: "storage.path",
                text: text.to_owned(),
            });
        }
        if let Some(url) = &self.everywhere.server {
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

    /// The engine, or what is wrong and, if a setting is to blame, where that stands.
    pub(crate) fn engine(&self, root: &Path, loaded: &Loaded) -> Result<Engine, (Failure, Option<Place>)> {
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
        let engine = open(&loaded.settings)
            .map_err(|error| (error.into(), blamed(loaded, &|settings| open(settings).is_ok())))?;
        if self.everywhere.verbose {
            self.say("root", &engine.root().display().to_string());
            self.say("store", &engine.store_dir().display().to_string());
        }
        Ok(engine)
    }

    /// The usual beginning: root, settings, engine.
    pub(crate) fn open(&self, flags: Vec<Flag>) -> Result<(Engine, Settings), Failure> {
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
        if let Some(store) = &self.everywhere.store {
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

    /// A line of `--verbose`.
    pub(crate) fn say(&self, what: &str, value: &str) {
        let mut page = Page::new(self.looks.stderr_colour);
        page.styled(Style::Quiet, &format!("{what}:"))
            .put(" ")
            .line(value);
        talk(&page.into_text());
    }
}

/// The names that `[chunking.<language>]` may have.
pub(crate) fn languages() -> Vec<&'static str> {
    api::languages().iter().map(|language| language.name).collect()
}

fn clock(given: Option<i64>) -> Timestamp {
    Timestamp(given.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }))
}
