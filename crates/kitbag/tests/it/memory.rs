//! `kitbag memory`, `kitbag thread`, `kitbag feedback`, and `kitbag eval --memories`, as people see them.

use serde_json::json;

use crate::world::World;

const SHOP: &str = "\
//- src/cart.rs
/// Adds up.
pub fn total(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
//- AGENTS.md
# Rules

- Prices are never stored as floats
";

fn write(world: &World, path: &str, text: &str) {
    world.project.write(path, text);
}

#[test]
fn mem_3_a_memory_is_added_checked_and_forgotten() {
    let world = World::new(SHOP);
    world
        .run([
            "memory",
            "add",
            "Totals are whole cents",
            "--kind",
            "decision",
            "--cite",
            "total",
        ])
        .check(0, "kept as memory 1, citing 1 place\n");
    world
        .run(["memory", "list", "cents of a total"])
        .check(0, "   1  [decision] Totals are whole cents (src/cart.rs)\n");
    world
        .run(["memory", "check"])
        .check(0, "1 fresh, 0 uncited, 0 drifted, 0 orphaned\n");
    write(
        &world,
        "src/cart.rs",
        "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().max().copied().unwrap_or(0)\n}\n",
    );
    let ran = world.run(["memory", "check"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.contains("drifted: the body of `total` changed"),
        "{ran:?}"
    );
    let (_, reply) = world.json(&["memory", "show", "1"]);
    assert_eq!(reply["memories"][0]["state"], "drifted");
    let pack = world.run(["pack", "how is the total of prices made", "--budget", "2000"]);
    assert!(pack.out.contains("Totals are whole cents"), "{pack:?}");
    world
        .run(["memory", "forget", "1"])
        .check(0, "deleted memory 1\n");
    let ran = world.run(["memory", "forget", "1"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn mem_1_memories_are_imported_and_exported() {
    let world = World::new(SHOP);
    world.run(["memory", "import", "--dry-run"]).check(
        0,
        "[convention] Rules: Prices are never stored as floats (AGENTS.md:3)\n",
    );
    world.run(["memory", "import"]).check(
        0,
        "[convention] Rules: Prices are never stored as floats (AGENTS.md:3)\n",
    );
    let text = world.run(["memory", "export"]).out;
    assert!(
        text.contains("> Rules: Prices are never stored as floats\n- cites: AGENTS.md:3-3\n"),
        "{text}"
    );
    write(&world, "MEMORIES.md", &text);
    let (_, reply) = world.json(&["memory", "import", "MEMORIES.md"]);
    assert_eq!(
        (&reply["known"], &reply["added"]),
        (&json!(1), &json!([])),
        "{reply}"
    );
}

#[test]
fn mem_4_mem_5_threads_and_feedback_on_the_command_line() {
    let world = World::new(SHOP);
    world.run(["thread", "add", "t", "--text", "we add up prices"]);
    world.run(["thread", "attach", "t", "src/cart.rs"]);
    let (_, reply) = world.json(&["thread", "pack", "t", "how is a total made"]);
    assert_eq!(
        (&reply["budget"], &reply["counts"]["reference"]),
        (&json!(3500), &json!(1)),
        "{reply}"
    );
    world.run(["thread", "list"]).check(0, "t\n");
    world.run(["index"]);
    world
        .run(["feedback", "useful", "src/cart.rs:1-4"])
        .check(0, "noted: 1; in all 1 useful, 0 not\n");
    let (_, reply) = world.json(&["search", "total prices", "--explain"]);
    let reasons = reply["results"][0]["reasons"].to_string();
    assert!(reasons.contains("\"feedback\""), "{reasons}");
    world
        .run(["feedback", "undo", "--all"])
        .check(0, "taken back: 1\n");
    assert_eq!(world.run(["feedback", "list"]).code, Some(1));
}

#[test]
fn mem_3_a_history_is_replayed() {
    let world = World::new(SHOP);
    let git = |args: &[&str]| world.project.git(args);
    write(
        &world,
        "src/cart.rs",
        "// Formatted.\npub fn total(\n    prices: &[u32],\n) -> u32 {\n    prices.iter().sum()\n}\n",
    );
    git(&["commit", "-q", "-a", "-m", "format"]);
    write(
        &world,
        "src/cart.rs",
        "pub fn total(prices: &[u32]) -> u32 {\n    prices.len() as u32\n}\n",
    );
    git(&["commit", "-q", "-a", "-m", "change"]);
    let (code, reply) = world.json(&["eval", "--memories", "10"]);
    assert_eq!(code, Some(0), "{reply}");
    assert_eq!(
        (
            &reply["changed"],
            &reply["flagged"],
            &reply["same"],
            &reply["false_alarms"]
        ),
        (&json!(1), &json!(1), &json!(1), &json!(0)),
        "{reply}"
    );
}
