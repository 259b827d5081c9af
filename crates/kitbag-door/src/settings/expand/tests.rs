//! A table of texts and their expansions.

use super::expand;

#[test]
fn cfg_1_variables_are_filled_in() {
    let variables = vec![
        ("A".to_owned(), "one".to_owned()),
        ("B".to_owned(), "${A}".to_owned()),
    ];
    for (text, expected) in [
        ("", Ok("")),
        ("plain $A {A} $", Ok("plain $A {A} $")),
        ("${A}/x-${A}", Ok("one/x-one")),
        ("${B}", Ok("${A}")),
        ("$${A} ${A}", Ok("${A} one")),
        ("${C}", Err("the variable C is not set")),
        (
            "a${",
            Err("`${` without `}`; write `$${` for the characters themselves"),
        ),
        ("${}", Err("the variable  is not set")),
    ] {
        let found = expand(text, &variables).map_err(|error| error.message);
        assert_eq!(
            found,
            expected.map(str::to_owned).map_err(str::to_owned),
            "{text}"
        );
    }
}
