//! ENG-70 and ENG-71: nothing fails whole. Each test takes one part away and looks at what stands in its place, and at the warning. A
//! session that is lost is tried by `tests/it/session.rs` of the command line.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kitbag_engine::api::{self, PackReply, PackRequest};
use kitbag_engine::{Answer, Ask, Engine, EngineError, Provider};

use crate::world::{NOW, World};

const FILES: &str = "\
//- Cargo.toml
[package]
name = \"cups\"
version = \"0.1.0\"
//- src/lib.rs
/// Washes a cup.
pub fn wash_cup(cup: u8) -> u8 { cup }
//- src/main.rs
fn main() { cups::wash_cup(1); }
";

fn tokenizer() -> kitbag_engine::Tokenizer {
    api::tokenizer_of("gpt-5").unwrap()
}

fn pack(engine: &Engine, request: PackRequest<'_>) -> PackReply {
    let tokenizer = tokenizer();
    let request = PackRequest {
        tokenizer: request.tokenizer.or(Some(&tokenizer)),
        update: true,
        ..request
    };
    api::pack(engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap()
}

fn task(task: &str) -> PackRequest<'static> {
    PackRequest {
        task: task.to_owned(),
        max_tokens: Some(1_000),
        ..PackRequest::default()
    }
}

fn package() -> PackRequest<'static> {
    PackRequest {
        packages: vec!["cups".to_owned()],
        ..PackRequest::default()
    }
}

/// Runs a statement against the database of a store.
fn damage(world: &World, statement: &str) {
    let conn = rusqlite::Connection::open(world.store_dir().join("kitbag.db")).unwrap();
    conn.execute_batch(statement).unwrap();
}

#[test]
fn eng_70_a_broken_store_is_made_again_and_that_is_said() {
    let world = World::new(FILES);
    world.index();
    for entry in std::fs::read_dir(world.store_dir()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file()
            && path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("kitbag.db"))
        {
            std::fs::write(path, b"this is not a database, and never was one").unwrap();
        }
    }
    let reply = pack(&world.engine(), task("wash_cup"));
    assert!(reply.text.contains("pub fn wash_cup"), "{}", reply.text);
    assert!(
        reply.warnings.iter().any(|one| one.source == "store"),
        "{:?}",
        reply.warnings
    );
}

#[test]
fn eng_70_without_insights_there_is_code() {
    let world = World::new(FILES);
    world.index();
    damage(&world, "DROP TABLE facts");
    let engine = world.engine();
    let reply = pack(&engine, task("fix wash_cup"));
    assert!(reply.text.contains("pub fn wash_cup"), "{}", reply.text);
    let told = pack(&engine, package());
    let warning = told
        .warnings
        .iter()
        .find(|one| one.source == "insights")
        .expect("a warning");
    assert!(
        !warning.reason.is_empty() && warning.fallback.starts_with("without "),
        "{warning:?}"
    );
    assert!(
        told.text.contains("cups 0.1.0"),
        "the rest is told: {}",
        told.text
    );
}

#[test]
fn eng_70_without_packages_the_root_is_one() {
    let world = World::new("//- src/lib.rs\npub fn wash_cup() {}\n");
    let engine = world.engine();
    let name = world
        .tree
        .root()
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let request = PackRequest {
        packages: vec![name.clone()],
        ..PackRequest::default()
    };
    let reply = pack(&engine, request);
    assert_eq!(reply.package.as_deref(), Some(name.as_str()));
    // Those that are stored and cannot be read are made from the manifests.
    let world = World::new(FILES);
    world.index();
    damage(&world, "UPDATE packages SET content = x'00', digest = 0");
    let reply = pack(&world.engine(), package());
    assert!(reply.text.contains("cups 0.1.0"), "{}", reply.text);
}

#[test]
fn eng_70_without_vectors_text_and_symbols_answer() {
    let mut world = World::new(FILES);
    world.options.semantic.enabled = false;
    let reply = pack(&world.engine(), task("wash_cup"));
    assert!(reply.text.contains("pub fn wash_cup"), "{}", reply.text);
    assert!(reply.freshness.sources.iter().all(|one| one.source != "vectors"));
}

#[test]
fn eng_70_without_a_tokenizer_the_count_is_an_over_estimate_and_says_so() {
    let world = World::new(FILES);
    let tokenizer = api::tokenizer_of("claude").unwrap();
    let request = PackRequest {
        tokenizer: Some(&tokenizer),
        ..package()
    };
    let reply = pack(&world.engine(), request);
    assert!(!reply.exact && reply.tokens <= reply.budget);
    let warning = reply.warnings.iter().find(|one| one.source == "tokenizer");
    assert_eq!(
        warning.map(|one| one.fallback.as_str()),
        Some("tokens are over-estimated"),
        "{:?}",
        reply.warnings
    );
    assert!(
        reply.tokens >= tokenizer_count(&reply.text),
        "it is over, not under"
    );
}

fn tokenizer_count(text: &str) -> usize {
    tokenizer().count(text).tokens
}

/// Asks again and again whether it should go on, and never answers by itself.
struct Endless;

impl Provider for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        loop {
            ask.check()?;
        }
    }
}

/// A clock of which each look takes a hundredth of a second.
fn ticking() -> Duration {
    static TICKS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(10 * TICKS.fetch_add(1, Ordering::Relaxed))
}

#[test]
fn eng_70_a_slow_provider_is_done_without() {
    let mut world = World::new(FILES);
    world.index();
    world.options.clock = ticking;
    world.options.searching.provider_limit = Duration::from_millis(500);
    let engine = world.engine().with_provider(Box::new(Endless)).unwrap();
    let reply = pack(&engine, task("wash_cup"));
    assert!(reply.text.contains("pub fn wash_cup"), "{}", reply.text);
    let warning = reply
        .warnings
        .iter()
        .find(|one| one.source == "endless")
        .expect("a warning");
    assert_eq!(warning.reason, "provider endless took longer than 500 ms");
    assert_eq!(warning.fallback, "answered without it");
}
