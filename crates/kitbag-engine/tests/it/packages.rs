//! Packages of a project through the API: with and without an index, kept in line with it, and as a limit of questions.

use kitbag_engine::api::{self, PackagesReply, PackagesRequest, SearchRequest, SymbolRequest};
use kitbag_engine::{EngineError, Scope};

use crate::world::{NOW, World};

const SHOP: &str = r#"
//- Cargo.toml
[workspace]
members = ["core", "web", "tools"]
//- Cargo.lock
version = 4
//- core/Cargo.toml
[package]
name = "shop-core"
version = "1.2.0"
description = "Carts and prices"

[dependencies]
serde = "1"
//- core/src/lib.rs
//! Prices.

/// Adds the prices of a cart.
pub fn total_price(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
//- web/Cargo.toml
[package]
name = "shop-web"

[dependencies]
shop-core = { path = "../core" }
//- web/src/lib.rs
//! Pages.

use shop_core::total_price;

/// Shows the total price of a cart on a page.
pub fn price_page(prices: &[u32]) -> String {
    format!("total price {}", total_price(prices))
}
//- tools/Cargo.toml
[package]
name = "shop-tools"
//- tools/src/main.rs
//! Prints the total price.

/// Prints the total price of everything.
fn total_price() {}
//- app/package.json
{"name": "@shop/app", "version": "0.1.0"}
//- app/src/main.ts
import { total } from "../../ui/src/total";

export function totalPrice() { return total(); }
//- ui/package.json
{"name": "@shop/ui"}
//- ui/src/total.ts
export function total() { return 1; }
"#;

fn packages(world: &World, request: &PackagesRequest) -> PackagesReply {
    api::packages(&world.engine(), request, true, &mut |_| {}, NOW).unwrap()
}

fn names(reply: &PackagesReply) -> Vec<&str> {
    reply.packages.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn pkg_3_packages_with_and_without_an_index() {
    let world = World::new(SHOP);
    let live = packages(&world, &PackagesRequest::default());
    assert_eq!(
        names(&live),
        ["@shop/app", "shop-core", "shop-tools", "@shop/ui", "shop-web"]
    );
    assert!(
        !world.store_dir().exists(),
        "nothing is indexed for a list of packages"
    );
    assert!(live.warnings[0].contains("not indexed"), "{:?}", live.warnings);
    world.index();
    let stored = packages(&world, &PackagesRequest::default());
    assert!(stored.warnings.is_empty(), "{:?}", stored.warnings);
    let core = &stored.packages[1];
    assert_eq!((core.path.as_str(), &*core.manager), ("core", "cargo"));
    assert_eq!(core.version.as_deref(), Some("1.2.0"));
    assert_eq!(core.description.as_deref(), Some("Carts and prices"));
    assert_eq!(core.external_dependencies, ["serde"]);
    assert_eq!((core.files, core.lines), (2, Some(13)));
    assert_eq!(core.dependents, ["web"]);
    assert_eq!(core.manifest.as_ref().map(|place| place.line), Some(2));
    let web = &stored.packages[4];
    assert_eq!(web.internal_dependencies, ["shop-core"]);
    assert_eq!(web.dependencies[0].at.line, 5);
    assert!(web.imports[0].declared && web.imports[0].first.line == 3);
    // Apart from what only an index knows, both say the same.
    let bare = |reply: &PackagesReply| {
        let mut packages = reply.packages.clone();
        for package in &mut packages {
            (package.lines, package.files) = (None, 0);
            package.imports.clear();
            (package.dependents, package.depth) = (Vec::new(), 0);
        }
        packages
    };
    assert_eq!(bare(&live), bare(&stored));
}

#[test]
fn pkg_6_imports_that_no_manifest_declares_are_told_apart() {
    let world = World::new(SHOP);
    world.index();
    let reply = packages(&world, &PackagesRequest::default());
    let [import] = reply.undeclared.as_slice() else {
        panic!("{:?}", reply.undeclared);
    };
    assert_eq!(
        (import.from.as_str(), import.to.as_str()),
        ("@shop/app", "@shop/ui")
    );
    assert_eq!(
        (import.first.path.as_str(), import.first.line),
        ("app/src/main.ts", 1)
    );
    let app = &reply.packages[0];
    assert!(app.internal_dependencies.is_empty() && !app.imports[0].declared);
}

#[test]
fn pkg_9_what_a_change_reaches() {
    let world = World::new(SHOP);
    world.index();
    let affected = |affected_by: &[&str]| {
        let request = PackagesRequest {
            affected_by: affected_by.iter().map(|path| (*path).to_owned()).collect(),
            ..PackagesRequest::default()
        };
        let reached = packages(&world, &request).affected.unwrap();
        let named = reached.into_iter().map(|one| (one.name, one.distance));
        named.collect::<Vec<_>>()
    };
    let pair = |name: &str, distance| (name.to_owned(), distance);
    let reached = [pair("shop-core", 0), pair("shop-web", 1)];
    assert_eq!(affected(&["core/src/lib.rs"]), reached);
    assert_eq!(affected(&["core/src/removed.rs"]), reached);
    assert_eq!(affected(&["core"]), reached);
    assert_eq!(
        affected(&["ui/src/total.ts"]),
        [pair("@shop/ui", 0), pair("@shop/app", 1)]
    );
    assert_eq!(affected(&["README.md"]), []);
    let outside = PackagesRequest {
        affected_by: vec!["../x".to_owned()],
        ..PackagesRequest::default()
    };
    let refused = api::packages(&world.engine(), &outside, true, &mut |_| {}, NOW).unwrap_err();
    assert_eq!(refused.code(), "PATH_DENIED");
}

#[test]
fn pkg_9_what_a_diff_reaches() {
    let world = World::new(SHOP);
    world.tree.git(&["init", "-q"]);
    world.tree.git(&["add", "-A"]);
    world.tree.git(&["commit", "-qm", "x"]);
    let reached = || {
        let request = PackagesRequest {
            diff: Some("HEAD".to_owned()),
            ..PackagesRequest::default()
        };
        let reply = packages(&world, &request);
        let affected = reply.affected.unwrap().into_iter().map(|one| one.name);
        affected.collect::<Vec<_>>()
    };
    assert!(reached().is_empty());
    world.tree.write("core/src/lib.rs", "// changed\n");
    assert_eq!(reached(), ["shop-core", "shop-web"]);
    world.tree.write("tools/src/new.rs", "// untracked\n");
    assert_eq!(reached(), ["shop-core", "shop-tools", "shop-web"]);
}

#[test]
fn pkg_9_the_graph_is_drawn_and_forms_are_checked() {
    let world = World::new(SHOP);
    world.index();
    let drawn = |form: &str| {
        let request = PackagesRequest {
            graph: Some(form.to_owned()),
            ..PackagesRequest::default()
        };
        api::packages(&world.engine(), &request, true, &mut |_| {}, NOW)
    };
    let text = drawn("text").unwrap().graph.unwrap();
    assert!(text.contains("shop-web [cargo] web\n  shop-core\n"), "{text}");
    assert!(
        text.contains("@shop/app [npm] app\n  @shop/ui (import)\n"),
        "{text}"
    );
    assert!(drawn("mermaid").unwrap().graph.unwrap().starts_with("graph LR\n"));
    assert!(drawn("dot").unwrap().graph.unwrap().starts_with("digraph"));
    assert_eq!(drawn("svg").unwrap_err().code(), "INVALID_GRAPH");
}

#[test]
fn pkg_4_a_broken_manifest_is_a_warning_with_its_place_and_the_others_count() {
    let world = World::new(SHOP);
    world.tree.write("tools/Cargo.toml", "[package]\nname = \n");
    let warnings = world.index().warnings;
    assert!(
        warnings
            .iter()
            .any(|warning| warning.starts_with("tools/Cargo.toml:2: ")),
        "{warnings:?}"
    );
    let status = api::status(&world.engine()).unwrap();
    assert_eq!((status.packages, status.manifests.len()), (4, 1));
    // An edit of another file does not tell it again.
    world.tree.write("web/src/lib.rs", "//! Changed.\n");
    let reply = world.search("total price");
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
    world
        .tree
        .write("tools/Cargo.toml", "[package]\nname = \"mended\"\n");
    world.index();
    let status = api::status(&world.engine()).unwrap();
    assert_eq!((status.packages, status.manifests.len()), (5, 0));
}

#[test]
fn pkg_8_packages_follow_the_files() {
    let world = World::new(SHOP);
    let fresh = |world: &World| {
        let other = World::new("");
        for path in ["Cargo.toml", "core/Cargo.toml", "web/Cargo.toml"] {
            if world.tree.root().join(path).exists() {
                other.tree.write(path, world.tree.read(path));
            }
        }
        packages(world, &PackagesRequest::default())
    };
    world.index();
    // A manifest that changes, one that goes, one that comes, a lockfile that comes.
    world.tree.write(
        "core/Cargo.toml",
        "[package]\nname = \"renamed\"\nversion = \"2.0.0\"\n",
    );
    world.tree.remove("tools/Cargo.toml");
    world.tree.write("app/yarn.lock", "");
    world.tree.write("new/go.mod", "module example.org/new\n");
    world.index();
    let kept = fresh(&world);
    let named: Vec<(&str, &str)> = kept
        .packages
        .iter()
        .map(|one| (one.name.as_str(), &*one.manager))
        .collect();
    assert_eq!(
        named,
        [
            ("@shop/app", "yarn"),
            ("renamed", "cargo"),
            ("example.org/new", "go"),
            ("@shop/ui", "npm"),
            ("shop-web", "cargo"),
        ]
    );
    world.forget();
    world.index();
    assert_eq!(packages(&world, &PackagesRequest::default()), kept);
    // A lockfile that goes changes no indexed file.
    world.tree.remove("app/yarn.lock");
    world.index();
    assert_eq!(
        packages(&world, &PackagesRequest::default()).packages[0].manager,
        "npm"
    );
}

#[test]
fn pkg_5_a_package_is_found_by_name_path_or_part() {
    let world = World::new(SHOP);
    let find = |package: &str| {
        let request = PackagesRequest {
            package: Some(package.to_owned()),
            ..PackagesRequest::default()
        };
        api::packages(&world.engine(), &request, true, &mut |_| {}, NOW)
    };
    assert_eq!(names(&find("shop-core").unwrap()), ["shop-core"]);
    assert_eq!(names(&find("./web/").unwrap()), ["shop-web"]);
    assert_eq!(names(&find("tool").unwrap()), ["shop-tools"]);
    let several = find("shop").unwrap_err();
    assert_eq!(several.code(), "PACKAGE_AMBIGUOUS");
    assert!(several.to_string().contains("shop-core (core)"), "{several}");
    let none = find("shop-cor3").unwrap_err();
    assert_eq!(none.code(), "PACKAGE_NOT_FOUND");
    assert!(none.to_string().contains("shop-core"), "{none}");
}

#[test]
fn pkg_5_one_name_in_one_folder_is_the_package_that_the_code_needs() {
    let world = World::new(
        "//- package.json\n{\"name\": \"Shop\", \"devDependencies\": {\"eslint\": \"9\", \"grunt\": \"1\"}}\n\
         //- pyproject.toml\n[project]\nname = \"Shop\"\nversion = \"1\"\ndependencies = [\"sqlparse\"]\n\
         //- shop/__init__.py\nTOTAL = 1\n",
    );
    let manager = |package: &str| {
        let request = PackagesRequest {
            package: Some(package.to_owned()),
            ..PackagesRequest::default()
        };
        let found = api::packages(&world.engine(), &request, true, &mut |_| {}, NOW).unwrap();
        found.packages[0].manager.to_string()
    };
    assert_eq!(
        (manager("Shop").as_str(), manager("npm:Shop").as_str()),
        ("pip", "npm")
    );
}

/// Paths that a search in some packages finds.
fn scoped(world: &World, packages: &[&str], scope: Option<Scope>, active: Option<&str>) -> Vec<String> {
    let request = SearchRequest {
        packages: packages.iter().map(|name| (*name).to_owned()).collect(),
        scope,
        active: active.map(str::to_owned),
        ..SearchRequest::new("total price")
    };
    let mut paths: Vec<String> = world
        .ask(&request)
        .results
        .into_iter()
        .map(|hit| hit.path)
        .collect();
    paths.dedup();
    paths
}

#[test]
fn ret_23_results_are_of_the_packages_that_are_asked_for() {
    let world = World::new(SHOP);
    let all = scoped(&world, &[], None, None);
    assert!(all.len() > 3, "{all:?}");
    assert_eq!(scoped(&world, &["shop-web"], None, None), ["web/src/lib.rs"]);
    let two = scoped(&world, &["shop-web", "tools"], None, None);
    assert!(
        two.iter()
            .all(|path| path.starts_with("web/") || path.starts_with("tools/"))
    );
    assert!(two.iter().any(|path| path.starts_with("tools/")), "{two:?}");
    assert_eq!(scoped(&world, &["shop-web"], Some(Scope::Repo), None), all);
}

#[test]
fn eng_20_a_scope_reaches_direct_dependencies_at_half_the_weight() {
    let world = World::new(SHOP);
    let request = SearchRequest {
        packages: vec!["shop-web".to_owned()],
        scope: Some(Scope::CrossPackage),
        ..SearchRequest::new("adds the prices of a cart")
    };
    let reply = world.ask(&request);
    let paths: Vec<&str> = reply.results.iter().map(|hit| hit.path.as_str()).collect();
    assert!(
        paths.contains(&"core/src/lib.rs") && paths.contains(&"web/src/lib.rs"),
        "{paths:?}"
    );
    assert!(
        !paths
            .iter()
            .any(|path| path.starts_with("tools") || path.starts_with("app")),
        "{paths:?}"
    );
    let weight = |path: &str| {
        let hit = reply.results.iter().find(|hit| hit.path == path).unwrap();
        let package = hit.reasons.iter().find(|reason| reason.factor == "package");
        package.map(|reason| reason.value)
    };
    assert_eq!(
        (weight("core/src/lib.rs"), weight("web/src/lib.rs")),
        (Some(0.5), None)
    );
}

#[test]
fn eng_20_the_package_is_inferred_from_the_open_file_then_from_the_question() {
    let world = World::new(SHOP);
    let inferred = scoped(&world, &[], Some(Scope::Package), Some("tools/src/main.rs"));
    assert_eq!(inferred, ["tools/src/main.rs"]);
    let named = SearchRequest {
        scope: Some(Scope::Package),
        ..SearchRequest::new("total price as in web/src/lib.rs")
    };
    let reply = world.ask(&named);
    assert!(reply.results.iter().all(|hit| hit.path.starts_with("web/")) && !reply.results.is_empty());
    let nothing = SearchRequest {
        scope: Some(Scope::Package),
        ..SearchRequest::new("total price")
    };
    let reply = world.ask(&nothing);
    assert!(reply.results.len() > 3);
    assert!(
        reply.warnings[0].contains("scope `package` has no effect"),
        "{:?}",
        reply.warnings
    );
}

#[test]
fn eng_20_a_package_that_does_not_exist_is_an_error_that_names_the_nearest() {
    let world = World::new(SHOP);
    let request = SearchRequest {
        packages: vec!["shop-webb".to_owned()],
        ..SearchRequest::new("total price")
    };
    let refused = api::search(&world.engine(), &request, &mut |_| {}, NOW).unwrap_err();
    assert!(matches!(
        refused,
        EngineError::Invalid {
            code: "PACKAGE_NOT_FOUND",
            ..
        }
    ));
    assert!(refused.to_string().contains("shop-web"), "{refused}");
    assert_eq!(api::scope("galaxy").unwrap_err().code(), "INVALID_SCOPE");
}

#[test]
fn eng_20_a_name_is_looked_up_in_the_package() {
    let world = World::new(SHOP);
    let defined = |packages: &[&str], scope| {
        let request = SymbolRequest {
            packages: packages.iter().map(|name| (*name).to_owned()).collect(),
            scope,
            ..SymbolRequest::new("total_price")
        };
        let reply = api::symbol(&world.engine(), &request, &mut |_| {}, NOW).unwrap();
        let paths = |list: Vec<String>| list.join(" ");
        (
            paths(reply.definitions.into_iter().map(|one| one.path).collect()),
            paths(reply.elsewhere.into_iter().map(|one| one.path).collect()),
        )
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(defined(&["tools"], None), pair("tools/src/main.rs", ""));
    assert_eq!(
        defined(&["web"], Some(Scope::CrossPackage)),
        pair("core/src/lib.rs", "")
    );
    assert_eq!(
        defined(&["web"], None),
        pair("", "core/src/lib.rs tools/src/main.rs")
    );
}

#[test]
fn pkg_4_hostile_manifests_give_warnings_and_an_index() {
    let world = World::new(SHOP);
    let deep = "[".repeat(100_000);
    world.tree.write("deep/package.json", &deep);
    world.tree.write(
        "bomb/pom.xml",
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><project><artifactId>&b;</artifactId></project>",
    );
    world.tree.write(
        "loop/pom.xml",
        "<project><parent><relativePath>pom.xml</relativePath></parent><artifactId>l</artifactId></project>",
    );
    let globs: String = (0..2_000).map(|n| format!("\"**/*{n}*/**\",")).collect();
    world.tree.write(
        "globs/package.json",
        format!("{{\"name\":\"globs\",\"workspaces\":[{globs}\"../../../etc\"]}}"),
    );
    let warnings = world.index().warnings;
    for path in ["deep/package.json", "globs/package.json"] {
        assert!(
            warnings.iter().any(|warning| warning.starts_with(path)),
            "{path}: {warnings:?}"
        );
    }
    let reply = packages(&world, &PackagesRequest::default());
    assert!(names(&reply).contains(&"shop-core"));
    assert!(reply.packages.iter().all(|one| !one.path.starts_with("..")));
}

#[test]
fn eng_20_the_package_of_the_active_file_rises() {
    let world = World::new(SHOP);
    // Another folder and another language than any result: only the package is the same.
    let request = SearchRequest {
        active: Some("tools/Cargo.toml".to_owned()),
        ..SearchRequest::new("total price")
    };
    for hit in world.ask(&request).results {
        let rises = hit.reasons.iter().any(|reason| reason.factor == "active_package");
        assert_eq!(rises, hit.path.starts_with("tools/"), "{}", hit.path);
    }
}
