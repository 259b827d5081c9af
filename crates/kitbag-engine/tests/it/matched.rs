//! RET-26: how well an answer matches at all.

use kitbag_engine::Tokenizer;
use kitbag_engine::api::{self, PackRequest, QueryRequest};

use crate::world::{NOW, World};

fn world() -> World {
    let world = World::sample();
    world.index();
    world
}

#[test]
fn ret_26_a_question_with_an_answer_matches_better_than_one_without() {
    let world = world();
    let good = world.search("open the session store");
    let bad = world.search("blockchain consensus of the docs validators");
    assert!(
        good.matched.score > bad.matched.score,
        "{:?} {:?}",
        good.matched,
        bad.matched
    );
    assert_ne!(good.matched.word, "weak", "{:?}", good.matched);
    assert_eq!(bad.matched.word, "weak", "{:?}", bad.matched);
    for word in ["blockchain", "consensus"] {
        assert!(
            bad.matched.unknown_words.iter().any(|known| known == word),
            "{:?}",
            bad.matched
        );
    }
    // The best hit has the best relative score all the same.
    if let Some(hit) = bad.results.first() {
        assert_eq!(hit.score, 1.0);
    }
}

#[test]
fn ret_26_a_name_that_does_not_exist_is_said_and_one_that_does_is_not() {
    let world = world();
    let reply = world.search("explain the FrobnicatorService implementation");
    assert_eq!(reply.matched.unknown_names, ["FrobnicatorService"]);
    let said = reply.matched.say().unwrap();
    assert!(
        said.starts_with("Nothing in this project is called `FrobnicatorService`."),
        "{said}"
    );
    let reply = world.search("Item7::compute");
    assert!(reply.matched.unknown_names.is_empty(), "{:?}", reply.matched);
    assert_eq!(reply.matched.word, "strong", "{:?}", reply.matched);
}

#[test]
fn ret_26_nothing_found_is_no_match() {
    let world = world();
    let reply = world.search("zzzzqqqq");
    if reply.results.is_empty() {
        assert_eq!((reply.matched.score, reply.matched.word.as_str()), (0.0, "none"));
    }
}

#[test]
fn ret_26_a_weak_match_does_not_fill_a_pack_and_is_said_at_its_top() {
    let world = world();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let task = "explain the FrobnicatorService of the docs";
    for format in api::formats() {
        let request = PackRequest {
            format: Some(format.to_owned()),
            ..PackRequest::new(task, 8_000, &tokenizer)
        };
        let reply = api::pack(
            &world.engine(),
            &request,
            &mut |_| {},
            &|| Default::default(),
            NOW,
        )
        .unwrap();
        assert_eq!(reply.matched.word, "weak");
        assert!(reply.items.len() <= 3, "{} items", reply.items.len());
        assert!(reply.tokens < 3_000, "{} tokens", reply.tokens);
        let at = reply.text.find("Weak match").unwrap_or(usize::MAX);
        assert!(at < 400, "{format}: {}", reply.text);
        assert!(reply.text.contains("FrobnicatorService`"), "{format}");
    }
    // What was handed in is not a guess.
    let request = PackRequest {
        sources: vec![api::PackSource {
            kind: "open_file".to_owned(),
            path: Some("src/gen/item1.rs".to_owned()),
            ..Default::default()
        }],
        ..PackRequest::new(task, 8_000, &tokenizer)
    };
    let reply = api::pack(
        &world.engine(),
        &request,
        &mut |_| {},
        &|| Default::default(),
        NOW,
    )
    .unwrap();
    assert!(reply.items.iter().any(|item| item.path == "src/gen/item1.rs"));
}

#[test]
fn ret_26_a_small_text_says_it_too() {
    let world = world();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let request = QueryRequest::new("blockchain consensus of the docs validators", &tokenizer);
    let reply = api::query(&world.engine(), &request, &mut |_| {}, NOW).unwrap();
    assert_eq!(reply.matched.word, "weak");
    assert!(reply.text.contains("Weak match"), "{}", reply.text);
    assert!(reply.tokens <= request.max_tokens);
}
