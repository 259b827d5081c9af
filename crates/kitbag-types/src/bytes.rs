//! Plain data as bytes, for rooms whose results the engine stores between runs. Numbers have a fixed width; texts and lists
//! start with their length. The format is simple because it is read before every answer and must be fast.
//!
//! A reader returns `None` for malformed input and reserves no memory from a length that may be corrupt. It does not detect
//! changed bytes: the store keeps a checksum.

/// Bytes that are being written.
#[derive(Default)]
pub struct ByteWriter(pub Vec<u8>);

impl ByteWriter {
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub fn maybe<T>(&mut self, item: Option<T>, one: impl Fn(&mut Self, T)) {
        self.0.push(u8::from(item.is_some()));
        if let Some(item) = item {
            one(self, item);
        }
    }

    pub fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, one: impl Fn(&mut Self, T)) {
        self.number(items.len() as u64);
        for item in items {
            one(self, item);
        }
    }
}

/// Bytes that are being read: what is left of them.
pub struct ByteReader<'b>(pub &'b [u8]);

impl<'b> ByteReader<'b> {
    pub fn take(&mut self, n_bytes: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(n_bytes)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub fn text(&mut self) -> Option<String> {
        let n_bytes = usize::try_from(self.number()?).ok()?;
        String::from_utf8(self.take(n_bytes)?.to_vec()).ok()
    }

    pub fn maybe<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.take(1)? {
            [0] => Some(None),
            [1] => Some(Some(one(self)?)),
            _ => None,
        }
    }

    pub fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n_items = self.number()?;
        // Reserves nothing: the length may be corrupt, and each item must be there to be counted.
        (0..n_items).map(|_| one(self)).collect()
    }
}
