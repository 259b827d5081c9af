use super::*;

fn ranks(postings: &[Vec<(u32, f32)>], n_docs: u64, most: usize) -> Vec<u32> {
    let weights = vec![1.0; postings.len()];
    let order = |doc| u64::from(1000 - doc);
    score(postings, &weights, n_docs, 100, &|_| true, &order, most)
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
