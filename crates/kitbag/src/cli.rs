//! The command line: arguments in, one answer out, written once at the end.
//!
//! A command is a function from a [`Context`] and its arguments to an [`Answer`] or a [`Failure`]; it prints nothing
//! itself. So there is one place that knows about JSON, broken pipes, panics and exit codes: [`run`].

mod answer;
mod arguments;
mod clipboard;
mod commands;
mod context;
mod excerpt;
mod input;
mod job;
mod meter;
mod outfile;
mod paths;
mod saved;
mod signals;
mod since;
mod spare_store;
mod tokenizer;
mod usage;

use std::borrow::Cow;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use clap::FromArgMatches as _;
use kitbag_engine::Delivery;

use answer::Answer;
use arguments::{Arguments, Command};
use context::{Context, Looks};
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, clean_code, print, talk};
use kitbag_door::{env, panics};

/// Everything, from the words to the exit code.
pub(crate) fn run(words: Vec<OsString>) -> Exit {
    let variables = env::variables();
    let mut looks = Looks::guess(&words, &variables);
    panics::install(&variables);
    let outcome = catch_unwind(AssertUnwindSafe(|| answer(words, variables, &mut looks)));
    match outcome {
        Ok(Ok(answer)) => show(&answer, &looks),
        Ok(Err(failure)) => fail(&failure, &looks),
        // A program that reads JSON is told in JSON too.
        Err(_) => {
            panics::tell(looks.stderr_colour);
            if looks.json {
                let failure = Failure {
                    exit: Exit::Bug,
                    ..Failure::trouble("INTERNAL_ERROR", panics::APOLOGY)
                };
                fail(&failure, &looks);
            }
            Exit::Bug
        }
    }
}

fn answer(words: Vec<OsString>, variables: env::Variables, looks: &mut Looks) -> Result<Answer, Failure> {
    let command = arguments::command().color(looks.clap_colour());
    let parsed = command
        .try_get_matches_from(words)
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() => return Ok(Answer::text(rendered(&error, looks.stdout_colour))),
        Err(error) => return misused(&error, looks),
    };
    *looks = Looks::new(arguments.everywhere.json, arguments.everywhere.color, &variables);
    let Some(command) = arguments.command else {
        let help = arguments::command().color(looks.clap_colour()).render_help();
        let help = if looks.stdout_colour {
            help.ansi().to_string()
        } else {
            help.to_string()
        };
        return Ok(Answer::text(help));
    };
    let started = Instant::now();
    let context = Context::new(arguments.everywhere, variables, looks)?;
    let (verbose, looks) = (context.everywhere.verbose, context.looks);
    let answer = answer_to(command, context)?;
    Ok(if verbose {
        answer.took(&looks, started.elapsed())
    } else {
        answer
    })
}

fn answer_to(command: Command, context: Context) -> Result<Answer, Failure> {
    match command {
        Command::Pack(arguments) => commands::pack::run(&context, *arguments),
        Command::Map(arguments) => commands::map::run(&context, arguments),
        Command::Explain(arguments) => commands::explain::run(&context, &arguments),
        Command::Verify(arguments) => commands::verify::run(&context, &arguments),
        Command::Cite(arguments) => commands::cite::run(&context, &arguments),
        Command::Index(arguments) => commands::index::run(&context, arguments),
        Command::Refresh(arguments) => commands::refresh::run(&context, &arguments),
        Command::Rebuild(arguments) => commands::rebuild::run(&context, &arguments),
        Command::Jobs(arguments) => commands::jobs::run(&context, &arguments),
        Command::Watch => commands::watch::run(&context),
        Command::Search(arguments) => commands::search::run(&context, *arguments),
        Command::History(arguments) => commands::history::run(&context, arguments),
        Command::Related(arguments) => commands::related::run(&context, arguments),
        Command::Tests(arguments) => commands::covering::run(&context, arguments),
        Command::Symbol(arguments) => commands::symbol::run(&context, arguments),
        Command::Memory(arguments) => commands::memory::run(&context, arguments),
        Command::Thread(arguments) => commands::thread::run(&context, arguments),
        Command::Feedback(arguments) => commands::feedback::run(&context, arguments),
        Command::Eval(arguments) => commands::eval::run(&context, &arguments),
        // Servers have the context for themselves.
        Command::Mcp(arguments) => commands::mcp::run(context, &arguments),
        Command::Serve(arguments) => commands::serve::run(context, &arguments),
        Command::Install(arguments) => commands::install::run(&context, &arguments),
        Command::Doctor => commands::doctor::run(&context),
        Command::Packages(arguments) => commands::packages::run(&context, arguments),
        Command::Constraints(arguments) => commands::constraints::run(&context, arguments),
        Command::KeyFiles(arguments) => commands::key_files::run(&context, arguments),
        Command::CheckDocs(arguments) => commands::check_docs::run(&context, arguments),
        Command::EntryPoints(arguments) => commands::entry_points::run(&context, arguments),
        Command::Patterns(arguments) => commands::patterns::run(&context, arguments),
        Command::AgentsMd(arguments) => commands::agents_md::run(&context, arguments),
        Command::DataAccess(arguments) => commands::data_access::run(&context, arguments),
        Command::Status => commands::status::run(&context),
        Command::Stats(arguments) => commands::stats::run(&context, &arguments),
        Command::Languages => Ok(commands::languages::run(&context)),
        Command::Tokens(arguments) => commands::tokens::run(&context, arguments),
        Command::CheckFile(arguments) => commands::check_file::run(&context, &arguments),
        Command::ListIndexable(arguments) => commands::list_indexable::run(&context, &arguments),
        Command::ProjectStats => commands::project_stats::run(&context),
        Command::ValidateConfig(arguments) => commands::validate_config::run(&context, arguments),
        Command::Config(arguments) => commands::config::run(&context, arguments),
        Command::Completions(arguments) => Ok(commands::completions::run(&context, &arguments)),
    }
}

/// Arguments that clap refused. People get its own message, with usage and the nearest flag; programs get JSON.
fn misused(error: &clap::Error, looks: &Looks) -> Result<Answer, Failure> {
    if looks.json {
        let text = rendered(error, false);
        let text = text.trim().strip_prefix("error: ").unwrap_or(text.trim());
        let message = text.split("\n\n").next().unwrap_or(text);
        return Err(
            Failure::wrong_use("INVALID_ARGUMENTS", message).with_hint("`kitbag help` lists the commands")
        );
    }
    // Clap quotes what it was given. If that could steer the terminal, its colours go with it.
    let plain = rendered(error, false);
    let safe: Vec<_> = plain.lines().map(clean_code).collect();
    let is_safe = safe.iter().all(|line| matches!(line, Cow::Borrowed(_)));
    talk(&if is_safe {
        rendered(error, looks.stderr_colour)
    } else {
        safe.join("\n") + "\n"
    });
    Ok(Answer {
        exit: Exit::WrongUse,
        ..Answer::text(String::new())
    })
}

fn rendered(error: &clap::Error, colour: bool) -> String {
    let text = error.render();
    if colour {
        text.ansi().to_string()
    } else {
        text.to_string()
    }
}

fn show(answer: &Answer, looks: &Looks) -> Exit {
    talk(&answer.talk);
    match print(&answer.text) {
        // A reader who has seen enough (`| head -1`) is not a failure.
        Ok(true) => {
            // What cannot be written down is sent again later; nobody lacks anything.
            let _ = answer.delivery.as_ref().map(Delivery::confirm);
            answer.exit
        }
        Ok(false) => Exit::Fine,
        Err(error) => {
            let failure = Failure::trouble(
                "OUTPUT_ERROR",
                format!("standard output cannot be written: {error}"),
            );
            let mut page = Page::new(looks.stderr_colour);
            failure.print(&mut page);
            talk(&page.into_text());
            failure.exit
        }
    }
}

fn fail(failure: &Failure, looks: &Looks) -> Exit {
    if looks.json {
        // If it cannot be written, the exit code still tells.
        let _ = print(&failure.to_json(looks.stdout_is_terminal));
    } else {
        let mut page = Page::new(looks.stderr_colour);
        failure.print(&mut page);
        talk(&page.into_text());
    }
    failure.exit
}
