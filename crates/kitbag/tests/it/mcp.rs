//! `kitbag mcp` as a client sees it, in plain JSON: what the official clients do not look at. (They are driven by `clients/run`.)

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::world::{SHOP, World};

/// Shaped like a token of a code host.
const SECRET: &str = "ghp_9dKq2LmX7vRb4TzW8nYc1HsJ6pFgE3aUoQ5i";

/// A server and the two ends of its pipe.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_sent: u64,
    /// What the client says its roots are, if it has any.
    pub(crate) roots: Option<Vec<String>>,
    pub(crate) n_roots_asked: usize,
}

impl Server {
    pub(crate) fn start(world: &World, args: &[&str]) -> Server {
        Server::start_in(world, world.project.root(), args, None)
    }

    /// Starts it in a folder, for a client with these roots.
    pub(crate) fn start_in(world: &World, cwd: &Path, args: &[&str], roots: Option<Vec<String>>) -> Server {
        let mut child = world
            .command([&["mcp"], args].concat())
            .current_dir(cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kitbag was built with these tests");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut server = Server {
            child,
            input,
            output,
            n_sent: 0,
            n_roots_asked: 0,
            roots,
        };
        let can = match &server.roots {
            Some(_) => json!({"roots": {"listChanged": true}}),
            None => json!({}),
        };
        let client = json!({"protocolVersion": "2025-11-25", "capabilities": can, "clientInfo": {"name": "t", "version": "1"}});
        server.ask("initialize", client);
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("the server reads");
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line, whatever it is.
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        assert!(
            self.output.read_line(&mut line).expect("the server answers") > 0,
            "it ended"
        );
        serde_json::from_str(&line).expect("only the protocol is on standard output")
    }

    /// The result of a request; notifications in between are passed over, questions about roots answered.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_sent += 1;
        let id = self.n_sent;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut message = self.hear();
            if message["method"] == "roots/list" {
                self.n_roots_asked += 1;
                let uri = |root: &String| json!({"uri": root});
                let roots: Vec<Value> = self.roots.iter().flatten().map(uri).collect();
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}}));
            } else if message["id"] == id {
                return message["result"].take();
            }
        }
    }

    /// The text of a tool's answer, and whether it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let blocks = result["content"].as_array().expect("every answer has content");
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        (texts.join("\n"), result["isError"] == true)
    }

    /// Ends the input and gives the exit code and what was said on standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().expect("it ends");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base()
        .expect("it is built in")
        .encode_ordinary(text)
        .len()
}

#[test]
fn mcp_2_the_list_of_tools_is_small_and_in_order() {
    let world = World::new(SHOP);
    let listed = |args: &[&str]| {
        let mut server = Server::start(&world, args);
        let result = server.ask("tools/list", json!({}));
        server.end();
        let names: Vec<String> = result["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect();
        (names, tokens(&result["tools"].to_string()))
    };
    let (core, n_core) = listed(&[]);
    assert_eq!(
        core,
        [
            "build_context_pack",
            "query_context",
            "locate_symbol",
            "get_package_context",
            "refresh_context",
            "get_context_stats"
        ]
    );
    assert!(n_core < 1_200, "{n_core} tokens");
    let (all, n_all) = listed(&["--tools", "all"]);
    assert_eq!(all[..core.len()], core);
    assert_eq!(
        all[core.len()..],
        [
            "remember",
            "recall",
            "forget",
            "give_feedback",
            "rebuild_context",
            "get_rebuild_status",
            "list_packages",
            "project_facts"
        ]
    );
    assert!(n_all < 2_500, "{n_all} tokens");
}

#[test]
fn mcp_3_answers_are_text_and_json_only_on_request() {
    let world = World::new(SHOP);
    let mut server = Server::start(&world, &[]);
    let ask = |server: &mut Server, format: &str| {
        let arguments = json!({"task": "how is a password checked", "format": format});
        server.ask(
            "tools/call",
            json!({"name": "build_context_pack", "arguments": arguments}),
        )
    };
    // Until the index is there, an answer may come from the files.
    while server
        .call("locate_symbol", json!({"name": "verify_password"}))
        .0
        .starts_with("Note")
    {}
    let plain = ask(&mut server, "markdown");
    assert_eq!(plain["structuredContent"], Value::Null);
    assert!(
        plain["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("src/auth.rs:"),
        "{plain}"
    );
    let data = ask(&mut server, "json");
    let text: Value = serde_json::from_str(data["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, data["structuredContent"]);
    assert_eq!(server.end(), (Some(0), String::new()));
}

#[test]
fn mcp_3_errors_say_how_to_mend_them() {
    let world = World::new(SHOP);
    let mut server = Server::start(&world, &[]);
    for (tool, arguments, expected) in [
        (
            "build_context_pack",
            json!({"task": "x", "budgt": 5}),
            "unknown argument `budgt`; did you mean `budget`?",
        ),
        (
            "build_context_pack",
            json!({"task": 5}),
            "task: invalid type: integer `5`, expected a string",
        ),
        (
            "build_context_pack",
            json!({"task": "x", "max_tokens": 5}),
            "max_tokens must be between 200 and 25000, not 5",
        ),
        (
            "query_context",
            json!({"query": "x", "languages": ["klingon"]}),
            "unknown language `klingon`",
        ),
        (
            "query_context",
            json!({"query": "x", "session": "a b"}),
            "session",
        ),
        (
            "get_package_context",
            json!({"package": "nope"}),
            "no package `nope`; there are",
        ),
        ("refresh_context", json!({"paths": ["../.."]}), "PATH_DENIED"),
    ] {
        let (text, is_error) = server.call(tool, arguments);
        assert!(is_error && text.contains(expected), "{tool}: {text}");
    }
    server.end();
}

#[test]
fn eng_41_a_session_outlives_its_server() {
    let world = World::new(SHOP);
    let arguments = json!({"task": "how is a password checked", "session": "one"});
    let pack = || {
        let mut server = Server::start(&world, &[]);
        while server
            .call("locate_symbol", json!({"name": "verify_password"}))
            .0
            .starts_with("Note")
        {}
        let (text, _) = server.call("build_context_pack", arguments.clone());
        server.end();
        text
    };
    let (first, second) = (pack(), pack());
    assert!(first.contains("hash_password(given) == stored"), "{first}");
    assert!(!second.contains("hash_password(given) == stored"), "{second}");
    assert!(
        tokens(&second) * 10 <= tokens(&first) * 7,
        "{} after {}",
        tokens(&second),
        tokens(&first)
    );
}

#[test]
fn mcp_2_what_is_remembered_is_recalled_by_another_server() {
    let world = World::new(SHOP);
    let mut server = Server::start(&world, &["--tools", "memory"]);
    let content = format!("prices are in cents, key = {SECRET}");
    let (text, is_error) = server.call(
        "remember",
        json!({"content": content, "kind": "decision", "cites": ["shop/cart.py"]}),
    );
    assert_eq!((text.as_str(), is_error), ("Kept as memory 1.", false));
    server.end();
    let mut server = Server::start(&world, &["--tools", "memory"]);
    let (text, _) = server.call("recall", json!({"query": "how are prices stored"}));
    assert!(
        text.starts_with("[decision] prices are in cents") && text.ends_with("(shop/cart.py)"),
        "{text}"
    );
    assert!(!text.contains(SECRET), "{text}");
    server.end();
}
