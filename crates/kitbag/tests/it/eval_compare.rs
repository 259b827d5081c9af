//! `kitbag eval --compare`, `--report` and `--from-history` (RET-42).

use serde_json::{Value, json};

use crate::eval::{QUERIES, at, everything, shop};
use crate::world::{SHOP, World, keys};

#[test]
fn ret_42_two_runs_query_by_query() {
    let world = shop();
    let queries = at(&world, "queries.toml");
    let (before, after) = (at(&world, "before.json"), at(&world, "after.json"));
    assert_eq!(
        world
            .run([
                "eval",
                &queries,
                "--without",
                &everything(&world),
                "--output",
                &before
            ])
            .code,
        Some(0)
    );
    assert_eq!(world.run(["eval", &queries, "--output", &after]).code, Some(0));
    let (code, found) = world.json(&["eval", "--compare", &before, &after]);
    assert_eq!(code, Some(0));
    assert_eq!(
        keys(&found),
        ["drawn", "gains", "losses", "metrics", "queries", "repos"]
    );
    assert_eq!(
        (&found["queries"], &found["drawn"]),
        (&json!(3), &json!("queries"))
    );
    let ndcg = &found["metrics"][0];
    // Two of three queries, from not found to found.
    assert_eq!(ndcg["metric"], "ndcg10");
    assert_eq!(
        (&ndcg["before"], &ndcg["after"], &ndcg["difference"]),
        (&json!(0.0), &json!(0.666667), &json!(0.666667))
    );
    assert_eq!(
        (&ndcg["better"], &ndcg["worse"], &ndcg["same"]),
        (&json!(2), &json!(0), &json!(1))
    );
    assert_eq!((&ndcg["low"], &ndcg["high"]), (&json!(0.0), &json!(1.0)));
    let tokens = &found["metrics"][9];
    assert_eq!(
        (&tokens["metric"], &tokens["better"]),
        (&json!("tokens"), &json!(2))
    );
    assert!(tokens["difference"].as_f64().unwrap() < 0.0);
    let gains = found["gains"].as_array().unwrap();
    let ids: Vec<&Value> = gains.iter().map(|gain| &gain["id"]).collect();
    assert_eq!(ids, ["queries#0", "queries#1"]);
    assert_eq!(
        gains[0],
        json!({"id": "queries#0", "repo": gains[0]["repo"], "query": "verify_password", "before": 0.0, "after": 1.0,
            "difference": 1.0, "ranks_before": [null], "ranks_after": [1]})
    );
    assert_eq!(found["losses"], json!([]));
    let ran = world.run(["eval", "--compare", &after, &before]);
    assert!(
        ran.out
            .contains("\nlargest losses (NDCG@10; ranks of the gold files)\n"),
        "{ran:?}"
    );
    let first = ran
        .out
        .lines()
        .nth(1)
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>();
    assert_eq!(
        first,
        [
            "NDCG@10", "0.6667", "0.0000", "-0.6667", "-1.0000", "…", "+0.0000", "0", "2", "1"
        ]
    );
    // The same twice: no difference, and no doubt.
    let (_, same) = world.json(&["eval", "--compare", &after, &after]);
    for metric in same["metrics"].as_array().unwrap() {
        assert_eq!((&metric["difference"], &metric["same"]), (&json!(0.0), &json!(3)));
        assert_eq!((&metric["low"], &metric["high"]), (&json!(0.0), &json!(0.0)));
    }
}

#[test]
fn ret_42_runs_over_other_queries_are_refused() {
    let world = shop();
    let (all, fewer) = (at(&world, "all.json"), at(&world, "fewer.json"));
    world.run(["eval", &at(&world, "queries.toml"), "--output", &all]);
    let other = QUERIES.split("\n\n").take(2).collect::<Vec<_>>().join("\n\n");
    let other = other.replace("who sells things to people", "who sells things to cats");
    world.home.write("queries.toml", other);
    world.run(["eval", &at(&world, "queries.toml"), "--output", &fewer]);
    world.run(["eval", "--compare", &all, &fewer]).check_error(
        2,
        "error: the two runs are not over the same queries
       1 only in the first: queries#2
       1 with another question or other gold files: queries#1
",
    );
    let ran = world.run(["eval", "--compare", &all, &at(&world, "queries.toml")]);
    ran.check_error(
        2,
        "error: [HOME]/queries.toml is not a saved run
hint: runs are made with `kitbag eval FILE --output RUN` or `--json`
",
    );
    world.run(["eval", &all]).check_error(
        2,
        "error: [HOME]/all.json is a saved run
hint: --report shows its figures, --compare sets it beside another
",
    );
}

#[test]
fn ret_42_runs_of_several_repositories_together() {
    let world = shop();
    let run = |repo: &str, question: &str, gold: &str| {
        let line = format!(
            "{{\"id\": \"{repo}\", \"repo\": \"{repo}\", \"query\": \"{question}\", \"gold_files\": [\"{gold}\"]}}\n"
        );
        world.home.write("one.jsonl", line);
        world.run(["eval", &at(&world, "one.jsonl"), "--json"]).out
    };
    let good = run("good", "verify_password", "src/auth.rs");
    let bad = run("bad", "zanzibar", "debug.log");
    world.home.write("runs.json", good + &bad);
    let (code, report) = world.json(&["eval", "--report", &at(&world, "runs.json")]);
    assert_eq!(code, Some(0));
    assert_eq!(report["summary"]["all"]["repos"], 2);
    assert_eq!(report["summary"]["all"]["ndcg10"], 0.5);
    assert_eq!(report["timing"]["ms"].as_array().map(Vec::len), Some(2));
    let both = at(&world, "runs.json");
    let (_, found) = world.json(&["eval", "--compare", &both, &both]);
    assert_eq!(
        (&found["drawn"], &found["repos"]),
        (&json!("repositories"), &json!(2))
    );
}

/// The shop, with some history.
fn grown() -> World {
    let world = World::new(SHOP);
    let commit = |message: &str| {
        world.project.git(&["add", "--all"]);
        world
            .project
            .git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    };
    let change = |path: &str| {
        let mut text = world.project.read(path);
        text.push(b'\n');
        world.project.write(path, text);
    };
    change("src/auth.rs");
    change("tests/auth_test.rs");
    change("README.md");
    commit(
        "fix(auth): Verify the password against its hash (#12)\n\nIt compared them reversed.\n\nSigned-off-by: Kit Bag <kit@example.com>",
    );
    change("README.md");
    commit("Explain what the shop is for");
    change("shop/cart.py");
    commit("Run black");
    change("shop/cart.py");
    commit("Sum the price of all items in the cart");
    world.project.write("src/gone.rs", "fn gone() {}\n");
    commit("Add a file that will be gone");
    world.project.remove("src/gone.rs");
    commit("Remove the file again, as announced");
    change("shop/cart.py");
    commit("Sum the price of all items in the cart");
    world
}

#[test]
fn ret_42_queries_from_the_history() {
    let world = grown();
    let written = at(&world, "mine.jsonl");
    let (code, run) = world.json(&["eval", "--from-history", "--write", &written]);
    assert_eq!(code, Some(0), "{run}");
    let results = run["results"].as_array().unwrap();
    let asked: Vec<&Value> = results.iter().map(|result| &result["query"]).collect();
    assert_eq!(
        asked,
        [
            "Sum the price of all items in the cart",
            "Verify the password against its hash\n\nIt compared them reversed."
        ]
    );
    assert_eq!(results[1]["gold"][0]["path"], "src/auth.rs");
    assert_eq!(
        results[1]["gold"].as_array().map(Vec::len),
        Some(1),
        "tests and prose are not answers"
    );
    assert_eq!(results[1]["measures"]["recall1"], 1.0);
    let notes = run["notes"].as_array().unwrap();
    assert_eq!(
        notes[0],
        "2 queries from 8 commits; left out: 2 no source files: tests, docs, settings, 1 fewer than three words, 1 formatting, 1 its files are gone or not indexed, 1 the same message again"
    );
    assert!(
        notes[1]
            .as_str()
            .unwrap()
            .starts_with("the tree of today was searched"),
        "{notes:?}"
    );
    let line = String::from_utf8(world.home.read("mine.jsonl")).unwrap();
    assert!(
        line.lines()
            .all(|line| line.ends_with("\"without\":[\"git_history\"]}")),
        "the history knows the answers: {line}"
    );
    // The file can be run again, and says the same.
    let (_, again) = world.json(&["eval", &written]);
    assert_eq!(again["results"], run["results"]);
    let (_, fewer) = world.json(&["eval", "--from-history", "1"]);
    assert_eq!(fewer["results"].as_array().map(Vec::len), Some(1));
    let ran = world.run(["eval", "--from-history"]);
    assert!(ran.out.contains("\n2 queries from 8 commits; "), "{ran:?}");
}

#[test]
fn ret_42_no_history_no_queries() {
    let world = World::without_git(SHOP);
    let ran = world.run(["eval", "--from-history"]);
    ran.check_error(1, "there are no commits to make queries from\n");
    let world = World::new(SHOP);
    let ran = world.run(["eval", "--from-history"]);
    ran.check_error(1, "0 queries from 1 commit; left out: 1 fewer than three words\n");
}
