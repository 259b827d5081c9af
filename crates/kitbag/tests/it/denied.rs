//! SEC-7: one deny-list for every door, and no secret in what is said about configuration.

use serde_json::{Value, json};

use crate::world::{SHOP, World};

/// A word that stands in denied files only.
const WORD: &str = "zanzibarquartz";

fn world() -> World {
    let world = World::new(SHOP);
    world.project.write(".env", format!("{WORD}=1\n"));
    world.project.write("deploy/server.pem", format!("{WORD}\n"));
    world
        .project
        .write("vault/notes.py", format!("def {WORD}():\n    pass\n"));
    world
        .project
        .write("kitbag.toml", "[security]\ndenied_paths = [\"vault/\"]\n");
    world
}

const DENIED: [&str; 3] = [".env", "deploy/server.pem", "vault/notes.py"];

#[test]
fn sec_7_no_command_shows_a_denied_file() {
    let world = world();
    for command in [
        &["search", WORD][..],
        &["search", WORD, "--path", ".env"],
        &["symbol", WORD],
        &["pack", WORD],
        &[
            "pack",
            WORD,
            "--open",
            ".env",
            "--ref",
            "deploy/server.pem:1",
            "--ref",
            "vault/notes.py",
        ],
        &["list-indexable"],
        &["project-stats"],
    ] {
        let (_, reply) = world.json(command);
        let text = reply.to_string();
        // The question is repeated in the answer; lines of the files are not.
        for line in [
            format!("{WORD}=1"),
            format!("def {WORD}"),
            format!("\"text\":\"{WORD}"),
        ] {
            assert!(!text.contains(&line), "{command:?}: {text}");
        }
        let shown = reply["results"].as_array().or(reply["items"].as_array());
        for hit in shown.into_iter().flatten() {
            let path = hit["path"].as_str().unwrap_or_default();
            assert!(!DENIED.contains(&path), "{command:?}: {hit}");
        }
    }
    for path in DENIED {
        let (code, reply) = world.json(&["check-file", path]);
        assert_eq!((code, &reply["reason"]), (Some(1), &json!("denied")), "{reply}");
        assert_eq!(reply["indexed"], false);
        let (code, reply) = world.json(&["refresh", path]);
        assert_eq!(
            (code, &reply["error"]["code"]),
            (Some(2), &json!("PATH_DENIED")),
            "{reply}"
        );
    }
}

#[test]
fn sec_7_an_old_index_drops_what_is_denied_now() {
    let world = World::new(SHOP);
    world
        .project
        .write("vault/notes.py", format!("def {WORD}():\n    pass\n"));
    let hits = |world: &World| {
        let (_, reply) = world.json(&["search", WORD]);
        reply["results"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(hits(&world), 1);
    world
        .project
        .write("kitbag.toml", "[security]\ndenied_paths = [\"vault/\"]\n");
    assert_eq!(hits(&world), 0);
    let (_, reply) = world.json(&["check-file", "vault/notes.py"]);
    assert_eq!(
        (&reply["indexed"], &reply["reason"]),
        (&json!(false), &json!("denied"))
    );
}

#[test]
fn sec_7_a_dry_run_shows_no_token_of_another_server() {
    let world = World::new(SHOP);
    let token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0", "k1L2m3N4o5P6q7R8"].concat();
    let key = ["Zk93vq", "Lm27xw", "Pt84sd", "Rf16hj"].concat();
    let other = json!({"mcpServers": {
        "git": {"command": "git-mcp", "env": {"GITHUB_TOKEN": token, "LINEAR_API_KEY": key}},
        "docs": {"command": "docs", "args": ["--api-key", key], "headers": {"Authorization": format!("Bearer {key}")}},
    }});
    // On one line, so that the line with Kitbag is the line with the tokens.
    world.home.write(".cursor/mcp.json", other.to_string());
    for arguments in [
        &["install", "--agent", "cursor", "--dry-run"][..],
        &["doctor"],
        &["config", "show"],
    ] {
        let ran = world.run(arguments);
        let (_, reply) = world.json(arguments);
        for text in [ran.out, ran.err, reply.to_string()] {
            assert!(
                !text.contains(&token) && !text.contains(&key),
                "{arguments:?}: {text}"
            );
        }
    }
    let (_, reply) = world.json(&["install", "--agent", "cursor", "--dry-run"]);
    assert!(reply.to_string().contains("[REDACTED]"), "{reply}");
    // What is written is the file with its tokens.
    world.run(["install", "--agent", "cursor", "--yes"]);
    let written: Value = serde_json::from_slice(&world.home.read(".cursor/mcp.json")).unwrap();
    assert_eq!(written["mcpServers"]["git"]["env"]["GITHUB_TOKEN"], token);
}

#[test]
fn sec_7_messages_about_settings_quote_no_secret() {
    let world = World::new(SHOP);
    let key = ["Zk93vq", "Lm27xw", "Pt84sd", "Rf16hj"].concat();
    let address = format!("https://kit:{key}@models.test/v1");
    world.project.write(
        "kitbag.toml",
        format!("[embedding]\nurl = \"{address}\"\napi_key = \"{key} {key}\"\n"),
    );
    let ran = world.run(["config", "show"]);
    assert!(!ran.err.contains(&key) && !ran.out.contains(&key), "{ran:?}");
}
