//! What vectors and history do in an answer (RET-12, RET-13): they follow the files, the database and the model.

use kitbag_engine::Embedder;
use kitbag_engine::api::{Hit, SearchRequest};

use crate::world::World;

const BAKERY: &str = "
//- a.py
def bake_bread(oven):
    dough = knead(flour, water, yeast)
    return oven.bake(dough)
//- b.py
def play_song(speaker):
    return speaker.play(album.track)
//- c.py
def encrypt_message(key, plaintext):
    return cipher(key).encrypt(plaintext)
";

fn meaning(hit: &Hit) -> f64 {
    let mut factors = hit.reasons.iter();
    factors
        .find(|reason| reason.factor == "meaning")
        .map_or(0.0, |reason| reason.value)
}

/// The file that means most of what is asked.
fn nearest(world: &World, query: &str) -> String {
    let reply = world.ask(&SearchRequest::new(query));
    let best = reply
        .results
        .iter()
        .max_by(|a, b| meaning(a).total_cmp(&meaning(b)));
    best.filter(|hit| meaning(hit) > 1.0)
        .map_or_else(String::new, |hit| hit.path.clone())
}

#[test]
fn ret_12_vectors_follow_what_a_file_says() {
    let world = World::new(BAKERY);
    let query = "bake bread dough in an oven";
    assert_eq!(nearest(&world, query), "a.py");
    let (bread, cipher) = (world.tree.read("a.py"), world.tree.read("c.py"));
    world.tree.write("a.py", &cipher);
    world.tree.write("c.py", &bread);
    assert_eq!(nearest(&world, query), "c.py");
    world.tree.write("a.py", &bread);
    world.tree.write("c.py", &cipher);
    assert_eq!(nearest(&world, query), "a.py");
}

#[test]
fn ret_12_vectors_of_another_database_are_not_believed() {
    let world = World::new(BAKERY);
    world.index();
    for name in ["kitbag.db", "kitbag.db-wal", "kitbag.db-shm"] {
        let _ = std::fs::remove_file(world.store_dir().join(name));
    }
    let (bread, cipher) = (world.tree.read("a.py"), world.tree.read("c.py"));
    world.tree.write("a.py", &cipher);
    world.tree.write("c.py", &bread);
    world.index();
    assert_eq!(nearest(&world, "bake bread dough in an oven"), "c.py");
}

#[test]
fn ret_12_lost_vectors_are_made_again() {
    let world = World::new(BAKERY);
    world.index();
    std::fs::remove_dir_all(world.store_dir().join("vectors")).unwrap();
    assert_eq!(nearest(&world, "bake bread dough in an oven"), "a.py");
}

#[test]
fn ret_12_a_model_that_cannot_be_had_is_said_each_time_and_the_built_in_one_answers() {
    let mut world = World::new(BAKERY);
    world.options.embedder = Embedder::Folder("no/such/model".into());
    for _ in 0..2 {
        let reply = world.ask(&SearchRequest::new("bake bread dough in an oven"));
        let said = reply
            .warnings
            .iter()
            .any(|warning| warning.starts_with("the built-in model answers: "));
        assert!(said, "{:?}", reply.warnings);
        assert!(meaning(&reply.results[0]) > 1.0);
    }
}

#[test]
fn ret_12_what_is_not_there_is_not_found() {
    let world = World::new(BAKERY);
    let reply = world.ask(&SearchRequest::new("quarterly tax declaration of zanzibar"));
    assert!(reply.results.is_empty(), "{:?}", reply.results);
}
