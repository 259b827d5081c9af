use super::super::tests::{files, packages_of};
use super::*;

fn packages() -> Packages {
    let package = |path: &str, name: &str| format!("//- {path}/package.json\n{{\"name\":\"{name}\"}}\n");
    let tree = [
        package("libs/core", "@demo/core"),
        package("libs/core-ui", "@demo/core-ui"),
        package("apps/web", "web"),
        package("apps/admin/web", "@admin/web"),
        package("old/api", "api"),
        package("new/api", "api"),
    ];
    packages_of(&files(&tree.concat())).0
}

#[track_caller]
fn check(wanted: &str, expected: &[&str]) {
    let packages = packages();
    let found = match packages.find(wanted) {
        Ok(at) => vec![at],
        Err(NotOne::Several(found) | NotOne::None(found)) => found,
    };
    let paths: Vec<&str> = found
        .iter()
        .map(|at| packages.list()[*at].path.as_str())
        .collect();
    assert_eq!(paths, expected, "{wanted}");
}

#[test]
fn pkg_5_name_then_path_then_ends_then_parts() {
    check("@demo/core", &["libs/core"]);
    check("web", &["apps/web"]);
    check("apps/web", &["apps/web"]);
    check("./libs/core/", &["libs/core"]);
    check("core", &["libs/core"]);
    check("admin/web", &["apps/admin/web"]);
    check("core-u", &["libs/core-ui"]);
}

#[test]
fn pkg_5_several_are_listed_and_none_names_the_nearest() {
    check("api", &["new/api", "old/api"]);
    check("libs", &["libs/core", "libs/core-ui"]);
    let packages = packages();
    let several = packages.find("api").unwrap_err();
    assert_eq!(
        packages.explain("api", &several),
        "`api` may be any of api (new/api), api (old/api); name one by its path"
    );
    let none = packages.find("wbe").unwrap_err();
    assert!(
        matches!(&none, NotOne::None(nearest) if !nearest.is_empty()),
        "{none:?}"
    );
    assert!(packages.explain("wbe", &none).contains("web (apps/web)"));
    assert!(
        packages
            .explain("?", &packages.find("?").unwrap_err())
            .contains("there are")
    );
}
