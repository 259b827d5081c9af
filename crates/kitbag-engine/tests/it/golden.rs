//! RET-40: golden queries on Kitbag's own source. `evals/results.csv` holds the rank of every answer and is committed, so
//! that a change of ranking shows as a diff people can argue about. `KITBAG_UPDATE_EVALS=1` writes it anew.

use std::path::{Path, PathBuf};

use kitbag_engine::api::{self, SearchRequest};
use kitbag_engine::{Engine, Options};

use crate::world::NOW;

/// Of the golden queries, this many must have a right file among the first three.
const MUST: usize = 28;

struct Golden {
    ask: String,
    files: Vec<String>,
}

fn golden(root: &Path) -> Vec<Golden> {
    let text = std::fs::read_to_string(root.join("evals/queries.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let queries = table["query"].as_array().unwrap().iter();
    queries
        .map(|query| Golden {
            ask: query["ask"].as_str().unwrap().to_owned(),
            files: query["files"]
                .as_array()
                .unwrap()
                .iter()
                .map(|file| file.as_str().unwrap().to_owned())
                .collect(),
        })
        .collect()
}

/// The rank of the first right file among distinct files, if it is among the first ten.
fn rank(engine: &Engine, golden: &Golden) -> Option<usize> {
    let request = SearchRequest {
        update: false,
        top: 30,
        ..SearchRequest::new(golden.ask.as_str())
    };
    let mut files: Vec<String> = Vec::new();
    for hit in api::search(engine, &request, &mut |_| {}, NOW).unwrap().results {
        if !files.contains(&hit.path) {
            files.push(hit.path);
        }
    }
    files
        .iter()
        .take(10)
        .position(|file| golden.files.contains(file))
        .map(|idx| idx + 1)
}

#[test]
fn ret_40_the_right_file_is_among_the_first_three() {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let store = tempfile::tempdir().unwrap();
    let engine = Engine::open(&root, store.path().join("store"), Options::default()).unwrap();
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
    };
    api::index(&engine, request, &mut |_| {}, NOW).unwrap();
    let golden = golden(&root);
    assert!(golden.len() >= 25);
    let mut results = String::from("rank,query\n");
    let mut n_good = 0;
    for query in &golden {
        for file in &query.files {
            assert!(
                root.join(file).is_file(),
                "{file} is an answer to {:?} and not there",
                query.ask
            );
        }
        let rank = rank(&engine, query);
        n_good += usize::from(rank.is_some_and(|rank| rank <= 3));
        results += &format!(
            "{},{}\n",
            rank.map_or("-".to_owned(), |rank| rank.to_string()),
            query.ask
        );
    }
    let path = root.join("evals/results.csv");
    if std::env::var_os("KITBAG_UPDATE_EVALS").is_some() {
        std::fs::write(&path, &results).unwrap();
    }
    println!("{results}{n_good} of {} in the first three", golden.len());
    assert!(
        n_good >= MUST,
        "{n_good} of {} in the first three:\n{results}",
        golden.len()
    );
}
