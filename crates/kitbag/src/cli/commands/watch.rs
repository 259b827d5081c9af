//! `kitbag watch`: keep the index up to date until Ctrl-C. The only command that prints while it works: a line on standard
//! error for each update, or with `--json` one object per line on standard output.

use kitbag_engine::Alarm;
use kitbag_engine::api::{self, WatchEvent, WatchUpdate};
use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use crate::cli::signals::on_signal;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Page, Style, counted, grouped, json, print, talk};

/// Most paths that a line for people names.
const NAMED: usize = 3;

pub(crate) fn run(context: &Context) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    if !settings.watcher.enabled {
        return Err(Failure::wrong_use(
            "CONFIG_ERROR",
            "watching is switched off: watcher.enabled is false",
        )
        .with_hint("`kitbag config show` says where that comes from"));
    }
    let alarm = Alarm::new();
    let stopping = alarm.clone();
    on_signal(move || stopping.stop())?;
    let mut talker = WatchPrinter {
        context,
        root: engine.root().display().to_string(),
        alarm: &alarm,
        meter: None,
        is_first: true,
        warnings: Vec::new(),
    };
    api::watch(
        &engine,
        settings.watcher.options,
        &alarm,
        &mut |event| talker.tell(event),
        &|| context.around.clock(),
    )?;
    Ok(Answer::text(String::new()))
}

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    event: &'static str,
    #[serde(flatten)]
    update: Option<&'a WatchUpdate>,
    #[serde(flatten)]
    failure: Option<WatchMessage<'a>>,
}

#[derive(Serialize)]
struct WatchMessage<'a> {
    code: &'a str,
    message: &'a str,
}

struct WatchPrinter<'a> {
    context: &'a Context,
    root: String,
    alarm: &'a Alarm,
    /// Of the run that is under way.
    meter: Option<Meter>,
    is_first: bool,
    /// The last warnings: the same ones are not repeated after every edit.
    warnings: Vec<String>,
}

impl WatchPrinter<'_> {
    fn tell(&mut self, event: WatchEvent<'_>) {
        if let WatchEvent::Progress(progress) = event {
            let context = self.context;
            let meter = self.meter.get_or_insert_with(|| Meter::new(context));
            return meter.report(progress);
        }
        if let Some(meter) = self.meter.take() {
            meter.finish();
        }
        match event {
            WatchEvent::Progress(_) => {}
            WatchEvent::Updated(update) => self.updated(&update),
            WatchEvent::Waiting => self.line(
                "waiting",
                "another process watches this project; waiting for it to end",
            ),
            WatchEvent::RootGone => self.line(
                "root_gone",
                "the project folder is gone; waiting for it to come back",
            ),
            WatchEvent::RootBack => self.line("root_back", "the project folder is back"),
            WatchEvent::Failed(error) => {
                let message = error.to_string();
                let told = WatchMessage {
                    code: error.code(),
                    message: &message,
                };
                self.json("failed", None, Some(told));
                self.say(|page| {
                    page.styled(Style::Error, "error:").put(" ").line(&message);
                });
            }
        }
    }

    fn updated(&mut self, update: &WatchUpdate) {
        let is_first = std::mem::take(&mut self.is_first);
        if is_first || !update.is_empty() {
            self.json(if is_first { "watching" } else { "updated" }, Some(update), None);
            self.say(|page| {
                if is_first {
                    page.styled(Style::Good, "watching").put(" ");
                    page.put(&self.root)
                        .put(&format!(": {}", counted(update.files, "file")));
                } else {
                    page.styled(Style::Good, "updated");
                }
                page.line(&changes(update));
            });
        }
        if update.warnings != self.warnings {
            self.say(|page| {
                for warning in &update.warnings {
                    page.styled(Style::Warning, "warning:").put(" ").line(warning);
                }
            });
            self.warnings.clone_from(&update.warnings);
        }
    }

    fn line(&self, event: &'static str, words: &str) {
        self.json(event, None, None);
        self.say(|page| {
            page.line(words);
        });
    }

    fn say(&self, write: impl FnOnce(&mut Page)) {
        if self.context.everywhere.quiet || self.context.looks.json {
            return;
        }
        let mut page = Page::new(self.context.looks.stderr_colour);
        write(&mut page);
        talk(&page.into_text());
    }

    fn json(&self, event: &'static str, update: Option<&WatchUpdate>, failure: Option<WatchMessage<'_>>) {
        if !self.context.looks.json {
            return;
        }
        let line = Line {
            event,
            update,
            failure,
        };
        // Always on one line, for programs that read line by line. If nobody reads any more, stop watching.
        if !matches!(print(&json(&line, false)), Ok(true)) {
            self.alarm.stop();
        }
    }
}

/// `, 1 added, 2 changed: src/a.rs, src/b.rs, src/c.rs`, as far as there is something to say.
fn changes(update: &WatchUpdate) -> String {
    let counts = [
        (update.added, "added"),
        (update.changed, "changed"),
        (update.removed, "removed"),
        (update.failed, "failed"),
    ];
    let said: Vec<String> = counts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{} {word}", grouped(*n)))
        .collect();
    if said.is_empty() {
        return String::new();
    }
    let n_paths = update.added + update.changed + update.removed;
    let named = update.paths.iter().take(NAMED).cloned().collect::<Vec<_>>();
    let more = n_paths.saturating_sub(named.len() as u64);
    let more = if more > 0 {
        format!(" and {} more", grouped(more))
    } else {
        String::new()
    };
    let colon = if named.is_empty() { "" } else { ": " };
    format!(", {}{colon}{}{more}", said.join(", "), named.join(", "))
}
