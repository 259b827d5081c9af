//! Handshakes with good and bad servers, which are shell scripts.

use super::*;

fn ask(script: &str, limit_ms: u64) -> Result<Server, String> {
    let launch = Launch {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), script.to_owned()],
    };
    handshake(
        &launch,
        &[("OWN".to_owned(), "value".to_owned())],
        Path::new("/"),
        Duration::from_millis(limit_ms),
    )
}

#[test]
fn mcp_6_a_server_says_what_it_is() {
    let server = ask(
        r#"read line; case "$line" in *initialize*) ;; *) exit 9;; esac
           echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
           echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"k\",\"version\":\"$OWN\"}}}"
           read rest"#,
        60_000,
    );
    let expected = Server {
        name: "k".to_owned(),
        version: "value".to_owned(),
    };
    assert_eq!(server, Ok(expected));
}

#[test]
fn mcp_6_each_way_to_fail_is_told_apart() {
    assert_eq!(
        ask("echo boom >&2; exit 3", 60_000),
        Err("it ended without an answer: boom".to_owned())
    );
    assert_eq!(
        ask("read l; echo 'Welcome!'", 60_000),
        Err("it prints something else than MCP: Welcome!".to_owned())
    );
    let refused = ask(r#"read l; echo '{"id":1,"error":{"code":-32600}}'"#, 60_000);
    assert_eq!(
        refused,
        Err(r#"it answers with an error: {"code":-32600}"#.to_owned())
    );
    assert_eq!(
        ask("read l; sleep 600", 1_000),
        Err("no answer within 1 seconds".to_owned())
    );
    let launch = Launch {
        command: "/no/such/program".to_owned(),
        args: Vec::new(),
    };
    let missing = handshake(&launch, &[], Path::new("/"), Duration::from_secs(5)).unwrap_err();
    assert!(missing.starts_with("it does not start: "), "{missing}");
}

#[test]
fn mcp_7_it_runs_where_the_agent_would_and_its_store_goes_away() {
    let script = r#"read l; mkdir -p "$KITBAG_STORAGE_PATH"
        echo "{\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"$PWD\",\"version\":\"$KITBAG_STORAGE_PATH\"}}}""#;
    let server = ask(script, 60_000).expect("it answers");
    assert_eq!(server.name, "/");
    assert!(
        server.version.contains("kitbag-doctor-") && !Path::new(&server.version).exists(),
        "{server:?}"
    );
}
