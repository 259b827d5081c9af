//! `languages`: the languages that Kitbag parses.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LanguageReply {
    pub name: &'static str,
    pub extensions: &'static [&'static str],
    pub filenames: &'static [&'static str],
}

/// Every language of the table, by name. Other text is cut by lines.
pub fn languages() -> Vec<LanguageReply> {
    kitbag_syntax::LANGUAGES
        .iter()
        .map(|language| LanguageReply {
            name: language.name,
            extensions: language.extensions,
            filenames: language.filenames,
        })
        .collect()
}
