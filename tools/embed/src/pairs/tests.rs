use super::*;

const SOURCE: &str = r#"//! Reads settings from files and the environment of the process.

/// Reads the settings file and merges it into the defaults.
pub fn load_settings(path: &str) -> Settings {
    let text = read_text(path);
    merge(Settings::default(), parse_settings(&text))
}

/// Writes all settings back to where they came from.
pub fn store_settings(path: &str, settings: &Settings) {
    let text = format_settings(settings);
    write_text(path, &text)
}
"#;

fn all(seeds: u64) -> Vec<Pair> {
    (0..seeds)
        .flat_map(|seed| pairs_of("src/settings.rs", SOURCE, seed))
        .collect()
}

#[test]
fn ret_12_docs_ask_for_code_that_does_not_hold_them() {
    let pairs = all(20);
    let documented: Vec<&Pair> = pairs
        .iter()
        .filter(|pair| pair.kind == Kind::Docs as u8)
        .collect();
    assert!(
        documented
            .iter()
            .any(|pair| pair.query.starts_with("Writes all settings back"))
    );
    for pair in documented {
        assert!(
            pair.docs.is_empty() && !pair.body.contains("Writes all settings back"),
            "{pair:?}"
        );
    }
}

#[test]
fn ret_12_words_of_a_name_ask_for_code_without_the_name() {
    let pairs = all(40);
    let words: Vec<&Pair> = pairs
        .iter()
        .filter(|pair| pair.kind == Kind::Words as u8)
        .collect();
    assert!(words.iter().any(|pair| pair.query == "load settings"));
    for pair in words {
        let name = pair.query.replace(' ', "_");
        assert!(
            !pair.body.contains(&name) && !pair.names.contains(&name) && !pair.capsule.contains(&name),
            "{pair:?}"
        );
    }
}

#[test]
fn ret_12_the_same_file_gives_the_same_pairs() {
    let told = |pairs: Vec<Pair>| format!("{pairs:?}");
    assert_eq!(told(all(3)), told(all(3)));
    assert!(
        pairs_of("tests/settings_test.rs", SOURCE, 1).is_empty(),
        "tests are left out"
    );
}
