//! PACK-12: when files last changed is kept with the index, and asked of git only by an index run.

use kitbag_engine::api::{self, IndexRequest, PackReply, PackRequest};
use kitbag_engine::{Timestamp, Tokenizer};

use crate::world::World;

/// A day after the commits of the test kit.
const THEN: Timestamp = Timestamp(1_704_164_645_000 + 86_400_000);

const FIXTURE: &str = "\
//- src/quartz.rs
pub fn quartz() -> u32 { 1 }
//- src/lantern.rs
pub fn lantern() -> u32 { 2 }
";

fn repository() -> World {
    let world = World::new(FIXTURE);
    world.tree.git(&["init", "-q"]);
    world.tree.git(&["add", "-A"]);
    world.tree.git(&["commit", "-q", "-m", "first"]);
    world
}

fn index(world: &World, now: Timestamp) {
    let request = IndexRequest {
        wait: true,
        ..IndexRequest::default()
    };
    api::index(&world.engine(), request, &mut |_| {}, now).unwrap();
}

fn pack(world: &World, update: bool, now: Timestamp) -> PackReply {
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let request = PackRequest {
        update,
        ..PackRequest::new("quartz and lantern", 4_000, &tokenizer)
    };
    api::pack(
        &world.engine(),
        &request,
        &mut |_| {},
        &|| Default::default(),
        now,
    )
    .unwrap()
}

/// Recency and version of a file.
fn told(reply: &PackReply, path: &str) -> (f64, String) {
    let item = reply.items.iter().find(|item| item.path == path).unwrap();
    let recency = item
        .factors
        .iter()
        .find(|factor| factor.factor == "recency")
        .unwrap();
    (recency.value, item.at.clone())
}

fn head(world: &World) -> String {
    world.tree.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

/// From now on git can say nothing, although the same commit is checked out.
fn cut_off(world: &World) {
    std::fs::rename(world.tree.path(".git/objects"), world.tree.path(".git/gone")).unwrap();
}

#[test]
fn pack_12_a_pack_asks_the_index_and_not_git() {
    let world = repository();
    index(&world, THEN);
    let commit = head(&world);
    let before = pack(&world, false, THEN);
    cut_off(&world);
    let after = pack(&world, false, THEN);
    for reply in [&before, &after] {
        let (recency, at) = told(reply, "src/quartz.rs");
        assert!((0.85..1.0).contains(&recency), "{recency}");
        assert_eq!(at, commit);
        assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
    }
    // Ages are those of the day of the question.
    let later = Timestamp(THEN.0 + 40 * 86_400_000);
    assert!(told(&pack(&world, false, later), "src/quartz.rs").0 < 0.1);
}

#[test]
fn pack_12_what_git_did_not_say_is_said_to_be_missing() {
    let world = repository();
    cut_off(&world);
    index(&world, THEN);
    let reply = pack(&world, false, THEN);
    assert_eq!(told(&reply, "src/quartz.rs"), (0.0, "worktree".to_owned()));
    assert!(
        reply
            .warnings
            .iter()
            .any(|warning| warning.reason.contains("when files last changed is not known")),
        "{:?}",
        reply.warnings
    );
}

#[test]
fn pack_12_another_commit_since_the_index_is_not_taken_for_the_old_one() {
    let world = repository();
    index(&world, THEN);
    world.tree.write("src/other.rs", "pub fn other() {}\n");
    world.tree.git(&["add", "-A"]);
    world.tree.git(&["commit", "-q", "-m", "second"]);
    let stale = pack(&world, false, THEN);
    assert_eq!(told(&stale, "src/quartz.rs").1, "worktree");
    assert!(!stale.warnings.is_empty());
    let fresh = pack(&world, true, THEN);
    assert_eq!(told(&fresh, "src/quartz.rs").1, head(&world));
    assert!(told(&fresh, "src/quartz.rs").0 > 0.85, "what was known is kept");
    assert!(fresh.warnings.is_empty(), "{:?}", fresh.warnings);
}

#[test]
fn pack_12_the_working_copy_is_told_from_the_commit() {
    let world = repository();
    index(&world, THEN);
    let (commit, quartz) = (head(&world), "src/quartz.rs");
    let text = world.tree.read(quartz);
    world.tree.write(quartz, "pub fn quartz() -> u32 { 3 }\n");
    // Seen by its stamp before any run, and by the run after it.
    for update in [false, true] {
        assert_eq!(
            told(&pack(&world, update, THEN), quartz).1,
            "worktree",
            "{update}"
        );
    }
    assert_eq!(told(&pack(&world, true, THEN), "src/lantern.rs").1, commit);
    // Staged, it differs from the commit all the same.
    world.tree.git(&["add", "-A"]);
    assert_eq!(told(&pack(&world, true, THEN), quartz).1, "worktree");
    world.tree.git(&["reset", "-q"]);
    world.tree.write(quartz, text);
    assert_eq!(told(&pack(&world, true, THEN), quartz).1, commit);
    // Untracked: its own time counts.
    world.tree.git(&["rm", "-q", "--cached", "-f", "src/lantern.rs"]);
    assert_eq!(told(&pack(&world, true, THEN), "src/lantern.rs").1, "worktree");
}

#[test]
fn pack_12_outside_git_time_stamps_count() {
    let world = World::new(FIXTURE);
    let written = std::fs::metadata(world.tree.path("src/quartz.rs")).unwrap();
    let written = written.modified().unwrap();
    let ms = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let reply = pack(&world, true, Timestamp(ms + 2 * 86_400_000));
    let (recency, at) = told(&reply, "src/quartz.rs");
    assert!((0.7..0.95).contains(&recency), "{recency}");
    assert_eq!(at, "worktree");
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}
