//! `kitbag eval`: runs (RET-42).

use serde_json::{Value, json};

use crate::world::{SHOP, World, keys};

/// Two easy questions, and one whose answer is not indexed: whatever ranks, two of three are found.
pub(crate) const QUERIES: &str = "\
[[query]]
ask = \"verify_password\"
files = [\"src/auth.rs\"]
category = \"symbol\"

[[query]]
ask = \"who sells things to people\"
files = [\"src/main.rs\", \"README.md\"]
category = \"behaviour\"

[[query]]
ask = \"nothing to see\"
files = [\"debug.log\"]
category = \"behaviour\"
";

pub(crate) fn shop() -> World {
    let world = World::new(SHOP);
    world.home.write("queries.toml", QUERIES);
    world
}

/// The path of a file in the home folder.
pub(crate) fn at(world: &World, name: &str) -> String {
    world.home.path(name).to_str().expect("UTF-8").to_owned()
}

/// Every provider and factor, as `--without` takes them.
pub(crate) fn everything(world: &World) -> String {
    let (_, run) = world.json(&["eval", &at(world, "queries.toml"), "--ablate"]);
    let all = run["ablation"].as_array().expect("switches").iter();
    let names: Vec<&str> = all.map(|off| off["without"].as_str().expect("a name")).collect();
    names.join(",")
}

/// The line of the figures with this name, its columns by the header.
fn row<'o>(out: &'o str, name: &str) -> Vec<(&'o str, &'o str)> {
    let header = out.lines().next().expect("a header").split_whitespace();
    let line = out
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("{name} in {out}"));
    header.zip(line.split_whitespace().skip(1)).collect()
}

#[test]
fn ret_42_figures_in_all_and_by_category_and_language() {
    let world = shop();
    let ran = world.run(["eval", &at(&world, "queries.toml")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        row(&ran.out, "all"),
        [
            ("queries", "3"),
            ("NDCG@10", "0.667"),
            ("R@1", "0.667"),
            ("R@5", "0.667"),
            ("R@10", "0.667"),
            ("all@1", "0.667"),
            ("all@3", "0.667"),
            ("all@5", "0.667"),
            ("all@10", "0.667"),
            ("MRR", "0.667"),
            ("tokens", "0"),
        ]
    );
    assert_eq!(row(&ran.out, "symbol")[1], ("NDCG@10", "1.000"));
    assert_eq!(row(&ran.out, "behaviour")[1], ("NDCG@10", "0.500"));
    assert_eq!(
        row(&ran.out, "rust")[..2],
        [("queries", "2"), ("NDCG@10", "1.000")]
    );
    assert_eq!(row(&ran.out, "-")[1], ("NDCG@10", "0.000"));
    assert!(ran.out.contains("\nlatency p50 "), "{ran:?}");
    assert!(
        ran.out.ends_with(
            "no right file among the first ten: 1 query\n  queries#2  nothing to see  debug.log\n"
        ),
        "{ran:?}"
    );
    assert_eq!(
        ran.err,
        "warning: 1 of 4 gold files are not in the index and cannot be found, debug.log among them\n"
    );
}

#[test]
fn ret_42_json_has_every_query_and_is_the_same_twice() {
    let world = shop();
    let run = || {
        let (code, mut run) = world.json(&["eval", &at(&world, "queries.toml")]);
        assert_eq!(code, Some(0));
        let timing = run.as_object_mut().expect("an object").remove("timing");
        (run, timing.expect("a time"))
    };
    let (first, timing) = run();
    let (second, _) = run();
    assert_eq!(
        first.to_string(),
        second.to_string(),
        "equal bytes but for the time"
    );
    assert_eq!(keys(&timing), ["ms", "p50_ms", "p95_ms"]);
    assert_eq!(timing["ms"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        keys(&first),
        [
            "ablation", "chunks", "files", "notes", "results", "summary", "top", "warnings", "without"
        ]
    );
    assert_eq!(
        keys(&first["summary"]),
        ["all", "by_category", "by_language", "by_repo"]
    );
    assert_eq!((&first["top"], &first["files"]), (&json!(50), &json!(6)));
    let result = &first["results"][1];
    assert_eq!(result["query"], "who sells things to people");
    assert_eq!(
        (
            &result["id"],
            &result["category"],
            &result["language"],
            &result["any"]
        ),
        (
            &json!("queries#1"),
            &json!("behaviour"),
            &json!("rust"),
            &json!(true)
        )
    );
    assert_eq!(result["first"][0], "README.md");
    let readme = &result["gold"][1];
    assert_eq!(
        *readme,
        json!({"path": "README.md", "lines": null, "rank": 1, "chunk_rank": 1, "indexed": true})
    );
    let miss = &first["results"][2];
    assert_eq!(miss["measures"]["tokens"], 32_000);
    assert_eq!(miss["gold"][0]["rank"], Value::Null);
}

#[test]
fn ret_42_annotations_and_json_lines() {
    let world = shop();
    // The published benchmark searches a sub-folder, and names files from the top.
    let annotations = r#"[{"query": "cart total price", "relevant": [{"path": "cart.py", "start_line": 10, "end_line": 11}], "secondary": []}]"#;
    world.home.write("shop.json", annotations);
    let tasks = concat!(
        "{\"id\": \"a\", \"repo\": \"shop\", \"query\": \"verify_password hash_password\", \"gold_files\": [\"src/auth.rs\", \"tests/auth_test.rs\"]}\n",
        "{\"id\": \"b\", \"repo\": \"other\", \"query\": \"verify_password\", \"gold_files\": [\"gone.rs\"]}\n",
    );
    world.home.write("tasks.jsonl", tasks);
    let (_, run) = world.json(&["eval", &at(&world, "shop.json")]);
    assert_eq!(run["results"][0]["measures"]["ndcg10"], 1.0);
    assert_eq!(run["results"][0]["gold"][0]["lines"], json!([10, 11]));
    let file = at(&world, "tasks.jsonl");
    let (_, run) = world.json(&["eval", &file, "--repo", "shop"]);
    let results = run["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[0]["id"]), (1, &json!("a")));
    assert_eq!(results[0]["measures"]["recall5"], 1.0, "{run}");
    assert_eq!(run["warnings"], json!([]));
    // All of them: said to be odd, and counted by repository.
    let (code, run) = world.json(&["eval", &file]);
    assert_eq!(code, Some(0));
    assert_eq!(
        run["warnings"],
        json!([
            "the queries are of 2 repositories; --repo takes those of one",
            "1 of 3 gold files are not in the index and cannot be found, gone.rs among them"
        ])
    );
    assert_eq!(run["summary"]["all"]["repos"], 2);
    assert_eq!(run["summary"]["all"]["recall10"], 0.5);
}

#[test]
fn ret_42_wrong_files_and_arguments() {
    let world = shop();
    world
        .home
        .write("bad.toml", "[[query]]\nask = \"x\"\nfiles = 3\n");
    let ran = world.run(["eval", &at(&world, "bad.toml")]);
    ran.check_error(
        2,
        "error: [HOME]/bad.toml:3:9: invalid type: integer `3`, expected a sequence\n",
    );
    let ran = world.run(["eval", &at(&world, "gone.toml")]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let queries = at(&world, "queries.toml");
    let (code, reply) = world.json(&["eval", &queries, "--without", "everything"]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(2), &json!("INVALID_SWITCH"))
    );
    let (code, reply) = world.json(&["eval", &queries, "--repo", "moon"]);
    assert_eq!((code, &reply["error"]["code"]), (Some(2), &json!("INVALID_EVAL")));
    for args in [
        &["eval"][..],
        &["eval", "--from-history", "--compare", "a", "b"],
        &["eval", "--compare", "a"],
        &["eval", "x", "--top", "0"],
        &["eval", "x", "--write", "y"],
        &["eval", "--report", "a", "--ablate"],
    ] {
        assert_eq!(world.run(args).code, Some(2), "{args:?}");
    }
    let ran = world.run(["eval", &queries, "--no-update"]);
    assert_eq!(ran.code, Some(3), "nothing was indexed yet: {ran:?}");
}

#[test]
fn ret_42_ablation_shows_what_each_part_is_worth() {
    let world = shop();
    let queries = at(&world, "queries.toml");
    let (_, run) = world.json(&["eval", &queries, "--ablate"]);
    let ablation = run["ablation"].as_array().unwrap();
    let of = |name: &str| ablation.iter().find(|off| off["without"] == name);
    let text = of("full_text").expect("a provider");
    assert_eq!(keys(text), ["all5", "changed", "ndcg10", "recall10", "without"]);
    assert!(ablation.len() > 3, "{ablation:?}");
    // A row is the difference to a run without it.
    let recall = |run: &Value| run["summary"]["all"]["recall10"].as_f64().unwrap();
    for name in ["full_text", "symbol"] {
        let (_, less) = world.json(&["eval", &queries, "--without", name]);
        let lost = recall(&less) - recall(&run);
        let row = of(name).expect("a provider");
        assert!((lost - row["recall10"].as_f64().unwrap()).abs() < 1e-5, "{row}");
        assert_eq!(less["without"], json!([name]));
    }
    // Without anything that finds, nothing is found.
    let (_, nothing) = world.json(&["eval", &queries, "--without", &everything(&world)]);
    assert_eq!(recall(&nothing), 0.0);
    let ran = world.run(["eval", &queries, "--ablate"]);
    let table = ran.out.split("\n\n").last().unwrap();
    assert!(table.starts_with("without"), "{ran:?}");
    assert_eq!(table.lines().count(), ablation.len() + 1);
}

#[test]
fn ret_42_the_file_of_questions_is_no_answer() {
    let world = shop();
    // It holds the words of every question, and is indexed like any other file.
    world.project.write(
        "queries.md.jsonl",
        "{\"query\": \"who sells things to people\", \"gold_files\": [\"README.md\"]}\n",
    );
    let (_, found) = world.json(&["search", "who sells things to people"]);
    let paths = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| &hit["path"]);
    assert!(
        paths.into_iter().any(|path| path == "queries.md.jsonl"),
        "{found}"
    );
    let (_, run) = world.json(&["eval", "./queries.md.jsonl"]);
    let first = run["results"][0]["first"].as_array().unwrap();
    assert!(!first.iter().any(|path| path == "queries.md.jsonl"), "{run}");
    assert_eq!(run["results"][0]["measures"]["recall1"], 1.0);
}

#[test]
fn cli_3_no_commits_to_make_queries_from_is_json_too() {
    let world = World::without_git(SHOP);
    world.project.git(&["init", "--quiet"]);
    let (code, reply) = world.json(&["eval", "--from-history", "2"]);
    assert_eq!(code, Some(1), "{reply}");
    assert_eq!(
        reply,
        json!({"results": [], "notes": ["there are no commits to make queries from"]})
    );
}
