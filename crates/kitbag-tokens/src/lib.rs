//! Token counts: a text and a model family in; a number, and whether it is exact, out.
//!
//! A budget only holds if the count is the model's own (overview, decision 2). Families with a public vocabulary are counted
//! exactly. Closed ones get an over-estimate with a stated headroom, because a pack that is smaller than allowed is
//! acceptable and one that is larger is an error. The usual estimate, characters divided by four, is wrong by a third for
//! code and by a factor of three for CJK.
//!
//! Text is always data: `<|endoftext|>` in a source file counts as the seven or so tokens of its spelling, not as one control
//! token. An unknown model name gives `None`, not a default.
//!
//! Start with [`Tokenizer`], or with [`count`] if the family is known and no text repeats; [`Family`] lists which models are
//! exact. Any other model is exact with its own `tokenizer.json` (`custom.rs`).

mod tokenizer;

mod cache;
mod custom;
mod estimate;
mod family;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use custom::{InvalidTokenizer, MAX_JSON_BYTES};
pub use family::{Family, family_of};
pub use tokenizer::Tokenizer;

use kitbag_types::{Stop, Stopped};

/// The number of tokens of a text, and how exact it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Exact, or an over-estimate.
    pub tokens: usize,
    pub exact: bool,
    /// The safety margin in percent (`estimate.rs` has the measurements); 0 if exact.
    pub headroom_percent: u32,
}

/// Counts `text` as ordinary text. The first call of a family loads its vocabulary (tens of milliseconds).
pub fn count(text: &str, family: Family) -> Count {
    count_until(text, family, Stop::never()).expect("nothing stops it")
}

fn count_until(text: &str, family: Family, stop: Stop<'_>) -> Result<Count, Stopped> {
    let exact = |tokens| Count {
        tokens,
        exact: true,
        headroom_percent: 0,
    };
    Ok(match family {
        Family::O200k => exact(vocabulary::o200k(text, stop)?),
        Family::Cl100k => exact(vocabulary::cl100k(text, stop)?),
        Family::Llama3 => Count {
            tokens: estimate::llama3(text, stop)?,
            exact: false,
            headroom_percent: estimate::LLAMA3_HEADROOM_PERCENT,
        },
        Family::Claude => estimated(text, &estimate::CLAUDE, stop)?,
        Family::Gemini => estimated(text, &estimate::GEMINI, stop)?,
    })
}

fn estimated(text: &str, closed: &estimate::Closed, stop: Stop<'_>) -> Result<Count, Stopped> {
    Ok(Count {
        tokens: estimate::over_estimate(text, closed, stop)?,
        exact: false,
        headroom_percent: closed.headroom_percent,
    })
}

/// The o200k count that the index stores per chunk. Saturates at `u32::MAX`, which no chunk reaches.
pub fn count_o200k(text: &str) -> u32 {
    u32::try_from(count(text, Family::O200k).tokens).unwrap_or(u32::MAX)
}
