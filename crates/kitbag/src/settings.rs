//! Settings: files, variables and flags in, one plain [`Settings`] out, or everything that is wrong with them.
//!
//! Defaults < the user's file < the project's file < `KITBAG_…` variables < flags, merged once and here; the engine
//! never learns where a value came from, only `config show` does. One table (`keys.rs`) says what there is. Files are
//! read by [`files`], everything after that is a function of its arguments.
//!
//! Refuses to guess: one wrong value anywhere and nothing is loaded, because a misspelt `denied_paths` that is skipped
//! would be a leak.

mod error;
mod expand;
mod keys;
mod merge;
mod read;
mod suggest;
mod values;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

use kitbag_engine::{ApiKey, Fusion};

use crate::env::{self, Variables};
use keys::{CHUNKING, KEYS};
use merge::Merged;
use read::Given;
use values::Value;

pub(crate) use error::{ConfigError, ConfigErrors, Place};
pub(crate) use keys::{BUILT_IN, MAX_BUDGET};
pub(crate) use suggest::nearest;
pub(crate) use write::commented_file;

/// The name of the file, in the project and in the user's folder.
pub(crate) const FILE_NAME: &str = "kitbag.toml";
/// No honest file is larger (SEC-4).
const MAX_FILE_BYTES: u64 = 1_000_000;

/// What is in force.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) storage: Storage,
    pub(crate) indexing: Indexing,
    pub(crate) chunking: Chunking,
    /// Languages that differ; what they leave open is `chunking`'s.
    pub(crate) chunking_by_language: BTreeMap<String, Chunking>,
    pub(crate) embedding: Embedding,
    pub(crate) query: Query,
    pub(crate) full_text: Provider,
    pub(crate) symbol: Provider,
    pub(crate) semantic: Provider,
    pub(crate) git_history: Provider,
    pub(crate) max_commits: usize,
    pub(crate) dependency: Provider,
    pub(crate) budget: Budget,
    /// `None`: those of the intent.
    pub(crate) ranking: Option<Ranking>,
    pub(crate) source_priority: SourcePriority,
    pub(crate) deduplication: Deduplication,
    pub(crate) packing: Packing,
    pub(crate) session_idle_minutes: u64,
    pub(crate) security: Security,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) engine: Engine,
    pub(crate) server: Server,
    pub(crate) metrics: Metrics,
    pub(crate) webhook_url: Option<String>,
    pub(crate) watcher: Watcher,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Storage {
    /// As written: relative to the project root. `None`: the place of IDX-30.
    pub(crate) path: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Indexing {
    /// `["auto"]` is the whole project.
    pub(crate) watch_paths: Vec<String>,
    pub(crate) ignore_patterns: Vec<String>,
    /// Lower case, without the dot, as the two other lists of extensions.
    pub(crate) allowed_extensions: Vec<String>,
    pub(crate) blocked_extensions: Vec<String>,
    pub(crate) size_exceptions: Vec<String>,
    pub(crate) max_file_bytes: u64,
    pub(crate) warn_file_bytes: u64,
    pub(crate) follow_symlinks: bool,
    pub(crate) hidden: bool,
    pub(crate) use_dockerignore: bool,
    pub(crate) use_gitignore: bool,
    pub(crate) priority_extensions: Vec<String>,
    /// `None`: all cores but one.
    pub(crate) workers: Option<usize>,
    pub(crate) fail_fast: bool,
    pub(crate) max_parse_cache_bytes: u64,
}

/// `None`: what suits the language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunking {
    pub(crate) max_chunk_tokens: Option<u32>,
    pub(crate) min_chunk_tokens: Option<u32>,
    pub(crate) overlap_percent: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Embedding {
    /// `built-in`, a folder relative to the project root, or with `url` a name.
    pub(crate) model: String,
    pub(crate) url: Option<String>,
    pub(crate) api_key: Option<ApiKey>,
    pub(crate) dimension: Option<usize>,
    pub(crate) batch_size: usize,
    pub(crate) timeout_ms: u64,
    pub(crate) requests_per_minute: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Query {
    pub(crate) default_k: usize,
    pub(crate) min_score_threshold: f64,
    pub(crate) fusion: Fusion,
    /// Used where diversity is asked for.
    pub(crate) mmr_lambda: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Provider {
    pub(crate) enabled: bool,
    pub(crate) weight: f64,
}

/// In tokens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Budget {
    pub(crate) default_max_tokens: usize,
    /// It was set, and not left at its default.
    pub(crate) default_is_set: bool,
    /// At least the two reserves.
    pub(crate) total_tokens: usize,
    pub(crate) system_reserve: usize,
    pub(crate) response_reserve: usize,
    /// One of the three was set.
    pub(crate) window_is_set: bool,
    pub(crate) warn_threshold_percent: u32,
}

/// They sum to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ranking {
    pub(crate) relevance: f64,
    pub(crate) recency: f64,
    pub(crate) source: f64,
}

/// From 0 to 100.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourcePriority {
    pub(crate) tool_result: u32,
    pub(crate) open_file: u32,
    pub(crate) search: u32,
    pub(crate) reference: u32,
    pub(crate) message: u32,
    pub(crate) memory: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deduplication {
    pub(crate) overlap_percent: u32,
    pub(crate) ignore_comments: bool,
    pub(crate) ignore_case: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Packing {
    pub(crate) balance: bool,
    pub(crate) min_score: f64,
    pub(crate) diverse: bool,
    pub(crate) source_timeout_ms: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Security {
    pub(crate) scrub_secrets: bool,
    /// Regular expressions, not yet compiled.
    pub(crate) secret_patterns: Vec<String>,
    pub(crate) denied_paths: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tokenizer {
    /// A name that `kitbag_tokens::family_of` knows.
    pub(crate) model: String,
}

/// Who answers the command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Engine {
    pub(crate) mode: Mode,
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Of the server that is asked.
    pub(crate) url: String,
    pub(crate) api_key: Option<ApiKey>,
    pub(crate) timeout_ms: u64,
    pub(crate) retry_attempts: usize,
    pub(crate) fallback_enabled: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    #[default]
    Embedded,
    Standalone,
    Hybrid,
}

impl Mode {
    pub(crate) fn parse(text: &str) -> Option<Mode> {
        [Mode::Embedded, Mode::Standalone, Mode::Hybrid]
            .into_iter()
            .find(|mode| mode.as_str() == text)
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Mode::Embedded => "embedded",
            Mode::Standalone => "standalone",
            Mode::Hybrid => "hybrid",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Server {
    /// `name:key`, with commas between them.
    pub(crate) api_keys: Option<ApiKey>,
    pub(crate) allowed_hosts: Vec<String>,
    pub(crate) max_body_bytes: usize,
    pub(crate) timeout_ms: u64,
    pub(crate) requests_per_minute: u64,
    /// Whether whoever asks may send a template.
    pub(crate) templates: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Metrics {
    pub(crate) enabled: bool,
    pub(crate) keep_days: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Watcher {
    pub(crate) enabled: bool,
    pub(crate) debounce_ms: u64,
    /// 0: never.
    pub(crate) full_check_minutes: u64,
}

/// A configuration file that was there. `path` is what messages show.
#[derive(Clone, Debug)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A setting given on the command line: `--top 5` is `Flag { flag: "--top", key: "query.default_k", text: "5" }`.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    pub(crate) flag: &'static str,
    pub(crate) key: &'static str,
    pub(crate) text: String,
}

/// One line of `config show`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// In TOML; `None` if it is unset.
    pub(crate) value: Option<String>,
    /// What being unset means; empty if there is a default.
    pub(crate) unset_means: &'static str,
    pub(crate) place: Place,
}

/// Settings, and where each came from.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) settings: Settings,
    /// In the order of the table; the languages' own after those of `chunking`.
    pub(crate) entries: Vec<Entry>,
}

/// Where the user's own file is, whether it exists or not.
pub(crate) fn user_file(variables: &Variables) -> Option<PathBuf> {
    env::config_home(variables).map(|folder| folder.join("kitbag").join(FILE_NAME))
}

/// Where the user's file and the project's are, weaker first, whether they exist or not.
pub(crate) fn paths(root: &Path, variables: &Variables) -> Vec<PathBuf> {
    user_file(variables)
        .into_iter()
        .chain([root.join(FILE_NAME)])
        .collect()
}

/// The user's file and the project's, those that exist, weaker first.
pub(crate) fn files(root: &Path, variables: &Variables) -> Result<Vec<ConfigFile>, ConfigErrors> {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for path in paths(root, variables) {
        match read_file(&path) {
            Ok(text) => found.push(ConfigFile { path, text }),
            // A home that is no folder (`HOME=/dev/null`) has no file in it either.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => errors.push(unreadable(path, &error)),
        }
    }
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(ConfigErrors(errors))
    }
}

/// One file that must be there. `shown` is its name as the person wrote it.
pub(crate) fn file(path: &Path, shown: &Path) -> Result<ConfigFile, ConfigErrors> {
    match read_file(path) {
        Ok(text) => Ok(ConfigFile {
            path: shown.to_owned(),
            text,
        }),
        Err(error) => Err(ConfigErrors(vec![unreadable(shown.to_owned(), &error)])),
    }
}

fn read_file(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let n_bytes = kitbag_engine::open_named(path)?
        .take(MAX_FILE_BYTES + 1)
        .read_to_string(&mut text)?;
    if n_bytes as u64 > MAX_FILE_BYTES {
        return Err(std::io::Error::other(format!("more than {MAX_FILE_BYTES} bytes")));
    }
    Ok(text)
}

fn unreadable(path: PathBuf, error: &std::io::Error) -> ConfigError {
    ConfigError {
        place: Place::File {
            path,
            line: 1,
            column: 1,
        },
        message: format!("cannot be read: {error}"),
    }
}

/// Everything merged, or everything that is wrong. `languages` are the names that `[chunking.<language>]` may have.
pub(crate) fn load(
    files: &[ConfigFile],
    variables: &Variables,
    flags: &[Flag],
    languages: &[&str],
) -> Result<Loaded, ConfigErrors> {
    let mut given = Vec::new();
    let mut errors = Vec::new();
    for file in files {
        let (values, wrong) = read::read(&file.path, &file.text, variables, languages);
        given.extend(values);
        errors.extend(wrong);
    }
    from_variables(variables, languages, &mut given, &mut errors);
    for flag in flags {
        from_text(
            flag.key,
            &flag.text,
            Place::Flag(flag.flag.to_owned()),
            &mut given,
            &mut errors,
        );
    }
    errors.extend(not_the_projects(&given, user_file(variables).as_deref()));
    let merged = Merged::new(given);
    errors.extend(merged.contradictions());
    if !errors.is_empty() {
        return Err(ConfigErrors(errors));
    }
    Ok(Loaded {
        settings: merged.settings(languages),
        entries: merged.entries(),
    })
}

/// What only the user may say, said in another file.
fn not_the_projects(given: &[Given], user_file: Option<&Path>) -> Vec<ConfigError> {
    let foreign = |given: &&Given| {
        let Place::File { path, .. } = &given.place else {
            return false;
        };
        let is_users = keys::USERS_OWN.contains(&given.key.as_str()) || leaves_the_project(given);
        is_users && Some(path.as_path()) != user_file
    };
    let error = |given: &Given| ConfigError {
        place: given.place.clone(),
        message: format!(
            "a project's file may not set {}{}: whoever wrote the project must not decide where code goes or what is \
             kept secret; write it into {} or set {}",
            given.key,
            if leaves_the_project(given) {
                " to a folder outside the project"
            } else {
                ""
            },
            user_file.map_or_else(|| "your own".to_owned(), |path| path.display().to_string()),
            env::variable_of_key(&given.key)
        ),
    };
    given.iter().filter(foreign).map(error).collect()
}

/// A store that is not a folder inside the project: a project could have files written anywhere.
fn leaves_the_project(given: &Given) -> bool {
    let Value::Text(text) = &given.value else {
        return false;
    };
    given.key == "storage.path"
        && !Path::new(text)
            .components()
            .all(|component| matches!(component, Component::CurDir | Component::Normal(_)))
}

/// Every setting may be a variable. One that begins like a section but names no key is a misspelling, not a stranger's.
fn from_variables(
    variables: &Variables,
    languages: &[&str],
    given: &mut Vec<Given>,
    errors: &mut Vec<ConfigError>,
) {
    let of_languages = languages.iter().flat_map(|language| {
        keys::names_in(CHUNKING).map(move |name| format!("{CHUNKING}.{language}.{name}"))
    });
    let known: Vec<(String, String)> = KEYS
        .iter()
        .map(|key| format!("{}.{}", key.section, key.name))
        .chain(of_languages)
        .map(|key| (env::variable_of_key(&key), key))
        .collect();
    for (variable, text) in variables {
        if let Some((_, key)) = known.iter().find(|(name, _)| name == variable) {
            from_text(key, text, Place::Variable(variable.clone()), given, errors);
        } else if keys::SECTIONS.iter().any(|(section, _)| {
            variable
                .strip_prefix(&env::variable_of_key(section))
                .is_some_and(|rest| rest.starts_with('_'))
        }) {
            let hint = suggest::nearest(variable, known.iter().map(|(name, _)| name.as_str())).map_or_else(
                || "`kitbag config show` lists the keys".to_owned(),
                |near| format!("did you mean {near}?"),
            );
            let message = format!("unknown variable; {hint}");
            errors.push(ConfigError {
                place: Place::Variable(variable.clone()),
                message,
            });
        }
    }
}

fn from_text(key: &str, text: &str, place: Place, given: &mut Vec<Given>, errors: &mut Vec<ConfigError>) {
    let Some(row) = key
        .rsplit_once('.')
        .and_then(|(section, name)| keys::find(section, name))
    else {
        errors.push(ConfigError {
            place,
            message: format!("unknown key {key}"),
        });
        return;
    };
    let value = Value::from_text(text, row.kind).ok_or_else(|| row.kind.allowed());
    match value.and_then(|value| values::checked(value, row.kind)) {
        Ok(value) => given.push(Given {
            key: key.to_owned(),
            value,
            place,
        }),
        Err(allowed) => {
            let shown = if row.kind.is_secret() {
                values::HIDDEN.to_owned()
            } else {
                values::shortened(text)
            };
            let message = format!("{key} = {shown}: expected {allowed}");
            errors.push(ConfigError { place, message });
        }
    }
}
