//! `query` (MCP-2, MCP-3): search results as a small text, with sessions that packs and queries share.

use kitbag_engine::api::{self, PackRequest, PackSession, QueryReply, QueryRequest, SearchRequest};
use kitbag_engine::{Delivery, EngineError, Tokenizer};

use crate::world::{NOW, World, item};

fn tokenizer() -> Tokenizer {
    Tokenizer::of_model("gpt-5").unwrap()
}

fn ask(world: &World, request: &QueryRequest<'_>) -> QueryReply {
    let reply = api::query(&world.engine(), request, &mut |_| {}, NOW).unwrap();
    let recounted = tiktoken_rs::o200k_base_singleton()
        .encode_ordinary(&reply.text)
        .len();
    assert_eq!(reply.tokens, recounted);
    assert!(
        recounted <= request.max_tokens,
        "{recounted} of {}",
        request.max_tokens
    );
    handed_over(reply.session.as_ref());
    reply
}

/// What a door does when an answer is out.
fn handed_over(session: Option<&PackSession>) {
    let delivery = session.and_then(|session| session.delivery.as_ref());
    delivery
        .map_or(Ok(()), Delivery::confirm)
        .expect("the journal can be written");
}

#[test]
fn mcp_2_a_question_becomes_places_and_code_best_first() {
    let (world, tokenizer) = (World::sample(), tokenizer());
    let reply = ask(&world, &QueryRequest::new("open the session", &tokenizer));
    let first = &reply.results[0];
    let head = format!(
        "{}:{}-{}  {}\n```rust\n",
        first.path, first.line_start, first.line_end, first.label
    );
    assert!(reply.text.starts_with(&head), "{}", reply.text);
    assert_eq!((first.shown, first.rank), ("full", 1));
    let shown = world.lines(&first.path, first.line_start, first.line_end);
    assert!(reply.text.contains(&shown), "{}", reply.text);
    assert!(reply.session.is_none() && reply.index.complete);
    for max_tokens in [200, 300, 500, 1_000, 4_000, 25_000] {
        for format in ["text", "json"] {
            let request = QueryRequest {
                max_tokens,
                top: Some(60),
                format: format.to_owned(),
                ..QueryRequest::new("compute the value of item 7", &tokenizer)
            };
            let reply = ask(&world, &request);
            assert!(reply.tokens > 100, "{}", reply.text);
            let omitted = reply.results.iter().filter(|one| one.shown == "omitted").count();
            assert_eq!(omitted, reply.omitted);
            if format == "json" {
                let parsed: serde_json::Value = serde_json::from_str(&reply.text).unwrap();
                assert_eq!(parsed["omitted"], reply.omitted);
            }
        }
    }
}

#[test]
fn eng_40_queries_and_packs_share_a_session() {
    let (world, tokenizer) = (World::sample(), tokenizer());
    let request = QueryRequest {
        session: Some("s".to_owned()),
        ..QueryRequest::new("Item7 compute", &tokenizer)
    };
    let first = ask(&world, &request);
    let second = ask(&world, &request);
    assert!(
        second.tokens * 100 <= first.tokens * 70,
        "{} after {}",
        second.tokens,
        first.tokens
    );
    let session = second.session.unwrap();
    assert_eq!(
        (session.answer, session.tokens_saved),
        (Some(2), first.tokens - second.tokens)
    );
    assert!(second.text.contains("(delivered in answer 1)"), "{}", second.text);
    let pack = PackRequest {
        session: Some("s".to_owned()),
        ..PackRequest::new("Item7 compute", 2_000, &tokenizer)
    };
    let packed = api::pack(
        &world.engine(),
        &pack,
        &mut |_| {},
        &|| std::time::Duration::ZERO,
        NOW,
    )
    .unwrap();
    let session = packed.session.unwrap();
    assert_eq!(session.answer, Some(3));
    assert!(session.referred > 0, "{}", packed.text);
    handed_over(Some(&session));
    world.tree.write("src/gen/item7.rs", item(7, 5));
    let third = ask(&world, &request);
    let changed: Vec<&str> = third
        .results
        .iter()
        .filter(|one| one.changed_since.is_some())
        .map(|one| one.path.as_str())
        .collect();
    assert_eq!(changed, ["src/gen/item7.rs"], "{}", third.text);
    assert!(third.text.contains("version 5"));
}

#[test]
fn mcp_3_nothing_found_says_what_to_try() {
    let (world, tokenizer) = (World::sample(), tokenizer());
    let request = QueryRequest {
        paths: vec!["nowhere/**".to_owned()],
        session: Some("s".to_owned()),
        ..QueryRequest::new("session", &tokenizer)
    };
    let reply = ask(&world, &request);
    assert_eq!(
        reply.text,
        "nothing found; try without paths, or other words, or the name of a function, type or file\n"
    );
    assert_eq!((reply.results.len(), reply.session.unwrap().answer), (0, Some(1)));
}

#[test]
fn mcp_4_hits_that_somebody_else_found_are_shown_the_same_way() {
    let (world, tokenizer) = (World::sample(), tokenizer());
    let mut found = api::search(
        &world.engine(),
        &SearchRequest::new("open the session"),
        &mut |_| {},
        NOW,
    )
    .unwrap();
    (found.index.complete, found.index.files, found.index.expected) = (false, 43, 100);
    (found.index.text, found.index.vectors) = (0.62, 0.0);
    let request = QueryRequest::new("open the session", &tokenizer);
    let hits = found.results.clone();
    // A store that does not exist yet: nothing is looked up in it.
    world.forget();
    let reply = api::render_hits(&world.engine(), &request, found.clone(), NOW).unwrap();
    assert!(
        reply
            .text
            .starts_with(
                "index not complete: 62 % of the text and 0 % of the vectors are searchable (43 of about 100 files); \
                 there may be more\n\nsrc/"
            ),
        "{}",
        reply.text
    );
    assert_eq!(reply.results.len(), hits.len());
    assert!(!world.store_dir().exists());
    found.results.clear();
    let reply = api::render_hits(&world.engine(), &request, found, NOW).unwrap();
    assert!(
        reply.text.contains("index not complete: 62 %") && reply.text.contains("nothing found"),
        "{}",
        reply.text
    );
    let pack = PackRequest {
        sources: hits.iter().take(2).map(Into::into).collect(),
        exclude: vec!["**".to_owned()],
        ..PackRequest::new("open the session", 2_000, &tokenizer)
    };
    let packed = api::pack(
        &world.engine(),
        &pack,
        &mut |_| {},
        &|| std::time::Duration::ZERO,
        NOW,
    )
    .unwrap();
    assert!(
        packed.items.iter().any(|item| item.path == hits[0].path),
        "{}",
        packed.text
    );
}

#[test]
fn mcp_2_requests_that_make_no_sense_are_refused_with_what_is_allowed() {
    let (world, tokenizer) = (World::sample(), tokenizer());
    let check = |request: QueryRequest<'_>, code: &str| {
        let error: EngineError = api::query(&world.engine(), &request, &mut |_| {}, NOW).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    };
    let new = || QueryRequest::new("session", &tokenizer);
    check(
        QueryRequest {
            max_tokens: 199,
            ..new()
        },
        "BUDGET_ERROR",
    );
    check(
        QueryRequest {
            max_tokens: 25_001,
            ..new()
        },
        "BUDGET_ERROR",
    );
    check(
        QueryRequest {
            format: "yaml".to_owned(),
            ..new()
        },
        "INVALID_FORMAT",
    );
    check(
        QueryRequest {
            session: Some("a b".to_owned()),
            ..new()
        },
        "INVALID_SESSION",
    );
    check(
        QueryRequest {
            top: Some(0),
            ..new()
        },
        "INVALID_TOP",
    );
    check(QueryRequest::new(" ", &tokenizer), "INVALID_QUERY");
}
