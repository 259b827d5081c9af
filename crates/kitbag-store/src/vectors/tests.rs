use proptest::prelude::*;

use super::*;

fn unit(seed: u64, dims: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let raw: Vec<f32> = (0..dims)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 2001) as f32 / 1000.0 - 1.0
        })
        .collect();
    let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
    raw.iter().map(|x| x / length).collect()
}

fn at(file: i64, parse: i64, idx: u32) -> ChunkRef {
    ChunkRef {
        file,
        parse: ParseId(parse),
        idx,
    }
}

const TREE: TreeId = TreeId(1);
const DIMS: usize = 24;

/// A change of the run that most tests need one of.
fn change(seq: i64) -> SeenUpTo {
    SeenUpTo { seq, mark: 7 }
}

fn writer(dir: &Path, holds: &HasChange<'_>) -> VectorWriter {
    VectorWriter::open(dir, TREE, "model", DIMS, holds).unwrap()
}

fn path_in(dir: &Path) -> PathBuf {
    file(dir, TREE, "model")
}

fn open(dir: &Path) -> Vectors {
    Vectors::open(&path_in(dir), DIMS, &|_| true).unwrap()
}

fn write(dir: &Path, blocks: &[(i64, i64, i64, usize)]) {
    let mut writer = writer(dir, &|_| true);
    for (file, parse, seq, n_rows) in blocks {
        let vectors: Vec<Vec<f32>> = (0..*n_rows)
            .map(|idx| unit((*file * 1000 + *parse * 100) as u64 + idx as u64, DIMS))
            .collect();
        writer
            .add((*file, ParseId(*parse), 5), change(*seq), &vectors)
            .unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn ret_12_the_last_state_of_a_file_counts() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[(1, 10, 1, 3), (2, 20, 2, 2)]);
    write(dir.path(), &[(1, 11, 3, 1), (3, 30, 4, 0)]);
    let vectors = open(dir.path());
    assert_eq!((vectors.n_rows(), vectors.seq()), (3, 4));
    assert_eq!(vectors.row(at(1, 10, 0)), None, "a state that is gone");
    assert_eq!(vectors.row(at(3, 30, 0)), None, "a file without rows");
    for chunk in [at(2, 20, 0), at(2, 20, 1), at(1, 11, 0)] {
        assert_eq!(vectors.chunk(vectors.row(chunk).unwrap()), chunk);
    }
    let near = vectors.similarities(&unit(1000 + 11 * 100, 24));
    let best = (0..near.len())
        .max_by(|a, b| near[*a].total_cmp(&near[*b]))
        .unwrap();
    assert_eq!(vectors.chunk(best), at(1, 11, 0));
    assert!((near[best] - 1.0).abs() < 0.02);
}

#[test]
fn a_block_cut_short_ends_the_file_and_is_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = path_in(dir.path());
    write(dir.path(), &[(1, 10, 1, 3)]);
    let whole = std::fs::read(&path).unwrap();
    write(dir.path(), &[(2, 20, 2, 2)]);
    let both = std::fs::read(&path).unwrap();
    for cut in whole.len()..both.len() {
        std::fs::write(&path, &both[..cut]).unwrap();
        let vectors = open(dir.path());
        assert_eq!((vectors.n_rows(), vectors.seq()), (3, 1));
    }
    write(dir.path(), &[(2, 20, 2, 2)]);
    assert_eq!(std::fs::read(&path).unwrap(), both);
    for cut in 0..HEAD_BYTES {
        std::fs::write(&path, &both[..cut]).unwrap();
        assert!(open(dir.path()).fault().is_some());
    }
}

#[test]
fn idx_30_other_dimensions_and_another_database_start_afresh() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[(1, 10, 9, 3)]);
    assert!(Vectors::open(&path_in(dir.path()), 25, &|_| true).is_none());
    assert_eq!(writer(dir.path(), &|_| true).seen(), change(9));
    let other = writer(dir.path(), &|seen| seen.seq == 0);
    assert_eq!(
        (other.seen(), other.fault()),
        (SeenUpTo::default(), Some(&Fault::Astray))
    );
}

#[test]
fn idx_30_of_a_database_that_fell_back_what_it_still_has_is_served() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[(1, 10, 1, 3), (2, 20, 2, 2), (1, 11, 3, 1)]);
    let fell_back = |seen: SeenUpTo| seen.seq <= 2;
    let vectors = Vectors::open(&path_in(dir.path()), DIMS, &fell_back).unwrap();
    assert_eq!((vectors.seq(), vectors.fault()), (2, Some(&Fault::Astray)));
    assert_eq!(
        vectors.row(at(1, 10, 2)),
        Some(2),
        "the state before the lost one"
    );
    // The next writer goes on from there, and a number that is used again does not bring the lost block back.
    drop(writer(dir.path(), &fell_back));
    let vectors = open(dir.path());
    assert_eq!((vectors.seq(), vectors.fault()), (2, None));
    assert_eq!(vectors.row(at(1, 11, 0)), None);
}

#[test]
fn idx_30_a_flipped_bit_costs_one_block_and_no_work_of_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let blocks = [(1, 10, 1, 3), (2, 20, 2, 2), (3, 30, 3, 4)];
    write(dir.path(), &blocks);
    let path = path_in(dir.path());
    let sound = std::fs::read(&path).unwrap();
    let second = HEAD_BYTES + BLOCK_BYTES + 3 * (SCALE_BYTES + DIMS);
    for at_byte in second..second + BLOCK_BYTES + 2 * (SCALE_BYTES + DIMS) {
        let mut bytes = sound.clone();
        bytes[at_byte] ^= 0x10;
        std::fs::write(&path, bytes).unwrap();
        let vectors = open(dir.path());
        assert_eq!((vectors.seq(), vectors.n_rows()), (1, 3), "byte {at_byte}");
        // A block that says to be longer than the file is taken for one that was cut short.
        assert!(vectors.fault().is_some() || vectors.end < bytes_of(&path).unwrap().len());
        let mut out = writer(dir.path(), &|_| true);
        assert!(!out.add_known((2, ParseId(20), 5), change(2)).unwrap());
        let length_is_known =
            !(second..second + 4).contains(&at_byte) && !(second + 8..second + 12).contains(&at_byte);
        assert_eq!(
            out.add_known((3, ParseId(30), 5), change(3)).unwrap(),
            length_is_known,
            "byte {at_byte}"
        );
    }
}

#[test]
fn idx_30_what_was_copied_together_counts_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[(1, 10, 1, 5_000), (2, 20, 2, 10)]);
    write(dir.path(), &[(1, 11, 3, 7)]);
    let path = path_in(dir.path());
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((open(dir.path()).n_rows(), open(dir.path()).seq()), (17, 3));
    let before = Vectors::open(&path, DIMS, &|seen| seen.seq <= 2).unwrap();
    assert_eq!(
        (before.n_rows(), before.seq(), before.fault()),
        (0, 0, Some(&Fault::Astray)),
        "what file 1 was as of change 2 is no longer there"
    );
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let cut = open(dir.path());
    assert_eq!((cut.n_rows(), cut.seq()), (0, 0));
    assert!(cut.fault().is_some());
    let mut out = writer(dir.path(), &|_| true);
    assert!(out.add_known((2, ParseId(20), 5), change(2)).unwrap());
}

#[test]
fn what_is_dead_is_left_behind_in_time() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[(1, 10, 1, 3_000), (2, 20, 2, 1_500)]);
    write(dir.path(), &[(2, 21, 3, 5)]);
    assert_eq!(open(dir.path()).n_dead, 1_500);
    write(dir.path(), &[(1, 11, 4, 7), (3, 30, 5, 0)]);
    let vectors = open(dir.path());
    assert_eq!((vectors.n_dead, vectors.n_rows(), vectors.seq()), (0, 12, 5));
    assert!(vectors.row(at(2, 21, 4)).is_some() && vectors.row(at(1, 11, 6)).is_some());
}

proptest! {
    #[test]
    fn ret_12_similarities_are_cosines_to_a_hundredth(a in 0u64..1000, b in 0u64..1000, dims in 1usize..300) {
        let (a, b) = (unit(a, dims), unit(b, dims));
        let exact: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        let dir = tempfile::tempdir().unwrap();
        let mut writer = VectorWriter::open(dir.path(), TREE, "model", dims, &|_| true).unwrap();
        writer.add((1, ParseId(1), 5), change(1), &[a.clone(), b.clone()]).unwrap();
        writer.finish().unwrap();
        let vectors = Vectors::open(&path_in(dir.path()), dims, &|_| true).unwrap();
        let near = vectors.similarities(&b);
        prop_assert!((near[0] - exact).abs() < 0.02, "{} against {exact}", near[0]);
        prop_assert!((vectors.similarity(0, 1) - exact).abs() < 0.02);
    }
}

#[test]
fn idx_35_a_state_that_comes_back_finds_its_vectors_waiting() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[(1, 10, 1, 3)]);
    let before = open(dir.path()).similarities(&unit(5, 24));
    write(dir.path(), &[(1, 11, 2, 2)]);
    let mut writer = writer(dir.path(), &|_| true);
    assert!(writer.add_known((1, ParseId(10), 5), change(3)).unwrap());
    for other in [(1, ParseId(12), 5), (1, ParseId(10), 6)] {
        assert!(!writer.add_known(other, change(4)).unwrap(), "another content");
    }
    writer.finish().unwrap();
    let vectors = open(dir.path());
    assert_eq!(vectors.similarities(&unit(5, 24)), before);
    assert_eq!((vectors.seq(), vectors.row(at(1, 10, 2))), (3, Some(2)));
}
