//! Parts of documents that are made from other files: a block between two comments must be what it would be made as now.
//! `cargo xtask tidy --write` makes it.

#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::Value;

use super::{File, edges};

const BEGIN: &str = "<!-- `cargo xtask tidy --write` makes this table -->\n";
const END: &str = "<!-- end -->";

/// A document and what stands between its comments.
pub(super) struct Block {
    path: &'static str,
    text: String,
}

pub(super) fn blocks(metadata: &Value) -> Vec<Block> {
    vec![Block {
        path: "ARCHITECTURE.md",
        text: edges::table(metadata),
    }]
}

pub(super) fn check(files: &[File], blocks: &[Block]) -> Vec<String> {
    let wrong = |block: &&Block| {
        let file = files.iter().find(|file| file.path == block.path);
        file.is_none_or(|file| replaced(&file.text, &block.text).as_ref() != Some(&file.text))
    };
    let problem = |block: &Block| {
        format!(
            "{}: a table is not what it is made from; `cargo xtask tidy --write` makes it anew",
            block.path
        )
    };
    blocks.iter().filter(wrong).map(problem).collect()
}

pub(super) fn write(root: &Path, blocks: &[Block]) -> Result<(), String> {
    for block in blocks {
        let path = root.join(block.path);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", block.path))?;
        let text = replaced(&text, &block.text)
            .ok_or_else(|| format!("{}: the two comments around the table are missing", block.path))?;
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", block.path))?;
    }
    Ok(())
}

/// The document with this block; nothing if it has no place for it.
fn replaced(text: &str, block: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{block}{END}{after}"))
}
