//! Sections: each piece stands in exactly one, each section has a share that it may not exceed while others want room
//! (PACK-32, PACK-50).

use crate::piece::{Origin, Piece, Role};
use crate::score::Intent;
use crate::tuning;

/// In the order of the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Output of tools and texts that the asker handed in: they are about the task itself.
    Given,
    Definitions,
    KeyUsages,
    Dependencies,
    Tests,
    Config,
    Docs,
}

// A share for each section.
const _: () = assert!(tuning::SHARES.len() == Section::ALL.len());

impl Section {
    pub const ALL: [Self; 7] = [
        Self::Given,
        Self::Definitions,
        Self::KeyUsages,
        Self::Dependencies,
        Self::Tests,
        Self::Config,
        Self::Docs,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Definitions => "definitions",
            Self::KeyUsages => "key_usages",
            Self::Dependencies => "dependencies",
            Self::Tests => "tests",
            Self::Config => "config",
            Self::Docs => "docs",
        }
    }

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Given => "Given",
            Self::Definitions => "Definitions",
            Self::KeyUsages => "Key usages",
            Self::Dependencies => "Dependencies",
            Self::Tests => "Tests",
            Self::Config => "Config",
            Self::Docs => "Docs",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.as_str() == text)
    }

    pub(crate) fn of(piece: &Piece) -> Self {
        if !piece.is_file
            || matches!(
                piece.origin,
                Origin::ToolResult | Origin::Message | Origin::Memory
            )
        {
            return Self::Given;
        }
        match piece.role {
            Role::Code if piece.pulled_by.is_none() && !piece.names.is_empty() => Self::Definitions,
            Role::Code => Self::KeyUsages,
            Role::Manifest => Self::Dependencies,
            Role::Test => Self::Tests,
            Role::Config => Self::Config,
            Role::Docs => Self::Docs,
        }
    }
}

/// The largest share of the budget for each section, while others have candidates. In the order of [`Section::ALL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares(pub [f64; 7]);

impl Shares {
    pub fn of(intent: Intent, wants_tests: bool, wants_docs: bool) -> Self {
        let mut shares = tuning::SHARES;
        if intent == Intent::AddTest || wants_tests {
            shares[Section::Tests as usize] = tuning::WANTED_SHARE;
        }
        if wants_docs {
            shares[Section::Docs as usize] = tuning::WANTED_SHARE;
        }
        Self(shares)
    }
}
