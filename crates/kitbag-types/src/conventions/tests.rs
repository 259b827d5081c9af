use super::*;

fn conventions() -> Conventions {
    let naming = |language, extensions, test_paths| Naming {
        language,
        extensions,
        filenames: &[],
        test_paths,
    };
    Conventions::new(
        vec![
            naming("python", &["py", "pyw"], &["tests/", "test_*", "*_test.py"]),
            naming("kotlin", &["kt"], &["androidTest/", "*Test.kt"]),
            naming("scala", &["scala"], &["it/", "*Suite.scala"]),
        ],
        &["txt"],
        &["test", "fixtures"],
    )
}

#[test]
fn idx_21_test_files_by_their_paths() {
    let known = [
        ("tests/unit/a.py", true),
        ("pkg/test_a.py", true),
        ("pkg/attest_a.py", false),
        ("contests/a.py", false),
        ("pkg/conftest.py", true),
        ("src/latest.kt", false),
        ("src/LoginTest.kt", true),
        ("app/src/androidTest/Login.kt", true),
        ("app/src/androidTest/Login.py", false),
        ("modules/it/Db.scala", true),
        ("locales/it/names.txt", false),
        ("src/DbSuite.scala", true),
        ("fixtures/a.bin", true),
        ("Test/a.bin", true),
        ("src/x.spec.js", true),
    ];
    for (path, expected) in known {
        let found = conventions().is_test(&RepoPath::new(path).unwrap());
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn ret_2_endings_of_files_are_those_of_languages_and_of_plain_files() {
    for (extension, expected) in [
        ("py", true),
        ("PYW", true),
        ("txt", true),
        ("rs", false),
        ("", false),
    ] {
        assert_eq!(conventions().is_extension(extension), expected, "{extension}");
    }
}
