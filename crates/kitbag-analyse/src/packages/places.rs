//! Folders and patterns inside a repository: joining what a manifest writes with where it stands, and asking which folders a
//! list of members means.
//!
//! A path that leaves the repository is `None`, never a path above it. Patterns are matched against the folders that have
//! manifests; no folder is walked, so a pattern costs the same however many files there are.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};
use kitbag_types::{LineRange, Note, leads_to};

use super::manifest::Member;

/// Longer patterns are refused.
const MAX_PATTERN: usize = 500;
/// How many members a manifest may list.
const MAX_MEMBERS: usize = 20_000;
/// How many of these may be patterns: each is compiled.
const MAX_GLOBS: usize = 500;
/// Patterns of all workspaces of a family together, and how often rules are compared with folders: a second of work at most.
/// The largest repositories known need a hundredth of either.
const MAX_GLOBS_OF_ALL: usize = 5_000;
const MAX_COMPARED: usize = 5_000_000;

/// `folder/relative` without `.`, `..`, `\` and doubled slashes; `None` when it leaves the repository.
pub(super) fn join(folder: &str, relative: &str) -> Option<String> {
    let relative = relative.trim().replace('\\', "/");
    if relative.starts_with('/') || relative.contains(['\0', ':']) {
        return None;
    }
    leads_to(folder, &relative)
}

/// Whether a folder is `above` or inside it. The empty folder holds everything.
pub(super) fn is_inside(folder: &str, above: &str) -> bool {
    above.is_empty()
        || folder
            .strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(super) fn parent(folder: &str) -> Option<&str> {
    match folder {
        "" => None,
        folder => Some(folder.rsplit_once('/').map_or("", |(above, _)| above)),
    }
}

/// The folder and all above it, deepest first, the root last.
pub(super) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| parent(folder))
}

pub(super) fn last_part(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// What is left of the work that the members of all workspaces together may take. A repository may have thousands of
/// workspaces, each with hundreds of patterns for all folders of the others.
pub(super) struct Effort {
    n_globs: usize,
    n_compared: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            n_globs: MAX_GLOBS_OF_ALL,
            n_compared: MAX_COMPARED,
        }
    }
}

impl Effort {
    /// Whether a path may be looked for among these members.
    pub(super) fn spend(&mut self, members: &Members) -> bool {
        self.n_compared = self.n_compared.saturating_sub(1 + members.rules.len());
        self.n_compared > 0
    }

    pub(super) fn is_over(&self) -> bool {
        self.n_compared == 0
    }

    pub(super) fn note(&self) -> Note {
        Note {
            code: "members_not_followed",
            lines: None,
            message:
                "the workspaces of this repository list more than is followed; some members are not known"
                    .to_owned(),
        }
    }
}

/// The members of a workspace, ready to be asked.
pub(super) struct Members {
    rules: Vec<Rule>,
}

enum Rule {
    /// Folders of these names at any depth below the folder: `**/name`, or names that a program mentions.
    Named(String, BTreeSet<String>),
    /// Many folders that stand for themselves, one after the other in the list.
    Exact(BTreeSet<String>),
    Include(GlobMatcher, bool),
    Exclude(String, Option<GlobMatcher>),
}

impl Members {
    /// The notes say which patterns could not be used.
    pub(super) fn new(folder: &str, members: &[Member], effort: &mut Effort) -> (Self, Vec<Note>) {
        let mut rules: Vec<Rule> = Vec::new();
        let mut notes = Vec::new();
        let mut n_globs = 0;
        let mut refuse = |member: &Member, why: &str| {
            let lines = Some(LineRange::new(member.line, member.line));
            let message = format!("a member of the workspace {why}");
            notes.push(Note {
                code: "member_refused",
                lines,
                message,
            });
        };
        for (at, member) in members.iter().enumerate() {
            if at == MAX_MEMBERS {
                refuse(member, &format!("is beyond the {MAX_MEMBERS} that are read"));
                break;
            }
            if member.pattern.len() > MAX_PATTERN {
                refuse(member, "is too long");
                continue;
            }
            let Some(pattern) = join(folder, &member.pattern) else {
                // A member beside the repository is not a fault of the project; it is only not here.
                refuse(member, "lies outside the repository");
                continue;
            };
            let meta = ['*', '?', '[', '{'];
            let name = member.pattern.strip_prefix("**/").unwrap_or_default();
            let is_named =
                !name.is_empty() && !member.excludes && !name.contains('/') && !name.contains(meta);
            let is_glob = !is_named && pattern.contains(meta);
            n_globs += usize::from(is_glob);
            if n_globs > MAX_GLOBS {
                refuse(
                    member,
                    &format!("is beyond the {MAX_GLOBS} patterns that are read"),
                );
                break;
            }
            if is_glob {
                if effort.n_globs == 0 {
                    let most = MAX_GLOBS_OF_ALL;
                    refuse(
                        member,
                        &format!("is beyond the {most} patterns that are read in all workspaces"),
                    );
                    break;
                }
                effort.n_globs -= 1;
            }
            let glob = match is_glob.then(|| GlobBuilder::new(&pattern).literal_separator(true).build()) {
                Some(Ok(glob)) => Some(glob.compile_matcher()),
                Some(Err(_)) => {
                    refuse(member, "is not a valid pattern");
                    continue;
                }
                None => None,
            };
            match (member.excludes, glob) {
                (true, glob) => rules.push(Rule::Exclude(pattern, glob)),
                (false, Some(glob)) => {
                    let dots = pattern.split('/').any(|part| part.starts_with('.'));
                    rules.push(Rule::Include(glob, dots));
                }
                (false, None) if is_named => match rules.last_mut() {
                    Some(Rule::Named(_, names)) => {
                        names.insert(name.to_owned());
                    }
                    _ => rules.push(Rule::Named(folder.to_owned(), BTreeSet::from([name.to_owned()]))),
                },
                (false, None) => match rules.last_mut() {
                    Some(Rule::Exact(folders)) => {
                        folders.insert(pattern);
                    }
                    _ => rules.push(Rule::Exact(BTreeSet::from([pattern]))),
                },
            }
        }
        (Self { rules }, notes)
    }

    /// Whether a folder or manifest is a member. The last rule that fits decides. A folder whose name starts with a dot
    /// fits only a pattern that writes a dot.
    pub(super) fn contain(&self, path: &str) -> bool {
        let hidden = path.split('/').any(|part| part.starts_with('.'));
        let fits = |rule: &Rule| match rule {
            Rule::Exact(folders) => folders.contains(path).then_some(true),
            Rule::Named(above, names) => {
                (!hidden && is_inside(path, above) && names.contains(last_part(path))).then_some(true)
            }
            Rule::Include(glob, dots) => ((*dots || !hidden) && glob.is_match(path)).then_some(true),
            Rule::Exclude(..) => excludes(rule, path).then_some(false),
        };
        self.rules.iter().rev().find_map(fits).unwrap_or(false)
    }

    /// Whether a member may lie outside the folder of the workspace.
    pub(super) fn leave(&self, folder: &str) -> bool {
        let outside = |place: &str| !is_inside(place, folder);
        self.rules.iter().any(|rule| match rule {
            Rule::Exact(folders) => folders.iter().any(|place| outside(place)),
            // What stands before the first pattern is literal.
            Rule::Include(glob, _) => outside(
                glob.glob()
                    .glob()
                    .split(['*', '?', '[', '{'])
                    .next()
                    .unwrap_or_default(),
            ),
            _ => false,
        })
    }

    /// Whether a rule says that the path is not a member.
    pub(super) fn exclude(&self, path: &str) -> bool {
        self.rules.iter().any(|rule| excludes(rule, path))
    }
}

fn excludes(rule: &Rule, path: &str) -> bool {
    match rule {
        Rule::Exclude(_, Some(glob)) => upwards(path).any(|path| glob.is_match(path)),
        Rule::Exclude(folder, None) => is_inside(path, folder),
        _ => false,
    }
}
