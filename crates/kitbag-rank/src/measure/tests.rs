//! Figures compared with cases calculated by hand (RET-42).

use super::{GoldRule, Judged, PathRule, Place, TOKENS_CAP, Target, judge, paired, quantile};

/// Results as `path:first-last`, each of 100 tokens.
fn check(results: &[&str], targets: &[&str], rule: PathRule, wanted: GoldRule) -> Judged {
    let lines = |text: &str| {
        let (start, end) = text.split_once('-').unwrap();
        (start.parse().unwrap(), end.parse().unwrap())
    };
    let places: Vec<Place<'_>> = results
        .iter()
        .map(|result| {
            let (path, range) = result.split_once(':').unwrap_or((result, "1-9"));
            Place {
                path,
                lines: lines(range),
                tokens: 100,
            }
        })
        .collect();
    let targets: Vec<Target> = targets
        .iter()
        .map(|target| {
            let (path, range) = target.split_once(':').unzip();
            Target {
                path: path.unwrap_or(target).to_owned(),
                lines: range.map(lines),
            }
        })
        .collect();
    judge(&places, &targets, rule, wanted)
}

fn all(results: &[&str], targets: &[&str]) -> Judged {
    check(results, targets, PathRule::Equal, GoldRule::All)
}

#[track_caller]
fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn ret_42_the_first_result_is_right() {
    let Judged { measures, .. } = all(&["a", "b"], &["a"]);
    let ones = [
        measures.ndcg10,
        measures.recall1,
        measures.recall10,
        measures.all1,
        measures.mrr,
    ];
    assert_eq!(ones, [1.0; 5]);
    assert_eq!(measures.tokens, 0, "nothing is read before it");
}

#[test]
fn ret_42_two_chunks_of_a_file_take_two_ranks_but_are_one_file() {
    // b is the third result and the second file.
    let judged = all(&["a:1-5", "a:6-9", "b", "c"], &["b"]);
    assert_eq!((judged.ranks[0], judged.file_ranks[0]), (Some(3), Some(2)));
    close(judged.measures.ndcg10, 0.5);
    close(judged.measures.mrr, 0.5);
    assert_eq!((judged.measures.all1, judged.measures.all3), (0.0, 1.0));
    assert_eq!(judged.measures.tokens, 200);
}

#[test]
fn ret_42_several_targets() {
    // Ranks 1 and 4 of two: (1 + 1/log2 5) / (1 + 1/log2 3).
    let judged = all(&["a", "x", "y", "b"], &["a", "b"]);
    let expected = (1.0 + 1.0 / 5_f64.log2()) / (1.0 + 1.0 / 3_f64.log2());
    close(judged.measures.ndcg10, expected);
    let measures = judged.measures;
    assert_eq!((measures.recall1, measures.recall5), (0.5, 1.0));
    assert_eq!((measures.all1, measures.all3, measures.all5), (0.0, 0.0, 1.0));
    close(measures.mrr, 1.0);
}

#[test]
fn ret_42_only_ten_results_count() {
    let results: Vec<String> = (1..=12).map(|n| format!("f{n}")).collect();
    let results: Vec<&str> = results.iter().map(String::as_str).collect();
    let tenth = all(&results, &["f10"]).measures;
    close(tenth.ndcg10, 1.0 / 11_f64.log2());
    assert_eq!((tenth.recall10, tenth.all5, tenth.all10), (1.0, 0.0, 1.0));
    let eleventh = all(&results, &["f11"]).measures;
    assert_eq!((eleventh.ndcg10, eleventh.recall10), (0.0, 0.0));
    close(eleventh.mrr, 1.0 / 11.0);
    assert_eq!(eleventh.tokens, 1000);
    // More targets than ranks: the ideal is ten.
    let targets: Vec<&str> = results.clone();
    close(all(&results, &targets).measures.ndcg10, 1.0);
}

#[test]
fn ret_42_never_found_and_nothing_to_find() {
    let never = all(&["a"], &["z"]);
    assert_eq!((never.measures.ndcg10, never.measures.mrr), (0.0, 0.0));
    assert!(never.measures.ndcg10.is_sign_positive(), "-0 looks like a loss");
    assert_eq!((never.measures.tokens, never.ranks[0]), (TOKENS_CAP, None));
    let nothing = all(&["a"], &[]).measures;
    assert_eq!((nothing.ndcg10, nothing.recall10, nothing.all10), (0.0, 0.0, 0.0));
    let any = check(&["a"], &[], PathRule::Equal, GoldRule::Any).measures;
    assert_eq!((any.ndcg10, any.all10), (0.0, 0.0));
}

#[test]
fn ret_42_lines_count_for_ndcg_and_not_for_files() {
    let judged = all(&["a:1-5", "a:20-30"], &["a:25-26"]);
    assert_eq!((judged.ranks[0], judged.file_ranks[0]), (Some(2), Some(1)));
    close(judged.measures.ndcg10, 1.0 / 3_f64.log2());
    assert_eq!(judged.measures.recall1, 1.0);
    for (lines, is_hit) in [("5-6", true), ("1-1", true), ("6-7", false)] {
        let judged = all(&["a:1-5"], &[&format!("a:{lines}")]);
        assert_eq!(judged.ranks[0].is_some(), is_hit, "{lines}");
    }
}

#[test]
fn ret_42_a_rank_counts_once() {
    // One result matches both targets; the ideal has two.
    let judged = check(&["src/a.rs"], &["a.rs", "src/a.rs"], PathRule::End, GoldRule::All);
    close(judged.measures.ndcg10, 1.0 / (1.0 + 1.0 / 3_f64.log2()));
}

#[test]
fn ret_42_the_end_of_a_path_at_a_slash() {
    for (path, target, equal, end) in [
        ("a/b.rs", "a/b.rs", true, true),
        ("a/b.rs", "b.rs", false, true),
        ("b.rs", "a/b.rs", false, true),
        ("ab.rs", "b.rs", false, false),
        ("a/b.rs", "c/b.rs", false, false),
    ] {
        let found = |rule| check(&[path], &[target], rule, GoldRule::All).ranks[0].is_some();
        assert_eq!(
            (found(PathRule::Equal), found(PathRule::End)),
            (equal, end),
            "{path} {target}"
        );
    }
}

#[test]
fn ret_42_any_of_the_targets_is_enough() {
    let judged = check(&["x", "b"], &["a", "b", "c"], PathRule::Equal, GoldRule::Any);
    close(judged.measures.ndcg10, 1.0 / 3_f64.log2());
    assert_eq!((judged.measures.recall5, judged.measures.all3), (1.0, 1.0));
    assert_eq!(judged.file_ranks, [None, Some(2), None]);
}

#[test]
fn ret_42_paired_counts_and_means() {
    let one = paired(&[vec![0.5, -0.25, 0.0, 0.25]]);
    close(one.mean, 0.125);
    assert_eq!((one.n_up, one.n_down, one.n_same), (2, 1, 1));
    assert!(one.low < 0.0 && one.high > 0.25, "{one:?}");
    // The mean of the groups' means, not of the queries.
    let two = paired(&[vec![1.0, 1.0, 1.0], vec![0.0]]);
    close(two.mean, 0.5);
    assert_eq!((two.low, two.high), (0.0, 1.0));
    assert_eq!(paired(&[vec![1.0, 1.0, 1.0], vec![0.0]]), two, "the same draws");
}

#[test]
fn ret_42_an_interval_is_as_wide_as_theory_says() {
    // 100 differences of +1 and -1 in equal parts: the mean has a standard error of 0.1.
    let values: Vec<f64> = (0..100).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let found = paired(&[values]);
    assert!((found.low + 0.196).abs() < 0.02, "{found:?}");
    assert!((found.high - 0.196).abs() < 0.02, "{found:?}");
    let same = paired(&[vec![0.25; 20]]);
    assert_eq!((same.mean, same.low, same.high), (0.25, 0.25, 0.25));
    let none = paired(&[]);
    assert_eq!((none.mean, none.low, none.high, none.n_same), (0.0, 0.0, 0.0, 0));
}

#[test]
fn ret_42_quantiles_lie_between_neighbours() {
    for (at, expected) in [(0.0, 1.0), (0.5, 2.5), (0.25, 1.75), (1.0, 4.0)] {
        close(quantile(&[1.0, 2.0, 3.0, 4.0], at), expected);
    }
    assert_eq!((quantile(&[], 0.5), quantile(&[7.0], 0.95)), (0.0, 7.0));
}
