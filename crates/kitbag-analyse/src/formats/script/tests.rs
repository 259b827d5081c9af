use super::*;

fn kinds(text: &str) -> Vec<Kind> {
    Script::new(text, &GRADLE)
        .tokens
        .into_iter()
        .map(|token| token.kind)
        .collect()
}

#[test]
fn pkg_4_comments_and_texts_are_told_apart() {
    let word = |text: &str| Kind::Word(text.to_owned());
    let text = |text: &str| Kind::Text(text.to_owned());
    assert_eq!(
        kinds("a // \"b\"\n/* c\n */ \"// d\""),
        [word("a"), Kind::LineEnd, text("// d")]
    );
    assert_eq!(
        kinds(r#""a\"b" 'c' "$d""#),
        [text(r#"a\"b"#), text("c"), Kind::Computed("$d".to_owned())]
    );
    assert_eq!(kinds("\"\"\"a\n\"b\"\"\" c"), [text("a\n\"b"), word("c")]);
    // Half a text ends with its line.
    assert_eq!(kinds("\"a\nb"), [text("a"), Kind::LineEnd, word("b")]);
}

#[test]
fn pkg_3_tokens_know_their_lines() {
    let script = Script::new("/*\n*/ a\n'''x\ny''' b", &GRADLE);
    let lines: Vec<u32> = script.tokens.iter().map(|token| token.line).collect();
    assert_eq!(lines, [2, 2, 3, 4]);
}

#[test]
fn pkg_4_brackets_that_do_not_match_end_with_what_is_around_them() {
    let script = Script::new("a ( [ b ) c ] } (", &GRADLE);
    assert_eq!(script.inside(1), 2..4);
    assert_eq!(script.past(1), 5);
    assert_eq!(script.inside(8), 9..9);
}

#[test]
fn pkg_2_arguments_with_and_without_brackets() {
    let script = Script::new("include 'a',\n  'b'\ninclude('c', d: 'e')", &GRADLE);
    let texts = |range: Range<usize>| range.filter_map(|at| script.text(at)).collect::<Vec<_>>();
    assert_eq!(texts(script.arguments(1)), ["a", "b"]);
    let call = (2..script.tokens.len())
        .find(|at| script.word(*at) == Some("include"))
        .unwrap();
    assert_eq!(texts(script.arguments(call + 1)), ["c", "e"]);
    assert_eq!(
        script.labelled_text(script.arguments(call + 1), "d"),
        Some(("e", 3))
    );
    assert_eq!(script.parts(script.arguments(call + 1)).len(), 2);
}
