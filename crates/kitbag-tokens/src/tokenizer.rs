//! What counts: a family that is built in, or a vocabulary that the user brought; with a memory for counts.
//!
//! One type for both, so that whoever fills a budget need not know which it is. It is shared by reference between threads
//! and lives as long as the command or the server: its memory is its own and not a static, because two tokenizers must
//! not answer for one another.

#[cfg(test)]
mod tests;

use std::fmt;

use kitbag_types::{Stop, Stopped};

use crate::cache::{CAPACITY, CountCache};
use crate::custom::{self, CustomVocabulary, InvalidTokenizer};
use crate::{Count, Family, count_until, family_of};

pub struct Tokenizer {
    name: String,
    vocabulary: Vocabulary,
    cache: CountCache,
}

enum Vocabulary {
    BuiltIn(Family),
    /// Boxed: it is a hundred times the size of the other.
    Custom(Box<CustomVocabulary>),
}

impl Tokenizer {
    pub fn of_family(family: Family) -> Tokenizer {
        Tokenizer::new(family.as_str().to_owned(), Vocabulary::BuiltIn(family))
    }

    /// By the name of a model or a family; `None` if no table knows it.
    pub fn of_model(model: &str) -> Option<Tokenizer> {
        family_of(model).map(Tokenizer::of_family)
    }

    /// From the text of a `tokenizer.json`; the file is for the caller to read. `name` is for people.
    pub fn from_json(name: String, json: &[u8]) -> Result<Tokenizer, InvalidTokenizer> {
        let custom = custom::load(json)?;
        Ok(Tokenizer::new(name, Vocabulary::Custom(Box::new(custom))))
    }

    fn new(name: String, vocabulary: Vocabulary) -> Tokenizer {
        Tokenizer {
            name,
            vocabulary,
            cache: CountCache::new(CAPACITY),
        }
    }

    /// `o200k`, or the name it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its counts are the model's own. Of a single count, [`Count::exact`] says it: a vocabulary that was brought
    /// may fail on a text.
    pub fn is_exact(&self) -> bool {
        match self.vocabulary {
            Vocabulary::BuiltIn(family) => family.is_exact(),
            Vocabulary::Custom(_) => true,
        }
    }

    /// Counts `text` as ordinary text.
    pub fn count(&self, text: &str) -> Count {
        self.count_until(text, Stop::never()).expect("nothing stops it")
    }

    /// The same, as long as somebody waits for it. A vocabulary that was brought looks once for each text: where its own text may
    /// be cut is not known, and what it takes has a bound.
    pub fn count_until(&self, text: &str, stop: Stop<'_>) -> Result<Count, Stopped> {
        self.cache.get_or_count(text, |text| match &self.vocabulary {
            Vocabulary::BuiltIn(family) => count_until(text, *family, stop),
            Vocabulary::Custom(custom) => stop.check().map(|()| custom::count(custom, text)),
        })
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
