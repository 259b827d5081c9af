use super::*;

#[test]
fn pkg_4_paths_never_leave_the_repository() {
    for (folder, relative, expected) in [
        ("a", "b", Some("a/b")),
        ("a", "./b//c/", Some("a/b/c")),
        ("a/b", "..\\c", Some("a/c")),
        ("a", "..", Some("")),
        ("a", "../..", None),
        ("", "/etc", None),
        ("a", "C:/x", None),
        ("a", "", Some("a")),
    ] {
        assert_eq!(
            join(folder, relative).as_deref(),
            expected,
            "{folder} + {relative}"
        );
    }
}

#[track_caller]
fn check(members: &[&str], folders: &[(&str, bool)]) {
    let list: Vec<Member> = members
        .iter()
        .map(|text| Member::new(text.trim_start_matches('!'), 1, text.starts_with('!')))
        .collect();
    let (members, notes) = Members::new("w", &list, &mut Effort::default());
    assert!(notes.is_empty(), "{notes:?}");
    for (folder, expected) in folders {
        assert_eq!(members.contain(folder), *expected, "{folder}");
    }
}

#[test]
fn pkg_2_the_last_pattern_that_fits_decides() {
    check(
        &["packages/**", "!packages/old", "packages/old/kept"],
        &[
            ("w/packages/a", true),
            ("w/packages/a/b", true),
            ("w/packages/old", false),
            ("w/packages/old/x", false),
            ("w/packages/old/kept", true),
            ("packages/a", false),
            ("w/other", false),
        ],
    );
}

#[test]
fn pkg_2_a_star_stays_in_its_folder_and_out_of_hidden_ones() {
    check(
        &["*", "{x,y}/z?", ".github/*", "**/named", "../beside"],
        &[
            ("w/a", true),
            ("w/a/b", false),
            ("w/.a", false),
            ("w/.github/a", true),
            ("w/x/z1", true),
            ("w/q/z1", false),
            ("w/deep/down/named", true),
            ("deep/down/named", false),
            ("beside", true),
        ],
    );
}
