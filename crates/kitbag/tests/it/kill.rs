//! IDX-31, IDX-42: a process that is killed at any point loses at most the files in flight, and the next one carries on.

use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use kitbag_testkit::random::Random;

use crate::crowd::{answers, command, fresh_answers, project, run};
use crate::world::World;

/// How often the run is killed.
const KILLS: usize = 25;

#[test]
fn idx_31_killed_again_and_again_the_index_comes_out_the_same() {
    let world = project();
    let store = world.home.path("store").display().to_string();
    let mut random = Random::new(3);
    let mut n_killed = 0;
    // Nobody sends on it: receiving with a time limit is how this test lets a moment pass.
    let (_keep, moment) = mpsc::channel::<()>();
    for round in 0..KILLS {
        let mut child = command(&world, &["--store", &store, "--quiet", "index"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("kitbag starts");
        let wait = Duration::from_micros(500 + random.below(400_000) as u64);
        assert!(moment.recv_timeout(wait).is_err());
        if child.try_wait().expect("a child of ours").is_none() {
            n_killed += 1;
        }
        // SIGKILL: no handler, no clean-up.
        child.kill().expect("it is ours to kill");
        child.wait().expect("it has ended");
        // Whatever is there can be asked, and a change in between is not lost.
        let ran = run(
            &world,
            &["--json", "--store", &store, "search", "--no-update", "Worker9"],
        );
        assert!(matches!(ran.code, Some(0 | 1 | 3)), "{ran:?}");
        assert!(!ran.err.contains("panic"), "{ran:?}");
        world.project.write(
            format!("src/part0/unit{}.rs", round * 12),
            format!("//! Rewritten {round}.\npub fn again_{round}() {{}}\n"),
        );
    }
    assert!(
        n_killed >= KILLS / 4,
        "only {n_killed} of {KILLS} were still running when killed"
    );
    let ran = run(&world, &["--store", &store, "--quiet", "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let blamed = std::path::Path::new(&store).join("crashes");
    assert!(!blamed.exists(), "no text is blamed for a kill");
    assert_eq!(answers(&world, &store), fresh_answers(&world));
    let damaged = std::fs::read_dir(&store)
        .unwrap()
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().starts_with("damaged"));
    assert!(!damaged, "a kill must not look like damage");
}

/// A real death in the middle of a parse, three times: what was being parsed then is blamed, cut by lines and told of.
#[test]
fn idx_15_a_text_that_is_parsed_whenever_the_process_dies_is_cut_by_lines() {
    // Brackets of which no reading makes sense: the parser is busy with them for long enough to be met at it.
    let mut random = Random::new(9);
    let soup = random.text("([{)]}<>a,;\n", 400_000);
    let world = World::without_git("");
    world.project.write("soup.rs", soup);
    let store = world.home.path("store");
    let shown = store.display().to_string();
    // The states of the row of a text that is being parsed (`kitbag-store/src/parsing.rs`): among others, alone, alone again.
    for state in [b'+', b'!', b'?'] {
        let mut child = world
            .command(["--store", &shown, "index"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("kitbag starts");
        while std::fs::read(store.join("parsing")).unwrap_or_default().first() != Some(&state) {
            let ended = child.try_wait().expect("a child of ours");
            assert!(
                ended.is_none(),
                "it ended before {:?} was seen",
                char::from(state)
            );
            std::thread::yield_now();
        }
        child.kill().expect("it is ours to kill");
        child.wait().expect("it has ended");
    }
    let ran = world.run(["--store", &shown, "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("1 file(s) ended Kitbag"), "{ran:?}");
    // It is told once; a search finds the text, which an edit gives another chance.
    world.project.write("soup.rs", "fn simple_again() {}\n");
    let ran = world.run(["--store", &shown, "index"]);
    assert!(ran.code == Some(0) && !ran.err.contains("ended"), "{ran:?}");
    let (_, found) = world.json(&["--store", &shown, "search", "simple_again"]);
    assert_eq!(found["results"][0]["label"], "simple_again", "{found}");
}
