use super::*;

fn check_sources(sources: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File> = sources
        .iter()
        .map(|(path, text)| File {
            path: format!("crates/shop/src/{path}"),
            text: (*text).to_owned(),
        })
        .collect();
    check(&files)
}

const ROOT: (&str, &str) = ("lib.rs", "mod cart;\nmod price;\npub use cart::Cart;\n");

#[test]
fn modules_that_name_each_other_are_told_with_the_places() {
    let found = check_sources(&[
        ROOT,
        ("cart.rs", "use crate::price::Price;\npub struct Cart(Price);\n"),
        (
            "price.rs",
            "pub struct Price;\nfn of(cart: &crate::cart::Cart) {}\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "crates/shop: the modules cart → price → cart need each other; move what both need below them \
         (crates/shop/src/cart.rs names crate::price::Price; crates/shop/src/price.rs names crate::cart::Cart)"
        ]
    );
}

#[test]
fn what_the_root_shows_a_module_below_and_super_count_too() {
    let through_the_root = [
        ROOT,
        (
            "cart.rs",
            "use crate::{price::Price as P};\npub struct Cart(P);\n",
        ),
        ("price.rs", "pub struct Price;\nuse crate::Cart;\n"),
    ];
    assert_eq!(check_sources(&through_the_root).len(), 1);
    let with_super = [
        ROOT,
        ("cart.rs", "use super::price::Price;\n"),
        ("price.rs", "mod tax;\n"),
        ("price/tax.rs", "use super::super::cart::Cart;\n"),
    ];
    assert_eq!(check_sources(&with_super).len(), 1);
}

#[test]
fn one_way_own_parts_and_tests_are_no_circle() {
    let fine = [
        ROOT,
        ("cart.rs", "use crate::price::Price;\nmod line;\n"),
        (
            "cart/line.rs",
            "use super::Cart;\nuse crate::cart::Cart as Other;\n",
        ),
        (
            "price.rs",
            "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nuse crate::cart::Cart;\n",
        ),
        ("price/tests.rs", "use crate::cart::Cart;\n"),
    ];
    assert_eq!(check_sources(&fine), Vec::<String>::new());
}

#[test]
fn a_long_circle_is_told_once() {
    let found = check_sources(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
        ("a.rs", "use crate::b::B;\n"),
        ("b.rs", "use crate::c::C;\n"),
        ("c.rs", "use crate::a::A;\n"),
    ]);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("the modules a → b → c → a"), "{}", found[0]);
}

#[test]
fn names_in_comments_and_strings_are_no_names() {
    let fine = [
        ROOT,
        ("cart.rs", "use crate::price::{self, tax::{A, B as C}, *};\n"),
        (
            "price.rs",
            "// crate::cart\n/* crate::cart */ fn f<'a>() -> &'a str { \"crate::cart\\\" crate::cart\" }\n\
             const R: &str = r#\"\" crate::cart \"#; const C: char = '\"'; // crate::cart\n",
        ),
    ];
    assert_eq!(check_sources(&fine), Vec::<String>::new());
    let found = words("use a::{b};\nlet c = '\\'';\nlet d: &'a str = \"x\";");
    assert_eq!(
        found.join(" "),
        "use a :: { b } ; let c = ; let d : & ' a str = ;"
    );
}
