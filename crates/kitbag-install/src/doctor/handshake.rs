//! Starts a server as an agent would, sends `initialize`, and reads the answer within a time limit.
//!
//! It runs in the folder in which the agent would start it, because some servers do not start everywhere. Its store is in a
//! temporary folder, so that nothing is left behind. A server that hangs is ended. Reading happens on a thread that is abandoned if
//! the pipe never closes, because waiting for it could take forever.

#[cfg(test)]
mod tests;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::install::entry::Launch;
use kitbag_door::env::variable_of_key;

/// The name and version that the server reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) name: String,
    pub(super) version: String,
}

/// The most bytes that are read of an answer or an error message.
const MAX_BYTES: u64 = 1 << 20;
/// How long a server may take to exit after its input has ended.
const FAREWELL: Duration = Duration::from_secs(1);

/// The server's name and version, or why there is no answer. `variables` are those of the entry, `cwd` is where it is started.
pub(super) fn handshake(
    launch: &Launch,
    variables: &[(String, String)],
    cwd: &Path,
    limit: Duration,
) -> Result<Server, String> {
    let folder = Folder::new().map_err(|error| format!("no folder for its store: {error}"))?;
    let mut child = Command::new(&launch.command)
        .args(&launch.args)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .env(variable_of_key("storage.path"), folder.0.join("store"))
        .current_dir(cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("it does not start: {error}"))?;
    let answer = converse(&mut child, limit);
    end(&mut child);
    answer
}

fn converse(child: &mut Child, limit: Duration) -> Result<Server, String> {
    let complaints = lines(child.stderr.take());
    let answers = lines(child.stdout.take());
    let mut stdin = child.stdin.take();
    // If the server has already exited, writing fails; its error output says more than that failure.
    let _ = stdin.as_mut().map(greet);
    let deadline = Instant::now() + limit;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match answers.recv_timeout(left) {
            Ok(line) => match server_in(&line) {
                Some(answer) => return answer,
                // Notifications may come first, but nothing that is not JSON.
                None if serde_json::from_str::<Value>(&line).is_ok() => {}
                None => return Err(format!("it prints something else than MCP: {}", shortened(&line))),
            },
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("no answer within {} seconds", limit.as_secs()));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let said = complaints.recv_timeout(FAREWELL).map(|line| shortened(&line));
                return Err(match said {
                    Ok(line) => format!("it ended without an answer: {line}"),
                    Err(_) => "it ended without an answer".to_owned(),
                });
            }
        }
    }
}

fn greet(stdin: &mut ChildStdin) -> std::io::Result<()> {
    let request = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "kitbag-doctor", "version": env!("CARGO_PKG_VERSION")},
        },
    });
    writeln!(stdin, "{request}")?;
    stdin.flush()
}

/// The answer to `initialize`, if this line is it.
fn server_in(line: &str) -> Option<Result<Server, String>> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message.get("id") != Some(&json!(1)) {
        return None;
    }
    if let Some(error) = message.get("error") {
        return Some(Err(format!(
            "it answers with an error: {}",
            shortened(&error.to_string())
        )));
    }
    let about = &message["result"]["serverInfo"];
    let text = |key: &str| about[key].as_str().map(str::to_owned);
    Some(match (text("name"), text("version")) {
        (Some(name), Some(version)) => Ok(Server { name, version }),
        _ => Err("its answer does not say what it is".to_owned()),
    })
}

/// The lines of a stream, as they come.
fn lines(stream: Option<impl std::io::Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let Some(stream) = stream else {
            return;
        };
        let lines = BufReader::new(stream.take(MAX_BYTES)).lines();
        for line in lines.map_while(Result::ok).filter(|line| !line.trim().is_empty()) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Ends the server: by closing its input, which must be enough (MCP-4), else by force.
fn end(child: &mut Child) {
    drop(child.stdin.take());
    let deadline = Instant::now() + FAREWELL;
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // If it cannot be ended, it has already exited.
    let _ = child.kill();
    let _ = child.wait();
}

fn shortened(line: &str) -> String {
    let start: String = line.chars().take(200).collect();
    if start.len() < line.len() {
        start + "…"
    } else {
        start
    }
}

/// An empty folder that is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        let base = std::env::temp_dir();
        for n in 0_u32.. {
            let path: PathBuf = Path::new(&base).join(format!("kitbag-doctor-{}-{n}", std::process::id()));
            match std::fs::create_dir(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(Folder(path)),
            }
        }
        Err(std::io::Error::other("every name is taken"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If we cannot remove it, the system cleans its temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
