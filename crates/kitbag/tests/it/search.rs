//! `kitbag search`.

use serde_json::{Value, json};

use crate::world::{SHOP, World, keys};

#[test]
fn cli_2_search_shows_place_label_score_and_lines() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "total", "price", "--top", "1"]);
    // The score is relative to the best; how well that matches at all stands behind it (RET-26).
    let (first, rest) = ran.out.split_once('\n').unwrap();
    assert!(
        first.starts_with("shop/cart.py:1-11  Cart  1.000  ") && first.contains(" match 0."),
        "{first}"
    );
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        rest,
        "     7      def add_item(self, item, price):
     8          self.items.append((item, price))
    10      def total_price(self):
",
    );
    assert_eq!(ran.err, "", "the first run indexes without a word if it is quick");
}

#[test]
fn cli_3_search_as_json_has_the_documented_fields() {
    let world = World::new(SHOP);
    let (code, reply) = world.json(&["search", "where is the password checked", "--top", "2"]);
    assert_eq!(code, Some(0));
    assert_eq!(keys(&reply), ["index", "match", "query", "results", "warnings"]);
    assert_eq!(reply["query"], "where is the password checked");
    assert_eq!(
        reply["index"],
        json!({"files": 6, "expected": 6, "chunks": 6, "text": 1.0, "vectors": 1.0, "complete": true})
    );
    assert_eq!(reply["warnings"], json!([]));
    let results = reply["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for (idx, hit) in results.iter().enumerate() {
        assert_eq!(
            keys(hit),
            [
                "definition",
                "kind",
                "label",
                "language",
                "line_end",
                "line_start",
                "part",
                "path",
                "rank",
                "reasons",
                "score",
                "text",
                "tokens"
            ]
        );
        assert_eq!(hit["rank"], json!(idx + 1));
        assert!(hit["tokens"].as_u64().unwrap() > 0);
        let score = hit["score"].as_f64().unwrap();
        assert!(score > 0.0 && score <= 1.0, "{score}");
        let reasons = hit["reasons"].as_array().unwrap();
        assert!(!reasons.is_empty());
        for reason in reasons {
            assert_eq!(keys(reason), ["factor", "value"]);
            assert!(reason["factor"].is_string() && reason["value"].is_number());
        }
        check_text(&world, hit);
    }
    assert_eq!(results[0]["path"], "src/auth.rs");
    assert_eq!(results[0]["language"], "rust");
}

/// A snippet is the file's own lines.
#[track_caller]
fn check_text(world: &World, hit: &Value) {
    let path = hit["path"].as_str().expect("a path");
    let file = String::from_utf8(world.project.read(path)).expect("the shop is UTF-8");
    let line = |key: &str| {
        hit[key]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .expect("a line number")
    };
    let (start, end) = (line("line_start"), line("line_end"));
    let lines: Vec<&str> = file.lines().skip(start - 1).take(end + 1 - start).collect();
    let text = hit["text"].as_str().expect("a text");
    assert_eq!(text.trim_end(), lines.join("\n").trim_end());
}

#[test]
fn cli_2_search_sees_what_changed_unless_told_not_to() {
    let world = World::new(SHOP);
    assert_eq!(world.run(["search", "zanzibar"]).code, Some(1));
    world.project.write("src/trip.rs", "fn fly_to_zanzibar() {}\n");
    assert_eq!(world.run(["search", "zanzibar", "--no-update"]).code, Some(1));
    let (code, reply) = world.json(&["search", "zanzibar"]);
    assert_eq!(
        (code, &reply["results"][0]["path"]),
        (Some(0), &json!("src/trip.rs"))
    );
    assert_eq!(reply["results"].as_array().unwrap().len(), 1);
}

#[test]
fn cli_3_nothing_found_is_exit_code_1_and_no_data() {
    let world = World::new(SHOP);
    world
        .run(["search", "zanzibar"])
        .check_error(1, "nothing found in 6 files\n");
    world.run(["search", "zanzibar", "--quiet"]).check_error(1, "");
    world
        .run(["search", "password", "--lang", "python", "--path", "src/**"])
        .check_error(1, "nothing found with --path, --lang\n");
    let (code, reply) = world.json(&["search", "zanzibar"]);
    assert_eq!((code, &reply["results"]), (Some(1), &json!([])));
    let empty = World::new("//- a.log\n");
    empty.project.write(".gitignore", "*\n");
    empty.project.git(&["rm", "--quiet", "--cached", "a.log"]);
    empty.run(["search", "x"]).check_error(
        1,
        "nothing found: no file of this project is indexed (`kitbag list-indexable --skipped` says why)\n",
    );
}

#[test]
fn cli_3_search_without_an_index_and_without_making_one_is_trouble() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "password", "--no-update"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
    assert!(ran.err.ends_with("hint: run `kitbag index` first\n"), "{ran:?}");
}

#[test]
fn ret_23_filters_limit_what_answers() {
    let world = World::new(SHOP);
    let paths = |args: &[&str]| -> Vec<String> {
        let (_, reply) = world.json(&[&["search", "password"], args].concat());
        let mut paths: Vec<String> = reply["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["path"].as_str().unwrap().to_owned())
            .collect();
        paths.sort();
        paths.dedup();
        paths
    };
    assert_eq!(
        paths(&[]),
        ["README.md", "src/auth.rs", "src/main.rs", "tests/auth_test.rs"]
    );
    assert_eq!(paths(&["--path", "src/**"]), ["src/auth.rs", "src/main.rs"]);
    assert_eq!(
        paths(&["--path", "src/**", "--exclude", "**/main.rs"]),
        ["src/auth.rs"]
    );
    assert_eq!(paths(&["--lang", "markdown,python"]), ["README.md"]);
    assert_eq!(paths(&["--kind", "markdown_section"]), ["README.md"]);
    assert_eq!(paths(&["--top", "1"]), ["src/auth.rs"]);
    assert_eq!(paths(&["--min-score", "1.0"]), ["src/auth.rs"]);
}

#[test]
fn ret_23_since_is_a_day_or_how_long_ago() {
    let world = World::new(SHOP);
    // Everything was committed on 2024-01-02.
    let (code, reply) = world.json(&["search", "password", "--since", "2024-01-01"]);
    assert_eq!(
        (code, &reply["results"][0]["path"]),
        (Some(0), &json!("src/auth.rs"))
    );
    world
        .run(["search", "password", "--since", "2024-01-03"])
        .check_error(1, "nothing found with --since\n");
    world
        .project
        .write("src/auth.rs", "pub fn check_password() -> bool { true }\n");
    let (_, reply) = world.json(&["search", "password", "--since", "2024-01-03"]);
    let results = reply["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[0]["path"]), (1, &json!("src/auth.rs")));
    let (code, reply) = world.json(&["search", "password", "--since", "soon"]);
    assert_eq!((code, &reply["error"]["code"]), (Some(2), &json!("INVALID_TIME")));
}

#[test]
fn ret_30_diversity_is_asked_for() {
    let world = World::new(SHOP);
    for n in 0..4 {
        world.project.write(
            format!("src/double{n}.rs"),
            format!("/// Checks a password.\npub fn check_password_{n}(password: &str) -> bool {{\n    password.len() == {n}\n}}\n"),
        );
    }
    let is_moved = |args: &[&str]| {
        let (_, reply) = world.json(&[&["search", "check a password"], args].concat());
        let hits = reply["results"].as_array().unwrap();
        let reasons = hits.iter().flat_map(|hit| hit["reasons"].as_array().unwrap());
        reasons.into_iter().any(|reason| reason["factor"] == "diversity")
    };
    assert!(!is_moved(&[]));
    assert!(is_moved(&["--mmr-lambda", "0.1"]));
    assert!(!is_moved(&["--mmr-lambda", "1"]));
    world.project.write("kitbag.toml", "[query]\nmmr_lambda = 0.1\n");
    assert!(!is_moved(&[]), "the key says how much, not whether");
    assert!(is_moved(&["--diverse"]));
}

#[test]
fn cli_3_unknown_languages_and_kinds_name_the_known_ones() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "x", "--lang", "klingon"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(
        ran.err
            .starts_with("error: unknown language `klingon`; known are "),
        "{ran:?}"
    );
    assert!(ran.err.contains("rust") && ran.err.contains("python"));
    let (code, reply) = world.json(&["search", "x", "--kind", "poem"]);
    assert_eq!((code, &reply["error"]["code"]), (Some(2), &json!("INVALID_KIND")));
    assert!(
        reply["error"]["message"]
            .as_str()
            .unwrap()
            .contains("code_function")
    );
}

#[test]
fn cli_3_values_out_of_range_are_refused_with_what_is_allowed() {
    let world = World::new(SHOP);
    for (flag, value) in [
        ("--top", "0"),
        ("--top", "many"),
        ("--min-score", "7"),
        ("--min-score", "nan"),
        ("--mmr-lambda", "1.5"),
        ("--mmr-lambda", "much"),
    ] {
        let ran = world.run(["search", "x", flag, value]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(
            ran.err.starts_with(&format!("error: {flag}: ")) && ran.err.contains("expected a"),
            "{ran:?}"
        );
    }
    let ran = world.run(["search", "  "]);
    ran.check_error(2, "error: the query is empty\n");
}

#[test]
fn cli_2_explain_adds_the_factors() {
    let world = World::new(SHOP);
    let plain = world.run(["search", "cart", "--top", "1"]).out;
    let explained = world.run(["search", "cart", "--top", "1", "--explain"]).out;
    let factors = explained.strip_prefix(&plain).expect("the same, and more");
    let (_, reply) = world.json(&["search", "cart", "--top", "1"]);
    let reasons = reply["results"][0]["reasons"].as_array().unwrap();
    assert_eq!(factors.lines().count(), reasons.len());
    for (line, reason) in factors.lines().zip(reasons) {
        let (factor, value) = (
            reason["factor"].as_str().unwrap(),
            reason["value"].as_f64().unwrap(),
        );
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            [factor, &format!("{value:.4}")]
        );
    }
}

#[test]
fn idx_6_an_active_file_is_inside_the_project() {
    let world = World::new(SHOP);
    assert_eq!(
        world.run(["search", "password", "--active", "src/main.rs"]).code,
        Some(0)
    );
    assert_eq!(
        world
            .run(["search", "password", "--active", "src/../src/new.rs"])
            .code,
        Some(0)
    );
    for path in ["../elsewhere.rs", "/etc/passwd", "."] {
        let ran = world.run(["search", "password", "--active", path]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_eq!(
            ran.err,
            format!("error: {path} is not a file inside the project [ROOT]\n")
        );
    }
}

#[test]
fn idx_1_a_subfolder_searches_the_whole_project() {
    let world = World::new(SHOP);
    let mut command = world.command(["search", "cart", "--json", "--top", "1"]);
    let ran = world.ran(&command.current_dir(world.project.path("src")).output().unwrap());
    assert!(ran.out.contains("\"path\":\"shop/cart.py\""), "{ran:?}");
    let ran = world.run(["search", "password", "--json", "--root", "src"]);
    assert!(ran.out.contains("\"path\":\"auth.rs\""), "{ran:?}");
}
