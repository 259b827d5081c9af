//! Values in, settings out: the last value of a key wins, and the default is used for the rest.
//!
//! It also does the two things that need all values at once: finding contradictions between values, and making the lines of
//! `config show`.

use std::collections::BTreeMap;

use super::error::{ConfigError, Place};
use super::keys::{self, BUILT_IN, CHUNKING, KEYS};
use super::read::SettingValue;
use super::values::{HIDDEN, Value};
use super::{Budget, Entry, Settings};

/// The model's window and its reserves (PACK-30).
const WINDOW: [&str; 3] = [
    "budget.total_tokens",
    "budget.system_reserve",
    "budget.response_reserve",
];

/// The budget of a pack for which the caller gives none.
const DEFAULT_TOKENS: &str = "budget.default_max_tokens";

/// The winning value of each key that somebody gave.
pub struct Merged(BTreeMap<String, SettingValue>);

impl Merged {
    /// The last value of a key wins.
    pub fn new(given: Vec<SettingValue>) -> Merged {
        Merged(
            given
                .into_iter()
                .map(|given| (given.key.clone(), given))
                .collect(),
        )
    }

    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        for key in KEYS {
            if let Some(given) = self.0.get(&key.full()) {
                (key.at.set)(&mut settings, given.value.clone());
            }
        }
        for (language, given) in self.of_languages() {
            let Some(key) = keys::of(&given.key) else { continue };
            let of_all = settings.options.chunking.clone();
            let own = settings.options.chunking_by_language.remove(language);
            // A language takes what it does not set itself from `[chunking]`.
            settings.options.chunking = own.unwrap_or_else(|| of_all.clone());
            (key.at.set)(&mut settings, given.value.clone());
            let own = std::mem::replace(&mut settings.options.chunking, of_all);
            settings
                .options
                .chunking_by_language
                .insert(language.to_owned(), own);
        }
        let is_given = |key: &str| self.0.contains_key(key);
        settings.budget.fills_window = WINDOW.into_iter().any(is_given) && !is_given(DEFAULT_TOKENS);
        settings
    }

    /// The values of `[chunking.<language>]`.
    fn of_languages(&self) -> impl Iterator<Item = (&str, &SettingValue)> {
        self.0.values().filter_map(|given| {
            let (language, _) = given.key.strip_prefix("chunking.")?.split_once('.')?;
            Some((language, given))
        })
    }

    /// Errors for values that are valid alone but not together.
    pub fn contradictions(&self, settings: &Settings) -> Vec<ConfigError> {
        let mut sections: Vec<&str> = self
            .0
            .keys()
            .filter_map(|key| key.rsplit_once('.'))
            .map(|(section, _)| section)
            .filter(|section| *section == CHUNKING || section.starts_with("chunking."))
            .collect();
        sections.dedup();
        let contradiction = |section: &&str| {
            let min = self.0.get(&format!("{section}.min_chunk_tokens"))?;
            let max = self.0.get(&format!("{section}.max_chunk_tokens"))?;
            let (Value::Count(least), Value::Count(most)) = (&min.value, &max.value) else {
                return None;
            };
            let message = format!(
                "{} = {least}: expected at most {section}.max_chunk_tokens, which is {most} ({})",
                min.key, max.place
            );
            (least > most).then(|| ConfigError {
                place: min.place.clone(),
                message,
            })
        };
        let chunking = sections.iter().filter_map(contradiction);
        chunking
            .chain(self.wrong_weights(settings))
            .chain(self.wrong_window(settings))
            .chain(self.wrong_embedder(settings))
            .collect()
    }

    /// Weights that do not sum to 1 (PACK-10), reported at the last of them.
    fn wrong_weights(&self, settings: &Settings) -> Option<ConfigError> {
        let keys = ["ranking.relevance", "ranking.recency", "ranking.source"];
        let given: Vec<&SettingValue> = keys.iter().filter_map(|key| self.0.get(*key)).collect();
        let last = given.last()?;
        let error = |message: String| ConfigError {
            place: last.place.clone(),
            message,
        };
        if given.len() < keys.len() {
            return Some(error(format!(
                "{} = {}: expected all of {} or none",
                last.key,
                last.value.to_toml(),
                keys.join(", ")
            )));
        }
        let ranking = &settings.ranking;
        let shares = [ranking.relevance, ranking.recency, ranking.source];
        let sum: f64 = shares.into_iter().flatten().sum();
        let shown: Vec<String> = given.iter().map(|given| given.value.to_toml()).collect();
        ((sum - 1.0).abs() > 1e-6).then(|| {
            error(format!(
                "{}: expected weights with the sum 1, not {} = {}",
                keys.join(", "),
                shown.join(" + "),
                (sum * 1e6).round() / 1e6
            ))
        })
    }

    /// A window with no room for its reserves (PACK-30).
    fn wrong_window(&self, settings: &Settings) -> Option<ConfigError> {
        // Prefers the flag, if one of them is a flag: it was just typed.
        let is_flag = |given: &&SettingValue| matches!(given.place, Place::Flag(_));
        let all = || WINDOW.iter().filter_map(|key| self.0.get(*key));
        let given = all().find(is_flag).or_else(|| all().next())?;
        let Budget {
            total_tokens: total,
            system_reserve: system,
            response_reserve: response,
            ..
        } = settings.budget;
        (system + response > total).then(|| ConfigError {
            place: given.place.clone(),
            message: format!(
                "{} = {}: a window of {total} tokens has no room for reserves of {system} and {response}",
                given.key,
                given.value.to_toml()
            ),
        })
    }

    /// A server's address without the name of a model (RET-12).
    fn wrong_embedder(&self, settings: &Settings) -> Option<ConfigError> {
        let url = self.0.get("embedding.url")?;
        (settings.embedding.model == BUILT_IN).then(|| ConfigError {
            place: url.place.clone(),
            message: format!(
                "{} = {}: expected embedding.model, the server's name for a model, as well",
                url.key,
                url.value.to_toml()
            ),
        })
    }

    pub fn entries(&self, settings: &Settings) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for row in KEYS {
            let key = row.full();
            let place = self
                .0
                .get(&key)
                .map_or(Place::Default, |given| given.place.clone());
            let value = (row.at.get)(settings).map(|value| {
                if row.kind.is_secret() {
                    HIDDEN.to_owned()
                } else {
                    value.to_toml()
                }
            });
            entries.push(Entry {
                key,
                value,
                unset_means: row.unset.map_or("", |unset| unset.means),
                place,
            });
        }
        let end_of_chunking = KEYS
            .iter()
            .rposition(|row| row.section == CHUNKING)
            .map_or(0, |idx| idx + 1);
        let of_languages = self.of_languages().map(|(_, given)| Entry {
            key: given.key.clone(),
            value: Some(given.value.to_toml()),
            unset_means: "",
            place: given.place.clone(),
        });
        entries.splice(end_of_chunking..end_of_chunking, of_languages.collect::<Vec<_>>());
        entries
    }
}
