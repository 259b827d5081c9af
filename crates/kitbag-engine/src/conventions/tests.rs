use kitbag_pack::Role;
use kitbag_types::{ChunkKind, LineRange, Reference};

use super::*;
use crate::pack::role_of;

#[test]
fn ret_2_every_extension_of_the_table_is_a_file_reference() {
    let extensions = conventions()
        .namings()
        .iter()
        .flat_map(|naming| naming.extensions);
    for extension in extensions {
        let query = analyse(&format!("fix widget.{extension}:7"));
        let expected = Reference::File {
            path: format!("widget.{extension}"),
            lines: Some(LineRange::new(7, 7)),
        };
        assert_eq!(query.references, [expected], "{extension}");
    }
}

#[test]
fn ret_20_pack_50_every_test_path_of_the_table_is_a_test_to_ranking_and_packing() {
    for naming in conventions().namings() {
        let extension = naming.extensions[0];
        for pattern in naming.test_paths {
            let path = match pattern.strip_suffix('/') {
                Some(folder) => format!("app/{folder}/login.{extension}"),
                None if pattern.ends_with('*') => {
                    format!("app/{}.{extension}", pattern.replace('*', "login"))
                }
                None => format!("app/{}", pattern.replace('*', "login")),
            };
            let repo_path = RepoPath::new(path.clone()).unwrap();
            assert!(classes(&repo_path).contains(&PathClass::Test), "{path}");
            let role = role_of(&repo_path, ChunkKind::CodeFunction, naming.language, "login");
            assert_eq!(role, Role::Test, "{path}");
        }
    }
}

#[test]
fn ret_20_what_only_sounds_like_a_test_is_none() {
    for path in [
        "src/latest.rs",
        "src/contest/protest.go",
        "locales/it/names.json",
        "benches/readme.md",
        "src/attestation.py",
    ] {
        assert!(!is_test(&RepoPath::new(path).unwrap()), "{path}");
    }
}
