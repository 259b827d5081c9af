//! What a rebuild would do, and how long that would take: the tree is looked at, a sample of it is read and parsed, and the
//! store is not even opened.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_repo::ScannedFile;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{RebuildRequest, scope};
use crate::cut::cut;
use crate::indexable::survey;
use crate::{Engine, EngineError};

/// Read and parsed to learn the rate: enough that one odd file does not decide, little enough to be waited for.
const SAMPLE_FILES: usize = 64;
const SAMPLE_BYTES: u64 = 1 << 20;
/// A rebuild also writes rows, text index and vectors. It took 2.3 times (median; 1.9 to 2.6) as long as this estimate with 1
/// here: eight rebuilds of this repository, two busy cores, unoptimised build. Not measured on a release build.
const WHOLE_OF_PARSING: f64 = 2.3;

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct RebuildPlan {
    /// Always true: nothing was changed.
    pub dry_run: bool,
    /// `rebuild_full` or `rebuild_partial`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub scope: Vec<String>,
    pub files: u64,
    pub bytes: u64,
    /// By the names of files alone; what has no grammar is `text`.
    pub languages: BTreeMap<String, LanguagePlan>,
    pub estimate: RebuildEstimate,
}

#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct LanguagePlan {
    pub files: u64,
    pub bytes: u64,
}

/// How long it would take, and what that rests on.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, PartialEq)]
pub struct RebuildEstimate {
    pub seconds: f64,
    pub bytes_per_second: f64,
    pub sample_files: u64,
    pub sample_bytes: u64,
}

/// Changes nothing. `elapsed` is a clock that only runs forward.
pub fn plan_rebuild(
    engine: &Engine,
    request: &RebuildRequest,
    elapsed: &dyn Fn() -> Duration,
    now: Timestamp,
) -> Result<RebuildPlan, EngineError> {
    let (scope, _) = scope(engine, &request.paths)?;
    let mut files = survey(engine, now)?.files;
    if let Some(scope) = &scope {
        files.retain(|file| crate::index::is_under(&file.path, scope));
    }
    let mut languages: BTreeMap<String, LanguagePlan> = BTreeMap::new();
    for file in &files {
        let language = kitbag_syntax::language_of(&file.path, "").map_or("text", |language| language.name);
        let plan = languages.entry(language.to_owned()).or_default();
        plan.files += 1;
        plan.bytes += file.stamp.size;
    }
    let bytes = files.iter().map(|file| file.stamp.size).sum();
    Ok(RebuildPlan {
        dry_run: true,
        kind: if scope.is_some() {
            "rebuild_partial"
        } else {
            "rebuild_full"
        },
        scope: scope.iter().flatten().map(ToString::to_string).collect(),
        files: files.len() as u64,
        bytes,
        languages,
        estimate: estimate(engine, &files, bytes, elapsed),
    })
}

fn estimate(
    engine: &Engine,
    files: &[ScannedFile],
    bytes: u64,
    elapsed: &dyn Fn() -> Duration,
) -> RebuildEstimate {
    // Every other file is cut untimed: the first use of a grammar and of the vocabulary costs once, not a file. The same file
    // twice would not do, because counted tokens are remembered.
    let step = (files.len() / (2 * SAMPLE_FILES)).max(1);
    let (mut sample_files, mut sample_bytes, mut time) = (0, 0, Duration::ZERO);
    for (idx, file) in files.iter().step_by(step).enumerate() {
        if sample_bytes >= SAMPLE_BYTES {
            break;
        }
        let start = elapsed();
        let Ok(source) = engine.tree.read(&file.path) else {
            continue;
        };
        cut(engine, &source);
        if idx % 2 == 1 || files.len() == 1 {
            time += elapsed().saturating_sub(start);
            sample_files += 1;
            sample_bytes += file.stamp.size;
        }
    }
    let seconds = time.as_secs_f64().max(1e-6);
    let rate = sample_bytes as f64 / seconds * engine.n_workers() as f64 / WHOLE_OF_PARSING;
    RebuildEstimate {
        seconds: rounded(if rate > 0.0 { bytes as f64 / rate } else { 0.0 }),
        bytes_per_second: rate.round(),
        sample_files,
        sample_bytes,
    }
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 100.0).round() / 100.0
}
