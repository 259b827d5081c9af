//! Settings: files, variables and flags in; one [`Settings`] or all errors out.
//!
//! Each source overrides the one before it: defaults, the user's file, the project's file, `KITBAG_…` variables, flags. They
//! are merged here, once. The engine does not learn where a value came from; only `config show` does. The table in `keys.rs`
//! lists every setting. [`files`] reads the files, the rest is a function of its arguments.
//!
//! One wrong value stops the loading: to skip a misspelt `denied_paths` would leak what it was meant to protect.

mod error;
mod expand;
mod field;
mod keys;
mod merge;
mod read;
mod suggest;
mod values;
mod write;

#[cfg(test)]
mod tests;

use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use cpu_time::ThreadTime;
use kitbag_engine::{ApiKey, Embedder, EndpointOptions, Options, WatchOptions, Weights, Window};

use crate::env::{self, Variables};
use keys::{BUILT_IN, CHUNKING, KEYS, Key};
use merge::Merged;
use read::SettingValue;
use values::Value;

pub use error::{ConfigError, ConfigErrors, Place};
pub use suggest::nearest;
pub use write::commented_file;

/// The name of the file, in the project and in the user's folder.
pub const FILE_NAME: &str = "kitbag.toml";
/// The largest file that is read (SEC-4).
const MAX_FILE_BYTES: u64 = 1_000_000;

/// The settings in force. `options` holds what the engine takes unchanged; the other fields are for the doors, or are
/// combined with others in [`Settings::options`].
#[derive(Clone, Debug)]
pub struct Settings {
    /// Incomplete: [`Settings::options`] adds what depends on several keys.
    options: Options,
    /// As written, relative to the project root. `None`: the default place (IDX-30).
    pub storage_path: Option<PathBuf>,
    embedding: Embedding,
    pub query: Query,
    pub budget: Budget,
    ranking: Ranking,
    /// A name that `kitbag_tokens::family_of` knows.
    pub tokenizer_model: String,
    pub engine: Engine,
    pub server: Server,
    pub metrics: Metrics,
    pub webhook_url: Option<String>,
    pub watcher: Watcher,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            options: Options::default(),
            storage_path: None,
            embedding: Embedding::default(),
            query: Query::default(),
            budget: Budget::default(),
            ranking: Ranking::default(),
            tokenizer_model: "gpt-5".to_owned(),
            engine: Engine::default(),
            server: Server::default(),
            metrics: Metrics::default(),
            webhook_url: None,
            watcher: Watcher::default(),
        }
    }
}

#[derive(Clone, Debug)]
struct Embedding {
    /// `built-in`, a folder relative to the project root, or, with `url`, the server's name for a model.
    model: String,
    url: Option<String>,
    api_key: Option<ApiKey>,
    dimension: Option<usize>,
    batch_size: usize,
    timeout: Duration,
    requests_per_minute: Option<u32>,
}

impl Default for Embedding {
    fn default() -> Self {
        Embedding {
            model: BUILT_IN.to_owned(),
            url: None,
            api_key: None,
            dimension: None,
            batch_size: 128,
            timeout: Duration::from_secs(30),
            requests_per_minute: None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Query {
    /// Used where diversity is requested.
    pub mmr_lambda: f64,
    /// Whether every pack requests diversity.
    diverse_packs: bool,
}

impl Default for Query {
    fn default() -> Self {
        Query {
            mmr_lambda: 0.5,
            diverse_packs: false,
        }
    }
}

/// The model's window, in tokens.
#[derive(Clone, Debug)]
pub struct Budget {
    /// At least the sum of the two reserves.
    pub total_tokens: usize,
    pub system_reserve: usize,
    pub response_reserve: usize,
    /// Whether one of these three was set and the budget of a pack was not.
    fills_window: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            total_tokens: 100_000,
            system_reserve: 2_000,
            response_reserve: 8_000,
            fills_window: false,
        }
    }
}

/// Either all three are set, with the sum 1, or none.
#[derive(Clone, Debug, Default)]
struct Ranking {
    relevance: Option<f64>,
    recency: Option<f64>,
    source: Option<f64>,
}

/// Which process answers the command line.
#[derive(Clone, Debug)]
pub struct Engine {
    pub mode: Mode,
    pub host: String,
    pub port: u16,
    /// `None`: made from `host` and `port`, see [`Engine::url`].
    pub url: Option<String>,
    pub api_key: Option<ApiKey>,
    pub timeout: Duration,
    pub retry_attempts: usize,
    pub fallback_enabled: bool,
}

impl Default for Engine {
    fn default() -> Self {
        Engine {
            mode: Mode::Embedded,
            host: "127.0.0.1".to_owned(),
            port: 9_090,
            url: None,
            api_key: None,
            timeout: Duration::from_secs(30),
            retry_attempts: 2,
            fallback_enabled: false,
        }
    }
}

impl Engine {
    /// The address of the server that is asked.
    pub fn url(&self) -> String {
        let own = || format!("http://{}:{}", self.host, self.port);
        self.url.clone().unwrap_or_else(own)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Embedded,
    Standalone,
    Hybrid,
}

impl Mode {
    pub fn parse(text: &str) -> Option<Mode> {
        [Mode::Embedded, Mode::Standalone, Mode::Hybrid]
            .into_iter()
            .find(|mode| mode.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Embedded => "embedded",
            Mode::Standalone => "standalone",
            Mode::Hybrid => "hybrid",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Server {
    /// `name:key` pairs, separated by commas.
    pub api_keys: Option<ApiKey>,
    pub allowed_hosts: Vec<String>,
    pub max_body_bytes: usize,
    pub timeout: Duration,
    pub requests_per_minute: u64,
    /// Whether requests may contain a template.
    pub templates: bool,
}

impl Default for Server {
    fn default() -> Self {
        Server {
            api_keys: None,
            allowed_hosts: Vec::new(),
            max_body_bytes: 8 << 20,
            timeout: Duration::from_secs(30),
            requests_per_minute: 60_000,
            templates: false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Metrics {
    pub enabled: bool,
    pub keep_days: u64,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            enabled: true,
            keep_days: 90,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Watcher {
    pub enabled: bool,
    pub options: WatchOptions,
}

impl Default for Watcher {
    fn default() -> Self {
        Watcher {
            enabled: true,
            options: WatchOptions::default(),
        }
    }
}

impl Settings {
    /// Copies the value of one key.
    pub fn copy_to(&self, other: &mut Settings, key: &str) {
        if let Some(row) = keys::of(key)
            && let Some(value) = (row.at.get)(self)
        {
            (row.at.set)(other, value);
        }
    }

    /// The options of the engine.
    pub fn options(&self) -> Options {
        let mut options = self.options.clone();
        let budget = &self.budget;
        let reserves = budget.system_reserve.saturating_add(budget.response_reserve);
        options.packing.window = Some(Window {
            available: budget.total_tokens.saturating_sub(reserves),
            is_budget: budget.fills_window,
        });
        if let Ranking {
            relevance: Some(relevance),
            recency: Some(recency),
            source: Some(source),
        } = self.ranking
        {
            // Weights that do not sum to 1 were refused before.
            options.packing.weights = Weights::new(relevance, recency, source);
        }
        options.packing.mmr_lambda = self.query.diverse_packs.then_some(self.query.mmr_lambda);
        options.packing.model.clone_from(&self.tokenizer_model);
        options.embedder = self.embedding.embedder();
        options.clock = processor_time;
        options
    }
}

/// The processor time of this thread. Zero where the system cannot tell, and then no parse is stopped for taking too long.
fn processor_time() -> Duration {
    ThreadTime::try_now().map_or(Duration::ZERO, |time| time.as_duration())
}

impl Embedding {
    fn embedder(&self) -> Embedder {
        match &self.url {
            Some(url) => Embedder::Endpoint(EndpointOptions {
                url: url.clone(),
                model: self.model.clone(),
                key: self.api_key.clone(),
                dims: self.dimension,
                batch: self.batch_size,
                timeout: self.timeout,
                requests_per_minute: self.requests_per_minute,
            }),
            None if self.model == BUILT_IN => Embedder::BuiltIn,
            None => Embedder::Folder(PathBuf::from(&self.model)),
        }
    }
}

/// A configuration file that exists. Messages show `path`.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    pub path: PathBuf,
    pub text: String,
}

/// A setting given on the command line: `--top 5` is `Flag { flag: "--top", key: "query.default_k", text: "5" }`.
#[derive(Clone, Debug)]
pub struct Flag {
    pub flag: &'static str,
    pub key: &'static str,
    pub text: String,
}

/// One line of `config show`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: String,
    /// In TOML; `None` if it is unset.
    pub value: Option<String>,
    /// What being unset means; empty if there is a default.
    pub unset_means: &'static str,
    pub place: Place,
}

/// The settings, and where each value came from.
#[derive(Debug)]
pub struct Loaded {
    pub settings: Settings,
    /// In the order of the table; those of single languages follow those of `chunking`.
    pub entries: Vec<Entry>,
}

/// The path of the user's file, which may not exist.
pub fn user_file(variables: &Variables) -> Option<PathBuf> {
    env::config_home(variables).map(|folder| folder.join("kitbag").join(FILE_NAME))
}

/// The paths of the user's file and the project's, in this order. They may not exist.
pub fn paths(root: &Path, variables: &Variables) -> Vec<PathBuf> {
    user_file(variables)
        .into_iter()
        .chain([root.join(FILE_NAME)])
        .collect()
}

/// The user's file and the project's, in this order, if they exist.
pub fn files(root: &Path, variables: &Variables) -> Result<Vec<ConfigFile>, ConfigErrors> {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for path in paths(root, variables) {
        match read_file(&path) {
            Ok(text) => found.push(ConfigFile { path, text }),
            // If the home folder is not a folder (`HOME=/dev/null`), there is no file in it.
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

/// One file, which must exist. `shown` is its name as the user wrote it.
pub fn file(path: &Path, shown: &Path) -> Result<ConfigFile, ConfigErrors> {
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

/// Merges everything, or returns all errors. `languages` are the names that `[chunking.<language>]` may have.
pub fn load(
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
    let settings = merged.settings();
    errors.extend(merged.contradictions(&settings));
    if !errors.is_empty() {
        return Err(ConfigErrors(errors));
    }
    Ok(Loaded {
        entries: merged.entries(&settings),
        settings,
    })
}

/// Errors for settings that only the user's file may set and another file sets.
fn not_the_projects(given: &[SettingValue], user_file: Option<&Path>) -> Vec<ConfigError> {
    let foreign = |given: &&SettingValue| {
        let Place::File { path, .. } = &given.place else {
            return false;
        };
        let is_users = keys::of(&given.key).is_some_and(|key| key.users_own) || leaves_the_project(given);
        is_users && Some(path.as_path()) != user_file
    };
    let error = |given: &SettingValue| ConfigError {
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

/// Whether a path for the store leads out of the project. A project may not have files written elsewhere.
fn leaves_the_project(given: &SettingValue) -> bool {
    let Value::Text(text) = &given.value else {
        return false;
    };
    given.key == "storage.path"
        && !Path::new(text)
            .components()
            .all(|component| matches!(component, Component::CurDir | Component::Normal(_)))
}

/// Every setting can be given as a variable. A variable that begins with a section's name and names no key is reported as a
/// misspelling.
fn from_variables(
    variables: &Variables,
    languages: &[&str],
    given: &mut Vec<SettingValue>,
    errors: &mut Vec<ConfigError>,
) {
    let of_languages = languages.iter().flat_map(|language| {
        keys::names_in(CHUNKING).map(move |name| format!("{CHUNKING}.{language}.{name}"))
    });
    let known: Vec<(String, String)> = KEYS
        .iter()
        .map(Key::full)
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

fn from_text(
    key: &str,
    text: &str,
    place: Place,
    given: &mut Vec<SettingValue>,
    errors: &mut Vec<ConfigError>,
) {
    let Some(row) = keys::of(key) else {
        errors.push(ConfigError {
            place,
            message: format!("unknown key {key}"),
        });
        return;
    };
    let value = Value::from_text(text, row.kind).ok_or_else(|| row.kind.allowed());
    match value.and_then(|value| values::checked(value, row.kind)) {
        Ok(value) => given.push(SettingValue {
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
