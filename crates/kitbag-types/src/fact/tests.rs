//! Facts survive being written and read, and bytes that are not facts are refused.

use super::{Fact, FactKind, Value, from_bytes, to_bytes};

fn sample() -> Vec<Fact> {
    let values = vec![
        Value::Text("/users".to_owned()),
        Value::Pair(
            "methods".to_owned(),
            Box::new(Value::List(vec![Value::Text("GET".to_owned())])),
        ),
        Value::Joined(vec![Value::Name("API".to_owned()), Value::Text("/x".to_owned())]),
        Value::Fact(0),
        Value::Other,
    ];
    FactKind::ALL
        .into_iter()
        .enumerate()
        .map(|(idx, kind)| Fact {
            kind,
            name: format!("name{}", idx % 3),
            receiver: (idx % 2 == 0).then(|| Value::Name("app".to_owned())),
            arguments: values.clone(),
            annotation: "Router".to_owned(),
            words: "export async".to_owned(),
            parent: idx.checked_sub(1).map(|parent| parent as u32),
            line: 100 + idx as u32 * 1_000,
            end_line: 200 + idx as u32 * 1_000,
        })
        .collect()
}

#[test]
fn facts_come_back_as_they_were_written() {
    let facts = sample();
    assert_eq!(from_bytes(&to_bytes(&facts)), Some(facts));
    assert_eq!(from_bytes(&to_bytes(&[])), Some(Vec::new()));
}

#[test]
fn torn_and_odd_bytes_are_refused_and_never_panic() {
    let bytes = to_bytes(&sample());
    for end in 0..bytes.len() {
        assert_eq!(from_bytes(&bytes[..end]), None, "cut at {end}");
    }
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut odd = bytes.clone();
            odd[at] ^= flip;
            if let Some(facts) = from_bytes(&odd) {
                let in_range = |fact: &Fact| fact.parent.is_none_or(|parent| (parent as usize) < facts.len());
                assert!(facts.iter().all(in_range));
            }
        }
    }
}
