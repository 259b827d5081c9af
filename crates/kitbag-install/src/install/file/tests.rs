//! Files of other programs are replaced completely or not at all (MCP-6).

use std::os::unix::fs::{PermissionsExt as _, symlink};

use kitbag_testkit::TempTree;

use super::*;

#[test]
fn mcp_6_a_link_stays_a_link_and_permissions_stay() {
    let tree = TempTree::new("//- dotfiles/real.json\n{}\n");
    let real = tree.path("dotfiles/real.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = tree.path("link.json");
    symlink("dotfiles/real.json", &link).unwrap();
    replace(&link, Some(b"{}\n"), b"new").unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    let names: Vec<_> = fs::read_dir(tree.path("dotfiles"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names, ["real.json"], "nothing is left behind");
}

#[test]
fn mcp_6_a_link_to_nothing_yet_is_followed() {
    let tree = TempTree::empty();
    symlink("later.json", tree.path("link.json")).unwrap();
    replace(&tree.path("link.json"), None, b"x").unwrap();
    assert_eq!(fs::read(tree.path("later.json")).unwrap(), b"x");
    symlink("circle", tree.path("circle")).unwrap();
    assert!(replace(&tree.path("circle"), None, b"x").is_err());
}

#[test]
fn mcp_6_a_file_that_changed_meanwhile_is_left_alone() {
    let tree = TempTree::new("//- a.json\nnewer\n");
    let path = tree.path("a.json");
    let error = replace(&path, Some(b"older\n"), b"ours").unwrap_err();
    assert!(error.to_string().contains("in the meantime"), "{error}");
    assert!(delete(&path, b"older\n", tree.root()).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"newer\n");
}

#[test]
fn mcp_6_the_backup_is_as_private_as_the_file() {
    let tree = TempTree::new("//- a.json\nsecret\n");
    let path = tree.path("a.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    back_up(&path, b"secret\n").unwrap();
    let backup = tree.path("a.json.kitbag-backup");
    assert_eq!(fs::read(&backup).unwrap(), b"secret\n");
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    back_up(&path, b"later\n").unwrap();
    assert_eq!(fs::read(&backup).unwrap(), b"later\n", "there is one");
}

#[test]
fn mcp_6_empty_folders_go_with_the_file_up_to_the_home() {
    let tree = TempTree::new(
        "//- home/.kiro/settings/mcp.json\n{}\n//- home/.cursor/other\nx\n//- home/.cursor/mcp.json\n{}\n",
    );
    let home = tree.path("home");
    delete(&home.join(".kiro/settings/mcp.json"), b"{}\n", &home).unwrap();
    assert!(!home.join(".kiro").exists() && home.exists());
    delete(&home.join(".cursor/mcp.json"), b"{}\n", &home).unwrap();
    assert!(home.join(".cursor/other").exists());
}
