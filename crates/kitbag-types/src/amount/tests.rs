//! Texts that are numbers, and texts that are not.

use super::amount;

#[test]
fn cli_5_numbers_are_read_as_people_write_them() {
    let cases = [
        ("8000", Some(8_000)),
        (" 8k ", Some(8_000)),
        ("8K", Some(8_000)),
        ("1.5k", Some(1_500)),
        ("1.50k", Some(1_500)),
        ("2m", Some(2_000_000)),
        ("0.25m", Some(250_000)),
        ("8_000", Some(8_000)),
        ("8,000", Some(8_000)),
        ("1,000,000", Some(1_000_000)),
        ("8.0", Some(8)),
        ("0", Some(0)),
        ("18446744073709551615", Some(u64::MAX)),
        ("18446744073709551616", None),
        ("99999999999999999999k", None),
        ("1.5", None),
        ("1.0005k", None),
        ("8,00", None),
        ("8__0", None),
        ("_8", None),
        ("-8", None),
        ("+8", None),
        ("k", None),
        ("1.k", None),
        (".5k", None),
        ("8kb", None),
        ("", None),
        ("eight", None),
        ("0.00000000000000000000000001k", None),
    ];
    for (text, expected) in cases {
        assert_eq!(amount(text), expected, "{text}");
    }
}
