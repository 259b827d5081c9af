//! The estimated depth: never too deep for what people write, always for what a grammar cannot handle.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::Nesting;

fn check(nesting: Nesting, text: &str, expected: bool) {
    let shown = kitbag_types::prefix(text, 60);
    assert_eq!(nesting.is_too_deep(text), expected, "{nesting:?}: {shown}");
}

#[test]
fn idx_15_columns_count_over_lines_and_within_one() {
    let stairs: String = (0..300).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    check(Nesting::Columns, &stairs, true);
    check(Nesting::Columns, &"- ".repeat(300), true);
    check(Nesting::Columns, &"a: - ".repeat(300), true);
    check(Nesting::Columns, &"a:\n  - b: c\n  - d: e\n".repeat(300), false);
    check(
        Nesting::Columns,
        &"https://example.org/a-b?c:d ".repeat(300),
        false,
    );
}

#[test]
fn idx_15_tags_that_are_closed_are_not_open() {
    check(Nesting::Tags, &"<a>".repeat(10_000), true);
    check(
        Nesting::Tags,
        &("<a>".repeat(1_000) + &"text & more\n".repeat(60_000)),
        true,
    );
    check(Nesting::Tags, &"<tr><td>".repeat(10_000), true);
    check(Nesting::Tags, &"text<br>\n<P>more".repeat(60_000), false);
    check(Nesting::Tags, &"<ul><li>one<li>two</ul>".repeat(60_000), false);
    check(Nesting::Tags, &"<p>text</p>".repeat(60_000), false);
    check(Nesting::Tags, &"a < b <= c <!-- d -->".repeat(60_000), false);
}

#[test]
fn idx_15_indentations_count_while_they_are_open() {
    let stairs: String = (0..300)
        .map(|n| format!("{}if f\"{{x}}\":\n", " ".repeat(n)))
        .collect();
    check(Nesting::Indents, &stairs, true);
    let tabs: String = (0..300).map(|n| format!("{}if x:\n", "\t".repeat(n))).collect();
    check(Nesting::Indents, &tabs, true);
    check(
        Nesting::Indents,
        &"def f():\n    if x:\n        return 1\n".repeat(3_000),
        false,
    );
}

#[test]
fn idx_15_heredocs_are_open_until_their_word() {
    let word = "A".repeat(300);
    check(Nesting::Heredocs, &format!("x = <<~{word}\ny = <<~B\n"), true);
    check(Nesting::Heredocs, &format!("x = <<-'{word}'\n"), true);
    let many: String = (0..200).map(|n| format!("<<~E{n}, ")).collect();
    check(Nesting::Heredocs, &many, true);
    let strings = format!("x = <<~A\n{}\nA\n", "\"#{".repeat(150));
    check(Nesting::Heredocs, &strings, true);
    let closed: String = (0..500)
        .map(|n| format!("x = <<~SQL{n}\n  select #{{n}}\n  SQL{n}\nlist << item\n"))
        .collect();
    check(Nesting::Heredocs, &closed, false);
    check(Nesting::Heredocs, &"class <<self\nend\n".repeat(20), false);
    check(Nesting::Heredocs, &"\"#{".repeat(150), false);
}

#[test]
fn idx_15_a_dollar_quote_is_short_and_there_are_few() {
    let function = "create function f() returns int as $body$ begin return 1; end $body$ language plpgsql;\n";
    check(Nesting::DollarQuotes, &function.repeat(100), false);
    check(
        Nesting::DollarQuotes,
        &"select $1, $2 from t;\n".repeat(9_000),
        false,
    );
    check(
        Nesting::DollarQuotes,
        &"insert into t values ($1,$2,$3);\n".repeat(500),
        false,
    );
    let long = format!("as ${0}$ begin end ${0}$;", "a".repeat(1_000));
    check(Nesting::DollarQuotes, &long, true);
    check(
        Nesting::DollarQuotes,
        &format!("as $$ {} $$", "select 1;\n".repeat(200_000)),
        true,
    );
    let ends_nowhere: String = (0..20_000).map(|n| format!("$a{n}$ ")).collect();
    check(Nesting::DollarQuotes, &ends_nowhere, true);
}

/// Each of these ended the process, or took hundreds of megabytes, before there was a guard.
#[test]
fn idx_15_texts_that_grammars_do_not_survive() {
    let word = "A".repeat(300);
    let nearly_full: String = (0..18)
        .map(|n| format!("<<~{}{n:02}, ", "A".repeat(48)))
        .collect();
    let stairs: String = (0..700)
        .map(|n| format!("{}if f\"{{x}}\":\n", " ".repeat(n)))
        .collect();
    let cases = [
        ("ruby", format!("x = <<~{word}\ny = <<~B\n")),
        ("ruby", format!("f({nearly_full}<<~{})\nx\n", "B".repeat(47))),
        ("python", format!("{stairs}{}y = f\"{{\n", " ".repeat(700))),
        (
            "sql",
            format!(
                "create function f() returns int as ${0}$ begin {1} end ${0}$ language plpgsql;\n",
                "a".repeat(1_000),
                "select 1;\n".repeat(1_000)
            ),
        ),
    ];
    for (name, text) in cases {
        let language = crate::LANGUAGES
            .iter()
            .find(|language| language.name == name)
            .expect("it is known");
        let parsed = crate::parse(&text, Some(language), &crate::ChunkSettings::default());
        assert_eq!(parsed.notes.len(), 1, "{name}: {:?}", parsed.notes);
        assert!(!parsed.chunks.is_empty(), "{name}");
    }
}

/// Found by fuzzing: a character after `{` that is not a byte ended the process.
#[test]
fn idx_15_ranges_of_shells_have_no_odd_characters() {
    let check = |text: &str, expected: &str| assert_eq!(Nesting::Ranges.safe(text), expected);
    check("echo {\u{10fffd}} {1..🦀}\n", "echo {xxxx} {1..xxxx}\n");
    check("echo {12漢} {é} {a..🦀}\n", "echo {12xxx} {é} {a..🦀}\n");
    let text: String = (0..0x11_0000_u32)
        .step_by(997)
        .filter_map(char::from_u32)
        .map(|odd| format!("echo {{{odd}..{odd}}} {{1..{odd}\nfoo() {{{odd}; }}\n"))
        .collect();
    let parsed = crate::parse(&text, crate::by_name("bash"), &crate::ChunkSettings::default());
    assert!(!parsed.chunks.is_empty());
}

/// Found by fuzzing: a Kotlin file that ends within an annotation never finished.
#[test]
fn idx_15_an_annotation_of_kotlin_ends() {
    let kotlin = crate::by_name("kotlin");
    let settings = crate::ChunkSettings::default();
    for end in ["@JvmStat", "@Foo(", "@Foo( ", "@", "@Foo(x)", "@get:"] {
        for start in [
            "",
            "class A\n",
            "class A {\n    val x = 1\n    ",
            "val x: Int\n",
            "class A ",
        ] {
            let text = format!("{start}{end}");
            assert!(
                !crate::parse(&text, kotlin, &settings).chunks.is_empty(),
                "{text}"
            );
        }
    }
    let names = |text: &str| -> Vec<String> {
        let parsed = crate::parse(text, kotlin, &settings);
        parsed.symbols.into_iter().map(|symbol| symbol.name).collect()
    };
    assert_eq!(names("class A {\n    fun b() = 1\n}"), ["A", "b"]);
    assert_eq!(names("val a = 1\nfun b() = 1"), ["a", "b"]);
}

/// The text seems to end where the parser has used up its budget.
#[test]
fn idx_15_an_annotation_of_kotlin_ends_where_the_budget_does() {
    fn hasty() -> Duration {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(ASKED.fetch_add(1, Ordering::Relaxed))
    }
    for n in 0..40 {
        let line = format!("    val x{n}: Int\n{}@{}\n", " ".repeat(n * 7), "a".repeat(700));
        let text = format!("class A {{\n{}}}\n", line.repeat(200));
        let parsed = crate::parse_within(
            &text,
            crate::by_name("kotlin"),
            &crate::ChunkSettings::default(),
            hasty,
        );
        assert_eq!(parsed.notes[0].code, "parse_time");
    }
}
