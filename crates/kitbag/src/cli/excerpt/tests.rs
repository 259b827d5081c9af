//! Which lines of a hit are shown, and how.

use proptest::prelude::*;

use super::*;

const MOST: usize = 6;

fn show(text: &str, line_start: u32, query: &str) -> Vec<String> {
    show_labelled(text, line_start, "", query)
}

fn show_labelled(text: &str, line_start: u32, label: &str, query: &str) -> Vec<String> {
    excerpt(text, line_start, label, &Words::new(query), MOST)
        .iter()
        .map(|line| {
            let text: String = line
                .pieces
                .iter()
                .map(|(text, hit)| if *hit { format!("<{text}>") } else { text.clone() })
                .collect();
            format!("{}: {text}", line.number)
        })
        .collect()
}

#[test]
fn cli_2_lines_that_match_are_shown_with_their_own_numbers() {
    let text = "fn load() {\n    let a = 1;\n    parse_config(a);\n    let b = 2;\n    b\n}";
    assert_eq!(
        show(text, 10, "where is the config parsed"),
        [
            "10: fn load() {",
            "11:     let a = 1;",
            "12:     <parse_config>(a);"
        ]
    );
}

#[test]
fn cli_2_a_rare_word_beats_one_that_is_everywhere() {
    let mut lines: Vec<String> = (0..20).map(|n| format!("value {n}")).collect();
    lines[17] = "value of the retry".to_owned();
    let shown = show(&lines.join("\n"), 1, "value retry");
    assert_eq!(shown.len(), MOST);
    assert_eq!(shown.last().unwrap(), "18: <value> of the <retry>");
}

#[test]
fn cli_2_stop_words_are_not_lit_unless_there_is_nothing_else() {
    assert_eq!(
        show("is the retry in it", 1, "what is the retry"),
        ["1: is the <retry> in it"]
    );
    assert_eq!(
        show("is the retry in it", 1, "what is the"),
        ["1: <is> <the> retry in it"]
    );
}

#[test]
fn cli_2_a_chunk_found_by_its_name_shows_how_it_begins() {
    assert_eq!(show("\n\na\nb\n\nc\nd", 5, "zebra"), ["7: a", "8: b", "10: c"]);
}

#[test]
fn cli_2_the_line_that_says_the_name_comes_first() {
    let text = "#[derive(Debug)]\n#[serde]\n/// Docs.\n#[x]\npub struct Parser {\n    needle: u8,\n}";
    for label in ["Parser", "lex::Parser", "Parser, next", "a.b.Parser"] {
        let shown = show_labelled(text, 1, label, "needle");
        assert_eq!(
            shown,
            [
                "1: #[derive(Debug)]",
                "5: pub struct Parser {",
                "6:     <needle>: u8,"
            ]
        );
    }
}

#[test]
fn cli_2_a_very_long_line_shows_its_match() {
    let line = format!("{}needle{}", "x ".repeat(50_000), " y".repeat(50_000));
    let shown = show(&line, 1, "needle");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("1: …x ") && shown[0].contains("<needle>") && shown[0].ends_with("y…"));
    assert!(shown[0].chars().count() < 200);
}

#[test]
fn cli_2_lines_cut_between_characters_of_any_width() {
    let line = format!("{} naïve ünïcödé", "日本 ".repeat(200));
    let shown = show(&line, 1, "naïve");
    assert!(shown[0].contains("<naïve> ünïcödé"), "{shown:?}");
    assert_eq!(show("", 1, "x"), [""; 0]);
    assert_eq!(
        show("a\r\nneedle\r\nb", 1, "needle"),
        ["1: a", "2: <needle>", "3: b"]
    );
}

proptest! {
    /// Whatever the text, what is shown is a stretch of the line it claims to be.
    #[test]
    fn cli_2_every_line_shown_is_a_line_of_the_file(
        text in "([a-z_ é日\t\r\u{0}-\u{20}]{0,400}\n?){0,12}",
        query in "[a-zé日 ]{0,12}",
        line_start in 1_u32..1_000_000,
    ) {
        let lines: Vec<&str> = text.lines().collect();
        let shown = excerpt(&text, line_start, "x", &Words::new(&query), MOST);
        prop_assert!(shown.len() <= MOST);
        prop_assert!(shown.windows(2).all(|pair| pair[0].number < pair[1].number));
        for line in &shown {
            let joined: String = line.pieces.iter().map(|(text, _)| text.as_str()).collect();
            let source = lines[(line.number - line_start) as usize];
            prop_assert!(source.contains(joined.trim_start_matches('…').trim_end_matches('…')));
        }
    }
}
