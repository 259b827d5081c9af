//! RET-42: the three formats, and what is said of files that are none of them.

use std::path::Path;

use kitbag_engine::api::{EvalGold, EvalQuery};
use kitbag_testkit::fuzz::{Material, fuzz};

use super::{check_ids, lines, queries};

fn read(name: &str, text: &str) -> Vec<EvalQuery> {
    let found = queries(Path::new(name), text).unwrap_or_else(|failure| panic!("{}", failure.message));
    found.into_iter().map(|found| found.query).collect()
}

#[track_caller]
fn check_error(name: &str, text: &str, message: &str) {
    let failure = queries(Path::new(name), text).unwrap_err();
    assert_eq!(
        (failure.code, failure.message.as_str()),
        ("INVALID_EVAL", message)
    );
}

fn gold(query: &EvalQuery) -> Vec<(&str, Option<(u32, u32)>)> {
    let gold = query.gold.iter();
    gold.map(|gold| (gold.path.as_str(), gold.lines)).collect()
}

#[test]
fn ret_42_our_own_toml() {
    let text = "# Why.\n\n[[query]]\nask = \"where?\"\nfiles = [\"a.rs\", \"./b/c.rs\"]\n\n[[query]]\nask = \"how?\"\nfiles = [\"d.rs\"]\ncategory = \"x\"\n";
    let found = read("evals/queries.toml", text);
    assert_eq!(
        (found[0].id.as_str(), found[0].query.as_str(), found[0].any),
        ("queries#0", "where?", true)
    );
    assert_eq!(gold(&found[0]), [("a.rs", None), ("b/c.rs", None)]);
    assert_eq!(
        (found[1].category.as_deref(), found[1].path_ends),
        (Some("x"), false)
    );
}

#[test]
fn ret_42_json_lines() {
    let text = concat!(
        "{\"id\": \"x@1\", \"repo\": \"shop\", \"language\": \"python\", \"query\": \"a\\nb\", \"gold_files\": [\"a.py\", \"b\\\\c.py\"],",
        " \"gold_lines\": {\"a.py\": [[1, 2]]}, \"split\": \"dev\"}\n\n",
        "{\"query\": \"c\", \"gold_files\": [\"c.py\"], \"without\": [\"symbol\"]}\n"
    );
    let found = read("t/tasks.jsonl", text);
    assert_eq!(
        (
            found[0].id.as_str(),
            found[0].repo.as_str(),
            found[0].language.as_deref()
        ),
        ("x@1", "shop", Some("python"))
    );
    assert_eq!(gold(&found[0]), [("a.py", None), ("b/c.py", None)]);
    assert!(!found[0].any && !found[0].path_ends);
    assert_eq!(
        (found[1].id.as_str(), &found[1].without[..]),
        ("tasks:3", &["symbol".to_owned()][..])
    );
}

#[test]
fn ret_42_annotations_of_the_published_benchmark() {
    let text = r#"[
      {"query": "how the session works", "relevant": ["aio/client.py"], "secondary": [{"path": "aio/x.py", "start_line": 3, "end_line": 9}]},
      {"query": "Session", "relevant": [{"path": "aio/client.py"}], "seed": "x"},
      {"query": "a session", "category": "own", "relevant": ["a"], "secondary": []},
      {"query": "a session", "relevant": ["a"]}
    ]"#;
    let found = read("annotations/aio.json", text);
    let categories: Vec<_> = found
        .iter()
        .map(|query| query.category.as_deref().unwrap())
        .collect();
    assert_eq!(categories, ["architecture", "symbol", "own", "semantic"]);
    assert_eq!(
        gold(&found[0]),
        [("aio/client.py", None), ("aio/x.py", Some((3, 9)))]
    );
    assert_eq!(
        (found[0].id.as_str(), found[0].repo.as_str(), found[0].path_ends),
        ("aio#0", "aio", true)
    );
}

#[test]
fn ret_42_errors_say_where() {
    check_error("q.toml", "", "q.toml holds no queries");
    check_error("q.toml", "# nothing\n", "q.toml holds no queries");
    check_error("q.json", " [ ] ", "q.json holds no queries");
    check_error(
        "q.toml",
        "[[query]]\nask = \"x\"\nfile = [\"a\"]\n",
        "q.toml:3:1: unknown field `file`, expected one of `ask`, `files`, `definitions`, `category`",
    );
    check_error(
        "q.toml",
        "[[query]]\nask = \"x\"\nfiles = [\"a\"]\n\n[[query]]\nask = \"y\"\n",
        "q.toml:5:1: missing field `files`",
    );
    check_error(
        "q.toml",
        "[[query]]\nask = \"x\"\nfiles = [\"a\"]\n\n[[query]]\nask = 3\nfiles = [\"a\"]\n",
        "q.toml:6:7: invalid type: integer `3`, expected a string",
    );
    check_error(
        "q.toml",
        "[[query]]\nask = \"y\"\nfiles = []\n",
        "q.toml:2:7: files names no file",
    );
    check_error(
        "words.txt",
        "how does it work?\n",
        "words.txt:1:5: key with no value, expected `=`",
    );
    let good = "{\"query\": \"a\", \"gold_files\": [\"a\"]}\n";
    check_error(
        "t.jsonl",
        &format!("{good}\n{{\"query\": \"b\"}}\n"),
        "t.jsonl:3:14: missing field `gold_files`",
    );
    check_error(
        "t.jsonl",
        &format!("{good}{{\"query\": \"b\", \"gold_files\": []}}"),
        "t.jsonl:2: gold_files names no file",
    );
    check_error(
        "t.jsonl",
        "{\"query\": \"b\", \"gold_files\": [\"/etc/passwd\"]}",
        "t.jsonl:1:44: `/etc/passwd` is not a path inside the project: the path is absolute",
    );
    check_error(
        "t.jsonl",
        "{\"query\": \" \", \"gold_files\": [\"a\"]}",
        "t.jsonl:1:13: the query is empty",
    );
    check_error(
        "t.jsonl",
        &format!("{good}{{\"query\": "),
        "t.jsonl:2:10: EOF while parsing a value",
    );
    check_error(
        "a.json",
        "[\n{\"query\": \"x\",\n \"secondary\": []}\n]",
        "a.json:3:17: missing field `relevant`",
    );
    check_error(
        "a.json",
        "[{\"query\": \"x\", \"relevant\": []}]",
        "a.json: query 1: relevant names no file",
    );
}

#[test]
fn ret_42_an_id_is_used_once() {
    let text = "{\"id\": \"1\", \"query\": \"a\", \"gold_files\": [\"a\"]}\n".repeat(2);
    let found = queries(Path::new("t.jsonl"), &text).unwrap();
    let failure = check_ids(&found).unwrap_err();
    assert_eq!(
        failure.message,
        "t.jsonl:2: the id 1 is already used at t.jsonl:1"
    );
    assert!(check_ids(&found[..1]).is_ok());
}

#[test]
fn ret_42_what_is_written_is_read_again() {
    let gold = |lines| EvalGold {
        path: "a b.rs".into(),
        lines,
    };
    let query = EvalQuery {
        language: Some("rust".into()),
        gold_lines: vec![gold(Some((3, 4))), gold(Some((9, 9)))],
        without: vec!["symbol".into()],
        ..EvalQuery::new("1", "größer\nals \"x\" \u{1b}[1m", vec![gold(None)])
    };
    let other = EvalQuery {
        id: "2".into(),
        ..query.clone()
    };
    let foreign = EvalQuery {
        answerable: false,
        ..EvalQuery::new("3", "no such thing", Vec::new())
    };
    let all = [query, other, foreign];
    assert_eq!(read("t.jsonl", &lines(&all)), all);
}

#[test]
fn sec_6_fuzz_eval_files() {
    let material = Material::new(
        &[
            "[[query]]\nask = \"where?\"\nfiles = [\"a.rs\", \"./b/c.rs\"]\n",
            "{\"query\": \"x\", \"gold\": [{\"path\": \"a.rs\", \"lines\": [1, 9]}]}\n",
        ],
        &[
            "[[query]]",
            "ask",
            "files",
            "=",
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            ":",
            "gold",
            "lines",
            "-1",
            "\n",
        ],
    );
    fuzz("eval files", &material, |input| {
        let text = String::from_utf8_lossy(input);
        for name in ["a.toml", "a.json", "a.jsonl"] {
            let _ = queries(Path::new(name), &text);
        }
    });
}
