//! Lists of numbers in a file, one after another: length, then values, little endian.

use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::args::Result;

pub struct Writer(BufWriter<std::fs::File>);

impl Writer {
    pub fn create(path: &Path) -> Result<Writer> {
        Ok(Writer(BufWriter::with_capacity(
            1 << 20,
            std::fs::File::create(path)?,
        )))
    }

    pub fn bytes(&mut self, values: &[u8]) -> Result {
        self.0.write_all(&(values.len() as u64).to_le_bytes())?;
        self.0.write_all(values)?;
        Ok(self.0.flush()?)
    }

    pub fn u32s(&mut self, values: &[u32]) -> Result {
        self.0.write_all(&(values.len() as u64).to_le_bytes())?;
        for value in values {
            self.0.write_all(&value.to_le_bytes())?;
        }
        Ok(self.0.flush()?)
    }

    pub fn u64s(&mut self, values: &[u64]) -> Result {
        self.0.write_all(&(values.len() as u64).to_le_bytes())?;
        for value in values {
            self.0.write_all(&value.to_le_bytes())?;
        }
        Ok(self.0.flush()?)
    }

    pub fn f32s(&mut self, values: &[f32]) -> Result {
        let bits: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        self.u32s(&bits)
    }
}

pub struct Reader(BufReader<std::fs::File>);

impl Reader {
    pub fn open(path: &Path) -> Result<Reader> {
        Ok(Reader(BufReader::with_capacity(
            1 << 20,
            std::fs::File::open(path)?,
        )))
    }

    fn block(&mut self, width: usize) -> Result<Vec<u8>> {
        let mut size = [0; 8];
        self.0.read_exact(&mut size)?;
        let mut bytes = vec![0; u64::from_le_bytes(size) as usize * width];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub fn bytes(&mut self) -> Result<Vec<u8>> {
        self.block(1)
    }

    pub fn u32s(&mut self) -> Result<Vec<u32>> {
        let bytes = self.block(4)?;
        Ok(bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    }

    pub fn u64s(&mut self) -> Result<Vec<u64>> {
        let bytes = self.block(8)?;
        Ok(bytes
            .chunks_exact(8)
            .map(|b| u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect())
    }

    pub fn f32s(&mut self) -> Result<Vec<f32>> {
        Ok(self.u32s()?.into_iter().map(f32::from_bits).collect())
    }
}
