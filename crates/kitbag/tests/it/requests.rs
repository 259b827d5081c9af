//! One request for every door (LIB-3): each field of it, asked on the command line, through `--server` and as JSON over HTTP,
//! gives the same answer. A field without a row here fails, and so does a row without a field.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::serve::Server as Http;
use crate::world::{SHOP, World};

/// A field, how the command line says it, and how JSON does.
struct Row {
    field: &'static str,
    words: &'static [&'static str],
    value: Value,
}

fn row(field: &'static str, words: &'static [&'static str], value: Value) -> Row {
    Row { field, words, value }
}

/// What differs from run to run, from door to door, or is the way from the words to the request.
const MASKED: &[&str] = &[
    "age_ms",
    "cache_hit",
    "delivery",
    "generation_ms",
    "note",
    "session",
    "suggested_next_queries",
    "timings_ms",
    "took_ms",
    "updated_at",
];

fn masked(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !MASKED.contains(&name.as_str()));
            fields.values_mut().for_each(masked);
        }
        Value::Array(items) => items.iter_mut().for_each(masked),
        _ => {}
    }
}

/// The fields that a path of the server takes, without those that every operation has.
fn fields(http: &Http, path: &str) -> BTreeSet<String> {
    let (_, document) = http.ask("GET", "/openapi.json", None);
    let body = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let properties = body["properties"].as_object().expect("an object");
    properties
        .keys()
        .filter(|name| !["project", "budget"].contains(&name.as_str()))
        .cloned()
        .collect()
}

/// Asks by every door with each row's field beside the usual ones, and compares.
fn check(path: &str, command: &[&str], usual: &Value, rows: &[Row]) {
    let world = World::new(SHOP);
    world
        .project
        .write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n");
    world.project.write("mine.j2", "{{ task }}!");
    world
        .project
        .write("notes.json", r#"[{"kind": "open_file", "path": "src/auth.rs"}]"#);
    world
        .home
        .write("config/kitbag/kitbag.toml", "[server]\ntemplates = true\n");
    world.run(["index"]);
    let http = Http::start(&world);
    let named: BTreeSet<String> = rows.iter().map(|row| row.field.to_owned()).collect();
    assert_eq!(
        named,
        fields(&http, path),
        "every field has a row, every row a field"
    );
    for row in rows {
        let words = [command, row.words].concat();
        let (_, mut here) = world.json(&words);
        // A session of another name, which was not sent anything yet.
        let words: Vec<&str> = words
            .iter()
            .map(|word| if *word == "mine" { "yours" } else { word })
            .collect();
        let (_, mut there) = world.json(&[&["--server", &http.url], &words[..]].concat());
        let mut body: Map<String, Value> = usual.as_object().cloned().expect("an object");
        body.insert(row.field.to_owned(), row.value.clone());
        let (status, mut asked) = http.ask("POST", path, Some(&Value::Object(body)));
        assert_eq!(status, 200, "{}: {asked}", row.field);
        for answer in [&mut here, &mut there, &mut asked] {
            assert!(answer.get("error").is_none(), "{}: {answer}", row.field);
            masked(answer);
        }
        assert_eq!(here, there, "{}: here and through --server", row.field);
        assert_eq!(here["items"], asked["items"], "{}: here and as JSON", row.field);
        assert_eq!(
            here["results"], asked["results"],
            "{}: here and as JSON",
            row.field
        );
        for list in ["definitions", "places", "commits", "related", "tests"] {
            assert_eq!(here[list], asked[list], "{}: here and as JSON", row.field);
        }
    }
}

#[test]
fn lib_3_every_field_of_a_search_at_every_door() {
    check(
        "/v1/search",
        &["search", "password", "--no-update"],
        &json!({"query": "password"}),
        &[
            row("query", &[], json!("password")),
            row("top", &["--top", "1"], json!(1)),
            row("paths", &["--path", "src/**"], json!(["src/**"])),
            row("exclude", &["--exclude", "src/auth.rs"], json!(["src/auth.rs"])),
            row("languages", &["--lang", "rust"], json!(["rust"])),
            row("kinds", &["--kind", "function"], json!(["function"])),
            row("packages", &["--package", "shop"], json!(["shop"])),
            row("scope", &["--scope", "repo"], json!("repo")),
            row(
                "since_ms",
                &["--since", "2020-01-01"],
                json!(1_577_836_800_000_i64),
            ),
            row("min_score", &["--min-score", "0.5"], json!(0.5)),
            row("mmr_lambda", &["--mmr-lambda", "0.3"], json!(0.3)),
            row("active", &["--active", "src/auth.rs"], json!("src/auth.rs")),
            row("update", &[], json!(false)),
            row("without", &["--without", "full_text"], json!(["full_text"])),
            row("all", &["--all"], json!(true)),
            row(
                "cursor",
                &["--all", "--cursor", "1.3.README.md"],
                json!("1.3.README.md"),
            ),
            row("ignore_case", &["--ignore-case"], json!(true)),
        ],
    );
}

#[test]
fn lib_3_every_field_of_history_related_and_tests_at_every_door() {
    let place = || row("of", &[], json!("verify_password"));
    let update = || row("update", &[], json!(false));
    let limit = || row("limit", &["--limit", "1"], json!(1));
    for (path, command) in [("/v1/history", "history"), ("/v1/related", "related")] {
        check(
            path,
            &[command, "verify_password", "--no-update"],
            &json!({"of": "verify_password"}),
            &[place(), limit(), update()],
        );
    }
    check(
        "/v1/tests",
        &["tests", "--diff=", "--no-update"],
        &json!({"diff": ""}),
        &[
            row("of", &["verify_password"], json!("verify_password")),
            row("diff", &[], json!("")),
            limit(),
            update(),
        ],
    );
}

#[test]
fn lib_3_every_field_of_a_symbol_at_every_door() {
    check(
        "/v1/symbol",
        &["symbol", "verify_password", "--no-update"],
        &json!({"name": "verify_password"}),
        &[
            row("name", &[], json!("verify_password")),
            row("limit", &["--limit", "1"], json!(1)),
            row("packages", &["--package", "shop"], json!(["shop"])),
            row("scope", &["--scope", "repo"], json!("repo")),
            row("active", &["--active", "src/auth.rs"], json!("src/auth.rs")),
            row("update", &[], json!(false)),
        ],
    );
}

#[test]
fn lib_3_every_field_of_a_pack_at_every_door() {
    check(
        "/v1/pack",
        &["pack", "fix verify_password", "--no-update"],
        &json!({"task": "fix verify_password"}),
        &[
            row("task", &[], json!("fix verify_password")),
            row("max_tokens", &["--budget", "300"], json!(300)),
            row(
                "window",
                &[
                    "--window",
                    "11000",
                    "--system-reserve",
                    "500",
                    "--response-reserve",
                    "10000",
                ],
                json!({"total": 11_000, "system_reserve": 500, "response_reserve": 10_000}),
            ),
            row("complexity", &["--complexity", "9"], json!(9)),
            row("model", &["--model", "claude"], json!("claude")),
            row("intent", &["--intent", "add_test"], json!("add_test")),
            row("format", &["--format", "xml"], json!("xml")),
            row("template", &["--template", "mine.j2"], json!("{{ task }}!")),
            row("line_numbers", &["--line-numbers"], json!(true)),
            row(
                "sources",
                &["--sources", "notes.json"],
                json!([{"kind": "open_file", "path": "src/auth.rs"}]),
            ),
            row("diff", &["--diff", "HEAD"], json!("HEAD")),
            row("sources_only", &["--sources-only"], json!(true)),
            row("symbols", &["--ref", "hash_password"], json!(["hash_password"])),
            row("paths", &["--path", "src/**"], json!(["src/**"])),
            row("exclude", &["--exclude", "src/auth.rs"], json!(["src/auth.rs"])),
            row("languages", &["--lang", "rust"], json!(["rust"])),
            row("packages", &["--package", "shop"], json!(["shop"])),
            row("scope", &["--scope", "repo"], json!("repo")),
            row("session", &["--session", "mine"], json!("theirs")),
            row("preview", &["--preview"], json!(true)),
            row("explain", &["--explain"], json!(true)),
            // `kitbag map` sets it.
            row("map", &[], json!(false)),
            row("depth", &["--depth", "overview"], json!("overview")),
            row("include_brief", &["--brief"], json!(true)),
            row("include_snippets", &["--snippets"], json!(true)),
            row("include_dependencies", &["--dependencies"], json!(true)),
            row("min_confidence", &["--min-confidence", "0.9"], json!(0.9)),
            row(
                "categories",
                &["--category", "conventions"],
                json!(["conventions"]),
            ),
            row("update", &[], json!(false)),
        ],
    );
}
