use super::{message, vectors};

#[test]
fn ret_12_vectors_go_where_their_index_says() {
    let check = |json: &str, expected: &[[f32; 1]]| {
        assert_eq!(
            vectors(json.as_bytes(), expected.len(), None).unwrap(),
            expected,
            "{json}"
        );
    };
    check(
        r#"{"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1]}]}"#,
        &[[1.0], [2.0]],
    );
    // Servers that omit the index keep the order.
    check(
        r#"{"data": [{"embedding": [1]}, {"embedding": [2e0]}], "more": {}}"#,
        &[[1.0], [2.0]],
    );
    check(r#"{"data": []}"#, &[]);
}

#[test]
fn ret_12_a_first_vector_decides_the_dimension_of_the_others() {
    let json = br#"{"data": [{"embedding": [1, 2]}, {"embedding": [2]}]}"#;
    assert_eq!(
        vectors(json, 2, None).unwrap_err(),
        "a vector of 1 numbers instead of 2"
    );
    let json = br#"{"data": [{"embedding": []}]}"#;
    assert_eq!(
        vectors(json, 1, None).unwrap_err(),
        "a vector of 0 numbers instead of 0"
    );
    let json = br#"{"data": [{"embedding": [null]}]}"#;
    assert!(
        vectors(json, 1, None)
            .unwrap_err()
            .starts_with("its JSON has no list `data`")
    );
}

#[test]
fn ret_12_the_usual_ways_to_say_why_are_understood() {
    for json in [
        r#"{"error": {"message": "no such\nmodel", "type": "x"}}"#,
        r#"{"error": "no such model"}"#,
        r#"{"detail": "no such\u001bmodel"}"#,
        r#"{"object": "error", "message": "no such model"}"#,
    ] {
        assert_eq!(message(json.as_bytes()), "no such model");
    }
    assert_eq!(message(b"<html>"), "");
    assert_eq!(message(br#"{"error": {"code": 3}}"#), "");
    let long = format!(r#"{{"error": "{}"}}"#, "é".repeat(500));
    assert_eq!(message(long.as_bytes()).chars().count(), 200);
}
