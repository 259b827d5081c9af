//! The table agrees with itself.

use super::{Default, KEYS, Kind, SECTIONS, find, names_in};

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
        let agrees = matches!(
            (key.kind, key.default),
            (Kind::Bool, Default::Bool(_))
                | (Kind::Count { .. }, Default::Count(_))
                | (Kind::Ratio { .. }, Default::Ratio(_))
                | (Kind::Text(_), Default::Text(_))
                | (Kind::List(_), Default::List(_))
                | (_, Default::Unset { .. })
        );
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
