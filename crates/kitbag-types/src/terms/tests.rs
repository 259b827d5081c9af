use super::*;
use kitbag_testkit::fuzz::{Material, fuzz};

fn check(text: &str, expected: &str) {
    assert_eq!(terms_of(text).join(" "), expected, "{text}");
}

#[test]
fn identifiers_give_parts_and_whole() {
    check("parseHTTPHeader", "pars http header parsehttpheader");
    check("parse_http_header", "pars http header parsehttpheader");
    check("__init__", "init");
    check("sha256sum", "sha 256 sum sha256sum");
    check("URLs userIDs", "url user id userids");
    check("utf8", "utf utf8");
    check("x = y + foo", "foo");
    check("Vec<String>::new()", "vec string new");
}

#[test]
fn prose_meets_code_by_light_stems() {
    for (a, b) in [
        ("parsing", "parse"),
        ("parsed", "parses"),
        ("stopping", "stop"),
        ("queries", "query"),
        ("matches", "match"),
        ("classes", "class"),
        ("caching", "caches"),
        ("indexes", "index"),
    ] {
        assert_eq!(terms_of(a), terms_of(b), "{a} and {b}");
    }
    for (a, b) in [
        ("status", "state"),
        ("process", "proceed"),
        ("string", "str"),
        ("bus", "but"),
    ] {
        assert_ne!(terms_of(a), terms_of(b), "{a} and {b}");
    }
}

#[test]
fn other_scripts() {
    check("Größe быстрый", "größe быстрый");
    check("設定を読む", "設定 定を を読 読む");
    check("日", "日");
    assert_eq!(terms_of(&"設定を読む".repeat(20)).len(), 99);
    check("API設定", "api 設定");
}

#[test]
fn data_gives_nothing() {
    check(&"a1b2".repeat(40), "");
    check("a b c", "");
    check("", "");
}

#[test]
fn parts_keep_their_spelling() {
    assert_eq!(parts_of("getHTTPResponses2"), ["get", "http", "responses", "2"]);
}

#[test]
fn any_text_is_cut_without_panic() {
    let odd = [
        "\u{0}",
        "é_É",
        "ßẞ",
        "İstanbul",
        "a\u{301}b",
        "🦀crab",
        "ǅungla",
        "１２３",
    ];
    for a in odd {
        for b in odd {
            terms_of(&format!("{a}{b}_{a}"));
        }
    }
}

#[test]
fn sec_6_fuzz_terms() {
    let material = Material::new(
        &[
            "fn parseHTTPHeader(user_ids: &[u8]) -> Queries { __init__ }",
            "日本語の文章とURLs",
        ],
        &[
            "HTTP",
            "Header",
            "_",
            "ies",
            "ing",
            "ßen",
            "ひらがな",
            "カナ",
            "한국어",
            "ไทย",
            "ǅ",
            "İ",
            "1a",
            "x",
        ],
    );
    fuzz("terms", &material, |input| {
        let text = String::from_utf8_lossy(input);
        let terms = terms_of(&text);
        assert!(terms.iter().all(|term| !term.is_empty()));
        let n_bytes: usize = terms.iter().map(String::len).sum();
        assert!(n_bytes <= 16 * text.len() + 16, "{n_bytes} bytes of terms");
        parts_of(&text);
        stemmed(&text);
    });
}
