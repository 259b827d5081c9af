//! That what was written is read back is one of the laws (`tests/laws.rs`). Here: what is torn or foreign is refused.

use super::*;
use crate::packages::{assemble, read};

fn sample() -> (Vec<u8>, Vec<u8>) {
    let path = RepoPath::new("a/Cargo.toml").unwrap();
    let text = "[package]\nname = \"a\"\n[dependencies]\nb = { path = \"../b\", version = \"1\" }\n[workspace]\nmembers = [\"x\"]\n";
    let manifest = read(&path, text).unwrap();
    let files = [path.clone()];
    let (packages, notes) = assemble(&files, &[(&path, &manifest)], "root");
    (manifest.to_bytes(), packages.to_bytes(&notes))
}

#[test]
fn pkg_8_torn_and_foreign_bytes_are_refused() {
    let (manifest, packages) = sample();
    assert!(Manifest::from_bytes(&manifest).is_some());
    assert!(Packages::from_bytes(&packages).is_some());
    for n in 0..manifest.len() {
        assert_eq!(Manifest::from_bytes(&manifest[..n]), None, "{n}");
    }
    for n in 0..packages.len() {
        assert_eq!(Packages::from_bytes(&packages[..n]), None, "{n}");
    }
    assert_eq!(Manifest::from_bytes(&[manifest, vec![0]].concat()), None);
    assert_eq!(Manifest::from_bytes(&[255; 64]), None);
}

#[test]
fn pkg_8_a_dependency_on_a_package_that_is_not_there_is_refused() {
    let (_, packages) = sample();
    let (found, notes) = Packages::from_bytes(&packages).unwrap();
    let mut list = found.list().to_vec();
    list[0].dependencies[0].package = Some(7);
    assert_eq!(Packages::from_bytes(&Packages::new(list).to_bytes(&notes)), None);
}
