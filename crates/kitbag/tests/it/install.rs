//! `kitbag install` with a home of its own and configuration files as people have them (MCP-6).

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::world::{SHOP, World, keys};

/// Agent, its file in the home folder, and where its servers stand.
const FILES: [(&str, &str, &str); 12] = [
    ("antigravity", ".gemini/config/mcp_config.json", "mcpServers"),
    ("claude-code", ".claude.json", "mcpServers"),
    ("codex", ".codex/config.toml", "mcp_servers"),
    ("copilot", ".copilot/mcp-config.json", "mcpServers"),
    ("cursor", ".cursor/mcp.json", "mcpServers"),
    ("gemini", ".gemini/settings.json", "mcpServers"),
    ("kiro", ".kiro/settings/mcp.json", "mcpServers"),
    ("opencode", "config/opencode/opencode.json", "mcp"),
    ("pi", ".pi/agent/mcp.json", "mcpServers"),
    ("vscode", "config/Code/User/mcp.json", "servers"),
    ("windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"),
    ("zed", "config/zed/settings.json", "context_servers"),
];

/// Every fixture of an agent: name and text.
fn fixtures(agent: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents")
        .join(agent);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<(String, String)> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .map(|path| {
            (
                path.display().to_string(),
                std::fs::read_to_string(&path).expect("it is text"),
            )
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{agent} has no fixture");
    files
}

/// A reading of JSON with comments and trailing commas that shares nothing with the one that edits: they are blanked, and
/// serde does the rest.
fn parsed(path: &str, text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    if path.ends_with(".toml") {
        let table: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        return serde_json::to_value(table).expect("a table is JSON");
    }
    let mut out: Vec<u8> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest[0] == b'"' {
            let mut end = 1;
            while rest[end] != b'"' {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            out.extend(&rest[..=end]);
            at += end + 1;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += 2
                + rest
                    .windows(2)
                    .skip(2)
                    .position(|two| two == b"*/")
                    .expect("it ends")
                + 2;
        } else {
            if matches!(rest[0], b'}' | b']') {
                let last = out.iter().rposition(|byte| !byte.is_ascii_whitespace());
                if let Some(comma) = last.filter(|last| out[*last] == b',') {
                    out.remove(comma);
                }
            }
            out.push(rest[0]);
            at += 1;
        }
    }
    if out.iter().all(u8::is_ascii_whitespace) {
        return json!({});
    }
    serde_json::from_slice(&out).unwrap_or_else(|error| panic!("{path}: {error}\n{text}"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn put(world: &World, path: &str, text: &str) -> PathBuf {
    world.home.write(path, text);
    world.home.path(path)
}

fn kitbag() -> String {
    let path = Path::new(env!("CARGO_BIN_EXE_kitbag"))
        .canonicalize()
        .expect("it was built");
    path.display().to_string()
}

fn expected(agent: &str) -> Value {
    let kitbag = kitbag();
    match agent {
        "claude-code" | "vscode" => json!({"type": "stdio", "command": kitbag, "args": ["mcp"]}),
        "copilot" => json!({"type": "stdio", "command": kitbag, "args": ["mcp"], "tools": ["*"]}),
        "opencode" => json!({"type": "local", "command": [kitbag, "mcp"], "enabled": true}),
        _ => json!({"command": kitbag, "args": ["mcp"]}),
    }
}

#[test]
fn mcp_6_real_files_of_every_agent_and_back() {
    for (agent, path, container) in FILES {
        for (fixture, before) in fixtures(agent) {
            let world = World::without_git(SHOP);
            let file = put(&world, path, &before);
            let ran = world.run(["install", "--agent", agent, "--yes"]);
            assert_eq!(ran.code, Some(0), "{fixture}: {ran:?}");
            let after = read(&file);
            let mut new = parsed(path, &after);
            let mut old = parsed(path, &before);
            let servers = new[container].as_object_mut().expect("it has servers");
            assert_eq!(servers.remove("kitbag"), Some(expected(agent)), "{fixture}");
            if old.get(container).is_none() {
                old[container] = json!({});
            }
            assert_eq!(new, old, "{fixture}: nothing else changed");
            // Every comment is still there.
            for line in before
                .lines()
                .filter(|line| line.contains("//") || line.contains('#'))
            {
                let comment = &line[line.find("//").or(line.find('#')).unwrap_or(0)..];
                assert!(after.contains(comment), "{fixture}: {comment}");
            }
            let ran = world.run(["install", "--agent", agent, "--yes"]);
            assert!(
                ran.code == Some(0) && ran.out.ends_with("already there\n"),
                "{fixture}: {ran:?}"
            );
            assert_eq!(read(&file), after, "{fixture}: twice is once");
            let ran = world.run(["install", "--uninstall", "--agent", agent, "--yes"]);
            assert_eq!(ran.code, Some(0), "{fixture}: {ran:?}");
            assert_eq!(read(&file), before, "{fixture}");
            assert!(
                !Path::new(&format!("{}.kitbag-backup", file.display())).exists(),
                "{fixture}"
            );
        }
    }
}

#[test]
fn mcp_6_a_byte_order_mark_and_crlf_stay() {
    let world = World::without_git(SHOP);
    let before = "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  }\r\n}";
    let file = put(&world, ".cursor/mcp.json", before);
    world.run(["install", "--agent", "cursor", "--yes"]);
    let after = read(&file);
    assert!(
        after.starts_with("\u{feff}{\r\n") && after.ends_with('}'),
        "{after:?}"
    );
    assert_eq!(
        after.matches('\n').count(),
        after.matches("\r\n").count(),
        "{after:?}"
    );
    world.run(["install", "--agent", "cursor", "--uninstall", "--yes"]);
    assert_eq!(read(&file), before);
}

#[test]
fn mcp_6_a_broken_file_is_refused_and_the_others_go_on() {
    let world = World::without_git(SHOP);
    let broken = "{\n  \"mcpServers\": {\n    \"a\": {}\n    \"b\": {}\n  }\n}\n";
    let cursor = put(&world, ".cursor/mcp.json", broken);
    let codex = put(&world, ".codex/config.toml", "a = \n");
    let kiro = put(&world, ".kiro/settings/mcp.json", "{}");
    let ran = world.run(["install", "--agent", "cursor,codex,kiro", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.out.contains("[HOME]/.cursor/mcp.json:3:12: "), "{ran:?}");
    assert!(ran.out.contains("[HOME]/.codex/config.toml:1:"), "{ran:?}");
    assert_eq!(
        (read(&cursor).as_str(), read(&codex).as_str()),
        (broken, "a = \n")
    );
    assert!(!world.home.path(".cursor/mcp.json.kitbag-backup").exists());
    assert!(read(&kiro).contains("kitbag"), "{ran:?}");
}

#[test]
fn mcp_6_a_linked_dotfile_stays_a_link_and_private_stays_private() {
    let world = World::without_git(SHOP);
    let real = put(&world, "dotfiles/claude.json", "{\n  \"secret\": 1\n}\n");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    let link = world.home.path(".claude.json");
    symlink("dotfiles/claude.json", &link).unwrap();
    let ran = world.run(["install", "--agent", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert!(link.is_symlink() && read(&real).contains("kitbag"));
    assert_eq!(mode(&real), 0o600);
    let backup = world.home.path(".claude.json.kitbag-backup");
    assert_eq!(
        (read(&backup).as_str(), mode(&backup)),
        ("{\n  \"secret\": 1\n}\n", 0o600)
    );
    world.run(["install", "--agent", "claude-code", "--uninstall", "--yes"]);
    assert!(link.is_symlink() && !backup.exists());
    assert_eq!(read(&real), "{\n  \"secret\": 1\n}\n");
}

#[test]
fn mcp_6_only_shown_without_a_yes() {
    let world = World::without_git(SHOP);
    let file = put(
        &world,
        ".cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
    );
    let shown = format!(
        "Cursor  [HOME]/.cursor/mcp.json  to be added\n  -     \"a\": {{}}\n  +     \"a\": {{}},\n  +     \"kitbag\": {{\n  \
         +       \"command\": \"{}\",\n  +       \"args\": [\"mcp\"]\n  +     }}\n  backup: [HOME]/.cursor/mcp.json.kitbag-backup\n",
        kitbag()
    );
    let ran = world.run(["install", "--agent", "cursor"]);
    ran.check(2, &shown);
    assert_eq!(ran.err, "nothing was written: run with --yes to write it\n");
    world
        .run(["install", "--agent", "cursor", "--dry-run"])
        .check(0, &shown);
    assert!(!read(&file).contains("kitbag"));
    assert!(!world.home.path(".cursor/mcp.json.kitbag-backup").exists());
}

#[test]
fn mcp_6_agents_are_found_by_their_files() {
    let world = World::without_git(SHOP);
    let command = |args: &[&str]| {
        let mut command = world.command(args);
        command.env("PATH", "/nowhere");
        world.ran(&command.output().expect("kitbag was built with these tests"))
    };
    let ran = command(&["install", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.starts_with("error: no agent was found on this machine\n"),
        "{ran:?}"
    );
    put(&world, ".codex/auth.json", "{}");
    put(&world, "config/zed/settings.json", "{}");
    let ran = command(&["--json", "install", "--yes"]);
    let reply: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(keys(&reply), ["applied", "args", "command", "files", "warnings"]);
    let files = reply["files"].as_array().unwrap();
    let agents: Vec<&Value> = files.iter().map(|file| &file["agents"]).collect();
    assert_eq!(agents, [&json!(["codex"]), &json!(["zed"])], "{ran:?}");
    assert_eq!(
        keys(&files[0]),
        ["agents", "backup", "deletes", "diff", "message", "path", "state"]
    );
    assert_eq!(
        (&reply["applied"], &files[0]["state"]),
        (&json!(true), &json!("add"))
    );
    let list = command(&["--json", "install", "--list"]);
    let list: Value = serde_json::from_str(&list.out).expect("it is JSON");
    let agents = list["agents"].as_array().unwrap();
    let set_up: Vec<&str> = agents
        .iter()
        .filter(|agent| agent["installed"] == true)
        .map(|agent| agent["id"].as_str().unwrap())
        .collect();
    assert_eq!(set_up, ["codex", "zed"]);
    assert_eq!(keys(&agents[0]), ["file", "found", "id", "installed", "name"]);
    let ran = command(&["install", "--uninstall", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!world.home.path(".codex/config.toml").exists(), "we made it");
    assert!(world.home.path(".codex/auth.json").exists());
    assert_eq!(read(&world.home.path("config/zed/settings.json")), "{}");
}

#[test]
fn mcp_6_the_name_is_enough_if_path_leads_here() {
    let world = World::without_git(SHOP);
    let bin = world.home.path("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_kitbag"), bin.join("kitbag")).unwrap();
    let mut command = world.command(["install", "--agent", "codex", "--tools", "all", "--yes"]);
    command.env("PATH", &bin);
    let ran = world.ran(&command.output().expect("kitbag was built with these tests"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        read(&world.home.path(".codex/config.toml")),
        "[mcp_servers.kitbag]\ncommand = \"kitbag\"\nargs = [\"mcp\", \"--tools\", \"all\"]\n"
    );
}

#[test]
fn mcp_6_project_files_and_instructions_and_back() {
    let world = World::new(SHOP);
    world.project.write("AGENTS.md", "# Rules\n\nBe kind.");
    world
        .project
        .write(".vscode/mcp.json", "{\n\t// ours\n\t\"servers\": {}\n}\n");
    let agents = [
        "install",
        "--project",
        "--instructions",
        "--agent",
        "claude-code",
        "vscode",
        "codex",
        "opencode",
    ];
    let ran = world.run([&agents[..], &["--yes"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.contains("warning: ") && ran.err.contains("is a path of this machine"),
        "{ran:?}"
    );
    let path = |name: &str| world.project.path(name);
    assert!(read(&path(".mcp.json")).contains("\"type\": \"stdio\""));
    assert!(read(&path(".codex/config.toml")).starts_with("[mcp_servers.kitbag]\n"));
    assert!(read(&path("opencode.json")).contains("\"type\": \"local\""));
    assert!(read(&path(".vscode/mcp.json")).contains("// ours"));
    let rules = read(&path("AGENTS.md"));
    assert!(
        rules.starts_with("# Rules\n\nBe kind.\n\n<!-- kitbag:begin -->\n"),
        "{rules}"
    );
    assert!(rules.ends_with("<!-- kitbag:end -->"), "{rules}");
    assert!(!path("CLAUDE.md").exists());
    assert!(
        !world.home.path(".claude.json").exists(),
        "the user's files are left alone"
    );
    let ran = world.run(["install", "--uninstall", "--dry-run"]);
    assert!(
        ran.err
            .contains("keep Kitbag for Claude Code, Codex, Copilot CLI, OpenCode, VS Code; add --project"),
        "{ran:?}"
    );
    let ran = world.run(["install", "--project", "--uninstall", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(read(&path("AGENTS.md")), "# Rules\n\nBe kind.");
    assert_eq!(
        read(&path(".vscode/mcp.json")),
        "{\n\t// ours\n\t\"servers\": {}\n}\n"
    );
    for gone in [
        ".mcp.json",
        ".codex",
        "opencode.json",
        ".vscode/mcp.json.kitbag-backup",
    ] {
        assert!(!path(gone).exists(), "{gone}");
    }
    let ran = world.run(["install", "--project", "--uninstall", "--yes"]);
    ran.check(0, "nothing of kitbag was found\n");
}

#[test]
fn mcp_6_on_a_terminal_it_asks() {
    let world = World::without_git(SHOP);
    let file = put(&world, ".cursor/mcp.json", "{}\n");
    // `script` gives the program a terminal and copies what it prints.
    let answered = |word: &str| {
        let same = world.command(["install", "--agent", "cursor"]);
        let words: Vec<String> = std::iter::once(same.get_program())
            .chain(same.get_args())
            .map(|word| format!("'{}'", word.to_str().expect("paths of tests are UTF-8")))
            .collect();
        let mut command = std::process::Command::new("script");
        command
            .args(["-qec", &format!("stty -echo; {}", words.join(" ")), "/dev/null"])
            .env_clear();
        command.envs(same.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
            .env("NO_COLOR", "1")
            .env("SHELL", "/bin/sh")
            .current_dir(world.project.root());
        command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("script is there");
        std::io::Write::write_all(
            &mut child.stdin.take().expect("it is piped"),
            format!("{word}\n").as_bytes(),
        )
        .expect("it reads");
        let ran = world.ran(&child.wait_with_output().expect("it ends"));
        (ran.code, ran.out.replace('\r', ""))
    };
    let (code, out) = answered("n");
    assert_eq!(code, Some(1), "{out}");
    assert!(
        out.contains("Write these changes? [y/N] ") && out.contains("nothing was written"),
        "{out}"
    );
    assert_eq!(read(&file), "{}\n");
    let (code, out) = answered("y");
    assert_eq!(code, Some(0), "{out}");
    assert_eq!(out.matches("+     \"kitbag\": {").count(), 1, "shown once: {out}");
    assert!(read(&file).contains("kitbag"));
}

#[test]
fn mcp_6_an_entry_that_the_user_had_comes_back() {
    let world = World::new(SHOP);
    let before = "{\n  \"mcpServers\": {\n    \"kitbag\": { \"command\": \"/opt/mine\", \"args\": [\"--root\", \"/x\"], \"env\": { \"A\": \"1\" } }\n  }\n}\n";
    let path = put(&world, ".cursor/mcp.json", before);
    let ran = world.run(["install", "--agent", "cursor", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!read(&path).contains("/opt/mine"), "{}", read(&path));
    let ran = world.run(["install", "--uninstall", "--agent", "cursor", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(read(&path), before);
}
