use super::*;

#[test]
fn pkg_3_values_know_their_lines_in_every_format() {
    for node in [
        json("{\n  \"a\": {\n    \"b\": [\n\"x\"]}}").unwrap(),
        toml("\n[a]\nb = [\n\"x\"]").unwrap(),
        yaml("\na:\n  b:\n    - x\n").unwrap(),
    ] {
        let list = node.at(&["a", "b"]).unwrap();
        let item = &list.items()[0];
        assert_eq!((item.text(), item.line), (Some("x"), 4), "{node:?}");
    }
}

#[test]
fn pkg_4_a_note_has_the_line_and_no_text_of_the_file() {
    for note in [
        json("{\n\"secret\": }").unwrap_err(),
        toml("a = 1\nsecret secret").unwrap_err(),
        yaml("a: b\nc: [secret\n\td: }").unwrap_err(),
    ] {
        assert_eq!(note.code, "manifest_broken");
        assert!(note.lines.is_some_and(|lines| lines.start() >= 2), "{note:?}");
        assert!(!note.message.contains("secret"), "{note:?}");
    }
}

#[test]
fn pkg_4_an_empty_file_is_a_note() {
    assert!(json("").is_err());
    assert!(yaml("").is_err());
    assert!(toml("").is_ok_and(|node| node.entries().is_empty()));
}
