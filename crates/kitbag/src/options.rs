//! Settings in, the engine's options out: the one place that knows both.

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use cpu_time::ThreadTime;
use kitbag_engine::{
    BoundaryOptions, ChunkSettings, Embedder, EndpointOptions, Options, Packing, ProviderOptions, Weights,
    Window,
};

use crate::settings::{BUILT_IN, Budget, Chunking, Embedding, Provider, Settings};

/// What the person's machine says about the boundary, and no setting does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    pub(crate) home: Option<PathBuf>,
    pub(crate) global_ignore: Option<PathBuf>,
}

pub(crate) fn options(settings: &Settings, machine: Machine) -> Options {
    let indexing = &settings.indexing;
    Options {
        packing: packing(settings),
        session_idle: Duration::from_secs(settings.session_idle_minutes * 60),
        boundary: BoundaryOptions {
            watch_paths: indexing.watch_paths.clone(),
            ignore_patterns: indexing.ignore_patterns.clone(),
            allowed_extensions: indexing.allowed_extensions.clone(),
            blocked_extensions: indexing.blocked_extensions.clone(),
            size_exceptions: indexing.size_exceptions.clone(),
            denied_paths: settings.security.denied_paths.clone(),
            max_file_bytes: indexing.max_file_bytes,
            warn_file_bytes: indexing.warn_file_bytes,
            follow_symlinks: indexing.follow_symlinks,
            hidden: indexing.hidden,
            use_dockerignore: indexing.use_dockerignore,
            use_gitignore: indexing.use_gitignore,
            global_ignore: machine.global_ignore,
            home: machine.home,
        },
        scrub_secrets: settings.security.scrub_secrets,
        secret_patterns: settings.security.secret_patterns.clone(),
        chunking: chunking(&settings.chunking, None),
        chunking_by_language: settings
            .chunking_by_language
            .iter()
            .map(|(language, own)| (language.clone(), chunking(own, Some(&settings.chunking))))
            .collect(),
        priority_extensions: indexing.priority_extensions.clone(),
        workers: indexing.workers.unwrap_or(0),
        fail_fast: indexing.fail_fast,
        max_parse_cache_bytes: indexing.max_parse_cache_bytes,
        full_text: provider(&settings.full_text),
        symbol: provider(&settings.symbol),
        semantic: provider(&settings.semantic),
        embedder: embedder(&settings.embedding),
        git_history: provider(&settings.git_history),
        max_commits: settings.max_commits,
        dependency: provider(&settings.dependency),
        fusion: settings.query.fusion,
        clock: processor_time,
    }
}

/// Of this thread. A system that cannot tell gives no time, and then no parse is stopped for taking long.
fn processor_time() -> Duration {
    ThreadTime::try_now().map_or(Duration::ZERO, |time| time.as_duration())
}

/// What a language leaves open is what all languages have.
fn chunking(own: &Chunking, all: Option<&Chunking>) -> ChunkSettings {
    let open = |pick: fn(&Chunking) -> Option<u32>| pick(own).or_else(|| all.and_then(pick));
    ChunkSettings {
        max_tokens: open(|chunking| chunking.max_chunk_tokens),
        min_tokens: open(|chunking| chunking.min_chunk_tokens),
        overlap_percent: open(|chunking| chunking.overlap_percent).unwrap_or(0),
    }
}

fn embedder(embedding: &Embedding) -> Embedder {
    match &embedding.url {
        Some(url) => Embedder::Endpoint(EndpointOptions {
            url: url.clone(),
            model: embedding.model.clone(),
            key: embedding.api_key.clone(),
            dims: embedding.dimension,
            batch: embedding.batch_size,
            timeout: Duration::from_millis(embedding.timeout_ms),
            requests_per_minute: embedding.requests_per_minute,
        }),
        None if embedding.model == BUILT_IN => Embedder::BuiltIn,
        None => Embedder::Folder(PathBuf::from(&embedding.model)),
    }
}

/// What the settings leave of the model's window. It is the budget of a pack if it was set and no other default was.
fn window(budget: &Budget) -> Window {
    let reserves = budget.system_reserve.saturating_add(budget.response_reserve);
    Window {
        available: budget.total_tokens.saturating_sub(reserves),
        is_budget: budget.window_is_set && !budget.default_is_set,
    }
}

fn packing(settings: &Settings) -> Packing {
    let priority = &settings.source_priority;
    Packing {
        default_max_tokens: settings.budget.default_max_tokens,
        window: Some(window(&settings.budget)),
        warn_threshold_percent: settings.budget.warn_threshold_percent,
        // The settings were refused if these are not a split of 1.
        weights: settings
            .ranking
            .as_ref()
            .and_then(|ranking| Weights::new(ranking.relevance, ranking.recency, ranking.source)),
        priorities: [
            priority.tool_result,
            priority.open_file,
            priority.search,
            priority.reference,
            priority.message,
            priority.memory,
        ],
        overlap_share: f64::from(settings.deduplication.overlap_percent) / 100.0,
        ignore_comments: settings.deduplication.ignore_comments,
        ignore_case: settings.deduplication.ignore_case,
        balance: settings.packing.balance,
        min_score: settings.packing.min_score,
        mmr_lambda: settings.packing.diverse.then_some(settings.query.mmr_lambda),
        source_limit: Duration::from_millis(settings.packing.source_timeout_ms),
    }
}

fn provider(provider: &Provider) -> ProviderOptions {
    ProviderOptions {
        enabled: provider.enabled,
        weight: provider.weight,
    }
}
