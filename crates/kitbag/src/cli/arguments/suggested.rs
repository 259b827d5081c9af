//! Values that completions offer. Other values are taken too: the engine says what a word means, the same for every door, so the
//! parser here takes any text.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use kitbag_engine::api;
use kitbag_types::ChunkKind;

/// Takes any text and offers these.
#[derive(Clone, Copy)]
pub(super) struct Suggested(pub(super) fn() -> Vec<&'static str>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let text = value.to_str().map(str::to_owned);
        text.ok_or_else(|| Error::new(ErrorKind::InvalidUtf8).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// `a, b or c`: the values in a help text.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

pub(super) fn languages() -> Vec<&'static str> {
    api::languages().iter().map(|language| language.name).collect()
}

pub(super) fn kinds() -> Vec<&'static str> {
    ChunkKind::ALL.map(ChunkKind::as_str).to_vec()
}

pub(super) fn scopes() -> Vec<&'static str> {
    api::scopes().to_vec()
}

pub(super) fn graph_forms() -> Vec<&'static str> {
    api::GRAPH_FORMS.to_vec()
}

pub(super) fn constraint_kinds() -> Vec<&'static str> {
    api::constraint_kinds()
}

pub(super) fn pattern_categories() -> Vec<&'static str> {
    api::pattern_categories()
}

pub(super) fn formats() -> Vec<&'static str> {
    api::formats()
}

pub(super) fn depths() -> Vec<&'static str> {
    api::depths()
}

pub(super) fn categories() -> Vec<&'static str> {
    api::categories()
}

pub(super) fn intents() -> Vec<&'static str> {
    api::intents()
}
