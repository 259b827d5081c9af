//! The forms of a folder's path.

use super::*;

#[test]
fn mcp_7_a_root_is_an_address_or_a_path() {
    let check = |text: &str, expected: Option<&str>| assert_eq!(path_of(text), expected.map(PathBuf::from));
    check("/home/me/shop", Some("/home/me/shop"));
    check("file:///home/me/my%20shop", Some("/home/me/my shop"));
    check("file://localhost/x", Some("/x"));
    check("file:///100%/a%2", Some("/100%/a%2"));
    check("file://elsewhere/x", None);
    check("https://example.org/x", None);
    check("file:///%ff", None);
}
