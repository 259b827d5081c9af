use super::{FuzzRequest, wanted};

/// A target and variables.
type Expected<'a> = (&'a str, &'a [(&'static str, &'a str)]);

fn check(words: &str, expected: Result<Expected<'_>, &str>) {
    let words: Vec<&str> = words.split_whitespace().collect();
    let expected = expected.map(|(target, variables)| FuzzRequest {
        target,
        variables: variables.to_vec(),
    });
    assert_eq!(wanted(&words), expected.map_err(str::to_owned), "{words:?}");
}

#[test]
fn sec_6_words_become_variables() {
    check("", Ok(("", &[("KITBAG_FUZZ_SECONDS", "20")])));
    check("terms --runs 9", Ok(("terms", &[("KITBAG_FUZZ_RUNS", "9")])));
    check(
        "--seed 3 query",
        Ok((
            "query",
            &[("KITBAG_FUZZ_SEED", "3"), ("KITBAG_FUZZ_SECONDS", "20")],
        )),
    );
    check("--runs", Err("fuzz: --runs needs a number"));
    check("--runs many", Err("fuzz: --runs needs a number"));
    check(
        "--fast",
        Err("fuzz: --fast: expected [TARGET] [--runs N | --seconds S] [--seed N]"),
    );
}
