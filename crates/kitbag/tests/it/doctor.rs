//! `kitbag doctor`: finds what is wrong, says what to do, changes nothing (MCP-6).

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::world::{Ran, SHOP, World, keys};

/// `kitbag doctor --json` with no agent on PATH but those of the home folder.
fn doctor(world: &World) -> (Ran, Value) {
    let mut command = world.command(["--json", "doctor"]);
    command.env("PATH", "/usr/bin:/bin");
    let ran = world.ran(&command.output().expect("kitbag was built with these tests"));
    let reply: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    (ran, reply)
}

/// The state and detail of one check.
#[track_caller]
fn check<'r>(reply: &'r Value, name: &str) -> (&'r str, &'r str) {
    let checks = reply["checks"].as_array().expect("it is a list");
    let found = checks.iter().find(|check| check["check"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {reply}"));
    (
        found["state"].as_str().expect("a state is a word"),
        found["detail"].as_str().expect("a detail is text"),
    )
}

/// A program that answers as a server of this version would.
fn server(world: &World, name: &str, version: &str) -> String {
    let script = format!(
        "#!/bin/sh\nread line\necho '{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"serverInfo\":{{\"name\":\"kitbag\",\
         \"version\":\"{version}\"}}}}}}'\nread rest\n"
    );
    world.home.write(name, &script);
    let path = world.home.path(name);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    path.display().to_string()
}

fn cursor(world: &World, command: &str) {
    let entry = serde_json::json!({"mcpServers": {"kitbag": {"command": command, "args": ["mcp"]}}});
    world.home.write(".cursor/mcp.json", entry.to_string());
}

#[test]
fn mcp_6_a_healthy_project() {
    let world = World::new(SHOP);
    cursor(&world, &server(&world, "bin/good", env!("CARGO_PKG_VERSION")));
    let (ran, before) = doctor(&world);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(keys(&before), ["checks", "healthy"]);
    assert_eq!(
        keys(&before["checks"][0]),
        ["advice", "check", "detail", "of", "state"]
    );
    assert_eq!(check(&before, "index"), ("warning", "not indexed yet"));
    assert!(
        !world.project.path(".git/kitbag").exists(),
        "asking makes nothing"
    );
    world.run(["index"]);
    let (ran, after) = doctor(&world);
    assert_eq!(
        (ran.code, &after["healthy"]),
        (Some(0), &Value::Bool(true)),
        "{ran:?}"
    );
    assert_eq!(check(&after, "index"), ("ok", "6 files, up to date"));
    assert_eq!(check(&after, "database"), ("ok", "sound"));
    assert_eq!(check(&after, "settings"), ("ok", "valid"));
    assert_eq!(check(&after, "root"), ("ok", "[ROOT]"));
    assert_eq!(check(&after, "store").0, "ok");
    assert_eq!(check(&after, "failures").0, "ok");
    assert_eq!(check(&after, "git").0, "ok");
    let (state, detail) = check(&after, "agent");
    assert!(state == "ok" && detail.ends_with(" answers"), "{detail}");
    world.project.write("src/later.rs", "pub fn later() {}\n");
    let (_, stale) = doctor(&world);
    assert!(
        check(&stale, "index").1.contains("1 file changed since"),
        "{stale}"
    );
}

#[test]
fn mcp_6_every_fault_of_an_entry_is_told() {
    let world = World::new(SHOP);
    let fault = |state: &str, detail: &str| {
        let (ran, reply) = doctor(&world);
        let found = check(&reply, "agent");
        assert!(found.0 == state && found.1.contains(detail), "{found:?}");
        assert_eq!(ran.code, Some(if state == "problem" { 1 } else { 0 }), "{ran:?}");
    };
    fault("warning", "no coding agent was found");
    world.home.write(".cursor/mcp.json", "{}");
    fault("warning", "does not know Kitbag");
    world.home.write(".cursor/mcp.json", "{\"mcpServers\": {\n");
    fault("problem", "[HOME]/.cursor/mcp.json:1:");
    cursor(&world, "/no/such/kitbag");
    fault(
        "problem",
        "`/no/such/kitbag` is not a program that can be started",
    );
    cursor(&world, &server(&world, "bin/old", "0.0.1"));
    fault("warning", "which is kitbag 0.0.1, not ");
    world
        .home
        .write("bin/mute", "#!/bin/sh\necho 'no such command' >&2\nexit 2\n");
    let mute = world.home.path("bin/mute");
    std::fs::set_permissions(&mute, std::fs::Permissions::from_mode(0o755)).unwrap();
    cursor(&world, &mute.display().to_string());
    fault("problem", "it ended without an answer: no such command");
}

#[test]
fn mcp_6_faults_of_project_and_store_are_told() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let database = world.project.path(".git/kitbag/kitbag.db");
    let mut bytes = std::fs::read(&database).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].iter_mut().for_each(|byte| *byte ^= 0x5A);
    std::fs::write(&database, &bytes).unwrap();
    let (ran, reply) = doctor(&world);
    assert_eq!(
        (ran.code, check(&reply, "database").0),
        (Some(1), "problem"),
        "{ran:?}"
    );
    assert_eq!(
        std::fs::read(&database).unwrap(),
        bytes,
        "it is looked at, not mended"
    );
    world
        .project
        .write("kitbag.toml", "[query]\ndefault_k = \"many\"\n");
    let (ran, reply) = doctor(&world);
    assert_eq!(
        (ran.code, check(&reply, "settings").0),
        (Some(1), "problem"),
        "{ran:?}"
    );
    assert!(check(&reply, "settings").1.contains("kitbag.toml:2:"), "{reply}");
}

#[test]
fn mcp_6_for_people_each_line_says_what_to_do() {
    let world = World::new(SHOP);
    let ran = world.run(["doctor"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out
            .contains("warning  index     not indexed yet\n                   → `kitbag index`, or just ask"),
        "{ran:?}"
    );
    assert!(ran.err.starts_with("0 problems, "), "{ran:?}");
}

#[test]
fn sec_a_repository_does_not_decide_what_doctor_runs() {
    let world = World::new(SHOP);
    world
        .home
        .write("evil", "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n");
    let evil = world.home.path("evil");
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let entry = serde_json::json!({"mcpServers": {"kitbag": {"command": evil, "args": ["mcp"]}}});
    world.project.write(".mcp.json", entry.to_string());
    let (ran, _) = doctor(&world);
    assert!(ran.out.contains("it was not tried"), "{ran:?}");
    assert!(!world.home.path("ran").exists());
}

#[test]
fn mcp_7_a_server_is_started_where_an_agent_would() {
    let world = World::new(SHOP);
    let run = |script: &str| {
        world.home.write("bin/picky", script);
        let path = world.home.path("bin/picky");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        cursor(&world, &path.display().to_string());
        doctor(&world).1
    };
    let answer = "read line\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"kitbag\",\"version\":\"0\"}}}'\nread rest\n";
    let reply = run(&format!(
        "#!/bin/sh\n[ \"$(pwd -P)\" != \"$(cd \"$HOME\" && pwd -P)\" ] || {{ echo 'not here' >&2; exit 2; }}\n{answer}"
    ));
    let (state, detail) = check(&reply, "agent");
    assert_eq!(state, "problem", "{detail}");
    assert!(
        detail.contains("started in [HOME]: it ended without an answer: not here"),
        "{detail}"
    );
    // An entry that names its folder is started there and nowhere else.
    let picky = world.home.path("bin/picky");
    let entry = serde_json::json!({"mcpServers": {"kitbag": {"command": picky, "args": ["mcp"], "cwd": world.project.root()}}});
    world.home.write(".cursor/mcp.json", entry.to_string());
    assert_eq!(
        check(&doctor(&world).1, "agent").0,
        "warning",
        "it is another version, and it starts"
    );
    // The real one starts everywhere, and leaves nothing behind.
    cursor(&world, env!("CARGO_BIN_EXE_kitbag"));
    let (state, detail) = {
        let reply = doctor(&world).1;
        let (state, detail) = check(&reply, "agent");
        (state.to_owned(), detail.to_owned())
    };
    assert!(state == "ok" && detail.ends_with(" answers"), "{detail}");
    assert!(
        !world.project.path(".git/kitbag").exists(),
        "asking makes nothing"
    );
}
