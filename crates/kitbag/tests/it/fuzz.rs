//! SEC-6: what a client sends to a server. One server gets all of it, and answers the next question all the same.

use std::cell::RefCell;

use kitbag_testkit::fuzz::{Material, fuzz};
use serde_json::json;

use crate::mcp;
use crate::serve;
use crate::world::{SHOP, World};

const CALLS: [&str; 4] = [
    r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"search","arguments":{"query":"price","top":3}}}"#,
    r#"{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":"x","method":"search","params":{"query":"price"}}"#,
    r#"[{"jsonrpc":"2.0","id":"x","method":"stats","params":{}},{"jsonrpc":"2.0","method":"search"}]"#,
];
const WORDS: [&str; 20] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"id\"",
    "\"method\"",
    "\"params\"",
    "\"name\"",
    "\"arguments\"",
    "\"query\"",
    "null",
    "-1",
    "1e400",
    "\"2.0\"",
    "\"ping\"",
    "\\ud800",
    "true",
];

#[test]
fn sec_6_fuzz_mcp_lines() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = RefCell::new(mcp::Server::start_in(&world, world.project.root(), &[], None));
    let material = Material::new(&CALLS, &WORDS).with_short_runs(60);
    fuzz("mcp lines", &material, |input| {
        let line: String = String::from_utf8_lossy(input).replace(['\n', '\r'], " ");
        let mut server = server.borrow_mut();
        server.send_line(&line);
        server.ask("ping", json!({}));
    });
    let (code, said) = server.into_inner().end();
    assert_eq!((code, said.contains("panicked")), (Some(0), false), "{said}");
}

#[test]
fn sec_6_fuzz_rpc_bodies() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = serve::Server::start(&world);
    let material = Material::new(&CALLS, &WORDS).with_short_runs(60);
    fuzz("rpc bodies", &material, |input| {
        let status = server.post("/rpc", input);
        assert!(status < 500, "{status}");
    });
}
