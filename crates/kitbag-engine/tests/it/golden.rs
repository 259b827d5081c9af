//! RET-40: golden queries on Kitbag's own source. `evals/results.csv` holds the rank of every answer and is committed, so
//! that a change of ranking shows as a diff people can argue about. `KITBAG_UPDATE_EVALS=1` writes it anew.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kitbag_engine::api::{self, EvalGold, EvalQuery, EvalRequest, EvalResult};
use kitbag_engine::{Engine, Options};

use crate::world::NOW;

/// Of the golden queries, this many must have a right file among the first three,
const MUST: usize = 26;
/// and this many a right definition among the first five (RET-27).
const MUST_DEFINITIONS: usize = 16;

struct Golden {
    ask: String,
    files: Vec<String>,
    definitions: Vec<String>,
}

fn golden(root: &Path) -> Vec<Golden> {
    let text = std::fs::read_to_string(root.join("evals/queries.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let queries = table["query"].as_array().unwrap().iter();
    let texts = |list: &toml::Value| -> Vec<String> {
        let list = list.as_array().unwrap().iter();
        list.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    queries
        .map(|query| Golden {
            ask: query["ask"].as_str().unwrap().to_owned(),
            files: texts(&query["files"]),
            definitions: query.get("definitions").map(texts).unwrap_or_default(),
        })
        .collect()
}

/// Of each query the rank of the first right file among distinct files and of the first right definition among results, if they are
/// among the first ten.
fn ranks(engine: &Engine, golden: &[Golden]) -> Vec<(Option<usize>, Option<usize>)> {
    let query = |(idx, golden): (usize, &Golden)| {
        let gold = golden.files.iter().map(|path| EvalGold {
            path: path.clone(),
            lines: None,
        });
        EvalQuery {
            any: true,
            gold_names: golden.definitions.clone(),
            ..EvalQuery::new(idx.to_string(), golden.ask.clone(), gold.collect())
        }
    };
    let request = EvalRequest {
        queries: golden.iter().enumerate().map(query).collect(),
        top: 30,
        // Every commit would move the results.
        without: vec!["git_history".into()],
        passed_over: Vec::new(),
        ablate: false,
        packs: Vec::new(),
        include_brief: None,
        update: false,
    };
    let run = api::eval(engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap();
    let file = |result: &EvalResult| result.gold.iter().filter_map(|gold| gold.rank).min();
    let definition = |result: &EvalResult| result.definitions.iter().filter_map(|one| one.rank).min();
    let within_ten = |rank: Option<usize>| rank.filter(|rank| *rank <= 10);
    run.results
        .iter()
        .zip(golden)
        .map(|(result, golden)| {
            let names = result.definitions.iter().map(|one| one.name.as_str());
            let is_there = |wanted: &String| names.clone().any(|name| name.ends_with(wanted.as_str()));
            let missing: Vec<&String> = golden.definitions.iter().filter(|name| !is_there(name)).collect();
            assert!(
                missing.is_empty(),
                "{:?}: nothing is called {missing:?}",
                golden.ask
            );
            (within_ten(file(result)), within_ten(definition(result)))
        })
        .collect()
}

#[test]
fn ret_40_ret_27_the_right_file_and_definition_are_near_the_top() {
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
    let mut results = String::from("file,definition,query\n");
    let (mut n_good, mut n_right, mut n_asked) = (0, 0, 0);
    for (query, (file, definition)) in golden.iter().zip(ranks(&engine, &golden)) {
        for file in &query.files {
            assert!(
                root.join(file).is_file(),
                "{file} is an answer to {:?} and not there",
                query.ask
            );
        }
        n_good += usize::from(file.is_some_and(|rank| rank <= 3));
        n_right += usize::from(definition.is_some_and(|rank| rank <= 5));
        n_asked += usize::from(!query.definitions.is_empty());
        let rank = |rank: Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
        let definition = match query.definitions.is_empty() {
            true => String::new(),
            false => rank(definition),
        };
        results += &format!("{},{definition},{}\n", rank(file), query.ask);
    }
    let path = root.join("evals/results.csv");
    if std::env::var_os("KITBAG_UPDATE_EVALS").is_some() {
        std::fs::write(&path, &results).unwrap();
    }
    println!(
        "{results}{n_good} of {} files in the first three, {n_right} of {n_asked} definitions in the first five",
        golden.len()
    );
    assert!(
        n_good >= MUST,
        "{n_good} of {} in the first three:\n{results}",
        golden.len()
    );
    assert!(
        n_right >= MUST_DEFINITIONS,
        "{n_right} of {n_asked} definitions in the first five:\n{results}"
    );
}
