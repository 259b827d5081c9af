//! Files that change, vanish and turn into folders while they are read.

use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_testkit::random::Random;

use crate::crowd::{answers, fresh_answers, project, run};

#[test]
fn idx_42_a_project_in_motion_is_indexed_all_the_same() {
    let world = project();
    let store = world.home.path("store").display().to_string();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Random::new(5);
            while !stop.load(Ordering::Relaxed) {
                let n = random.below(240);
                let path = world.project.path(format!("src/part{}/unit{n}.rs", n % 12));
                // Failures are part of the game: two of these may meet on one path.
                let _ = match random.below(4) {
                    0 => std::fs::remove_file(&path),
                    1 => std::fs::write(&path, format!("pub fn moved_{n}() {{}}\n")),
                    2 => std::fs::remove_file(&path).and_then(|()| std::fs::create_dir(&path)),
                    _ => {
                        std::fs::remove_dir(&path).and_then(|()| std::fs::write(&path, "pub fn back() {}\n"))
                    }
                };
            }
        });
        for _ in 0..8 {
            let ran = run(&world, &["--store", &store, "--quiet", "index"]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let ran = run(&world, &["--store", &store, "--json", "search", "moved back"]);
            assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        run(&world, &["--store", &store, "--quiet", "index"]).code,
        Some(0)
    );
    assert_eq!(answers(&world, &store), fresh_answers(&world));
}
