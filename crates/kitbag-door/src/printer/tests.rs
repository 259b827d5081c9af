//! Pages, tables and numbers.

use super::*;

#[test]
fn sec_3_nothing_put_on_a_page_can_steer_a_terminal() {
    let nasty = "a\x1b[2Jb\x07c\u{9b}31md\u{202e}e\u{2066}f\u{200b}g\rh\u{7f}i\nj\u{e0041}k";
    let mut page = Page::new(false);
    page.put(nasty)
        .styled(Style::Path, nasty)
        .code(nasty)
        .styled_code(Style::Match, nasty)
        .line(nasty)
        .end_line();
    let text = page.into_text();
    assert!(
        text.chars().all(|c| c == '\n' || !clean::is_steering(c)),
        "{text:?}"
    );
    assert_eq!(
        text.matches('\n').count(),
        2,
        "only the page's own line breaks: {text:?}"
    );
    assert!(
        text.starts_with("a\\u{1b}[2Jb\\u{7}c\\u{9b}31md\\u{202e}e"),
        "{text:?}"
    );
}

#[test]
fn sec_3_ordinary_text_of_any_script_is_untouched() {
    for text in [
        "fn main() {}",
        "naïve",
        "日本語",
        "שלום",
        "مرحبا",
        "👩‍💻",
        "a\u{300}",
    ] {
        assert_eq!(clean(text), text);
    }
    assert_eq!(clean("a\tb"), "a\\tb", "a tab in a name would shift a column");
    assert_eq!(clean_code("\tb\x1b"), "\tb\\u{1b}");
}

#[test]
fn sec_3_json_holds_the_same_value_without_control_characters() {
    let nasty = "\u{9b}2J\u{202e}\u{7f}\x1b[0m\n\u{e0041}é";
    for pretty in [false, true] {
        let text = json(&[nasty], pretty);
        assert!(
            text.chars().all(|c| c == '\n' || !clean::is_steering(c)),
            "{text:?}"
        );
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), [nasty]);
    }
    assert_eq!(json(&[1, 2], false), "[1,2]\n");
}

#[test]
fn cli_3_colour_is_only_an_addition() {
    let show = |colour| {
        let mut page = Page::new(colour);
        page.styled(Style::Path, "a.rs")
            .put(":1  ")
            .styled(Style::Match, "")
            .line("x");
        page.into_text()
    };
    assert_eq!(show(false), "a.rs:1  x\n");
    assert_eq!(show(true), "\x1b[36ma.rs\x1b[0m:1  x\n");
}

#[test]
fn a_table_aligns_and_ends_no_line_in_spaces() {
    let mut table = Table::new(&[(Align::Left, None), (Align::Right, None), (Align::Left, None)]).indented(2);
    table.row(&["rust", "1,204", "x"]);
    table.row(&["c", "7", ""]);
    let mut page = Page::new(false);
    table.print(&mut page);
    assert_eq!(page.into_text(), "  rust  1,204  x\n  c         7\n");
}

#[test]
fn numbers_read_well() {
    let cases = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")];
    for (n, text) in cases {
        assert_eq!(grouped(n), text);
    }
    assert_eq!(counted(1, "file"), "1 file");
    assert_eq!(counted(0, "file"), "0 files");
    let cases = [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (5_250_000, "5.2 MB"),
        (7_000_000_000, "7.0 GB"),
    ];
    for (n, text) in cases {
        assert_eq!(sized(n), text);
    }
    let cases = [
        (0, "just now"),
        (59_000, "just now"),
        (60_000, "1 minute ago"),
        (7_200_000, "2 hours ago"),
    ];
    for (ms, text) in cases {
        assert_eq!(ago(1_000, 1_000 + ms), text);
    }
    assert_eq!(ago(5_000, 1_000), "just now", "a clock that went back");
}

#[test]
fn cli_5_lines_fit_a_terminal() {
    let mut page = Page::new(false).fitting(Some(20));
    page.line("as long as it may be");
    page.line("  one word more than there is room for");
    page.line("a_name_without_any_space_in_it");
    page.put("12  ")
        .code("let source = \"is cut and not wrapped\";")
        .end_line();
    let mut table = Table::new(&[(Align::Left, None), (Align::Left, None)]);
    table.row(&["key", "a value that goes on"]);
    table.print(&mut page);
    assert_eq!(
        page.into_text(),
        "as long as it may be\n  one word more than\n    there is room\n    for\na_name_without_any_s\n  pace_in_it\n\
         12  let source = \"i…\nkey  a value that\n  goes on\n"
    );
}

#[test]
fn cli_5_colours_take_no_room() {
    let mut page = Page::new(true).fitting(Some(8));
    page.styled(Style::Path, "12345").put("678").end_line();
    page.styled(Style::Path, "12345")
        .styled_code(Style::Match, "6789")
        .end_line();
    assert_eq!(
        page.into_text(),
        "\x1b[36m12345\x1b[0m678\n\x1b[36m12345\x1b[0m\x1b[1;33m67…\x1b[0m\n"
    );
}
