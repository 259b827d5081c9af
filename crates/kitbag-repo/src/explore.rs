//! Lists the tree step by step: files folder by folder, with the same filter as a scan, for callers that cannot wait for all of it.
//!
//! A scan returns when it has seen everything, and a hundred thousand files take seconds. Here the caller decides which folders
//! come first and when it is enough. Links are not followed: which of two paths a file keeps is only known at the end.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::RepoError;
use crate::folder::ScanContext;
use crate::scan::ScannedFile;
use crate::tree::Tree;
use crate::walk::{Pending, list};

/// Folders that are listed in parallel before the caller is asked again.
const STEP: usize = 32;

impl Tree {
    /// Lists folders in the order of `turn`, then of their depth, then of their paths, and passes on the files of a few at a time
    /// until `visit` returns `false`. `true`: the whole tree was listed.
    pub fn explore(
        &self,
        turn: &dyn Fn(&str) -> u8,
        visit: &mut dyn FnMut(Vec<ScannedFile>) -> bool,
    ) -> Result<bool, RepoError> {
        let scan_context = ScanContext::survey(self)?;
        self.names("")?;
        let mut order = BTreeSet::from([(0, 0, String::new())]);
        let mut waiting = BTreeMap::from([(
            String::new(),
            Pending {
                parent: None,
                path: String::new(),
                only_tracked: None,
            },
        )]);
        while !order.is_empty() {
            let step: Vec<Pending> = (0..STEP)
                .map_while(|_| order.pop_first())
                .filter_map(|(_, _, path)| waiting.remove(&path))
                .collect();
            let listed: Vec<_> = step
                .par_iter()
                .map(|pending| list(&scan_context, pending))
                .collect();
            let mut files = Vec::new();
            for (found, below) in listed {
                files.extend(found.files);
                for pending in below {
                    let depth = pending.path.matches('/').count();
                    order.insert((turn(&pending.path), depth, pending.path.clone()));
                    waiting.insert(pending.path.clone(), pending);
                }
            }
            if !visit(files) {
                return Ok(order.is_empty());
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
