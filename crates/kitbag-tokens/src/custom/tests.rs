//! Custom vocabularies against the counts of the Python package (`fixtures/expected.json`), and hostile files.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{CustomVocabulary, MAX_JSON_BYTES, MAX_RUN_CHARS, count, inspect, load};

const FIXTURES: &[(&str, &str)] = &[
    ("gpt_like", include_str!("../../fixtures/gpt_like.json")),
    ("llama_like", include_str!("../../fixtures/llama_like.json")),
    (
        "sentencepiece_like",
        include_str!("../../fixtures/sentencepiece_like.json"),
    ),
    ("bert_like", include_str!("../../fixtures/bert_like.json")),
    ("t5_like", include_str!("../../fixtures/t5_like.json")),
];

fn fixture(name: &str) -> Value {
    let (_, json) = FIXTURES.iter().find(|(known, _)| *known == name).unwrap();
    serde_json::from_str(json).unwrap()
}

fn loaded(json: &Value) -> CustomVocabulary {
    load(json.to_string().as_bytes()).unwrap()
}

fn refused(json: &[u8]) -> String {
    load(json).err().expect("this file must be refused").to_string()
}

/// A valid file with one part replaced.
fn with(part: &str, value: Value) -> Value {
    let mut json =
        json!({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}});
    json[part] = value;
    json
}

#[test]
fn pack_34_every_count_is_the_one_of_the_python_package() {
    let expected: Value = serde_json::from_str(include_str!("../../fixtures/expected.json")).unwrap();
    let texts = expected["texts"].as_object().unwrap();
    assert!(texts.len() > 20);
    for (name, json) in FIXTURES {
        let custom = load(json.as_bytes()).unwrap();
        for (title, text) in texts {
            let counted = count(&custom, text.as_str().unwrap());
            assert_eq!(
                json!([counted.tokens, counted.exact, counted.headroom_percent]),
                json!([expected["counts"][name][title], true, 0]),
                "{name}: {title}"
            );
        }
    }
}

#[test]
fn truncation_and_padding_of_the_file_do_not_bend_the_count() {
    let json = fixture("bert_like");
    assert_eq!(
        (
            &json["truncation"]["max_length"],
            &json["padding"]["strategy"]["Fixed"]
        ),
        (&json!(12), &json!(12)),
        "the fixture has what this is about"
    );
    let custom = loaded(&json);
    assert_eq!(count(&custom, "").tokens, 0, "not padded");
    assert_eq!(count(&custom, "the rooms").tokens * 50, {
        count(&custom, &"the rooms ".repeat(50)).tokens
    });
}

#[test]
fn dropout_of_the_file_is_off() {
    let text = "the same repository, the same question and the same budget ".repeat(20);
    let mut json = fixture("gpt_like");
    let steady = count(&loaded(&json), &text);
    json["model"]["dropout"] = json!(0.5);
    assert_eq!(count(&loaded(&json), &text), steady);
}

#[test]
fn special_tokens_are_not_added_and_not_recognised() {
    // The template of this file puts `<|endoftext|>` before each text.
    let custom = loaded(&fixture("llama_like"));
    assert_eq!(count(&custom, "").tokens, 0);
    assert_eq!(count(&custom, "a").tokens, 1);
    assert!(count(&custom, "<|endoftext|>").tokens > 5);
    // An added token that is not special is an ordinary piece of the vocabulary.
    assert_eq!(count(&loaded(&fixture("gpt_like")), "<tool>").tokens, 1);
}

#[test]
fn a_text_that_cannot_be_cut_counts_its_bytes_and_says_so() {
    let no_unknown = json!({"model": {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}});
    let panics = with("pre_tokenizer", json!({"type": "FixedLength", "length": 0}));
    for json in [no_unknown, panics] {
        let custom = loaded(&json);
        let counted = count(&custom, "żółw");
        assert_eq!((counted.tokens, counted.exact), (7, false), "{json}");
        assert!(count(&custom, "").exact, "{json}");
    }
}

#[test]
fn runs_that_the_regex_engine_gives_up_on_are_not_called_exact() {
    let custom = loaded(&fixture("llama_like"));
    for run in [" ", "\n", "a", "語"] {
        let long = format!("x {}", run.repeat(MAX_RUN_CHARS + 1));
        let counted = count(&custom, &long);
        assert_eq!((counted.tokens, counted.exact), (long.len(), false), "{run:?}");
        let parted = format!("{}. \n.", run.repeat(1_000)).repeat(300);
        assert!(count(&custom, &parted).exact, "{run:?}");
    }
}

#[test]
fn a_text_too_long_for_memory_counts_its_bytes() {
    let grows = with(
        "normalizer",
        json!({"type": "Replace", "pattern": {"String": "a"}, "content": "b".repeat(800)}),
    );
    let custom = loaded(&grows);
    assert!(count(&custom, &"a ".repeat(1_000)).exact);
    assert!(!count(&custom, &"a ".repeat(10_000)).exact);
}

#[test]
fn what_is_no_tokenizer_is_refused_with_advice() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "it is no JSON object"),
        (b"\xff\xfe\x00", "it is no JSON object"),
        (b"{\"model\": ", "it is no JSON object"),
        (b"[]", "no JSON object"),
        (b"null", "no JSON object"),
        (b"{}", "no `model`"),
        (
            br#"{"version": "2.0", "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}"#,
            "version '2.0'",
        ),
        (
            br#"{"tokenizer_class": "Llama", "model_max_length": 4096}"#,
            "no `model`",
        ),
        (br#"{"model": {"type": "Neural"}}"#, "it is not a tokenizer"),
        (
            br#"{"model": {"type": "BPE", "vocab": {}, "merges": []}}"#,
            "vocabulary is empty",
        ),
        (
            br#"{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}}"#,
            "out of vocabulary",
        ),
        (
            br#"{"model": {"type": "Unigram", "vocab": [["a", 0.0]], "unk_id": 7}}"#,
            "UnkIdNotInVocabulary",
        ),
    ];
    for (json, reason) in cases {
        let message = refused(json);
        assert!(
            message.contains(reason) && message.contains("`tokenizer.json`"),
            "{}: {message}",
            String::from_utf8_lossy(json)
        );
    }
    let message = refused(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    assert!(message.contains("git lfs pull"), "{message}");
}

#[test]
fn sec_4_hostile_files_are_refused_before_they_cost_anything() {
    let replace = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaa"});
    let mut deep = json!({"type": "NFC"});
    for _ in 0..20 {
        deep = json!({"type": "Sequence", "normalizers": [deep]});
    }
    let regex = |pattern: &str| {
        with(
            "pre_tokenizer",
            json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false}),
        )
    };
    let cases = [
        (
            with(
                "normalizer",
                json!({"type": "Sequence", "normalizers": vec![replace; 9]}),
            ),
            "a thousand times",
        ),
        (
            with(
                "normalizer",
                json!({"type": "Precompiled", "precompiled_charsmap": "/////w=="}),
            ),
            "cut short",
        ),
        (
            with(
                "normalizer",
                json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
            ),
            "it is not a tokenizer",
        ),
        (
            with(
                "normalizer",
                json!({"type": "Precompiled", "precompiled_charsmap": "*"}),
            ),
            "is not base64",
        ),
        (with("normalizer", deep), "levels deep"),
        (regex("(?:(?:(?:a{1000}){1000}){1000}){1000}"), "regex"),
        (regex(&("(".repeat(5_000) + &")".repeat(5_000))), "nested"),
        (regex("("), "it is not a tokenizer"),
        (
            json!({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"], "continuing_subword_prefix": "@@@@"}}),
            "it is not a tokenizer",
        ),
    ];
    for (json, reason) in cases {
        let message = refused(json.to_string().as_bytes());
        assert!(message.contains(reason), "{reason}: {message}");
        assert!(message.chars().count() < 500, "{message}");
    }
    assert!(refused(&vec![b'['; 1_000_000]).contains("levels deep"));
    assert!(refused(&vec![b' '; MAX_JSON_BYTES + 1]).contains("more than 100000000 bytes"));
}

#[test]
fn a_regex_that_backtracks_without_end_ends() {
    let json = with(
        "pre_tokenizer",
        json!({"type": "Split", "pattern": {"Regex": "(?:(?:a|a)*)*(?=c)"}, "behavior": "Isolated", "invert": false}),
    );
    assert_eq!(count(&loaded(&json), &"a".repeat(1_000)).tokens, 1_000);
}

#[test]
fn growth_is_what_replacements_multiply_to() {
    let replace =
        |pattern: Value, content: &str| json!({"type": "Replace", "pattern": pattern, "content": content});
    let cases = [
        (Value::Null, 1),
        (json!({"type": "NFKC"}), 1),
        (replace(json!({"String": " "}), "▁"), 1),
        (replace(json!({"String": "ab"}), "xyz"), 2),
        (replace(json!({"String": ""}), "xyz"), 4),
        (replace(json!({"Regex": " {2,}"}), "..."), 3),
        (replace(json!({"Regex": "x"}), ""), 1),
        (
            json!({"normalizers": [replace(json!({"Regex": "x"}), "yy"), {"normalizers": [replace(json!({"String": "y"}), "zzz")]}]}),
            6,
        ),
    ];
    for (normalizer, expected) in cases {
        let json = with("normalizer", normalizer.clone()).to_string();
        assert_eq!(inspect::growth(json.as_bytes()), Ok(expected), "{normalizer}");
    }
}

#[test]
fn brackets_in_strings_are_no_depth() {
    for (json, expected) in [
        ("", 0),
        ("{}", 1),
        (r#"{"a": [{}], "b": {}}"#, 3),
        (r#"["[[[", "\"[[", "\\", []]"#, 2),
        ("]]]][", 1),
    ] {
        assert_eq!(inspect::depth(json.as_bytes()), expected, "{json}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A file with some changed bytes is refused or counts; it never ends the process.
    #[test]
    fn sec_4_damaged_files_are_refused_or_count(
        which in 0..FIXTURES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        text in "\\PC{0,40}",
    ) {
        let mut json = FIXTURES[which].1.as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(json.len());
            json[place] = byte;
        }
        if let Ok(custom) = load(&json) {
            let counted = count(&custom, &text);
            prop_assert!(counted.exact || counted.tokens == text.len());
        }
    }
}
