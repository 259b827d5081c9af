//! Counts are compared with tiktoken-rs: another implementation with another regex engine and another BPE.

use std::sync::atomic::{AtomicUsize, Ordering};

use kitbag_types::{Stop, Stopped};
use proptest::prelude::*;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

use crate::{Family, Tokenizer, count, count_o200k};

fn reference(bpe: &CoreBPE, text: &str) -> usize {
    bpe.encode_ordinary(text).len()
}

fn check(text: &str) {
    let shown: String = text.chars().take(80).collect();
    assert_eq!(
        count(text, Family::O200k).tokens,
        reference(o200k_base_singleton(), text),
        "o200k {shown:?}"
    );
    assert_eq!(
        count(text, Family::Cl100k).tokens,
        reference(cl100k_base_singleton(), text),
        "cl100k {shown:?}"
    );
}

const SAMPLES: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n\r\n",
    "a",
    "hello world",
    "fn main() {\n    println!(\"{}\", 1 + 2);\n}\n",
    "def f(x):\n\treturn [y**2 for y in x if y % 2 == 0]  # comment\n",
    "SELECT * FROM users WHERE id = 42 AND name LIKE '%o''brien%';",
    "camelCaseIdentifier SCREAMING_SNAKE HTMLParser2XML getHTTPSUrl",
    "it's they'LL we'Re I'M don'T 'quoted' 'sx",
    "1234567890 3.14159 0xdeadbeef 1_000_000 ١٢٣ ４５６ Ⅷ ½",
    "上下文引擎把一个仓库变成一个小而精的文本。",
    "コンテキストエンジン、カタカナとひらがな。",
    "컨텍스트 엔진은 저장소를 읽습니다.",
    "ตัวอย่าง उदाहरण مثال דוגמה παράδειγμα",
    "👩‍👩‍👧‍👦 🇩🇪 🏳️‍🌈 ❤️ 👍🏽",
    "e\u{301}e\u{301} a\u{308}\u{323} Z\u{351}\u{36b}\u{343}a\u{328}lgo",
    "\u{feff}bom \u{200b}zero\u{200d}width \u{a0}nbsp \u{2028}line \u{3000}wide",
    "\0\u{1}\u{7f}\u{85}",
    "    \t  \n \n\n   x   \n",
    "trailing spaces   \n   leading",
    "a/b/c//d\\e\\\\f ../..//// ----- ===== #### !!!???",
    "ǅ ǈ ǲ ß ẞ ŉ İ ı ﬁ",
    "<|endoftext|>",
    "<|endoftext|><|fim_prefix|><|fim_middle|><|fim_suffix|><|endofprompt|>",
    "<|im_start|>system\nyou are<|im_end|>",
    "<|start|>assistant<|channel|>final<|message|>hi<|return|>",
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>",
    "text <|endoftext|> text <|endoftext |> <|endoftext",
];

#[test]
fn decision_2_samples_equal_the_reference() {
    for text in SAMPLES {
        check(text);
    }
    check(&SAMPLES.concat());
    check(&SAMPLES.join("\n"));
}

#[test]
fn special_token_spellings_are_ordinary_text() {
    for family in [Family::O200k, Family::Cl100k, Family::Llama3] {
        for special in [
            "<|endoftext|>",
            "<|im_start|>",
            "<|begin_of_text|>",
            "<|eot_id|>",
            "<|endofprompt|>",
        ] {
            assert!(count(special, family).tokens > 1, "{special} {family:?}");
        }
    }
}

#[test]
fn whitespace_runs_equal_the_reference() {
    for n in [
        1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 80, 81, 127, 128, 129, 400, 5000,
    ] {
        for unit in [" ", "\t", "\n", "\r\n", " \n", "\u{a0}", "\u{3000}"] {
            let run = unit.repeat(n);
            check(&run);
            check(&format!("{run}x"));
            check(&format!("x{run}y"));
            check(&format!("x{run}\n"));
        }
    }
}

#[test]
fn long_unbroken_runs_equal_the_reference() {
    for unit in [
        "a", "A", "ab", "=", "-", "/*", "0", "é", "语", "👍", "xY", "\u{301}",
    ] {
        check(&unit.repeat(2_000));
    }
}

#[test]
fn a_megabyte_equals_the_reference_and_is_more_than_its_parts_need() {
    let mut text = String::with_capacity(1 << 20);
    let mut line = 0_u32;
    while text.len() < 1 << 20 {
        let sample = SAMPLES[line as usize % SAMPLES.len()];
        text.push_str(&format!(
            "let value_{line} = compute({}); // {sample}\n",
            line.wrapping_mul(2_654_435_761)
        ));
        line += 1;
    }
    check(&text);
}

#[test]
fn hostile_megabytes_finish() {
    // Quadratic merging or a backtracking regex would turn each of these into minutes (SEC-4).
    for unit in ["a", " ", "\n", "語", "ab ", "\u{301}"] {
        let text = unit.repeat((1 << 20) / unit.len());
        for family in Family::ALL {
            let counted = count(&text, family).tokens;
            assert!(
                counted > 0 && counted <= text.len() * 2,
                "{unit:?} {family:?} {counted}"
            );
        }
    }
}

#[test]
fn llama3_is_estimated_closely() {
    // Counts of the published Llama 3 vocabulary, taken once; no begin-of-text token is added.
    for (text, expected) in [
        ("", 0),
        ("hello world", 2),
        ("Hello, world!", 4),
        ("123456", 2),
        ("\n\n", 1),
    ] {
        let counted = count(text, Family::Llama3);
        assert!(!counted.exact);
        assert!(
            (expected..=expected + 1).contains(&counted.tokens),
            "{text:?}: {counted:?}"
        );
    }
}

#[test]
fn closed_families_say_that_they_are_estimates() {
    for family in Family::ALL {
        let counted = count("fn main() {}", family);
        let closed = !matches!(family, Family::O200k | Family::Cl100k);
        assert_eq!(counted.exact, !closed, "{family:?}");
        assert_eq!(counted.headroom_percent > 0, closed, "{family:?}");
    }
}

#[test]
fn many_threads_count_alike() {
    let expected: Vec<u32> = SAMPLES.iter().map(|text| count_o200k(text)).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let counted: Vec<u32> = SAMPLES.iter().map(|text| count_o200k(text)).collect();
                    assert_eq!(counted, expected);
                }
            });
        }
    });
}

/// Text as it occurs in repositories: words, numbers, punctuation, any script, whitespace in every mixture.
fn repository_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,12}",
        2 => "[A-Z][a-z]{1,8}[A-Z]{0,4}",
        2 => "[0-9]{1,9}",
        3 => "[ \t]{1,12}",
        2 => "[\r\n]{1,4}",
        2 => "[-+*/=<>!&|^%~?:;,.(){}\\[\\]\"'`@#$_\\\\]{1,6}",
        1 => "'(s|S|t|re|VE|m|ll|D)",
        1 => "[\u{4e00}-\u{9fff}]{1,6}",
        1 => "[\u{3040}-\u{30ff}\u{ac00}-\u{d7a3}]{1,6}",
        1 => "[\u{1f300}-\u{1faff}\u{200d}\u{fe0f}]{1,4}",
        1 => "[\u{300}-\u{36f}\u{590}-\u{6ff}\u{900}-\u{97f}]{1,6}",
        1 => "\\PC{1,6}",
        1 => Just("<|endoftext|>".to_owned()),
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decision_2_repository_text_equals_the_reference(text in repository_text()) {
        check(&text);
    }

    #[test]
    fn decision_2_any_string_equals_the_reference(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn decision_2_estimates_lie_above_every_exact_count(text in repository_text()) {
        let largest = [Family::O200k, Family::Cl100k].map(|family| count(&text, family).tokens).into_iter().max();
        for family in [Family::Claude, Family::Gemini] {
            // In whole hundredths: as a float, 180 * 1.35 is a little more than 243.
            prop_assert!(count(&text, family).tokens * 100 >= largest.unwrap_or_default() * 135);
        }
    }
}

/// Longer than one part of the counting (`vocabulary.rs`), with everything that can be on both sides of a line break.
fn long_text() -> String {
    let ends = [
        "", " ", "  \t", ";", "!//", "\r", "\n", "\n\n  ", "é", "1", "'", "\u{a0}",
    ];
    let starts = ["", "a", "Z", " b", "/c", "\"d", "1", "é", "'s", "\tx", "漢"];
    let mut text = String::new();
    while text.len() < 400_000 {
        for end in ends {
            for start in starts {
                text.extend(["let value = compute(row, 17)", end, "\n", start]);
            }
        }
    }
    text
}

#[test]
fn sec_4_a_long_text_counted_in_parts_counts_as_much() {
    let text = long_text();
    check(&text);
    // Cut at many places, so that the parts begin and end differently.
    for start in (1..4_000).step_by(173).filter(|at| text.is_char_boundary(*at)) {
        check(&text[start..start + 80_000 - start % 7]);
    }
    check(&"a\n".repeat(100_000));
    check(&"\n".repeat(200_000));
    check(&"x".repeat(200_000));
}

#[test]
fn sec_4_counting_a_long_text_ends_when_nobody_waits() {
    let text = long_text();
    for family in Family::ALL {
        let tokenizer = Tokenizer::of_family(family);
        let n_looks = AtomicUsize::new(0);
        let is_stopped = || n_looks.fetch_add(1, Ordering::Relaxed) >= 2;
        let stopped = tokenizer.count_until(&text, Stop::when(&is_stopped));
        assert_eq!(stopped, Err(Stopped), "{family:?}");
        assert_eq!(n_looks.into_inner(), 3, "{family:?}");
        // An interrupted count is not cached.
        assert_eq!(tokenizer.count(&text), count(&text, family), "{family:?}");
    }
}
