//! The fields of a chunk that terms are indexed in. They have different weights: a word in a name counts more than one in a
//! body.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextField {
    Body,
    Names,
    Path,
    Docs,
    Capsule,
}

impl TextField {
    pub const ALL: [Self; 5] = [Self::Body, Self::Names, Self::Path, Self::Docs, Self::Capsule];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Names => "names",
            Self::Path => "path",
            Self::Docs => "docs",
            Self::Capsule => "capsule",
        }
    }
}
