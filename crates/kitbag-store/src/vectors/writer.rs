//! The writing half: blocks are appended, and copied together when too many are dead. Runs under the writer lock.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{BLOCK, HEAD, SCALE_BYTES, State, Vectors, quantised};
use crate::StoreError;
use crate::rows::ParseId;

/// Fewer dead rows than this are not worth a copy.
const MIN_DEAD_ROWS: usize = 4_096;

pub(crate) struct VectorWriter {
    path: PathBuf,
    dims: usize,
    database: u32,
    file: BufWriter<File>,
    seq: i64,
}

impl VectorWriter {
    /// Opens the file for appending, or makes an empty one in its place if it is missing, damaged or of other dimensions.
    /// `last_seq`: the tree's last change; a file ahead of it belongs to another database.
    pub(crate) fn open(path: &Path, dims: usize, database: u32, last_seq: i64) -> Result<Self, StoreError> {
        let fail = |source| StoreError::io(path, source);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        let known = Vectors::open(path, dims, database).filter(|known| known.seq <= last_seq);
        let Some(known) = known else {
            return Self::create(path, dims, database);
        };
        let file = OpenOptions::new().write(true).open(path).map_err(fail)?;
        file.set_len(known.end as u64).map_err(fail)?;
        let mut file = BufWriter::new(file);
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            dims,
            database,
            file,
            seq: known.seq,
        })
    }

    fn create(path: &Path, dims: usize, database: u32) -> Result<Self, StoreError> {
        let fail = |source| StoreError::io(path, source);
        // A new file, not the old one emptied: a reader may have that one in its memory.
        let fresh = path.with_extension("new");
        let mut file = BufWriter::new(File::create(&fresh).map_err(fail)?);
        let mut head = Vec::from(*HEAD);
        head.extend((dims as u32).to_le_bytes());
        head.extend(database.to_le_bytes());
        file.write_all(&head).map_err(fail)?;
        file.flush().map_err(fail)?;
        std::fs::rename(&fresh, path).map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            dims,
            database,
            file,
            seq: 0,
        })
    }

    /// The last change that is in here.
    pub(crate) fn seq(&self) -> i64 {
        self.seq
    }

    /// Appends what a file shows as of change `seq`: a vector for each of its chunks, none if it is gone.
    pub(crate) fn add(&mut self, state: State, seq: i64, vectors: &[Vec<f32>]) -> Result<(), StoreError> {
        let mut rows = Vec::with_capacity(vectors.len() * (SCALE_BYTES + self.dims));
        for vector in vectors {
            assert_eq!(vector.len(), self.dims, "the caller has checked the dimensions");
            let (scale, numbers) = quantised(vector);
            rows.extend(scale.to_le_bytes());
            rows.extend(numbers.iter().map(|number| *number as u8));
        }
        self.append(state, seq, vectors.len() as u32, &rows)
    }

    /// Appends what `known` has of a file in this state, if it has that.
    pub(crate) fn add_known(&mut self, known: &Vectors, state: State, seq: i64) -> Result<bool, StoreError> {
        match known.bytes_of(state) {
            Some((n_rows, rows)) => self.append(state, seq, n_rows, rows).map(|()| true),
            None => Ok(false),
        }
    }

    fn append(
        &mut self,
        (file, parse, content): State,
        seq: i64,
        n_rows: u32,
        rows: &[u8],
    ) -> Result<(), StoreError> {
        let mut head = Vec::with_capacity(super::BLOCK_BYTES);
        head.extend(BLOCK);
        head.extend(n_rows.to_le_bytes());
        head.extend((file as u32).to_le_bytes());
        head.extend(content.to_le_bytes());
        head.extend((parse.0 as u64).to_le_bytes());
        head.extend(seq.to_le_bytes());
        self.seq = self.seq.max(seq);
        let written = self
            .file
            .write_all(&head)
            .and_then(|()| self.file.write_all(rows));
        written.map_err(|source| StoreError::io(&self.path, source))
    }

    /// Hands everything over to readers; then, if too much of the file is dead, copies the living into a new one.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        let path = self.path.clone();
        let fail = |source| StoreError::io(&path, source);
        self.file.flush().map_err(fail)?;
        let Some(known) = Vectors::open(&self.path, self.dims, self.database) else {
            return Ok(());
        };
        if known.n_dead < MIN_DEAD_ROWS || known.n_dead < known.n_rows() {
            return Ok(());
        }
        let fresh = path.with_extension("new");
        let mut file = BufWriter::new(File::create(&fresh).map_err(fail)?);
        file.write_all(&known.bytes[..super::HEAD_BYTES]).map_err(fail)?;
        for block in &known.blocks {
            let end = block.offset + block.n_rows as usize * known.stride();
            file.write_all(&known.bytes[block.offset - super::BLOCK_BYTES..end])
                .map_err(fail)?;
        }
        // The number of the last change may have stood in a block that is left out.
        file.into_inner().map_err(|error| fail(error.into_error()))?;
        std::fs::rename(&fresh, &path).map_err(fail)?;
        let mut copied = Self::open(&path, self.dims, self.database, i64::MAX)?;
        if copied.seq < known.seq {
            // File 0 is none: rows of the database begin with 1.
            copied.add((0, ParseId(0), 0), known.seq, &[])?;
            copied.file.flush().map_err(fail)?;
        }
        Ok(())
    }
}
