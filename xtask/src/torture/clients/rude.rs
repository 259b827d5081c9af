//! What rude clients do to a server: rows of a table, a name and a deed. A deed gives back what the server did wrong at once; what
//! it cost is measured by `clients.rs`.

use std::net::Shutdown;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{BEN, HOLD, LIMIT};
use crate::torture::client::{Answer, Connection, Server, ask, request};
use crate::torture::requests::Hostile;

/// A deed, done with a server at hand. What it gives back is what is wrong.
type Deed = fn(&Server, usize) -> Vec<String>;

pub(super) struct Rudeness {
    pub(super) name: &'static str,
    /// How often or how many, in a long and in a short run.
    pub(super) most: (usize, usize),
    pub(super) deed: Deed,
}

pub(super) const RUDENESS: &[Rudeness] = &[
    Rudeness {
        name: "clients that never read, without a key",
        most: (1_500, 1_100),
        deed: deaf_strangers,
    },
    Rudeness {
        name: "a flood of requests without a key",
        most: (10_000, 1_000),
        deed: flood,
    },
    Rudeness {
        name: "paths of other folders without a key",
        most: (50, 10),
        deed: roots,
    },
    Rudeness {
        name: "headers byte by byte",
        most: (300, 50),
        deed: slow_headers,
    },
    Rudeness {
        name: "bodies byte by byte",
        most: (300, 50),
        deed: slow_bodies,
    },
    Rudeness {
        name: "connections that say nothing",
        most: (1_500, 1_100),
        deed: silent,
    },
    Rudeness {
        name: "clients that never read, with a key",
        most: (1_500, 200),
        deed: deaf_users,
    },
    Rudeness {
        name: "half-closed connections",
        most: (500, 50),
        deed: half_open,
    },
    Rudeness {
        name: "clients that leave at once",
        most: (500, 40),
        deed: leavers,
    },
    Rudeness {
        name: "huge lines and many headers",
        most: (20, 3),
        deed: huge_heads,
    },
    Rudeness {
        name: "bodies that are larger than announced, or endless",
        most: (20, 3),
        deed: endless_bodies,
    },
    Rudeness {
        name: "MCP sessions without end",
        most: (2_000, 150),
        deed: sessions,
    },
];

pub(super) fn hostile_request(server: &Server, one: &Hostile) -> Vec<String> {
    let sent = Connection::open(&server.address, LIMIT).and_then(|mut connection| {
        let headers = format!("{}connection: close\r\n", server.key);
        connection.send(&request("POST", one.path, &headers, &one.body))?;
        connection.answer()
    });
    match sent {
        // Out of time is an answer; what it cost is measured.
        Ok(answer) if answer.status < 500 || matches!(answer.status, 503 | 504) => Vec::new(),
        Ok(answer) => vec![format!("answered with {}: {}", answer.status, text(&answer))],
        Err(message) => vec![format!("no answer: {message}")],
    }
}

pub(super) fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// Opens as many as it can; a server may refuse the rest.
fn many(server: &Server, n: usize) -> Vec<Connection> {
    (0..n)
        .map_while(|_| Connection::open(&server.address, Duration::from_secs(2)).ok())
        .collect()
}

/// Holds connections for a while, doing `more` to each from time to time. That it fails is the server's good right.
fn hold(connections: &mut [Connection], more: &[u8]) {
    let end = Instant::now() + HOLD;
    while Instant::now() < end {
        for connection in connections.iter_mut() {
            let _ = connection.send(more);
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn slow_headers(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    for connection in &mut all {
        let _ = connection.send(b"POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: ");
    }
    hold(&mut all, b"a");
    Vec::new()
}

fn slow_bodies(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    let head = format!(
        "POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\n{}content-type: application/json\r\ncontent-length: 100000\r\n\r\n",
        server.key
    );
    for connection in &mut all {
        let _ = connection.send(head.as_bytes());
    }
    hold(&mut all, b"a");
    Vec::new()
}

fn silent(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    hold(&mut all, b"");
    Vec::new()
}

fn deaf_strangers(server: &Server, n: usize) -> Vec<String> {
    deaf(server, n, "")
}

fn deaf_users(server: &Server, n: usize) -> Vec<String> {
    deaf(server, n, BEN)
}

/// Asks for much, many times over, and reads nothing.
fn deaf(server: &Server, n: usize, key: &str) -> Vec<String> {
    let one = request("GET", "/openapi.json", key, "");
    let requests = one.repeat(40);
    let mut all = many(server, n);
    for connection in &mut all {
        // What does not fit is the point; waiting for it is not.
        let _ = connection
            .stream()
            .set_write_timeout(Some(Duration::from_millis(20)));
        let _ = connection.send(&requests);
    }
    hold(&mut all, b"");
    Vec::new()
}

fn half_open(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    for (number, connection) in all.iter_mut().enumerate() {
        let body = json!({"query": format!("half open {number}")}).to_string();
        let bytes = request("POST", "/v1/search", BEN, &body);
        let part = if number % 2 == 0 {
            bytes.len()
        } else {
            bytes.len() / 2
        };
        let _ = connection.send(&bytes[..part]);
        let _ = connection.stream().shutdown(Shutdown::Write);
    }
    hold(&mut all, b"");
    Vec::new()
}

/// Asks something long and has gone before the answer.
fn leavers(server: &Server, n: usize) -> Vec<String> {
    for number in 0..n {
        let body = json!({"task": format!("left {number}: {}", "cart price order ".repeat(200)), "max_tokens": 20_000});
        if let Ok(mut connection) = Connection::open(&server.address, Duration::from_secs(2)) {
            let _ = connection.send(&request("POST", "/v1/pack", BEN, &body.to_string()));
        }
    }
    Vec::new()
}

fn flood(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let body = json!({"query": "cart"}).to_string();
    let mut connection = None;
    for number in 0..n {
        let key = ["", "authorization: Bearer wrong-key-wrong-key\r\n"][number % 2];
        let asked = match connection.take() {
            Some(open) => Ok(open),
            None => Connection::open(&server.address, Duration::from_secs(2)),
        };
        // A server may close or refuse; it may not let anybody in.
        let Ok(mut open) = asked else { continue };
        if open.send(&request("POST", "/v1/search", key, &body)).is_err() {
            continue;
        }
        if let Ok(answer) = open.answer() {
            if answer.status < 400 {
                wrong.push(format!("answered with {} without a key", answer.status));
                return wrong;
            }
            connection = Some(open);
        }
    }
    wrong
}

/// What a stranger learns about folders: nothing, whether they are there or not.
fn roots(server: &Server, n: usize) -> Vec<String> {
    let mut seen = Vec::new();
    for number in 0..n {
        let folder = ["/etc", "/nowhere", "/root", "/proc/self/exe", "/tmp"][number % 5];
        let key = format!("x-kitbag-root: {folder}\r\n");
        let body = json!({"query": "cart"});
        if let Ok((answer, _)) = ask(&server.address, &key, "POST", "/v1/search", &body, LIMIT) {
            let text = text(&answer);
            if text.contains(folder) {
                return vec![format!("it repeats {folder}: {text}")];
            }
            seen.push((answer.status, answer.json()["code"].clone()));
        }
    }
    // Refusals may become "too many requests" after a while, and nothing else.
    seen.retain(|(status, _)| *status != 429);
    seen.dedup();
    if seen.len() > 1 {
        return vec![format!("folders are told apart: {seen:?}")];
    }
    Vec::new()
}

fn huge_heads(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for _ in 0..n {
        let long = "a".repeat(8 << 20);
        let heads = [
            format!("GET /{long} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"),
            format!("GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: {long}\r\n\r\n"),
            format!(
                "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n{}\r\n",
                (0..100_000).map(|n| format!("x-{n}: 1\r\n")).collect::<String>()
            ),
            long.clone(),
        ];
        for head in heads {
            let Ok(mut connection) = Connection::open(&server.address, Duration::from_secs(20)) else {
                continue;
            };
            let _ = connection.send(head.as_bytes());
            if let Ok(answer) = connection.answer()
                && answer.status < 400
            {
                wrong.push(format!("answered with {}", answer.status));
            }
        }
    }
    wrong
}

fn endless_bodies(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for _ in 0..n {
        for length in ["content-length: 10000000000", "transfer-encoding: chunked"] {
            let Ok(mut connection) = Connection::open(&server.address, Duration::from_secs(20)) else {
                continue;
            };
            let head = format!(
                "POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\n{}{length}\r\n\r\n",
                server.key
            );
            let _ = connection.send(head.as_bytes());
            let part = format!("10000\r\n{}\r\n", "a".repeat(0x10000));
            let sent = (0..2_000)
                .take_while(|_| connection.send(part.as_bytes()).is_ok())
                .count();
            if sent == 2_000 {
                wrong.push(format!("{length}: it takes 130 MB without a word"));
            }
        }
    }
    wrong
}

/// One user opens as many sessions as there are; another one must still get one.
fn sessions(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}}});
    let headers = |key: &str| format!("{key}accept: application/json, text/event-stream\r\n");
    for _ in 0..n {
        // The limit of one client's requests ends this too, which is as well.
        match ask(&server.address, &headers(BEN), "POST", "/mcp", &hello, LIMIT) {
            Ok((answer, _)) if answer.status < 400 => {}
            Ok((answer, _)) if matches!(answer.status, 429 | 503) => break,
            Ok((answer, _)) => {
                wrong.push(format!(
                    "a session too many is answered with {}: {}",
                    answer.status,
                    text(&answer)
                ));
                break;
            }
            Err(_) => break,
        }
    }
    match ask(
        &server.address,
        &headers(&server.key),
        "POST",
        "/mcp",
        &hello,
        LIMIT,
    ) {
        Ok((answer, _)) if answer.status < 400 => {}
        Ok((answer, _)) => wrong.push(format!(
            "another user gets no session: {} {}",
            answer.status,
            text(&answer)
        )),
        Err(message) => wrong.push(format!("another user gets no session: {message}")),
    }
    wrong
}
