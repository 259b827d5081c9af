//! `kitbag config`: the settings, where their values come from, and a file to start with.

use std::fs::OpenOptions;
use std::io::{self, Write as _};

use kitbag_engine::SecretRules;
use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::arguments::{Config, ConfigAction, ConfigInit};
use crate::cli::context::Context;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Align, Style, Table};
use kitbag_door::settings::{self, FILE_NAME, commented_file};

pub(crate) fn run(context: &Context, arguments: Config) -> Result<Answer, Failure> {
    match arguments.action {
        ConfigAction::Show => show(context),
        ConfigAction::Path => Ok(path(context)),
        ConfigAction::Init(arguments) => init(context, &arguments),
    }
}

#[derive(Serialize)]
struct ShowReply {
    settings: Vec<ShowEntry>,
}

#[derive(Serialize)]
struct ShowEntry {
    key: String,
    /// In TOML; null if it is unset.
    value: Option<String>,
    /// `default`, `FILE:LINE:COLUMN`, a variable or a flag.
    from: String,
    /// The effect of leaving it unset.
    unset: Option<&'static str>,
}

fn show(context: &Context) -> Result<Answer, Failure> {
    let loaded = context.around.settings(&context.around.root(), Vec::new())?;
    // Keys are hidden by their row; an address or a list may hold one too (SEC-7).
    let rules = SecretRules::built_in();
    let entry = |entry: settings::Entry| ShowEntry {
        key: entry.key,
        unset: entry.value.is_none().then_some(entry.unset_means),
        value: entry.value.map(|value| rules.redact(&value).0.into_owned()),
        from: entry.place.to_string(),
    };
    let reply = ShowReply {
        settings: loaded.entries.into_iter().map(entry).collect(),
    };
    Ok(Answer::new(context, &reply, |page| {
        let columns = [
            (Align::Left, Some(Style::Label)),
            (Align::Left, None),
            (Align::Left, Some(Style::Quiet)),
        ];
        let mut table = Table::new(&columns);
        for entry in &reply.settings {
            let value = match (&entry.value, entry.unset) {
                (Some(value), _) => value.clone(),
                (None, unset) => format!("({})", unset.unwrap_or("unset")),
            };
            table.row(&[&entry.key, &value, &entry.from]);
        }
        table.fit(1).print(page);
    }))
}

#[derive(Serialize)]
struct PathReply {
    /// Null if neither XDG_CONFIG_HOME nor HOME is set.
    user: Option<PathEntry>,
    project: PathEntry,
}

#[derive(Serialize)]
struct PathEntry {
    path: String,
    exists: bool,
}

fn path(context: &Context) -> Answer {
    let entry = |path: std::path::PathBuf| PathEntry {
        exists: path.exists(),
        path: path.display().to_string(),
    };
    let reply = PathReply {
        user: settings::user_file(&context.around.variables).map(entry),
        project: entry(context.around.root().join(FILE_NAME)),
    };
    Answer::new(context, &reply, |page| {
        let mut table = Table::new(&[
            (Align::Left, None),
            (Align::Left, Some(Style::Path)),
            (Align::Left, None),
        ]);
        let files = [("user", reply.user.as_ref()), ("project", Some(&reply.project))];
        for (whose, file) in files.into_iter().filter_map(|(whose, file)| Some((whose, file?))) {
            table.row(&[whose, &file.path, if file.exists { "" } else { "(not there)" }]);
        }
        table.print(page);
    })
}

#[derive(Serialize)]
struct PrintReply {
    text: String,
}

#[derive(Serialize)]
struct InitReply {
    path: String,
}

fn init(context: &Context, arguments: &ConfigInit) -> Result<Answer, Failure> {
    if arguments.print {
        let reply = PrintReply {
            text: commented_file(),
        };
        return Ok(Answer::own(context, &reply, |reply| &reply.text));
    }
    let path = context.around.root().join(FILE_NAME);
    let mut options = OpenOptions::new();
    options.write(true);
    // Without --force the file must not exist; the system checks that and creates it in one step.
    if arguments.force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let written = options
        .open(&path)
        .and_then(|mut file| file.write_all(commented_file().as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::wrong_use("CONFIG_ERROR", format!("{} is there already", path.display()))
                .with_hint("--force replaces it, --print shows what would be written")
        }
        _ => Failure::trouble(
            "CONFIG_ERROR",
            format!("{} cannot be written: {error}", path.display()),
        ),
    })?;
    let reply = InitReply {
        path: path.display().to_string(),
    };
    Ok(Answer::new(context, &reply, |page| {
        page.put("wrote ").styled(Style::Path, &reply.path).end_line();
    }))
}
