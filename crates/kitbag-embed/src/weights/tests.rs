//! Files that the crate `safetensors` wrote, and malformed files.

use std::path::Path;

use safetensors::tensor::{Dtype, TensorView};

use super::{Tensor, Weights, half};

fn file(tensors: &[(&str, Dtype, Vec<usize>, Vec<u8>)]) -> Vec<u8> {
    let views = tensors
        .iter()
        .map(|(name, dtype, shape, bytes)| (*name, TensorView::new(*dtype, shape.clone(), bytes).unwrap()));
    let metadata = [("format".to_owned(), "pt".to_owned())];
    safetensors::serialize(views, Some(metadata.into_iter().collect())).unwrap()
}

/// Opens the bytes as a file and reads the tensor `a`.
#[expect(clippy::disallowed_methods, reason = "a test writes its own file")]
fn read(bytes: &[u8]) -> Result<Tensor, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    std::fs::write(&path, bytes).unwrap();
    let tensor = Weights::open(&path).and_then(|weights| weights.tensor("a"));
    tensor.map_err(|error| error.to_string().replace(&format!("{} ", path.display()), ""))
}

fn single() -> Vec<u8> {
    let bytes = [1.5_f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    file(&[("a", Dtype::F32, vec![1, 2], bytes)])
}

#[test]
fn every_kind_of_number_becomes_f32() {
    let two = |one: &[u8], two: &[u8]| [one, two].concat();
    let cases = [
        (Dtype::F32, two(&1.5_f32.to_le_bytes(), &(-2.0_f32).to_le_bytes())),
        (Dtype::F64, two(&1.5_f64.to_le_bytes(), &(-2.0_f64).to_le_bytes())),
        (
            Dtype::F16,
            two(&0x3e00_u16.to_le_bytes(), &0xc000_u16.to_le_bytes()),
        ),
        (
            Dtype::BF16,
            two(&0x3fc0_u16.to_le_bytes(), &0xc000_u16.to_le_bytes()),
        ),
    ];
    for (dtype, bytes) in cases {
        let tensor = read(&file(&[("a", dtype, vec![2, 1], bytes)])).unwrap();
        assert_eq!(
            (tensor.shape, tensor.values),
            (vec![2, 1], vec![1.5, -2.0]),
            "{dtype:?}"
        );
    }
    let whole = read(&file(&[("a", Dtype::I8, vec![2], vec![3, 0xff])])).unwrap();
    assert_eq!(whole.values, [3.0, -1.0]);
}

#[test]
fn half_precision_has_zeros_small_and_large_numbers() {
    let cases = [
        (0x0000, 0.0),
        (0x0001, 2.0_f32.powi(-24)),
        (0x03ff, 1023.0 * 2.0_f32.powi(-24)),
        (0x0400, 2.0_f32.powi(-14)),
        (0x3555, 0.333_251_95),
        (0x7bff, 65_504.0),
        (0xfbff, -65_504.0),
        (0x7c00, f32::INFINITY),
        (0xfc00, f32::NEG_INFINITY),
    ];
    for (bits, expected) in cases {
        assert_eq!(half(bits), expected, "{bits:x}");
    }
    assert!(half(0x7e00).is_nan());
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_an_error_and_no_panic() {
    let bytes = single();
    assert_eq!(read(&bytes).unwrap().values, [1.5, -2.0]);
    for n in 0..bytes.len() {
        assert!(read(&bytes[..n]).is_err(), "{n}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let header = |json: &str| [&(json.len() as u64).to_le_bytes()[..], json.as_bytes(), &[0; 8]].concat();
    let cases = [
        (
            b"version https://git-lfs.github.com/spec/v1\n".to_vec(),
            "is damaged: it only points to a file in Git LFS; run `git lfs pull` where it came from",
        ),
        (vec![0xff; 64], "is damaged: it is not a safetensors file"),
        (header("[]"), "is damaged: it is not a safetensors file"),
        (
            header(r#"{"a": 1}"#),
            "is damaged: its entry for a is not a tensor",
        ),
        (
            header(r#"{"b": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#),
            "is damaged: it has no tensor a",
        ),
        (
            header(r#"{"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}}"#),
            "is damaged: the tensor a lies outside of the file; it may be cut off",
        ),
        (
            header(r#"{"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}}"#),
            "is damaged: the tensor a lies outside of the file; it may be cut off",
        ),
        (
            header(r#"{"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}"#),
            "is damaged: the tensor a has 8 bytes, which do not fit F32 and the shape [3]",
        ),
        (
            header(r#"{"a": {"dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 8]}}"#),
            "is damaged: the tensor a has 8 bytes, which do not fit F32 and the shape [4294967296, 4294967296]",
        ),
        (
            header(r#"{"a": {"dtype": "U8", "shape": [8], "data_offsets": [0, 8]}}"#),
            "is damaged: the tensor a has numbers of a kind (U8) that is not read here",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read(&bytes).unwrap_err(), expected);
    }
    let missing = Weights::open(Path::new("/no/such/file")).err().unwrap();
    assert_eq!(
        missing.to_string(),
        "/no/such/file cannot be read: entity not found"
    );
}
