use super::*;

fn rows<T>(known: &[&str], run: impl FnOnce(&Rows) -> T) -> T {
    let keys: Vec<u64> = known.iter().map(|term| term_key(term.as_bytes())).collect();
    let known = |key: u64| keys.iter().position(|k| *k == key).map(|idx| idx as u32);
    run(&Rows {
        known: &known,
        n_terms: keys.len() as u32,
        n_buckets: 100,
    })
}

#[test]
fn ret_12_known_terms_are_counted_by_field() {
    rows(&["read", "fil"], |rows| {
        let names = ["readFile".to_owned()];
        let passage = Passage {
            path: "read.rs",
            names: &names,
            body: "read read read",
            ..Passage::default()
        };
        let known: Vec<_> = rows
            .of_passage(&passage)
            .into_iter()
            .filter(|f| f.row < 2)
            .collect();
        let told: Vec<(u32, Field)> = known.iter().map(|f| (f.row, f.field)).collect();
        assert_eq!(
            told,
            [
                (0, Field::Path),
                (0, Field::Names),
                (0, Field::Body),
                (1, Field::Names)
            ]
        );
        assert!((known[2].amount - 4f32.ln()).abs() < 1e-6);
    });
}

#[test]
fn ret_12_an_unknown_word_shares_rows_with_words_of_its_letters() {
    rows(&["file"], |rows| {
        let touched = |text: &str| rows.of_query(text).iter().map(|f| f.row).collect::<Vec<_>>();
        let (one, other, far) = (touched("frobnicator"), touched("frobnicat"), touched("wxyzuvw"));
        let shared = |a: &[u32], b: &[u32]| a.iter().filter(|row| b.contains(row)).count();
        assert!(one.iter().all(|row| (1..101).contains(row)));
        assert!(
            shared(&one, &other) > shared(&one, &far) + 3,
            "{one:?} {other:?} {far:?}"
        );
    });
}

#[test]
fn ret_12_without_shared_rows_the_unknown_is_nothing() {
    let none = |_| None;
    let rows = Rows {
        known: &none,
        n_terms: 0,
        n_buckets: 0,
    };
    assert_eq!(rows.of_query("frobnicate the widget"), []);
}

#[test]
fn ret_12_our_logarithm_agrees_with_the_library() {
    for n in (0..4_000).chain([40_000, 4_000_000]) {
        let x = n as f32 / 64.0;
        let (ours, theirs) = (f64::from(ln_1p(x)), f64::from(x).ln_1p());
        assert!(
            (ours - theirs).abs() <= 2e-6 * theirs.max(1.0),
            "{x}: {ours} {theirs}"
        );
    }
}
