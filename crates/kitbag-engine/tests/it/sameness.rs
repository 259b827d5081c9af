//! Same project, same answers: whatever the number of threads, the order of arrival, or the way the index came to be.

use kitbag_engine::api;

use crate::world::{NOW, World, item};

#[test]
fn one_thread_or_three_the_index_is_the_same() {
    let mut world = World::sample();
    world.options.workers = 1;
    world.index();
    let expected = world.dump();
    assert!(expected.len() > 5000);
    world.forget();
    world.options.workers = 3;
    world.index();
    assert_eq!(world.dump(), expected);
}

#[test]
fn ten_increments_and_a_fresh_index_are_the_same() {
    let world = World::sample();
    world.tree.remove("app/errors.py");
    world.index();
    // Edit, add, delete, move, put back.
    for round in 1..=8 {
        for n in 0..round * 5 {
            world.tree.write(format!("src/gen/item{n}.rs"), item(n, round));
        }
        world.tree.write(
            format!("extra/file{round}.py"),
            format!("def extra_{round}():\n    return {round}\n"),
        );
        if round > 2 {
            world.tree.remove(format!("extra/file{}.py", round - 2));
        }
        world.index();
    }
    std::fs::rename(world.tree.path("src/gen"), world.tree.path("src/moved")).unwrap();
    world.index();
    std::fs::rename(world.tree.path("src/moved"), world.tree.path("src/gen")).unwrap();
    let incremental = world.index();
    assert_eq!(
        incremental.parsed, 0,
        "IDX-35: what was seen before is not parsed again"
    );
    let dump = world.dump();
    world.forget();
    let fresh = world.index();
    assert!(fresh.parsed > 40);
    assert_eq!(world.dump(), dump);
}

#[test]
fn a_rebuilt_text_index_gives_the_same_answers() {
    let world = World::sample();
    world.index();
    let expected = world.dump();
    std::fs::remove_dir_all(world.store_dir().join("text")).unwrap();
    let reply = world.index();
    assert_eq!(
        (reply.parsed, reply.added, reply.unchanged),
        (0, 0, reply.files),
        "nothing is read again"
    );
    assert_eq!(world.dump(), expected);
}

#[test]
fn idx_35_branch_switches_parse_nothing_twice() {
    let world = World::sample();
    world.tree.git(&["init", "-q"]);
    world.tree.git(&["add", "."]);
    world.tree.git(&["commit", "-qm", "one"]);
    world.index();
    let on_main = world.dump();
    world.tree.git(&["checkout", "-qb", "other"]);
    for n in 0..20 {
        world.tree.write(format!("src/gen/item{n}.rs"), item(n, 9));
    }
    world.tree.remove("config.toml");
    world.tree.git(&["commit", "-qam", "two"]);
    let there = world.index();
    assert_eq!((there.parsed, there.removed), (20, 1));
    let on_other = world.dump();
    for _ in 0..2 {
        world.tree.git(&["checkout", "-q", "main"]);
        let back = world.index();
        assert_eq!((back.parsed, back.reused), (0, 21));
        assert_eq!(world.dump(), on_main);
        world.tree.git(&["checkout", "-q", "other"]);
        assert_eq!(world.index().parsed, 0);
        assert_eq!(world.dump(), on_other);
    }
}

#[test]
fn idx_35_worktrees_share_products_and_not_answers() {
    let world = World::sample();
    world.index();
    let copy = World::sample();
    copy.tree.write("only_here.py", "def only_here():\n    pass\n");
    let engine =
        kitbag_engine::Engine::open(copy.tree.root(), world.store_dir(), copy.options.clone()).unwrap();
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: None,
    };
    let reply = api::index(&engine, request, &mut |_| {}, NOW).unwrap();
    assert_eq!((reply.parsed, reply.reused), (1, reply.files - 1));
    let found = api::search(&engine, &api::SearchRequest::new("only_here"), &mut |_| {}, NOW).unwrap();
    assert_eq!(found.results[0].path, "only_here.py");
    assert!(world.paths("only_here").iter().all(|path| path != "only_here.py"));
}

#[test]
fn idx_44_nothing_changed_nothing_done() {
    let world = World::sample();
    let first = world.index();
    assert!(first.added > 40 && first.complete);
    let again = world.index();
    assert_eq!(
        (again.added, again.changed, again.parsed, again.unchanged),
        (0, 0, 0, first.files)
    );
    // Touched but not changed.
    let text = world.tree.read("src/session.rs");
    world.tree.write("src/session.rs", text);
    let touched = world.index();
    assert_eq!((touched.changed, touched.parsed), (0, 0));
    // Changed within the same size and, as far as the clock tells, the same moment.
    let text = String::from_utf8(world.tree.read("src/session.rs")).unwrap();
    world.tree.write(
        "src/session.rs",
        text.replace("session and gives", "session xnd gives"),
    );
    assert_eq!(world.index().changed, 1);
}

#[test]
fn idx_8_the_boundary_is_part_of_the_index() {
    let mut world = World::sample();
    let all = world.index().files;
    world.options.boundary.blocked_extensions = vec!["py".into()];
    let fewer = world.index();
    assert_eq!((fewer.files, fewer.removed), (all - 2, 2));
    world.options.boundary.blocked_extensions.clear();
    let again = world.index();
    assert_eq!((again.files, again.parsed, again.reused), (all, 0, 2));
}

#[test]
fn other_chunk_sizes_mean_other_chunks() {
    let mut world = World::sample();
    let coarse = world.index().chunks;
    world.options.chunking.max_tokens = Some(40);
    world.options.chunking.min_tokens = Some(5);
    let fine = world.index();
    assert!(fine.chunks > coarse, "{} > {coarse}", fine.chunks);
    assert_eq!(fine.parsed, fine.files);
}
