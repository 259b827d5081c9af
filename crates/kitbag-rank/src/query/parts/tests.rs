use super::*;

fn shown(text: &str) -> Vec<String> {
    let mark = |kind| match kind {
        PartKind::Title => 'T',
        PartKind::Prose => 'P',
        PartKind::Code => 'C',
    };
    parts(text)
        .iter()
        .map(|part| format!("{}:{}", mark(part.kind), part.text.trim()))
        .collect()
}

#[test]
fn ret_1_a_line_is_prose_and_an_issue_has_a_title() {
    assert_eq!(shown("how are tokens refreshed"), ["P:how are tokens refreshed"]);
    let issue = "Crash on save\r\n\r\n<!-- Hi there!\nthank you --> It fails.\n### Steps to reproduce\n- [x] I have read it\n\
         see https://example.org/a/b for more\n```py\nds.save_as()\n```\n**Expected behaviour:**\nno crash";
    let expected = [
        "T:Crash on save",
        "P:It fails.",
        "P:see",
        "P:for more",
        "C:ds.save_as()",
        "P:no crash",
    ];
    assert_eq!(shown(issue), expected);
}

#[test]
fn ret_1_a_comment_that_never_ends_and_habit_alone() {
    assert_eq!(
        shown("Title here\n<!-- no end\nmore"),
        ["T:Title here", "P:<!-- no end", "P:more"]
    );
    assert_eq!(shown("strip <!-- busy disk -->"), ["P:strip <!-- busy disk -->"]);
    assert_eq!(shown("- [x] only a box"), ["P:- [x] only a box"]);
    assert_eq!(shown("   "), ["P:"]);
}

#[test]
fn ret_1_headings_that_say_something_stay() {
    assert_eq!(
        shown("T\n## Token refresh:\nx"),
        ["T:T", "P:## Token refresh:", "P:x"]
    );
}
