//! One word for every door (MCP-8, ERR-1): what the command line refuses, MCP, HTTP and JSON-RPC refuse with the same code, and what a
//! call names and does not get is said.

use serde_json::{Value, json};

use crate::mcp::Server as Mcp;
use crate::serve::Server as Http;
use crate::world::{SHOP, World};

fn mcp(world: &World, args: &[&str]) -> Mcp {
    let mut server = Mcp::start_in(world, world.project.root(), args, None);
    while server
        .call("locate_symbol", json!({"name": "verify_password"}))
        .0
        .starts_with("Note")
    {}
    server
}

/// A shop with so many places for a question that not all of them fit.
fn large() -> World {
    let world = World::new(SHOP);
    for n in 0..120 {
        let body = "    let checked = given.len() > 3 && stored.len() > 3;\n".repeat(8);
        world.project.write(
            format!("src/password_{n}.rs"),
            format!("/// Checks password number {n}.\npub fn check_password_{n}(given: &str, stored: &str) -> bool {{\n{body}    checked\n}}\n"),
        );
    }
    world.run(["index"]);
    world
}

#[test]
fn mcp_8_files_and_patterns_that_were_named_and_not_used_are_told() {
    let world = World::new(SHOP);
    world.project.write(".env", "TOKEN=x\n");
    let mut server = mcp(&world, &[]);
    let arguments = json!({
        "task": "how is a password checked",
        "files": ["src/auth.rs", "src/nope.rs", ".env", "../outside.rs"],
        "paths": ["src", "lib/**"],
        "max_tokens": 1000,
    });
    let (text, is_error) = server.call("build_context_pack", arguments);
    assert!(
        !is_error && text.contains("hash_password(given) == stored"),
        "{text}"
    );
    for line in [
        "Note: no indexed file matches `lib/**`.",
        "Note: `src/nope.rs` was not used: there is no such file.",
        "Note: `.env` was not used: ",
        "Note: `../outside.rs` was not used: ",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(
        !text.contains("`src/auth.rs` is not in") && !text.contains("matches `src`"),
        "{text}"
    );
    assert!(tokens(&text) <= 1000, "{}", tokens(&text));
    let (text, _) = server.call("query_context", json!({"query": "password", "paths": "lib/**"}));
    assert!(text.contains("Note: no indexed file matches `lib/**`."), "{text}");
    server.end();
}

#[test]
fn mcp_8_a_file_that_does_not_fit_is_told() {
    let world = World::new(SHOP);
    let long = "pub fn padding_of_the_ledger() { let words = \"not about anything\"; }\n".repeat(400);
    world.project.write("src/ledger.rs", &long);
    world
        .project
        .write("src/other.rs", long.replace("ledger", "journal"));
    let mut server = mcp(&world, &[]);
    let files: Vec<String> = (0..20).map(|n| format!("src/file_{n}.rs")).collect();
    for file in &files {
        world.project.write(
            file,
            format!("pub fn of_{}() {{}}\n{long}", file.replace(['/', '.'], "_")),
        );
    }
    let (text, _) = server.call(
        "build_context_pack",
        json!({"task": "how is a password checked", "files": files, "max_tokens": 600}),
    );
    assert!(text.contains("did not fit; raise max_tokens"), "{text}");
    assert!(tokens(&text) <= 600, "{}", tokens(&text));
    server.end();
}

#[test]
fn pack_63_each_door_suggests_in_its_own_words() {
    let world = large();
    let task = "check password number";
    let mut server = mcp(&world, &[]);
    let (text, _) = server.call(
        "build_context_pack",
        json!({"task": task, "max_tokens": 500, "format": "json"}),
    );
    assert!(!text.contains("kitbag "), "no command line for a model: {text}");
    assert!(text.contains("build_context_pack {"), "{text}");
    let root = world.project.root().display().to_string();
    let arguments = json!({"task": task, "max_tokens": 4000, "project": root});
    let (text, _) = server.call("build_context_pack", arguments);
    assert!(
        text.contains(&format!("\"project\":\"{root}\"")),
        "as it stands: {text}"
    );
    server.end();
    let http = Http::start(&world);
    let (_, reply) = http.ask(
        "POST",
        "/v1/pack",
        Some(&json!({"task": task, "max_tokens": 4000})),
    );
    let suggested = reply["suggested_next_queries"].to_string();
    assert!(
        suggested.contains("POST /v1/pack {") && !suggested.contains("kitbag "),
        "{suggested}"
    );
    assert!(
        reply["text"].as_str().unwrap().contains("POST /v1/pack {"),
        "{reply}"
    );
    // Every suggestion is a call that works as it stands.
    for call in reply["suggested_next_queries"].as_array().unwrap() {
        let call = call.as_str().unwrap();
        let (verb, rest) = call.split_once(' ').unwrap();
        let (path, body) = rest
            .split_once(' ')
            .map_or((rest, None), |(path, body)| (path, Some(body)));
        let body: Option<Value> = body.map(|body| serde_json::from_str(body).expect(call));
        let (status, reply) = http.ask(verb, path, body.as_ref());
        assert_eq!(status, 200, "{call}: {reply}");
    }
    for args in [&[][..], &["--server", &http.url][..]] {
        let pack = [args, &["pack", task, "--budget", "500"]].concat();
        let (_, reply) = world.json(&pack);
        let suggested = reply["suggested_next_queries"].to_string();
        assert!(
            suggested.contains("kitbag pack ") && !suggested.contains("POST"),
            "{args:?}: {suggested}"
        );
    }
}

#[test]
fn mcp_8_numbers_lists_and_budgets_as_models_write_them() {
    let world = World::new(SHOP);
    let mut server = mcp(&world, &[]);
    for arguments in [
        json!({"query": "password", "max_tokens": "2000"}),
        json!({"query": "password", "budget": 1500}),
        json!({"query": "password", "languages": "rust", "paths": "src"}),
        json!({"query": "password", "paths": null, "session": null}),
    ] {
        let (text, is_error) = server.call("query_context", arguments.clone());
        assert!(!is_error && text.contains("src/auth.rs"), "{arguments}: {text}");
    }
    server.end();
    let http = Http::start(&world);
    for (path, body) in [
        (
            "/v1/search",
            json!({"query": "password", "top": "2", "languages": "rust"}),
        ),
        (
            "/v1/pack",
            json!({"task": "password", "budget": "1500", "line_numbers": "true"}),
        ),
        (
            "/rpc",
            json!({"jsonrpc": "2.0", "id": 1, "method": "query_context", "params": {"query": "password", "budget": 1500}}),
        ),
    ] {
        let (status, reply) = http.ask("POST", path, Some(&body));
        assert!(status == 200 && reply["error"].is_null(), "{path}: {reply}");
    }
    let both = json!({"task": "password", "budget": 1500, "max_tokens": 2000});
    let (status, reply) = http.ask("POST", "/v1/pack", Some(&both));
    assert_eq!(
        (status, &reply["code"]),
        (422, &json!("INVALID_ARGUMENTS")),
        "{reply}"
    );
    let ran = world.run(["pack", "password", "--max-tokens", "900"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn err_1_the_same_mistake_has_the_same_code_at_every_door() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let http = Http::start(&world);
    let mut server = mcp(&world, &["--tools", "all"]);
    for (args, path, body, code) in [
        (
            &["pack", "x", "--model", "nonsense"][..],
            "/v1/pack",
            json!({"task": "x", "model": "nonsense"}),
            "TOKEN_COUNTING_ERROR",
        ),
        (
            &["search", "x", "--top", "0"],
            "/v1/search",
            json!({"query": "x", "top": 0}),
            "INVALID_TOP",
        ),
        (
            &["search", "x", "--min-score", "2"],
            "/v1/search",
            json!({"query": "x", "min_score": 2}),
            "INVALID_SCORE",
        ),
        (
            &["search", "x", "--lang", "klingon"],
            "/v1/search",
            json!({"query": "x", "languages": "klingon"}),
            "INVALID_LANGUAGE",
        ),
        (
            &["pack", "x", "--complexity", "11"],
            "/v1/pack",
            json!({"task": "x", "complexity": 11}),
            "INVALID_ARGUMENTS",
        ),
        (
            &["pack", "x", "--intent", "dance"],
            "/v1/pack",
            json!({"task": "x", "intent": "dance"}),
            "INVALID_INTENT",
        ),
        (
            &["pack", "x", "--format", "svg"],
            "/v1/pack",
            json!({"task": "x", "format": "svg"}),
            "INVALID_FORMAT",
        ),
        (
            &["refresh", "no/such.rs"],
            "/v1/refresh",
            json!({"paths": ["no/such.rs"]}),
            "PATH_NOT_FOUND",
        ),
        (
            &["refresh", "../../.."],
            "/v1/refresh",
            json!({"paths": ["../../.."]}),
            "PATH_DENIED",
        ),
    ] {
        let (exit, reply) = world.json(args);
        assert_eq!(
            (exit, &reply["error"]["code"]),
            (Some(2), &json!(code)),
            "{args:?}: {reply}"
        );
        let (status, reply) = http.ask("POST", path, Some(&body));
        assert_eq!(reply["code"], json!(code), "{path} {body}: {status} {reply}");
        let method = match path {
            "/v1/refresh" => "refresh_context",
            "/v1/search" => "search",
            _ => "pack",
        };
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": body});
        let (_, reply) = http.ask("POST", "/rpc", Some(&call));
        assert_eq!(reply["error"]["data"]["code"], json!(code), "{call}: {reply}");
        if method == "refresh_context" {
            let (text, is_error) = server.call(method, body);
            assert!(is_error && text.starts_with(&format!("[{code}] ")), "{text}");
        }
    }
    for args in [
        &["pack", "x", "--window", "many"][..],
        &["pack", "x", "--window", "100"],
        &["pack", "x", "--system-reserve", "-5"],
    ] {
        let (exit, reply) = world.json(args);
        assert_eq!(
            (exit, &reply["error"]["code"]),
            (Some(2), &json!("BUDGET_ERROR")),
            "{args:?}: {reply}"
        );
    }
    let (exit, reply) = world.json(&["tokens", "--text", "x", "--model", "nonsense"]);
    assert_eq!(
        (exit, &reply["error"]["code"]),
        (Some(2), &json!("TOKEN_COUNTING_ERROR")),
        "{reply}"
    );
    server.end();
}

#[test]
fn idx_51_paths_that_do_not_exist_are_told() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let mut server = mcp(&world, &[]);
    let (text, is_error) = server.call("refresh_context", json!({"paths": ["src", "no/such.rs"]}));
    assert!(
        !is_error && text.contains("completed") && text.ends_with("Not found: no/such.rs"),
        "{text}"
    );
    let ran = world.run(["refresh", "src", "no/such.rs"]);
    assert!(
        ran.code == Some(0) && ran.err.contains("not found: no/such.rs"),
        "{ran:?}"
    );
    // One that is gone and still in the index can be looked at again: that takes it out.
    server.end();
    std::fs::remove_file(world.project.path("src/auth.rs")).unwrap();
    let (exit, reply) = world.json(&["refresh", "src/auth.rs"]);
    assert_eq!(
        (exit, &reply["metrics"]["removed"]),
        (Some(0), &json!(1)),
        "{reply}"
    );
    let http = Http::start(&world);
    let (status, reply) = http.ask("POST", "/v1/refresh", Some(&json!({"paths": ["src", "nope"]})));
    assert_eq!((status, &reply["missing"]), (200, &json!(["nope"])), "{reply}");
}

#[test]
fn mem_5_feedback_about_what_nobody_was_sent_is_refused() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let http = Http::start(&world);
    let feedback = |body: Value| http.ask("POST", "/v1/context/feedback", Some(&body));
    let (status, reply) = feedback(json!({"useful": true, "items": ["fn-nope"]}));
    assert_eq!(
        (status, &reply["code"]),
        (404, &json!("ITEM_NOT_FOUND")),
        "{reply}"
    );
    let (_, pack) = http.ask("POST", "/v1/pack", Some(&json!({"task": "check a password"})));
    let item = &pack["items"][0];
    let citation = item["citation"].as_str().unwrap();
    let place = format!(
        "{}:{}-{}",
        item["path"].as_str().unwrap(),
        item["line_start"],
        item["line_end"]
    );
    let (status, reply) = feedback(json!({"useful": true, "items": [format!("[{citation}]"), place]}));
    assert_eq!((status, &reply["useful"]), (200, &json!(2)), "{reply}");
    for items in [
        json!([citation, "fn-nope"]),
        json!(["src/auth.rs:900-901"]),
        json!(["src/auth.rs:1-901"]),
        json!(["nope.rs:1-2"]),
        json!(["../x.rs:1-2"]),
    ] {
        let (status, reply) = feedback(json!({"useful": false, "items": items}));
        assert_eq!(
            (status, &reply["code"]),
            (404, &json!("ITEM_NOT_FOUND")),
            "{reply}"
        );
    }
    let (status, reply) = feedback(json!({"useful": true, "items": [citation], "pack": "nope"}));
    assert_eq!((status, &reply["code"]), (404, &json!("PACK_UNKNOWN")), "{reply}");
    let (_, reply) = feedback(json!({"useful": true, "items": [citation]}));
    assert_eq!(
        reply,
        json!({"noted": 1, "useful": 2, "not_useful": 0}),
        "nothing else was counted, and nothing twice"
    );
}

#[test]
fn mem_add_context_indexes_a_text_and_delete_context_drops_it() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let http = Http::start(&world);
    let text = json!({"name": "notes/ledger.md", "content": "# Ledger\n\nThe zanzibar ledger is closed on Fridays.\n"});
    let (status, reply) = http.ask("POST", "/add_context", Some(&text));
    assert_eq!((status, &reply["indexed"]), (200, &json!(true)), "{reply}");
    let found = |query: &str| {
        let (_, found) = http.ask("POST", "/v1/search", Some(&json!({"query": query})));
        let paths = found["results"].as_array().unwrap().iter();
        paths
            .map(|hit| hit["path"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("zanzibar ledger"), ["notes/ledger.md"]);
    let (_, pack) = http.ask(
        "POST",
        "/v1/pack",
        Some(&json!({"task": "when is the zanzibar ledger closed"})),
    );
    assert!(
        pack["text"].as_str().unwrap().contains("closed on Fridays"),
        "{pack}"
    );
    let (_, reply) = http.ask(
        "POST",
        "/query_context",
        Some(&json!({"query": "zanzibar ledger", "k": 1, "format": "json"})),
    );
    assert_eq!(
        (&reply["total"], &reply["results"][0]["path"]),
        (&json!(1), &json!("notes/ledger.md")),
        "{reply}"
    );
    let (status, reply) = http.ask("POST", "/delete_context", Some(&json!({"id": "notes/ledger.md"})));
    assert_eq!(
        (status, &reply["deleted"]),
        (200, &json!("notes/ledger.md")),
        "{reply}"
    );
    assert_eq!(found("zanzibar ledger"), Vec::<String>::new());
    let (status, reply) = http.ask("POST", "/delete_context", Some(&json!({"id": "notes/ledger.md"})));
    assert_eq!(
        (status, &reply["code"]),
        (404, &json!("CONTEXT_NOT_FOUND")),
        "{reply}"
    );
}

#[test]
fn mem_4_context_is_built_for_a_message_of_a_thread() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let http = Http::start(&world);
    let (status, reply) = http.ask(
        "POST",
        "/v1/threads",
        Some(&json!({"threadId": "t1", "messages": [{"role": "user", "text": "we check passwords"}], "references": ["src/auth.rs"]})),
    );
    assert_eq!(status, 200, "{reply}");
    let body = json!({"threadId": "t1", "message": "how is a password checked"});
    let (status, reply) = http.ask("POST", "/v1/context/build", Some(&body));
    assert_eq!(
        (status, &reply["budget"], &reply["counts"]["reference"]),
        (200, &json!(3500), &json!(1)),
        "{reply}"
    );
    let id = reply["items"][0]["id"].clone();
    let (status, reply) = http.ask(
        "POST",
        "/v1/context/feedback",
        Some(&json!({"contextItemId": id, "useful": true})),
    );
    assert_eq!((status, &reply["noted"]), (200, &json!(1)), "{reply}");
    let (_, list) = http.ask("GET", "/v1/context/feedback", None);
    let given = list["given"][0]["id"].clone();
    let (status, _) = http.ask("DELETE", &format!("/v1/context/feedback/{given}"), None);
    assert_eq!(status, 200);
    let (status, reply) = http.ask("GET", "/v1/threads/none", None);
    assert_eq!(
        (status, &reply["code"]),
        (404, &json!("THREAD_NOT_FOUND")),
        "{reply}"
    );
    let (_, reply) = http.ask("GET", "/v1/threads", None);
    assert_eq!(reply["threads"], json!(["t1"]));
}

#[test]
fn http_a_server_answers_about_its_project_only() {
    let (world, other) = (World::new(SHOP), World::new(SHOP));
    let http = Http::start(&world);
    let ask = |project: &std::path::Path| {
        http.ask(
            "POST",
            "/v1/search",
            Some(&json!({"query": "password", "project": project})),
        )
    };
    let (status, reply) = ask(world.project.root());
    assert_eq!(status, 200, "{reply}");
    let (status, reply) = ask(other.project.root());
    assert_eq!((status, &reply["code"]), (403, &json!("PATH_DENIED")), "{reply}");
}

#[test]
fn mcp_8_ranges_and_choices_stand_in_the_schemas() {
    let world = World::new(SHOP);
    let mut server = Mcp::start_in(&world, world.project.root(), &["--tools", "all"], None);
    let listed = server.ask("tools/list", json!({}));
    for tool in listed["tools"].as_array().unwrap() {
        let properties = &tool["inputSchema"]["properties"];
        assert_eq!(properties["project"]["type"], "string", "{tool}");
        let tokens = &properties["max_tokens"];
        assert!(
            tokens.is_null() || (tokens["minimum"] == 200 && tokens["maximum"] == 25_000),
            "{tool}"
        );
    }
    server.end();
    let http = Http::start(&world);
    let (_, document) = http.ask("GET", "/openapi.json", None);
    let body = |path: &str| {
        document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
            .clone()
    };
    let (search, pack) = (body("/v1/search"), body("/v1/pack"));
    assert_eq!(
        (&search["top"]["minimum"], &search["top"]["maximum"]),
        (&json!(1), &json!(1000))
    );
    assert!(
        search["kinds"]["items"]["enum"]
            .to_string()
            .contains("code_function"),
        "{search}"
    );
    assert!(
        search["languages"]["items"]["enum"]
            .to_string()
            .contains("typescript"),
        "{search}"
    );
    assert_eq!(pack["complexity"]["maximum"], 10);
    assert!(
        pack["format"]["enum"].to_string().contains("project-context"),
        "{pack}"
    );
    assert!(
        pack["intent"]["enum"].is_array() && pack["budget"].is_object(),
        "{pack}"
    );
}

#[test]
fn idx_6_a_path_is_meant_from_the_working_folder_else_from_the_root() {
    let world = World::new(SHOP);
    world.project.write("shop/src/extra.py", "x = 1\n");
    world.project.write("shop/README.md", "# Inner\n");
    world.run(["index"]);
    let root = world.project.root().display().to_string();
    let in_folder = |folder: &std::path::Path, args: &[&str]| {
        let mut command = world.command([&["--json", "--root", &root], args].concat());
        let output = command.current_dir(folder).output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        value
    };
    for (folder, path, expected) in [
        // It stands here.
        (world.project.path("shop"), "README.md", "shop/README.md"),
        (world.project.path("shop"), "./README.md", "shop/README.md"),
        (world.project.path("shop"), "../README.md", "README.md"),
        // It does not, but in the root.
        (world.project.path("shop"), "src/auth.rs", "src/auth.rs"),
        (world.home.root().to_owned(), "src/auth.rs", "src/auth.rs"),
        (world.home.root().to_owned(), "README.md", "README.md"),
    ] {
        let reply = in_folder(&folder, &["check-file", path]);
        assert_eq!(reply["path"], expected, "{path} in {}: {reply}", folder.display());
        let reply = in_folder(&folder, &["refresh", path]);
        assert_eq!(reply["scope"], json!([expected]), "{reply}");
        let reply = in_folder(&folder, &["rebuild", "--dry-run", "--paths", path]);
        assert_eq!(reply["scope"], json!([expected]), "{reply}");
    }
    world.home.write("mine.txt", "x");
    let reply = in_folder(world.home.root(), &["check-file", "mine.txt"]);
    assert_eq!(reply["error"]["code"], "PATH_DENIED", "{reply}");
}

#[test]
fn pack_15_a_number_is_an_item_or_nothing() {
    let world = World::new(SHOP);
    world.project.write("src/v1/1", "fn password() {}\n");
    world.run(["pack", "check a password"]);
    let (code, reply) = world.json(&["explain", "1"]);
    let items = reply["items"].as_array().unwrap();
    assert_eq!(
        (code, items.len(), &items[0]["rank"]),
        (Some(0), 1, &json!(1)),
        "{reply}"
    );
    assert_eq!(reply["excluded"], json!([]));
    let (code, reply) = world.json(&["explain", "999"]);
    assert_eq!((code, &reply["items"]), (Some(1), &json!([])), "{reply}");
}

#[test]
fn eng_71_a_fallback_does_not_blame_the_project() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let mut command = world.command(["--server", "http://127.0.0.1:9", "search", "password"]);
    command
        .env("KITBAG_ENGINE_FALLBACK_ENABLED", "true")
        .env("KITBAG_ENGINE_RETRY_ATTEMPTS", "0");
    let ran = world.ran(&command.output().unwrap());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("no answer from")
            && ran.err.ends_with("nothing found: there was no index to search\n"),
        "{ran:?}"
    );
    assert!(!ran.err.contains("no file of this project"), "{ran:?}");
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base()
        .expect("it is built in")
        .encode_ordinary(text)
        .len()
}

#[test]
fn sec_4_a_server_takes_templates_only_where_the_user_says_so() {
    let world = World::new(SHOP);
    world.run(["index"]);
    world.project.write("mine.j2", "{{ task }}!");
    let body = json!({"task": "verify_password", "template": "{{ task }}!"});
    let http = Http::start(&world);
    let (status, reply) = http.ask("POST", "/v1/pack", Some(&body));
    assert_eq!(
        (status, &reply["code"]),
        (422, &json!("TEMPLATES_OFF")),
        "{reply}"
    );
    assert!(
        reply["detail"].to_string().contains("server.templates"),
        "{reply}"
    );
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "pack", "params": body});
    let (_, reply) = http.ask("POST", "/rpc", Some(&call));
    assert_eq!(reply["error"]["data"]["code"], "TEMPLATES_OFF", "{reply}");
    let ran = world.run([
        "--server",
        &http.url,
        "pack",
        "verify_password",
        "--template",
        "mine.j2",
    ]);
    assert!(
        ran.code == Some(2) && ran.err.contains("server.templates"),
        "{ran:?}"
    );
    // The user's own file is in force at once; what the template asks for is still checked.
    world
        .home
        .write("config/kitbag/kitbag.toml", "[server]\ntemplates = true\n");
    let (status, reply) = http.ask("POST", "/v1/pack", Some(&body));
    assert_eq!(
        (status, &reply["text"]),
        (200, &json!("verify_password!")),
        "{reply}"
    );
    let deep = json!({"task": "x", "template": format!("{{{{ {}1 }}}}", "-".repeat(20_000))});
    let (status, reply) = http.ask("POST", "/v1/pack", Some(&deep));
    assert_eq!(
        (status, &reply["code"]),
        (422, &json!("FORMATTING_ERROR")),
        "{reply}"
    );
}
