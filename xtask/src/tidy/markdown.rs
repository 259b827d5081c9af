//! Links between documents: every relative link of the Markdown files people read must lead to a file or folder of the
//! repository. Links to the network are not followed: a gate that needs other people's servers fails for their reasons.

#[cfg(test)]
mod tests;

use super::File;

pub(super) fn check(files: &[File]) -> Vec<String> {
    let documents = files.iter().filter(|file| {
        file.path.ends_with(".md") && (!file.path.contains('/') || file.path.starts_with("docs/"))
    });
    documents
        .flat_map(|document| {
            links(&document.text)
                .into_iter()
                .map(move |(line, link)| (document, line, link))
        })
        .filter(|(document, _, link)| !exists(&resolve(&document.path, link), files))
        .map(|(document, line, link)| {
            format!(
                "{}:{line}: link to {link}, which is not in the repository",
                document.path
            )
        })
        .collect()
}

/// Line number and target of each relative inline link outside fences, without its anchor.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (line_idx, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let Some(target) = line[at + 2..].split(')').next() else {
                continue;
            };
            let target = target.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains(':') {
                found.push((line_idx + 1, target));
            }
        }
    }
    found
}

/// The link's path from the root; `..` above the root stays in the result and exists nowhere.
fn resolve(document: &str, link: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

fn exists(path: &str, files: &[File]) -> bool {
    let folder = format!("{path}/");
    path.is_empty()
        || files
            .iter()
            .any(|file| file.path == path || file.path.starts_with(&folder))
}
