//! What a document says about the project that can be checked: links, paths, scripts, targets, packages and members (INS-13).
//!
//! [`claims()`] finds them in a text, [`check`] holds them against what is there. A false alarm is worse than a miss, so a claim is only made
//! where the text leaves little doubt that this project is meant, and what may be true in some way counts as true: a path counts
//! if any file ends with it, a script if any manifest has it. Nothing is executed.

mod claims;
mod runners;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{RepoPath, leads_to};

pub use claims::{Claim, ClaimKind, claims};
pub use runners::{Runner, Scripts, is_runner_file, runner_of, runner_scripts};

/// Whether a document is checked when nobody names one.
pub fn is_document(path: &RepoPath) -> bool {
    let name = path.file_name().to_lowercase();
    let known = ["agents.md", "claude.md", "gemini.md", "copilot-instructions.md"].contains(&name.as_str())
        || ["readme", "contributing"].iter().any(|stem| {
            name.strip_prefix(stem)
                .is_some_and(|rest| matches!(rest, ".md" | ".mdx" | ".markdown"))
        });
    known && !crate::packages::is_material(path.folder())
}

/// What there is to hold claims against.
pub struct Known<'k> {
    /// Every file of the project, sorted.
    pub files: &'k [RepoPath],
    /// Whether something is at a path, indexed or not.
    pub exists: &'k dyn Fn(&str) -> bool,
    /// Whether git ignores a path: what is made by a build is not missing.
    pub is_ignored: &'k dyn Fn(&str) -> bool,
    pub scripts: &'k Scripts,
    /// Names of Cargo packages.
    pub crates: &'k BTreeSet<String>,
    /// Names that the code defines, and names that it uses; empty without an index.
    pub defined: &'k BTreeSet<String>,
    pub used: &'k BTreeSet<String>,
}

/// A claim that is not true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub line: u32,
    pub kind: ClaimKind,
    /// As the document writes it.
    pub claim: String,
    pub problem: String,
    /// What was probably meant.
    pub nearest: Option<String>,
}

/// The claims of a document that are not true, by line.
pub fn check(path: &RepoPath, claims: &[Claim], known: &Known<'_>) -> Vec<Finding> {
    let paths = Paths::new(known.files);
    let mut found = Vec::new();
    for claim in claims {
        let finding = match &claim.kind {
            ClaimKind::Link => link(path, claim, &paths, known),
            ClaimKind::Path => inline_path(path, claim, &paths, known),
            ClaimKind::Script(runner) => script(claim, *runner, known),
            ClaimKind::Program => program(path, claim, &paths, known),
            ClaimKind::Crate => package(claim, known),
            ClaimKind::Member => member(claim, known),
        };
        found.extend(finding);
    }
    // A path that is the text of a link was told with the link.
    let links: BTreeSet<(u32, String)> = found
        .iter()
        .filter(|one: &&Finding| one.kind == ClaimKind::Link)
        .map(|one| (one.line, one.claim.trim_start_matches("./").to_owned()))
        .collect();
    found.retain(|one| one.kind != ClaimKind::Path || !links.contains(&(one.line, one.claim.clone())));
    found.dedup();
    found
}

/// Files by path, by name and by what they end with.
struct Paths<'k> {
    all: BTreeSet<&'k str>,
    folders: BTreeSet<&'k str>,
    by_name: BTreeMap<&'k str, Vec<&'k str>>,
}

impl<'k> Paths<'k> {
    fn new(files: &'k [RepoPath]) -> Self {
        let mut paths = Self {
            all: BTreeSet::new(),
            folders: BTreeSet::new(),
            by_name: BTreeMap::new(),
        };
        for file in files {
            paths.all.insert(file.as_str());
            paths
                .by_name
                .entry(file.file_name())
                .or_default()
                .push(file.as_str());
            let mut folder = file.folder();
            while !folder.is_empty() && paths.folders.insert(folder) {
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            }
        }
        paths
    }

    /// A file or folder with this path, or one that ends with it, also without its ending (`src/app` for `src/app.ts`).
    fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        if self.all.contains(path) || self.folders.contains(path) {
            return true;
        }
        let end = format!("/{path}");
        let name = path.rsplit('/').next().unwrap_or(path);
        let starts_here = |start: &str| {
            self.all
                .range(start..)
                .next()
                .is_some_and(|found| found.starts_with(start))
        };
        self.by_name
            .get(name)
            .is_some_and(|all| all.iter().any(|known| known.ends_with(&end)))
            || self.folders.iter().any(|folder| folder.ends_with(&end))
            || starts_here(&format!("{path}."))
            || self.all.iter().any(|known| known.contains(&format!("{end}.")))
    }

    /// The path that was probably meant.
    fn nearest(&self, path: &str) -> Option<String> {
        let path = path.trim_end_matches('/');
        let name = path.rsplit('/').next().unwrap_or(path);
        let closeness = |known: &str| strsim::jaro_winkler(known, path);
        let same_name = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        if !same_name.is_empty() && same_name.len() <= 5 {
            let best = same_name
                .iter()
                .max_by(|a, b| closeness(a).total_cmp(&closeness(b)).then_with(|| b.cmp(a)));
            return best.map(|best| (*best).to_owned());
        }
        // The same file with another ending.
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let other = |known: &&&str| {
            known
                .rsplit_once('.')
                .is_some_and(|(own, _)| own == stem || own.ends_with(&format!("/{stem}")))
        };
        if let Some(known) = self.all.iter().find(other) {
            return Some((*known).to_owned());
        }
        // A file beside it with a similar name.
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let beside = self.all.iter().filter_map(|known| {
            let (own, file) = known.rsplit_once('/').unwrap_or(("", known));
            (own == folder).then(|| (strsim::jaro_winkler(file, name), *known))
        });
        let best = beside
            .filter(|(score, _)| *score >= 0.85)
            .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)));
        best.map(|(_, known)| known.to_owned())
    }
}

fn finding(claim: &Claim, problem: String, nearest: Option<String>) -> Option<Finding> {
    Some(Finding {
        line: claim.line,
        kind: claim.kind,
        claim: claim.text.clone(),
        problem,
        nearest,
    })
}

fn link(path: &RepoPath, claim: &Claim, paths: &Paths<'_>, known: &Known<'_>) -> Option<Finding> {
    let target = claim
        .text
        .split(['#', '?'])
        .next()
        .unwrap_or_default()
        .replace("%20", " ");
    let (folder, rest) = match target.strip_prefix('/') {
        Some(rest) => ("", rest.to_owned()),
        None => (path.folder(), target.clone()),
    };
    let place = leads_to(folder, &rest).filter(|place| !place.is_empty())?;
    // A site may serve pages without their ending, from another folder; GitHub serves `../../issues`.
    let stem = place.strip_suffix(".html").unwrap_or(&place);
    let is_there = (known.exists)(&place)
        || paths.all.contains(place.as_str())
        || paths.folders.contains(place.as_str())
        || [".md", ".mdx", ".rst", "/index.md", "/README.md"]
            .iter()
            .any(|end| paths.all.contains(format!("{stem}{end}").as_str()));
    if is_there || (known.is_ignored)(&place) {
        return None;
    }
    // `/path` is the root of a site more often than that of the project.
    let first = place.split('/').next().unwrap_or_default();
    if target.starts_with('/') && !paths.folders.contains(first) {
        return None;
    }
    finding(
        claim,
        format!("the link leads to {place}, which is not there"),
        paths.nearest(&place),
    )
}

fn inline_path(path: &RepoPath, claim: &Claim, paths: &Paths<'_>, known: &Known<'_>) -> Option<Finding> {
    let text = claim.text.trim_start_matches("./");
    let first = text.split('/').next().unwrap_or_default();
    let own = leads_to(path.folder(), text)?;
    let own_first = leads_to(path.folder(), first)?;
    // Only a path that starts in a folder of this project speaks about it.
    let is_ours = paths.folders.contains(first) || paths.folders.contains(own_first.as_str());
    if !is_ours || paths.has(text) || (known.exists)(text) || (known.exists)(&own) {
        return None;
    }
    if (known.is_ignored)(text) || (known.is_ignored)(&own) {
        return None;
    }
    finding(
        claim,
        "there is no such file or folder".to_owned(),
        paths.nearest(text),
    )
}

/// A file that a command runs.
fn program(path: &RepoPath, claim: &Claim, paths: &Paths<'_>, known: &Known<'_>) -> Option<Finding> {
    let text = claim.text.trim_start_matches("./");
    let own = leads_to(path.folder(), text)?;
    let first = text.split('/').next().unwrap_or_default();
    let is_ours = claim.text.starts_with("./") && !text.contains('/') || paths.folders.contains(first);
    let is_there = paths.has(text) || (known.exists)(text) || (known.exists)(&own);
    if !is_ours || is_there || (known.is_ignored)(text) || (known.is_ignored)(&own) {
        return None;
    }
    finding(
        claim,
        "the command runs a file that is not there".to_owned(),
        paths.nearest(text),
    )
}

fn script(claim: &Claim, runner: Runner, known: &Known<'_>) -> Option<Finding> {
    let names = known.scripts.of(runner)?;
    if names.contains(claim.text.as_str()) {
        return None;
    }
    let nearest = closest(names, &claim.text, 0.8);
    let what = runner.what();
    finding(claim, format!("no {what} is called so"), nearest)
}

fn package(claim: &Claim, known: &Known<'_>) -> Option<Finding> {
    if known.crates.is_empty() || known.crates.contains(&claim.text) {
        return None;
    }
    let nearest = closest(known.crates, &claim.text, 0.8);
    finding(
        claim,
        "no package of the workspace is called so".to_owned(),
        nearest,
    )
}

/// The name that was probably meant: one that holds it as a whole word, else the most similar one.
fn closest(names: &BTreeSet<String>, wanted: &str, least: f64) -> Option<String> {
    let around = |name: &&String| {
        let rest = name.strip_suffix(wanted).or_else(|| name.strip_prefix(wanted));
        rest.is_some_and(|rest| rest.starts_with(['-', '_', ':']) || rest.ends_with(['-', '_', ':']))
    };
    let similar = || {
        let scored = names
            .iter()
            .map(|name| (strsim::jaro_winkler(name, wanted), name));
        let close = scored.filter(|(score, _)| *score >= least);
        let best = close.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)));
        best.map(|(_, name)| name)
    };
    names.iter().find(around).or_else(similar).cloned()
}

/// `Type::member` of a type that this project defines.
fn member(claim: &Claim, known: &Known<'_>) -> Option<Finding> {
    let parts: Vec<&str> = claim
        .text
        .split(['.', ':', '#'])
        .filter(|part| !part.is_empty())
        .collect();
    let [.., owner, member] = parts.as_slice() else {
        return None;
    };
    let has = |name: &str| known.defined.contains(name) || known.used.contains(name);
    if known.defined.is_empty() || !known.defined.contains(*owner) || has(member) {
        return None;
    }
    let nearest = closest(known.defined, member, 0.9);
    finding(
        claim,
        format!("{owner} is defined here, but nothing is called {member}"),
        nearest,
    )
}
