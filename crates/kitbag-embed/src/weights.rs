//! Reads `model.safetensors`: tensors of `f32` out.
//!
//! The format is a length, a JSON header and the numbers; reading it takes fewer lines than the crate `safetensors` has
//! dependencies. The tests write their files with that crate, so it checks this reader. All numbers are converted to `f32`:
//! half precision is for storing weights, not for computing on a CPU.
//!
//! The file is foreign: every length is checked before it is used.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::EmbedError;
use crate::folder;

/// Larger models are not for a CPU, and a wrong path should not fill the memory.
const MAX_FILE_BYTES: u64 = 4 << 30;
const MAX_HEADER_BYTES: u64 = 100 << 20;

/// An open file: its bytes, and the place of each tensor in them.
pub(crate) struct Weights<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    /// Where the numbers begin.
    start: usize,
    tensors: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// Row by row.
#[derive(Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f32>,
}

impl<'a> Weights<'a> {
    pub(crate) fn open(path: &'a Path) -> Result<Weights<'a>, EmbedError> {
        let bytes = folder::read_limited(path, MAX_FILE_BYTES)?;
        let (start, tensors) = header(&bytes).map_err(|what| EmbedError::damaged(path, what))?;
        Ok(Weights {
            path,
            bytes,
            start,
            tensors,
        })
    }

    /// The whole file, for the id of the model.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// A tensor of exactly this shape.
    pub(crate) fn shaped(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let tensor = self.tensor(name)?;
        if tensor.shape != shape {
            return Err(EmbedError::damaged(
                self.path,
                format!(
                    "the tensor {name} has the shape {:?}, where config.json asks for {shape:?}",
                    tensor.shape
                ),
            ));
        }
        Ok(tensor.values)
    }

    pub(crate) fn tensor(&self, name: &str) -> Result<Tensor, EmbedError> {
        let (entry, bytes) = self.entry(name)?;
        let values = values(&entry.dtype, bytes).ok_or_else(|| self.strange(name, entry))?;
        if values.iter().any(|value| !value.is_finite()) {
            let what = format!("the tensor {name} has numbers that are not finite");
            return Err(EmbedError::damaged(self.path, what));
        }
        Ok(Tensor {
            shape: entry.shape.clone(),
            values,
        })
    }

    /// A tensor of row numbers.
    pub(crate) fn positions(&self, name: &str) -> Result<Vec<usize>, EmbedError> {
        let (entry, bytes) = self.entry(name)?;
        let whole: Vec<i64> = match entry.dtype.as_str() {
            "I64" => each(bytes, i64::from_le_bytes),
            "I32" => each(bytes, |four| i64::from(i32::from_le_bytes(four))),
            _ => return Err(self.strange(name, entry)),
        };
        let positions = whole
            .into_iter()
            .map(|n| usize::try_from(n).ok())
            .collect::<Option<_>>();
        positions.ok_or_else(|| {
            EmbedError::damaged(
                self.path,
                format!("the tensor {name} points before the first row"),
            )
        })
    }

    /// A tensor whose length in the file matches its shape.
    fn entry(&self, name: &str) -> Result<(&Entry, &[u8]), EmbedError> {
        let damaged = |what: String| EmbedError::damaged(self.path, what);
        let entry = self
            .tensors
            .get(name)
            .ok_or_else(|| damaged(format!("it has no tensor {name}")))?;
        let [from, to] = entry.data_offsets;
        let bytes = self
            .bytes
            .get(self.start..)
            .and_then(|numbers| numbers.get(from..to))
            .ok_or_else(|| {
                damaged(format!(
                    "the tensor {name} lies outside of the file; it may be cut off"
                ))
            })?;
        let n_bytes = entry
            .shape
            .iter()
            .try_fold(width(&entry.dtype), |n, m| n.checked_mul(*m));
        if n_bytes != Some(bytes.len()) {
            return Err(damaged(format!(
                "the tensor {name} has {} bytes, which do not fit {} and the shape {:?}",
                bytes.len(),
                entry.dtype,
                entry.shape
            )));
        }
        Ok((entry, bytes))
    }

    fn strange(&self, name: &str, entry: &Entry) -> EmbedError {
        let what = format!(
            "the tensor {name} has numbers of a kind ({}) that is not read here",
            entry.dtype
        );
        EmbedError::damaged(self.path, what)
    }
}

fn header(bytes: &[u8]) -> Result<(usize, BTreeMap<String, Entry>), String> {
    if bytes.starts_with(b"version https://git-lfs") {
        return Err("it only points to a file in Git LFS; run `git lfs pull` where it came from".to_owned());
    }
    let no_file = || "it is not a safetensors file".to_owned();
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(no_file)?;
    let length = u64::from_le_bytes(*length);
    if length > MAX_HEADER_BYTES {
        return Err(no_file());
    }
    let length = usize::try_from(length).map_err(|_| no_file())?;
    let json = rest.get(..length).ok_or_else(no_file)?;
    let mut fields: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(json).map_err(|_| no_file())?;
    fields.remove("__metadata__");
    let tensors = fields.into_iter().map(|(name, value)| {
        let entry = Entry::deserialize(value).map_err(|_| format!("its entry for {name} is not a tensor"))?;
        Ok((name, entry))
    });
    Ok((8 + length, tensors.collect::<Result<_, String>>()?))
}

/// Bytes per number.
fn width(dtype: &str) -> usize {
    match dtype {
        "F64" | "I64" | "U64" => 8,
        "F32" | "I32" | "U32" => 4,
        "F16" | "BF16" | "I16" | "U16" => 2,
        _ => 1,
    }
}

/// `None` for a number type that weights do not have.
fn values(dtype: &str, bytes: &[u8]) -> Option<Vec<f32>> {
    Some(match dtype {
        "F32" => each(bytes, f32::from_le_bytes),
        "F16" => each(bytes, |two| half(u16::from_le_bytes(two))),
        "BF16" => each(bytes, |two| {
            f32::from_bits(u32::from(u16::from_le_bytes(two)) << 16)
        }),
        // Rounds to the nearest f32.
        "F64" => each(bytes, |eight| f64::from_le_bytes(eight) as f32),
        "I8" => each(bytes, |[one]| f32::from(i8::from_le_bytes([one]))),
        _ => return None,
    })
}

fn each<const N: usize, T>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes
        .as_chunks::<N>()
        .0
        .iter()
        .map(|chunk| number(*chunk))
        .collect()
}

/// IEEE 754 half precision: 1 bit of sign, 5 of exponent (bias 15), 10 of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff) / 1024.0;
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}
