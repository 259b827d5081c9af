//! Lines around the limit, read in pieces of different sizes.

use tokio::io::AsyncReadExt as _;

use super::*;

/// What comes out, read in pieces of `n_at_once` bytes.
fn through(input: &str, most: usize, n_at_once: usize) -> String {
    let work = async {
        let mut lines = Lines::new(input.as_bytes(), most);
        let (mut out, mut buffer) = (Vec::new(), vec![0; n_at_once]);
        while let Ok(n @ 1..) = lines.read(&mut buffer).await {
            out.extend_from_slice(&buffer[..n]);
        }
        String::from_utf8(out).unwrap()
    };
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(work)
}

#[test]
fn mcp_4_lines_within_the_limit_are_untouched() {
    let input = "{\"a\":1}\r\n\n[1,2]\nthe last one without an end";
    for n_at_once in [1, 3, 100] {
        assert_eq!(through(input, 30, n_at_once), input);
    }
}

#[test]
fn sec_4_a_line_beyond_the_limit_is_answered_and_the_next_one_is_read() {
    let check = |line: &str, id: Option<Value>| {
        let out = through(&format!("{line}\n{{\"next\":1}}\n"), 100, 7);
        let lines: Vec<&str> = out.lines().collect();
        let [cut, stand_in, next] = lines[..] else {
            panic!("{out}")
        };
        assert!(serde_json::from_str::<Value>(cut).is_err(), "{cut}");
        let stand_in: Value = serde_json::from_str(stand_in).unwrap();
        match id {
            Some(id) => assert_eq!((&stand_in["id"], &stand_in["method"]), (&id, &json!(TOO_LONG))),
            None => assert_eq!(stand_in, json!({"jsonrpc": "2.0"})),
        }
        assert_eq!(next, "{\"next\":1}");
    };
    let long = "x".repeat(20_000);
    check(
        &format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":"{long}"}}"#),
        Some(json!(7)),
    );
    check(
        &format!(r#"{{"method":"m","params":"{long}","jsonrpc":"2.0","id":8}}"#),
        Some(json!(8)),
    );
    check(
        &format!(r#"{{"params": {{"id": 1, "x": "{long}"}}, "id": "a\"b" }} "#),
        Some(json!("a\"b")),
    );
    check(&format!(r#"{{"params":"{long}","q":{{"id":1}}}}"#), None);
    check(&format!(r#"{{"params":{{"id":1,"x":"{long}"}}}}"#), None);
    check(&format!(r#"{{"id":[1],"x":"{long}"}}"#), None);
    check(&long, None);
}
