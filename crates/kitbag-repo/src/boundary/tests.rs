//! The fingerprint of a boundary (IDX-8).

use super::BoundaryOptions;

#[test]
fn idx_8_every_field_that_decides_changes_the_fingerprint() {
    let base = BoundaryOptions::default();
    let list = || vec!["x".to_owned()];
    let changed = [
        BoundaryOptions {
            watch_paths: list(),
            ..base.clone()
        },
        BoundaryOptions {
            ignore_patterns: list(),
            ..base.clone()
        },
        BoundaryOptions {
            allowed_extensions: list(),
            ..base.clone()
        },
        BoundaryOptions {
            blocked_extensions: list(),
            ..base.clone()
        },
        BoundaryOptions {
            size_exceptions: list(),
            ..base.clone()
        },
        BoundaryOptions {
            max_file_bytes: 1,
            ..base.clone()
        },
        BoundaryOptions {
            follow_symlinks: true,
            ..base.clone()
        },
        BoundaryOptions {
            hidden: true,
            ..base.clone()
        },
        BoundaryOptions {
            use_dockerignore: true,
            ..base.clone()
        },
        BoundaryOptions {
            use_gitignore: false,
            ..base.clone()
        },
        BoundaryOptions {
            global_ignore: Some("x".into()),
            ..base.clone()
        },
    ];
    let mut seen = vec![base.fingerprint()];
    for options in changed {
        assert!(!seen.contains(&options.fingerprint()), "{options:?}");
        seen.push(options.fingerprint());
    }
}

#[test]
fn idx_8_what_means_the_same_has_the_same_fingerprint() {
    let with = |extensions: &[&str]| BoundaryOptions {
        allowed_extensions: extensions.iter().map(|text| (*text).to_owned()).collect(),
        ..BoundaryOptions::default()
    };
    assert_eq!(
        with(&["rs", "py"]).fingerprint(),
        with(&[".PY", ".rs"]).fingerprint()
    );
    assert_eq!(
        BoundaryOptions {
            warn_file_bytes: 1,
            ..with(&[])
        }
        .fingerprint(),
        with(&[]).fingerprint()
    );
}
