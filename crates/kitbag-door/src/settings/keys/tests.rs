//! The table is consistent.

use super::super::values::{Value, checked};
use super::super::{Settings, keys};
use super::{KEYS, Kind, SECTIONS, find, names_in};

#[test]
fn cfg_1_every_key_has_a_section_a_doc_line_and_a_default_of_its_kind() {
    for (idx, key) in KEYS.iter().enumerate() {
        let full = format!("{}.{}", key.section, key.name);
        assert!(
            SECTIONS.iter().any(|(section, _)| *section == key.section),
            "{full}"
        );
        assert!(key.doc.ends_with('.') && !key.doc.contains('\n'), "{full}");
        assert!(
            find(key.section, key.name).is_some_and(|found| std::ptr::eq(found, key)),
            "{full} twice"
        );
        let agrees = match (key.kind, key.default()) {
            (Kind::Bool, Some(Value::Bool(_)))
            | (Kind::Count { .. }, Some(Value::Count(_)))
            | (Kind::Ratio { .. }, Some(Value::Ratio(_)))
            | (Kind::Text(_), Some(Value::Text(_)))
            | (Kind::List(_), Some(Value::List(_))) => key.unset.is_none(),
            (_, None) => key.unset.is_some(),
            _ => false,
        };
        assert!(agrees, "{full}");
        // Sections are contiguous, so that the file of `config init` has each header once.
        let first = KEYS
            .iter()
            .position(|other| other.section == key.section)
            .unwrap();
        assert!(
            KEYS[first..=idx].iter().all(|other| other.section == key.section),
            "{full}"
        );
    }
    for (section, _) in SECTIONS {
        assert!(names_in(section).count() > 0, "{section}");
    }
}

#[test]
fn languages_share_the_rows_of_chunking() {
    assert!(find("chunking.rust", "max_chunk_tokens").is_some());
    assert!(find("chunking.rust", "enabled").is_none());
    assert!(find("providers.symbol", "weight").is_some());
    assert!(find("providers", "weight").is_none());
}

/// A value of the same kind that differs from `now`: it must reach the field and come back.
fn other_value(kind: Kind, now: Option<&Value>) -> Value {
    match (kind, now) {
        (Kind::Bool, now) => Value::Bool(now != Some(&Value::Bool(true))),
        (Kind::Count { min, max }, now) => {
            let least = Value::Count(min);
            if now == Some(&least) {
                Value::Count(max.min(min + 7))
            } else {
                least
            }
        }
        (Kind::Ratio { max, .. }, now) => {
            let half = Value::Ratio(max / 4.0);
            if now == Some(&half) {
                Value::Ratio(max / 8.0)
            } else {
                half
            }
        }
        (Kind::Text(word), _) => Value::Text(example(word).to_owned()),
        (Kind::List(word), _) => Value::List(vec![example(word).to_owned()]),
    }
}

fn example(word: keys::Word) -> &'static str {
    match word {
        keys::Word::Path | keys::Word::Embedder => "some/folder",
        keys::Word::Glob => "docs/**",
        keys::Word::Extension => "rs",
        keys::Word::Pattern => "tok_[a-z]+",
        keys::Word::Model => "cl100k",
        keys::Word::Fusion => "cascade",
        keys::Word::Url => "https://host/v1",
        keys::Word::Mode => "hybrid",
        keys::Word::Host => "example.org",
        keys::Word::Secret => "0123456789abcdef",
    }
}

#[test]
fn cfg_1_every_key_fills_a_field_of_its_own() {
    let defaults = Settings::default();
    for key in KEYS {
        let value = checked(other_value(key.kind, key.default().as_ref()), key.kind).expect(key.name);
        let mut settings = Settings::default();
        (key.at.set)(&mut settings, value.clone());
        assert_eq!((key.at.get)(&settings), Some(value), "{}", key.full());
        for other in KEYS.iter().filter(|other| !std::ptr::eq(*other, key)) {
            assert_eq!(
                (other.at.get)(&settings),
                (other.at.get)(&defaults),
                "{} changes {}",
                key.full(),
                other.full()
            );
        }
    }
}
