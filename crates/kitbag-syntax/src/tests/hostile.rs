//! Hostile input (IDX-15): nothing panics, nothing hangs, and the law of IDX-17 holds. Time is not asserted; the runner kills a
//! test that hangs, and the budget is counted, not timed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kitbag_testkit::random::Random;

use super::laws::check;
use crate::{ChunkSettings, LANGUAGES, by_name, parse, parse_within};

/// Languages of different kinds, for inputs that are too large to try on all.
fn check_some(text: &str) {
    for name in ["bash", "html", "json", "markdown", "python", "rust", "typescript"] {
        if let Some(language) = by_name(name) {
            check(text, Some(language), &ChunkSettings::default());
        }
    }
    check(text, None, &ChunkSettings::default());
}

fn check_all(text: &str) {
    for language in LANGUAGES {
        check(text, Some(language), &ChunkSettings::default());
    }
    check(text, None, &ChunkSettings::default());
}

const OPENERS: [&str; 10] = [
    "(",
    "[",
    "{",
    "<a>",
    "f(",
    "> ",
    "-",
    "a+",
    "if x { ",
    "class A { ",
];

#[test]
fn idx_15_nesting_of_fifty_thousand() {
    for open in ["(", "{", "f("] {
        let close = if open == "{" { "}" } else { ")" };
        check_some(&(open.repeat(50_000) + &close.repeat(50_000)));
    }
}

#[test]
fn idx_15_unclosed_nesting_in_every_language() {
    for open in OPENERS {
        check_all(&open.repeat(3_000));
        check_all(&(open.to_owned() + "\n").repeat(1_000));
    }
}

#[test]
fn idx_15_deep_nesting_over_many_lines() {
    let braces = "fn a() {\n".repeat(1_000) + &"}\n".repeat(1_000);
    check_all(&braces);
    let indented: String = (0..800).map(|n| " ".repeat(n % 400) + "if x:\n").collect();
    check_all(&indented);
}

#[test]
fn idx_15_too_deep_falls_back_to_lines_with_a_note() {
    let text = format!("fn main() {{ {}{} }}\n", "(".repeat(2_000), ")".repeat(2_000));
    let parsed = check(&text, by_name("rust"), &ChunkSettings::default());
    assert_eq!(
        parsed.notes.iter().map(|note| note.code).collect::<Vec<_>>(),
        ["too_deep"]
    );
    assert_eq!(parsed.chunks[0].kind.as_str(), "paragraph");
}

#[test]
fn idx_15_a_megabyte_of_braces() {
    check_some(&"{".repeat(1 << 20));
}

#[test]
fn idx_15_one_line_of_five_megabytes() {
    check_some(&"let x = foo(1, 'a'); ".repeat((5 << 20) / 21));
    check_some(&"x".repeat(5 << 20));
}

#[test]
fn idx_15_unterminated_strings_and_comments() {
    for open in [
        "\"", "'", "`", "\"\"\"", "/*", "r#\"", "<!--", "```\n", "<<EOF\n", "'''", "{-", "--[[",
    ] {
        check_all(&format!("{open}{}", "text and \\ more text\n".repeat(300)));
        check_all(&format!("{open} x\n").repeat(300));
    }
}

#[test]
fn idx_15_nul_characters_and_mixed_line_ends() {
    check_all("fn a() {\0}\r\n\0\0\nclass B:\r  pass\r\n\r\n# x\0y\n\u{feff}def c(): pass\r");
    check_all(&"\0".repeat(100_000));
    check_all(&"\r".repeat(1_000));
    check_all(&"\r\n".repeat(1_000));
}

#[test]
fn idx_15_nothing_at_all() {
    for text in ["", "\n", " ", "\r\n", "\u{feff}", "\u{a0}\n\u{2003}"] {
        check_all(text);
    }
}

#[test]
fn idx_15_larger_than_the_parse_limit() {
    let text = "fn a() {}\n\n".repeat((7 << 20) / 11);
    let parsed = check(&text, by_name("rust"), &ChunkSettings::default());
    assert_eq!(parsed.notes[0].code, "too_large");
    assert!(parsed.symbols.is_empty() && parsed.chunks.len() > 1_000);
}

/// No count shows that these take long, so a clock decides: here one that advances a second per call.
#[test]
fn idx_15_a_parse_that_takes_too_long_is_stopped_by_the_clock() {
    fn hasty() -> Duration {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(ASKED.fetch_add(1, Ordering::Relaxed))
    }
    let text = "fn a() { b(c, d); }\n".repeat(5_000);
    let rust = by_name("rust");
    let stopped = parse_within(&text, rust, &ChunkSettings::default(), hasty);
    let notes: Vec<&str> = stopped.notes.iter().map(|note| note.code).collect();
    assert_eq!(notes, ["parse_time"]);
    assert!(stopped.symbols.is_empty() && !stopped.chunks.is_empty());
    let parsed = check(&text, rust, &ChunkSettings::default());
    assert_eq!((parsed.notes.len(), parsed.symbols.len()), (0, 5_000));
}

/// Texts that no reading makes sense of run out of steps, on every machine.
#[test]
fn idx_15_token_soup_runs_out_of_steps() {
    let mut random = Random::new(5);
    let soup: String = (0..1 << 20)
        .map(|_| match random.below(60) {
            0 => '\n',
            _ => char::from(33 + random.below(94) as u8),
        })
        .collect();
    for name in ["javascript", "typescript", "zig"] {
        let parsed = parse(&soup, by_name(name), &ChunkSettings::default());
        let notes: Vec<&str> = parsed.notes.iter().map(|note| note.code).collect();
        assert_eq!(notes, ["parse_budget"], "{name}");
    }
}
