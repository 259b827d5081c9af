//! Histories of real repositories (MEM-3).

use kitbag_testkit::TempTree;

use super::*;

fn commit(tree: &TempTree, message: &str) {
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "--allow-empty", "-m", message]);
}

#[test]
fn mem_3_a_history_says_what_each_commit_changed_and_what_files_said() {
    let tree = TempTree::new("//- a.rs\nfn a() { one(); two(); three(); }\n//- b.rs\nb\n");
    tree.git(&["init", "-q"]);
    commit(&tree, "first");
    commit(&tree, "empty");
    tree.write("b.rs", "more\n");
    commit(&tree, "change");
    tree.remove("a.rs");
    tree.write("c/d.rs", "fn a() { one(); two(); three(); }\n");
    commit(&tree, "rename");
    tree.remove("b.rs");
    commit(&tree, "remove");
    let found = older_commits(tree.root(), 10).unwrap();
    let shown: Vec<String> = found
        .iter()
        .map(|commit| {
            let name = |path: &Option<RepoPath>| path.as_ref().map_or("-".to_owned(), ToString::to_string);
            let changes = commit.changes.iter();
            let shown: Vec<String> = changes
                .map(|one| format!("{}>{}", name(&one.old), name(&one.new)))
                .collect();
            shown.join(" ")
        })
        .collect();
    assert_eq!(shown, ["->a.rs ->b.rs", "", "b.rs>b.rs", "a.rs>c/d.rs", "b.rs>-"]);
    let path = |text: &str| RepoPath::new(text).unwrap();
    assert_eq!(
        text_at(tree.root(), &found[0].id, &path("b.rs")).as_deref(),
        Some("b\n")
    );
    assert_eq!(
        text_at(tree.root(), &found[2].id, &path("b.rs")).as_deref(),
        Some("more\n")
    );
    assert_eq!(text_at(tree.root(), &found[4].id, &path("b.rs")), None);
    assert_eq!(
        files_at(tree.root(), &found[3].id).unwrap(),
        [path("b.rs"), path("c/d.rs")]
    );
    let touching = commits_touching(tree.root(), &path("b.rs"), &found[0].id, 10).unwrap();
    assert_eq!(touching, [found[2].id.clone(), found[4].id.clone()]);
    assert_eq!(older_commits(tree.root(), 2).unwrap().len(), 2);
}

#[test]
fn sec_6_only_a_commit_is_handed_to_git() {
    let tree = TempTree::new("//- a.rs\na\n");
    tree.git(&["init", "-q"]);
    commit(&tree, "first");
    let path = RepoPath::new("a.rs").unwrap();
    for odd in ["HEAD", "--all", "", "abc", "1234567..HEAD"] {
        assert_eq!(text_at(tree.root(), odd, &path), None, "{odd}");
        assert_eq!(commits_touching(tree.root(), &path, odd, 5), None, "{odd}");
    }
}
