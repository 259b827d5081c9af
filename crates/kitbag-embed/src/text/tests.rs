use super::passage_text;
use crate::Passage;

#[test]
fn ret_12_a_passage_is_path_capsule_or_names_and_body() {
    let names = ["one".to_owned(), "two".to_owned()];
    let passage = Passage {
        path: "src/a.rs",
        names: &names,
        docs: "said in the body already",
        capsule: "crate | fn one()",
        body: "fn one() {}",
    };
    assert_eq!(
        passage_text(&passage, 1_000),
        "src/a.rs\ncrate | fn one()\nfn one() {}"
    );
    let plain = Passage {
        capsule: "",
        ..passage
    };
    assert_eq!(passage_text(&plain, 1_000), "src/a.rs\none two\nfn one() {}");
    let bare = Passage {
        body: "x",
        ..Passage::default()
    };
    assert_eq!(passage_text(&bare, 1_000), "x");
    assert_eq!(passage_text(&Passage::default(), 1_000), "");
}

#[test]
fn ret_12_no_limit_is_exceeded_and_no_character_split() {
    let passage = Passage {
        path: "ä",
        body: "öü",
        ..Passage::default()
    };
    let whole = "ä\nöü";
    for max_bytes in 0..10 {
        let text = passage_text(&passage, max_bytes);
        assert!(
            text.len() <= max_bytes && whole.starts_with(&text),
            "{max_bytes}: {text:?}"
        );
    }
    assert_eq!(passage_text(&passage, 7), whole);
}
