use std::collections::BTreeMap;

use super::*;

/// Adds chunks (file, text) in the given commits, deleting a file's earlier documents first, as the writer does.
fn build(dir: &Path, commits: &[&[(i64, &str)]]) -> TextIndex {
    let mut writer = write_to(dir, false).0;
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
        let seen = SeenUpTo {
            seq: seq as i64 + 1,
            mark: 5,
        };
        writer.commit(seen).unwrap();
    }
    writer.close().unwrap();
    TextIndex::open(&folder(dir, TREE))
}

const TREE: TreeId = TreeId(1);

fn write_to(dir: &Path, whole: bool) -> (TextWriter, Option<Fault>) {
    TextWriter::open(dir, TREE, whole, &|_| Ok(true)).unwrap()
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

/// The file of an index with this ending.
fn file_of(dir: &Path, ending: &str) -> PathBuf {
    let files = std::fs::read_dir(folder(dir, TREE)).unwrap();
    let mut files = files.map(|entry| entry.unwrap().path());
    files
        .find(|path| path.ends_with(ending) || path.extension().is_some_and(|end| end == ending))
        .unwrap()
}

#[test]
fn idx_30_reader_and_writer_agree_about_damage() {
    type Damage = fn(&Path);
    let flip: Damage = |path| {
        let mut bytes = std::fs::read(path).unwrap();
        bytes[9] ^= 0x55;
        std::fs::write(path, &bytes).unwrap();
    };
    let cut: Damage = |path| {
        let bytes = std::fs::read(path).unwrap();
        std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    };
    let remove: Damage = |path| std::fs::remove_file(path).unwrap();
    let folder_instead: Damage = |path| {
        std::fs::remove_file(path).unwrap();
        std::fs::create_dir(path).unwrap();
    };
    let cases: [(&str, &[Damage]); 5] = [
        ("fast", &[flip, cut, remove, folder_instead]),
        ("fieldnorm", &[flip, cut, remove, folder_instead]),
        ("idx", &[cut, remove, folder_instead]),
        ("term", &[cut, remove, folder_instead]),
        ("meta.json", &[cut, folder_instead]),
    ];
    for (ending, damages) in cases {
        for damage in damages {
            let dir = tempfile::tempdir().unwrap();
            build(dir.path(), &[&[(1, "alpha"), (2, "beta")]]);
            damage(&file_of(dir.path(), ending));
            let index = TextIndex::open(&folder(dir.path(), TREE));
            assert!(
                matches!(index.fault(), Some(Fault::Damaged { .. })),
                "{ending}: {:?}",
                index.fault()
            );
            let (writer, fault) = write_to(dir.path(), false);
            assert_eq!(
                (fault.as_ref(), writer.seen().seq),
                (index.fault(), 0),
                "{ending}"
            );
            drop(writer);
            assert_eq!(
                TextIndex::open(&folder(dir.path(), TREE)).fault(),
                None,
                "{ending}: mended"
            );
        }
    }
    // Flipped bits of postings: only a look at all of it tells.
    for ending in ["idx", "term"] {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), &[&[(1, "alpha"), (2, "beta")]]);
        flip(&file_of(dir.path(), ending));
        assert!(fault(&folder(dir.path(), TREE)).is_some());
        let (writer, fault) = write_to(dir.path(), true);
        assert_eq!((fault.is_some(), writer.seen().seq), (true, 0), "{ending}");
    }
}

#[test]
fn idx_30_what_an_index_has_seen_is_not_changed_by_a_flipped_digit() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), &[&[(1, "alpha")]]);
    let list = folder(dir.path(), TREE).join("meta.json");
    let text = std::fs::read_to_string(&list).unwrap();
    let seen = payload(SeenUpTo { seq: 1, mark: 5 });
    assert!(text.contains(&seen));
    std::fs::write(&list, text.replace(&seen, &seen.replacen(":1:", ":3:", 1))).unwrap();
    let index = TextIndex::open(&folder(dir.path(), TREE));
    assert!(index.fault().is_some() && index.seq() == 0);
    std::fs::write(&list, text.replace("\"max_doc\": 1", "\"max_doc\": 3")).unwrap();
    assert!(TextIndex::open(&folder(dir.path(), TREE)).fault().is_some());
}

#[test]
fn idx_30_an_index_that_is_gone_or_of_another_make() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        TextIndex::open(&folder(dir.path(), TREE)).fault(),
        Some(&Fault::Missing)
    );
    build(dir.path(), &[&[(1, "alpha")]]);
    let list = folder(dir.path(), TREE).join("meta.json");
    let text = std::fs::read_to_string(&list).unwrap();
    let older = text.replace(&payload(SeenUpTo { seq: 1, mark: 5 }), "1:1");
    assert_ne!(older, text);
    std::fs::write(&list, older).unwrap();
    let index = TextIndex::open(&folder(dir.path(), TREE));
    assert_eq!((index.fault(), index.seq()), (None, 0), "an update is not damage");
    let astray = TextWriter::open(dir.path(), TREE, false, &|seen| Ok(seen.seq == 0)).unwrap();
    assert_eq!(astray.1, None, "of another make");
    build(dir.path(), &[&[(1, "alpha")]]);
    let astray = TextWriter::open(dir.path(), TREE, false, &|seen| Ok(seen.seq == 0)).unwrap();
    assert_eq!((astray.1, astray.0.seen().seq), (Some(Fault::Astray), 0));
}
