//! IDX-36: what is shown is the file as it is now, even if the index is behind.

use kitbag_engine::api::SearchRequest;

use crate::world::World;

fn stale(world: &World, query: &str) -> Vec<(String, u32, String)> {
    let request = SearchRequest {
        update: false,
        ..SearchRequest::new(query)
    };
    world
        .ask(&request)
        .results
        .into_iter()
        .map(|hit| (hit.path, hit.line_start, hit.text))
        .collect()
}

#[test]
fn a_moved_function_is_shown_where_it_is() {
    let world = World::sample();
    world.index();
    let text = String::from_utf8(world.tree.read("src/store.rs")).unwrap();
    world
        .tree
        .write("src/store.rs", format!("// one\n// two\n// three\n\n{text}"));
    let hits = stale(&world, "SessionStore");
    assert_eq!(hits[0].0, "src/store.rs");
    for (path, start, text) in hits {
        let n_lines = text.split('\n').count() as u32;
        assert_eq!(text, world.lines(&path, start, start + n_lines - 1), "{path}");
    }
}

#[test]
fn a_changed_function_is_shown_as_it_is() {
    let world = World::sample();
    world.index();
    let text = String::from_utf8(world.tree.read("src/session.rs")).unwrap();
    world
        .tree
        .write("src/session.rs", text.replace("self.id", "self.id + 41"));
    let hits = stale(&world, "Session");
    assert!(
        hits.iter()
            .any(|(path, _, text)| path == "src/session.rs" && text.contains("self.id + 41"))
    );
    assert!(
        hits.iter()
            .all(|(path, _, text)| path != "src/session.rs" || !text.contains("self.id\n"))
    );
}

#[test]
fn a_deleted_file_is_not_shown() {
    let world = World::sample();
    world.index();
    world.tree.remove("src/session.rs");
    assert!(
        stale(&world, "Session")
            .iter()
            .all(|(path, ..)| path != "src/session.rs")
    );
    world.tree.mkdir("src/session.rs");
    assert!(
        stale(&world, "Session")
            .iter()
            .all(|(path, ..)| path != "src/session.rs")
    );
}

#[test]
fn the_next_question_sees_every_change() {
    let world = World::sample();
    world.search("x");
    world.tree.write("src/new.rs", "pub fn brand_new_thing() {}\n");
    assert_eq!(world.paths("brand_new_thing")[0], "src/new.rs");
    world.tree.write("src/new.rs", "pub fn other_name() {}\n");
    assert_eq!(world.paths("other_name")[0], "src/new.rs");
    world.tree.remove("src/new.rs");
    assert!(world.paths("other_name").iter().all(|path| path != "src/new.rs"));
}
