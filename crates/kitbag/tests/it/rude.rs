//! Clients that do not read, do not send, break off or ask too much at once, on real sockets and pipes (SEC-4). What can be tried
//! without them is in `src/http`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::mcp::Server as Mcp;
use crate::serve::Server;
use crate::world::{SHOP, World};

const KEY: &str = "ann-0123456789abcdef";
const KEYS: (&str, &str) = ("KITBAG_SERVER_API_KEYS", "ann:ann-0123456789abcdef");
/// Longer than anything here takes, and short enough to fail.
const PATIENCE: Duration = Duration::from_secs(60);
/// Shorter than the ten seconds after which silent clients are cut off anyway.
const SOON: Duration = Duration::from_secs(7);

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it is not zero");
    stream.set_write_timeout(Some(PATIENCE)).expect("it is not zero");
    stream
}

/// Everything that comes until the server closes.
fn heard(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset after the answer is as good as an end.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What somebody with a key is told, who does not wait until others are timed out.
fn status_with_key(server: &Server) -> String {
    let mut stream = connect(server);
    stream.set_read_timeout(Some(SOON)).expect("it is not zero");
    let request = format!(
        "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\nx-api-key: {KEY}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    heard(stream).lines().next().unwrap_or_default().to_owned()
}

/// More connections than any server here has places, each with the beginning of a conversation.
fn crowd(server: &Server, beginnings: &[&[u8]]) -> Vec<TcpStream> {
    let mut crowd = Vec::new();
    for n in 0..1_100 {
        // The test may run out of file handles before the server does.
        let Ok(mut stream) = TcpStream::connect(server.address()) else {
            break;
        };
        stream.set_nonblocking(true).expect("a socket can be");
        // As much as goes at once. Some are shown the door before they have spoken.
        let _ = stream.write(beginnings[n % beginnings.len()]);
        crowd.push(stream);
    }
    assert!(crowd.len() > 600, "{}", crowd.len());
    crowd
}

#[test]
fn sec_4_deaf_and_dumb_clients_without_a_key_do_not_keep_out_who_has_one() {
    let world = World::new(SHOP);
    let server = Server::start_with(&world, &[], &[KEYS]);
    // So many refusals that their sockets cannot hold them, and nobody reads.
    let deaf = b"GET /stats HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(30_000);
    let _deaf = crowd(&server, &[&deaf]);
    assert_eq!(status_with_key(&server), "HTTP/1.1 200 OK");
    let _dumb = crowd(&server, &[b"", b"GET /stats HTTP/1.1\r\nhost: loc"]);
    assert_eq!(status_with_key(&server), "HTTP/1.1 200 OK");
}

#[test]
fn sec_4_a_client_that_asks_and_never_reads_is_cut_off() {
    let world = World::new(SHOP);
    let server = Server::start_with(&world, &[], &[("KITBAG_SERVER_TIMEOUT_MS", "500")]);
    let mut stream = connect(&server);
    let request = b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100);
    // The server stops reading when its answers are not taken; the write ends when it hangs up.
    let error = loop {
        if let Err(error) = stream.write_all(&request) {
            break error;
        }
    };
    assert!(
        matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe),
        "{error}"
    );
    assert_eq!(server.ask("GET", "/health", None).0, 200);
}

#[test]
fn sec_4_clients_that_send_half_a_body_do_not_keep_out_others() {
    let world = World::new(SHOP);
    // Long enough that only want of room ends them.
    let server = Server::start_with(&world, &[], &[("KITBAG_SERVER_TIMEOUT_MS", "600000")]);
    let half = b"POST /v1/symbol HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    let _crowd = crowd(&server, &[half]);
    assert_eq!(status_with_key(&server), "HTTP/1.1 200 OK");
}

#[test]
fn sec_4_a_full_house_says_so_at_once_and_mcp_4_streams_keep_their_places() {
    let world = World::new(SHOP);
    let server = Server::start(&world);
    let accept = "accept: application/json, text/event-stream\r\n";
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
    .to_string();
    let open = || {
        let mut stream = connect(&server);
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\n{accept}content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{hello}",
            hello.len()
        )
        .unwrap();
        let opened = heard(stream);
        let named = opened.lines().find(|line| line.starts_with("mcp-session-id: "));
        named.unwrap_or_else(|| panic!("{opened}")).to_owned()
    };
    // Streams wait for the server and not for their clients, so nobody gets their places. The SDK keeps about thirty for a session.
    let (mut streams, mut session) = (Vec::new(), open());
    let answer = loop {
        let mut stream = connect(&server);
        let request =
            format!("GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n{session}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        if &first != b"HTTP/1.1 200" || streams.len() > 300 {
            stream.shutdown(Shutdown::Both).unwrap();
            break String::from_utf8_lossy(&first).into_owned();
        }
        streams.push(stream);
        if streams.len() % 24 == 0 && streams.len() < 250 {
            session = open();
        }
    };
    assert_eq!((answer.as_str(), streams.len()), ("HTTP/1.1 503", 256));
    let mut turned_away = connect(&server);
    turned_away
        .write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .unwrap();
    let answer = heard(turned_away);
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(
        answer.contains("retry-after: 1") && answer.contains("\"code\":\"BUSY\""),
        "{answer}"
    );
    drop(streams.pop());
    while server.ask("GET", "/health", None).0 != 200 {}
}

#[test]
fn http_2_a_body_that_breaks_off_is_400() {
    let world = World::new(SHOP);
    let server = Server::start(&world);
    for body in [
        "content-length: 100\r\n\r\n{\"name\":",
        "transfer-encoding: chunked\r\n\r\n5\r\n{\"nam\r\n",
    ] {
        let mut stream = connect(&server);
        let head = "POST /v1/symbol HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let answer = heard(stream);
        assert!(
            answer.starts_with("HTTP/1.1 400 ") && answer.contains("INCOMPLETE"),
            "{body}: {answer}"
        );
    }
}

#[test]
fn sec_4_refusals_do_not_grow_the_log_without_end() {
    let world = World::new(SHOP);
    let server = Server::start_with(&world, &["--log"], &[KEYS]);
    let mut n_refused = 0;
    while n_refused < 550 {
        let mut stream = connect(&server);
        stream
            .write_all(&b"GET /stats HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(50))
            .unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        n_refused += heard(stream).matches("HTTP/1.1 401").count();
    }
    signal(&server, "TERM");
    let (code, said) = server.ended();
    assert_eq!(code, Some(0), "{said}");
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let n_counted: u64 = lines.iter().filter_map(|line| line["refused"].as_u64()).sum();
    let n_written = lines.iter().filter(|line| line["status"] == 401).count() as u64;
    assert_eq!(n_written + n_counted, n_refused as u64, "{said}");
    assert!(n_counted > 0, "{said}");
    // A few in a second, and it took seconds at most.
    assert!(lines.len() < 400, "{}", lines.len());
}

#[test]
fn http_2_after_sigterm_new_connections_are_refused_and_what_is_under_way_finishes() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start(&world);
    // Whoever writes holds this lock; while the test does, a job can but wait.
    let lock = std::fs::File::open(world.project.path(".git/kitbag/writer.lock")).unwrap();
    lock.lock().unwrap();
    let mut under_way = connect(&server);
    let body = "{\"confirm\": true}";
    write!(
        under_way,
        "POST /v1/rebuild HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    while server.ask("GET", "/v1/jobs/job-1", None).0 != 200 {}
    signal(&server, "TERM");
    // What the system had accepted before the signal is not refused.
    while TcpStream::connect(server.address()).is_ok() {}
    lock.unlock().unwrap();
    let answer = heard(under_way);
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"completed\""),
        "{answer}"
    );
    assert_eq!(server.ended().0, Some(0));
    let locks = std::fs::read_dir(world.project.path(".git/kitbag/jobs")).unwrap();
    assert_eq!(locks.count(), 0, "no lock of a job stays behind");
}

#[test]
fn idx_52_a_job_that_runs_when_its_server_ends_is_cancelled_and_leaves_no_lock() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start_with(&world, &[], &[("KITBAG_SERVER_TIMEOUT_MS", "200")]);
    let lock = std::fs::File::open(world.project.path(".git/kitbag/writer.lock")).unwrap();
    lock.lock().unwrap();
    let (status, _) = server.ask("POST", "/v1/rebuild", Some(&json!({"confirm": true})));
    assert!(
        matches!(status, 200 | 504),
        "{status}: nobody waits for it any more"
    );
    while server.ask("GET", "/v1/jobs/job-1", None).0 != 200 {}
    signal(&server, "TERM");
    assert_eq!(server.ended().0, Some(0));
    let locks = std::fs::read_dir(world.project.path(".git/kitbag/jobs")).unwrap();
    assert_eq!(locks.count(), 0);
    let (_, jobs) = world.json(&["jobs"]);
    assert_eq!(jobs["jobs"][0]["status"], "cancelled", "{jobs}");
}

#[test]
fn sec_5_two_names_with_one_key_are_refused_at_the_start() {
    let world = World::new(SHOP);
    let output = world
        .command(["serve", "--port", "0"])
        .env("KITBAG_SERVER_API_KEYS", format!("ann:{KEY},ben:{KEY}"))
        .output()
        .unwrap();
    let ran = world.ran(&output);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("ann and ben have the same key") && !ran.err.contains(KEY),
        "{ran:?}"
    );
}

#[test]
fn sec_4_a_line_of_17_megabytes_is_answered_and_the_connection_goes_on() {
    let world = World::new(SHOP);
    let mut server = Mcp::start_in(&world, world.project.root(), &[], None);
    let params = json!({"name": "query_context", "arguments": {"query": "x".repeat(17 << 20)}});
    // In the order in which the official clients write it.
    let line = json!({"method": "tools/call", "params": params, "jsonrpc": "2.0", "id": 900});
    server.send(&line);
    let answer = loop {
        let message = server.hear();
        if message.get("error").is_some() {
            break message;
        }
    };
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(900), &json!(-32600)),
        "{answer}"
    );
    assert!(
        answer["error"]["message"].to_string().contains("longer than"),
        "{answer}"
    );
    assert!(server.ask("tools/list", json!({}))["tools"].is_array());
    server.end();
}

#[test]
fn sec_4_many_calls_at_once_wait_for_their_turn() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let mut server = Mcp::start_in(&world, world.project.root(), &[], None);
    for n in 0..300 {
        let params = json!({"name": "query_context", "arguments": {"query": format!("password {n}")}});
        server.send(&json!({"jsonrpc": "2.0", "id": 1_000 + n, "method": "tools/call", "params": params}));
    }
    let mut left: BTreeSet<u64> = (1_000..1_300).collect();
    let mut most_threads = 0;
    while !left.is_empty() {
        let message = server.hear();
        assert!(message["result"]["isError"] != true, "{message}");
        assert!(left.remove(&message["id"].as_u64().unwrap()), "{message}");
        most_threads = most_threads.max(threads(server.id()));
    }
    assert!(most_threads < 60, "{most_threads} threads");
    server.end();
}

/// A project of which a pack with all of its files takes much longer than anything else here, and these files.
fn large() -> (World, Vec<String>) {
    let paths: Vec<String> = (0..300).map(|file| format!("src/part{file}.rs")).collect();
    let mut fixture = String::new();
    for (file, path) in paths.iter().enumerate() {
        let _ = writeln!(fixture, "//- {path}");
        for item in 0..8 {
            let body = format!("    count += input.len() * {item};\n").repeat(20);
            let _ = writeln!(
                fixture,
                "pub fn parse_{file}_{item}(input: &str) -> usize {{\n{body}    count\n}}\n"
            );
        }
    }
    let world = World::new(&fixture);
    world.run(["index"]);
    (world, paths)
}

/// How many requests were answered to their end, whoever was there to hear it.
fn answered(world: &World) -> Value {
    let (_, mut stats) = world.json(&["stats"]);
    stats["usage"]["requests"].take()
}

#[test]
fn sec_4_work_that_nobody_waits_for_after_a_504_ends_unfinished() {
    let (world, paths) = large();
    let server = Server::start_with(&world, &[], &[("KITBAG_SERVER_TIMEOUT_MS", "300")]);
    let source = |path: &String| json!({"kind": "open_file", "path": path, "pinned": true});
    let sources: Vec<Value> = paths.iter().map(source).collect();
    let request = json!({"task": "how input is parsed", "budget": 100_000, "sources": sources});
    let (status, reply) = server.ask("POST", "/v1/pack", Some(&request));
    assert_eq!((status, &reply["code"]), (504, &json!("TIMEOUT")), "{reply}");
    let is_under_way = || {
        let mut stream = connect(&server);
        let request = "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("the server reads");
        !heard(stream).contains("\nkitbag_requests_under_way 0\n")
    };
    while is_under_way() {}
    signal(&server, "TERM");
    assert_eq!(server.ended().0, Some(0));
    assert_eq!(answered(&world), 0);
}

#[test]
fn sec_4_a_cancelled_call_gives_its_turn_back_unfinished() {
    let (world, paths) = large();
    let mut server = Mcp::start_in(&world, world.project.root(), &[], None);
    let arguments = json!({"task": "how input is parsed", "files": paths, "max_tokens": 20_000});
    let params = json!({"name": "build_context_pack", "arguments": arguments});
    let begin = |server: &mut Mcp, n: usize| {
        let id = format!("long-{n}");
        server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    };
    // As many as are worked on at a time; the call before the last finds them begun.
    let n_turns = std::thread::available_parallelism().map_or(1, usize::from) * 2;
    let n_turns = n_turns.max(4);
    (1..n_turns).for_each(|n| begin(&mut server, n));
    server.call("query_context", json!({"query": "parse_3_4"}));
    begin(&mut server, n_turns);
    for n in 1..=n_turns {
        let params = json!({"requestId": format!("long-{n}"), "reason": "x"});
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }
    // Gets a turn when one of them has ended.
    let (text, is_error) = server.call("query_context", json!({"query": "parse_4_3"}));
    assert!(!is_error && text.contains("src/part4.rs"), "{text}");
    server.end();
    assert_eq!(answered(&world), 2);
}

/// How many a process has; 0 where the system does not tell.
fn threads(id: u32) -> usize {
    std::fs::read_dir(format!("/proc/{id}/task")).map_or(0, Iterator::count)
}

fn signal(server: &Server, name: &str) {
    let killed = Command::new("kill")
        .args([&format!("-{name}"), &server.id().to_string()])
        .status();
    assert!(killed.expect("there is a kill").success());
}
