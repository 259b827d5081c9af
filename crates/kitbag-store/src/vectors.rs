//! The vectors of one tree by one model: a file of whole numbers, read in place and scanned from end to end (RET-12).
//!
//! Exact and without an index of its own: a hundred thousand rows of 256 numbers are 26 MB, which memory delivers in
//! milliseconds. The file is a list of blocks, one for each state of a file, only ever appended to:
//!
//! ```text
//! head:   "KBVECT2\0"  dims u32  database u32
//! block:  "KBVB"  n_rows u32  file u32  content u32  parse u64  seq i64     then n_rows × (scale f32, dims × i8)
//! ```
//!
//! The last block of a file is the one that counts; a file that is gone has one without rows. A block that was cut short by
//! a crash is the end of the file for readers, and the next writer cuts it off. When half the rows are dead, the living are
//! copied into a new file that takes the old one's place.

mod writer;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use crate::rows::{ChunkRef, ParseId, TreeId};

pub(crate) use writer::VectorWriter;

const HEAD: &[u8; 8] = b"KBVECT2\0";
const HEAD_BYTES: usize = 16;
const BLOCK: &[u8; 4] = b"KBVB";
const BLOCK_BYTES: usize = 32;
const SCALE_BYTES: usize = 4;

/// The file of a tree and a model. A model's id may be a path or an address: its digest names the file.
pub(crate) fn file(store: &Path, tree: TreeId, model: &str) -> PathBuf {
    let digest = blake3::hash(model.as_bytes()).to_hex();
    folder(store, tree).join(format!("{}.bin", &digest.as_str()[..16]))
}

pub(crate) fn folder(store: &Path, tree: TreeId) -> PathBuf {
    store.join("vectors").join(tree.0.to_string())
}

/// A state of a file: its row, the row of what was made of it, and four bytes that stand for its content.
pub(crate) type State = (i64, ParseId, u32);

/// What a block says of itself, and where its rows begin.
#[derive(Clone, Copy, Debug)]
struct Block {
    file: i64,
    parse: ParseId,
    content: u32,
    seq: i64,
    n_rows: u32,
    /// Of its first row in the file.
    offset: usize,
    /// Rows of living blocks before it.
    first: u32,
}

/// A view of the file for reading.
pub struct Vectors {
    bytes: OwnedBytes,
    dims: usize,
    /// Those that count, in the order of the file.
    blocks: Vec<Block>,
    /// Those that no longer do, but may again: a branch that comes back has vectors waiting (IDX-35).
    dead: Vec<Block>,
    /// The place of a file's block in `blocks`.
    by_file: HashMap<i64, u32>,
    seq: i64,
    n_dead: usize,
    end: usize,
}

impl Vectors {
    /// Opens what is there. `None`: missing, damaged from the start, of other dimensions or of another database.
    pub(crate) fn open(path: &Path, dims: usize, database: u32) -> Option<Self> {
        let folder = MmapDirectory::open(path.parent()?).ok()?;
        let slice = folder.open_read(Path::new(path.file_name()?)).ok()?;
        let bytes = slice.read_bytes().ok()?;
        let head = bytes.get(..HEAD_BYTES)?;
        if &head[..8] != HEAD
            || number(head, 8, 4) != dims as u64
            || number(head, 12, 4) != u64::from(database)
        {
            return None;
        }
        let mut vectors = Self {
            bytes,
            dims,
            blocks: Vec::new(),
            dead: Vec::new(),
            by_file: HashMap::new(),
            seq: 0,
            n_dead: 0,
            end: HEAD_BYTES,
        };
        vectors.read_blocks();
        Some(vectors)
    }

    fn read_blocks(&mut self) {
        let mut all: Vec<Block> = Vec::new();
        while let Some(head) = self.bytes.get(self.end..self.end + BLOCK_BYTES) {
            let n_rows = number(head, 4, 4) as usize;
            let end = self.end + BLOCK_BYTES + n_rows * self.stride();
            if &head[..4] != BLOCK || end > self.bytes.len() {
                break;
            }
            let file = number(head, 8, 4) as i64;
            self.by_file.insert(file, all.len() as u32);
            all.push(Block {
                file,
                content: number(head, 12, 4) as u32,
                parse: ParseId(number(head, 16, 8) as i64),
                seq: number(head, 24, 8) as i64,
                n_rows: n_rows as u32,
                offset: self.end + BLOCK_BYTES,
                first: 0,
            });
            self.end = end;
        }
        self.seq = all.iter().map(|block| block.seq).max().unwrap_or(0);
        let mut first = 0;
        for (idx, mut block) in all.into_iter().enumerate() {
            if self.by_file.get(&block.file) != Some(&(idx as u32)) || block.n_rows == 0 {
                self.n_dead += block.n_rows as usize;
                self.dead.push(block);
                continue;
            }
            block.first = first;
            first += block.n_rows;
            self.blocks.push(block);
        }
        let places = self.blocks.iter().enumerate();
        self.by_file = places.map(|(idx, block)| (block.file, idx as u32)).collect();
    }

    fn stride(&self) -> usize {
        SCALE_BYTES + self.dims
    }

    /// The last change of the tree that is in here.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// The files that have vectors, as rows of the database.
    pub(crate) fn files(&self) -> impl Iterator<Item = i64> + '_ {
        self.blocks.iter().map(|block| block.file)
    }

    /// Chunks that have a vector.
    pub fn n_rows(&self) -> usize {
        self.blocks
            .last()
            .map_or(0, |block| (block.first + block.n_rows) as usize)
    }

    /// How near every row is to `query`, as cosines, in the order of rows. `query` has unit length.
    pub fn similarities(&self, query: &[f32]) -> Vec<f32> {
        let (scale, query) = quantised(query);
        let query: Vec<i16> = query.into_iter().map(i16::from).collect();
        let mut found = Vec::with_capacity(self.n_rows());
        for block in &self.blocks {
            let end = block.offset + block.n_rows as usize * self.stride();
            for row in self.bytes[block.offset..end].chunks_exact(self.stride()) {
                let (row_scale, row) = row.split_at(SCALE_BYTES);
                let row_scale = f32::from_le_bytes(row_scale.try_into().expect("four bytes"));
                found.push(scale * row_scale * dot(&query, row) as f32);
            }
        }
        found
    }

    /// The chunk that a row stands for.
    pub fn chunk(&self, row: usize) -> ChunkRef {
        let at = self.blocks.partition_point(|block| block.first as usize <= row) - 1;
        let block = &self.blocks[at];
        ChunkRef {
            file: block.file,
            parse: block.parse,
            idx: row as u32 - block.first,
        }
    }

    /// The rows of a file's chunks, in file order.
    pub fn rows(&self, file: i64, parse: ParseId) -> Option<Range<usize>> {
        let block = &self.blocks[*self.by_file.get(&file)? as usize];
        let first = block.first as usize;
        (block.parse == parse).then(|| first..first + block.n_rows as usize)
    }

    /// The row of a chunk, if it has one.
    pub fn row(&self, chunk: ChunkRef) -> Option<usize> {
        let mut rows = self.rows(chunk.file, chunk.parse)?;
        rows.nth(chunk.idx as usize)
    }

    /// The rows of a file in a state that it had before, as they lie in the file.
    fn bytes_of(&self, state: State) -> Option<(u32, &[u8])> {
        let mut blocks = self.blocks.iter().chain(&self.dead);
        let block =
            blocks.find(|block| (block.file, block.parse, block.content) == state && block.n_rows > 0)?;
        let end = block.offset + block.n_rows as usize * self.stride();
        Some((block.n_rows, &self.bytes[block.offset..end]))
    }

    /// How alike two rows are.
    pub fn similarity(&self, a: usize, b: usize) -> f32 {
        let (a_scale, a) = self.numbers(a);
        let (b_scale, b) = self.numbers(b);
        let a: Vec<i16> = a.iter().map(|byte| i16::from(*byte as i8)).collect();
        a_scale * b_scale * dot(&a, b) as f32
    }

    fn numbers(&self, row: usize) -> (f32, &[u8]) {
        let at = self.blocks.partition_point(|block| block.first as usize <= row) - 1;
        let block = &self.blocks[at];
        let start = block.offset + (row - block.first as usize) * self.stride();
        let (scale, numbers) = self.bytes[start..start + self.stride()].split_at(SCALE_BYTES);
        (f32::from_le_bytes(scale.try_into().expect("four bytes")), numbers)
    }
}

fn number(bytes: &[u8], at: usize, n_bytes: usize) -> u64 {
    let mut value = [0; 8];
    value[..n_bytes].copy_from_slice(&bytes[at..at + n_bytes]);
    u64::from_le_bytes(value)
}

/// The largest number becomes 127; the scale brings it back.
fn quantised(vector: &[f32]) -> (f32, Vec<i8>) {
    let most = vector.iter().fold(0f32, |most, value| most.max(value.abs()));
    if most == 0.0 || !most.is_finite() {
        return (0.0, vec![0; vector.len()]);
    }
    let numbers = vector
        .iter()
        .map(|value| (value / most * 127.0).round() as i8)
        .collect();
    (most / 127.0, numbers)
}

/// In whole numbers: every machine sums up to the same. Written so that the compiler makes vector instructions of it.
fn dot(query: &[i16], row: &[u8]) -> i32 {
    const LANES: usize = 32;
    let mut sums = [0i32; LANES];
    let (query_blocks, query_rest) = query.as_chunks::<LANES>();
    let (row_blocks, row_rest) = row.as_chunks::<LANES>();
    for (query, row) in query_blocks.iter().zip(row_blocks) {
        for lane in 0..LANES {
            sums[lane] += i32::from(query[lane]) * i32::from(row[lane] as i8);
        }
    }
    let rest = query_rest.iter().zip(row_rest);
    let rest: i32 = rest.map(|(a, b)| i32::from(*a) * i32::from(*b as i8)).sum();
    sums.iter().sum::<i32>() + rest
}

#[cfg(test)]
mod tests;
