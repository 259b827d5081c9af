use super::*;
use crate::tests::conventions;

fn check(path: &str, expected: &[PathClass]) {
    assert_eq!(
        classes(&RepoPath::new(path).unwrap(), conventions()),
        expected,
        "{path}"
    );
}

#[test]
fn ret_20_paths_tell_what_a_file_is() {
    use PathClass::*;
    check("src/main.rs", &[]);
    check("src/latest.rs", &[]);
    check("src/contest/protest.go", &[]);
    check("src/store/tests.rs", &[Test]);
    check("pkg/store_test.go", &[Test]);
    check("test_api.py", &[Test]);
    check("conftest.py", &[Test]);
    check("web/app.test.tsx", &[Test]);
    check("src/UserServiceTest.java", &[Test]);
    check("spec/models/user_spec.rb", &[Test]);
    check("examples/basic/main.go", &[Example]);
    check("vendor/lib/x.go", &[Vendored]);
    check("app/compat/py2.py", &[Legacy]);
    check("app/__init__.py", &[Reexport]);
    check("types/index.d.ts", &[Declaration]);
    check("CHANGELOG.md", &[Changelog]);
    check("LICENSE", &[Changelog]);
    check("src/history.rs", &[]);
    check("docs/guide.md", &[Docs]);
    check("config/app.yaml", &[Config]);
    check(".husky/pre-commit", &[Config]);
    check("web/.storybook/main.ts", &[Config]);
    check(".github/workflows/ci.yml", &[Config]);
    check(".github/CONTRIBUTING.md", &[Docs]);
    check(".eslintrc.js", &[]);
    check("tests/fixtures/vendor/a.json", &[Test, Vendored, Config]);
}

#[test]
fn ret_11_code_stands_before_tests_before_what_tools_made() {
    let standing = |path: &str| super::standing(&RepoPath::new(path).unwrap(), conventions());
    for (path, expected) in [
        ("src/router.rs", 0),
        ("examples/hello/main.rs", 1),
        ("tests/router.rs", 2),
        ("vendor/router/router.go", 3),
        ("priv/static/phoenix.js", 4),
        ("packages/app/dist/index.js", 4),
        ("assets/jquery.min.js", 4),
        ("api/user_pb2.py", 4),
    ] {
        assert_eq!(standing(path), expected, "{path}");
    }
}
