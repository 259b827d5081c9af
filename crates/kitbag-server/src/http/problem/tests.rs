//! Every code of a failure has a status.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

/// Codes that only the command line gives, or that the guard and the routes give with their own status.
const ELSEWHERE: &[&str] = &[
    "HOST_DENIED",
    "INCOMPLETE",
    "KEY_NEEDED",
    "METHOD_NOT_ALLOWED",
    "NOT_JSON",
    "ORIGIN_DENIED",
    "OTHER_PROJECT",
    "RATE_LIMITED",
    "SERVER_REFUSED",
    "SESSION_NOT_FOUND",
    "TIMEOUT",
    "TOO_LARGE",
    "TOO_MANY_SESSIONS",
    "TOO_SLOW",
];

#[test]
fn err_1_every_code_of_the_sources_has_a_status() {
    let mut found = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in [
        "kitbag",
        "kitbag-door",
        "kitbag-engine",
        "kitbag-install",
        "kitbag-repo",
        "kitbag-server",
        "kitbag-store",
    ] {
        codes_in(&crates.join(name).join("src"), &mut found);
    }
    assert!(found.len() > 40, "{found:?}");
    let is_known = |code: &String| {
        let code = code.as_str();
        STATUSES.iter().any(|(known, _)| *known == code)
            || code.starts_with("INVALID_")
            || UNPROCESSABLE.contains(&code)
            || ELSEWHERE.contains(&code)
    };
    let unknown: Vec<&String> = found.iter().filter(|code| !is_known(code)).collect();
    assert!(unknown.is_empty(), "no status was chosen for {unknown:?}");
    let gone: Vec<&&str> = UNPROCESSABLE
        .iter()
        .chain(ELSEWHERE)
        .chain(STATUSES.iter().map(|(code, _)| code))
        .filter(|code| !found.contains(**code))
        .collect();
    assert!(gone.is_empty(), "no source has {gone:?}");
}

#[test]
fn err_1_statuses_say_whose_fault_it_is() {
    let check = |failure: Failure, expected: u16| {
        let code = failure.code;
        assert_eq!(Problem::from(failure).status, expected, "{code}");
    };
    check(Failure::trouble("TOO_MANY_JOBS", ""), 429);
    check(Failure::trouble("BUSY", ""), 503);
    check(Failure::trouble("JOB_RUNNING", ""), 409);
    check(Failure::wrong_use("JOB_NOT_FOUND", ""), 404);
    check(Failure::wrong_use("PATH_DENIED", ""), 403);
    check(Failure::trouble("STORAGE_ERROR", ""), 500);
    check(Failure::wrong_use("CONFIG_ERROR", ""), 500);
    check(Failure::wrong_use("INVALID_ARGUMENTS", ""), 422);
    for code in UNPROCESSABLE {
        check(Failure::wrong_use(code, ""), 422);
    }
    let codes: Vec<&str> = STATUSES.iter().map(|(code, _)| *code).collect();
    let distinct: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(codes.len(), distinct.len(), "each stands there once");
}

/// Codes are the only strings of capitals after one of these words.
fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes_in(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for word in [
                "wrong_use(",
                "trouble(",
                "invalid(",
                "Problem::new(",
                "code: ",
                "fn code(",
                "=> \"",
            ] {
                for (at, _) in text.match_indices(word) {
                    let quoted = if word.ends_with('"') {
                        at + word.len() - 1
                    } else {
                        at
                    };
                    found.extend(first_code(&text[quoted..]));
                }
            }
        }
    }
}

/// The first string, if it is near and is a code.
fn first_code(text: &str) -> Option<String> {
    let (before, rest) = text.split_once('"')?;
    let code = rest.split_once('"')?.0;
    let is_code = code.len() > 3 && code.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let of_one_word = ["BUSY", "CANCELLED", "INCOMPLETE", "TIMEOUT"];
    let is_code = is_code && (code.contains('_') || of_one_word.contains(&code));
    (before.len() < 80 && is_code).then(|| code.to_owned())
}
