//! SEC-1: secrets never reach the store, nor an answer.

use std::path::Path;

use kitbag_testkit::secrets::samples;

use crate::world::World;

fn every_file(dir: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            every_file(&path, found);
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn sec_1_fifty_kinds_of_secrets_leave_no_trace_in_the_store() {
    let world = World::new("//- README.md\n# Keys\n");
    let samples = samples();
    let mut kinds: Vec<&str> = samples.iter().map(|sample| sample.kind).collect();
    kinds.dedup();
    assert!(kinds.len() >= 50, "{} kinds", kinds.len());
    for (n, sample) in samples.iter().enumerate() {
        world
            .tree
            .write(format!("keys/{n}/{}", sample.file), format!("{}\n", sample.text));
    }
    let reply = world.index();
    assert!(
        reply.files as usize > samples.len() / 2,
        "most of them are indexed, without their secrets"
    );
    let mut stored = Vec::new();
    every_file(&world.store_dir(), &mut stored);
    assert!(stored.len() > 3);
    for sample in &samples {
        for (path, bytes) in &stored {
            let leaked = bytes
                .windows(sample.secret.len())
                .any(|window| window == sample.secret.as_bytes());
            assert!(!leaked, "{} in {path}", sample.kind);
        }
        for hit in world.search(&sample.secret).results {
            assert!(!hit.text.contains(&sample.secret), "{}", sample.kind);
        }
    }
}

#[test]
fn sec_1_the_rest_of_the_line_stays() {
    let world = World::new(
        "//- app/settings.py\nDEBUG = True\ndb_password = \"hunter2-correct-horse\"\nPORT = 5432\n",
    );
    let hits = world.search("db_password").results;
    assert_eq!(
        hits[0].text,
        "DEBUG = True\ndb_password = \"[REDACTED]\"\nPORT = 5432"
    );
}
