//! Chunks become vectors: after a run, whatever the model has not seen is embedded and appended (RET-12).
//!
//! Vectors follow the rows like the text index does: what counts is the number of the last change they have seen, so a run
//! that was cut short, a new model or an old store need no special case. Each model has vectors of its own; while those of a
//! new one are made, the ones of the built-in model answer.

use std::sync::Arc;

use kitbag_embed::{EmbedError, Model, Passage, Table};
use kitbag_store::{FileText, Snapshot, Unembedded, Vectors, Writer};

use crate::run::{Phase, Progress, RunOptions, Work};
use crate::{Engine, EngineError, health};

/// Bytes of text held in memory at a time, for a quick model and for a slow one, whose progress should be visible.
const BATCH_BYTES: usize = 4 << 20;
const SLOW_BATCH_BYTES: usize = 128 << 10;
/// Bytes of text that a slow model may embed before a question is answered; the rest waits for `kitbag index`.
const SLOW_FILES_IN_PASSING: usize = 8;

/// Brings the vectors up to date with the rows. Without `retry`, somebody waits for an answer. If the model fails, the
/// index has no vectors and there is a warning; the rest of the index works.
pub(crate) fn catch_up(
    engine: &Engine,
    writer: &mut Writer<'_>,
    options: RunOptions<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<String>, EngineError> {
    if !engine.is_on("semantic") {
        return Ok(Vec::new());
    }
    let model = engine.model();
    let mut embedding = writer.embedding(model.id(), model.dims())?;
    let mended = embedding.fault().map(|fault| health::mended("vectors", fault));
    let mut warnings: Vec<String> = mended.into_iter().collect();
    let pending: Vec<Unembedded> = embedding.pending().to_vec();
    if !options.retry && model.is_slow() && pending.len() > SLOW_FILES_IN_PASSING {
        embedding.finish(false)?;
        let n_files = pending.len();
        warnings.push(format!(
            "{n_files} files have no vectors of {} yet; the next index run makes them",
            model.id()
        ));
        return Ok(warnings);
    }
    let most_bytes = if model.is_slow() {
        SLOW_BATCH_BYTES
    } else {
        BATCH_BYTES
    };
    let total = pending.iter().map(|file| file.n_bytes).sum();
    let mut done = 0;
    let mut at = 0;
    while at < pending.len() {
        if let Err(cancelled) = options.go_on() {
            embedding.finish(false)?;
            return Err(cancelled);
        }
        let mut batch: Vec<(&Unembedded, FileText)> = Vec::new();
        let mut n_bytes = 0;
        while at < pending.len() && n_bytes < most_bytes {
            let file = &pending[at];
            // Changes are stored in order, so vectors that are known already wait for those before them.
            if !batch.is_empty() || !embedding.add_known(file)? {
                let text = embedding.text(file)?;
                n_bytes += text.text.len();
                batch.push((file, text));
            }
            done += file.n_bytes;
            at += 1;
        }
        let made = match embed_all(options.n_workers(engine), model, &batch) {
            Ok(made) => made,
            Err(error) => {
                embedding.finish(false)?;
                warnings.push(format!("some files have no vectors: {error}"));
                return Ok(warnings);
            }
        };
        for ((file, _), vectors) in batch.iter().zip(made) {
            embedding.add(file, &vectors)?;
        }
        let n_files = |files: &[Unembedded]| files.iter().filter(|file| file.has_text()).count();
        progress(Progress {
            phase: Phase::Embedding,
            n_done: n_files(&pending[..at]),
            n_total: n_files(&pending),
            work: Work { done, total },
            path: None,
        });
    }
    embedding.finish(true)?;
    Ok(warnings)
}

type Batch<'a> = [(&'a Unembedded, FileText)];

/// The vectors of every file's chunks, in the order of the files. A slow model divides its work itself.
fn embed_all(n_workers: usize, model: &Model, batch: &Batch<'_>) -> Result<Vec<Vec<Vec<f32>>>, EmbedError> {
    let n_threads = if model.is_slow() {
        1
    } else {
        n_workers.min(batch.len()).max(1)
    };
    if n_threads == 1 {
        return embed_files(model, batch);
    }
    let share = batch.len().div_ceil(n_threads);
    std::thread::scope(|scope| {
        let threads: Vec<_> = batch
            .chunks(share)
            .map(|files| scope.spawn(move || embed_files(model, files)))
            .collect();
        let mut all = Vec::with_capacity(batch.len());
        for thread in threads {
            all.extend(thread.join().expect("embedding does not panic")?);
        }
        Ok(all)
    })
}

fn embed_files(model: &Model, files: &Batch<'_>) -> Result<Vec<Vec<Vec<f32>>>, EmbedError> {
    let passages: Vec<Passage<'_>> = files
        .iter()
        .flat_map(|(_, file)| {
            file.chunks.iter().map(|chunk| Passage {
                path: &file.path,
                names: &chunk.names,
                docs: &chunk.docs,
                capsule: &chunk.capsule,
                body: &file.text[chunk.bytes.clone()],
            })
        })
        .collect();
    let mut vectors = model.passages(&passages)?.into_iter();
    Ok(files
        .iter()
        .map(|(_, file)| vectors.by_ref().take(file.chunks.len()).collect())
        .collect())
}

/// The vectors that answer questions now, and the model that made them: those of the present model, or, while they are being
/// made, those of the built-in one, if it has seen more of the project.
pub(crate) fn vectors<'e>(
    engine: &'e Engine,
    snapshot: &Snapshot<'_>,
) -> Option<(Arc<Vectors>, Serving<'e>)> {
    if !engine.is_on("semantic") {
        return None;
    }
    let model = engine.model();
    let present = snapshot.vectors(model.id(), model.dims());
    let seen = present.as_ref().map_or(-1, |vectors| vectors.seq());
    if seen < snapshot.state().seq {
        let table = Table::built_in();
        let built_in = snapshot.vectors(table.id(), table.dims());
        if let Some(vectors) = built_in.filter(|vectors| vectors.seq() > seen) {
            return Some((vectors, Serving::BuiltIn(table)));
        }
    }
    present.map(|vectors| (vectors, Serving::Present(model)))
}

/// The model whose vectors answer questions now.
pub(crate) enum Serving<'e> {
    Present(&'e Model),
    BuiltIn(&'static Table),
}

impl Serving<'_> {
    pub(crate) fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        match self {
            Self::Present(model) => model.query(text),
            Self::BuiltIn(table) => Ok(table.embed_query(text)),
        }
    }
}

/// True if [`catch_up`] has nothing to do.
pub(crate) fn is_current(engine: &Engine, snapshot: &Snapshot<'_>) -> bool {
    !engine.is_on("semantic")
        || (seen(engine, snapshot) == snapshot.state().seq && health::fault(engine, snapshot).is_none())
}

/// The last change of the tree that the model's vectors have seen.
pub(crate) fn seen(engine: &Engine, snapshot: &Snapshot<'_>) -> i64 {
    let model = engine.model();
    let vectors = snapshot.vectors(model.id(), model.dims());
    vectors.map_or(0, |vectors| vectors.seq())
}
