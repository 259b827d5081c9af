//! The scanner is a judge, so it is judged by hand.

use super::*;

fn said(language: &str, text: &str) -> Vec<String> {
    words(text, kitbag_syntax::by_name(language).unwrap())
}

#[test]
fn mem_3_the_second_opinion_knows_comments_space_and_strings() {
    assert_eq!(
        said("rust", "fn f<'a>() { g(1,); } // x"),
        said("rust", "/* y */ fn f<'a>()\n{\n g(1); }")
    );
    assert_ne!(
        said("rust", "fn f() { \"a b\" }"),
        said("rust", "fn f() { \"a  b\" }")
    );
    assert_eq!(
        said("python", "def f():\n    'doc'\n    return 'a'\n"),
        said("python", "def f():\n    # why\n    return \"a\"\n")
    );
    assert_ne!(
        said("python", "if a:\n    b()\n    c()\n"),
        said("python", "if a:\n    b()\nc()\n")
    );
    assert_ne!(said("python", "x = (a,)"), said("python", "x = (a)"));
    assert_eq!(
        said("javascript", "f('a', b);"),
        said("javascript", "f(\n  \"a\",\n  b,\n)")
    );
    assert_ne!(
        said("javascript", "return a - b"),
        said("javascript", "return a + b")
    );
}
