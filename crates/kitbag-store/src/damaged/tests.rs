use super::*;

#[test]
fn idx_30_the_newest_two_of_a_kind_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    for n in 1..=4 {
        for (name, kind) in [("kitbag.db", DATABASES), ("journal.db", JOURNALS)] {
            std::fs::write(dir.path().join(name), vec![0; n]).unwrap();
            let aside = set_aside(dir.path(), name, kind).unwrap();
            assert_eq!(aside, dir.path().join(format!("{kind}{n}")));
            assert!(!dir.path().join(name).exists());
        }
    }
    std::fs::create_dir(dir.path().join("damaged-by-hand")).unwrap();
    let all: Vec<(String, u64)> = SetAside::all(dir.path())
        .into_iter()
        .map(|one| {
            let name = one.path.file_name().unwrap().to_string_lossy().into_owned();
            (name, one.n_bytes)
        })
        .collect();
    let expected = [
        ("damaged-3", 3),
        ("damaged-4", 4),
        ("damaged-journal-3", 3),
        ("damaged-journal-4", 4),
    ];
    assert_eq!(all, expected.map(|(name, n)| (name.to_owned(), n)));
}
