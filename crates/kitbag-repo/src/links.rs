//! Symbolic links, where the user wants them followed (IDX-5): to depth 3, each real file once, never out of the roots.
//!
//! Links are collected while the real folders are walked, and followed afterwards one by one in the order of their paths. A file
//! that has a real path inside the project keeps it, and no loop of links can make the walk longer than the tree.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use kitbag_types::RepoPath;

use crate::folder::{FolderContext, ScanContext, join};
use crate::judge::{Judgement, judge};
use crate::rules::{EntryKind, Watched, kind_of};
use crate::scan::ScannedFile;
use crate::stamp::file_stamp;
use crate::tree::Tree;
use crate::walk::{Findings, Pending, list};
use crate::{Skip, SkipReason, builtin};

/// The most links on the way to a file.
const MAX_DEPTH: usize = 3;

/// Follows the links of a finished walk, and those found behind them.
pub(crate) fn follow(scan_context: &ScanContext<'_>, found: &mut Findings) {
    let mut seen: BTreeSet<String> = found
        .files
        .iter()
        .map(|file| file.path.as_str().to_owned())
        .collect();
    seen.extend(found.folders.iter().map(|folder| folder.path.clone()));
    let mut level = std::mem::take(&mut found.links);
    for depth in 1.. {
        if level.is_empty() {
            return;
        }
        level.sort_by(|a, b| (&a.0.path, &a.1).cmp(&(&b.0.path, &b.1)));
        for (folder, name) in std::mem::take(&mut level) {
            let path = join(&folder.path, &name);
            let outcome = match depth > MAX_DEPTH {
                true => Err(Skip::new(
                    SkipReason::Symlink,
                    format!("more than {MAX_DEPTH} links deep"),
                )),
                false => follow_one(scan_context, &folder, &name, &path, &mut seen),
            };
            match outcome {
                Ok(mut more) => {
                    level.append(&mut more.links);
                    found.append(more);
                }
                Err(skip) => found.skipped.push((path, skip)),
            }
        }
    }
}

fn follow_one(
    scan_context: &ScanContext<'_>,
    folder: &Arc<FolderContext>,
    name: &str,
    path: &str,
    seen: &mut BTreeSet<String>,
) -> Result<Findings, Skip> {
    let skip = |detail: String| Skip::new(SkipReason::Symlink, detail);
    let (real, metadata) = target(scan_context.tree, path).map_err(|detail| skip(detail.to_owned()))?;
    let kind = kind_of(&metadata);
    let only_tracked = match judge(scan_context, folder, name, kind) {
        Judgement::Out(skip) => return Err(skip),
        Judgement::OnlyTracked(skip) => Some(skip),
        Judgement::In => None,
    };
    let real_name = real.rsplit('/').next().unwrap_or(&real);
    if let (Some(rule), EntryKind::File { .. }) = (builtin::never_rule(real_name), kind) {
        return Err(Skip::new(SkipReason::Never, format!("never indexed: {rule}")));
    }
    let denied = match kind {
        EntryKind::File { .. } => scan_context.tree.denied_file(&real),
        _ => scan_context.tree.denied_folder(&real),
    };
    if let Some(rule) = denied {
        return Err(Skip::new(SkipReason::Denied, rule));
    }
    if !seen.insert(real.clone()) {
        return Err(skip(format!(
            "the same as {}",
            if real.is_empty() { "." } else { &real }
        )));
    }
    let mut found = Findings::default();
    if let EntryKind::File { .. } = kind {
        let path = RepoPath::new(path).map_err(|_| skip("not a usable path".to_owned()))?;
        found.files.push(ScannedFile {
            path,
            stamp: file_stamp(&metadata),
        });
        return Ok(found);
    }
    let start = Pending {
        parent: Some(Arc::clone(folder)),
        path: path.to_owned(),
        only_tracked,
    };
    // One folder after the other: which files are new depends on the order.
    let mut pending = vec![(start, real)];
    while let Some((folder, real)) = pending.pop() {
        let (mut here, below) = list(scan_context, &folder);
        let real_of = |inside: &str| join(&real, inside.rsplit('/').next().unwrap_or(inside));
        here.files.retain(|file| {
            let real = real_of(file.path.as_str());
            if let Some(rule) = scan_context.tree.denied_file(&real) {
                let denied = Skip::new(SkipReason::Denied, rule);
                here.skipped.push((file.path.as_str().to_owned(), denied));
                return false;
            }
            let new = seen.insert(real.clone());
            if !new {
                here.skipped
                    .push((file.path.as_str().to_owned(), skip(format!("the same as {real}"))));
            }
            new
        });
        for next in below.into_iter().rev() {
            let real = real_of(&next.path);
            if seen.insert(real.clone()) {
                pending.push((next, real));
            } else {
                here.skipped
                    .push((next.path, skip(format!("the same as {real}"))));
            }
        }
        found.append(here);
    }
    Ok(found)
}

/// The target of a link: the real path relative to the root, and its metadata.
fn target(tree: &Tree, path: &str) -> Result<(String, fs::Metadata), &'static str> {
    let real = tree
        .disk(path)
        .canonicalize()
        .map_err(|_| "a link that leads nowhere, or in a circle")?;
    let inside = real
        .strip_prefix(tree.root())
        .map_err(|_| "a link that leads out of the project")?;
    let inside = inside.to_str().ok_or("a link to a name that is not UTF-8")?;
    let inside = inside.replace(std::path::MAIN_SEPARATOR, "/");
    if inside.split('/').any(|part| part == ".git") {
        return Err("a link into git's own folder");
    }
    if !matches!(tree.rules().watched(&inside), Watched::Inside | Watched::Itself) {
        return Err("a link that leads out of the watched paths");
    }
    let metadata = fs::metadata(&real).map_err(|_| "a link that leads nowhere")?;
    Ok((inside, metadata))
}
