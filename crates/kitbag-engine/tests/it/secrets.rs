//! SEC-1: secrets never reach the store, nor an answer.

use std::path::Path;

use kitbag_engine::api::{self, SearchRequest};
use kitbag_testkit::secrets::samples;

use crate::world::{NOW, World};

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

#[test]
fn sec_1_new_rules_hold_at_once_even_before_the_index_is_brought_up_to_date() {
    let mut world = World::new("//- notes.txt\nticket ACME-4711-XYZ is open\n");
    assert!(world.search("ticket open").results[0].text.contains("ACME-4711"));
    world.options.secret_patterns = vec!["ACME-[0-9]+-[A-Z]+".into()];
    let request = SearchRequest {
        update: false,
        ..SearchRequest::new("ticket open")
    };
    assert!(!world.ask(&request).results[0].text.contains("ACME-4711"));
    world.index();
    assert!(!world.ask(&request).results[0].text.contains("ACME-4711"));
}

#[test]
fn a_run_that_is_cut_short_does_not_pass_old_products_off_as_new() {
    let mut world = World::sample();
    world.index();
    world.options.chunking.max_tokens = Some(40);
    world.options.chunking.min_tokens = Some(5);
    // Stops at the first file that cannot be read, after the run has begun.
    world.options.fail_fast = true;
    world.tree.write("zzz.rs", "pub fn last() {}\n");
    let engine = world.engine();
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: None,
    };
    let victim = world.tree.path("zzz.rs");
    let mut seen = 0;
    let outcome = api::index(
        &engine,
        request,
        &mut |_| {
            seen += 1;
            if seen == 1 {
                // The scan is over before the first report of a finished file.
                std::fs::remove_file(&victim).unwrap();
                std::fs::create_dir(&victim).unwrap();
            }
        },
        NOW,
    );
    drop(outcome);
    world.tree.remove("zzz.rs");
    world.options.fail_fast = false;
    world.index();
    let dump = world.dump();
    world.forget();
    world.index();
    assert_eq!(world.dump(), dump);
}
