//! Any text is read or refused without a panic (SEC-6), and places are inside the text.

use std::path::Path;

use kitbag_testkit::fuzz::{Material, fuzz};
use proptest::prelude::*;

use super::{Place, read};

fn check(text: &str) {
    let (_, errors) = read(Path::new("kitbag.toml"), text, &Vec::new(), &["rust"]);
    let n_lines = text.matches('\n').count() + 1;
    for error in errors {
        let Place::File { line, column, .. } = error.place else {
            panic!("a place in the file")
        };
        assert!(
            (1..=n_lines).contains(&line) && column >= 1,
            "{text:?}: {line}:{column}"
        );
        assert!(!error.message.contains(char::is_control), "{:?}", error.message);
    }
}

#[test]
fn deep_nesting_is_refused_or_read() {
    check(&format!("a = {}", "[".repeat(50_000)));
    check(&format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000)));
    check(&format!("[{}a]", "a.".repeat(50_000)));
    check(&"a = { a = ".repeat(10_000));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sec_6_any_text_is_read_or_refused(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn sec_6_anything_like_toml_is_read_or_refused(
        parts in prop::collection::vec(
            prop_oneof![
                Just("[query]\n"), Just("[chunking.rust]\n"), Just("[["), Just("default_k"), Just("hidden"), Just(" = "),
                Just("\"${HOME}\""), Just("'''"), Just("\"\"\""), Just("12"), Just("-1.5e3"), Just("{ a = 1 }"), Just("[1, \"x\"]"),
                Just("\n"), Just("#"), Just("."), Just("é\u{301}"), Just("\u{1b}"), Just("1979-05-27"), Just("0xff"),
            ],
            0..24,
        )
    ) {
        check(&parts.concat());
    }
}

#[test]
fn sec_6_fuzz_settings() {
    let keys: Vec<String> = super::KEYS.iter().map(|key| format!("{} = ", key.name)).collect();
    let mut words = keys;
    words.extend(
        [
            "[indexing]\n",
            "[chunking.rust]\n",
            "[security]\n",
            "[",
            "]",
            "{",
            "}",
            "=",
            "\"",
            "'''",
            "true",
            "-1",
            "1_000",
            "\"${HOME}\"",
            "${",
            ",",
            ".",
            "#",
            "\n",
            "1979-05-27",
            "inf",
            "\"1 MB\"",
        ]
        .map(str::to_owned),
    );
    let samples =
        ["[indexing]\nhidden = true\nexclude = [\"a/**\"]\n[chunking.rust]\noverlap_percent = 10\n"];
    fuzz("settings", &Material::new(&samples, &words), |input| {
        check(&String::from_utf8_lossy(input));
    });
}
