use super::*;

#[test]
fn ret_12_a_question_is_the_first_paragraph_or_all_of_it() {
    let docs = "Opens the file for reading.\nFails if it is a folder.\n\nMore about it below.\n@param path where it lies";
    assert_eq!(
        question(docs, false).as_deref(),
        Some("Opens the file for reading. Fails if it is a folder.")
    );
    let whole = question(docs, true).unwrap();
    assert!(
        whole.ends_with("@param path where it lies") && whole.contains("More about it"),
        "{whole}"
    );
}

#[test]
fn ret_12_licences_and_stubs_ask_nothing() {
    for docs in [
        "Copyright 2020 the authors of this file",
        "TODO",
        "Getter.",
        "----------",
        "是一个很长的说明 文字 在 这里",
    ] {
        assert_eq!(question(docs, true), None, "{docs}");
    }
}

#[test]
fn ret_12_a_passage_does_not_give_its_question_away() {
    let body = "/// Opens the file.\n///\n/// Twice.\nfn open_file() { open_file_inner(); open_file() }\n";
    assert_eq!(
        without_docs(body, "Opens the file.\n\nTwice."),
        "///\nfn open_file() { open_file_inner(); open_file() }\n"
    );
    assert_eq!(
        without_name("fn open(a) { reopen(a); open }", "open"),
        "fn (a) { reopen(a);  }"
    );
}
