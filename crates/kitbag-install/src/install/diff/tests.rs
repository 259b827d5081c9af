//! What a change looks like.

use super::diff;

#[test]
fn mcp_6_only_what_differs_is_shown() {
    assert_eq!(diff("a\nb\nc\n", "a\nx\ny\nc\n"), ["- b", "+ x", "+ y"]);
    assert_eq!(diff("", "a\n"), ["+ a"]);
    assert_eq!(diff("a\n", ""), ["- a"]);
    assert!(diff("a\n", "a\n").is_empty());
}

#[test]
fn mcp_6_a_long_line_is_shown_around_the_difference() {
    let long = "x".repeat(10_000);
    let shown = diff(&format!("{long}}}"), &format!("{long},new}}"));
    assert_eq!(shown.len(), 2);
    assert!(
        shown[1].ends_with(",new}") && shown[1].chars().count() < 200,
        "{shown:?}"
    );
    assert!(shown[1].starts_with("+ …x"), "{shown:?}");
}
