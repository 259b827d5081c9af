//! Given values in, the settings in force out: the last value of a key wins, the table's default stands for the rest.
//!
//! Also the two views of the same data that need all of it at once: contradictions between values that are fine alone,
//! and the lines of `config show`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kitbag_engine::{ApiKey, Fusion};

use super::error::{ConfigError, Place};
use super::keys::{self, BUILT_IN, CHUNKING, Default, KEYS};
use super::read::Given;
use super::values::{HIDDEN, Value};
use super::{
    Budget, Chunking, Deduplication, Embedding, Engine, Entry, Indexing, Metrics, Mode, Packing, Provider,
    Query, Ranking, Security, Server, Settings, SourcePriority, Storage, Tokenizer, Watcher,
};

/// The model's window and its reserves (PACK-30).
const WINDOW: [&str; 3] = [
    "budget.total_tokens",
    "budget.system_reserve",
    "budget.response_reserve",
];

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

    fn fusion(&self, key: &str) -> Fusion {
        let text = self.text(key);
        let fusion = text.as_deref().and_then(Fusion::parse);
        fusion.unwrap_or_else(|| unlike(key, text.map(Value::Text)))
    }

    /// A number that its row keeps small.
    fn small(&self, key: &str) -> u32 {
        u32::try_from(self.count(key)).unwrap_or(u32::MAX)
    }

    fn size(&self, key: &str) -> usize {
        usize::try_from(self.count(key)).unwrap_or(usize::MAX)
    }

    fn maybe_ratio(&self, key: &str) -> Option<f64> {
        match self.value(key) {
            Some(Value::Ratio(x)) => Some(x),
            None => None,
            other => unlike(key, other),
        }
    }

    /// All three or none, as [`Self::contradictions`] has seen to.
    fn ranking(&self) -> Option<Ranking> {
        Some(Ranking {
            relevance: self.maybe_ratio("ranking.relevance")?,
            recency: self.maybe_ratio("ranking.recency")?,
            source: self.maybe_ratio("ranking.source")?,
        })
    }

    fn embedding(&self) -> Embedding {
        Embedding {
            model: self.text("embedding.model").unwrap_or_default(),
            url: self.text("embedding.url"),
            api_key: self.text("embedding.api_key").map(ApiKey::new),
            dimension: self
                .maybe_count("embedding.dimension")
                .and_then(|n| usize::try_from(n).ok()),
            batch_size: self.size("embedding.batch_size"),
            timeout_ms: self.count("embedding.timeout_ms"),
            requests_per_minute: self
                .maybe_count("embedding.requests_per_minute")
                .map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        }
    }

    fn engine(&self) -> Engine {
        let mode = self.text("engine.mode").unwrap_or_default();
        let host = self.text("engine.host").unwrap_or_default();
        let port = u16::try_from(self.count("engine.port")).unwrap_or(u16::MAX);
        Engine {
            mode: Mode::parse(&mode).unwrap_or_default(),
            url: self
                .text("engine.url")
                .unwrap_or_else(|| format!("http://{host}:{port}")),
            host,
            port,
            api_key: self.text("engine.api_key").map(ApiKey::new),
            timeout_ms: self.count("engine.timeout_ms"),
            retry_attempts: self.size("engine.retry_attempts"),
            fallback_enabled: self.on("engine.fallback_enabled"),
        }
    }

    fn server(&self) -> Server {
        Server {
            api_keys: self.text("server.api_keys").map(ApiKey::new),
            allowed_hosts: self.list("server.allowed_hosts"),
            max_body_bytes: self.size("server.max_body_bytes"),
            timeout_ms: self.count("server.timeout_ms"),
            requests_per_minute: self.count("server.requests_per_minute"),
            templates: self.on("server.templates"),
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
                use_gitignore: self.on("indexing.use_gitignore"),
                priority_extensions: self.list("indexing.priority_extensions"),
                workers: self
                    .maybe_count("indexing.workers")
                    .and_then(|n| usize::try_from(n).ok()),
                fail_fast: self.on("indexing.fail_fast"),
                max_parse_cache_bytes: self.count("indexing.max_parse_cache_bytes"),
            },
            chunking: self.chunking(CHUNKING),
            chunking_by_language: of_languages.collect(),
            embedding: self.embedding(),
            engine: self.engine(),
            server: self.server(),
            query: Query {
                default_k: usize::try_from(self.count("query.default_k")).unwrap_or(usize::MAX),
                min_score_threshold: self.ratio("query.min_score_threshold"),
                fusion: self.fusion("query.fusion"),
                mmr_lambda: self.ratio("query.mmr_lambda"),
            },
            full_text: self.provider("full_text"),
            symbol: self.provider("symbol"),
            semantic: self.provider("semantic"),
            git_history: self.provider("git_history"),
            max_commits: self.size("providers.git_history.max_commits"),
            dependency: self.provider("dependency"),
            budget: Budget {
                default_max_tokens: self.size("budget.default_max_tokens"),
                default_is_set: self.0.contains_key("budget.default_max_tokens"),
                total_tokens: self.size("budget.total_tokens"),
                system_reserve: self.size("budget.system_reserve"),
                response_reserve: self.size("budget.response_reserve"),
                window_is_set: WINDOW.iter().any(|key| self.0.contains_key(*key)),
                warn_threshold_percent: self.small("budget.warn_threshold_percent"),
            },
            ranking: self.ranking(),
            source_priority: SourcePriority {
                tool_result: self.small("source_priority.tool_result"),
                open_file: self.small("source_priority.open_file"),
                search: self.small("source_priority.search"),
                reference: self.small("source_priority.reference"),
                message: self.small("source_priority.message"),
                memory: self.small("source_priority.memory"),
            },
            deduplication: Deduplication {
                overlap_percent: self.small("deduplication.overlap_percent"),
                ignore_comments: self.on("deduplication.ignore_comments"),
                ignore_case: self.on("deduplication.ignore_case"),
            },
            packing: Packing {
                balance: self.on("packing.balance"),
                min_score: self.ratio("packing.min_score"),
                diverse: self.on("packing.diverse"),
                source_timeout_ms: self.count("packing.source_timeout_ms"),
            },
            session_idle_minutes: self.count("sessions.idle_minutes"),
            security: Security {
                scrub_secrets: self.on("security.scrub_secrets"),
                secret_patterns: self.list("security.secret_patterns"),
                denied_paths: self.list("security.denied_paths"),
            },
            tokenizer: Tokenizer {
                model: self.text("tokenizer.model").unwrap_or_default(),
            },
            metrics: Metrics {
                enabled: self.on("metrics.enabled"),
                keep_days: self.count("metrics.keep_days"),
            },
            webhook_url: self.text("jobs.webhook_url"),
            watcher: Watcher {
                enabled: self.on("watcher.enabled"),
                debounce_ms: self.count("watcher.debounce_ms"),
                full_check_minutes: self.count("watcher.full_check_minutes"),
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
        let chunking = sections.iter().filter_map(contradiction);
        chunking
            .chain(self.wrong_weights())
            .chain(self.wrong_window())
            .chain(self.wrong_embedder())
            .collect()
    }

    /// Weights that are not a split of 1 (PACK-10), told where the last of them stands.
    fn wrong_weights(&self) -> Option<ConfigError> {
        let keys = ["ranking.relevance", "ranking.recency", "ranking.source"];
        let given: Vec<&Given> = keys.iter().filter_map(|key| self.0.get(*key)).collect();
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
        let sum: f64 = keys.iter().filter_map(|key| self.maybe_ratio(key)).sum();
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
    fn wrong_window(&self) -> Option<ConfigError> {
        // If a flag is among them, that is what was just said.
        let is_flag = |given: &&Given| matches!(given.place, Place::Flag(_));
        let all = || WINDOW.iter().filter_map(|key| self.0.get(*key));
        let given = all().find(is_flag).or_else(|| all().next())?;
        let [total, system, response] = WINDOW.map(|key| self.count(key));
        (system + response > total).then(|| ConfigError {
            place: given.place.clone(),
            message: format!(
                "{} = {}: a window of {total} tokens has no room for reserves of {system} and {response}",
                given.key,
                given.value.to_toml()
            ),
        })
    }

    /// A server without the name of its model (RET-12).
    fn wrong_embedder(&self) -> Option<ConfigError> {
        let url = self.0.get("embedding.url")?;
        let named = self
            .text("embedding.model")
            .is_some_and(|model| model != BUILT_IN);
        (!named).then(|| ConfigError {
            place: url.place.clone(),
            message: format!(
                "{} = {}: expected embedding.model, the server's name for a model, as well",
                url.key,
                url.value.to_toml()
            ),
        })
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
            let value = self.value(&key).map(|value| {
                if row.kind.is_secret() {
                    HIDDEN.to_owned()
                } else {
                    value.to_toml()
                }
            });
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
