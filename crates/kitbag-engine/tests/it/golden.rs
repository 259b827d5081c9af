//! RET-40: golden queries on Kitbag's own source. `evals/results.csv` holds the rank of every answer and is committed, so
//! that a change of ranking shows as a diff people can argue about. `KITBAG_UPDATE_EVALS=1` writes it anew.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kitbag_engine::api::{self, EvalGold, EvalQuery, EvalRequest, EvalResult};
use kitbag_engine::{Engine, Options};

use crate::world::NOW;

/// Of the golden queries, this many must have a right file among the first three.
const MUST: usize = 27;

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

/// The rank of the first right file among distinct files, if it is among the first ten, of each query.
fn ranks(engine: &Engine, golden: &[Golden]) -> Vec<Option<usize>> {
    let query = |(idx, golden): (usize, &Golden)| EvalQuery {
        id: idx.to_string(),
        repo: String::new(),
        query: golden.ask.clone(),
        category: None,
        language: None,
        gold: golden
            .files
            .iter()
            .map(|path| EvalGold {
                path: path.clone(),
                lines: None,
            })
            .collect(),
        any: true,
        path_ends: false,
        without: Vec::new(),
    };
    let request = EvalRequest {
        queries: golden.iter().enumerate().map(query).collect(),
        top: 30,
        // Every commit would move the results.
        without: vec!["git_history".into()],
        passed_over: Vec::new(),
        ablate: false,
        update: false,
    };
    let run = api::eval(engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap();
    let rank = |result: &EvalResult| result.gold.iter().filter_map(|gold| gold.rank).min();
    run.results
        .iter()
        .map(|result| rank(result).filter(|rank| *rank <= 10))
        .collect()
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
        stop: None,
    };
    api::index(&engine, request, &mut |_| {}, NOW).unwrap();
    let golden = golden(&root);
    assert!(golden.len() >= 25);
    let mut results = String::from("rank,query\n");
    let mut n_good = 0;
    for (query, rank) in golden.iter().zip(ranks(&engine, &golden)) {
        for file in &query.files {
            assert!(
                root.join(file).is_file(),
                "{file} is an answer to {:?} and not there",
                query.ask
            );
        }
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
