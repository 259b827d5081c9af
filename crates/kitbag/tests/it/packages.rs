//! `kitbag packages`, and packages as limits of other commands and tools.

use serde_json::json;

use crate::mcp::Server;
use crate::world::{World, keys};

const SHOP: &str = "\
//- Cargo.toml
[workspace]
members = [\"core\", \"web\"]
//- core/Cargo.toml
[package]
name = \"shop-core\"
version = \"1.2.0\"
description = \"Carts and prices\"

[dependencies]
serde = \"1\"
//- core/src/lib.rs
/// Adds the prices of a cart.
pub fn total_price(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
//- web/Cargo.toml
[package]
name = \"shop-web\"

[dependencies]
shop-core = { path = \"../core\" }
//- web/src/lib.rs
/// Shows the total price of a cart.
pub fn price_page() -> String {
    String::new()
}
";

#[test]
fn pkg_9_packages_are_listed_without_an_index() {
    let world = World::new(SHOP);
    let ran = world.run(["packages"]);
    ran.check(
        0,
        "name       path  manager  version  files  depends on
shop-core  core  cargo    1.2.0        2
shop-web   web   cargo    0.0.0        2  shop-core
",
    );
    assert!(
        ran.err.starts_with("warning: the project is not indexed"),
        "{ran:?}"
    );
    assert!(
        !world.project.path(".git/kitbag").exists(),
        "asking makes nothing"
    );
    world.run(["index"]);
    assert_eq!(world.run(["packages"]).err, "");
}

#[test]
fn pkg_9_one_package_its_graph_and_what_a_change_reaches() {
    let world = World::new(SHOP);
    world.run(["index"]);
    world.run(["packages", "core"]).check(
        0,
        "name          shop-core
path          core
manager       cargo
language      rust
version       1.2.0
description   Carts and prices
declared in   core/Cargo.toml:2
files         2
lines         11
from outside  serde 1
used by       web
",
    );
    world
        .run(["packages", "--graph"])
        .check(0, "shop-web [cargo] web\n  shop-core\n");
    world
        .run(["packages", "--affected-by", "core/src/lib.rs"])
        .check(0, "0  shop-core  core\n1  shop-web   web\n");
    let nothing = world.run(["packages", "--diff"]);
    nothing.check(1, "");
    assert_eq!(nothing.err, "the change affects no package\n");
    world.project.write("web/src/lib.rs", "// changed\n");
    world
        .run(["packages", "--diff", "HEAD"])
        .check(0, "0  shop-web  web\n");
    world.run(["packages", "nope"]).check_error(
        2,
        "error: there is no package `nope`; near to it are shop-core (core)\n",
    );
}

#[test]
fn pkg_9_packages_as_json() {
    let world = World::new(SHOP);
    let (code, reply) = world.json(&["packages"]);
    assert_eq!((code, keys(&reply)), (Some(0), vec!["packages", "warnings"]));
    let package = &reply["packages"][0];
    assert_eq!(
        keys(package),
        [
            "dependencies",
            "dependents",
            "depth",
            "description",
            "external_dependencies",
            "files",
            "imports",
            "internal_dependencies",
            "is_root",
            "language",
            "lines",
            "manager",
            "manifest",
            "name",
            "path",
            "version"
        ]
    );
    assert_eq!(package["external_dependencies"], json!(["serde"]));
    let (_, reply) = world.json(&["packages", "--affected-by", "core"]);
    assert_eq!(
        reply["affected"][1],
        json!({"name": "shop-web", "path": "web", "distance": 1})
    );
}

#[test]
fn eng_20_commands_keep_to_a_package() {
    let world = World::new(SHOP);
    let files = |args: &[&str]| world.run([&["search", "-l", "price"], args].concat()).out;
    assert!(files(&[]).contains("core/src/lib.rs"));
    let of_web = files(&["--package", "web"]);
    assert!(
        of_web.contains("web/src/lib.rs") && !of_web.contains("core/"),
        "{of_web}"
    );
    assert!(files(&["--package", "web", "--scope", "cross_package"]).contains("core/src/lib.rs"));
    let inferred = files(&["--scope", "package", "--active", "web/src/lib.rs"]);
    assert!(
        inferred.contains("web/src/lib.rs") && !inferred.contains("core/"),
        "{inferred}"
    );
    let pack = world
        .run(["pack", "price", "--package", "shop-web", "--preview", "--json"])
        .out;
    assert!(
        pack.contains("web/src/lib.rs") && !pack.contains("core/src"),
        "{pack}"
    );
    let symbol = world.run(["symbol", "total_price", "--package", "core"]);
    assert!(symbol.out.starts_with("core/src/lib.rs"), "{symbol:?}");
    assert_eq!(
        world.run(["symbol", "total_price", "--package", "web"]).code,
        Some(1)
    );
    world.run(["search", "price", "--scope", "galaxy"]).check_error(
        2,
        "error: unknown scope `galaxy`; known are package, cross_package, repo\n",
    );
}

#[test]
fn pkg_9_tools_tell_of_packages() {
    let world = World::new(SHOP);
    world.run(["index"]);
    let mut server = Server::start(&world, &["--tools", "all"]);
    let (text, is_error) = server.call("list_packages", json!({}));
    assert!(
        !is_error && text.contains("shop-web 0.0.0 web cargo 2 files → shop-core"),
        "{text}"
    );
    let (text, _) = server.call("list_packages", json!({"affected_by": ["core/src/lib.rs"]}));
    assert!(text.contains("shop-web web (distance 1)"), "{text}");
    let (text, _) = server.call("list_packages", json!({"graph": "mermaid"}));
    assert!(text.contains("graph LR"), "{text}");
    let (text, is_error) = server.call("get_package_context", json!({"package": "core"}));
    assert!(!is_error, "{text}");
    for expected in [
        "shop-core 1.2.0 (cargo, core): 2 files",
        "Used by shop-web",
        "core/src/lib.rs",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("price_page"), "{text}");
    let (text, _) = server.call("query_context", json!({"query": "price", "package": "web"}));
    assert!(
        text.contains("web/src/lib.rs") && !text.contains("core/src/lib.rs"),
        "{text}"
    );
    server.end();
}
