//! A pair on disk: a question, and the passage that answers it, as text. Tokens come later, when there is a vocabulary.

use std::io::Read;

use kitbag_embed::Passage;

use crate::args::Result;

/// How the question came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// First sentence of a doc comment → the code without it.
    Docs,
    /// The whole doc comment.
    LongDocs,
    /// Words of a name → the code without the name.
    Words,
    /// A name as written → the code.
    Symbol,
    /// What a file says of itself → a chunk of it.
    File,
    /// A heading of prose → the text below.
    Heading,
    /// The message of a commit → a definition that it changed.
    Message,
}

pub const KINDS: [Kind; 7] = [
    Kind::Docs,
    Kind::LongDocs,
    Kind::Words,
    Kind::Symbol,
    Kind::File,
    Kind::Heading,
    Kind::Message,
];

#[derive(Clone, Debug, Default)]
pub struct Pair {
    pub package: u32,
    pub kind: u8,
    /// Index into the languages of the parser; 255 is none.
    pub language: u8,
    /// Pairs of the same chunk are not negatives of each other.
    pub chunk: u64,
    pub query: String,
    pub path: String,
    pub names: Vec<String>,
    pub docs: String,
    pub capsule: String,
    pub body: String,
}

impl Pair {
    pub fn passage(&self) -> Passage<'_> {
        Passage {
            path: &self.path,
            names: &self.names,
            docs: &self.docs,
            capsule: &self.capsule,
            body: &self.body,
        }
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.package.to_le_bytes());
        out.extend([self.kind, self.language]);
        out.extend(self.chunk.to_le_bytes());
        for text in [
            &self.query,
            &self.path,
            &self.names.join("\n"),
            &self.docs,
            &self.capsule,
            &self.body,
        ] {
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        }
    }

    /// The next pair, or `None` at the end.
    pub fn read(from: &mut impl Read) -> Result<Option<Pair>> {
        let mut head = [0; 14];
        if from.read(&mut head[..1])? == 0 {
            return Ok(None);
        }
        from.read_exact(&mut head[1..])?;
        let mut text = || -> Result<String> {
            let mut size = [0; 4];
            from.read_exact(&mut size)?;
            let mut bytes = vec![0; u32::from_le_bytes(size) as usize];
            from.read_exact(&mut bytes)?;
            Ok(String::from_utf8(bytes)?)
        };
        let mut pair = Pair {
            package: u32::from_le_bytes([head[0], head[1], head[2], head[3]]),
            kind: head[4],
            language: head[5],
            chunk: u64::from_le_bytes(head[6..].try_into()?),
            query: text()?,
            path: text()?,
            ..Pair::default()
        };
        pair.names = text()?
            .split('\n')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        (pair.docs, pair.capsule, pair.body) = (text()?, text()?, text()?);
        Ok(Some(pair))
    }
}
