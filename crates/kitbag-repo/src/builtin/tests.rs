//! The tables of built-in rules (IDX-3, IDX-4).

use super::*;

#[test]
fn tables_that_are_searched_are_sorted() {
    for table in [
        FOLDERS,
        BUILD_MANIFESTS,
        FILES,
        BINARY_EXTENSIONS,
        DESCRIBING_FOLDERS,
    ] {
        assert!(
            table.is_sorted(),
            "{:?}",
            table.windows(2).find(|pair| pair[0] > pair[1])
        );
    }
}

#[test]
fn idx_3_rules_are_named() {
    assert_eq!(folder_rule("node_modules"), Some("node_modules"));
    assert_eq!(folder_rule("kit.egg-info"), Some("kit.egg-info"));
    assert_eq!(folder_rule("build"), None);
    assert_eq!(file_rule("Cargo.lock").as_deref(), Some("Cargo.lock"));
    assert_eq!(file_rule("app.min.js").as_deref(), Some("*.min.js"));
    assert_eq!(file_rule("api.pb.go").as_deref(), Some("*.pb.go"));
    assert_eq!(file_rule("Types.generated.ts").as_deref(), Some("*.generated.*"));
    assert_eq!(file_rule("build"), None);
    assert_eq!(file_rule("main.rs"), None);
    assert_eq!(never_rule("me.Private"), Some("*.private"));
    assert_eq!(never_rule("a.secret"), Some("*.secret"));
    assert_eq!(never_rule("secret.rs"), None);
}

#[test]
fn idx_4_binary_by_extension() {
    assert_eq!(binary_extension("logo.PNG"), Some("png"));
    assert_eq!(binary_extension("main.rs"), None);
    assert_eq!(binary_extension(".zip"), None);
    assert_eq!(binary_extension("Makefile"), None);
}
