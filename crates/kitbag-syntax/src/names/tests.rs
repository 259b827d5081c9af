//! Names without decoration.

use super::{clip, container_name, definition_name, import_paths, last_part};

#[test]
fn references_keep_their_last_part() {
    let known = [
        ("foo", "foo"),
        ("a::b::foo", "foo"),
        ("std.io.Reader<T>", "Reader"),
        ("*Server", "Server"),
        ("Generic[T]", "Generic"),
        ("App\\Models\\User", "User"),
        ("React.Component<Props>", "Component"),
        ("", ""),
        ("<", "<"),
    ];
    for (text, expected) in known {
        assert_eq!(last_part(text), expected, "{text:?}");
    }
}

#[test]
fn containers_are_joined_by_colons() {
    assert_eq!(container_name("*pkg.Server[T]"), "pkg::Server");
    assert_eq!(container_name("Bounded<T, N>"), "Bounded");
    assert_eq!(container_name("a::b"), "a::b");
    assert_eq!(container_name("Ring<T, Box<N>>::Iterator<T>"), "Ring::Iterator");
}

#[test]
fn definition_names_are_one_line_without_quotes() {
    assert_eq!(definition_name("\"virtual:env\""), "virtual:env");
    assert_eq!(definition_name("From  source ##"), "From source");
    assert_eq!(definition_name("\""), "\"");
    assert_eq!(definition_name(&"é".repeat(5_000)).chars().count(), 120);
}

#[test]
fn idx_20_import_groups_are_spelt_out() {
    let paths = |text: &str| -> Vec<(String, String)> {
        import_paths(text)
            .into_iter()
            .map(|import| (import.path, import.local))
            .collect()
    };
    let pair = |path: &str, local: &str| (path.to_owned(), local.to_owned());
    assert_eq!(paths("\"./x/mod\""), [pair("./x/mod", "mod")]);
    assert_eq!(paths("a::b as c"), [pair("a::b", "c")]);
    assert_eq!(
        paths("a::{b, c::{self, d as e},\n f::*}"),
        [
            pair("a::b", "b"),
            pair("a::c", "c"),
            pair("a::c::d", "e"),
            pair("a::f::*", "f")
        ]
    );
    assert_eq!(paths("}}{,{,"), []);
    assert!(import_paths(&"{a,".repeat(10_000)).len() <= 100);
}

#[test]
fn clipping_counts_characters() {
    assert_eq!(clip("漢字かな", 4), "漢字かな");
    assert_eq!(clip("漢字かな", 3), "漢字…");
}
