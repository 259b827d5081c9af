use super::*;

fn similarity(a: &str, b: &str) -> f64 {
    Word::new(a).expect("it is short").similarity(&Name::new(b))
}

#[test]
fn ret_10_slips_are_forgiven() {
    for (typed, meant, other) in [
        ("parsconfig", "parseconfig", "sparseindex"),
        ("HttpCleint", "HttpClient", "HttpServer"),
        ("authenicate", "authenticate", "decorate"),
    ] {
        assert!(similarity(typed, meant) > similarity(typed, other), "{typed}");
        assert!(
            similarity(typed, meant) >= crate::tuning::FUZZY_SIMILARITY,
            "{typed}"
        );
        assert!(
            similarity(typed, other) < crate::tuning::FUZZY_SIMILARITY || typed.starts_with("Http"),
            "{typed}"
        );
    }
    assert_eq!(similarity("same", "same"), 1.0);
    assert_eq!(similarity("", ""), 1.0);
}

#[test]
fn ret_11_humps() {
    for (query, name, expected) in [
        ("hc", "HttpClient", true),
        ("hCl", "HttpClient", true),
        ("htcl", "http_client", true),
        ("ci", "HttpClient", false),
        ("h", "HttpClient", false),
        ("hcx", "HttpClient", false),
        ("hc", "Http", false),
    ] {
        assert_eq!(is_hump_match(query, name), expected, "{query} {name}");
    }
}

#[test]
fn sec_4_a_long_word_is_no_name() {
    assert!(Word::new(&"a".repeat(MAX_WORD_BYTES)).is_some());
    assert!(Word::new(&"a".repeat(MAX_WORD_BYTES + 1)).is_none());
    let word = Word::new("parseconfig").expect("short");
    assert_eq!(word.similarity(&Name::new("parseConfig")), 1.0);
    assert!(word.similarity(&Name::new(&"x".repeat(1_000_000))) < 0.1);
}
