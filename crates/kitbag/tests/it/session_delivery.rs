//! An answer that nobody got does not count as shown (ENG-40): what is asked again comes in full, on every door.

use std::fs::File;
use std::io::Write as _;
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::mcp;
use crate::pack::big;
use crate::serve;
use crate::world::World;

const TASK: &str = "how parse_token_3_4 counts tokens";
const ARGS: [&str; 7] = ["--json", "pack", TASK, "--budget", "3000", "--session", "s"];

/// What the next answer of the session refers to.
fn referred(world: &World) -> u64 {
    let ran = world.run(ARGS);
    let reply: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    reply["session"]["referred"].as_u64().expect("a number")
}

#[test]
fn eng_40_a_pack_that_could_not_be_written_is_sent_again() {
    let world = big();
    world.run(["index"]);
    if cfg!(target_os = "linux") {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux has it");
        let ended = world.command(ARGS).stdout(full).stderr(Stdio::null()).status();
        assert_ne!(
            ended.expect("kitbag starts").code(),
            Some(0),
            "nothing can be written"
        );
    }
    let nowhere = world.run([&ARGS[..], &["--out", "nowhere/pack.md"]].concat());
    assert_eq!(nowhere.code, Some(3), "{nowhere:?}");
    let mut child = world
        .command(ARGS)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("kitbag starts");
    drop(child.stdout.take());
    child.wait().expect("it ends");
    assert_eq!(referred(&world), 0, "nobody has seen anything");
    assert!(referred(&world) > 3, "now it was seen");
}

#[test]
fn eng_40_a_pack_in_a_file_was_handed_over() {
    let world = big();
    let ran = world.run([&ARGS[..], &["--out", "pack.json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(referred(&world) > 3);
}

#[test]
fn eng_40_a_client_that_left_before_the_answer_gets_it_in_full_later() {
    let world = big();
    let server = serve::Server::start(&world);
    let request = json!({"task": TASK, "max_tokens": 3000, "session": "s"});
    // The index is there, so the next answers take as long as an answer takes.
    let (status, first) = server.ask("POST", "/v1/pack", Some(&json!({"task": TASK})));
    assert_eq!(status, 200, "{first}");
    for path in ["/v1/pack", "/rpc"] {
        let body = match path {
            "/rpc" => json!({"jsonrpc": "2.0", "id": 1, "method": "pack", "params": request}),
            _ => request.clone(),
        }
        .to_string();
        let address = server.url.strip_prefix("http://").expect("an address");
        let mut stream = TcpStream::connect(address).expect("it listens");
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it reads");
        drop(stream);
    }
    std::thread::sleep(Duration::from_secs(2));
    let (status, again) = server.ask("POST", "/v1/pack", Some(&request));
    assert_eq!(
        (status, &again["session"]["referred"]),
        (200, &0.into()),
        "{}",
        again["session"]
    );
    let (_, seen) = server.ask("POST", "/v1/pack", Some(&request));
    assert!(
        seen["session"]["referred"].as_u64() > Some(3),
        "{}",
        seen["session"]
    );
}

#[test]
fn eng_40_a_cancelled_call_shows_nothing() {
    let world = big();
    world.run(["index"]);
    let mut server = mcp::Server::start_in(&world, world.project.root(), &[], None);
    // Waits for the first look at the files.
    server.call("locate_symbol", json!({"name": "parse_token_3_4"}));
    let arguments = json!({"task": TASK, "max_tokens": 3000, "session": "s"});
    let params = json!({"name": "build_context_pack", "arguments": arguments});
    server.send(&json!({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": params}));
    server.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "c", "reason": "x"}}),
    );
    std::thread::sleep(Duration::from_secs(2));
    let (text, is_error) = server.call("build_context_pack", arguments.clone());
    assert!(!is_error && !text.contains("delivered in answer"), "{text}");
    let (text, _) = server.call("build_context_pack", arguments);
    assert!(text.contains("delivered in answer"), "{text}");
    server.end();
}
