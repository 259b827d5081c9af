//! `kitbag serve` and the command line as its client. What strangers and attackers see is tried by `clients/run`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{SHOP, World};

pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(world: &World) -> Server {
        Server::start_with(world, &[], &[])
    }

    /// With more arguments, and settings in its environment.
    pub(crate) fn start_with(world: &World, args: &[&str], settings: &[(&str, &str)]) -> Server {
        let mut child = world
            .command([&["--json", "serve", "--port", "0"], args].concat())
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kitbag was built with these tests");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        output.read_line(&mut line).expect("it says where it listens");
        let said: Value = serde_json::from_str(&line).expect("as JSON");
        let url = said["url"].as_str().expect("an address").to_owned();
        Server { child, url }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// `host:port`.
    pub(crate) fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Waits for its end. Gives the exit code and what was said on standard error.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        let errors = self.child.stderr.as_mut().expect("it is piped");
        std::io::Read::read_to_string(errors, &mut said).expect("it says text");
        let status = self.child.wait().expect("it ends");
        (status.code(), said)
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let url = format!("{}{path}", self.url);
        let sent = match (method, body) {
            ("GET", _) => agent.get(&url).call(),
            ("DELETE", _) => agent.delete(&url).call(),
            (_, body) => {
                let body = body.map(Value::to_string).unwrap_or_default();
                agent
                    .post(&url)
                    .header("content-type", "application/json")
                    .send(body)
            }
        };
        let mut response = sent.expect("the server answers");
        let text = response.body_mut().read_to_string().expect("with text");
        (
            response.status().as_u16(),
            serde_json::from_str(&text).unwrap_or(Value::Null),
        )
    }
}

impl Server {
    /// The status that these bytes get.
    pub(crate) fn post(&self, path: &str, body: &[u8]) -> u16 {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let sent = agent
            .post(format!("{}{path}", self.url))
            .header("content-type", "application/json")
            .send(body);
        sent.expect("the server answers").status().as_u16()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        self.child.wait().expect("it ends");
    }
}

#[test]
fn http_3_the_command_line_gets_the_same_answer_from_a_server() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start(&world);
    let (_, here) = world.json(&["search", "where is the password checked"]);
    let (code, there) = world.json(&["--server", &server.url, "search", "where is the password checked"]);
    assert_eq!((code, &there), (Some(0), &here));
    let pack = |args: &[&str]| world.json(args).1["text"].clone();
    let here = pack(&["pack", "check a password", "--budget", "500"]);
    assert_eq!(
        pack(&[
            "--server",
            &server.url,
            "pack",
            "check a password",
            "--budget",
            "500"
        ]),
        here
    );
    let (_, symbol) = world.json(&["--server", &server.url, "symbol", "verify_password"]);
    assert_eq!(symbol["definitions"][0]["path"], "src/auth.rs");
}

#[test]
fn http_3_a_server_does_not_answer_about_another_project() {
    let (world, other) = (World::new(SHOP), World::new(SHOP));
    let server = Server::start(&world);
    let (code, reply) = other.json(&["--server", &server.url, "search", "password"]);
    assert_eq!(code, Some(2), "{reply}");
    assert!(
        reply["error"]["message"].to_string().contains("another project"),
        "{reply}"
    );
}

#[test]
fn idx_52_a_cancelled_job_leaves_the_server_as_it_was() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start(&world);
    // Whoever writes holds this lock; while the test does, a job can but wait.
    let lock = std::fs::File::open(world.project.path(".git/kitbag/writer.lock")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        let rebuild = scope.spawn(|| server.ask("POST", "/v1/rebuild", Some(&json!({"confirm": true}))));
        while server.ask("GET", "/v1/jobs/job-1", None).0 != 200 {}
        let (status, reply) = server.ask("DELETE", "/v1/jobs/job-1", None);
        assert_eq!(status, 200, "{reply}");
        lock.unlock().unwrap();
        let (status, reply) = rebuild.join().unwrap();
        assert_eq!((status, &reply["status"]), (200, &json!("cancelled")), "{reply}");
    });
    let (status, reply) = server.ask("POST", "/v1/refresh", Some(&json!({})));
    assert_eq!((status, &reply["status"]), (200, &json!("completed")), "{reply}");
    let (status, reply) = server.ask("POST", "/v1/rebuild", Some(&json!({})));
    assert_eq!(
        (status, &reply["code"]),
        (409, &json!("CONFIRMATION_REQUIRED")),
        "{reply}"
    );
}

#[test]
fn http_1_arguments_of_a_get_stand_in_its_address() {
    let world = World::new(SHOP);
    let server = Server::start(&world);
    for content in ["prices are in cents", "retries are never made"] {
        let (status, reply) = server.ask("POST", "/v1/memories", Some(&json!({"content": content})));
        assert_eq!(status, 200, "{reply}");
    }
    let (_, reply) = server.ask("GET", "/v1/memories?query=price&max_tokens=300", None);
    let found = reply["memories"].as_array().unwrap();
    assert_eq!(
        (found.len(), &found[0]["content"]),
        (1, &json!("prices are in cents")),
        "{reply}"
    );
    let (status, reply) = server.ask("GET", "/v1/memories?max_tokens=many", None);
    assert_eq!(
        (status, &reply["code"]),
        (422, &json!("INVALID_ARGUMENTS")),
        "{reply}"
    );
}

#[test]
fn sec_4_a_name_is_no_novel() {
    let world = World::new(SHOP);
    let server = Server::start(&world);
    let (status, reply) = server.ask("POST", "/v1/symbol", Some(&json!({"name": "x".repeat(5_000)})));
    assert_eq!((status, &reply["code"]), (422, &json!("INVALID_NAME")), "{reply}");
}

#[test]
fn eng_60_the_same_question_is_answered_from_the_cache_until_a_file_changes() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start(&world);
    let ask = || {
        server
            .ask(
                "POST",
                "/query_context",
                Some(&json!({"query": "hash a password"})),
            )
            .1
    };
    // The watcher of the server has to have its first look before it can vouch for anything.
    let mut first = ask();
    while first["cache_hit"] != true {
        first = ask();
    }
    world.project.write(
        "src/salt.rs",
        "/// Makes the salt to hash a password with.\npub fn hash_password_salt() {}\n",
    );
    let mut after = ask();
    while !after["text"].to_string().contains("src/salt.rs") {
        after = ask();
    }
    assert_eq!(
        after["cache_hit"],
        Value::Null,
        "what is new was not in the cache"
    );
    assert_eq!(ask()["text"], after["text"]);
}

#[test]
fn cfg_2_a_server_that_is_switched_off_says_so_and_goes_on_when_it_is_on_again() {
    let world = World::new(SHOP);
    world.project.write("kitbag.toml", "[engine]\nenabled = false\n");
    let server = Server::start(&world);
    let ask = || {
        server.ask(
            "POST",
            "/query_context",
            Some(&json!({"query": "hash a password"})),
        )
    };
    let (status, reply) = ask();
    assert_eq!((status, &reply["code"]), (503, &json!("DISABLED")), "{reply}");
    let (status, stats) = server.ask("GET", "/stats?days=7", None);
    assert_eq!(
        (status, &stats["enabled"], &stats["usage"]["days"]),
        (200, &json!(false), &json!(7)),
        "{stats}"
    );
    assert_eq!(
        (&stats["index"]["files"], &stats["mode"]),
        (&json!(0), &json!("embedded"))
    );
    world
        .project
        .write("kitbag.toml", "[engine]\nenabled = true # again\n");
    let mut reply = ask().1;
    while !reply["text"].to_string().contains("src/auth.rs") {
        reply = ask().1;
    }
    // The same over JSON-RPC.
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "get_context_stats", "params": {}});
    let (_, answer) = server.ask("POST", "/rpc", Some(&call));
    assert_eq!(answer["result"]["enabled"], true, "{answer}");
    assert!(
        answer["result"]["providers"]
            .as_array()
            .is_some_and(|all| all.len() >= 6),
        "{answer}"
    );
}

#[test]
fn mem_6_a_memory_of_another_process_makes_kept_answers_old() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let server = Server::start(&world);
    let ask = || {
        let body = json!({"task": "fix verify_password", "max_tokens": 2000});
        server.ask("POST", "/v1/pack", Some(&body)).1
    };
    let mut first = ask();
    while first["cache_hit"] != true {
        first = ask();
    }
    let ran = world.run([
        "memory",
        "add",
        "verify_password must take constant time",
        "--cite",
        "src/auth.rs#verify_password",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let after = ask();
    assert_eq!(after["cache_hit"], false, "{after}");
    assert!(after["text"].to_string().contains("constant time"), "{after}");
}

#[test]
fn sec_7_a_server_serves_no_denied_file() {
    let world = World::new(SHOP);
    world.project.write(".env", "zanzibarquartz=1\n");
    let server = Server::start(&world);
    for (path, body) in [
        ("/v1/search", json!({"query": "zanzibarquartz"})),
        ("/v1/symbol", json!({"name": "zanzibarquartz"})),
        ("/v1/pack", json!({"task": "zanzibarquartz", "open": [".env"]})),
    ] {
        let (_, reply) = server.ask("POST", path, Some(&body));
        assert!(!reply.to_string().contains("zanzibarquartz=1"), "{path}: {reply}");
    }
    let (status, reply) = server.ask("POST", "/v1/refresh", Some(&json!({"paths": [".env"]})));
    assert_eq!(status, 403, "{reply}");
    assert!(reply.to_string().contains("PATH_DENIED"), "{reply}");
}

/// Nothing is called healthy that does not answer, and nobody has to start the server again.
#[test]
fn idx_30_a_server_whose_index_is_damaged_says_so_and_mends_it() {
    let world = World::new(SHOP);
    world.run(["--quiet", "index"]);
    let server = Server::start(&world);
    let until = |wanted: &str| {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let (_, health) = server.ask("GET", "/health", None);
            if health["status"] == wanted && (wanted != "ok" || health["percent"] == 100) {
                return;
            }
            assert!(Instant::now() < end, "not {wanted}, but {health}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    until("ok");
    std::fs::remove_dir_all(world.project.path(".git/kitbag/text")).expect("an index has text");
    until("degraded");
    until("ok");
    let question = json!({"query": "verify_password"});
    let (status, found) = server.ask("POST", "/v1/search", Some(&question));
    assert_eq!(status, 200, "{found}");
    assert_ne!(found["results"], json!([]), "{found}");
}
