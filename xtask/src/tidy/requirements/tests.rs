//! Ids that are used and not defined, and the other way round.

use super::*;

fn file(path: &str, text: &str) -> File {
    File {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn ids_are_found_in_prose_and_in_names_of_tests() {
    let name = concat!("fn se", "c_4_ret_12_a_long_word()");
    assert_eq!(ids(name, true), [concat!("SE", "C-4"), concat!("RE", "T-12")]);
    assert!(ids(name, false).is_empty());
    let prose = concat!("Limits (SE", "C-4, ID", "X-15); not UTF-8 or GPT-5.");
    assert_eq!(ids(prose, false), [concat!("SE", "C-4"), concat!("ID", "X-15")]);
}

#[test]
fn an_id_needs_a_home_and_a_use() {
    let home = concat!("- SE", "C-4: Limits.\n- SE", "C-5: Users.\n- SE", "C-5: Again.\n");
    let files = [
        file(HOME, home),
        file("a.rs", concat!("// SE", "C-4, ID", "X-15\n")),
    ];
    assert_eq!(
        check(&files),
        [
            format!("{HOME}:3: {} stands here twice", concat!("SE", "C-5")),
            format!("a.rs:1: {} has no line in {HOME}", concat!("ID", "X-15")),
            format!(
                "{HOME}:3: nothing names {}; delete the line",
                concat!("SE", "C-5")
            ),
        ]
    );
}
