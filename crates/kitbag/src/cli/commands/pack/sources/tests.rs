//! What is kept of a long log.

use super::last_bytes;

#[test]
fn pack_4_the_end_of_a_log_is_kept_from_the_beginning_of_a_line() {
    let table: &[(&str, u64, &str, Option<u32>)] = &[
        ("", 8, "", None),
        ("one\ntwo\n", 8, "one\ntwo\n", None),
        ("one\ntwo\nsix\n", 8, "six\n", Some(2)),
        ("one\ntwo\nthree\nfour\nfive\n", 12, "four\nfive\n", Some(3)),
        // A last line that is longer than what is kept, with and without its break.
        ("one\na long last line\n", 8, "st line\n", Some(1)),
        ("one\na long last line", 8, "ast line", Some(1)),
        ("a long last line\n\n", 8, "t line\n\n", Some(0)),
        // Its first character is whole.
        ("one\näääää\n", 8, "äää\n", Some(1)),
    ];
    for (log, most, end, n_before) in table {
        let (kept, before) = last_bytes(log.as_bytes(), *most).unwrap();
        assert_eq!(
            (String::from_utf8(kept).unwrap().as_str(), before),
            (*end, *n_before),
            "{log:?}"
        );
    }
}
