//! Given values in, the settings in force out: the last value of a key wins, the table's default stands for the rest.
//!
//! Also the two views of the same data that need all of it at once: contradictions between values that are fine alone,
//! and the lines of `config show`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::{ConfigError, Place};
use super::keys::{self, CHUNKING, Default, KEYS};
use super::read::Given;
use super::values::Value;
use super::{Chunking, Entry, Indexing, Provider, Query, Security, Settings, Storage, Tokenizer};

/// The winning value of each key that somebody gave.
pub(crate) struct Merged(BTreeMap<String, Given>);

impl Merged {
    /// The last value of a key wins.
    pub(crate) fn new(given: Vec<Given>) -> Merged {
        Merged(
            given
                .into_iter()
                .map(|given| (given.key.clone(), given))
                .collect(),
        )
    }

    fn value(&self, key: &str) -> Option<Value> {
        let default = || {
            let (section, name) = key.rsplit_once('.')?;
            Value::of_default(keys::find(section, name)?.default)
        };
        self.0.get(key).map(|given| given.value.clone()).or_else(default)
    }

    fn on(&self, key: &str) -> bool {
        match self.value(key) {
            Some(Value::Bool(on)) => on,
            other => unlike(key, other),
        }
    }

    fn count(&self, key: &str) -> u64 {
        self.maybe_count(key).unwrap_or_else(|| unlike(key, None))
    }

    fn maybe_count(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Some(Value::Count(n)) => Some(n),
            None => None,
            other => unlike(key, other),
        }
    }

    fn ratio(&self, key: &str) -> f64 {
        match self.value(key) {
            Some(Value::Ratio(x)) => x,
            other => unlike(key, other),
        }
    }

    fn text(&self, key: &str) -> Option<String> {
        match self.value(key) {
            Some(Value::Text(text)) => Some(text),
            None => None,
            other => unlike(key, other),
        }
    }

    fn list(&self, key: &str) -> Vec<String> {
        match self.value(key) {
            Some(Value::List(items)) => items,
            other => unlike(key, other),
        }
    }

    fn chunking(&self, section: &str) -> Chunking {
        let small = |name: &str| {
            self.maybe_count(&format!("{section}.{name}"))
                .map(|n| u32::try_from(n).unwrap_or(u32::MAX))
        };
        Chunking {
            max_chunk_tokens: small("max_chunk_tokens"),
            min_chunk_tokens: small("min_chunk_tokens"),
            overlap_percent: small("overlap_percent"),
        }
    }

    fn provider(&self, id: &str) -> Provider {
        Provider {
            enabled: self.on(&format!("providers.{id}.enabled")),
            weight: self.ratio(&format!("providers.{id}.weight")),
        }
    }

    pub(crate) fn settings(&self, languages: &[&str]) -> Settings {
        let of_languages = languages.iter().filter_map(|language| {
            let section = format!("{CHUNKING}.{language}.");
            let differs = self.0.keys().any(|key| key.starts_with(&section));
            differs.then(|| {
                (
                    (*language).to_owned(),
                    self.chunking(section.trim_end_matches('.')),
                )
            })
        });
        Settings {
            storage: Storage {
                path: self.text("storage.path").map(PathBuf::from),
            },
            indexing: Indexing {
                watch_paths: self.list("indexing.watch_paths"),
                ignore_patterns: self.list("indexing.ignore_patterns"),
                allowed_extensions: self.list("indexing.allowed_extensions"),
                blocked_extensions: self.list("indexing.blocked_extensions"),
                size_exceptions: self.list("indexing.size_exceptions"),
                max_file_bytes: self.count("indexing.max_file_bytes"),
                warn_file_bytes: self.count("indexing.warn_file_bytes"),
                follow_symlinks: self.on("indexing.follow_symlinks"),
                hidden: self.on("indexing.hidden"),
                use_dockerignore: self.on("indexing.use_dockerignore"),
                priority_extensions: self.list("indexing.priority_extensions"),
                workers: self
                    .maybe_count("indexing.workers")
                    .and_then(|n| usize::try_from(n).ok()),
                fail_fast: self.on("indexing.fail_fast"),
                max_parse_cache_bytes: self.count("indexing.max_parse_cache_bytes"),
            },
            chunking: self.chunking(CHUNKING),
            chunking_by_language: of_languages.collect(),
            query: Query {
                default_k: usize::try_from(self.count("query.default_k")).unwrap_or(usize::MAX),
                min_score_threshold: self.ratio("query.min_score_threshold"),
            },
            full_text: self.provider("full_text"),
            symbol: self.provider("symbol"),
            security: Security {
                scrub_secrets: self.on("security.scrub_secrets"),
                secret_patterns: self.list("security.secret_patterns"),
                denied_paths: self.list("security.denied_paths"),
            },
            tokenizer: Tokenizer {
                model: self.text("tokenizer.model").unwrap_or_default(),
            },
        }
    }

    /// Values that are fine alone and not together.
    pub(crate) fn contradictions(&self) -> Vec<ConfigError> {
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
        sections.iter().filter_map(contradiction).collect()
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for row in KEYS {
            let key = format!("{}.{}", row.section, row.name);
            let unset_means = match row.default {
                Default::Unset { means, .. } => means,
                _ => "",
            };
            let place = self
                .0
                .get(&key)
                .map_or(Place::Default, |given| given.place.clone());
            let value = self.value(&key).map(|value| value.to_toml());
            entries.push(Entry {
                key,
                value,
                unset_means,
                place,
            });
        }
        let end_of_chunking = KEYS
            .iter()
            .rposition(|row| row.section == CHUNKING)
            .map_or(0, |idx| idx + 1);
        let of_languages = self
            .0
            .values()
            .filter(|given| given.key.matches('.').count() == 2 && given.key.starts_with("chunking."));
        let of_languages = of_languages.map(|given| Entry {
            key: given.key.clone(),
            value: Some(given.value.to_toml()),
            unset_means: "",
            place: given.place.clone(),
        });
        entries.splice(end_of_chunking..end_of_chunking, of_languages.collect::<Vec<_>>());
        entries
    }
}

/// A row of the table that disagrees with the field it fills: every value was checked against its row, so this is a
/// mistake in the program, found by the first test that loads anything.
fn unlike(key: &str, value: Option<Value>) -> ! {
    unreachable!("settings.rs and keys.rs disagree about {key}: {value:?}")
}
