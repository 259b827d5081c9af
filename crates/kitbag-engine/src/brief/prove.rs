//! Nothing stands in a brief that is not so (INS-12). What the index says about a file is so while the file has the stamp that it was
//! indexed with; otherwise the line is read again and must still hold the words that the insight is about.

use std::collections::BTreeMap;

use kitbag_pack::Insight;
use kitbag_types::RepoPath;

use super::Ground;
use crate::EngineError;

/// An insight, and the lines that prove it.
pub(crate) struct Told {
    pub insight: Insight,
    pub proofs: Vec<Proof>,
}

/// A line that must hold all of these words; line 0: the file must be there, and hold them somewhere.
pub(crate) struct Proof {
    pub path: RepoPath,
    pub line: u32,
    pub holds: Vec<String>,
}

impl Told {
    pub(super) fn new(insight: Insight) -> Self {
        Self {
            insight,
            proofs: Vec::new(),
        }
    }

    pub(super) fn proved_by(mut self, path: &RepoPath, line: u32, holds: Vec<String>) -> Self {
        self.proofs.push(Proof {
            path: path.clone(),
            line,
            holds,
        });
        self
    }
}

enum FileNow {
    AsIndexed,
    Changed(String),
    Gone,
}

/// The insights that are still so.
pub(super) fn proved(ground: Ground<'_>, told: Vec<Told>) -> Result<Vec<Insight>, EngineError> {
    let mut files: BTreeMap<RepoPath, FileNow> = BTreeMap::new();
    let mut proved = Vec::with_capacity(told.len());
    for one in told {
        let mut holds = true;
        for proof in &one.proofs {
            if !files.contains_key(&proof.path) {
                let now = now(ground, &proof.path)?;
                files.insert(proof.path.clone(), now);
            }
            holds &= match &files[&proof.path] {
                FileNow::AsIndexed => true,
                FileNow::Changed(text) => is_there(text, proof),
                FileNow::Gone => false,
            };
        }
        if holds {
            proved.push(one.insight);
        }
    }
    Ok(proved)
}

fn now(ground: Ground<'_>, path: &RepoPath) -> Result<FileNow, EngineError> {
    let tree = &ground.engine.tree;
    if tree.denied(path).is_some() {
        return Ok(FileNow::Gone);
    }
    let stamp = tree.stamp(path);
    let file = ground.snapshot.file(path)?;
    if file.is_some_and(|file| stamp == Some(file.stamp)) {
        return Ok(FileNow::AsIndexed);
    }
    Ok(match tree.read(path) {
        Ok(source) => FileNow::Changed(source.text.to_string()),
        Err(_) => FileNow::Gone,
    })
}

fn is_there(text: &str, proof: &Proof) -> bool {
    let has_all = |part: &str| proof.holds.iter().all(|word| part.contains(word.as_str()));
    match (proof.line as usize).checked_sub(1) {
        None => has_all(text),
        Some(line_idx) => text.lines().nth(line_idx).is_some_and(has_all),
    }
}
