//! Checks the files of each agent: whether Kitbag is in them, and whether the server they name starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::Check;
use super::handshake::{Server, handshake};
use crate::install::agents::{AGENTS, Agent, AgentFile};
use crate::install::config;
use crate::install::entry::{Launch, NAME, launch_of};
use crate::install::file;
use crate::install::programs::resolve;
use kitbag_door::env::{self, Variables};

/// Agents wait longer, but here a person is waiting.
const PATIENCE: Duration = Duration::from_secs(5);

/// Who wrote a file. The file of a project may come from anybody, so its command is not run.
#[derive(Clone, Copy, PartialEq)]
enum FileOwner {
    Users,
    Projects,
}

type Started = BTreeMap<(Launch, Vec<(String, String)>, PathBuf), Result<Server, String>>;

/// Where agents start a server whose entry names no folder: in the project, or in the home folder (MCP-7).
struct Folders<'f> {
    root: &'f Path,
    home: Option<PathBuf>,
}

/// One check per file that has an entry or should have one.
pub fn agents(root: &Path, variables: &Variables) -> Vec<Check> {
    let mut checks = Vec::new();
    // Most agents start the same server; it is started once.
    let mut started: Started = BTreeMap::new();
    let folders = Folders {
        root,
        home: env::home(variables),
    };
    for agent in AGENTS {
        let files = [
            (agent.user_file(variables), FileOwner::Users),
            (
                agent.project_file(root).filter(|file| file.path.exists()),
                FileOwner::Projects,
            ),
        ];
        let found: Vec<Check> = files
            .iter()
            .filter_map(|(file, whose)| {
                entry(agent, file.as_ref()?, *whose, &folders, variables, &mut started)
            })
            .collect();
        let sign = agent.sign(variables);
        if let (true, Some(sign)) = (found.is_empty(), sign) {
            let detail = format!(
                "{} is here ({}), but does not know Kitbag",
                agent.name,
                sign.display()
            );
            let advice = format!("`kitbag install --agent {}`", agent.id);
            checks.push(Check::warning("agent", detail, advice).of(agent.id));
        }
        checks.extend(found.into_iter().map(|check| check.of(agent.id)));
    }
    if checks.is_empty() {
        let advice = "`kitbag install --list` shows which are known; `kitbag install --agent ID` sets one up";
        checks.push(Check::warning(
            "agent",
            "no coding agent was found on this machine",
            advice,
        ));
    }
    checks
}

/// `None` if the file does not mention Kitbag.
fn entry(
    agent: &Agent,
    agent_file: &AgentFile,
    whose: FileOwner,
    folders: &Folders<'_>,
    variables: &Variables,
    started: &mut Started,
) -> Option<Check> {
    let path = agent_file.path.display();
    let problem = |detail: String, advice: &str| Some(Check::problem("agent", detail, advice));
    let bytes = match file::read(&agent_file.path) {
        Ok(bytes) => bytes?,
        Err(error) => {
            return problem(
                format!("{path} cannot be read: {error}"),
                "make the file readable for you",
            );
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return problem(format!("{path} is not UTF-8"), "save it as UTF-8");
    };
    let text = text.trim_start_matches('\u{feff}');
    let found = match config::find(text, agent_file.slot) {
        Ok(found) => found?,
        Err(refusal) => {
            let (line, column) = refusal.place(text);
            let detail = format!("{path}:{line}:{column}: {}", refusal.message);
            return problem(
                detail,
                &format!("correct the file: {} cannot read it either", agent.name),
            );
        }
    };
    let again = format!("`kitbag install --agent {}` writes it anew", agent.id);
    if ["url", "httpUrl", "serverUrl"]
        .into_iter()
        .any(|key| found.get(key).is_some())
    {
        return Some(Check::ok(
            "agent",
            format!("{}: {path} reaches Kitbag by URL", agent.name),
        ));
    }
    let Some(launch) = launch_of(&found) else {
        return problem(format!("{path}: the entry `{NAME}` has no command"), &again);
    };
    if found.get("disabled") == Some(&Value::Bool(true)) || found.get("enabled") == Some(&Value::Bool(false))
    {
        let advice = format!("enable it in {}", agent.name);
        return Some(Check::warning(
            "agent",
            format!("{path}: Kitbag is switched off"),
            advice,
        ));
    }
    if resolve(&launch.command, variables).is_none() {
        let detail = format!(
            "{path}: `{}` is not a program that can be started",
            launch.command
        );
        return problem(detail, &again);
    }
    let own = own_variables(&found);
    if whose == FileOwner::Projects && !(is_this_program(&launch, variables) && own.is_empty()) {
        let detail = format!(
            "{path}: the project's file starts `{}`, which is not this program; it was not tried",
            launch.command
        );
        let advice = format!("check {path}: a repository should not decide which program runs");
        return Some(Check::warning("agent", detail, advice));
    }
    let mut answer = Err("there is no folder to start it in".to_owned());
    for folder in folders.of(&found) {
        let key = (launch.clone(), own.clone(), folder.clone());
        let made = started
            .entry(key)
            .or_insert_with(|| handshake(&launch, &own, &folder, PATIENCE));
        answer = made.clone();
        if let Err(why) = made {
            answer = Err(format!("started in {}: {why}", folder.display()));
            break;
        }
    }
    Some(judged(agent, &path.to_string(), &launch, &answer))
}

impl Folders<'_> {
    /// The folder that the entry names, else every folder that agents use. A folder with a variable of the agent means the project.
    fn of(&self, entry: &Value) -> Vec<PathBuf> {
        match entry
            .get("cwd")
            .and_then(Value::as_str)
            .filter(|cwd| !cwd.is_empty())
        {
            Some(cwd) if cwd.contains('$') => vec![self.root.to_owned()],
            Some(cwd) => vec![self.root.join(cwd)],
            None => self.home.iter().cloned().chain([self.root.to_owned()]).collect(),
        }
    }
}

/// Whether it starts the running program as a server, and nothing else.
fn is_this_program(launch: &Launch, variables: &Variables) -> bool {
    let same = |path: std::path::PathBuf| {
        let ours = std::env::current_exe().and_then(|ours| ours.canonicalize());
        ours.is_ok_and(|ours| path.canonicalize().is_ok_and(|path| path == ours))
    };
    launch.args.first().is_some_and(|word| word == "mcp")
        && resolve(&launch.command, variables).is_some_and(same)
}

fn judged(agent: &Agent, path: &str, launch: &Launch, answer: &Result<Server, String>) -> Check {
    let words = [std::slice::from_ref(&launch.command), launch.args.as_slice()]
        .concat()
        .join(" ");
    let ours = env!("CARGO_PKG_VERSION");
    match answer {
        Ok(server) if server.version == ours => {
            let detail = format!(
                "{}: {path} starts `{words}`, {} {ours} answers",
                agent.name, server.name
            );
            Check::ok("agent", detail)
        }
        Ok(server) => {
            let detail = format!(
                "{}: {path} starts `{words}`, which is {} {}, not {ours}",
                agent.name, server.name, server.version
            );
            let advice = format!("`kitbag install --agent {}` points it to this program", agent.id);
            Check::warning("agent", detail, advice)
        }
        Err(why) => {
            let detail = format!("{}: {path} starts `{words}`: {why}", agent.name);
            Check::problem(
                "agent",
                detail,
                format!("run `{words}` by hand and see what it says"),
            )
        }
    }
}

/// The environment variables that the entry sets for its server.
fn own_variables(found: &Value) -> Vec<(String, String)> {
    let given = found.get("env").or_else(|| found.get("environment"));
    let pairs = given.and_then(Value::as_object).into_iter().flatten();
    let text = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
    pairs.filter_map(text).collect()
}
