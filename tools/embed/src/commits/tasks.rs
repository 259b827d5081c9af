//! Mined changes as tasks of a benchmark: one tree per repository, some way back; the messages of small changes made since are the
//! questions, and the definitions they changed, as far as the tree has their files, are the answers.

use std::io::Write;
use std::path::Path;

use serde_json::json;

use super::git::Git;
use super::{asked, is_code, is_test, patch, touched};
use crate::args::{Args, Result};
use crate::exclude::{Excluded, repositories};

/// So many commits back the tree is taken.
const BACK: usize = 150;
const MAX_FILE_BYTES: usize = 300_000;

/// `tasks --clones DIR --list FILE --out FILE [--each N]`: one JSON object per line, as `kitbag eval` and the sets of changes have it,
/// with `gold_labels`: the names of the definitions of each file.
pub fn run(args: &Args) -> Result {
    let clones = args.path("clones")?;
    let each = args.count("each", 20)?;
    let excluded = Excluded::read();
    let mut out = std::io::BufWriter::new(std::fs::File::create(args.path("out")?)?);
    for name in repositories(&std::fs::read_to_string(args.path("list")?)?) {
        if excluded.repository(&name) {
            return Err(format!("{name} is excluded").into());
        }
        let folder = name.replace('/', "+");
        match of_repository(&clones.join(&folder).join("repo"), &folder, each) {
            Ok(lines) => {
                eprintln!("{name}: {} tasks", lines.len());
                for line in lines {
                    writeln!(out, "{line}")?;
                }
            }
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    Ok(out.flush()?)
}

fn of_repository(clone: &Path, folder: &str, each: usize) -> Result<Vec<String>> {
    let git = Git(clone);
    let mut commits = git.commits(BACK + 1)?;
    let base = commits.pop().ok_or("no commits")?.id;
    let mut lines = Vec::new();
    for commit in commits.iter().rev() {
        let Some(message) = asked(commit) else { continue };
        let patches = patch::patches(&git.patches(&[&commit.id])?);
        let Some(patch) = patches.first() else { continue };
        let blobs: Vec<&str> = commit.files.iter().map(|file| file.old_blob.as_str()).collect();
        let texts = git.texts(&blobs, MAX_FILE_BYTES)?;
        let mut labels = serde_json::Map::new();
        for file in commit
            .files
            .iter()
            .filter(|file| is_code(&file.path) && !is_test(&file.path))
        {
            let found = patch.files.get(&file.path).zip(texts.get(&file.old_blob));
            let Some((changes, text)) = found else { continue };
            let mut names: Vec<String> = Vec::new();
            for (_, pair) in touched(&message, &file.path, text, changes) {
                names.extend(pair.names);
            }
            if !names.is_empty() && git.has(&base, &file.path) {
                names.sort();
                names.dedup();
                labels.insert(file.path.clone(), json!(names));
            }
        }
        let n_names: usize = labels
            .values()
            .filter_map(|names| names.as_array())
            .map(Vec::len)
            .sum();
        if labels.is_empty() || n_names > 24 {
            continue;
        }
        let files: Vec<&String> = labels.keys().collect();
        lines.push(
            json!({
                "id": format!("{folder}@{}", &commit.id[..10]), "repo": folder, "clone": folder, "base_commit": base, "query": message,
                "gold_files": files, "gold_labels": labels,
            })
            .to_string(),
        );
        if lines.len() == each {
            break;
        }
    }
    Ok(lines)
}
