//! The brief through the API: package packs, the map, what a task's pack tells, sessions, freshness, and what happens when a part is
//! missing (ENG-1, ENG-6, ENG-10, ENG-12, ENG-40, ENG-50, ENG-70, INS-12, CLI-6).

use std::collections::BTreeSet;
use std::time::Duration;

use kitbag_engine::api::{self, PackInsight, PackReply, PackRequest};
use kitbag_engine::{Engine, EngineError, Timestamp};
use kitbag_testkit::git;

use crate::world::{NOW, World};

/// Two packages, a web application with routes, settings of tools, scripts, a README that says some of it.
const SHOP: &str = "\
//- package.json
{
  \"name\": \"shop\",
  \"description\": \"A shop that sells cups\",
  \"workspaces\": [\"packages/*\"],
  \"scripts\": {\"build\": \"tsc -b\", \"test\": \"vitest\", \"lint\": \"eslint .\"}
}
//- README.md
# Shop
Run `npm run build` first.
//- tsconfig.json
{\"compilerOptions\": {\"strict\": true, \"noUncheckedIndexedAccess\": true}}
//- CONTRIBUTING.md
# Rules
Prices must never be floating point numbers.
//- packages/core/package.json
{\"name\": \"@shop/core\", \"version\": \"1.2.0\", \"description\": \"Prices and carts\", \"dependencies\": {\"zod\": \"^3\"}}
//- packages/core/src/price.ts
export interface Price { cents: number }
export function addPrices(a: Price, b: Price): Price { return { cents: a.cents + b.cents } }
//- packages/core/src/cart.ts
import { Price, addPrices } from './price'
export class Cart { items: Price[] = []
  total(): Price { return this.items.reduce(addPrices, { cents: 0 }) }
}
//- packages/web/package.json
{\"name\": \"@shop/web\", \"dependencies\": {\"@shop/core\": \"*\", \"express\": \"^4\"}}
//- packages/web/src/app.ts
import express from 'express'
import { checkout } from './checkout'
const app = express()
app.post('/carts/:id/checkout', checkout)
app.get('/carts/:id', (req, res) => res.send('x'))
export default app
//- packages/web/src/checkout.ts
import { Cart } from '@shop/core'
export function checkout(req: any, res: any) {
  const cart = new Cart()
  res.json(cart.total())
}
";

fn tokenizer() -> kitbag_engine::Tokenizer {
    api::tokenizer_of("gpt-5").unwrap()
}

fn ask(engine: &Engine, request: &PackRequest<'_>, now: Timestamp) -> Result<PackReply, EngineError> {
    api::pack(engine, request, &mut |_| {}, &|| Duration::ZERO, now)
}

fn pack(world: &World, request: PackRequest<'_>) -> PackReply {
    let tokenizer = tokenizer();
    let request = PackRequest {
        tokenizer: Some(&tokenizer),
        update: true,
        ..request
    };
    ask(&world.engine(), &request, NOW).unwrap()
}

fn package(name: &str) -> PackRequest<'static> {
    PackRequest {
        packages: vec![name.to_owned()],
        ..PackRequest::default()
    }
}

fn all(reply: &PackReply) -> Vec<&PackInsight> {
    let brief = &reply.brief;
    let lists = [
        &brief.header,
        &brief.constraints,
        &brief.patterns,
        &brief.entry_points,
        &brief.guidance,
        &brief.key_files,
        &brief.data_accessors,
        &brief.examples,
        &brief.memories,
    ];
    lists.into_iter().flatten().collect()
}

fn texts(reply: &PackReply) -> BTreeSet<String> {
    all(reply).iter().map(|one| one.text.clone()).collect()
}

#[test]
fn eng_12_a_package_without_a_task_is_told_about() {
    let world = World::new(SHOP);
    let reply = pack(&world, package("@shop/core"));
    assert_eq!(reply.package.as_deref(), Some("@shop/core"));
    assert_eq!(reply.depth, "standard");
    assert!(reply.items.is_empty(), "no code unless asked for");
    assert!(reply.tokens <= reply.budget && reply.budget == 6_000);
    for expected in [
        "@shop/core 1.2.0 (npm, packages/core): ",
        "Prices and carts",
        "Uses zod",
        "Used by @shop/web",
        "TypeScript: noUncheckedIndexedAccess = true, strict = true",
        "packages/core/src/price.ts",
        "Prices must never be floating point numbers",
    ] {
        assert!(
            reply.text.contains(expected),
            "{expected} is not in\n{}",
            reply.text
        );
    }
    // Other packages' entry points are none of its business.
    assert!(!reply.text.contains("/carts/"), "{}", reply.text);
    let web = pack(&world, package("@shop/web"));
    assert!(
        web.text
            .contains("POST /carts/:id/checkout → checkout in packages/web/src/checkout.ts:2"),
        "{}",
        web.text
    );
    let sum: usize = reply.sections.values().sum();
    assert_eq!(sum, reply.tokens, "PACK-74: {:?}", reply.sections);
    assert_eq!(reply.stats.by_source.values().sum::<usize>(), reply.tokens);
}

#[test]
fn eng_10_depths_are_nested_in_every_format_and_the_budget_holds() {
    let world = World::new(SHOP);
    for format in api::formats() {
        for budget in [40, 200, 700, 3_000] {
            let mut before: Option<PackReply> = None;
            for depth in api::depths() {
                let request = PackRequest {
                    depth: Some(depth.to_owned()),
                    format: Some(format.to_owned()),
                    max_tokens: Some(budget),
                    ..package("@shop/web")
                };
                let reply = pack(&world, request);
                assert!(reply.tokens <= budget, "{} of {budget} in {format}", reply.tokens);
                assert_eq!(tokenizer().count(&reply.text).tokens, reply.tokens);
                assert_eq!(reply.sections.values().sum::<usize>(), reply.tokens, "{format}");
                if let Some(before) = before {
                    assert!(texts(&before).is_subset(&texts(&reply)), "{depth} in {format}");
                    assert!(before.tokens <= reply.tokens);
                }
                before = Some(reply);
            }
        }
    }
}

#[test]
fn cli_6_the_map_is_packages_entry_points_and_key_files_with_signatures() {
    let world = World::new(SHOP);
    let request = PackRequest {
        map: true,
        ..PackRequest::default()
    };
    let reply = pack(&world, request);
    assert!(reply.text.starts_with("# Map of "), "{}", reply.text);
    for expected in [
        "@shop/core 1.2.0 (npm, packages/core)",
        "A shop that sells cups",
        "POST /carts/:id/checkout",
        "export function addPrices(a: Price, b: Price): Price",
    ] {
        assert!(
            reply.text.contains(expected),
            "{expected} is not in\n{}",
            reply.text
        );
    }
    assert!(reply.tokens <= 3_000);
}

#[test]
fn ins_12_what_the_readme_says_is_not_repeated_and_commands_are_those_of_the_files() {
    let world = World::new(SHOP);
    let reply = pack(&world, package("shop"));
    let scripts = reply
        .brief
        .header
        .iter()
        .find(|one| one.text.starts_with("`npm run` runs"));
    let scripts = scripts.expect("its scripts");
    assert_eq!(
        scripts.text, "`npm run` runs lint, test",
        "build is in the README"
    );
}

#[test]
fn ins_12_what_is_no_longer_so_is_not_told() {
    let world = World::new(SHOP);
    world.index();
    let tokenizer = tokenizer();
    let request = PackRequest {
        tokenizer: Some(&tokenizer),
        update: false,
        ..package("@shop/web")
    };
    let told = |engine: &Engine| ask(engine, &request, NOW).unwrap().text;
    let engine = world.engine();
    assert!(told(&engine).contains("/carts/:id/checkout"));
    // The route moves away, and nobody indexes.
    world.tree.write(
        "packages/web/src/app.ts",
        "import express from 'express'\nconst app = express()\n\napp.post('/orders', () => {})\nexport default app\n",
    );
    let text = told(&engine);
    assert!(!text.contains("/carts/:id/checkout"), "{text}");
}

#[test]
fn eng_1_unknown_values_are_refused_with_the_valid_ones() {
    let world = World::new(SHOP);
    world.index();
    let cases: [(PackRequest<'_>, &str, &str); 6] = [
        (
            PackRequest {
                depth: Some("deepest".into()),
                ..package("shop")
            },
            "INVALID_DEPTH",
            "unknown depth `deepest`; known are overview, standard, deep",
        ),
        (
            PackRequest {
                categories: vec!["colours".into()],
                ..package("shop")
            },
            "INVALID_CATEGORY",
            "unknown category `colours`; known are architectural, entry_points, conventions",
        ),
        (
            PackRequest {
                min_confidence: Some(1.5),
                ..package("shop")
            },
            "INVALID_CONFIDENCE",
            "min_confidence must be between 0 and 1, not 1.5",
        ),
        (PackRequest::default(), "INVALID_QUERY", "the task is empty"),
        (
            PackRequest {
                packages: vec!["a".into(), "b".into()],
                ..PackRequest::default()
            },
            "INVALID_PACKAGE",
            "without a task one package is told at a time, not 2",
        ),
        (package("nowhere"), "PACKAGE_NOT_FOUND", "no package `nowhere`"),
    ];
    for (request, code, message) in cases {
        let error = ask(&world.engine(), &request, NOW).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn eng_12_a_task_pack_tells_only_what_concerns_the_files_it_shows() {
    let world = World::new(SHOP);
    let task = |task: &str, brief: Option<bool>| {
        let request = PackRequest {
            task: task.to_owned(),
            include_brief: brief,
            max_tokens: Some(2_000),
            ..PackRequest::default()
        };
        pack(&world, request)
    };
    // A function that a route of another file leads to.
    let reply = task("fix checkout", Some(true));
    assert!(!reply.items.is_empty());
    let routes: Vec<&str> = reply
        .brief
        .entry_points
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    let is_shown = reply
        .items
        .iter()
        .any(|item| item.path.ends_with("app.ts") && !item.lines_shown.is_empty());
    assert_eq!(
        routes.is_empty(),
        is_shown,
        "a route is told where it is not seen: {}",
        reply.text
    );
    assert!(reply.brief.header.is_empty() && reply.brief.key_files.is_empty());
    // What takes a look at all code is told when it is asked for.
    let usual = task("fix checkout", None);
    assert!(usual.brief.entry_points.is_empty() && usual.brief.patterns.is_empty());
    // Off.
    let without = task("fix checkout", Some(false));
    assert!(without.is_empty() == without.items.is_empty() && without.brief.counts.is_empty());
    // A question about code gets code.
    let why = task("how does addPrices work", Some(true));
    assert!(
        why.brief.constraints.is_empty() && why.brief.patterns.is_empty(),
        "{}",
        why.text
    );
}

#[test]
fn ins_8_what_changes_together_is_told_where_it_is_not_shown() {
    let world = World::new(
        "//- src/lexer.rs\npub fn lex() {}\n//- src/tables.rs\npub const A: u8 = 0;\n//- src/other.rs\npub fn other() {}\n",
    );
    let root = world.tree.root().to_owned();
    git(&root, &["init", "-q"]);
    for n in 1..7 {
        world
            .tree
            .write("src/lexer.rs", format!("pub fn lex() {{ let _ = {n}; }}\n"));
        world
            .tree
            .write("src/tables.rs", format!("pub const A: u8 = {n};\n"));
        git(&root, &["add", "."]);
        git(&root, &["commit", "-qm", &format!("step {n}")]);
    }
    let request = PackRequest {
        task: "fix lex".to_owned(),
        max_tokens: Some(300),
        paths: vec!["src/lexer.rs".to_owned()],
        ..PackRequest::default()
    };
    let reply = pack(&world, request);
    let told: Vec<&str> = reply.brief.guidance.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        told,
        ["src/lexer.rs changes with src/tables.rs: 6 of 6 commits"],
        "{}",
        reply.text
    );
}

#[test]
fn eng_40_the_second_brief_of_a_session_costs_a_third_less_and_says_where_the_first_was() {
    let world = World::new(SHOP);
    let tokenizer = tokenizer();
    let engine = world.engine();
    let request = PackRequest {
        tokenizer: Some(&tokenizer),
        update: true,
        session: Some("s".to_owned()),
        ..package("@shop/web")
    };
    let asked = |engine: &Engine| {
        let reply = ask(engine, &request, NOW).unwrap();
        let delivery = reply.session.as_ref().unwrap().delivery.as_ref().unwrap();
        delivery.confirm().unwrap();
        reply
    };
    let first = asked(&engine);
    let second = asked(&engine);
    assert!(
        second.tokens * 10 <= first.tokens * 7,
        "{} after {}",
        second.tokens,
        first.tokens
    );
    assert!(second.text.contains("delivered in answer 1"), "{}", second.text);
    let saved = second.session.as_ref().unwrap().tokens_saved;
    assert_eq!(saved, first.tokens - second.tokens);
    assert_eq!(second.sections.values().sum::<usize>(), second.tokens);
    // What changed is told anew and said to be new.
    world.tree.write(
        "packages/web/package.json",
        "{\"name\": \"@shop/web\", \"dependencies\": {\"@shop/core\": \"*\", \"express\": \"^4\", \"pino\": \"^9\"}}\n",
    );
    let third = asked(&engine);
    assert!(third.text.contains("express, pino"), "{}", third.text);
    assert!(third.text.contains("changed since answer 1"), "{}", third.text);
}

#[test]
fn eng_50_ages_are_told_by_source() {
    let world = World::new(SHOP);
    world.index();
    let tokenizer = tokenizer();
    let hour = 3_600_000;
    let at = |update: bool, hours: i64| {
        let request = PackRequest {
            tokenizer: Some(&tokenizer),
            update,
            ..package("@shop/web")
        };
        ask(&world.engine(), &request, Timestamp(NOW.0 + hours * hour)).unwrap()
    };
    let fresh = at(false, 0);
    assert_eq!(fresh.freshness.state, "fresh");
    assert!(
        fresh
            .freshness
            .sources
            .iter()
            .any(|one| one.source == "index" && one.age_ms == 0)
    );
    assert_eq!(at(false, 3).freshness.state, "partial");
    let stale = at(false, 50);
    assert_eq!(stale.freshness.state, "stale");
    let warning = stale
        .warnings
        .iter()
        .find(|one| one.source == "index")
        .expect("a warning");
    assert_eq!(warning.reason, "the index was brought up to date 2 days ago");
    assert!(warning.fallback.contains("`kitbag index`"));
    // What was just compared with the files is fresh, however long ago they changed.
    assert_eq!(at(true, 50).freshness.state, "fresh");
}
