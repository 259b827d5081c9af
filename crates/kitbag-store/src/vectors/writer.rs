//! The writing half: blocks are appended, and copied together when too many are dead. Runs under the writer lock.
//!
//! A file that another process may have in its memory is never cut: what is not served of it is left behind by copying the
//! rest into a new file.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{
    BLOCK, BLOCK_BYTES, Block, HEAD, HEAD_BYTES, HasChange, SCALE_BYTES, VectorKey, Vectors, check, quantised,
};
use crate::rows::TreeId;
use crate::runs::{Fault, SeenUpTo};
use crate::{StoreError, path_kind};

/// Fewer dead rows than this are not worth a copy.
const MIN_DEAD_ROWS: usize = 4_096;

pub(crate) struct VectorWriter {
    path: PathBuf,
    dims: usize,
    file: BufWriter<File>,
    seen: SeenUpTo,
    /// What was there when it was opened.
    known: Option<Vectors>,
}

impl VectorWriter {
    /// Opens the file of a tree and a model for appending, behind what is valid of it, or makes an empty one in its place.
    pub(crate) fn open(
        store: &Path,
        tree: TreeId,
        model: &str,
        dims: usize,
        holds: &HasChange<'_>,
    ) -> Result<Self, StoreError> {
        let path = super::file(store, tree, model);
        let known = Vectors::open(&path, dims, holds);
        let fail = |source| StoreError::io(&path, source);
        let seen = known.as_ref().map_or(SeenUpTo::default(), |known| known.seen);
        if !known.as_ref().is_some_and(Vectors::is_whole) {
            path_kind::make_folder(store, &super::folder(store, tree)).map_err(fail)?;
            if !path_kind::may_be_file(&path) {
                path_kind::remove(&path).map_err(fail)?;
            }
            let served = known.as_ref().filter(|known| known.seen.seq > 0);
            match served {
                Some(known) => replace(&path, &[&known.bytes[..known.end]]).map_err(fail)?,
                None => replace(&path, &[&head(dims, 0, SeenUpTo::default())]).map_err(fail)?,
            }
        }
        let mut file = OpenOptions::new().write(true).open(&path).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok(Self {
            dims,
            file: BufWriter::new(file),
            seen,
            known,
            path,
        })
    }

    /// What is in here.
    pub(crate) fn seen(&self) -> SeenUpTo {
        self.seen
    }

    /// Why not all that was there could be used.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.known.as_ref()?.fault()
    }

    /// The files that have vectors, as rows of the database.
    pub(crate) fn files(&self) -> Vec<i64> {
        self.known
            .iter()
            .flat_map(|known| &known.blocks)
            .map(|block| block.file)
            .collect()
    }

    /// Appends what a file shows as of a change: a vector for each of its chunks, none if it is gone.
    pub(crate) fn add(
        &mut self,
        state: VectorKey,
        seen: SeenUpTo,
        vectors: &[Vec<f32>],
    ) -> Result<(), StoreError> {
        let mut rows = Vec::with_capacity(vectors.len() * (SCALE_BYTES + self.dims));
        for vector in vectors {
            assert_eq!(vector.len(), self.dims, "the caller has checked the dimensions");
            let (scale, numbers) = quantised(vector);
            rows.extend(scale.to_le_bytes());
            rows.extend(numbers.iter().map(|number| *number as u8));
        }
        let block = block(state, seen, vectors.len() as u32, &rows);
        self.append(seen, &block)
    }

    /// Appends what is known of a file in this state, if there is something.
    pub(crate) fn add_known(&mut self, state: VectorKey, seen: SeenUpTo) -> Result<bool, StoreError> {
        let known = self.known.as_ref().and_then(|known| known.bytes_of(state));
        let Some(block) = known.map(|(n_rows, rows)| block(state, seen, n_rows, rows)) else {
            return Ok(false);
        };
        self.append(seen, &block).map(|()| true)
    }

    fn append(&mut self, seen: SeenUpTo, block: &[u8]) -> Result<(), StoreError> {
        if seen.seq > self.seen.seq {
            self.seen = seen;
        }
        self.file
            .write_all(block)
            .map_err(|source| StoreError::io(&self.path, source))
    }

    /// Hands everything over to readers; then, if too much of the file is dead, copies the living into a new one.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        let path = self.path;
        let fail = |source| StoreError::io(&path, source);
        self.file.flush().map_err(fail)?;
        let Some(known) = Vectors::open(&path, self.dims, &|_| true) else {
            return Ok(());
        };
        if known.n_dead < MIN_DEAD_ROWS || known.n_dead < known.n_rows() {
            return Ok(());
        }
        let of = |block: &Block| &known.bytes[block.offset - BLOCK_BYTES..known.end_of(block)];
        let blocks: Vec<&[u8]> = known.blocks.iter().map(of).collect();
        let n_bytes = blocks.iter().map(|block| block.len()).sum();
        let head = head(self.dims, n_bytes, known.seen);
        replace(&path, &[&[&head[..]], &blocks[..]].concat()).map_err(fail)
    }
}

/// A new file in the place of the old one, which readers may still have in their memory.
fn replace(path: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
    let fresh = path.with_extension("new");
    path_kind::remove(&fresh)?;
    let mut file = BufWriter::new(File::create(&fresh)?);
    for part in parts {
        file.write_all(part)?;
    }
    file.into_inner()?;
    std::fs::rename(&fresh, path)
}

/// `n_copied`: bytes of blocks that follow at once, as of change `base`.
fn head(dims: usize, n_copied: usize, base: SeenUpTo) -> Vec<u8> {
    let mut checked = Vec::with_capacity(HEAD_BYTES);
    checked.extend((dims as u32).to_le_bytes());
    checked.extend((n_copied as u64).to_le_bytes());
    checked.extend(base.seq.to_le_bytes());
    checked.extend(base.mark.to_le_bytes());
    let mut head = Vec::from(*HEAD);
    head.extend((check(&checked) as u32).to_le_bytes());
    head.extend(checked);
    head
}

fn block((file, parse, content): VectorKey, seen: SeenUpTo, n_rows: u32, rows: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(BLOCK_BYTES + rows.len());
    block.extend(BLOCK);
    block.extend([0; 4]);
    block.extend(n_rows.to_le_bytes());
    block.extend((file as u32).to_le_bytes());
    block.extend(content.to_le_bytes());
    block.extend((parse.0 as u64).to_le_bytes());
    block.extend(seen.seq.to_le_bytes());
    block.extend(seen.mark.to_le_bytes());
    block.extend(rows);
    let check = check(&block[super::BLOCK_CHECKED..]) as u32;
    block[4..super::BLOCK_CHECKED].copy_from_slice(&check.to_le_bytes());
    block
}
