//! `kitbag mcp` wherever a client starts it, and about whichever project it asks (MCP-7).

use std::path::Path;

use kitbag_testkit::TempTree;
use serde_json::{Value, json};

use crate::mcp::Server;
use crate::world::{SHOP, World};

const BAKERY: &str = "\
//- src/oven.rs
/// Bakes a loaf of bread.
pub fn bake_bread(minutes: u32) -> bool {
    minutes > 30
}
//- Cargo.toml
[package]
name = \"bakery\"
";

fn shown(path: &Path) -> String {
    path.to_str()
        .expect("folders of tests have plain names")
        .to_owned()
}

fn uri(path: &Path) -> String {
    format!("file://{}", shown(path))
}

/// Asks until the answer is from the whole index.
fn locate(server: &mut Server, name: &str, project: Option<&Path>) -> (String, bool) {
    loop {
        let mut arguments = json!({"name": name});
        if let Some(project) = project {
            arguments["project"] = json!(shown(project));
        }
        let (text, is_error) = server.call("locate_symbol", arguments);
        if !text.starts_with("Note") {
            return (text, is_error);
        }
    }
}

#[test]
fn mcp_7_the_server_starts_anywhere() {
    let world = World::new(SHOP);
    let empty = TempTree::empty();
    let places = [world.home.root(), Path::new("/"), Path::new("/tmp"), empty.root()];
    for place in places {
        let mut server = Server::start_in(&world, place, &[], None);
        let tools = server.ask("tools/list", json!({}));
        assert!(
            tools["tools"].as_array().is_some_and(|tools| tools.len() == 6),
            "{tools}"
        );
        let (text, is_error) = server.call("query_context", json!({"query": "password"}));
        assert!(is_error && text.starts_with("[NO_PROJECT] "), "{text}");
        assert!(text.contains("{\"project\": \"/home/me/repo\"}"), "{text}");
        assert_eq!(server.ask("resources/list", json!({}))["resources"], json!([]));
        let (text, is_error) = locate(&mut server, "verify_password", Some(world.project.root()));
        assert!(!is_error && text.starts_with("src/auth.rs:"), "{text}");
        assert_eq!(server.end(), (Some(0), String::new()));
    }
}

#[test]
fn mcp_7_the_project_comes_from_the_call_then_the_roots_then_the_folder() {
    let (world, bakery) = (World::new(SHOP), TempTree::new(BAKERY));
    // The working folder is a project, but the client has another one open.
    let roots = Some(vec![uri(&bakery.path("src"))]);
    let mut server = Server::start_in(&world, world.project.root(), &[], roots);
    let (text, _) = locate(&mut server, "bake_bread", None);
    assert!(text.starts_with("src/oven.rs:"), "the root's project: {text}");
    let (text, _) = locate(&mut server, "verify_password", Some(world.project.root()));
    assert!(text.starts_with("src/auth.rs:"), "{text}");
    assert_eq!(server.n_roots_asked, 1, "once is enough");
    // With two projects open, nobody can know which one is meant.
    server.roots = Some(vec![uri(bakery.root()), uri(world.project.root())]);
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    let (mut text, mut is_error) = locate(&mut server, "bake_bread", None);
    while !is_error {
        // The notification may be read after the call.
        (text, is_error) = locate(&mut server, "bake_bread", None);
    }
    assert!(
        text.starts_with("[NO_PROJECT] several projects are open: "),
        "{text}"
    );
    assert!(
        text.contains(&shown(bakery.root())) && text.contains(&shown(world.project.root())),
        "{text}"
    );
    server.end();
    // `--root` is a person's word and outranks the roots.
    let root = shown(world.project.root());
    let roots = Some(vec![uri(bakery.root())]);
    let mut server = Server::start_in(&world, world.home.root(), &["--root", &root], roots);
    assert!(
        locate(&mut server, "verify_password", None)
            .0
            .starts_with("src/auth.rs:")
    );
    assert_eq!(server.n_roots_asked, 0);
    server.end();
}

#[test]
fn mcp_7_roots_that_are_no_project_leave_the_working_folder() {
    let world = World::new(SHOP);
    let roots = vec![
        uri(world.home.root()),
        "file:///".to_owned(),
        "https://x.org/y".to_owned(),
    ];
    let mut server = Server::start_in(&world, world.project.root(), &[], Some(roots));
    assert!(
        locate(&mut server, "verify_password", None)
            .0
            .starts_with("src/auth.rs:")
    );
    server.end();
}

#[test]
fn mcp_7_one_server_serves_several_projects_and_closes_the_oldest() {
    let world = World::new(SHOP);
    let others: Vec<TempTree> = (0..10)
        .map(|n| {
            TempTree::new(&format!(
                "//- README.md\n# Nr {n}\n//- a.py\ndef only_in_{n}():\n    pass\n"
            ))
        })
        .collect();
    let mut server = Server::start_in(&world, world.home.root(), &[], None);
    for _ in 0..2 {
        for (n, other) in others.iter().enumerate() {
            let (text, is_error) = locate(&mut server, &format!("only_in_{n}"), Some(other.root()));
            assert!(!is_error && text.starts_with("a.py:1-2"), "{text}");
        }
    }
    // Each has its own index, and none knows the others.
    let (text, _) = locate(&mut server, "only_in_3", Some(others[4].root()));
    assert!(text.starts_with("No definition of `only_in_3`"), "{text}");
    assert_eq!(server.end(), (Some(0), String::new()));
}

#[test]
fn sec_mcp_7_a_call_cannot_name_what_is_no_project() {
    let world = World::new(SHOP);
    let bare = TempTree::new("//- notes.txt\nnothing\n");
    let home = shown(world.home.root());
    let bare_path = shown(bare.root());
    let mut server = Server::start_in(&world, world.project.root(), &[], None);
    for (project, code, why) in [
        (json!("/"), "PATH_DENIED", "the root of the file system"),
        (json!("/etc"), "PATH_DENIED", "a system folder"),
        (json!("file:///usr/bin"), "PATH_DENIED", "a system folder"),
        (json!("~"), "PATH_DENIED", "your home folder"),
        (json!(home), "PATH_DENIED", "your home folder"),
        (
            json!(bare_path),
            "PATH_DENIED",
            "is not a project: it has no .git, manifest or README",
        ),
        (
            json!("/no/such/folder"),
            "PATH_NOT_FOUND",
            "there is no folder `/no/such/folder`",
        ),
        (
            json!("https://example.org"),
            "PATH_NOT_FOUND",
            "there is no folder",
        ),
        (
            json!(5),
            "INVALID_ARGUMENTS",
            "project must be the path of a folder, not 5",
        ),
        (
            json!(""),
            "INVALID_ARGUMENTS",
            "project must be the path of a folder",
        ),
    ] {
        let (text, is_error) = server.call("query_context", json!({"query": "x", "project": project}));
        assert!(
            is_error && text.starts_with(&format!("[{code}] ")) && text.contains(why),
            "{project}: {text}"
        );
    }
    server.end();
    // What a person or the client has opened need not look like a project.
    let mut server = Server::start_in(&world, bare.root(), &[], None);
    let (text, is_error) = server.call("query_context", json!({"query": "nothing", "project": bare_path}));
    assert!(!is_error, "{text}");
    server.end();
}

#[test]
fn mcp_7_a_client_of_the_new_protocol_is_asked_by_an_answer() {
    let world = World::new(SHOP);
    let mut server = Server::start_in(&world, world.home.root(), &[], None);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
    });
    let call = json!({"name": "locate_symbol", "arguments": {"name": "verify_password"}, "_meta": meta});
    let question = server.ask("tools/call", call.clone());
    assert_eq!(question["resultType"], "input_required", "{question}");
    assert_eq!(
        question["inputRequests"]["roots"]["method"], "roots/list",
        "{question}"
    );
    let mut again = call;
    again["inputResponses"] = json!({"roots": {"roots": [{"uri": uri(world.project.root())}]}});
    let answer = server.ask("tools/call", again);
    assert_ne!(answer["isError"], Value::Bool(true), "{answer}");
    server.end();
}
