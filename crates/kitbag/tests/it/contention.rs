//! IDX-32: two processes index and five search at once, while the project changes.

use std::process::{Child, Output, Stdio};

use crate::crowd::{answers, command, fresh_answers, project, run};

#[test]
fn idx_32_two_writers_and_five_readers_agree() {
    let world = project();
    let store = world.home.path("store").display().to_string();
    let spawn = |args: &[&str]| -> Child {
        command(&world, &[&["--store", &store, "--json"], args].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kitbag starts")
    };
    for round in 0..6 {
        let mut children: Vec<Child> = Vec::new();
        for n in 0..7 {
            children.push(match n {
                0 | 3 => spawn(&["index"]),
                5 => spawn(&["search", "--no-update", "step_17_0"]),
                _ => spawn(&["search", "step_17_0"]),
            });
            world.project.write(
                format!("src/part1/new{round}_{n}.rs"),
                format!("pub fn newcomer_{round}_{n}() {{}}\n"),
            );
        }
        for child in children {
            let Output {
                status,
                stdout,
                stderr,
            } = child.wait_with_output().expect("kitbag ends");
            let said = format!(
                "{} {}",
                String::from_utf8_lossy(&stdout),
                String::from_utf8_lossy(&stderr)
            );
            // 1: nothing found yet; 3: asked not to update before there was anything. Never a lock error.
            assert!(
                matches!(status.code(), Some(0 | 1)) || (round == 0 && status.code() == Some(3)),
                "{status} {said}"
            );
            assert!(!said.contains("locked") && !said.contains("damaged"), "{said}");
        }
    }
    let ran = run(&world, &["--store", &store, "--quiet", "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(answers(&world, &store), fresh_answers(&world));
}
