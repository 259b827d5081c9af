//! Memories over history: definitions of an old commit are cited, and every commit since is played again (MEM-3). What the product
//! says of each citation is compared with a verdict made another way (`lexical`): that of a scanner which knows no grammar.
//!
//! A case is a commit that touched the file of a citation. Cases in which the code changed must be flagged; the others must not be.
//! After a change the definition is cited anew, so that one memory gives many cases. Only git is read, not the index.

mod lexical;
mod past;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_store::CitationRow;
use kitbag_syntax::SenseDefinition;
use kitbag_types::{RepoPath, SymbolKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::memory::check::{checked, place};
use crate::memory::cite::{Cited, citation};
use crate::memory::code::{Code, CodeFile};
use crate::{Engine, EngineError};
use lexical::{Lexical, Verdict};
use past::PastCode;

#[derive(Clone, Copy, Debug)]
pub struct EvalMemoriesRequest {
    /// How far back, in commits of the first parent.
    pub commits: usize,
    /// Definitions that are cited at the beginning.
    pub memories: usize,
}

/// How memories fared over a history.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct EvalMemories {
    pub commits: usize,
    /// Definitions that were cited at the beginning.
    pub memories: usize,
    /// Commits that touched the file of a citation, one per citation.
    pub cases: usize,
    /// Cases in which the code changed in meaning or went away, and how many of them were flagged.
    pub changed: usize,
    pub flagged: usize,
    /// Cases in which it means the same, and how many of them were flagged nevertheless.
    pub same: usize,
    pub false_alarms: usize,
    /// The cases in which it means the same, by what was done to it, each with its false alarms.
    pub by_edit: BTreeMap<String, EvalEdits>,
    /// Cases that the scanner cannot judge: only brackets around expressions differ.
    pub unclear: usize,
    pub missed: Vec<EvalReplayCase>,
    pub alarms: Vec<EvalReplayCase>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvalEdits {
    pub cases: usize,
    pub false_alarms: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvalReplayCase {
    pub commit: String,
    pub path: String,
    pub symbol: String,
    /// What the product says.
    pub state: String,
    pub what: String,
    /// What the scanner says.
    pub verdict: String,
}

/// Cases that are listed of each kind.
const MOST_LISTED: usize = 200;

/// Replays the history of the engine's project. `see` is told how many commits are done.
pub fn eval_memories(
    engine: &Engine,
    request: EvalMemoriesRequest,
    see: &mut dyn FnMut(usize, usize),
) -> Result<EvalMemories, EngineError> {
    let history = kitbag_repo::older_commits(engine.root(), request.commits.saturating_add(1));
    let history = history.map_err(|error| EngineError::Invalid {
        code: error.code(),
        message: error.to_string(),
    })?;
    let Some((start, commits)) = history.split_first() else {
        return Ok(EvalMemories::default());
    };
    let mut code = PastCode::at(engine, &start.id);
    let mut memories = chosen(&code, request.memories);
    let mut done = EvalMemories {
        commits: commits.len(),
        memories: memories.len(),
        ..EvalMemories::default()
    };
    for (idx, commit) in commits.iter().enumerate() {
        see(idx, commits.len());
        let before = code.step(commit);
        let touched: BTreeSet<&str> = commit
            .changes
            .iter()
            .flat_map(|change| [&change.old, &change.new])
            .flatten()
            .map(RepoPath::as_str)
            .collect();
        let mut left = Vec::with_capacity(memories.len());
        for memory in memories {
            if !touched.contains(place(&memory)) {
                left.push(memory);
                continue;
            }
            let case = Case {
                code: &code,
                before: &before,
                renamed: renamed(commit, place(&memory)),
                touched: &touched,
            };
            left.extend(case.judge(memory, &commit.id, &mut done));
        }
        memories = left;
    }
    see(commits.len(), commits.len());
    Ok(done)
}

/// Where git says that a file went.
fn renamed(commit: &kitbag_repo::OlderCommit, path: &str) -> Option<String> {
    let change = commit
        .changes
        .iter()
        .find(|change| change.old.as_ref().is_some_and(|old| old.as_str() == path))?;
    change.new.as_ref().map(ToString::to_string)
}

/// Definitions of code, evenly over all of them.
fn chosen(code: &PastCode<'_>, most: usize) -> Vec<CitationRow> {
    let mut all: Vec<(String, String)> = Vec::new();
    for path in code.paths() {
        let Some(file) = code.file(&path) else { continue };
        let is_code = |definition: &&SenseDefinition| {
            !matches!(
                definition.kind,
                SymbolKind::Section | SymbolKind::Field | SymbolKind::Variable | SymbolKind::Module
            )
        };
        let names: BTreeSet<String> = file
            .sense
            .definitions
            .iter()
            .filter(is_code)
            .map(SenseDefinition::qualified)
            .collect();
        all.extend(names.into_iter().map(|name| (path.clone(), name)));
    }
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.iter()
        .step_by(step)
        .filter_map(|(path, name)| citation(code, path, &Cited::Symbol(name.clone())))
        .collect()
}

/// A commit that touched the file of a citation.
struct Case<'c> {
    code: &'c PastCode<'c>,
    /// The files that it touched, as they were.
    before: &'c BTreeMap<String, std::rc::Rc<CodeFile>>,
    renamed: Option<String>,
    touched: &'c BTreeSet<&'c str>,
}

impl Case<'_> {
    /// Counts the case, and gives the citation as it goes on: as it was, or cited anew after a change.
    fn judge(&self, memory: CitationRow, commit: &str, done: &mut EvalMemories) -> Option<CitationRow> {
        let now = checked(self.code, &memory);
        let verdict = self.verdict(&memory);
        done.cases += 1;
        let is_flagged = now.state != "fresh";
        let case = || EvalReplayCase {
            commit: commit.to_owned(),
            path: place(&memory).to_owned(),
            symbol: memory.symbol.clone(),
            state: now.state.clone(),
            what: now.what.clone(),
            verdict: verdict.as_str().to_owned(),
        };
        match verdict {
            Verdict::Unclear => done.unclear += 1,
            Verdict::Changed | Verdict::Gone => {
                done.changed += 1;
                done.flagged += usize::from(is_flagged);
                if !is_flagged && done.missed.len() < MOST_LISTED {
                    done.missed.push(case());
                }
            }
            Verdict::Same(how) => {
                done.same += 1;
                done.false_alarms += usize::from(is_flagged);
                let edits = done.by_edit.entry(how.to_owned()).or_default();
                edits.cases += 1;
                edits.false_alarms += usize::from(is_flagged);
                if is_flagged && done.alarms.len() < MOST_LISTED {
                    done.alarms.push(case());
                }
            }
        }
        match now.state.as_str() {
            "fresh" => Some(now),
            "drifted" => {
                let name = if now.now_symbol.is_empty() {
                    &now.symbol
                } else {
                    &now.now_symbol
                };
                citation(self.code, place(&now), &Cited::Symbol(name.clone()))
            }
            _ => None,
        }
    }

    /// The scanner's verdict: is a definition of this name still there, in its file or where git says that the file went, with the
    /// same words? If not: is there one with the same words among the files that the commit touched?
    fn verdict(&self, memory: &CitationRow) -> Verdict {
        let name = if memory.now_symbol.is_empty() {
            &memory.symbol
        } else {
            &memory.now_symbol
        };
        let path = place(memory);
        let Some(old_file) = self.before.get(path) else {
            return Verdict::Unclear;
        };
        let old = lexical::definitions(old_file, Some(name));
        let Some(cited) = old
            .iter()
            .find(|one| one.product_hash == memory.hash)
            .or(old.first())
        else {
            return Verdict::Unclear;
        };
        let homes = [self.renamed.as_deref(), Some(path)];
        let home = homes.into_iter().flatten().find_map(|path| self.code.file(path));
        let here = home
            .as_ref()
            .map(|file| lexical::definitions(file, Some(name)))
            .unwrap_or_default();
        let n_old = old.iter().filter(|one| one.words == cited.words).count();
        let same: Vec<&Lexical> = here.iter().filter(|one| one.words == cited.words).collect();
        if same.len() >= n_old {
            let is_moved = home.as_ref().is_some_and(|file| file.path != path);
            let is_as_written = same.iter().any(|one| one.text == cited.text);
            return Verdict::Same(match (is_moved, is_as_written) {
                (true, _) => "file renamed",
                (false, true) => "file changed elsewhere",
                (false, false) => "formatted or commented",
            });
        }
        if here
            .iter()
            .any(|one| one.without_brackets() == cited.without_brackets())
        {
            return Verdict::Unclear;
        }
        if !here.is_empty() {
            return Verdict::Changed;
        }
        let n_before = self.count(cited, &|path| self.before.get(path).cloned());
        let n_after = self.count(cited, &|path| self.code.file(path));
        if n_after >= n_before && n_after > 0 {
            return Verdict::Same("moved or renamed");
        }
        Verdict::Gone
    }

    /// Definitions with the same words, whatever they are called, in all files that the commit touched.
    fn count(&self, cited: &Lexical, file: &dyn Fn(&str) -> Option<std::rc::Rc<CodeFile>>) -> usize {
        let in_file = |path: &&str| {
            let all = file(path)
                .map(|file| lexical::definitions(&file, None))
                .unwrap_or_default();
            all.iter().filter(|one| one.nameless == cited.nameless).count()
        };
        self.touched.iter().map(in_file).sum()
    }
}
