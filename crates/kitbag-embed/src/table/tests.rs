use super::*;
use crate::term_key;

/// Two meanings on two axes: opening things, and colours (terms are stemmed). The last rows are shared.
fn parts() -> TableParts {
    let mut terms = [
        ("open", [100, 0]),
        ("fil", [90, 0]),
        ("red", [0, 100]),
        ("blu", [0, 100]),
    ];
    terms.sort_by_key(|(term, _)| term_key(term.as_bytes()));
    let rows = terms.iter().flat_map(|(_, row)| *row).chain([5, 5, 5, -5]);
    TableParts {
        name: "tiny".into(),
        dims: 2,
        field_weights: [0.5, 2.0, 1.0, 1.0, 1.0, 1.0],
        keys: terms.iter().map(|(term, _)| term_key(term.as_bytes())).collect(),
        n_buckets: 2,
        query_scales: vec![0.01; 6],
        passage_scales: vec![0.02; 6],
        rows: rows.collect(),
    }
}

fn tiny() -> Table {
    Table::from_parts(&parts()).unwrap()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn ret_12_texts_meet_by_meaning_and_have_unit_length() {
    let table = tiny();
    let question = table.embed_query("opening it");
    let near = table.embed_passage(&Passage {
        body: "file",
        ..Passage::default()
    });
    let far = table.embed_passage(&Passage {
        body: "blue",
        ..Passage::default()
    });
    assert!(dot(&question, &near) > 0.9 && dot(&question, &far) < 0.3);
    for vector in [&question, &near, &far] {
        assert!((dot(vector, vector) - 1.0).abs() < 1e-6);
    }
}

#[test]
fn ret_12_fields_weigh_as_the_table_says() {
    let table = tiny();
    let names = ["red".to_owned()];
    let passage = Passage {
        path: "open",
        names: &names,
        ..Passage::default()
    };
    let vector = table.embed_passage(&passage);
    assert!(
        vector[1] > 3.9 * vector[0] && vector[1] < 4.1 * vector[0],
        "{vector:?}"
    );
}

#[test]
fn ret_12_nothing_known_gives_zeros() {
    let table = tiny();
    assert_eq!(table.embed_query("¿?"), [0.0, 0.0]);
    assert_eq!(table.embed_passage(&Passage::default()), [0.0, 0.0]);
}

#[test]
fn ret_12_a_file_opens_as_it_was_written() {
    let table = tiny();
    let again = Table::from_bytes(table.to_bytes().to_vec()).unwrap();
    assert_eq!(again.id(), table.id());
    assert!(again.id().starts_with("tiny-") && again.is_intact());
    assert_eq!(
        again.embed_query("open red files"),
        table.embed_query("open red files")
    );
}

#[test]
fn ret_12_damage_is_told_and_never_read() {
    let good = tiny().to_bytes().to_vec();
    for cut in 0..good.len() {
        assert!(Table::from_bytes(good[..cut].to_vec()).is_err(), "{cut}");
    }
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x41;
        if let Ok(table) = Table::from_bytes(bytes) {
            assert!(!table.is_intact(), "{at}");
            table.embed_query("open the red file and more");
        }
    }
}

#[test]
fn ret_12_a_table_needs_ordered_keys() {
    let mut parts = parts();
    parts.keys.swap(0, 1);
    assert!(Table::from_parts(&parts).is_err());
}

#[test]
fn ret_12_the_built_in_table_is_whole() {
    let table = Table::built_in();
    assert!(
        table.is_intact(),
        "the digest in the file is not that of its content"
    );
    assert_eq!(table.dims(), 256);
    assert!(table.to_bytes().len() <= 16 << 20);
}
