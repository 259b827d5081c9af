//! One bad sample a rule, and good files that must pass.

use super::check;
use crate::tidy::File;

fn problems(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File> = files
        .iter()
        .map(|(path, text)| File {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    check(&files)
}

fn one(path: &str, text: &str) -> String {
    let found = problems(&[(path, text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap()
}

#[test]
fn good_files_pass() {
    let long = format!("//! Doc.\n{}", "x\n".repeat(900));
    let good = [
        (
            "crates/a/src/lib.rs",
            "//! Doc.\n#[cfg(test)]\nmod tests;\nmod foo;\n",
        ),
        ("crates/a/src/tests.rs", "use x;\n"),
        ("crates/a/src/foo.rs", "//! Doc.\n    mod tests;\n"),
        ("crates/a/src/foo/tests.rs", long.as_str()),
        ("crates/a/src/languages.rs", long.as_str()),
        ("crates/a/tests/it/search.rs", "use x;\n"),
        ("crates/a/build.rs", "fn main() {}\n"),
        ("crates/a/fixtures/mod.rs", concat!("// FIX", "ME\n")),
        (
            "crates/a/src/bar.rs",
            concat!("//! Doc.\nconst W: &str = \"FIX", "ME\";\n"),
        ),
        ("README.md", concat!("FIX", "ME")),
    ];
    assert_eq!(problems(&good), Vec::<String>::new());
}

#[test]
fn a_file_without_module_docs_fails() {
    assert!(one("crates/a/src/foo.rs", "use x;\n").starts_with("crates/a/src/foo.rs: must open with `//!`"));
}

#[test]
fn a_function_of_101_lines_fails() {
    let function = |head: &str, n: usize| format!("//! Doc.\n{head} {{\n{}}}\n", "    x;\n".repeat(n - 2));
    let problem = one("crates/a/src/a.rs", &function("pub(crate) fn f()", 101));
    assert!(
        problem.starts_with("crates/a/src/a.rs:2: a function of 101 lines"),
        "{problem}"
    );
    for fine in [function("fn f()", 100), function("const X: &[&str] =", 300)] {
        assert_eq!(problems(&[("crates/a/src/a.rs", &fine)]), Vec::<String>::new());
    }
    let in_test = function("fn f()", 300);
    assert_eq!(
        problems(&[("crates/a/tests/it/a.rs", &in_test)]),
        Vec::<String>::new()
    );
}

#[test]
fn a_file_of_801_lines_fails() {
    let text = format!("//! Doc.\n{}", "x\n".repeat(800));
    assert!(one("crates/a/src/foo.rs", &text).contains("801 lines, over 800"));
}

#[test]
fn mod_rs_fails() {
    assert!(
        one("crates/a/src/foo/mod.rs", "//! Doc.\n")
            .starts_with("crates/a/src/foo/mod.rs: `foo.rs` beside `foo/`")
    );
}

#[test]
fn promises_in_code_fail_with_their_line() {
    for word in [
        concat!("// FIX", "ME later"),
        concat!("to", "do!()"),
        concat!("unimpl", "emented!()"),
        concat!("#[ign", "ore]"),
        concat!("#[ign", "ore = \"slow\"]"),
        concat!("let a = \"\"; // FIX", "ME \"odd"),
    ] {
        let text = format!("//! Doc.\n\n{word}\n");
        assert!(
            one("crates/a/src/foo.rs", &text).starts_with("crates/a/src/foo.rs:3: "),
            "{word}"
        );
    }
}

#[test]
fn an_undeclared_tests_file_fails() {
    let found = problems(&[
        ("crates/a/src/foo.rs", "//! Doc. mod tests;\n// mod tests;\n"),
        ("crates/a/src/foo/tests.rs", "use x;\n"),
        ("crates/a/src/tests.rs", "use x;\n"),
    ]);
    assert_eq!(
        found,
        [
            "crates/a/src/foo/tests.rs: `mod tests;` is missing in crates/a/src/foo.rs",
            "crates/a/src/tests.rs: `mod tests;` is missing in crates/a/src/lib.rs or crates/a/src/main.rs",
        ]
    );
}
