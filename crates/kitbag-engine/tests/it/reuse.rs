//! ENG-60 in the library: an answer is given again while nothing that it used has changed. And the stats that count it (MET-1).

use std::time::Duration;

use kitbag_engine::api::{
    self, AppendRequest, BuildRequest, ContextStatsRequest, DoorState, PackReply, PackRequest,
    RebuildRequest, RememberRequest, ThreadMessage,
};
use kitbag_engine::{Engine, Timestamp};

use crate::world::{NOW, World};

const FILES: &str = "\
//- src/cup.rs
/// Washes a cup.
pub fn wash_cup(cup: u8) -> u8 { cup }
//- src/plate.rs
/// Breaks a plate.
pub fn break_plate(plate: u8) -> u8 { plate }
";

fn ask(engine: &Engine, request: PackRequest<'_>, now: Timestamp) -> PackReply {
    let tokenizer = api::tokenizer_of("gpt-5").unwrap();
    let request = PackRequest {
        tokenizer: Some(&tokenizer),
        max_tokens: Some(2_000),
        reuse: true,
        ..request
    };
    api::pack(engine, &request, &mut |_| {}, &|| Duration::ZERO, now).unwrap()
}

fn wash() -> PackRequest<'static> {
    PackRequest {
        task: "wash_cup".to_owned(),
        ..PackRequest::default()
    }
}

fn after(seconds: i64) -> Timestamp {
    Timestamp(NOW.0 + 1_000 * seconds)
}

#[test]
fn eng_60_the_library_gives_an_answer_again_until_what_it_used_changes() {
    let world = World::new(FILES);
    world.index();
    let engine = world.engine();
    let is_hit = |request| ask(&engine, request, NOW).cache_hit;
    let first = ask(&engine, wash(), NOW);
    let second = ask(&engine, wash(), NOW);
    assert_eq!((first.cache_hit, second.cache_hit), (false, true));
    assert_eq!((first.text, first.items), (second.text, second.items));
    // Other questions, other users, and sessions.
    let broken = PackRequest {
        task: "break_plate".to_owned(),
        ..PackRequest::default()
    };
    assert!(!is_hit(broken));
    assert!(
        !is_hit(PackRequest {
            user: "ann",
            ..wash()
        }),
        "MEM-6"
    );
    for _ in 0..2 {
        assert!(!is_hit(PackRequest {
            session: Some("s".to_owned()),
            ..wash()
        }));
    }
    assert!(ask(&engine, wash(), after(299)).cache_hit);
    assert!(!ask(&engine, wash(), after(301)).cache_hit, "five minutes");
    // What is shown changes, and nobody indexes: the text is read again.
    assert!(ask(&engine, wash(), after(301)).cache_hit);
    world.tree.write(
        "src/cup.rs",
        "/// Dries a cup.\npub fn wash_cup(cup: u8) -> u8 { cup + 1 }\n",
    );
    let changed = ask(&engine, wash(), after(302));
    assert!(
        !changed.cache_hit && changed.text.contains("cup + 1"),
        "{}",
        changed.text
    );
}

#[test]
fn eng_60_what_another_engine_writes_is_noticed() {
    let world = World::new(FILES);
    world.index();
    let (engine, other) = (world.engine(), world.engine());
    let is_hit = || ask(&engine, wash(), NOW).cache_hit;
    assert_eq!((is_hit(), is_hit()), (false, true));
    world
        .tree
        .write("src/glass.rs", "pub fn wash_cup_of_glass() {}\n");
    world.index();
    assert_eq!((is_hit(), is_hit()), (false, true), "a file");
    let memory = RememberRequest {
        content: "wash_cup takes warm water".to_owned(),
        cites: vec!["src/cup.rs#wash_cup".to_owned()],
        ..RememberRequest::default()
    };
    let id = api::remember(&other, "", &memory, NOW).unwrap().id;
    assert_eq!((is_hit(), is_hit()), (false, true), "a memory");
    assert!(api::forget(&other, "", id).unwrap());
    assert_eq!((is_hit(), is_hit()), (false, true), "it is forgotten");
}

#[test]
fn eng_60_the_context_of_a_thread_is_given_again_for_half_a_minute() {
    let world = World::new(FILES);
    world.index();
    let engine = world.engine();
    let said = |text: &str| {
        let append = AppendRequest {
            thread: "dishes".to_owned(),
            messages: vec![ThreadMessage {
                role: "user".to_owned(),
                text: text.to_owned(),
                at: None,
            }],
            ..AppendRequest::default()
        };
        api::append_to_thread(&engine, "ann", &append, NOW).unwrap();
    };
    let is_hit = |user: &str, now| {
        let request = BuildRequest {
            thread: "dishes".to_owned(),
            message: "how is a cup washed".to_owned(),
            ..BuildRequest::default()
        };
        let tokenizer = api::tokenizer_of("gpt-5").unwrap();
        let reply = api::build_for_thread(&engine, user, &request, &tokenizer, now).unwrap();
        reply.cache_hit
    };
    said("there are cups");
    assert_eq!((is_hit("ann", NOW), is_hit("ann", after(29))), (false, true));
    assert!(!is_hit("ann", after(30)));
    assert!(!is_hit("ben", after(30)), "MEM-6");
    assert!(is_hit("ann", after(31)));
    said("and plates");
    assert!(!is_hit("ann", after(31)));
}

#[test]
fn met_1_stats_tell_who_can_answer_what_is_indexed_and_what_was_asked() {
    let mut world = World::new(FILES);
    world.options.semantic.enabled = false;
    let engine = world.engine();
    let stats = || {
        let door = DoorState {
            enabled: true,
            mode: "embedded".to_owned(),
            ..DoorState::default()
        };
        api::context_stats(&engine, &ContextStatsRequest::default(), door, "", NOW).unwrap()
    };
    let before = stats();
    assert!(before.languages.is_empty() && before.recent.is_empty() && before.rebuild.is_none());
    assert!(
        before.providers.iter().all(|one| !one.available),
        "{:?}",
        before.providers
    );
    let reply = ask(
        &engine,
        PackRequest {
            update: true,
            ..wash()
        },
        NOW,
    );
    let entry = api::usage_of_pack(&engine, "cli", &reply, Duration::from_millis(7)).unwrap();
    api::record(&engine, &entry, 90, NOW).unwrap();
    let asked = stats();
    let rust = &asked.languages[0];
    assert_eq!((rust.language.as_str(), rust.files), ("rust", 2));
    assert!(rust.chunks >= 2 && rust.tokens > 10, "{rust:?}");
    assert_eq!(
        (asked.recent[0].operation.as_str(), asked.recent[0].ms),
        ("pack", 7.0)
    );
    let provider = |name: &str| asked.providers.iter().find(|one| one.name == name).unwrap();
    let text = provider("full_text");
    assert!(
        text.available && text.used == 1 && text.share > 0.0 && text.p50_ms.is_some(),
        "{text:?}"
    );
    let semantic = provider("semantic").missing.clone().unwrap();
    assert_eq!(semantic, "switched off: providers.semantic.enabled is false");
    assert_eq!(
        provider("git_history").missing.as_deref(),
        Some("no commits are indexed")
    );
    let request = RebuildRequest {
        confirm: true,
        ..RebuildRequest::default()
    };
    let job = api::create_rebuild(&engine, "", &request, NOW).unwrap();
    assert_eq!(stats().rebuild.map(|rebuild| rebuild.id), Some(job.id()));
}
