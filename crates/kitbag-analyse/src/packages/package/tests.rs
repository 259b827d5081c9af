use super::super::tests::{files, packages_of};
use super::*;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

#[test]
fn pkg_7_a_file_belongs_to_the_deepest_folder_and_there_to_its_language() {
    let (packages, _) = packages_of(&files(
        "//- package.json\n{\"name\":\"js\"}\n//- composer.json\n{\"name\":\"php/php\"}\n//- a/go.mod\nmodule go\n//- ab/x\n",
    ));
    let name = |file: &str| {
        packages
            .of_file(&path(file))
            .map(|at| packages.list()[at].name.as_str())
    };
    assert_eq!(name("x.php"), Some("php/php"));
    assert_eq!(name("x.ts"), Some("js"));
    assert_eq!(name("README.md"), Some("js"));
    assert_eq!(name("a/b/c/x.php"), Some("go"));
    assert_eq!(name("ab/x.go"), Some("js"));
}

#[test]
fn pkg_7_a_file_outside_every_package_belongs_to_none() {
    let (packages, _) = packages_of(&files("//- a/go.mod\nmodule go\n//- b/x.c\n"));
    assert_eq!(packages.of_file(&path("b/x.c")), None);
    let sizes = packages.sizes(&[(path("a/x.go"), 10), (path("a/b/y.go"), 5), (path("b/x.c"), 7)]);
    assert_eq!(
        sizes,
        [Size {
            n_files: 2,
            n_lines: 15
        }]
    );
}

#[test]
fn pkg_3_typescript_when_manifest_or_sources_say_so() {
    for (tree, language) in [
        (
            "//- package.json\n{\"name\":\"a\"}\n//- a.js\n//- b.js\n//- c.ts\n",
            "javascript",
        ),
        (
            "//- package.json\n{\"name\":\"a\"}\n//- a.js\n//- b.ts\n//- c.tsx\n",
            "typescript",
        ),
        (
            "//- package.json\n{\"name\":\"a\"}\n//- a.js\n//- tsconfig.json\n{}\n",
            "typescript",
        ),
        (
            "//- package.json\n{\"name\":\"a\",\"types\":\"x\"}\n//- a.js\n",
            "typescript",
        ),
    ] {
        assert_eq!(
            packages_of(&files(tree)).0.list()[0].language,
            Some(language),
            "{tree}"
        );
    }
}
