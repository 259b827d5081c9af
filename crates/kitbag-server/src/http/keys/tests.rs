//! Which settings are valid, and which headers a request needs.

use axum::http::HeaderValue;

use super::*;

const ANN: &str = "ann-0123456789abcdef";
const BEN: &str = "ben-fedcba9876543210";

fn both() -> Keys {
    Keys(parsed(&format!("ann:{ANN}, ben:{BEN}")).unwrap())
}

#[test]
fn http_2_keys_that_cannot_be_are_refused_and_not_repeated() {
    let check = |text: &str, expected: &str| {
        let failure = parsed(text).err().unwrap_or_else(|| panic!("{text} was taken"));
        assert_eq!(failure.code, "CONFIG_ERROR");
        assert!(failure.message.contains(expected), "{text}: {}", failure.message);
        assert!(!failure.message.contains(ANN), "{}", failure.message);
    };
    check(ANN, "number 1 has no name");
    check(&format!(":{ANN}"), "number 1 has no name of its own");
    check(&format!("a b:{ANN}"), "number 1 has no name of its own");
    check(&format!("ann:{ANN},ann:{BEN}"), "number 2 has no name of its own");
    check(&format!("ann:{ANN},"), "number 2 has no name");
    check("ann:short", "the key of ann is shorter than 16 characters");
    check("ann:0123456789 abcdef", "the key of ann has a character");
    check(&format!("ann:{ANN},ben:{ANN}"), "ann and ben have the same key");
    check(&format!("ann:{ANN},ben: {ANN} "), "ann and ben have the same key");
}

#[test]
fn http_2_only_the_whole_key_is_a_key() {
    let keys = both();
    let check = |name: &'static str, value: &str, expected: Option<&str>| {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        assert_eq!(keys.user(&headers).as_deref(), expected, "{name}: {value}");
    };
    check("authorization", &format!("Bearer {ANN}"), Some("ann"));
    check("authorization", &format!("bearer  {BEN}"), Some("ben"));
    check("x-api-key", BEN, Some("ben"));
    check("authorization", &format!("Basic {ANN}"), None);
    check("authorization", "Bearer ", None);
    check("authorization", ANN, None);
    check("x-api-key", &ANN[1..], None);
    check("x-api-key", &format!("{ANN}x"), None);
    check("x-api-key", "ann", None);
    check("x-api-key", &format!("{ANN},{BEN}"), None);
    assert_eq!(keys.user(&HeaderMap::new()), None);
}
