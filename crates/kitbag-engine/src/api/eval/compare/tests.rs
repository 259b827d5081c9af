//! RET-42: runs with known differences.

use super::super::{
    EvalComparison, EvalFound, EvalMeasures, EvalResult, EvalRun, EvalSummary, EvalTiming, compare_evals,
    join_evals,
};

/// A run of `repo/query` with its NDCG; the other figures are 0.
fn run(results: &[(&str, f64)]) -> EvalRun {
    let results: Vec<EvalResult> = results.iter().map(|(id, ndcg10)| result(id, *ndcg10)).collect();
    EvalRun {
        top: 50,
        without: Vec::new(),
        files: 1,
        chunks: 1,
        summary: EvalSummary::of(&results),
        timing: EvalTiming::default(),
        results,
        ablation: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
    }
}

fn result(id: &str, ndcg10: f64) -> EvalResult {
    let (repo, query) = id.split_once('/').unwrap();
    EvalResult {
        id: id.to_owned(),
        repo: repo.to_owned(),
        query: query.to_owned(),
        category: None,
        language: Some("rust".to_owned()),
        any: false,
        gold: vec![EvalFound {
            path: "a.rs".to_owned(),
            lines: None,
            rank: None,
            chunk_rank: None,
            indexed: true,
        }],
        first: Vec::new(),
        match_score: 0.0,
        unanswerable: false,
        definitions: Vec::new(),
        packs: Vec::new(),
        measures: EvalMeasures {
            ndcg10,
            recall1: 0.0,
            recall5: 0.0,
            recall10: 0.0,
            all1: 0.0,
            all3: 0.0,
            all5: 0.0,
            all10: 0.0,
            mrr: 0.0,
            tokens: 10,
        },
        tokens_to_gold: None,
        baseline_tokens: None,
    }
}

fn compare(before: &[(&str, f64)], after: &[(&str, f64)]) -> EvalComparison {
    compare_evals(&run(before), &run(after)).unwrap()
}

#[test]
fn ret_42_repositories_weigh_the_same_however_many_queries_they_have() {
    let before = [("a/1", 0.0), ("a/2", 0.0), ("a/3", 0.0), ("b/1", 1.0)];
    let after = [("b/1", 0.5), ("a/1", 1.0), ("a/2", 1.0), ("a/3", 1.0)];
    let found = compare(&before, &after);
    assert_eq!((found.queries, found.repos, found.drawn), (4, 2, "repositories"));
    let ndcg = &found.metrics[0];
    assert_eq!((ndcg.before, ndcg.after, ndcg.difference), (0.5, 0.75, 0.25));
    assert_eq!((ndcg.low, ndcg.high), (-0.5, 1.0));
    assert_eq!((ndcg.better, ndcg.worse, ndcg.same), (3, 1, 0));
    let ids = |changes: &[super::EvalChange]| -> Vec<String> {
        changes.iter().map(|change| change.id.clone()).collect()
    };
    assert_eq!(ids(&found.gains), ["a/1", "a/2", "a/3"]);
    assert_eq!(ids(&found.losses), ["b/1"]);
    assert_eq!(run(&after).summary.all.ndcg10, 0.75, "as the summary counts");
}

#[test]
fn ret_42_the_largest_changes_come_first() {
    let ids: Vec<String> = (0..15).map(|n| format!("a/{n:02}")).collect();
    let before: Vec<(&str, f64)> = ids.iter().map(|id| (id.as_str(), 0.0)).collect();
    let after: Vec<(&str, f64)> = ids
        .iter()
        .zip(0..)
        .map(|(id, n)| (id.as_str(), f64::from(n) / 100.0))
        .collect();
    let found = compare(&before, &after);
    assert_eq!((found.gains.len(), found.losses.len()), (10, 0));
    assert_eq!(
        (found.gains[0].id.as_str(), found.gains[0].difference),
        ("a/14", 0.14)
    );
    assert_eq!((found.metrics[0].better, found.metrics[0].same), (14, 1));
}

#[test]
fn ret_42_other_queries_are_refused() {
    let message = |before: &[(&str, f64)], after: &[(&str, f64)]| {
        let error = compare_evals(&run(before), &run(after)).unwrap_err();
        assert_eq!(error.code(), "INVALID_EVAL");
        error.to_string()
    };
    let many: Vec<String> = (0..7).map(|n| format!("a/{n}")).collect();
    let many: Vec<(&str, f64)> = many.iter().map(|id| (id.as_str(), 0.0)).collect();
    assert_eq!(
        message(&many, &[("a/0", 0.0), ("b/0", 0.0)]),
        "the two runs are not over the same queries\n6 only in the first: a/1, a/2, a/3, a/4, a/5, …\n1 only in the second: b/0"
    );
    assert_eq!(
        message(&[("a/0", 0.0), ("a/0", 1.0)], &[("a/0", 0.0)]),
        "the first run has the query a/0 twice"
    );
    let mut other = run(&[("a/0", 0.0)]);
    other.results[0].gold[0].path = "b.rs".to_owned();
    let error = compare_evals(&run(&[("a/0", 0.0)]), &other).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("1 with another question or other gold files: a/0")
    );
}

#[test]
fn ret_42_runs_of_several_repositories_are_one() {
    assert_eq!(join_evals(Vec::new()), None);
    let parts = vec![run(&[("a/1", 1.0), ("a/2", 0.5)]), run(&[("b/1", 0.25)])];
    let joined = join_evals(parts).unwrap();
    let whole = run(&[("a/1", 1.0), ("a/2", 0.5), ("b/1", 0.25)]);
    assert_eq!(
        (joined.results, joined.summary),
        (whole.results, whole.summary.clone())
    );
    assert_eq!((whole.summary.all.ndcg10, whole.summary.all.repos), (0.5, 2));
    let names: Vec<&str> = whole
        .summary
        .by_repo
        .iter()
        .map(|group| group.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(whole.summary.by_category[0].name, "-");
    assert_eq!(whole.summary.all.tokens_median, 10.0);
}
