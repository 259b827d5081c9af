//! What people type works (CLI-5): short names for languages, kinds, formats and models, `4k`, folders after the question.

use serde_json::Value;

use crate::world::{SHOP, World};

fn paths(reply: &Value) -> Vec<&str> {
    let results = reply["results"].as_array().expect("results");
    results.iter().filter_map(|hit| hit["path"].as_str()).collect()
}

#[test]
fn cli_5_languages_and_kinds_go_by_the_names_people_use() {
    let world = World::new(SHOP);
    let (_, by_name) = world.json(&["search", "price", "--lang", "python"]);
    for word in ["py", "PY", ".py"] {
        let (code, reply) = world.json(&["search", "price", "--lang", word]);
        assert_eq!((code, paths(&reply)), (Some(0), paths(&by_name)), "{word}");
    }
    let (_, by_name) = world.json(&["search", "password", "--kind", "code_function"]);
    let (code, reply) = world.json(&["search", "password", "--kind", "function"]);
    assert_eq!((code, paths(&reply)), (Some(0), paths(&by_name)));
    let ran = world.run(["search", "price", "--lang", "cobol"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("unknown language `cobol`"),
        "{ran:?}"
    );
}

#[test]
fn cli_5_results_are_limited_by_any_of_the_usual_flags() {
    let world = World::new(SHOP);
    for flags in [["--limit", "1"], ["-k", "1"], ["-n", "1"], ["--top", "1"]] {
        let (_, reply) = world.json(&["search", "password", flags[0], flags[1]]);
        assert_eq!(paths(&reply).len(), 1, "{flags:?}");
    }
}

#[test]
fn cli_5_a_folder_may_stand_after_the_question() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "password", "-l", "shop/"]);
    assert!(ran.out.lines().all(|line| line.starts_with("shop/")), "{ran:?}");
    let ran = world.run(["search", "password", "-l"]);
    assert!(ran.out.lines().any(|line| !line.starts_with("shop/")), "{ran:?}");
    // Alone it is the question itself.
    let (_, reply) = world.json(&["search", "shop/"]);
    assert_eq!(reply["query"], "shop/");
}

#[test]
fn cli_5_files_only_and_fewer_lines() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "password", "-l"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    let mut once = lines.clone();
    once.dedup();
    assert!(!lines.is_empty() && lines == once, "{ran:?}");
    let ran = world.run(["search", "password", "--lines", "0", "--top", "2"]);
    assert_eq!(ran.out.lines().count(), 2, "{ran:?}");
}

#[test]
fn cli_5_budgets_formats_and_models_are_read_as_written() {
    let world = World::new(SHOP);
    let (_, reply) = world.json(&[
        "pack",
        "check the password",
        "--budget",
        "1.5k",
        "--format",
        "md",
        "--model",
        "sonnet",
    ]);
    assert_eq!(
        (&reply["budget"], &reply["format"]),
        (&1_500.into(), &"markdown".into())
    );
    let ran = world.run(["tokens", "--text", "hello", "--model", "opus"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn cli_5_other_names_for_commands() {
    let world = World::new(SHOP);
    let (_, searched) = world.json(&["search", "password"]);
    let (code, found) = world.json(&["find", "password"]);
    assert_eq!((code, paths(&found)), (Some(0), paths(&searched)));
    let ran = world.run(["callers", "verify_password"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn cli_5_completions_offer_values() {
    let world = World::new(SHOP);
    let ran = world.run(["completions", "bash"]);
    for value in ["markdown", "fix_bug", "typescript", "code_function"] {
        assert!(ran.out.contains(value), "{value}");
    }
}

#[test]
fn cli_5_help_is_grouped() {
    let world = World::new(SHOP);
    for words in [&["--help"][..], &["help"], &[]] {
        let ran = world.run(words);
        let titles = ["Everyday:", "Agents:", "Index:", "Diagnosis and settings:"];
        let places: Vec<Option<usize>> = titles.iter().map(|title| ran.out.find(title)).collect();
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{places:?} {}",
            ran.out
        );
    }
}
