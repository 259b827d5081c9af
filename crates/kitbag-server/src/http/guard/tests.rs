//! The whole app without sockets: requests as strangers, users and pages of other sites would send them.

use axum::Router;
use axum::body::to_bytes;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use kitbag_door::surroundings::{Options, Surroundings};
use kitbag_testkit::TempTree;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::super::serve::app;
use super::super::state::ServerState;
use super::*;
use crate::Set;

const ANN: &str = "ann-0123456789abcdef";
const BEN: &str = "ben-fedcba9876543210";

/// A server for a small project with these settings, and the files of that project.
struct World {
    app: TowerToHyperService<Router>,
    tree: TempTree,
    _home: TempTree,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn code(&self) -> String {
        let problem: Value = serde_json::from_str(&self.text).unwrap_or_default();
        problem["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn world(settings: &[(&str, &str)]) -> World {
    let (tree, home) = (
        TempTree::new("//- README.md\n# Shop\n//- src/lib.rs\npub fn open() {}\n"),
        TempTree::empty(),
    );
    let guard = guard_of(&tree, &home, settings).unwrap_or_else(|failure| panic!("{}", failure.message));
    World {
        app: TowerToHyperService::new(guard),
        tree,
        _home: home,
    }
}

fn guard_of(tree: &TempTree, home: &TempTree, settings: &[(&str, &str)]) -> Result<Router, Failure> {
    let mut variables = vec![("HOME".to_owned(), home.root().display().to_string())];
    let set = settings
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    variables.extend(set);
    let given = Options {
        root: Some(tree.root().to_owned()),
        ..Options::default()
    };
    let state = ServerState::new(Project::open(Surroundings::new(given, variables)?, Vec::new())?);
    let guard = Guard::new(
        Arc::clone(&state.project),
        Arc::clone(&state.metrics),
        Arc::clone(&state.users),
        false,
    )?;
    let sets = [Set::Core, Set::Memory, Set::Admin];
    Ok(app(state, Arc::new(guard), &sets, &CancellationToken::new()))
}

fn with_keys() -> World {
    world(&[("KITBAG_SERVER_API_KEYS", &format!("ann:{ANN},ben:{BEN}"))])
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

impl World {
    async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "localhost:9090");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request
            .header("content-type", "application/json")
            .body(Body::from(body.to_owned()))
            .unwrap();
        let response = self.app.call(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let answer = self.ask("GET", path, headers, "").await;
        (answer.status, answer.code())
    }
}

fn bearer(key: &str) -> String {
    format!("Bearer {key}")
}

#[test]
fn http_2_every_path_but_health_needs_a_key() {
    let world = with_keys();
    run(async {
        let paths = super::super::routes::ROUTES.iter().map(|route| route.path);
        for path in paths.chain(["/metrics", "/openapi.json", "/rpc", "/mcp", "/", "/no/such/path"]) {
            for method in ["GET", "POST", "DELETE", "PUT", "OPTIONS"] {
                for key in ["", "wrong-0123456789abcdef", "ann", &ANN[1..]] {
                    let answer = world
                        .ask(method, path, &[("authorization", &bearer(key))], "{}")
                        .await;
                    assert_eq!(
                        (answer.status, answer.code()),
                        (401, "KEY_NEEDED".to_owned()),
                        "{method} {path} {key}"
                    );
                    assert_eq!(answer.headers["www-authenticate"], "Bearer");
                    assert_eq!(answer.headers["content-type"], "application/problem+json");
                }
                if path.len() > 5 {
                    break;
                }
            }
        }
        assert_eq!(world.get("/health", &[]).await.0, 200);
        assert_eq!(
            world
                .get("/openapi.json", &[("authorization", &bearer(ANN))])
                .await
                .0,
            200
        );
        assert_eq!(world.get("/openapi.json", &[("x-api-key", BEN)]).await.0, 200);
    });
}

#[test]
fn http_2_pages_of_other_sites_may_not_ask() {
    let world = world(&[]);
    run(async {
        for host in [
            "evil.example",
            "localhost.evil.example:9090",
            "",
            "localhost@evil.example",
            "127.0.0.1.evil.example",
        ] {
            let denied = (403, "HOST_DENIED".to_owned());
            assert_eq!(world.get("/stats", &[("host", host)]).await, denied, "{host}");
            assert_eq!(world.get("/health", &[("host", host)]).await, denied, "{host}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "file://",
            "https://localhost.evil.example",
            "localhost",
        ] {
            let denied = (403, "ORIGIN_DENIED".to_owned());
            assert_eq!(
                world.get("/health", &[("origin", origin)]).await,
                denied,
                "{origin}"
            );
        }
        for host in [
            "localhost",
            "LOCALHOST:1",
            "127.0.0.1:9090",
            "[::1]:9090",
            "[::1]",
        ] {
            assert_eq!(world.get("/health", &[("host", host)]).await.0, 200, "{host}");
        }
        assert_eq!(
            world
                .get("/health", &[("origin", "http://127.0.0.1:9090")])
                .await
                .0,
            200
        );
    });
}

#[test]
fn http_2_a_name_of_its_own_is_allowed_when_it_is_set() {
    let world = world(&[("KITBAG_SERVER_ALLOWED_HOSTS", "kitbag.example")]);
    run(async {
        assert_eq!(
            world.get("/health", &[("host", "kitbag.example:443")]).await.0,
            200
        );
        assert_eq!(world.get("/health", &[("host", "other.example")]).await.0, 403);
    });
}

#[test]
fn http_2_listening_beyond_this_machine_needs_keys() {
    let (tree, home) = (TempTree::new("//- README.md\n# Shop\n"), TempTree::empty());
    for host in ["0.0.0.0", "::", "192.168.1.2"] {
        let failure = guard_of(&tree, &home, &[("KITBAG_ENGINE_HOST", host)]).err();
        assert_eq!(
            failure.map(|failure| failure.code),
            Some("CONFIG_ERROR"),
            "{host}"
        );
    }
    let keys = ("KITBAG_SERVER_API_KEYS", "ann:ann-0123456789abcdef");
    assert!(guard_of(&tree, &home, &[("KITBAG_ENGINE_HOST", "0.0.0.0"), keys]).is_ok());
    assert!(guard_of(&tree, &home, &[("KITBAG_ENGINE_HOST", "::1")]).is_ok());
}

#[test]
fn sec_4_a_path_of_a_stranger_is_neither_looked_up_nor_repeated() {
    let world = with_keys();
    let link = world.tree.path("link");
    std::os::unix::fs::symlink(world.tree.root(), &link).unwrap();
    let (link, root) = (
        link.display().to_string(),
        world.tree.root().display().to_string(),
    );
    run(async {
        let ask = async |root: &str, key: &str| {
            let headers = [("x-kitbag-root", root), ("authorization", &bearer(key))];
            world.ask("GET", "/openapi.json", &headers, "").await
        };
        for path in ["/etc", "/no/such/folder", link.as_str(), root.as_str()] {
            let answer = ask(path, "").await;
            assert_eq!(
                (answer.status, answer.code()),
                (401, "KEY_NEEDED".to_owned()),
                "{path}"
            );
            assert!(!answer.text.contains(path), "{}", answer.text);
        }
        for path in [
            "/etc",
            "/no/such/folder",
            link.as_str(),
            &format!("{root}/src/.."),
        ] {
            let answer = ask(path, ANN).await;
            assert_eq!(
                (answer.status, answer.code()),
                (409, "OTHER_PROJECT".to_owned()),
                "{path}"
            );
            assert!(!answer.text.contains(path), "{}", answer.text);
            let told = Path::new(answer.headers["x-kitbag-root"].to_str().unwrap());
            assert_eq!(told, world.tree.root().canonicalize().unwrap());
        }
        assert_eq!(ask(&root, ANN).await.status, 200);
    });
}

#[test]
fn http_2_each_user_has_a_rate() {
    let world = world(&[
        ("KITBAG_SERVER_API_KEYS", &format!("ann:{ANN},ben:{BEN}")),
        ("KITBAG_SERVER_REQUESTS_PER_MINUTE", "60"),
    ]);
    run(async {
        let mut seen = Vec::new();
        for _ in 0..20 {
            seen.push(world.get("/openapi.json", &[("x-api-key", ANN)]).await);
        }
        let n_fine = seen.iter().filter(|(status, _)| *status == 200).count();
        assert!((10..=12).contains(&n_fine), "{seen:?}");
        assert_eq!(seen.last(), Some(&(429, "RATE_LIMITED".to_owned())));
        assert_eq!(world.get("/openapi.json", &[("x-api-key", BEN)]).await.0, 200);
    });
}

#[test]
fn http_2_a_batch_counts_as_many_requests_as_it_has_calls() {
    let world = world(&[("KITBAG_SERVER_REQUESTS_PER_MINUTE", "60")]);
    run(async {
        let call = r#"{"jsonrpc": "2.0", "id": 1, "method": "recall", "params": {}}"#;
        let batch = format!("[{}]", [call; 40].join(","));
        let answer = world.ask("POST", "/rpc", &[], &batch).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.text.matches("\"result\"").count(), 40, "{}", answer.text);
        let answer = world.ask("POST", "/rpc", &[], call).await;
        assert_eq!((answer.status, answer.code()), (429, "RATE_LIMITED".to_owned()));
        assert!(answer.headers.contains_key("retry-after"));
    });
}

#[test]
fn sec_4_refusals_of_an_address_have_a_rate_too() {
    let world = with_keys();
    run(async {
        let mut n_refused = 0;
        let last = loop {
            let answer = world.ask("GET", "/stats", &[], "").await;
            if answer.status != 401 || n_refused > 5_000 {
                break answer;
            }
            n_refused += 1;
        };
        assert_eq!(
            (last.status, last.code()),
            (429, "RATE_LIMITED".to_owned()),
            "{n_refused}"
        );
        assert_eq!(last.headers["connection"], "close");
        assert!(n_refused as f64 >= STRANGERS.at_once, "{n_refused}");
        assert_eq!(
            world.get("/openapi.json", &[("x-api-key", ANN)]).await.0,
            200,
            "who has a key is not concerned"
        );
    });
}

#[test]
fn sec_4_a_body_is_no_larger_than_allowed_and_health_takes_none() {
    let world = world(&[("KITBAG_SERVER_MAX_BODY_BYTES", "2000")]);
    run(async {
        let large = format!(r#"{{"name": "{}"}}"#, "x".repeat(3_000));
        let answer = world.ask("POST", "/v1/symbol", &[], &large).await;
        assert_eq!((answer.status, answer.code()), (413, "TOO_LARGE".to_owned()));
        let answer = world
            .ask("POST", "/v1/symbol", &[("content-length", "3000")], "{")
            .await;
        assert_eq!((answer.status, answer.code()), (413, "TOO_LARGE".to_owned()));
        assert_eq!(world.ask("GET", "/health", &[], &large).await.status, 200);
        let answer = world.ask("POST", "/v1/symbol", &[], "{").await;
        assert_eq!((answer.status, answer.code()), (400, "INVALID_JSON".to_owned()));
    });
}

#[test]
fn http_2_every_answer_has_an_id_that_is_harmless() {
    let world = world(&[]);
    run(async {
        let id = async |given: &str| {
            let answer = world.ask("GET", "/health", &[("x-request-id", given)], "").await;
            answer.headers["x-request-id"].to_str().unwrap().to_owned()
        };
        assert_eq!(id("from-client.7").await, "from-client.7");
        for odd in ["a b", "<script>", &"x".repeat(65)] {
            assert_ne!(id(odd).await, odd);
        }
    });
}

#[test]
fn mem_6_private_memories_are_neither_recalled_nor_forgotten_by_others() {
    let world = with_keys();
    run(async {
        let ask = async |method: &str, path: &str, key: &str, body: &str| {
            world.ask(method, path, &[("x-api-key", key)], body).await
        };
        let kept = ask(
            "POST",
            "/v1/memories",
            ANN,
            r#"{"content": "prices are in cents", "private": true}"#,
        )
        .await;
        let shared = r#"{"content": "taxes are rounded down"}"#;
        assert_eq!(ask("POST", "/v1/memories", ANN, shared).await.status, 200);
        assert!(ask("GET", "/v1/memories", BEN, "").await.text.contains("rounded"));
        assert_eq!(kept.status, 200, "{}", kept.text);
        let id = serde_json::from_str::<Value>(&kept.text).unwrap()["id"].to_string();
        assert!(ask("GET", "/v1/memories", ANN, "").await.text.contains("cents"));
        assert!(!ask("GET", "/v1/memories", BEN, "").await.text.contains("cents"));
        let gone = ask("DELETE", &format!("/v1/memories/{id}"), BEN, "").await;
        assert_eq!((gone.status, gone.code()), (404, "MEMORY_NOT_FOUND".to_owned()));
        assert!(ask("GET", "/v1/memories", ANN, "").await.text.contains("cents"));
    });
}

const INITIALIZE: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
    "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}"#;

#[test]
fn sec_5_an_mcp_session_is_its_owners() {
    let world = with_keys();
    run(async {
        let ask = async |method: &str, key: &str, id: &str, body: &str| {
            let mut headers = vec![
                ("x-api-key", key),
                ("accept", "application/json, text/event-stream"),
            ];
            if !id.is_empty() {
                headers.push(("mcp-session-id", id));
            }
            world.ask(method, "/mcp", &headers, body).await
        };
        let opened = ask("POST", ANN, "", INITIALIZE).await;
        assert_eq!(opened.status, 200, "{}", opened.text);
        let id = opened.headers["mcp-session-id"].to_str().unwrap().to_owned();
        let ping = r#"{"jsonrpc": "2.0", "id": 2, "method": "ping"}"#;
        let nothing = (404, "SESSION_NOT_FOUND".to_owned());
        for method in ["POST", "GET", "DELETE"] {
            let answer = ask(method, BEN, &id, ping).await;
            assert_eq!((answer.status, answer.code()), nothing, "{method}");
            let unknown = ask(method, BEN, "no-such-session", ping).await;
            assert_eq!(unknown.text, answer.text, "nobody learns that there is one");
        }
        assert_eq!(ask("POST", ANN, &id, ping).await.status, 200);
        assert_eq!(ask("DELETE", ANN, &id, "").await.status, 204);
        assert_eq!(ask("DELETE", ANN, &id, "").await.status, 404);
        assert_eq!(ask("POST", ANN, &id, ping).await.status, 404);
    });
}

#[test]
fn sec_5_too_many_sessions_are_told_with_a_code_and_only_to_who_has_them() {
    let world = with_keys();
    run(async {
        let open = async |key: &str| {
            let headers = [
                ("x-api-key", key),
                ("accept", "application/json, text/event-stream"),
            ];
            let answer = world.ask("POST", "/mcp", &headers, INITIALIZE).await;
            (answer.status, answer.code())
        };
        for _ in 0..super::super::sessions::MOST_OF_USER {
            assert_eq!(open(ANN).await.0, 200);
        }
        assert_eq!(open(ANN).await, (429, "TOO_MANY_SESSIONS".to_owned()));
        assert_eq!(open(BEN).await.0, 200);
    });
}

#[test]
fn sec_5_a_job_is_its_owners() {
    let world = with_keys();
    run(async {
        let ask = async |method: &str, path: &str, key: &str| {
            world.ask(method, path, &[("x-api-key", key)], "{}").await
        };
        let made = ask("POST", "/v1/refresh", ANN).await;
        assert_eq!(made.status, 200, "{}", made.text);
        let id = serde_json::from_str::<Value>(&made.text).unwrap()["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let one = format!("/v1/jobs/{id}");
        assert!(ask("GET", "/v1/jobs", ANN).await.text.contains(&id));
        assert!(!ask("GET", "/v1/jobs", BEN).await.text.contains(&id));
        for method in ["GET", "DELETE"] {
            let answer = ask(method, &one, BEN).await;
            assert_eq!(
                (answer.status, answer.code()),
                (404, "JOB_NOT_FOUND".to_owned()),
                "{method}"
            );
            assert_eq!(ask(method, &one, ANN).await.status, 200, "{method}");
        }
    });
}
