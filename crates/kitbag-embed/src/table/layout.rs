//! The file format of a table (all numbers little endian):
//!
//! ```text
//! magic "KITBAGT1" · digest u64 · dims, terms, buckets, length of the name u32 · 6 field weights f32 · name, padded to 8
//! keys of the terms u64, ascending · scales for questions, f32 per row · scales for passages, f32 per row · rows i8
//! ```
//!
//! Terms are stored as 64-bit hashes: their spelling is not needed and would cost a third of a megabyte and an index. The
//! digest covers everything after it.

use crate::EmbedError;
use crate::passage::Field;

const MAGIC: &[u8; 8] = b"KITBAGT1";
const HEAD: usize = 8 + 8 + 4 * 4 + 4 * Field::N;
/// Larger than any sensible model; keeps sums of sizes far from overflow.
const MAX_COUNT: usize = 1 << 24;

/// The numbers of a table, to be written.
pub struct TableParts {
    pub name: String,
    pub dims: usize,
    pub field_weights: [f32; Field::N],
    /// Ascending and distinct; one per known term, for the first rows.
    pub keys: Vec<u64>,
    pub n_buckets: usize,
    pub query_scales: Vec<f32>,
    pub passage_scales: Vec<f32>,
    pub rows: Vec<i8>,
}

/// Offsets of the parts in the bytes.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub digest: u64,
    pub dims: usize,
    pub n_terms: usize,
    pub n_buckets: usize,
    pub field_weights: [f32; Field::N],
    n_name: usize,
    keys: usize,
    pub query_scales: usize,
    pub passage_scales: usize,
    pub rows: usize,
}

impl Layout {
    pub(super) fn read(bytes: &[u8]) -> Result<Layout, EmbedError> {
        let bad = |what| EmbedError::Table { what };
        if bytes.len() < HEAD || !bytes.starts_with(MAGIC) {
            return Err(bad("the first bytes are others"));
        }
        let count = |at: usize| Some(u32_at(bytes, at) as usize).filter(|n| *n <= MAX_COUNT);
        let counts = (|| Some((count(16)?, count(20)?, count(24)?, count(28)?)))();
        let (dims, n_terms, n_buckets, n_name) = counts.ok_or(bad("a count is out of bounds"))?;
        if dims == 0 {
            return Err(bad("it has no dimensions"));
        }
        let n_rows = n_terms + n_buckets;
        let keys = HEAD + n_name.next_multiple_of(8);
        let query_scales = keys + 8 * n_terms;
        let passage_scales = query_scales + 4 * n_rows;
        let rows = passage_scales + 4 * n_rows;
        if rows + n_rows * dims != bytes.len() {
            return Err(bad("its size does not fit its counts"));
        }
        Ok(Layout {
            digest: u64_at(bytes, 8),
            dims,
            n_terms,
            n_buckets,
            field_weights: std::array::from_fn(|idx| f32_at(bytes, 32 + 4 * idx)),
            n_name,
            keys,
            query_scales,
            passage_scales,
            rows,
        })
    }

    pub(super) fn name<'b>(&self, bytes: &'b [u8]) -> Result<&'b str, EmbedError> {
        std::str::from_utf8(&bytes[HEAD..HEAD + self.n_name]).map_err(|_| EmbedError::Table {
            what: "its name is not text",
        })
    }

    /// The row of a term. Hashes are evenly spread, so the place in the list is estimated from the value and found a few
    /// steps away.
    pub(super) fn row_of(&self, bytes: &[u8], key: u64) -> Option<u32> {
        if self.n_terms == 0 {
            return None;
        }
        let key_at = |idx: usize| u64_at(bytes, self.keys + 8 * idx);
        let mut idx = ((u128::from(key) * self.n_terms as u128) >> 64) as usize;
        while idx > 0 && key_at(idx) > key {
            idx -= 1;
        }
        while idx + 1 < self.n_terms && key_at(idx) < key {
            idx += 1;
        }
        (key_at(idx) == key).then_some(idx as u32)
    }
}

/// The parts that [`written`] was given.
pub(super) fn parts(bytes: &[u8], layout: &Layout) -> TableParts {
    let n_rows = layout.n_terms + layout.n_buckets;
    let floats = |from: usize| (0..n_rows).map(|row| f32_at(bytes, from + 4 * row)).collect();
    TableParts {
        name: layout.name(bytes).unwrap_or_default().to_owned(),
        dims: layout.dims,
        field_weights: layout.field_weights,
        keys: (0..layout.n_terms)
            .map(|idx| u64_at(bytes, layout.keys + 8 * idx))
            .collect(),
        n_buckets: layout.n_buckets,
        query_scales: floats(layout.query_scales),
        passage_scales: floats(layout.passage_scales),
        rows: bytes[layout.rows..]
            .iter()
            .map(|value| value.cast_signed())
            .collect(),
    }
}

pub(super) fn written(parts: &TableParts) -> Result<Vec<u8>, EmbedError> {
    let n_rows = parts.keys.len() + parts.n_buckets;
    let sizes = [parts.query_scales.len(), parts.passage_scales.len()];
    if sizes != [n_rows; 2] || parts.rows.len() != n_rows * parts.dims {
        return Err(EmbedError::Table {
            what: "its parts differ in size",
        });
    }
    if !parts.keys.is_sorted_by(|a, b| a < b) {
        return Err(EmbedError::Table {
            what: "its keys are not in order, or two are alike",
        });
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend([0; 8]);
    for count in [parts.dims, parts.keys.len(), parts.n_buckets, parts.name.len()] {
        bytes.extend((count as u32).to_le_bytes());
    }
    let floats = |bytes: &mut Vec<u8>, values: &[f32]| {
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
    };
    floats(&mut bytes, &parts.field_weights);
    bytes.extend(parts.name.as_bytes());
    bytes.resize(HEAD + parts.name.len().next_multiple_of(8), 0);
    bytes.extend(parts.keys.iter().flat_map(|key| key.to_le_bytes()));
    floats(&mut bytes, &parts.query_scales);
    floats(&mut bytes, &parts.passage_scales);
    bytes.extend(parts.rows.iter().map(|value| value.cast_unsigned()));
    let digest = digest(&bytes);
    bytes[8..16].copy_from_slice(&digest.to_le_bytes());
    Ok(bytes)
}

/// The digest of everything after it. Guards against mix-ups and damage, not against an attacker.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for word in bytes[16..].chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        hash = (hash ^ u64::from_le_bytes(padded)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    hash
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

pub(super) fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(array_at(bytes, at))
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}
