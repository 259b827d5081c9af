//! A code-search set: repositories with queries and the files that answer them, cut into chunks as the index cuts them.
//!
//! The set's folder has `repos.json` and `annotations/<name>.json`; source trees lie at `<trees>/<clone>@<revision[..12]>`.
//! Chunks are kept in a cache file, since cutting takes longer than embedding.

use std::io::{BufReader, Write};
use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;

use kitbag_syntax::{ChunkSettings, language_of, parse};
use kitbag_types::RepoPath;

use crate::args::{Args, Result};
use crate::bm25::Bm25;
use crate::record::Pair;

pub struct Repository {
    pub name: String,
    /// Pairs without a question; `chunk` holds the first and the last line.
    pub chunks: Vec<Pair>,
    pub queries: Vec<Query>,
    pub words: Bm25,
}

pub struct Query {
    pub text: String,
    pub category: String,
    pub targets: Vec<Target>,
}

pub struct Target {
    path: String,
    lines: Option<(u64, u64)>,
}

pub struct Hit {
    path: String,
    lines: (u64, u64),
}

pub fn hit(chunk: &Pair) -> Hit {
    Hit {
        path: chunk.path.clone(),
        lines: (chunk.chunk >> 32, chunk.chunk & 0xFFFF_FFFF),
    }
}

/// Every target has gain 1, counts at the first hit that matches it, and a rank counts once.
pub fn ndcg(hits: &[Hit], targets: &[Target]) -> f64 {
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let mut ranks: Vec<usize> = targets
        .iter()
        .filter_map(|target| hits.iter().position(|hit| matches(hit, target)))
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    let ideal: f64 = (0..targets.len().min(10)).map(gain).sum();
    if ideal > 0.0 {
        ranks.into_iter().map(gain).sum::<f64>() / ideal
    } else {
        0.0
    }
}

fn matches(hit: &Hit, target: &Target) -> bool {
    let (a, b) = (hit.path.as_str(), target.path.as_str());
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    (ends(a, b) || ends(b, a))
        && target
            .lines
            .is_none_or(|(start, end)| hit.lines.0 <= end && start <= hit.lines.1)
}

/// The repositories of a set with their queries, chunks from the cache.
pub fn load(args: &Args) -> Result<Vec<Repository>> {
    let (trees, cache) = (args.path("trees")?, args.path("cache")?);
    let (mut repositories, roots) = match args.path("tasks") {
        Ok(file) => tasks(&std::fs::read_to_string(file)?, &args.text("repositories", ""))?,
        Err(_) => annotated(&args.path("bench")?)?,
    };
    if !cache.exists() {
        let cut: Vec<Vec<Pair>> = roots.par_iter().map(|root| chunks(&trees.join(root))).collect();
        let mut file = std::fs::File::create(&cache)?;
        for (idx, mut own) in cut.into_iter().enumerate() {
            let mut bytes = Vec::new();
            own.iter_mut().for_each(|pair| pair.package = idx as u32);
            own.iter().for_each(|pair| pair.write(&mut bytes));
            file.write_all(&bytes)?;
        }
    }
    let mut reader = BufReader::with_capacity(1 << 20, std::fs::File::open(&cache)?);
    while let Some(pair) = Pair::read(&mut reader)? {
        repositories[pair.package as usize].chunks.push(pair);
    }
    repositories
        .par_iter_mut()
        .for_each(|repository| repository.words = Bm25::new(&repository.chunks));
    Ok(repositories)
}

/// Repositories and the folders to search in.
type Set = (Vec<Repository>, Vec<String>);

fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_owned()
}

fn tree(row: &Value, revision: &str) -> String {
    let revision: String = text(row, revision).chars().take(12).collect();
    format!("{}@{revision}", text(row, "clone"))
}

fn annotated(bench: &Path) -> Result<Set> {
    let rows: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(bench.join("repos.json"))?)?;
    let mut set = Set::default();
    for row in &rows {
        let name = text(row, "name");
        let annotations = std::fs::read_to_string(bench.join(format!("annotations/{name}.json")))?;
        let queries = serde_json::from_str::<Vec<Value>>(&annotations)?
            .iter()
            .map(query)
            .collect();
        set.0.push(repository(name, queries));
        set.1
            .push(format!("{}/{}", tree(row, "revision"), text(row, "root")));
    }
    Ok(set)
}

/// One JSON object a line: the text of a task, the files of its solution, and the tree it was solved in.
fn tasks(lines: &str, wanted: &str) -> Result<Set> {
    let mut set = Set::default();
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line)?;
        if !wanted.split(',').any(|name| name == text(&row, "clone")) {
            continue;
        }
        let gold = row["gold_files"].as_array().cloned().unwrap_or_default();
        let targets = gold.iter().filter_map(Value::as_str).map(|path| Target {
            path: path.to_owned(),
            lines: None,
        });
        let query = Query {
            text: text(&row, "query"),
            category: "semantic".to_owned(),
            targets: targets.collect(),
        };
        set.0.push(repository(text(&row, "id"), vec![query]));
        set.1.push(tree(&row, "base_commit"));
    }
    Ok(set)
}

fn repository(name: String, queries: Vec<Query>) -> Repository {
    Repository {
        name,
        chunks: Vec::new(),
        queries,
        words: Bm25::new(&[]),
    }
}

fn query(row: &Value) -> Query {
    let list = |key: &str| row[key].as_array().cloned().unwrap_or_default();
    let target = |row: &Value| Target {
        path: row
            .as_str()
            .or(row["path"].as_str())
            .unwrap_or_default()
            .to_owned(),
        lines: row["start_line"].as_u64().zip(row["end_line"].as_u64()),
    };
    Query {
        text: row["query"].as_str().unwrap_or_default().to_owned(),
        category: row["category"].as_str().unwrap_or("semantic").to_owned(),
        targets: list("relevant")
            .iter()
            .chain(&list("secondary"))
            .map(target)
            .collect(),
    }
}

/// The chunks of a folder, in the order of paths.
fn chunks(root: &Path) -> Vec<Pair> {
    let mut files = Vec::new();
    walk(root, "", &mut files);
    files.sort();
    let mut pairs = Vec::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else {
            continue;
        };
        let Ok(repo_path) = RepoPath::new(path.clone()) else {
            continue;
        };
        let Some(language) = language_of(&repo_path, text.lines().next().unwrap_or_default()) else {
            continue;
        };
        for chunk in parse(&text, Some(language), &ChunkSettings::default()).chunks {
            pairs.push(Pair {
                chunk: u64::from(chunk.lines.start()) << 32 | u64::from(chunk.lines.end()),
                path: path.clone(),
                body: text[chunk.bytes.clone()].to_owned(),
                names: chunk.names,
                docs: chunk.docs,
                capsule: chunk.capsule,
                ..Pair::default()
            });
        }
    }
    pairs
}

fn walk(root: &Path, under: &str, files: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(root.join(under)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if under.is_empty() {
            name.clone()
        } else {
            format!("{under}/{name}")
        };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name != ".git" => walk(root, &path, files),
            Ok(kind) if kind.is_file() && entry.metadata().is_ok_and(|data| data.len() < 1 << 20) => {
                files.push(path)
            }
            _ => {}
        }
    }
}
