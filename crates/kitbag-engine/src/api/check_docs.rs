//! `check-docs`: statements in documents about the project that are not true, or no longer true (INS-13).

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use kitbag_analyse::documents::{self, ClaimKind, Known};
use kitbag_store::Snapshot;
use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Engine, EngineError, packages, stated};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckDocsRequest {
    /// The documents to check. Without any: every AGENTS.md, CLAUDE.md, README and CONTRIBUTING of the project.
    pub files: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckDocsReply {
    /// What is not true, by file and line.
    pub findings: Vec<DocFinding>,
    /// The documents that were read.
    pub files: Vec<String>,
    /// How much could be checked.
    pub checked: CheckedClaims,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocFinding {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// `link`, `path`, `script`, `program`, `package` or `symbol`.
    pub kind: std::borrow::Cow<'static, str>,
    /// As the document writes it.
    pub claim: String,
    pub problem: String,
    /// What was probably meant; null if nothing is close.
    pub nearest: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedClaims {
    pub links: u64,
    pub paths: u64,
    pub commands: u64,
    /// 0 without an index: names are looked up there.
    pub symbols: u64,
}

pub fn check_docs(
    engine: &Engine,
    request: &CheckDocsRequest,
    now: Timestamp,
) -> Result<CheckDocsReply, EngineError> {
    let mut files = stated::files(engine, now)?;
    files.sort();
    let asked = documents_of(engine, request, &files)?;
    let runners = files
        .iter()
        .filter(|path| documents::is_runner_file(path))
        .cloned();
    let scripts = documents::runner_scripts(&stated::texts(engine, runners.collect()));
    let ignored = Ignored::read(engine, &files);
    let known = packages::live(engine, now)?.packages;
    let crates = known.list().iter().filter(|package| package.manager == "cargo");
    let crates: BTreeSet<String> = crates.map(|package| package.name.clone()).collect();
    let (defined, used) = names(engine)?;
    let facts = Known {
        files: &files,
        exists: &|path| RepoPath::new(path).is_ok_and(|path| engine.tree.exists(&path)),
        is_ignored: &|path| ignored.has(path),
        scripts: &scripts,
        crates: &crates,
        defined: &defined,
        used: &used,
    };
    let mut reply = CheckDocsReply::default();
    let n_asked = asked.len();
    let texts = stated::texts(engine, asked);
    if texts.len() < n_asked {
        let missing = n_asked - texts.len();
        reply
            .warnings
            .push(format!("{missing} of the documents cannot be read"));
    }
    if defined.is_empty() {
        let what = "the project is not indexed: names in code were not checked; run `kitbag index` first";
        reply.warnings.push(what.to_owned());
    }
    for (path, text) in texts {
        let claims = documents::claims(&text);
        for claim in &claims {
            let count = match claim.kind {
                ClaimKind::Link => &mut reply.checked.links,
                ClaimKind::Path => &mut reply.checked.paths,
                ClaimKind::Member if defined.is_empty() => continue,
                ClaimKind::Member => &mut reply.checked.symbols,
                ClaimKind::Script(_) | ClaimKind::Program | ClaimKind::Crate => &mut reply.checked.commands,
            };
            *count += 1;
        }
        let findings = documents::check(&path, &claims, &facts);
        reply.findings.extend(findings.into_iter().map(|one| DocFinding {
            file: path.to_string(),
            line: one.line,
            kind: one.kind.name().into(),
            claim: one.claim,
            problem: one.problem,
            nearest: one.nearest,
        }));
        reply.files.push(path.to_string());
    }
    Ok(reply)
}

/// The documents to check. One that the request names must exist.
fn documents_of(
    engine: &Engine,
    request: &CheckDocsRequest,
    files: &[RepoPath],
) -> Result<Vec<RepoPath>, EngineError> {
    if request.files.is_empty() {
        return Ok(files
            .iter()
            .filter(|path| documents::is_document(path))
            .cloned()
            .collect());
    }
    let one = |text: &String| {
        let invalid = |message: String| EngineError::Invalid {
            code: "PATH_DENIED",
            message,
        };
        let path = RepoPath::new(text.trim_start_matches("./"))
            .map_err(|error| invalid(format!("`{text}`: {error}")))?;
        match engine.tree.exists(&path) {
            true => Ok(path),
            false => Err(invalid(format!("`{text}` is not a file of the project"))),
        }
    };
    request.files.iter().map(one).collect()
}

type Names = (BTreeSet<String>, BTreeSet<String>);

/// Names that the code defines and names that it uses; both empty without a complete index.
fn names(engine: &Engine) -> Result<Names, EngineError> {
    let mut names = Names::default();
    if let Ok(store) = engine.read_store()
        && let Some(snapshot) = Snapshot::open(&store, engine.root())?
        && snapshot.state().complete
    {
        names
            .0
            .extend(snapshot.defined_names()?.into_iter().map(|(_, name)| name));
        names
            .1
            .extend(snapshot.used_names()?.into_iter().map(|(_, name)| name));
    }
    Ok(names)
}

/// What git ignores, roughly. A path that is ignored may be made by a build, so it is not reported as missing.
struct Ignored(GlobSet);

impl Ignored {
    fn read(engine: &Engine, files: &[RepoPath]) -> Self {
        let ignore_files = files
            .iter()
            .filter(|path| path.file_name() == ".gitignore")
            .cloned();
        let mut set = GlobSetBuilder::new();
        for (path, text) in stated::texts(engine, ignore_files.collect()) {
            for line in text.lines().map(str::trim) {
                if line.is_empty() || line.starts_with(['#', '!']) {
                    continue;
                }
                let pattern = line.trim_matches('/');
                let home = match path.folder() {
                    "" => String::new(),
                    folder => format!("{folder}/"),
                };
                let anchored = line.trim_end_matches('/').contains('/');
                let start = if anchored { home } else { format!("{home}**/") };
                for glob in [format!("{start}{pattern}"), format!("{start}{pattern}/**")] {
                    // A pattern that cannot be read matches nothing.
                    if let Ok(glob) = GlobBuilder::new(&glob).literal_separator(true).build() {
                        set.add(glob);
                    }
                }
            }
        }
        Self(set.build().unwrap_or_else(|_| GlobSet::empty()))
    }

    fn has(&self, path: &str) -> bool {
        self.0.is_match(path.trim_end_matches('/'))
    }
}
