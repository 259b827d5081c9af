//! Counts tokens with a built-in family or a vocabulary that the user provides, with a cache.
//!
//! It is one type for both, so that callers need not know which it is. Threads share it by reference, and it lives as long as
//! the command or the server. The cache belongs to the tokenizer and is not a static, because two tokenizers must not share
//! counts.

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
    /// Boxed, because it is a hundred times the size of the other.
    Custom(Box<CustomVocabulary>),
}

impl Tokenizer {
    pub fn of_family(family: Family) -> Tokenizer {
        Tokenizer::new(family.as_str().to_owned(), Vocabulary::BuiltIn(family))
    }

    /// By the name of a model or a family; `None` if it is unknown.
    pub fn of_model(model: &str) -> Option<Tokenizer> {
        family_of(model).map(Tokenizer::of_family)
    }

    /// From the text of a `tokenizer.json`, which the caller reads. `name` is shown to people.
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

    /// Whether its counts are the model's own. [`Count::exact`] says so for a single count: a custom vocabulary may fail on a
    /// text.
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

    /// The same, but can be stopped. A custom vocabulary checks once per text, because it is unknown where its text may be
    /// split; its time is bounded.
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
