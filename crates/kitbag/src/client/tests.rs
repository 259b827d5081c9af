//! Who answers, and what happens if nobody can. The server here is a socket that says what it is told to; a real one is asked
//! in `tests/it/remote.rs`.

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use super::answered;
use kitbag_door::failure::Failure;
use kitbag_door::settings::{Engine, Mode};

/// Answers one connection after the other with these.
fn server(answers: &[(u16, &str)]) -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answers: Vec<(u16, String)> = answers
        .iter()
        .map(|(code, text)| (*code, (*text).to_owned()))
        .collect();
    let thread = std::thread::spawn(move || {
        for (code, text) in &answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut seen = Vec::new();
            // One request, whose body is small and comes with its head or right after it.
            while !String::from_utf8_lossy(&seen).contains("}") {
                let mut part = [0; 4096];
                let n = stream.read(&mut part).unwrap();
                seen.extend_from_slice(&part[..n]);
            }
            let length = text.len();
            write!(
                stream,
                "HTTP/1.1 {code} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
            )
            .unwrap();
        }
        answers.len()
    });
    (url, thread)
}

fn engine(mode: Mode, url: &str, fallback_enabled: bool) -> Engine {
    Engine {
        mode,
        url: Some(url.into()),
        timeout: Duration::from_secs(5),
        fallback_enabled,
        ..Engine::default()
    }
}

fn trouble() -> Result<Value, Failure> {
    Err(Failure::trouble("STORAGE_ERROR", "the disk is gone"))
}

/// Nobody listens there.
const NOWHERE: &str = "http://127.0.0.1:1";

#[test]
fn http_3_embedded_asks_nobody() {
    let engine = engine(Mode::Embedded, NOWHERE, true);
    let done = answered(
        &engine,
        || Ok(json!(1)),
        (Path::new("/shop"), "/v1/x", &json!({})),
        |_| None,
    );
    assert_eq!(done.unwrap(), json!(1));
    let failed = answered(
        &engine,
        trouble,
        (Path::new("/shop"), "/v1/x", &json!({})),
        |_| Some(json!([])),
    );
    assert_eq!(failed.unwrap_err().code, "STORAGE_ERROR");
}

#[test]
fn http_3_standalone_asks_the_server_again_where_that_may_help() {
    let (url, thread) = server(&[(503, "{}"), (429, "{}"), (200, "7")]);
    let here = Cell::new(false);
    let asked = || {
        here.set(true);
        trouble()
    };
    let done = answered(
        &engine(Mode::Standalone, &url, false),
        asked,
        (Path::new("/shop"), "/v1/x", &json!({})),
        |_| None,
    );
    assert_eq!(done.unwrap(), json!(7));
    assert!(!here.get());
    assert_eq!(thread.join().unwrap(), 3);
}

#[test]
fn http_3_what_the_server_refuses_is_not_asked_twice() {
    let (url, thread) = server(&[(
        422,
        r#"{"detail": "no such intent", "code": "INVALID_INTENT", "hint": "try fix_bug"}"#,
    )]);
    let engine = engine(Mode::Standalone, &url, true);
    let failed = answered(
        &engine,
        trouble,
        (Path::new("/shop"), "/v1/x", &json!({})),
        |_| Some(json!([])),
    )
    .unwrap_err();
    assert_eq!(failed.message, "no such intent (INVALID_INTENT)");
    assert_eq!(failed.hint.as_deref(), Some("try fix_bug"));
    assert_eq!(thread.join().unwrap(), 1);
}

#[test]
fn http_3_hybrid_goes_to_the_server_only_in_trouble() {
    let (url, thread) = server(&[(200, "7")]);
    let hybrid = engine(Mode::Hybrid, &url, false);
    let wrong = || Err(Failure::wrong_use("INVALID_QUERY", "empty"));
    let refused: Result<Value, Failure> =
        answered(&hybrid, wrong, (Path::new("/shop"), "/v1/x", &json!({})), |_| {
            None
        });
    assert_eq!(refused.unwrap_err().code, "INVALID_QUERY");
    assert_eq!(
        answered(
            &hybrid,
            trouble,
            (Path::new("/shop"), "/v1/x", &json!({})),
            |_| None
        )
        .unwrap(),
        json!(7)
    );
    thread.join().unwrap();
}

#[test]
fn http_3_fallback_decides_between_nothing_and_an_error() {
    let ask = |fallback| {
        let engine = engine(Mode::Standalone, NOWHERE, fallback);
        answered(
            &engine,
            trouble,
            (Path::new("/shop"), "/v1/x", &json!({})),
            |failure| Some(json!(failure.code)),
        )
    };
    assert_eq!(ask(true).unwrap(), json!("SERVER_ERROR"));
    assert_eq!(ask(false).unwrap_err().code, "SERVER_ERROR");
}
