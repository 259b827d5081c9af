//! What can be set, as plain data. Where a value came from (flag, environment, file) is the door's business.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_embed::Source as Embedder;
use kitbag_pack::{Weights, tuning};
use kitbag_rank::fuse::Fusion;
use kitbag_repo::BoundaryOptions;
use kitbag_syntax::{CONTENT_VERSION, ChunkSettings, Clock, LANGUAGES, Language};

#[cfg(test)]
mod tests;

/// See the fields. `Default` is what `kitbag config init` documents.
#[derive(Clone, Debug)]
pub struct Options {
    pub boundary: BoundaryOptions,
    /// Replace secrets before anything is stored or shown (SEC-1).
    pub scrub_secrets: bool,
    /// Regular expressions of the user's own secrets.
    pub secret_patterns: Vec<String>,
    /// Chunk sizes for every language, and for some by name.
    pub chunking: ChunkSettings,
    pub chunking_by_language: BTreeMap<String, ChunkSettings>,
    /// Indexed first (IDX-40).
    pub priority_extensions: Vec<String>,
    /// Threads that read and parse; 0 means one per core.
    pub workers: usize,
    /// Stop at the first file that cannot be read.
    pub fail_fast: bool,
    /// Bytes of parse products that no file uses any more but that are kept in case the content comes back (IDX-35).
    pub max_parse_cache_bytes: u64,
    pub full_text: ProviderOptions,
    pub symbol: ProviderOptions,
    pub semantic: ProviderOptions,
    /// The model that makes vectors (RET-12). A relative folder is relative to the project root.
    pub embedder: Embedder,
    pub git_history: ProviderOptions,
    /// How far back the history is read (RET-13).
    pub max_commits: usize,
    pub dependency: ProviderOptions,
    /// How the lists of the providers become one (RET-15).
    pub fusion: Fusion,
    pub searching: Searching,
    pub packing: Packing,
    /// A session ends if it is not used for this long (ENG-40).
    pub session_idle: Duration,
    /// A clock of the calling thread's processor time, which stops a parse that takes too long (IDX-15). Without one, no parse is
    /// stopped.
    pub clock: Clock,
}

/// How searches are answered, unless a request says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searching {
    /// How many results.
    pub top: usize,
    /// Results with a lower score are left out.
    pub min_score: f64,
    /// Time on the processor that one provider may take; the answer does without one that takes longer (ENG-70).
    pub provider_limit: Duration,
}

impl Default for Searching {
    fn default() -> Self {
        Self {
            top: 12,
            min_score: 0.0,
            provider_limit: Duration::from_secs(2),
        }
    }
}

/// The room that a model's window leaves for a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Tokens: the window less its reserves.
    pub available: usize,
    /// If true, a pack without a budget of its own may fill it. Otherwise it only limits the default budget.
    pub is_budget: bool,
}

/// How packs are made, unless a request says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    /// Whose tokens are counted: a model or a family of models.
    pub model: String,
    /// The default budget, before it is adjusted to the task (CFG-4).
    pub default_max_tokens: usize,
    /// The room that the model's window leaves, if that limits packs (PACK-30).
    pub window: Option<Window>,
    /// If a pack and the reserves of its window take more percent of the window than this, the pack says so (CFG-4).
    pub warn_threshold_percent: u32,
    /// Weights that replace those of the intent (PACK-14).
    pub weights: Option<Weights>,
    /// Weights of the sources, 0 to 100, in the order of PACK-13.
    pub priorities: [u32; 6],
    /// PACK-21, PACK-20, PACK-43.
    pub overlap_share: f64,
    pub ignore_comments: bool,
    pub ignore_case: bool,
    pub balance: bool,
    /// Pieces that score less are left out.
    pub min_score: f64,
    /// Ranks results that are nearly the same as better ones lower, with this `λ` (RET-30). `None` switches it off.
    pub mmr_lambda: Option<f64>,
    /// Time limit for reading the sources that were handed in (PACK-1).
    pub source_limit: Duration,
    /// A task's pack tells what concerns the code that it shows (ENG-12).
    pub brief: bool,
    /// Of a task's pack, what that may take while there is code for the rest, 0 to 1.
    pub brief_share: f64,
}

impl Default for Packing {
    fn default() -> Self {
        Self {
            model: "gpt-5".to_owned(),
            default_max_tokens: 8_000,
            window: Some(Window {
                available: 90_000,
                is_budget: false,
            }),
            warn_threshold_percent: 80,
            weights: None,
            priorities: tuning::PRIORITIES,
            overlap_share: tuning::OVERLAP_SHARE,
            ignore_comments: false,
            ignore_case: false,
            balance: true,
            min_score: 0.0,
            mmr_lambda: None,
            source_limit: Duration::from_secs(5),
            brief: true,
            brief_share: tuning::BRIEF_SHARE,
        }
    }
}

/// The settings of a provider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProviderOptions {
    pub enabled: bool,
    pub weight: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            boundary: BoundaryOptions::default(),
            scrub_secrets: true,
            secret_patterns: Vec::new(),
            chunking: ChunkSettings::default(),
            chunking_by_language: BTreeMap::new(),
            priority_extensions: Vec::new(),
            workers: 0,
            fail_fast: false,
            max_parse_cache_bytes: 256 << 20,
            full_text: ProviderOptions {
                enabled: true,
                weight: kitbag_rank::tuning::FULL_TEXT_WEIGHT,
            },
            symbol: ProviderOptions {
                enabled: true,
                weight: kitbag_rank::tuning::SYMBOL_WEIGHT,
            },
            semantic: ProviderOptions {
                enabled: true,
                weight: kitbag_rank::tuning::SEMANTIC_WEIGHT,
            },
            embedder: Embedder::BuiltIn,
            git_history: ProviderOptions {
                enabled: true,
                weight: kitbag_rank::tuning::HISTORY_WEIGHT,
            },
            max_commits: 1_000,
            dependency: ProviderOptions {
                enabled: true,
                weight: kitbag_rank::tuning::DEPENDENCY_WEIGHT,
            },
            fusion: Fusion::default(),
            searching: Searching::default(),
            packing: Packing::default(),
            session_idle: Duration::from_secs(30 * 60),
            clock: || Duration::ZERO,
        }
    }
}

impl Options {
    /// The settings of a provider. `reference` and providers from outside cannot be switched off.
    pub fn provider(&self, name: &str) -> ProviderOptions {
        match name {
            "full_text" => self.full_text,
            "symbol" => self.symbol,
            "semantic" => self.semantic,
            "git_history" => self.git_history,
            "dependency" => self.dependency,
            _ => ProviderOptions {
                enabled: true,
                weight: 1.0,
            },
        }
    }

    pub(crate) fn chunk_settings(&self, language: &str) -> &ChunkSettings {
        self.chunking_by_language.get(language).unwrap_or(&self.chunking)
    }

    /// A number for everything that decides what parsing a file yields: the chunker's version, the rows and queries of the
    /// languages, the settings and the rules for secrets. When it changes, every file is read again (IDX-30, content version).
    pub(crate) fn content_fingerprint(&self, secret_rules: &[u8; 32]) -> i64 {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&CONTENT_VERSION.to_le_bytes());
        hash_languages(LANGUAGES, &mut hasher);
        let languages = self
            .chunking_by_language
            .iter()
            .map(|(name, settings)| (name.as_str(), settings));
        for (name, settings) in std::iter::once(("", &self.chunking)).chain(languages) {
            hasher
                .update(name.as_bytes())
                .update(&[0])
                .update(format!("{settings:?}").as_bytes());
        }
        hasher.update(secret_rules);
        i64::from_le_bytes(
            hasher.finalize().as_bytes()[..8]
                .try_into()
                .expect("a hash has 32 bytes"),
        )
    }
}

/// Which files belong to which language, and what its queries find in them. A new row makes files that were plain text code.
fn hash_languages(languages: &[Language], hasher: &mut blake3::Hasher) {
    for language in languages {
        let names = [language.extensions, language.filenames, language.shebangs].map(|names| names.join(" "));
        let scopes = language.lexical.as_ref().map_or("", |lexical| lexical.scopes);
        let [extensions, filenames, shebangs] = names.each_ref().map(String::as_str);
        for text in [
            language.name,
            extensions,
            filenames,
            shebangs,
            language.tags,
            language.facts,
            scopes,
        ] {
            hasher.update(text.as_bytes()).update(&[0]);
        }
    }
}
