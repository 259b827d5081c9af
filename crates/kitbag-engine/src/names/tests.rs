use super::*;

fn symbol(path: &str, container: &str) -> SymbolRow {
    SymbolRow {
        file: 1,
        parse: kitbag_store::ParseId(1),
        idx: 0,
        path: RepoPath::new(path).unwrap(),
        language: String::new(),
        name: "it".into(),
        kind: SymbolKind::Function,
        container: container.into(),
        signature: String::new(),
        exported: true,
        doc: String::new(),
        lines: kitbag_types::LineRange::new(1, 1),
        name_line: 1,
        declared: String::new(),
    }
}

#[test]
fn ret_11_qualifiers_name_containers_modules_and_packages() {
    /// Qualifiers, path, container, packages; how many levels were skipped.
    type Row<'r> = (&'r [&'r str], &'r str, &'r str, &'r [&'r str], Option<usize>);
    let table: &[Row<'_>] = &[
        // A module passes on what lies below it.
        (&["axum"], "axum/src/routing/mod.rs", "", &[], Some(2)),
        (&["axum", "routing"], "axum/src/routing/mod.rs", "", &[], Some(1)),
        (&["routing"], "axum/src/routing/mod.rs", "", &[], Some(0)),
        (&["axum_extra"], "axum-extra/src/routing.rs", "", &[], Some(2)),
        (
            &["axum", "Router"],
            "axum/src/routing/mod.rs",
            "Router",
            &[],
            Some(2),
        ),
        // The innermost container cannot be left out, and the order counts.
        (&["axum"], "axum/src/routing/mod.rs", "Router", &[], None),
        (&["routing", "axum"], "axum/src/routing/mod.rs", "", &[], None),
        (
            &["Phoenix", "Channel"],
            "lib/phoenix/channel.ex",
            "Phoenix.Channel",
            &[],
            Some(0),
        ),
        (
            &["Channel"],
            "lib/phoenix/channel.ex",
            "Phoenix.Channel",
            &[],
            Some(0),
        ),
        (
            &["Phoenix"],
            "lib/phoenix/channel.ex",
            "Phoenix.Channel",
            &[],
            None,
        ),
        (&["App", "Models"], "app/Models/User.php", "", &[], Some(1)),
        (
            &["gin"],
            "context.go",
            "",
            &["github", "com", "gin-gonic", "gin"],
            Some(1),
        ),
        (&["gin"], "context.go", "", &[], None),
        (&["Outer", "Inner"], "a.py", "Outer::Inner", &[], Some(0)),
        (&["Other"], "a.py", "Outer::Inner", &[], None),
    ];
    for (qualifiers, path, container, package, expected) in table {
        let found = distance(qualifiers, &symbol(path, container), package, false, same);
        assert_eq!(found, *expected, "{qualifiers:?} {path} {container}");
    }
    assert_eq!(
        distance(&["store"], &symbol("lib/store.lua", "M"), &[], true, same),
        Some(0)
    );
    assert_eq!(
        distance(&["lib"], &symbol("lib/store.lua", "M"), &[], true, same),
        None
    );
}

#[test]
fn ret_11_a_module_is_found_beside_the_file_that_passes_it_on() {
    assert_eq!(
        relative("src", "./v4/external.js").as_deref(),
        Some("src/v4/external")
    );
    assert_eq!(relative("src/v4", "../index").as_deref(), Some("src/index"));
    assert_eq!(relative("src", "../../x"), None);
    assert_eq!(relative("src", "react"), None);
    let path = RepoPath::new("src/v4/schemas.ts").unwrap();
    assert!(!is_of_module(&path, "src/v4/external", true));
    assert!(is_of_module(&path, "src/v4/external", false));
    assert!(is_of_module(&path, "src/v4/schemas", true));
    assert!(is_of_module(&path, "src/v4", true));
    assert!(!is_of_module(&path, "src/v", true));
}
