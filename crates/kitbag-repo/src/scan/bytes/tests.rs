use kitbag_testkit::fuzz::{Material, fuzz};

use super::*;

fn sample() -> Scan {
    let stamp = FileStamp {
        size: 3,
        mtime_ns: -5,
    };
    Scan {
        taken_at: Timestamp(7),
        boundary: [9; 32],
        files: vec![ScannedFile {
            path: RepoPath::new("a \n\"b\".rs").unwrap(),
            stamp,
        }],
        folders: vec![ScannedFolder {
            path: String::new(),
            stamp: FolderStamp {
                changed_ns: 1,
                inode: u64::MAX,
            },
        }],
        consulted: vec![
            ConsultedFile {
                path: ".gitignore".into(),
                stamp: None,
            },
            ConsultedFile {
                path: "/x".into(),
                stamp: Some((1, 2)),
            },
        ],
        repositories: vec![Repository {
            path: String::new(),
            index: Some(stamp),
            tracked: [4; 32],
        }],
        skipped: vec![(
            "target".into(),
            Skip {
                reason: SkipReason::BuiltIn,
                detail: "built-in: target".into(),
            },
        )],
        notes: Vec::new(),
    }
}

#[test]
fn a_scan_survives_being_kept() {
    assert_eq!(Scan::from_bytes(&sample().to_bytes()), Some(sample()));
}

#[test]
fn torn_bytes_are_no_scan() {
    let bytes = sample().to_bytes();
    for cut in 0..bytes.len() {
        assert_eq!(Scan::from_bytes(&bytes[..cut]), None, "cut at {cut}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(Scan::from_bytes(&longer), None);
    let mut other = bytes;
    other[0] = 200;
    assert_eq!(Scan::from_bytes(&other), None);
}

#[test]
fn sec_6_fuzz_scan() {
    let material = Material::new(
        &[sample().to_bytes()],
        &["\0\0\0\0\0\0\0\0", "\u{7f}\0\0\0\0\0\0\0", "a.rs", "built-in"],
    );
    fuzz("scan", &material, |input| {
        let scan = Scan::from_bytes(input);
        assert!(scan.is_none_or(|scan| scan.to_bytes() == input));
    });
}
