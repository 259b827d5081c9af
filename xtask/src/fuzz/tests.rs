use super::{FuzzRequest, wanted};

/// A target, options for cargo and variables.
type Expected<'a> = (&'a str, &'a [&'a str], &'a [(&'static str, &'a str)]);

fn check(words: &str, expected: Result<Expected<'_>, &str>) {
    let words: Vec<&str> = words.split_whitespace().collect();
    let expected = expected.map(|(target, options, variables)| FuzzRequest {
        target,
        options: options.to_vec(),
        variables: variables.to_vec(),
    });
    assert_eq!(wanted(&words), expected.map_err(str::to_owned), "{words:?}");
}

#[test]
fn sec_6_words_become_variables() {
    const ALL: &[&str] = &["--workspace"];
    check("", Ok(("", ALL, &[("KITBAG_FUZZ_SECONDS", "20")])));
    check("terms --runs 9", Ok(("terms", ALL, &[("KITBAG_FUZZ_RUNS", "9")])));
    check(
        "--seed 3 query",
        Ok((
            "query",
            ALL,
            &[("KITBAG_FUZZ_SEED", "3"), ("KITBAG_FUZZ_SECONDS", "20")],
        )),
    );
    check(
        "query --release --package kitbag-rank --runs 5",
        Ok((
            "query",
            &["--release", "--package", "kitbag-rank"],
            &[("KITBAG_FUZZ_RUNS", "5")],
        )),
    );
    check("--runs", Err("fuzz: --runs needs a number"));
    check("--runs many", Err("fuzz: --runs needs a number"));
    check("--package", Err("fuzz: --package needs the name of a crate"));
    check(
        "--fast",
        Err(
            "fuzz: --fast: expected [TARGET] [--runs N | --seconds S] [--seed N] [--release] [--package CRATE]",
        ),
    );
}
