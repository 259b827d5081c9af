//! The context of a command: its environment, the options that every command takes, and how its output looks.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::Path;

use kitbag_engine::Engine;

use super::arguments::{Colour, GlobalFlags};
use kitbag_door::env::{self, Variables};
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Page, Style, talk};
use kitbag_door::settings::{Flag, Loaded, Place, Settings};
use kitbag_door::surroundings::{Options, Surroundings};

/// How output looks. Known before the arguments are parsed, because errors about them are output too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks {
    pub(crate) json: bool,
    pub(crate) stdout_is_terminal: bool,
    pub(crate) stderr_is_terminal: bool,
    pub(crate) stdin_is_terminal: bool,
    /// Columns of the terminals that standard output and standard error go to; `None` elsewhere.
    stdout_width: Option<usize>,
    stderr_width: Option<usize>,
    pub(crate) stdout_colour: bool,
    pub(crate) stderr_colour: bool,
}

impl Looks {
    /// A guess from the raw arguments, for messages before they are parsed.
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
            stdout_width: stdout_is_terminal.then(columns),
            stderr_width: stderr_is_terminal.then(columns),
            stdout_colour: wants(stdout_is_terminal),
            stderr_colour: wants(stderr_is_terminal),
        }
    }

    /// A page for standard output.
    pub(crate) fn page(&self) -> Page {
        Page::new(self.stdout_colour).fitting(self.stdout_width)
    }

    /// A page for standard error whose lines fit the terminal.
    pub(crate) fn talk_page(&self) -> Page {
        Page::new(self.stderr_colour).fitting(self.stderr_width)
    }

    /// The colour choice for clap, which only its help pages use.
    pub(crate) fn clap_colour(&self) -> clap::ColorChoice {
        if self.stdout_colour {
            clap::ColorChoice::Always
        } else {
            clap::ColorChoice::Never
        }
    }
}

/// The width of the terminal, or a common width if it is not known.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}

/// A command's environment, the options that every command takes, and how its output looks.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) around: Surroundings,
    pub(crate) everywhere: GlobalFlags,
    pub(crate) looks: Looks,
}

impl Context {
    pub(crate) fn new(
        everywhere: GlobalFlags,
        variables: Variables,
        looks: &Looks,
    ) -> Result<Context, Failure> {
        let given = Options {
            root: everywhere.root.clone(),
            store: everywhere.store.clone(),
            server: everywhere.server.clone(),
            now: everywhere.now,
        };
        Ok(Context {
            around: Surroundings::new(given, variables)?,
            everywhere,
            looks: *looks,
        })
    }

    /// The usual beginning of a command: root, settings, engine.
    pub(crate) fn open(&self, flags: Vec<Flag>) -> Result<(Engine, Settings), Failure> {
        let (engine, settings) = self.open_if_off(flags)?;
        match settings.engine.enabled {
            true => Ok((engine, settings)),
            false => Err(Failure::switched_off()),
        }
    }

    /// The same for commands that answer although the master switch is off (`engine.enabled`).
    pub(crate) fn open_if_off(&self, flags: Vec<Flag>) -> Result<(Engine, Settings), Failure> {
        let (engine, settings) = self.around.open(flags)?;
        self.say_places(&engine);
        Ok((engine, settings))
    }

    /// The engine, or what is wrong; if it is a setting, with its place.
    pub(crate) fn engine(&self, root: &Path, loaded: &Loaded) -> Result<Engine, (Failure, Option<Place>)> {
        let engine = self.around.engine(root, loaded)?;
        self.say_places(&engine);
        Ok(engine)
    }

    /// Where the project and its index are, for `--verbose`.
    pub(crate) fn say_places(&self, engine: &Engine) {
        if self.everywhere.verbose {
            self.say("root", &engine.root().display().to_string());
            self.say("store", &engine.store_dir().display().to_string());
        }
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
