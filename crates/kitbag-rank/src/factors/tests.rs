use proptest::prelude::*;

use super::*;
use crate::query::analyse;
use crate::tests::conventions;

/// Candidates in fused order: (path, line, names). Gives `path:line` in ranked order.
fn check(question: &str, candidates: &[(&str, u32, &[&str])], expected: &[&str]) {
    let (fused, facts) = setup(candidates);
    let query = analyse(question, conventions());
    let order: Vec<String> = rank(fused, &facts, &asked(&query))
        .iter()
        .map(|candidate| &facts[candidate.chunk])
        .map(|facts| format!("{}:{}", facts.path, facts.line_start))
        .collect();
    assert_eq!(order, expected, "{question}");
}

fn asked(query: &Query) -> QuestionContext<'_> {
    QuestionContext {
        query,
        telling: &[],
        title_telling: &[],
        active: None,
        conventions: conventions(),
        without: &[],
    }
}

fn candidate(chunk: usize, score: f64) -> Candidate<usize> {
    Candidate {
        chunk,
        score,
        found_by: Vec::new(),
        damping: 1.0,
        reasons: Vec::new(),
    }
}

fn setup(candidates: &[(&str, u32, &[&str])]) -> (Vec<Candidate<usize>>, Vec<Facts>) {
    let fused = (0..candidates.len())
        .map(|idx| candidate(idx, 1.0 / (61.0 + idx as f64)))
        .collect();
    let facts = candidates
        .iter()
        .map(|(path, line, names)| Facts {
            path: RepoPath::new(*path).unwrap(),
            line_start: *line,
            language: "rust".into(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            kind: ChunkKind::CodeFunction,
            n_users: 0,
            referenced: false,
            text: 0.0,
            coverage: 0.0,
            file_text: 0.0,
            meaning: 0.0,
            file_meaning: 0.0,
            history: 0.0,
            title_meaning: 0.0,
            linked: 0.0,
            active_package: false,
            package: 1.0,
            feedback: 1.0,
        })
        .collect();
    (fused, facts)
}

#[test]
fn ret_20_the_definition_of_the_symbol_comes_first() {
    check(
        "Parser",
        &[
            ("src/use.rs", 1, &["main"]),
            ("src/deep/parser.rs", 9, &["Parser"]),
            ("src/other.rs", 2, &["parser"]),
        ],
        &["src/deep/parser.rs:9", "src/other.rs:2", "src/use.rs:1"],
    );
}

#[test]
fn ret_20_path_words_lift_a_file() {
    check(
        "how are sessions stored",
        &[("src/a.rs", 1, &[]), ("src/session/store.rs", 1, &[])],
        &["src/session/store.rs:1", "src/a.rs:1"],
    );
}

#[test]
fn ret_20_tests_sink_unless_asked_for() {
    let candidates: &[(&str, u32, &[&str])] = &[("tests/login.rs", 1, &[]), ("src/x.rs", 1, &[])];
    check(
        "verify a password",
        candidates,
        &["src/x.rs:1", "tests/login.rs:1"],
    );
    check(
        "tests that verify a password",
        candidates,
        &["tests/login.rs:1", "src/x.rs:1"],
    );
}

#[test]
fn ret_20_one_file_does_not_fill_the_page() {
    check(
        "zzz",
        &[
            ("a.rs", 1, &[]),
            ("a.rs", 20, &[]),
            ("a.rs", 40, &[]),
            ("b.rs", 1, &[]),
        ],
        &["a.rs:1", "b.rs:1", "a.rs:20", "a.rs:40"],
    );
}

#[test]
fn ret_20_what_damped_a_score_is_known_without_reading_reasons() {
    let (fused, facts) = setup(&[("a.rs", 1, &[]), ("a.rs", 20, &[]), ("b.rs", 1, &[])]);
    let query = analyse("zzz", conventions());
    let ranked = rank(fused, &facts, &asked(&query));
    let damping: Vec<(usize, f64)> = ranked.iter().map(|one| (one.chunk, one.damping)).collect();
    assert_eq!(
        damping,
        [(0, 1.0), (2, 1.0), (1, t::REPEAT[t::Group::Words as usize])]
    );
    let undamped = |one: &Candidate<usize>| one.score / one.damping;
    assert!(
        undamped(&ranked[2]) > undamped(&ranked[1]),
        "it matches better than its place says"
    );
}

#[test]
fn ret_22_the_best_is_one_and_ties_go_by_place() {
    let (mut fused, facts) = setup(&[("b.rs", 1, &[]), ("a.rs", 5, &[]), ("c.rs", 1, &[])]);
    for candidate in &mut fused {
        candidate.score = 0.5;
    }
    let ranked = rank(fused, &facts, &asked(&analyse("zzz", conventions())));
    assert_eq!(ranked[0].score, 1.0);
    assert_eq!(
        ranked.iter().map(|candidate| candidate.chunk).collect::<Vec<_>>(),
        [1, 0, 2]
    );
    assert!(rank::<u32>(Vec::new(), &[], &asked(&analyse("zzz", conventions()))).is_empty());
}

proptest! {
    #[test]
    fn order_is_total_and_blind_to_arrival(seed in proptest::collection::vec((0usize..6, 1u32..50, 0u32..4), 1..30)) {
        let paths = ["src/a.rs", "src/b.rs", "tests/a.rs", "docs/a.md", "src/session.rs", "vendor/x.rs"];
        let mut seen = std::collections::BTreeSet::new();
        let list: Vec<(Candidate<usize>, Facts)> = seed
            .iter()
            .filter(|(path, line, _)| seen.insert((*path, *line)))
            .enumerate()
            .map(|(idx, (path, line, score))| {
                let (_, mut facts) = setup(&[(paths[*path], *line, &[])]);
                (candidate(idx, f64::from(*score) / 4.0), facts.remove(0))
            })
            .collect();
        let run = |list: &[(Candidate<usize>, Facts)]| {
            let (fused, facts): (Vec<_>, Vec<_>) = list.iter().cloned().unzip();
            let ranked = rank(fused, &facts, &asked(&analyse("open a session", conventions())));
            ranked.into_iter().map(|candidate| (candidate.chunk, candidate.score.to_bits())).collect::<Vec<_>>()
        };
        let expected = run(&list);
        let mut reversed = list.clone();
        reversed.reverse();
        prop_assert_eq!(run(&reversed), expected);
    }
}
