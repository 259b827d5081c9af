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

fn write(path: &Path, blocks: &[(i64, i64, i64, usize)]) {
    let mut writer = VectorWriter::open(path, 24, 7, i64::MAX).unwrap();
    for (file, parse, seq, n_rows) in blocks {
        let vectors: Vec<Vec<f32>> = (0..*n_rows)
            .map(|idx| unit((*file * 1000 + *parse * 100) as u64 + idx as u64, 24))
            .collect();
        writer.add((*file, ParseId(*parse), 5), *seq, &vectors).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn ret_12_the_last_state_of_a_file_counts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("v.bin");
    write(&path, &[(1, 10, 1, 3), (2, 20, 2, 2)]);
    write(&path, &[(1, 11, 3, 1), (3, 30, 4, 0)]);
    let vectors = Vectors::open(&path, 24, 7).unwrap();
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
    let path = dir.path().join("v.bin");
    write(&path, &[(1, 10, 1, 3)]);
    let whole = std::fs::read(&path).unwrap();
    write(&path, &[(2, 20, 2, 2)]);
    let both = std::fs::read(&path).unwrap();
    for cut in whole.len()..both.len() {
        std::fs::write(&path, &both[..cut]).unwrap();
        let vectors = Vectors::open(&path, 24, 7).unwrap();
        assert_eq!((vectors.n_rows(), vectors.seq()), (3, 1));
    }
    write(&path, &[(2, 20, 2, 2)]);
    assert_eq!(std::fs::read(&path).unwrap(), both);
    for cut in 0..HEAD_BYTES {
        std::fs::write(&path, &both[..cut]).unwrap();
        assert!(Vectors::open(&path, 24, 7).is_none());
    }
}

#[test]
fn other_dimensions_and_a_restored_database_start_afresh() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("v.bin");
    write(&path, &[(1, 10, 9, 3)]);
    assert!(Vectors::open(&path, 25, 7).is_none());
    assert!(Vectors::open(&path, 24, 8).is_none(), "another database");
    assert_eq!(VectorWriter::open(&path, 24, 7, 9).unwrap().seq(), 9);
    assert_eq!(VectorWriter::open(&path, 24, 7, 8).unwrap().seq(), 0);
}

#[test]
fn what_is_dead_is_left_behind_in_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("v.bin");
    write(&path, &[(1, 10, 1, 3_000), (2, 20, 2, 1_500)]);
    write(&path, &[(2, 21, 3, 5)]);
    assert_eq!(Vectors::open(&path, 24, 7).unwrap().n_dead, 1_500);
    write(&path, &[(1, 11, 4, 7), (3, 30, 5, 0)]);
    let vectors = Vectors::open(&path, 24, 7).unwrap();
    assert_eq!((vectors.n_dead, vectors.n_rows(), vectors.seq()), (0, 12, 5));
    assert!(vectors.row(at(2, 21, 4)).is_some() && vectors.row(at(1, 11, 6)).is_some());
}

proptest! {
    #[test]
    fn ret_12_similarities_are_cosines_to_a_hundredth(a in 0u64..1000, b in 0u64..1000, dims in 1usize..300) {
        let (a, b) = (unit(a, dims), unit(b, dims));
        let exact: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("v.bin");
        let mut writer = VectorWriter::open(&path, dims, 7, i64::MAX).unwrap();
        writer.add((1, ParseId(1), 5), 1, &[a.clone(), b.clone()]).unwrap();
        writer.finish().unwrap();
        let vectors = Vectors::open(&path, dims, 7).unwrap();
        let near = vectors.similarities(&b);
        prop_assert!((near[0] - exact).abs() < 0.02, "{} against {exact}", near[0]);
        prop_assert!((vectors.similarity(0, 1) - exact).abs() < 0.02);
    }
}

#[test]
fn idx_35_a_state_that_comes_back_finds_its_vectors_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("v.bin");
    write(&path, &[(1, 10, 1, 3)]);
    let before = Vectors::open(&path, 24, 7).unwrap().similarities(&unit(5, 24));
    write(&path, &[(1, 11, 2, 2)]);
    let known = Vectors::open(&path, 24, 7).unwrap();
    let mut writer = VectorWriter::open(&path, 24, 7, 2).unwrap();
    assert!(writer.add_known(&known, (1, ParseId(10), 5), 3).unwrap());
    for other in [(1, ParseId(12), 5), (1, ParseId(10), 6)] {
        assert!(!writer.add_known(&known, other, 4).unwrap(), "another content");
    }
    writer.finish().unwrap();
    let vectors = Vectors::open(&path, 24, 7).unwrap();
    assert_eq!(vectors.similarities(&unit(5, 24)), before);
    assert_eq!((vectors.seq(), vectors.row(at(1, 10, 2))), (3, Some(2)));
}

#[test]
fn a_file_number_from_a_damaged_disk_costs_no_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("v.bin");
    write(&path, &[(1, 10, 1, 3)]);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[HEAD_BYTES + 8..HEAD_BYTES + 12].fill(0xFF);
    std::fs::write(&path, bytes).unwrap();
    let vectors = Vectors::open(&path, 24, 7).unwrap();
    assert_eq!((vectors.n_rows(), vectors.row(at(1, 10, 0))), (3, None));
}
