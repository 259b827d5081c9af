//! The brief through the command line: `map`, packages without a task, refusals (CLI-6, ENG-1, ENG-12).

use serde_json::Value;

use crate::pack::recount;
use crate::world::World;

const CUPS: &str = "\
//- Cargo.toml
[workspace]
members = [\"wash\", \"shop\"]
//- wash/Cargo.toml
[package]
name = \"wash\"
version = \"1.0.0\"
description = \"Washes cups\"
[lints.clippy]
unwrap_used = \"deny\"
//- wash/src/lib.rs
/// Washes a cup.
pub fn wash_cup(cup: u8) -> u8 { cup }
pub struct Basin { pub cups: Vec<u8> }
//- shop/Cargo.toml
[package]
name = \"shop\"
[dependencies]
wash = { path = \"../wash\" }
//- shop/src/main.rs
fn main() { wash::wash_cup(1); }
";

fn sum(sections: &Value) -> u64 {
    let sections = sections.as_object().expect("sections");
    sections.values().filter_map(Value::as_u64).sum()
}

#[test]
fn cli_6_map_prints_the_repository_on_one_page() {
    let world = World::new(CUPS);
    let (code, reply) = world.json(&["map"]);
    assert_eq!(code, Some(0), "{reply}");
    let text = reply["text"].as_str().expect("a text");
    for expected in [
        "wash 1.0.0 (cargo, wash): ",
        "used by shop",
        "Washes cups",
        "pub fn wash_cup(cup: u8) -> u8",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    assert_eq!(reply["tokens"], recount(text));
    assert_eq!(sum(&reply["sections"]), reply["tokens"].as_u64().unwrap());
    let (_, small) = world.json(&["map", "--budget", "80"]);
    assert!(small["tokens"].as_u64().unwrap() <= 80);
}

#[test]
fn eng_12_a_package_is_told_without_a_task() {
    let world = World::new(CUPS);
    let (code, reply) = world.json(&["pack", "--package", "wash", "--depth", "overview"]);
    assert_eq!(code, Some(0), "{reply}");
    let text = reply["text"].as_str().expect("a text");
    for expected in [
        "# Package wash",
        "Tests: `cargo test -p wash`",
        "Rust lints (below wash): clippy.unwrap_used: error",
        "Used by shop",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    assert_eq!(reply["depth"], "overview");
    assert_eq!(reply["budget"], 2_000);
    assert_eq!(reply["tokens"], recount(text));
    assert_eq!(reply["brief"]["counts"]["constraints"], 1);
    // With a task it is a task's pack of that package.
    let (_, task) = world.json(&["pack", "wash_cup", "--package", "wash"]);
    assert!(!task["items"].as_array().unwrap().is_empty());
    // Off.
    let (_, off) = world.json(&["pack", "wash_cup", "--no-brief"]);
    assert_eq!(off["brief"]["tokens"], 0);
}

#[test]
fn eng_1_what_cannot_be_asked_for_is_refused() {
    let world = World::new(CUPS);
    let cases: [(&[&str], &str); 3] = [
        (
            &["pack", "x", "--depth", "deepest"],
            "error: unknown depth `deepest`; known are overview, standard, deep\n",
        ),
        (
            &["pack", "x", "--min-confidence", "2"],
            "error: min_confidence must be between 0 and 1, not 2\n",
        ),
        (
            &["pack", "--package", "wash", "--package", "shop"],
            "error: without a task one package is told at a time, not 2\n",
        ),
    ];
    for (args, message) in cases {
        world.run(args.iter().copied()).check_error(2, message);
    }
}
