//! The vectors of one tree by one model: a file of whole numbers, read in place and scanned from end to end (RET-12).
//!
//! Exact and without an index of its own: a hundred thousand rows of 256 numbers are 26 MB, which memory delivers in
//! milliseconds. The file is a list of blocks, one for each state of a file, only ever appended to:
//!
//! ```text
//! head:   "KBVECT3\0"  check u32  dims u32  copied u64  seq i64  mark i64
//! block:  "KBVB"  check u32  n_rows u32  file u32  content u32  parse u64  seq i64  mark i64
//!         then n_rows × (scale f32, dims × i8)
//! ```
//!
//! The last block of a file counts; a deleted file has one without rows. When half of the rows are unused, the used
//! ones are copied into a new file that replaces the old one. Its head says how many bytes were copied, and as of which
//! change: earlier states are not in it. A `check` is the CRC-32 of what follows it. It is compared once, when a file is opened. Blocks up to the
//! first wrong one are served, as far as the database has their changes (`runs.rs`); the next writer reuses
//! what comes after it, if it is sound, without running the model.

mod writer;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use crate::path_kind::{PathKind, kind_at};
use crate::rows::{ChunkRef, ParseId, TreeId};
use crate::runs::{Fault, SeenUpTo};

pub(crate) use writer::VectorWriter;

/// Version 2 had neither checksums nor marks; it is made again.
const HEAD: &[u8; 8] = b"KBVECT3\0";
/// The beginning of the file in all versions.
const ANY_HEAD: &[u8] = b"KBVECT";
const HEAD_BYTES: usize = 40;
const BLOCK: &[u8; 4] = b"KBVB";
const BLOCK_BYTES: usize = 44;
/// Where a block's check ends, and what is checked begins.
const BLOCK_CHECKED: usize = 8;
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
pub(crate) type VectorKey = (i64, ParseId, u32);

/// The head of a block, and where its rows begin.
#[derive(Clone, Copy, Debug)]
struct Block {
    file: i64,
    parse: ParseId,
    content: u32,
    seen: SeenUpTo,
    n_rows: u32,
    /// Of its first row in the file.
    offset: usize,
    /// Rows of living blocks before it.
    first: u32,
}

/// What was copied together when the file was made: where it ends, and as of which change.
#[derive(Clone, Copy, Debug)]
struct Base {
    end: usize,
    seen: SeenUpTo,
}

/// A view of the file for reading.
pub struct Vectors {
    bytes: OwnedBytes,
    dims: usize,
    /// The blocks that count, in the order of the file.
    blocks: Vec<Block>,
    /// Blocks that do not count now but may later: of a branch that comes back (IDX-35), or after
    /// a damaged block.
    spare: Vec<Block>,
    /// The place of a file's block in `blocks`.
    by_file: HashMap<i64, u32>,
    seen: SeenUpTo,
    n_dead: usize,
    /// Where the blocks that are served end.
    end: usize,
    fault: Option<Fault>,
}

/// Whether the database has a change.
type HasChange<'a> = dyn Fn(SeenUpTo) -> bool + 'a;

impl Vectors {
    /// Opens a file of vectors. `None` if it is missing, of another version or of other dimensions.
    pub(crate) fn open(path: &Path, dims: usize, holds: &HasChange<'_>) -> Option<Self> {
        let mut vectors = Self {
            bytes: OwnedBytes::empty(),
            dims,
            blocks: Vec::new(),
            spare: Vec::new(),
            by_file: HashMap::new(),
            seen: SeenUpTo::default(),
            n_dead: 0,
            end: 0,
            fault: None,
        };
        let bytes = match kind_at(path) {
            PathKind::Nothing => return None,
            PathKind::File => bytes_of(path),
            PathKind::Folder | PathKind::Oddity => Err("it is not a file".into()),
        };
        match bytes {
            Ok(bytes) => vectors.bytes = bytes,
            Err(what) => {
                vectors.fault = Some(Fault::Damaged { what });
                return Some(vectors);
            }
        }
        match vectors.bytes.get(..HEAD_BYTES) {
            Some(head) if &head[..8] == HEAD && check(&head[12..]) == number(head, 8, 4) => {
                if number(head, 12, 4) != dims as u64 {
                    return None;
                }
                let base = Base {
                    end: HEAD_BYTES.saturating_add(number(head, 16, 8) as usize),
                    seen: seen(head, 24),
                };
                vectors.read_blocks(base, holds);
            }
            Some(head) if &head[..8] != HEAD && head.starts_with(ANY_HEAD) => return None,
            _ => vectors.fault = damaged("its beginning makes no sense"),
        }
        Some(vectors)
    }

    fn read_blocks(&mut self, base: Base, holds: &HasChange<'_>) {
        let mut all: Vec<Block> = Vec::new();
        let mut n_whole = None;
        let mut at = HEAD_BYTES;
        while let Some(head) = self.bytes.get(at..at + BLOCK_BYTES) {
            let n_rows = number(head, 8, 4) as usize;
            let end = at + BLOCK_BYTES + n_rows * self.stride();
            if &head[..4] != BLOCK {
                self.fault = self.fault.take().or(damaged("a block makes no sense"));
                break;
            }
            // Cut off because the process was killed while writing: that is not damage.
            let Some(block) = self.bytes.get(at..end) else {
                break;
            };
            if check(&block[BLOCK_CHECKED..]) == number(head, 4, 4) {
                all.push(Block {
                    file: number(head, 12, 4) as i64,
                    content: number(head, 16, 4) as u32,
                    parse: ParseId(number(head, 20, 8) as i64),
                    seen: seen(head, 28),
                    n_rows: n_rows as u32,
                    offset: at + BLOCK_BYTES,
                    first: 0,
                });
            } else {
                self.fault = self.fault.take().or(damaged("the checksum of a block is wrong"));
                n_whole.get_or_insert(all.len());
            }
            at = end;
        }
        let n_whole = n_whole.unwrap_or(all.len());
        let n_served = if self.end_of_all(&all[..n_whole]) < base.end {
            self.fault = self.fault.take().or(damaged("it was cut off"));
            None
        } else {
            n_valid(&all[..n_whole], base, holds)
        };
        if n_served != Some(n_whole) && self.fault.is_none() {
            self.fault = Some(Fault::Astray);
        }
        let later = all.split_off(n_served.unwrap_or(0));
        if n_served.is_some() {
            let last = all.last().map(|block| block.seen);
            let last = last.filter(|last| last.seq > base.seen.seq);
            self.seen = last.unwrap_or(base.seen);
        }
        self.end = self.end_of_all(&all);
        self.serve(all);
        self.spare
            .extend(later.into_iter().filter(|block| holds(block.seen)));
    }

    fn serve(&mut self, all: Vec<Block>) {
        let places = all.iter().enumerate();
        let last: HashMap<i64, usize> = places.map(|(idx, block)| (block.file, idx)).collect();
        let mut first = 0;
        for (idx, mut block) in all.into_iter().enumerate() {
            if last.get(&block.file) != Some(&idx) || block.n_rows == 0 {
                self.n_dead += block.n_rows as usize;
                self.spare.push(block);
                continue;
            }
            block.first = first;
            first += block.n_rows;
            self.by_file.insert(block.file, self.blocks.len() as u32);
            self.blocks.push(block);
        }
    }

    fn end_of_all(&self, blocks: &[Block]) -> usize {
        blocks.last().map_or(HEAD_BYTES, |block| self.end_of(block))
    }

    fn end_of(&self, block: &Block) -> usize {
        block.offset + block.n_rows as usize * self.stride()
    }

    fn stride(&self) -> usize {
        SCALE_BYTES + self.dims
    }

    /// The last change of the tree that is in here.
    pub fn seq(&self) -> i64 {
        self.seen.seq
    }

    /// Why not all of the file is served.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Nothing follows the valid blocks, so a writer may append.
    fn is_whole(&self) -> bool {
        self.end > 0 && self.end == self.bytes.len() && self.fault.is_none()
    }

    /// Number of chunks that have a vector.
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
            for row in self.bytes[block.offset..self.end_of(block)].chunks_exact(self.stride()) {
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
    fn bytes_of(&self, state: VectorKey) -> Option<(u32, &[u8])> {
        let mut blocks = self.blocks.iter().chain(&self.spare);
        let block =
            blocks.find(|block| (block.file, block.parse, block.content) == state && block.n_rows > 0)?;
        Some((block.n_rows, &self.bytes[block.offset..self.end_of(block)]))
    }

    /// The similarity of two rows.
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

/// How many blocks, from the first, are a state of the tree that the database knows. `None`: none of it is, not even what was
/// copied together at the start. Later blocks vouch for those before them.
fn n_valid(blocks: &[Block], base: Base, holds: &HasChange<'_>) -> Option<usize> {
    let is_later = |block: &Block| block.offset > base.end;
    let last = blocks
        .iter()
        .rposition(|block| is_later(block) && holds(block.seen));
    match last {
        Some(last) => Some(last + 1),
        None => holds(base.seen).then(|| blocks.partition_point(|block| !is_later(block))),
    }
}

fn bytes_of(path: &Path) -> Result<OwnedBytes, String> {
    let (folder, name) = path.parent().zip(path.file_name()).ok_or("it has no name")?;
    let folder = MmapDirectory::open(folder).map_err(|error| error.to_string())?;
    let slice = folder
        .open_read(Path::new(name))
        .map_err(|error| error.to_string())?;
    slice.read_bytes().map_err(|error| error.to_string())
}

fn damaged(what: &str) -> Option<Fault> {
    Some(Fault::Damaged { what: what.into() })
}

fn check(bytes: &[u8]) -> u64 {
    crc32fast::hash(bytes).into()
}

fn seen(bytes: &[u8], at: usize) -> SeenUpTo {
    SeenUpTo {
        seq: number(bytes, at, 8) as i64,
        mark: number(bytes, at + 8, 8) as i64,
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
