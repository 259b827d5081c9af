//! Fuzzes every chunker with texts from the tokens of its grammar and from its fixture (SEC-6). The laws of `laws.rs` must hold.

use kitbag_testkit::fuzz::{Material, fuzz, processor_time};

use super::fixture;
use super::laws::check_within;
use crate::{ChunkSettings, LANGUAGES, Language};

/// The keywords and symbols of a grammar.
fn tokens(language: &Language) -> Vec<String> {
    let grammar = (language.grammar)();
    (0..grammar.node_kind_count() as u16)
        .filter(|id| !grammar.node_kind_is_named(*id) && grammar.node_kind_is_visible(*id))
        .filter_map(|id| grammar.node_kind_for_id(id))
        .map(str::to_owned)
        .collect()
}

/// The first byte of an input selects the language, so that all of them get a share of the runs.
#[test]
fn sec_6_fuzz_chunks() {
    let mut words: Vec<String> = LANGUAGES.iter().flat_map(tokens).collect();
    words.extend(
        [
            "    ", "\t", "\n", "\n\n", "x", "Foo", "12", "\"s\"", "// c\n", "# c\n", "/*", "*/",
        ]
        .map(str::to_owned),
    );
    words.sort();
    words.dedup();
    let samples: Vec<String> = LANGUAGES.iter().map(|language| fixture(language).1).collect();
    fuzz("chunks", &Material::new(&samples, &words), |input| {
        let idx = usize::from(input.first().copied().unwrap_or_default()) % LANGUAGES.len();
        let max_tokens = Some(20 + input.len() as u32 % 200);
        let settings = ChunkSettings {
            max_tokens,
            ..ChunkSettings::default()
        };
        check_within(
            &String::from_utf8_lossy(input),
            Some(&LANGUAGES[idx]),
            &settings,
            processor_time,
        );
    });
}

/// Each language with its own tokens, so that more input gets past the lexer.
#[test]
fn sec_6_fuzz_languages() {
    for language in LANGUAGES {
        let material = Material::new(&[fixture(language).1], &tokens(language)).with_short_runs(30);
        fuzz(&format!("languages/{}", language.name), &material, |input| {
            check_within(
                &String::from_utf8_lossy(input),
                Some(language),
                &ChunkSettings::default(),
                processor_time,
            );
        });
    }
}
