//! `kitbag refresh`, `rebuild` and `jobs` as people and programs see them, and the webhook (IDX-52).

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::Value;

use crate::world::{SHOP, World, keys};

#[test]
fn cli_2_a_rebuild_is_a_job_with_an_account() {
    let world = World::new(SHOP);
    let ran = world.run(["rebuild", "--force"]);
    ran.check(0, "rebuilt 6 files, 6 chunks: 6 parsed\n");
    let ran = world.run(["jobs"]);
    ran.check(0, "job-1  rebuild_full  completed  6/6  just now\n");
    let (code, job) = world.json(&["jobs", "job-1"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        keys(&job),
        [
            "cancelling",
            "created_at",
            "current_file",
            "error",
            "estimated_completion",
            "finished_at",
            "id",
            "log",
            "metrics",
            "processed",
            "scope",
            "started_at",
            "status",
            "total",
            "type"
        ]
    );
    assert_eq!(job["metrics"]["parsed"], 6, "{job}");
    let shown = world.run(["jobs", "job-1"]).out;
    assert!(shown.contains("indexing, 6 files"), "{shown}");
    assert!(!shown.contains("verify_password"), "{shown}");
}

#[test]
fn cli_2_a_rebuild_that_nobody_confirms_is_refused() {
    let world = World::new(SHOP);
    let ran = world.run(["rebuild"]);
    ran.check_error(
        2,
        "error: a rebuild parses everything again, and nobody is here to confirm it\n\
         hint: add --force to confirm it; --dry-run shows what it would do\n",
    );
    let (code, reply) = world.json(&["rebuild"]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(2), &"CONFIRMATION_REQUIRED".into())
    );
    assert_eq!(world.json(&["jobs"]).1["jobs"], Value::Array(Vec::new()));
}

#[test]
fn cli_2_parts_are_named_from_where_one_stands() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let mut command = world.command(["--json", "refresh", "--force", "auth.rs", "../shop"]);
    let output = command.current_dir(world.project.path("src")).output().unwrap();
    let job: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(job["scope"], serde_json::json!(["shop", "src/auth.rs"]), "{job}");
    assert_eq!(job["total"], 2, "{job}");
    let (_, job) = world.json(&["rebuild", "--force", "--paths", "src", "README.md"]);
    assert_eq!(
        (&job["type"], &job["metrics"]["parsed"]),
        (&"rebuild_partial".into(), &3.into()),
        "{job}"
    );
    let (code, reply) = world.json(&["refresh", "../.."]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(2), &"PATH_DENIED".into()),
        "{reply}"
    );
    let ran = world.run(["jobs", "job-99"]);
    ran.check_error(
        1,
        "error: there is no job `job-99` in this project\nhint: `kitbag jobs` lists them\n",
    );
}

#[test]
fn idx_52_a_webhook_of_the_users_is_told_when_a_job_ends() {
    let world = World::new(SHOP);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let n = stream.read(&mut buffer).unwrap();
            bytes.extend(&buffer[..n]);
            let text = String::from_utf8_lossy(&bytes);
            let body = text
                .split_once("\r\n\r\n")
                .map(|(_, body)| body.trim().to_owned());
            if let Some(job) = body.and_then(|body| serde_json::from_str::<Value>(&body).ok()) {
                stream
                    .write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
                    .unwrap();
                return (text.lines().next().unwrap_or_default().to_owned(), job);
            }
            assert!(n > 0, "the request ended early: {text}");
        }
    });
    let ran = world
        .command(["refresh"])
        .env("KITBAG_JOBS_WEBHOOK_URL", &url)
        .output();
    assert!(ran.unwrap().status.success());
    let (line, job) = heard.join().unwrap();
    assert_eq!(line, "POST /hook HTTP/1.1");
    assert_eq!(
        (&job["id"], &job["status"]),
        (&"job-1".into(), &"completed".into()),
        "{job}"
    );
    // The listener is gone: the job is none the worse for it.
    let ran = world
        .command(["refresh"])
        .env("KITBAG_JOBS_WEBHOOK_URL", &url)
        .output();
    assert!(ran.unwrap().status.success());
    let (_, job) = world.json(&["jobs", "job-2"]);
    let log = job["log"].to_string();
    assert!(log.contains("the webhook was not told"), "{job}");
}

#[test]
fn sec_a_project_does_not_decide_whom_we_call() {
    let world = World::new(SHOP);
    world
        .project
        .write("kitbag.toml", "[jobs]\nwebhook_url = \"http://127.0.0.1:9/\"\n");
    let (code, reply) = world.json(&["refresh"]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(2), &"CONFIG_ERROR".into()),
        "{reply}"
    );
}
