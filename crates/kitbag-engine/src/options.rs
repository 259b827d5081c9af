//! What can be set, as plain data. Where a value came from (flag, environment, file) is the door's business.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_embed::Source as Embedder;
use kitbag_pack::{Weights, tuning};
use kitbag_rank::fuse::Fusion;
use kitbag_repo::BoundaryOptions;
use kitbag_syntax::{CONTENT_VERSION, ChunkSettings, Clock};

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
    /// How much of what no file shows any more is kept for when it comes back (IDX-35).
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
    /// A session that nobody uses for so long has ended (ENG-40).
    pub session_idle: Duration,
    /// Time on the processor of the thread that asks, which stops a parse that takes too long (IDX-15). Without one, nothing does.
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

/// What a model's window leaves for a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Tokens: the window less its reserves.
    pub available: usize,
    /// A pack without a budget of its own fills it. Otherwise it only bounds the default.
    pub is_budget: bool,
}

/// How packs are made, unless a request says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    /// Whose tokens are counted: a model or a family of models.
    pub model: String,
    /// The base of a budget that nobody gave (CFG-4).
    pub default_max_tokens: usize,
    /// What the model's window leaves, if it bounds packs (PACK-30).
    pub window: Option<Window>,
    /// If a pack and the reserves of its window take more percent of the window than this, the pack says so (CFG-4).
    pub warn_threshold_percent: u32,
    /// Instead of those of the intent (PACK-14).
    pub weights: Option<Weights>,
    /// By source, in the order of PACK-13, 0 to 100.
    pub priorities: [u32; 6],
    /// PACK-21, PACK-20, PACK-43.
    pub overlap_share: f64,
    pub ignore_comments: bool,
    pub ignore_case: bool,
    pub balance: bool,
    /// Pieces that score less are left out.
    pub min_score: f64,
    /// Near doubles among what was found wait for something else, with this `λ` (RET-30); `None`: they do not.
    pub mmr_lambda: Option<f64>,
    /// Time for reading what was handed in (PACK-1).
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

/// A provider of candidates.
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
    /// How a provider is set. What the question names outright, and what was added from outside, has no switch.
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

    /// A number for everything that decides what parsing yields from a file's bytes. When it changes, every file is
    /// looked at again (IDX-30, content version).
    pub(crate) fn content_fingerprint(&self, secret_rules: &[u8; 32]) -> i64 {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&CONTENT_VERSION.to_le_bytes());
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
