//! The numbers of MEM-4 and MEM-5.

use super::*;

const BEST: ThreadFacts = ThreadFacts {
    similarity: 1.0,
    keywords: 1.0,
    age_hours: 0.0,
    origin: ThreadOrigin::Reference,
    uses: 10,
};

#[test]
fn mem_4_the_score_is_the_weighted_sum() {
    assert!((thread_score(&BEST) - 1.0).abs() < 1e-12);
    let old = ThreadFacts {
        age_hours: 100.0,
        ..BEST
    };
    assert!((thread_score(&BEST) - thread_score(&old) - 0.15 * (1.0 - (-1.0_f64).exp())).abs() < 1e-12);
    let worst = ThreadFacts {
        similarity: 0.0,
        keywords: 0.0,
        age_hours: 1e9,
        origin: ThreadOrigin::Message,
        uses: 0,
    };
    assert!((thread_score(&worst) - 0.075).abs() < 1e-12);
    let used = ThreadFacts { uses: 1_000, ..BEST };
    assert_eq!(thread_score(&used), thread_score(&BEST));
}

#[test]
fn mem_4_similarity_is_a_cosine_over_the_candidates() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let texts = [words("cart price cents"), words("cart page"), words("mail queue")];
    let found = similarities(&words("price cart"), &texts);
    assert!(found[0] > found[1] && found[1] > found[2], "{found:?}");
    assert_eq!(found[2], 0.0);
    assert!((similarities(&words("a b"), &[words("b a")])[0] - 1.0).abs() < 1e-12);
    assert_eq!(similarities(&[], &texts), [0.0, 0.0, 0.0]);
}

#[test]
fn mem_5_feedback_moves_a_score_by_a_fifth_at_most() {
    assert_eq!(
        (feedback_factor(0), feedback_factor(100), feedback_factor(-100)),
        (1.0, 1.2, 0.8)
    );
    assert!(feedback_factor(1) > 1.0 && feedback_factor(-1) < 1.0);
}
