use super::super::tests::{files, packages_of};
use super::*;

/// What an import in a file means: the name of a package, or nothing.
#[track_caller]
fn check(tree: &str, from: &str, import: &str, expected: Option<&str>) {
    let tree = files(tree);
    let (packages, _) = packages_of(&tree);
    let paths: Vec<RepoPath> = tree.into_iter().map(|(path, _)| path).collect();
    let from = RepoPath::new(from).unwrap();
    assert!(paths.contains(&from));
    let found = imports(&packages, &paths, [(&from, 3, import)].into_iter());
    let name = found.first().map(|found| packages.list()[found.to].name.as_str());
    assert_eq!(name, expected, "{import}");
}

const NODE: &str = r#"
//- package.json
{"name":"top","workspaces":["libs/*"]}
//- libs/core/package.json
{"name":"@shop/core"}
//- libs/core/src/index.ts
x
//- libs/app/package.json
{"name":"@shop/app"}
//- libs/app/src/main.ts
x
//- libs/app/tsconfig.json
x
"#;

#[test]
fn pkg_6_scripts_import_packages_by_name_and_by_way() {
    let from = "libs/app/src/main.ts";
    check(&NODE[1..], from, "@shop/core", Some("@shop/core"));
    check(&NODE[1..], from, "@shop/core/src/index", Some("@shop/core"));
    check(&NODE[1..], from, "../../core/src", Some("@shop/core"));
    check(&NODE[1..], from, "../../core", Some("@shop/core"));
    check(&NODE[1..], from, "@shop/core-extra", None);
    check(&NODE[1..], from, "./other", None);
    check(&NODE[1..], from, "../../../../../etc", None);
    check(&NODE[1..], from, "@shop/app/x", None);
    check(
        &NODE[1..],
        "libs/app/tsconfig.json",
        "../../tsconfig.base.json",
        None,
    );
}

#[test]
fn pkg_6_rust_and_go_import_packages_by_name() {
    let rust = "//- Cargo.toml\n[workspace]\nmembers = [\"a-b\", \"c\"]\n//- a-b/Cargo.toml\n[package]\nname = \"a-b\"\n\
                //- c/Cargo.toml\n[package]\nname = \"c\"\n//- c/src/lib.rs\nx\n";
    check(rust, "c/src/lib.rs", "a_b::Thing", Some("a-b"));
    check(rust, "c/src/lib.rs", "std::fmt", None);
    let go = "//- go.mod\nmodule example.org/x\n//- tools/go.mod\nmodule example.org/x/tools\n//- tools/main.go\nx\n//- a.go\nx\n";
    check(go, "tools/main.go", "example.org/x/store", Some("example.org/x"));
    check(
        go,
        "a.go",
        "example.org/x/tools/lint",
        Some("example.org/x/tools"),
    );
    check(go, "a.go", "example.org/xy", None);
}

#[test]
fn pkg_6_python_and_java_import_packages_by_the_way_to_a_file() {
    let python = "//- a/pyproject.toml\n[project]\nname = \"a-dist\"\n//- a/src/alpha/__init__.py\nx\n//- a/src/alpha/deep/util.py\nx\n\
                  //- b/pyproject.toml\n[project]\nname = \"b-dist\"\n//- b/beta/main.py\nx\n//- b/tests/test_x.py\nx\n//- a/tests/test_y.py\nx\n";
    check(python, "b/beta/main.py", "alpha.deep.util", Some("a-dist"));
    check(python, "b/beta/main.py", "alpha", Some("a-dist"));
    check(python, "b/beta/main.py", "deep", None);
    check(python, "b/beta/main.py", "__init__", None);
    check(python, "b/beta/main.py", "tests.test_x", None);
    check(python, "b/beta/main.py", ".alpha", None);
    let java = "//- pom.xml\n<project><artifactId>top</artifactId><modules><module>a</module><module>b</module></modules></project>\n\
                //- a/pom.xml\n<project><artifactId>a</artifactId></project>\n//- b/pom.xml\n<project><artifactId>b</artifactId></project>\n\
                //- a/src/main/java/org/shop/core/Cart.java\nx\n//- b/src/main/java/org/shop/web/Page.java\nx\n\
                //- b/src/main/java/util/Odd.java\nx\n";
    let page = "b/src/main/java/org/shop/web/Page.java";
    check(java, page, "org.shop.core.Cart", Some("a"));
    check(java, page, "org.shop.core.Cart.Line", Some("a"));
    check(java, page, "org.shop.web.Other", None);
    check(
        java,
        "a/src/main/java/org/shop/core/Cart.java",
        "java.util.List",
        None,
    );
}
