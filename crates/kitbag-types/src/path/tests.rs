use super::*;

#[test]
fn idx_6_only_clean_relative_paths_are_accepted() {
    for (text, expected) in [
        ("src/main.rs", None),
        ("a b/\"c\"\n.txt", None),
        ("", Some(InvalidPath::Empty)),
        ("/etc/passwd", Some(InvalidPath::Absolute)),
        ("../x", Some(InvalidPath::Component)),
        ("a/../b", Some(InvalidPath::Component)),
        ("a//b", Some(InvalidPath::Component)),
        ("a/./b", Some(InvalidPath::Component)),
        ("a/", Some(InvalidPath::Component)),
        ("a\0b", Some(InvalidPath::Nul)),
    ] {
        assert_eq!(RepoPath::new(text).err(), expected, "{text:?}");
    }
}

#[test]
fn parts_of_a_path() {
    for (text, name, stem, extension, folder) in [
        ("src/app.test.ts", "app.test.ts", "app", Some("ts"), "src"),
        ("Makefile", "Makefile", "Makefile", None, ""),
        ("a/.bashrc", ".bashrc", ".bashrc", None, "a"),
        (
            "a/b/.eslintrc.json",
            ".eslintrc.json",
            ".eslintrc",
            Some("json"),
            "a/b",
        ),
        ("x.", "x.", "x", None, ""),
    ] {
        let path = RepoPath::new(text).unwrap();
        assert_eq!(
            (path.file_name(), path.stem(), path.extension(), path.folder()),
            (name, stem, extension, folder),
            "{text}"
        );
    }
}

#[test]
fn a_relative_path_leads_somewhere_inside_or_nowhere() {
    let check = |folder: &str, relative: &str, expected: Option<&str>| {
        assert_eq!(
            leads_to(folder, relative).as_deref(),
            expected,
            "{folder} {relative}"
        );
    };
    check("src/web", "../lib//a.ts", Some("src/lib/a.ts"));
    check("src", "./a.ts", Some("src/a.ts"));
    check("src", "..", Some(""));
    check("src", "../../a.ts", None);
    check("", "a.ts", Some("a.ts"));
}
