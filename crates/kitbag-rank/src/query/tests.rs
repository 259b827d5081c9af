use kitbag_testkit::fuzz::{Material, fuzz};
use kitbag_types::LineRange;

use super::*;
use crate::tests::conventions;
use crate::tuning;

fn query(text: &str) -> Query {
    analyse(text, conventions())
}

#[test]
fn stop_words_are_sorted() {
    assert!(STOP_WORDS.is_sorted());
}

#[test]
fn ret_1_shapes() {
    for (text, shape) in [
        ("parse_config", QueryShape::Symbol),
        ("HttpClient", QueryShape::Symbol),
        ("Store::open", QueryShape::Symbol),
        ("flask.Flask", QueryShape::Symbol),
        ("class Engine", QueryShape::Symbol),
        ("render()", QueryShape::Symbol),
        ("g", QueryShape::Symbol),
        ("T", QueryShape::Symbol),
        ("what is g?", QueryShape::Symbol),
        ("retry", QueryShape::Behaviour),
        ("how are retries handled", QueryShape::Behaviour),
        ("overview of the request pipeline", QueryShape::Structure),
        ("thread 'main' panicked at src/a.rs:3:5", QueryShape::Error),
        (
            "TypeError: cannot read x\n  at f (src/app.js:10:5)\nException",
            QueryShape::Error,
        ),
    ] {
        assert_eq!(query(text).shape, shape, "{text}");
    }
    assert_eq!(symbol_of(&query("Store::open")), Some("open"));
    assert_eq!(symbol_of(&query("class Engine")), Some("Engine"));
    assert_eq!(symbol_of(&query("render()")), Some("render"));
    assert_eq!(symbol_of(&query("what is g used for")), Some("g"));
    assert_eq!(symbol_of(&query("open the store")), None);
}

#[test]
fn ret_1_references() {
    let file = |path: &str, lines: Option<(u32, u32)>| Reference::File {
        path: path.into(),
        lines: lines.map(|(start, end)| LineRange::new(start, end)),
    };
    for (text, expected) in [
        ("look at src/store.rs please", vec![file("src/store.rs", None)]),
        ("src/a.rs:10-20", vec![file("src/a.rs", Some((10, 20)))]),
        ("error in ./lib/x.py:7:3.", vec![file("lib/x.py", Some((7, 7)))]),
        (
            "File \"/home/me/app/views.py\", line 12, in get",
            vec![file("home/me/app/views.py", Some((12, 12)))],
        ),
        ("at f (src/app.js:10:5)", vec![file("src/app.js", Some((10, 10)))]),
        ("see a.go#L3-L9", vec![file("a.go", Some((3, 9)))]),
        (
            "call `run_all()` first",
            vec![Reference::Symbol("run_all".into())],
        ),
        (
            "why does Foo::bar fail",
            vec![Reference::Symbol("Foo::bar".into())],
        ),
        ("it costs 3.50 e.g. here", vec![]),
        ("https://example.com/x.html", vec![]),
        ("a.rs:0", vec![file("a.rs", None)]),
        ("a.rs:9-3", vec![file("a.rs", None)]),
    ] {
        assert_eq!(query(text).references, expected, "{text}");
    }
}

#[test]
fn ret_1_identifiers_keywords_terms() {
    let query = query("Where does the HttpClient retry failed requests? max_retries in rust tests");
    assert_eq!(query.identifiers, ["HttpClient", "max_retries"]);
    assert_eq!(
        query.keywords,
        [
            "http", "client", "retry", "failed", "requests", "max", "retries", "rust", "tests"
        ]
    );
    assert_eq!(query.languages, ["rust"]);
    assert!(query.wants_tests);
    let terms: Vec<&str> = query.terms.iter().map(|(term, _)| term.as_str()).collect();
    assert_eq!(
        terms,
        [
            "http",
            "client",
            "httpclient",
            "retry",
            "fail",
            "request",
            "max",
            "maxretries",
            "rust",
            "test"
        ]
    );
}

#[test]
fn long_texts_are_cut_and_empty_ones_survive() {
    let long: String = (0..500).map(|n| format!("word{n}x ")).collect();
    assert_eq!(query(&long).terms.len(), MAX_QUERY_TERMS);
    assert_eq!(query("how is it").terms.len(), 3);
    for text in [
        "",
        "   ",
        "???",
        "\u{0}",
        "::",
        "a",
        "`",
        "```",
        "``x``",
        "#L",
        ":",
        "日本語の設定",
    ] {
        query(text);
    }
}

#[test]
fn ret_11_a_letter_is_a_name_where_it_is_no_word() {
    for (text, expected) in [
        ("g", vec!["g"]),
        ("what is g", vec!["g"]),
        ("what is g?", vec!["g"]),
        ("where is `g` of the request", vec![]),
        ("plot x over y in the chart", vec![]),
        ("what's a proxy, and why do I need it", vec![]),
    ] {
        let found = query(text).identifiers;
        let letters: Vec<&str> = found
            .iter()
            .map(String::as_str)
            .filter(|word| word.len() == 1)
            .collect();
        assert_eq!(letters, expected, "{text}");
    }
    assert_eq!(
        query("where is `g` of the request").references,
        [Reference::Symbol("g".into())]
    );
}

#[test]
fn sec_4_a_question_is_taken_apart_into_so_much_and_says_what_is_left_out() {
    let numbered = |n: usize, make: &dyn Fn(usize) -> String| (0..n).map(make).collect::<Vec<_>>().join(" ");
    let said = |text: &str| query(text).left_out.join("; ");
    // The limit, and one more.
    let most = tuning::MAX_QUERY_NAMES;
    let names = |n: usize| numbered(n, &|n| format!("x{n}_y"));
    assert_eq!(said(&names(most)), "");
    assert_eq!(query(&names(most)).identifiers.len(), most);
    assert_eq!(query(&names(most + 1)).identifiers.len(), most);
    assert!(said(&names(most + 1)).contains("only the first 256 names"));
    let quoted = numbered(20_000, &|n| format!("`a{n}`"));
    assert_eq!(query(&quoted).references.len(), most);
    assert!(said(&quoted).contains("only the first 256 names"));
    let trace = numbered(20_000, &|n| format!("at f (src/a.js:{}:1)", n + 1));
    assert_eq!(query(&trace).references.len(), tuning::MAX_QUERY_FILES);
    assert!(said(&trace).contains("only the first 200 files"));
    let words = numbered(1_000, &|n| {
        format!("abc{}", "d".repeat(n % 50) + &"e".repeat(n / 50))
    });
    let found = query(&words);
    assert_eq!(found.keywords.len(), tuning::MAX_QUERY_WORDS);
    assert_eq!(found.title.keywords.len(), tuning::MAX_QUERY_WORDS);
    assert!(said(&words).contains("only the first 512 different words"));
    // A long word is nowhere except in the text.
    for long in [
        "a".repeat(260_000),
        "a_B".repeat(90_000),
        "名".repeat(80_000),
        format!("Foo::{}", "b".repeat(9_000)),
    ] {
        let found = query(&long);
        assert_eq!(symbol_of(&found), None);
        let kept = found.identifiers.iter().chain(&found.keywords);
        assert!(
            kept.chain(found.terms.iter().map(|(term, _)| term))
                .all(|word| word.len() <= tuning::MAX_WORD_BYTES)
        );
        assert_eq!(found.references, []);
        assert!(said(&long).contains("words of more than 256 bytes"), "{long:.20}");
    }
    assert_eq!(
        said("why does `Parser::next` in src/parser.rs:12 skip a_token?"),
        ""
    );
}

#[test]
fn sec_4_signs_without_words_are_no_work() {
    for sign in [
        ".", "(", "[", "\"", "`", "'", "::", "/", "./", "#L", "->", "_", "<!--", "-->", "```\n", "- [ ] ",
    ] {
        let found = query(&sign.repeat(100_000));
        assert!(
            found.references.is_empty() && found.identifiers.len() <= 1 && found.keywords.len() <= 1,
            "{sign}"
        );
    }
}

#[test]
fn sec_6_fuzz_query() {
    let material = Material::new(
        &[
            "where does `Store::open` in src/store.rs:12-40 check the lock? language:rust",
            "TypeError: cannot read x\n  at f (src/app.js:10:5)\nthread 'main' panicked at src/a.rs:3:5",
        ],
        &[
            "`",
            "::",
            ".",
            "()",
            ":",
            "-",
            "#L",
            "src/a.rs",
            "how",
            "class",
            "Error:",
            "at ",
            "(",
            "TypeError",
            "path:",
            "\\",
            "C:\\",
            "/",
            "@",
            "_",
            "python",
        ],
    );
    fuzz("query", &material, |input| {
        let text = String::from_utf8_lossy(input);
        let query = query(&text);
        assert!(
            query
                .terms
                .iter()
                .all(|(term, weight)| !term.is_empty() && weight.is_finite())
        );
        let _ = symbol_of(&query);
    });
}
