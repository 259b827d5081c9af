//! A table that is as it is made passes; any other fails.

use super::{BEGIN, Block, END, File, check};

#[test]
fn a_table_that_was_changed_by_hand_fails() {
    let problems = |text: String| {
        let files = [File {
            path: "ARCHITECTURE.md".to_owned(),
            text,
        }];
        let block = Block {
            path: "ARCHITECTURE.md",
            text: "| a |\n".to_owned(),
        };
        check(&files, &[block]).len()
    };
    assert_eq!(problems(format!("# A\n{BEGIN}| a |\n{END}\nmore\n")), 0);
    assert_eq!(problems(format!("# A\n{BEGIN}| b |\n{END}\nmore\n")), 1);
    assert_eq!(problems("# A\n| a |\n".to_owned()), 1, "no place for it");
}
