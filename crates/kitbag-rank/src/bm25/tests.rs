use super::*;

fn ranks(postings: &[Vec<(u32, f32)>], n_docs: u64, most: usize) -> Vec<u32> {
    let weights = vec![1.0; postings.len()];
    let order = |doc| u64::from(1000 - doc);
    let files: Vec<u32> = (0..100).collect();
    let matches = Matches {
        postings,
        weights: &weights,
        n_docs,
        files: &files,
    };
    score(&matches, &|_| true, &order, most)
        .iter()
        .map(|scored| scored.doc)
        .collect()
}

#[test]
fn ret_10_rare_terms_and_full_coverage_win() {
    let common: Vec<(u32, f32)> = (0..50).map(|doc| (doc, 1.0)).collect();
    let rare = vec![(7, 1.0), (60, 1.0)];
    assert_eq!(ranks(&[common, rare], 100, 3)[..2], [7, 60]);
}

#[test]
fn repeating_a_word_saturates() {
    let list = vec![(1, 1.0), (2, 50.0), (3, 1.0)];
    let other = vec![(3, 1.0)];
    assert_eq!(ranks(&[list, other], 100, 9), [3, 2, 1]);
}

#[test]
fn ret_22_ties_go_by_order_whatever_the_input_order_and_the_cut() {
    let mut list: Vec<(u32, f32)> = (0..20).map(|doc| (doc, 1.0)).collect();
    let expected: Vec<u32> = (15..20).rev().collect();
    assert_eq!(ranks(std::slice::from_ref(&list), 100, 5), expected);
    list.reverse();
    assert_eq!(ranks(&[list], 100, 5), expected);
}

#[test]
fn nothing_matches_nothing() {
    assert!(ranks(&[Vec::new(), Vec::new()], 100, 5).is_empty());
    assert!(ranks(&[], 0, 5).is_empty());
}

#[test]
fn fields_follow_the_table() {
    for (idx, field) in TextField::ALL.into_iter().enumerate() {
        assert_eq!(FIELDS[idx].0, field, "FIELDS is indexed by the field");
    }
    assert!(weigh(TextField::Names, 1, 6) > weigh(TextField::Body, 1, 160));
    assert!(weigh(TextField::Body, 1, 50) > weigh(TextField::Body, 1, 500));
}

#[test]
fn ret_20_a_file_is_scored_by_the_best_of_its_documents_for_each_term() {
    let postings = [vec![(0, 1.0), (1, 3.0), (2, 1.0)], vec![(0, 1.0)], vec![(1, 1.0)]];
    let matches = Matches {
        postings: &postings,
        weights: &[1.0; 3],
        n_docs: 10,
        files: &[5, 5, 6],
    };
    let scored = score(&matches, &|_| true, &|doc| u64::from(doc), 9);
    let of = |doc| scored.iter().find(|scored| scored.doc == doc).unwrap();
    let gain = |n_with, frequency: f32| idf(10, n_with) * frequency * (K1 + 1.0) / (K1 + frequency);
    let expected = gain(3, 3.0) + gain(1, 1.0) + gain(1, 1.0);
    assert!((of(0).file_score - expected).abs() < 1e-5);
    assert_eq!(of(0).file_score, of(1).file_score);
    assert!((of(2).file_score - gain(3, 1.0)).abs() < 1e-5);
}
