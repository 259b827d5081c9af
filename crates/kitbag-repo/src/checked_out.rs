//! Identifies what is checked out from a few small files, to notice without starting git that the history has moved.

use std::path::Path;

use crate::ages::surroundings;
use crate::root::{common_dir_of, pointer};

/// A text that changes when another commit is checked out, and seldom otherwise. `None` outside git.
pub fn checked_out(root: &Path) -> Option<String> {
    let (_, around, prefix) = surroundings(root)?;
    let common = common_dir_of(&around.git_dir);
    let head = pointer(&around.git_dir.join("HEAD"))?;
    let mut told = format!("{prefix}\n{}", head.trim());
    if let Some(branch) = head.strip_prefix("ref: ") {
        let branch = branch.trim();
        let loose = pointer(&around.git_dir.join(branch)).or_else(|| pointer(&common.join(branch)));
        match loose {
            Some(commit) => told.push_str(&format!("\n{}", commit.trim())),
            // It is packed with other refs: any of them may have moved.
            None => {
                for list in ["packed-refs", "reftable/tables.list"] {
                    if let Ok(meta) = std::fs::metadata(common.join(list)) {
                        told.push_str(&format!("\n{list} {} {:?}", meta.len(), meta.modified().ok()));
                    }
                }
            }
        }
    }
    Some(told)
}

#[cfg(test)]
mod tests;
