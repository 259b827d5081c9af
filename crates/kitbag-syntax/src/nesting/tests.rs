//! Depth as the text tells it: what people write is never too deep, what a grammar cannot hold always is.

use super::Nesting;

fn check(nesting: Nesting, text: &str, expected: bool) {
    let shown = crate::names::head(text, 60);
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
    check(Nesting::Tags, &"<a>".repeat(6_000), true);
    check(Nesting::Tags, &"<p>text</p>".repeat(60_000), false);
    check(Nesting::Tags, &"a < b <= c <!-- d -->".repeat(60_000), false);
}
