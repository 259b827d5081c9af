//! `kitbag serve`: HTTP, JSON-RPC and MCP on one port until it is told to end.

use crate::cli::answer::Answer;
use crate::cli::arguments::Serve;
use crate::cli::context::Context;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{print, talk};
use kitbag_door::settings::Flag;
use kitbag_server::Project;
use kitbag_server::http;

pub(crate) fn run(context: Context, arguments: &Serve) -> Result<Answer, Failure> {
    let given = [
        ("--host", "engine.host", &arguments.host),
        ("--port", "engine.port", &arguments.port),
    ];
    let flags = given
        .into_iter()
        .filter_map(|(flag, key, text)| {
            let text = text.clone()?;
            Some(Flag { flag, key, text })
        })
        .collect();
    let (json, quiet) = (context.looks.json, context.everywhere.quiet);
    let project = Project::open(context.around.clone(), flags)?;
    context.say_places(&project.current().engine);
    http::serve(&project, &arguments.sets(), arguments.log, |url| {
        if json {
            // Print the address; if standard error is closed, serve anyway.
            let _ = print(&format!(
                "{}\n",
                serde_json::json!({"url": url, "pid": std::process::id()})
            ));
        } else if !quiet {
            talk(&format!("serving {} at {url}\n", project.root().display()));
        }
    })?;
    Ok(Answer::text(String::new()))
}
