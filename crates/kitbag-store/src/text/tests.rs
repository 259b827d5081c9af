use std::collections::BTreeMap;

use super::*;

/// Adds chunks (file, text) in the given commits, deleting a file's earlier documents first, as the writer does.
fn build(dir: &Path, commits: &[&[(i64, &str)]]) -> TextIndex {
    let mut writer = TextWriter::open(dir, false).unwrap();
    for (seq, commit) in commits.iter().enumerate() {
        for (file, text) in *commit {
            writer.delete_file(*file).unwrap();
            let path = format!("src/f{file}.rs");
            writer
                .add(&TextDoc {
                    file: *file,
                    parse: ParseId(*file),
                    idx: 0,
                    body: text,
                    names: "",
                    path: &path,
                    docs: "",
                    capsule: "",
                })
                .unwrap();
        }
        writer.commit(seq as i64 + 1).unwrap();
    }
    writer.close().unwrap();
    TextIndex::open(dir).unwrap()
}

/// What a term's postings say, by file instead of by document number.
fn dump(index: &TextIndex, terms: &[&str]) -> BTreeMap<(String, i64), u32> {
    let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    let lists = index
        .postings(&terms, &|_, tf, len| tf as f32 / len as f32)
        .unwrap();
    let mut found = BTreeMap::new();
    for (term, list) in terms.iter().zip(lists) {
        for (doc, weight) in list {
            let before = found.insert((term.clone(), index.chunk(doc).file), weight.to_bits());
            assert_eq!(before, None, "a document stands in a list once");
        }
    }
    found
}

#[test]
fn postings_do_not_depend_on_how_the_index_came_to_be() {
    let texts: Vec<(i64, String)> = (1..60)
        .map(|n| {
            (
                n,
                format!("alpha beta{} gamma {}", n % 3, "delta ".repeat((n % 7) as usize)),
            )
        })
        .collect();
    let all: Vec<(i64, &str)> = texts.iter().map(|(file, text)| (*file, text.as_str())).collect();
    let old: Vec<(i64, &str)> = (1..60).map(|file| (file, "alpha omega stale delta")).collect();
    let terms = ["alpha", "beta", "delta", "omega", "gamma", "stale", "src"];
    let at_once = tempfile::tempdir().unwrap();
    let expected = dump(&build(at_once.path(), &[&all]), &terms);
    assert!(expected.len() > 150);
    let (first, second) = all.split_at(31);
    let mut reversed = all.clone();
    reversed.reverse();
    let single: Vec<&[(i64, &str)]> = all.chunks(1).collect();
    for (what, commits) in [
        ("two commits", vec![first, second]),
        ("another order", vec![&reversed[..]]),
        ("one commit a file", single),
        ("replaced", vec![&old[..], &all[..]]),
        ("replaced in part", vec![&all[..], &old[..20], &all[..20]]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let index = build(dir.path(), &commits);
        assert_eq!(dump(&index, &terms), expected, "{what}");
        assert_eq!(index.n_docs(), 59, "{what}");
    }
}

#[test]
fn order_depends_on_path_and_place_only() {
    assert_eq!(order_value("a.rs", 3), order_value("a.rs", 3));
    assert_ne!(order_value("a.rs", 3), order_value("a.rs", 4));
    assert_ne!(order_value("a.rs", 3), order_value("b.rs", 3));
}

#[test]
fn damage_is_noticed_and_means_an_empty_index() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), &[&[(1, "alpha"), (2, "beta")]]);
    let files: Vec<PathBuf> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let postings = files
        .iter()
        .find(|path| path.extension().is_some_and(|end| end == "idx"))
        .unwrap();
    // Torn: cut off.
    let bytes = std::fs::read(postings).unwrap();
    std::fs::write(postings, &bytes[..bytes.len() / 2]).unwrap();
    assert!(TextIndex::open(dir.path()).is_none());
    assert_eq!(TextWriter::open(dir.path(), false).unwrap().seq(), 0);
    // Flipped bits: only checksums tell.
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), &[&[(1, "alpha"), (2, "beta")]]);
    let files: Vec<PathBuf> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let postings = files
        .iter()
        .find(|path| path.extension().is_some_and(|end| end == "idx"))
        .unwrap();
    let mut bytes = std::fs::read(postings).unwrap();
    bytes[9] ^= 0x55;
    std::fs::write(postings, &bytes).unwrap();
    assert_eq!(TextWriter::open(dir.path(), true).unwrap().seq(), 0);
    // Gone, or not an index at all.
    assert!(TextIndex::open(&dir.path().join("nothing")).is_none());
    std::fs::write(dir.path().join("meta.json"), "{}").unwrap();
    assert!(TextIndex::open(dir.path()).is_none());
}
