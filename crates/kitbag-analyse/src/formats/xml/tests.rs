use super::*;

#[test]
fn pkg_3_elements_know_their_lines_and_texts() {
    let root = xml("<!-- c -->\n<a x='1'>\n  <b>one &amp; <![CDATA[<two>]]></b>\n  <p:b Path=\"y\"/>\n</a>")
        .unwrap();
    let found: Vec<(u32, &str, Option<&str>)> = root
        .all("b")
        .map(|element| (element.line, element.text(), element.attribute("path")))
        .collect();
    assert_eq!(found, [(3, "one & <two>", None), (4, "", Some("y"))]);
    assert_eq!(root.below("b").len(), 2);
}

#[test]
fn pkg_4_broken_xml_is_a_note_with_its_line() {
    for (text, line) in [("<a>\n<b></a>", 2), ("<a>\n", 2), ("", 1)] {
        let note = xml(text).unwrap_err();
        assert_eq!(
            note.lines.map(|lines| lines.start()),
            Some(line),
            "{text:?}: {}",
            note.message
        );
    }
}
