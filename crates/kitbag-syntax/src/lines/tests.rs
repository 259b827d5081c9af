//! Lines and their estimates.

use super::Lines;

#[test]
fn line_breaks_are_left_out_of_lines() {
    let text = "a\r\n\r\n b\nc\rd";
    let lines = Lines::new(text);
    let shown: Vec<&str> = (0..lines.n()).map(|idx| lines.text(text, idx)).collect();
    assert_eq!(shown, ["a", "", " b", "c\rd"]);
    assert_eq!(lines.trim(0..2), 0..1);
    assert_eq!(&text[lines.bytes(&(0..3))], "a\r\n\r\n b");
}

#[test]
fn blank_is_what_trim_says() {
    let text = "_\n \t\n\u{a0}\u{2003}\n\u{0}\n\u{c}\né";
    let lines = Lines::new(text);
    let blank: Vec<bool> = (0..lines.n()).map(|idx| lines.is_blank(idx)).collect();
    let expected: Vec<bool> = text.lines().map(|line| line.trim().is_empty()).collect();
    assert_eq!(blank, expected);
}

#[test]
fn bytes_know_their_line() {
    let lines = Lines::new("ab\ncd\n\nef");
    let found: Vec<usize> = [0, 2, 3, 5, 6, 7, 8, 100]
        .map(|byte| lines.line_of(byte))
        .to_vec();
    assert_eq!(found, [0, 0, 1, 1, 2, 3, 3, 3]);
    // An end just after a line break belongs to the line before.
    assert_eq!(lines.last_line_of(&(0..3)), 0);
    assert_eq!(lines.last_line_of(&(0..4)), 1);
}

/// Compares with counts of the o200k vocabulary; the estimate of a single line may be off by a fifth.
#[test]
fn idx_12_estimates_are_near_the_real_count() {
    let known = [
        ("pub fn parse_config(path: &Path) -> Result<Config, Error> {", 17),
        ("    return self.items.len() == 0;", 10),
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("const MAX_ITEMS: usize = 1_024;", 11),
    ];
    for (line, exact) in known {
        let estimate = Lines::new(line).tokens(&(0..1));
        assert!(
            estimate * 5 >= exact * 4 && estimate * 5 <= exact * 6,
            "{line}: {estimate} for {exact}"
        );
    }
}

#[test]
fn brackets_are_counted_over_lines() {
    assert_eq!(Lines::new("((\n[\n{}])) (").bracket_depth, 4);
    assert_eq!(Lines::new(")))(").bracket_depth, 1);
}
