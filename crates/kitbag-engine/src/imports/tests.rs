use super::*;

/// The file of `files` that an import names best; ties go to the shorter path, then by name.
fn resolve<'f>(import: &str, from: &RepoPath, files: &'f [RepoPath]) -> Option<&'f RepoPath> {
    files
        .iter()
        .filter(|file| *file != from)
        .map(|file| (strength(import, from, file), file))
        .filter(|(strength, _)| *strength > 0)
        .min_by(|(a, a_file), (b, b_file)| {
            b.cmp(a)
                .then(a_file.as_str().len().cmp(&b_file.as_str().len()))
                .then(a_file.cmp(b_file))
        })
        .map(|(_, file)| file)
}

fn check(import: &str, from: &str, expected: Option<&str>) {
    let files: Vec<RepoPath> = [
        "app/models/user.py",
        "app/models/__init__.py",
        "app/util.py",
        "crates/kitbag-rank/src/fuse.rs",
        "include/store/writer.h",
        "src/components/Button.tsx",
        "src/components/index.ts",
        "src/main/java/com/acme/shop/Cart.java",
        "src/store/mod.rs",
        "src/store/write.rs",
        "src/util.ts",
    ]
    .into_iter()
    .map(|path| RepoPath::new(path).unwrap())
    .collect();
    let from = RepoPath::new(from).unwrap();
    assert_eq!(
        resolve(import, &from, &files).map(RepoPath::as_str),
        expected,
        "{import} in {from}"
    );
}

#[test]
fn idx_20_imports_resolve_to_files_of_the_project() {
    check("app.models.user", "main.py", Some("app/models/user.py"));
    check("app.models.user.User", "main.py", Some("app/models/user.py"));
    check(".user", "app/models/admin.py", Some("app/models/user.py"));
    check("..util", "app/models/admin.py", Some("app/util.py"));
    check(
        "crate::store::write::Writer",
        "src/lib.rs",
        Some("src/store/write.rs"),
    );
    check("crate::store::Store", "src/lib.rs", Some("src/store/mod.rs"));
    check(
        "./components/Button",
        "src/app.tsx",
        Some("src/components/Button.tsx"),
    );
    check("../util", "src/components/Button.tsx", Some("src/util.ts"));
    check("./components", "src/app.tsx", Some("src/components/index.ts"));
    check(
        "kitbag_rank::fuse::List",
        "crates/kitbag-engine/src/retrieve.rs",
        Some("crates/kitbag-rank/src/fuse.rs"),
    );
    check("store/writer.h", "src/a.c", Some("include/store/writer.h"));
    check(
        "com.acme.shop.Cart",
        "src/main/java/com/acme/App.java",
        Some("src/main/java/com/acme/shop/Cart.java"),
    );
}

#[test]
fn what_is_not_here_stays_unresolved() {
    for import in [
        "react",
        "std::collections::HashMap",
        "java.util.List",
        "./missing",
        "",
        "..",
        "...",
        "/",
    ] {
        check(import, "src/app.tsx", None);
    }
}
