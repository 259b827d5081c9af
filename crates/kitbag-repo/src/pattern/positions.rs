//! Sets of positions in a path, 64 per word: where a byte occurs, and how far a pattern has matched. A step over all positions
//! costs a few words instead of a check of every byte, so long patterns on long paths stay cheap.

use std::collections::BTreeMap;

/// A set of positions; bit `i` of word `w` is position `64 w + i`.
type Bits = Vec<u64>;

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] & (1 << (at % 64)) != 0
}

/// Where each byte occurs in a text.
pub(super) struct Positions<'t> {
    text: &'t [u8],
    by_byte: BTreeMap<u8, Bits>,
    inside_names: Bits,
    slashes: Vec<usize>,
}

impl<'t> Positions<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut inside_names = vec![0; text.len() / 64 + 1];
        let mut slashes = Vec::new();
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'/' => slashes.push(at),
                _ => set(&mut inside_names, at),
            }
        }
        Self {
            text,
            by_byte: BTreeMap::new(),
            inside_names,
            slashes,
        }
    }

    pub(super) fn of(&mut self, byte: u8) -> &[u64] {
        let text = self.text;
        self.by_byte.entry(byte).or_insert_with(|| {
            let mut bits = vec![0; text.len() / 64 + 1];
            for (at, _) in text.iter().enumerate().filter(|(_, other)| **other == byte) {
                set(&mut bits, at);
            }
            bits
        })
    }

    pub(super) fn of_any(&self, members: &[bool; 256]) -> Bits {
        let mut bits = vec![0; self.text.len() / 64 + 1];
        for (at, byte) in self.text.iter().enumerate() {
            if members[usize::from(*byte)] {
                set(&mut bits, at);
            }
        }
        bits
    }

    /// All positions except slashes.
    pub(super) fn inside_names(&self) -> &[u64] {
        &self.inside_names
    }

    /// In order.
    pub(super) fn slashes(&self) -> &[usize] {
        &self.slashes
    }
}

/// How far a pattern has matched: position `i` is in the set if the tokens so far can match the first `i` bytes.
pub(super) struct Reached {
    bits: Bits,
    /// The length of the text, which is the last position.
    end: usize,
}

impl Reached {
    pub(super) fn start(n_bytes: usize) -> Self {
        let mut bits = vec![0; n_bytes / 64 + 1];
        set(&mut bits, 0);
        Self { bits, end: n_bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    pub(super) fn has_end(&self) -> bool {
        has(&self.bits, self.end)
    }

    /// Advances by one byte, where that byte is among `allowed`.
    pub(super) fn step(&mut self, allowed: &[u64]) {
        let mut carry = 0;
        for (word, allowed) in self.bits.iter_mut().zip(allowed) {
            let stays = *word & allowed;
            *word = (stays << 1) | carry;
            carry = stays >> 63;
        }
    }

    /// Advances by any number of bytes, but not across `walls`.
    pub(super) fn run_to(&mut self, walls: &[usize]) {
        let mut start = 0;
        for wall in walls.iter().copied().chain([self.end]) {
            if let Some(first) = self.first_in(start, wall) {
                self.fill(first, wall);
            }
            start = wall + 1;
        }
    }

    /// Adds the positions after every slash from the first position on.
    pub(super) fn enter(&mut self, slashes: &[usize]) {
        let Some(first) = self.first_in(0, self.end) else {
            return;
        };
        for slash in slashes.iter().filter(|slash| **slash >= first) {
            set(&mut self.bits, slash + 1);
        }
    }

    /// The first position of the set from `from` to `to`, both included.
    fn first_in(&self, from: usize, to: usize) -> Option<usize> {
        let mut word_idx = from / 64;
        let mut word = self.bits.get(word_idx)? & (u64::MAX << (from % 64));
        while word == 0 {
            word_idx += 1;
            if word_idx > to / 64 {
                return None;
            }
            word = *self.bits.get(word_idx)?;
        }
        let at = word_idx * 64 + word.trailing_zeros() as usize;
        (at <= to).then_some(at)
    }

    /// Adds all positions from `from` to `to`, both included.
    fn fill(&mut self, from: usize, to: usize) {
        let (first, last) = (from / 64, to / 64);
        for word_idx in first..=last {
            let low = if word_idx == first { from % 64 } else { 0 };
            let high = if word_idx == last { to % 64 } else { 63 };
            self.bits[word_idx] |= (u64::MAX << low) & (u64::MAX >> (63 - high));
        }
    }
}
