//! Definitions after a syntax error are still found, and nested ones stay nested.

use crate::{ChunkSettings, by_name, parse};

/// `name first-last` of every symbol.
fn symbols(language: &str, text: &str) -> Vec<String> {
    let parsed = parse(text, by_name(language), &ChunkSettings::default());
    let show = |symbol: &kitbag_types::Symbol| {
        let lines = symbol.lines;
        format!("{} {}-{}", symbol.qualified(), lines.start(), lines.end())
    };
    parsed.symbols.iter().map(show).collect()
}

#[test]
fn idx_20_a_missing_brace_does_not_swallow_the_next_function() {
    let text = "int first(void) {\n  if (ready) {\n  return 1;\n}\n\n/* Says two. */\nint second(void) {\n  return 2;\n}\n";
    assert_eq!(symbols("c", text), ["first 1-4", "second 6-9"]);
}

#[test]
fn idx_20_what_stands_deeper_in_a_broken_type_stays_in_it() {
    let text = "class Outer {\n  void first() { int = ; }\n  class Inner {\n    void second() {}\n  }\n}\n";
    assert_eq!(
        symbols("java", text),
        [
            "Outer 1-6",
            "Outer::first 2-2",
            "Outer::Inner 3-5",
            "Outer::Inner::second 4-4"
        ]
    );
}

#[test]
fn idx_20_a_sound_function_keeps_what_is_not_indented() {
    let text = "int outer(void) {\nstruct inner { int x; };\nreturn 0;\n}\n";
    assert_eq!(
        symbols("c", text),
        ["outer 1-4", "outer::inner 2-2", "outer::inner::x 2-2"]
    );
}
