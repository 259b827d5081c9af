//! `kitbag symbol`.

use serde_json::json;

use crate::world::{SHOP, World, keys};

#[test]
fn cli_2_symbol_shows_definition_and_uses() {
    let world = World::new(SHOP);
    world.run(["symbol", "verify_password"]).check(
        0,
        "src/auth.rs:3-6  function  verify_password
    pub fn verify_password(given: &str, stored: &str) -> bool
    Checks a password against its stored hash.

callers
  src/main.rs:4  main  by name

callees
  src/auth.rs:8  hash_password  by name

tests
  tests/auth_test.rs:3  a_good_password_opens  by name
",
    );
}

#[test]
fn cli_3_symbol_as_json() {
    let world = World::new(SHOP);
    let (code, reply) = world.json(&["symbol", "Cart"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        keys(&reply),
        [
            "callees",
            "callers",
            "definitions",
            "implementors",
            "name",
            "similar",
            "tests",
            "warnings"
        ]
    );
    let definition = &reply["definitions"][0];
    assert_eq!(
        keys(definition),
        [
            "doc",
            "kind",
            "language",
            "line_end",
            "line_start",
            "name",
            "path",
            "signature",
            "visibility"
        ]
    );
    assert_eq!(
        (&definition["path"], &definition["line_start"]),
        (&json!("shop/cart.py"), &json!(1))
    );
}

#[test]
fn cli_3_an_unknown_symbol_names_similar_ones() {
    let world = World::new(SHOP);
    let ran = world.run(["symbol", "verify_pasword"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(
        ran.err,
        "no definition of `verify_pasword`; similar names: verify_password\n"
    );
    let (code, reply) = world.json(&["symbol", "verify_pasword"]);
    assert_eq!((code, &reply["similar"]), (Some(1), &json!(["verify_password"])));
}
