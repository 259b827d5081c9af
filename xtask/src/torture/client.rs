//! Clients small enough to be rude with: a connection that sends any bytes and reads when it is told to, `kitbag serve` with an
//! address to ask, and `kitbag mcp` with its lines.
//!
//! No HTTP library: libraries are polite, and half of what is tried here they refuse to send.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::process::{terminate, wait};
use super::world::World;

/// Of an answer that is read.
const MOST_ANSWER: usize = 64 << 20;

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

pub(super) struct Connection(TcpStream);

impl Connection {
    pub(super) fn open(address: &str, limit: Duration) -> Result<Connection, String> {
        let place = address.parse().map_err(|_| format!("{address}: no address"))?;
        let stream =
            TcpStream::connect_timeout(&place, limit).map_err(|error| format!("connecting: {error}"))?;
        let set = stream
            .set_read_timeout(Some(limit))
            .and_then(|()| stream.set_write_timeout(Some(limit)))
            .and_then(|()| stream.set_nodelay(true));
        set.map_err(|error| format!("connecting: {error}"))?;
        Ok(Connection(stream))
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.0
            .write_all(bytes)
            .map_err(|error| format!("sending: {error}"))
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.0
    }

    /// One answer. What has no length is read to the end of the connection.
    pub(super) fn answer(&mut self) -> Result<Answer, String> {
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if self.more(&mut bytes)? == 0 {
                return Err("the connection was closed without an answer".to_owned());
            }
        };
        let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
        let status = text.split_whitespace().nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| format!("no status: {text}"))?;
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .and_then(|length| length.trim().parse::<usize>().ok());
        let mut body = bytes.split_off(head);
        while length.is_none_or(|length| body.len() < length) {
            if self.more(&mut body)? == 0 {
                break;
            }
        }
        Ok(Answer { status, body })
    }

    fn more(&mut self, bytes: &mut Vec<u8>) -> Result<usize, String> {
        let mut part = [0; 16 << 10];
        let n = self
            .0
            .read(&mut part)
            .map_err(|error| format!("reading: {error}"))?;
        bytes.extend_from_slice(&part[..n]);
        if bytes.len() > MOST_ANSWER {
            return Err("an answer without end".to_owned());
        }
        Ok(n)
    }
}

/// A request in bytes. `headers` end with a line break each.
pub(super) fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// `kitbag serve`, ended when dropped.
pub(super) struct Server {
    pub(super) child: Child,
    pub(super) address: String,
    /// The header with a key, if it wants one.
    pub(super) key: String,
}

impl Server {
    /// Starts one. `keys` is its `KITBAG_SERVER_API_KEYS`; the first key is shown by `ask`.
    pub(super) fn start(world: &World, keys: &str, more: &[(&str, &str)]) -> Result<Server, String> {
        let mut command = world.command(&["--json", "serve", "--port", "0", "--log", "--tools", "all"]);
        command.envs(more.iter().copied());
        if !keys.is_empty() {
            command.env("KITBAG_SERVER_API_KEYS", keys);
        }
        let log = world.home.join("serve.log");
        let log = std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        command.stdout(Stdio::piped()).stderr(log);
        let mut child = command
            .spawn()
            .map_err(|error| format!("kitbag serve: {error}"))?;
        let out = child.stdout.take().expect("it is piped");
        let mut line = String::new();
        let read = BufReader::new(out).read_line(&mut line);
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let address = said["url"].as_str().and_then(|url| url.strip_prefix("http://"));
        let Some(address) = address.map(|address| address.trim_end_matches('/').to_owned()) else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("kitbag serve: said {line:?} ({read:?})"));
        };
        let key = keys.split(',').next().and_then(|first| first.split_once(':'));
        let key = key.map_or_else(String::new, |(_, key)| format!("authorization: Bearer {key}\r\n"));
        Ok(Server { child, address, key })
    }

    /// One polite question on a connection of its own, and how long the answer took.
    pub(super) fn ask(
        &self,
        method: &str,
        path: &str,
        body: &Value,
        limit: Duration,
    ) -> Result<(Answer, Duration), String> {
        ask(&self.address, &self.key, method, path, body, limit)
    }

    /// As a service manager ends it. Gives the exit code, or `None` if it had to be killed.
    pub(super) fn end(&mut self, limit: Duration) -> Option<i32> {
        terminate(&self.child);
        wait(&mut self.child, limit).and_then(|status| status.code())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn ask(
    address: &str,
    key: &str,
    method: &str,
    path: &str,
    body: &Value,
    limit: Duration,
) -> Result<(Answer, Duration), String> {
    let start = Instant::now();
    let mut connection = Connection::open(address, limit)?;
    let body = if method == "GET" {
        String::new()
    } else {
        body.to_string()
    };
    connection.send(&request(
        method,
        path,
        &format!("{key}connection: close\r\n"),
        &body,
    ))?;
    let answer = connection.answer()?;
    Ok((answer, start.elapsed()))
}

/// `kitbag mcp`, killed when dropped.
pub(super) struct Pipe {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    n_asked: u64,
}

impl Pipe {
    pub(super) fn start(world: &World, more: &[&str]) -> Result<Pipe, String> {
        let mut command = world.command(&[more, &["mcp", "--tools", "all"]].concat());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("kitbag mcp: {error}"))?;
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = mpsc::channel();
        // Ends with the pipe.
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut pipe = Pipe {
            child,
            input,
            lines,
            n_asked: 0,
        };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}});
        pipe.ask("initialize", &hello, Duration::from_secs(30))
            .ok_or("kitbag mcp does not answer `initialize`")?;
        pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())?;
        Ok(pipe)
    }

    /// A line as it is.
    pub(super) fn send(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("its input is closed")?;
        let sent = input
            .write_all(line.as_bytes())
            .and_then(|()| input.write_all(b"\n"))
            .and_then(|()| input.flush());
        sent.map_err(|error| format!("kitbag mcp: {error}"))
    }

    /// Sends a request and gives its number.
    pub(super) fn start_asking(&mut self, method: &str, params: &Value) -> Result<u64, String> {
        self.n_asked += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.n_asked, "method": method, "params": params});
        self.send(&request.to_string())?;
        Ok(self.n_asked)
    }

    pub(super) fn ask(&mut self, method: &str, params: &Value, limit: Duration) -> Option<Value> {
        let number = self.start_asking(method, params).ok()?;
        self.answer(number, limit)
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &Value, limit: Duration) -> Option<Value> {
        self.ask(
            "tools/call",
            &json!({"name": tool, "arguments": arguments}),
            limit,
        )
    }

    /// The answer with this number; others that come before it are dropped.
    pub(super) fn answer(&self, number: u64, limit: Duration) -> Option<Value> {
        let end = Instant::now() + limit;
        loop {
            let message = self.line(end.saturating_duration_since(Instant::now()))?;
            if message["id"] == number && message.get("method").is_none() {
                return Some(message);
            }
        }
    }

    /// The next line that it writes.
    pub(super) fn line(&self, limit: Duration) -> Option<Value> {
        let line = self.lines.recv_timeout(limit).ok()?;
        Some(serde_json::from_str(&line).unwrap_or(Value::String(line)))
    }

    /// Closes its input, which is how its client ends it.
    pub(super) fn end(mut self, limit: Duration) -> Option<i32> {
        self.input = None;
        wait(&mut self.child, limit).and_then(|status| status.code())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
