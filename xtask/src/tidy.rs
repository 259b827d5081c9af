//! `cargo xtask tidy`: the house rules that neither rustc nor clippy checks. All problems are printed, not the first.
//!
//! Reading the tree happens here, once; every check is a pure function from files (or cargo's metadata) to problems, so
//! that each has a test that feeds it a bad sample. A new rule is a function in one of the modules and a line in [`run`].

mod cycles;
mod dependencies;
mod edges;
mod generated;
mod languages;
mod markdown;
mod names;
mod requirements;
mod sources;

use std::path::Path;
use std::process::Command;

use crate::command::output;
use crate::{licences, readme};

/// A text file of the repository, its path relative to the root with `/`.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// `write`: what is made from other files is written first.
pub(crate) fn run(root: &Path, write: bool) -> Result<(), String> {
    let metadata = cargo_metadata(root)?;
    if write {
        generated::write(root, &generated::blocks(&metadata))?;
    }
    let files = repository_files(root)?;

    let mut problems = edges::check(&metadata);
    problems.extend(generated::check(&files, &generated::blocks(&metadata)));
    problems.extend(cycles::check(&files));
    match licences::metadata(root) {
        Ok(metadata) => {
            problems.extend(licences::check(root, &metadata));
            problems.extend(dependencies::check(&metadata, &files));
        }
        Err(problem) => problems.push(problem),
    }
    problems.extend(sources::check(&files));
    problems.extend(languages::check(&files));
    problems.extend(markdown::check(&files));
    problems.extend(names::check(&files));
    problems.extend(requirements::check(&files));
    if let Some(file) = files.iter().find(|file| file.path == "README.md")
        && let Err(message) = readme::commands(&file.text)
    {
        problems.push(format!("README.md: {message}"));
    }

    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(format!("{} untidy", problems.len()))
    }
}

/// What git tracks or would track, sorted. Files that are not UTF-8 are kept with an empty text, so that links to them hold.
fn repository_files(root: &Path) -> Result<Vec<File>, String> {
    let listed = output(
        Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root),
    )?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    let files = paths
        .into_iter()
        .filter(|path| root.join(path).is_file())
        .map(|path| File {
            path: path.to_owned(),
            text: std::fs::read_to_string(root.join(path)).unwrap_or_default(),
        });
    Ok(files.collect())
}

fn cargo_metadata(root: &Path) -> Result<serde_json::Value, String> {
    let text = output(
        Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
            .current_dir(root),
    )?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}
