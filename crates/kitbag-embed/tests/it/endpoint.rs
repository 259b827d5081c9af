//! The endpoint against a real server on a real socket. Only the clock is simulated: it records pauses instead of waiting.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kitbag_embed::{ApiKey, Clock, EmbedError, Endpoint, EndpointOptions, Model, Passage, Source};
use serde_json::json;

use crate::server::{Reply, Server, vector_of};

const KEY: &str = "sk-secret-1234567890";

fn options(server: &Server) -> EndpointOptions {
    EndpointOptions {
        url: server.url.clone(),
        model: "m".to_owned(),
        key: Some(ApiKey::new(KEY)),
        dims: Some(2),
        batch: 2,
        timeout: Duration::from_secs(20),
        requests_per_minute: None,
    }
}

/// Waiting advances the clock and takes no time.
fn clock() -> (Clock, Arc<Mutex<Vec<Duration>>>) {
    let waits = Arc::new(Mutex::new(Vec::new()));
    let (read, write) = (Arc::clone(&waits), Arc::clone(&waits));
    let clock = Clock {
        now: Box::new(move || read.lock().unwrap().iter().sum()),
        wait: Box::new(move |time| write.lock().unwrap().push(time)),
    };
    (clock, waits)
}

/// The vectors of the texts, and the pauses in milliseconds.
fn embed(options: &EndpointOptions, texts: &[&str]) -> (Result<Vec<Vec<f32>>, EmbedError>, Vec<u128>) {
    let (clock, waits) = clock();
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let result = Endpoint::open_with(options, clock).and_then(|endpoint| endpoint.embed(&texts));
    let waits = waits.lock().unwrap().iter().map(Duration::as_millis).collect();
    (result, waits)
}

fn unit(text: &str) -> Vec<f32> {
    let [a, b] = vector_of(text);
    let length = (a * a + b * b).sqrt();
    vec![a / length, b / length]
}

fn assert_vectors(found: &[Vec<f32>], texts: &[&str]) {
    assert_eq!(found.len(), texts.len());
    for (found, text) in found.iter().zip(texts) {
        let expected = unit(text);
        let near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near && found.len() == 2, "{text}: {found:?} and not {expected:?}");
    }
}

fn error(script: Vec<Reply>, change: fn(&mut EndpointOptions)) -> EmbedError {
    let server = Server::start(script);
    let mut options = options(&server);
    change(&mut options);
    let error = embed(&options, &["a", "bb"]).0.unwrap_err();
    let shown = format!("{error} {error:?} {options:?}");
    assert!(!shown.contains(KEY), "{shown}");
    error
}

fn raw(status: &'static str, headers: &'static str, body: impl ToString) -> Reply {
    Reply::Raw(status, headers, body.to_string())
}

#[test]
fn ret_12_texts_go_in_batches_and_vectors_come_back_in_order() {
    let server = Server::start(Vec::new());
    let texts = ["a", "bb", "ccc", "dddd", "eeeee"];
    let (vectors, waits) = embed(&options(&server), &texts);
    // The server sends the last vector first.
    assert_vectors(&vectors.unwrap(), &texts);
    assert!(waits.is_empty());

    let asked = server.asked();
    let inputs: Vec<_> = asked.iter().map(|asked| asked.body.clone()).collect();
    let body = |input: &[&str]| json!({"model": "m", "input": input, "dimensions": 2});
    assert_eq!(
        inputs,
        [body(&["a", "bb"]), body(&["ccc", "dddd"]), body(&["eeeee"])]
    );
    for asked in asked {
        assert_eq!(asked.path, "/v1/embeddings");
        let header = |name: &str| {
            asked
                .headers
                .iter()
                .find(|(found, _)| found == name)
                .map(|(_, value)| value.as_str())
        };
        assert_eq!(header("authorization"), Some("Bearer sk-secret-1234567890"));
        assert_eq!(header("content-type"), Some("application/json"));
    }
}

#[test]
fn ret_12_passages_and_questions_go_through_the_model() {
    let server = Server::start(Vec::new());
    let source = Source::Endpoint(EndpointOptions {
        url: format!("{}/embeddings?version=1", server.url),
        dims: None,
        key: None,
        ..options(&server)
    });
    // Without a dimension, the first vector determines it.
    let model = Model::open(&source).unwrap();
    assert_eq!((model.dims(), model.is_slow()), (2, true));
    assert_eq!(model.id(), format!("endpoint:{}:m:2", server.url));

    let body = "é".repeat(8_000);
    let passage = |body| Passage {
        path: "a.rs",
        capsule: "fn a",
        body,
        ..Passage::default()
    };
    let vectors = model
        .passages(&[passage("x"), Passage::default(), passage(&body)])
        .unwrap();
    assert_vectors(&vectors[..1], &["a.rs\nfn a\nx"]);
    assert_eq!(vectors[1], [0.0, 0.0]);
    assert_eq!(model.query(" \n").unwrap(), [0.0, 0.0]);
    assert_vectors(&[model.query("what?").unwrap()], &["what?"]);

    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0].path, "/v1/embeddings?version=1");
    assert!(asked[0].body.get("dimensions").is_none());
    assert!(asked[0].headers.iter().all(|(name, _)| name != "authorization"));
    let long = asked[1].body["input"][1].as_str().unwrap();
    assert!(long.len() <= 8_000 && long.ends_with('é'), "{}", long.len());
}

#[test]
fn ret_12_a_busy_server_is_asked_again_when_it_says() {
    let server = Server::start(vec![
        raw("429 Too Many Requests", "Retry-After: 7\r\n", "{}"),
        raw("429 Too Many Requests", "Retry-After: soon\r\n", "busy"),
    ]);
    let (vectors, waits) = embed(&options(&server), &["a"]);
    assert_vectors(&vectors.unwrap(), &["a"]);
    assert_eq!(waits, [7_000, 1_000]);
}

#[test]
fn ret_12_a_broken_connection_or_server_is_tried_again_at_growing_distances() {
    let server = Server::start(vec![
        raw("500 Internal Server Error", "", "<html>"),
        Reply::HangUp,
        raw("503 Service Unavailable", "", ""),
        Reply::Half,
    ]);
    let (vectors, waits) = embed(&options(&server), &["a"]);
    assert_vectors(&vectors.unwrap(), &["a"]);
    assert_eq!(waits, [500, 1_000, 2_000, 4_000]);
    assert_eq!(server.asked().len(), 5);
}

#[test]
fn ret_12_there_is_an_end_to_trying() {
    let down = vec![raw("502 Bad Gateway", "", ""); 9];
    let server = Server::start(down);
    let (result, waits) = embed(&options(&server), &["a"]);
    assert_eq!(
        result.unwrap_err(),
        EmbedError::Unreachable {
            url: server.url.clone(),
            n_tries: 6,
            why: "status 502".to_owned()
        }
    );
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000]);
    assert_eq!(server.asked().len(), 6);

    // A longer pause than the limit is an error at once.
    for (header, seconds) in [
        ("Retry-After: 3600\r\n", "3600"),
        ("Retry-After: 18446744073709551615\r\n", "18446744073709551615"),
    ] {
        let server = Server::start(vec![raw("429 Too Many Requests", header, "{}")]);
        let (result, waits) = embed(&options(&server), &["a"]);
        let text = result.unwrap_err().to_string();
        let end = format!("tried 1 times: status 429; it asks to be left alone for {seconds} s");
        assert!(text.ends_with(&end), "{text}");
        assert!(waits.is_empty());
    }

    // No server listens there.
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let nowhere = EndpointOptions {
        url: format!("http://{closed}"),
        ..options(&server)
    };
    let (result, waits) = embed(&nowhere, &["a"]);
    let text = result.unwrap_err().to_string();
    assert!(text.ends_with("tried 6 times: connection refused"), "{text}");
    assert_eq!(waits.len(), 5);
}

#[test]
fn ret_12_a_server_that_says_nothing_runs_into_the_time_limit() {
    let error = error(vec![Reply::Silence; 6], |options| {
        options.timeout = Duration::from_millis(30);
    });
    assert!(
        error
            .to_string()
            .ends_with("tried 6 times: no answer within 30 ms"),
        "{error}"
    );
    assert_eq!(error.code(), "EMBEDDING_ERROR");
}

#[test]
fn ret_12_requests_keep_the_pace_that_was_set() {
    let server = Server::start(Vec::new());
    let slow = EndpointOptions {
        batch: 1,
        requests_per_minute: Some(30),
        ..options(&server)
    };
    let texts = ["a", "bb", "ccc"];
    let (vectors, waits) = embed(&slow, &texts);
    assert_vectors(&vectors.unwrap(), &texts);
    assert_eq!(waits, [2_000, 2_000]);
}

#[test]
fn ret_12_what_is_not_the_vectors_asked_for_is_refused() {
    let item = |index: usize, vector: &[f64]| json!({"index": index, "embedding": vector});
    let data = |items: &[serde_json::Value]| json!({ "data": items }).to_string();
    let (a, b) = (item(0, &[1.0, 2.0]), item(1, &[3.0, 4.0]));
    let three = item(1, &[1.0, 2.0, 3.0]);
    let cases = [
        (data(std::slice::from_ref(&a)), "1 vectors for 2 texts"),
        (data(&[a.clone(), three]), "a vector of 3 numbers instead of 2"),
        (data(&[a.clone(), a.clone()]), "two vectors with the index 0"),
        (
            data(&[a.clone(), item(2, &[3.0, 4.0])]),
            "a vector with the index 2 for 2 texts",
        ),
        (
            data(&[a.clone(), item(1, &[1e300, 0.0])]),
            "a vector with numbers that are not finite",
        ),
        (data(&[a, b]).replace("3.0", "NaN"), "it is no JSON"),
        ("<html>sk-secret-1234567890</html>".to_owned(), "it is no JSON"),
        (
            r#"{"error": {"message": "bad key sk-secret-1234567890"}}"#.to_owned(),
            "its JSON has no list `data` of vectors `embedding`; it says: bad key [REDACTED]",
        ),
        (" ".repeat(2_000_000), "more than 1572864 bytes"),
    ];
    for (body, expected) in cases {
        let error = error(vec![raw("200 OK", "", body)], |_| {});
        let EmbedError::BadAnswer { what, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(what, expected);
    }
}

#[test]
fn ret_12_a_refusal_is_final_and_tells_no_key() {
    let said = r#"{"error": {"message": "model \"m\" not found for sk-secret-1234567890"}}"#;
    let cases = [
        ("404 Not Found", said, ": model \"m\" not found for [REDACTED]"),
        ("401 Unauthorized", said, ": the key is not accepted"),
        ("400 Bad Request", "sk-secret-1234567890", ""),
        ("307 Temporary Redirect", "", ""),
    ];
    for (status, body, expected) in cases {
        let error = error(
            vec![raw(status, "Location: http://127.0.0.1:1/\r\n", body)],
            |_| {},
        );
        let end = format!(" refuses with status {}{expected}", &status[..3]);
        assert!(error.to_string().ends_with(&end), "{error}");
    }
}

#[test]
fn ret_12_settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let bad = |change: fn(&mut EndpointOptions)| {
        let error = error(Vec::new(), change);
        assert_eq!(error.code(), "CONFIG_ERROR");
        error.to_string()
    };
    let no_scheme = bad(|options| options.url = "localhost:1234/v1".to_owned());
    assert!(no_scheme.ends_with("neither https:// nor http://"), "{no_scheme}");
    let password = bad(|options| options.url = "https://me:word@host/v1".to_owned());
    assert!(
        password.ends_with("the key has a setting of its own"),
        "{password}"
    );
    let no_host = bad(|options| options.url = "https:///v1".to_owned());
    assert!(no_host.ends_with("such as https://host/v1"), "{no_host}");
    let header = bad(|options| options.key = Some(ApiKey::new("a\r\nX-Evil: b")));
    assert!(header.contains("no spaces or line ends"), "{header}");
    let empty = bad(|options| options.batch = 0);
    assert!(empty.ends_with("a request needs a text"), "{empty}");
}
