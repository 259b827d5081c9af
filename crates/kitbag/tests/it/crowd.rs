//! A project large enough to be interrupted in, and the answers it should give. Shared by the tests of kills, crowds and
//! damage.

use std::process::{Command, Stdio};

use kitbag_testkit::random::Random;

use crate::world::{Ran, World};

/// `kitbag` by the real clock: what changes in the moment it is read must be noticed, and a fixed time hides that.
pub(crate) fn command(world: &World, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kitbag"));
    command
        .current_dir(world.project.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", world.home.root())
        .args(args)
        .stdin(Stdio::null());
    command
}

pub(crate) fn run(world: &World, args: &[&str]) -> Ran {
    world.ran(
        &command(world, args)
            .output()
            .expect("kitbag was built with these tests"),
    )
}

/// Files of several languages, a few hundred.
pub(crate) fn project() -> World {
    let world = World::without_git("//- README.md\n# Crowd\n\nMany small modules that call each other.\n");
    let mut random = Random::new(7);
    for n in 0..240 {
        world
            .project
            .write(format!("src/part{}/unit{n}.rs", n % 12), rust(n, &mut random));
        if n % 3 == 0 {
            world
                .project
                .write(format!("py/mod{n}.py"), python(n, &mut random));
        }
    }
    world
}

fn rust(n: usize, random: &mut Random) -> String {
    let mut text = format!("//! Unit {n} of the crowd.\n\n");
    for f in 0..3 + random.below(6) {
        let callee = random.below(240);
        text += &format!(
            "/// Step {f} of unit {n}: passes the work on to unit {callee}.\npub fn step_{n}_{f}(work: u64) -> u64 {{\n    \
             let carried = work.wrapping_mul({});\n    step_{callee}_0(carried)\n}}\n\n",
            random.below(1000)
        );
    }
    text
}

fn python(n: usize, random: &mut Random) -> String {
    format!(
        "\"\"\"Module {n}.\"\"\"\n\n\nclass Worker{n}:\n    \"\"\"Does the work of module {n}.\"\"\"\n\n    def run(self, load):\n        \
         return load * {}\n\n\ndef make_worker_{n}():\n    return Worker{n}()\n",
        random.below(1000)
    )
}

/// Everything the index answers to a few questions, and its counts. Equal for equal projects, however they were indexed.
pub(crate) fn answers(world: &World, store: &str) -> String {
    let mut answers = String::new();
    for query in [
        "step_17_0",
        "Worker9",
        "passes the work on",
        "make worker",
        "unit 200",
        "run load",
    ] {
        let ran = run(
            world,
            &[
                "--json",
                "--store",
                store,
                "search",
                "--no-update",
                "--top",
                "30",
                query,
            ],
        );
        assert!(matches!(ran.code, Some(0 | 1)), "{query}: {ran:?}");
        answers += &ran.out;
    }
    let ran = run(world, &["--json", "--store", store, "status"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let status: serde_json::Value = serde_json::from_str(&ran.out).expect("status speaks JSON");
    for key in ["files", "chunks", "symbols", "languages", "complete"] {
        answers += &format!("{key} {}\n", status[key]);
    }
    answers
}

/// What a fresh index of the same project answers.
pub(crate) fn fresh_answers(world: &World) -> String {
    let store = world.home.path("fresh").display().to_string();
    let ran = run(world, &["--store", &store, "--quiet", "index"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answers = answers(world, &store);
    world.home.remove("fresh");
    answers
}
