//! Packs: the source files of one package in one file, as fetch.py wrote them.

use std::path::{Path, PathBuf};

use crate::args::Result;

pub struct Pack {
    pub name: String,
    pub files: Vec<(String, String)>,
}

/// The packs of a folder, by name.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pack") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// `registry__name__version.pack`.
pub fn name_of(path: &Path) -> (String, String) {
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut parts = stem.split("__");
    let mut next = || parts.next().unwrap_or_default().to_owned();
    let (registry, name) = (next(), next());
    let name = if registry == "npm" {
        name.replace('+', "/")
    } else {
        name
    };
    (registry, name)
}

pub fn read(path: &Path) -> Result<Pack> {
    let (_, name) = name_of(path);
    let bytes = std::fs::read(path)?;
    let mut files = Vec::new();
    let mut rest = bytes.as_slice();
    while rest.len() >= 8 {
        let size =
            |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]) as usize;
        let (n_path, n_text) = (size(0), size(4));
        let end = 8 + n_path + n_text;
        if rest.len() < end {
            return Err(format!("{}: cut off", path.display()).into());
        }
        let file_path = String::from_utf8_lossy(&rest[8..8 + n_path]).into_owned();
        files.push((
            file_path,
            String::from_utf8_lossy(&rest[8 + n_path..end]).into_owned(),
        ));
        rest = &rest[end..];
    }
    Ok(Pack { name, files })
}
