//! One type for two kinds: names, exactness, and that the cache changes no count.

use super::Tokenizer;
use crate::{Family, count};

const GPT_LIKE: &[u8] = include_bytes!("../../fixtures/gpt_like.json");

fn shared<T: Send + Sync>() {}

#[test]
fn it_is_shared_between_threads() {
    shared::<Tokenizer>();
}

#[test]
fn decision_2_every_family_counts_as_the_plain_function_does() {
    let text = "fn main() { println!(\"上下文引擎 👍\"); } // 0123456789\n".repeat(20);
    for family in Family::ALL {
        let tokenizer = Tokenizer::of_family(family);
        assert_eq!(tokenizer.name(), family.as_str());
        for _ in 0..2 {
            for text in ["", "x", &text] {
                let counted = tokenizer.count(text);
                assert_eq!(counted, count(text, family), "{family:?}");
                assert_eq!(counted.exact, tokenizer.is_exact(), "{family:?}");
            }
        }
    }
}

#[test]
fn a_model_is_known_by_its_family() {
    assert_eq!(
        Tokenizer::of_model("openai/gpt-5").map(|t| t.name().to_owned()),
        Some("o200k".to_owned())
    );
    assert!(Tokenizer::of_model("hal-9000").is_none());
}

#[test]
fn pack_34_two_tokenizers_do_not_answer_for_one_another() {
    let text = "One text and two rulers: the longer it is, the more they differ. ".repeat(5);
    let custom = Tokenizer::from_json("mine".to_owned(), GPT_LIKE).unwrap();
    let built_in = Tokenizer::of_family(Family::O200k);
    let first = (custom.count(&text).tokens, built_in.count(&text).tokens);
    assert!(first.0 > first.1, "400 pieces cut finer than 200,000: {first:?}");
    assert_eq!(first, (custom.count(&text).tokens, built_in.count(&text).tokens));
    assert_eq!((custom.name(), custom.is_exact()), ("mine", true));
}

#[test]
fn pack_34_many_threads_count_alike() {
    let texts: Vec<String> = (0..50)
        .map(|n| format!("let value_{n} = compute({n}); ").repeat(5))
        .collect();
    let custom = Tokenizer::from_json("mine".to_owned(), GPT_LIKE).unwrap();
    let count_all = || -> Vec<usize> { texts.iter().map(|text| custom.count(text).tokens).collect() };
    let (first, second) = std::thread::scope(|scope| {
        let (first, second) = (scope.spawn(count_all), scope.spawn(count_all));
        (first.join().unwrap(), second.join().unwrap())
    });
    let fresh = Tokenizer::from_json("mine".to_owned(), GPT_LIKE).unwrap();
    let expected: Vec<usize> = texts.iter().map(|text| fresh.count(text).tokens).collect();
    assert_eq!((first, second), (expected.clone(), expected));
}
