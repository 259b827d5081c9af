//! `kill -9` at random moments of everything that writes: the first index, an update, a rebuild, a watcher, a note that is being
//! remembered. Afterwards one run must give what a fresh index gives, and nothing that was acknowledged may be lost (IDX-31).
//!
//! How long a deed takes undisturbed is measured first, so that the moments are spread over the whole of it.

use std::process::Stdio;
use std::time::{Duration, Instant};

use kitbag_testkit::random::Random;
use serde_json::json;

use super::client::Pipe;
use super::process::wait;
use super::project::{edit, generate};
use super::same::{Answers, answers, difference, fresh};
use super::tally::Tally;
use super::world::{Setup, World, remove};

/// Kills before each comparison: a comparison costs ten times as much as a kill.
const KILLS_PER_LOOK: usize = 4;
/// Edits before an update that is killed.
const EDITS: usize = 25;

#[derive(Clone, Copy, PartialEq)]
enum Deed {
    First,
    Update,
    Rebuild,
    Watch,
    Remember,
}

const DEEDS: &[(Deed, &str)] = &[
    (Deed::First, "first index"),
    (Deed::Update, "update"),
    (Deed::Rebuild, "rebuild"),
    (Deed::Watch, "watch"),
    (Deed::Remember, "remember"),
];

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let n_files = if setup.short { 200 } else { 1_200 };
    let world = setup.world("kills")?;
    generate(&world.root, setup.seed, n_files)?;
    let mut random = setup.random();
    let start = Instant::now();
    let ran = world.run(&["--quiet", "index"])?;
    tally.saw(&ran);
    let whole = start.elapsed();
    tally.begin();
    let mut remembered = Vec::new();
    let mut n_killed = 0;
    // Bounded by the time of the case; the number only ends it on a machine that is faster than any of today.
    for round in 0..10_000 {
        let (deed, name) = DEEDS[round % DEEDS.len()];
        if !tally.wants(&format!("{name} {round}")) {
            if tally.has_enough() {
                break;
            }
            continue;
        }
        for _ in 0..KILLS_PER_LOOK {
            n_killed += usize::from(kill(
                deed,
                &world,
                (n_files, whole),
                &mut random,
                &mut remembered,
                tally,
            )?);
            // Whatever is there can be asked: found, nothing found, or nothing indexed yet.
            let ran = world.run(&["--json", "search", "--no-update", "check_cart_0"])?;
            if tally.saw(&ran) && !matches!(ran.code, Some(0 | 1 | 3)) {
                tally.failed("what is there after a kill cannot be asked", &ran.told());
            }
        }
        look(&world, &remembered, tally)?;
    }
    tally.note(format!("{n_killed} processes were running when they were killed"));
    Ok(())
}

/// Starts the deed and kills it at some moment. Gives whether it was still running.
fn kill(
    deed: Deed,
    world: &World,
    (n_files, whole): (usize, Duration),
    random: &mut Random,
    remembered: &mut Vec<String>,
    tally: &mut Tally,
) -> Result<bool, String> {
    let moment = |random: &mut Random, most: Duration| most.mul_f64(random.below(1000) as f64 / 1000.0);
    match deed {
        Deed::Remember => return remember(world, moment(random, whole / 2), remembered, tally),
        Deed::First => {
            forget(world)?;
        }
        Deed::Update => {
            for _ in 0..EDITS {
                edit(&world.root, n_files, random)?;
            }
        }
        Deed::Rebuild | Deed::Watch => {}
    }
    let args: &[&str] = match deed {
        Deed::Rebuild => &["--quiet", "rebuild", "--force"],
        Deed::Watch => &["--quiet", "watch"],
        _ => &["--quiet", "index"],
    };
    let mut child = world
        .command(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("kitbag: {error}"))?;
    let end = Instant::now() + moment(random, whole);
    while Instant::now() < end {
        if deed == Deed::Watch {
            edit(&world.root, n_files, random)?;
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    let was_running = matches!(child.try_wait(), Ok(None));
    // SIGKILL: no handler, no clean-up. It may have ended this moment.
    let _ = child.kill();
    wait(&mut child, Duration::from_secs(10)).ok_or("a killed process does not end")?;
    Ok(was_running)
}

/// Removes the index and leaves the notes: half of an index would be damage, which is another case.
fn forget(world: &World) -> Result<(), String> {
    let store = world.store();
    let entries = std::fs::read_dir(&store).map_err(|error| format!("{}: {error}", store.display()))?;
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with("journal") {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Notes one thing after another until the moment of the kill. What was acknowledged is added to `remembered`.
fn remember(
    world: &World,
    moment: Duration,
    remembered: &mut Vec<String>,
    tally: &mut Tally,
) -> Result<bool, String> {
    let mut pipe = match Pipe::start(world, &[]) {
        Ok(pipe) => pipe,
        Err(message) => {
            tally.failed("no server after a kill", &message);
            return Ok(false);
        }
    };
    let end = Instant::now() + moment;
    while Instant::now() < end {
        let content = format!("note{} was decided on purpose", remembered.len());
        let said = pipe.call("remember", &json!({"content": content}), Duration::from_secs(20));
        if said.is_some_and(|said| said["result"]["isError"] != true && said.get("result").is_some()) {
            remembered.push(format!("note{}", remembered.len()));
        } else {
            tally.failed("a note was not taken", &content);
            break;
        }
    }
    let was_running = matches!(pipe.child.try_wait(), Ok(None));
    drop(pipe);
    Ok(was_running)
}

/// One run, and everything is as if nothing had happened.
fn look(world: &World, remembered: &[String], tally: &mut Tally) -> Result<(), String> {
    let ran = world.run(&["--quiet", "index"])?;
    if tally.saw(&ran) && ran.code != Some(0) {
        tally.failed("the run after the kills fails", &ran.told());
        return Ok(());
    }
    let expected = fresh(world)?;
    match answers(world, &world.store())? {
        Answers::Given { text, .. } if text == expected => {}
        Answers::Given { text, .. } => tally.failed(
            "the answers differ from those of a fresh index",
            &difference(&expected, &text),
        ),
        Answers::Refused(ran) => tally.failed("no answer after the kills", &ran.told()),
    }
    let entries =
        std::fs::read_dir(world.store()).map_err(|error| format!("{}: {error}", world.store().display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("damaged") {
            tally.failed("a kill was taken for damage", &name);
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    // The newest and the oldest; all of them would be a question each.
    for note in remembered.last().into_iter().chain(remembered.first()) {
        if !recalled(world, note)? {
            tally.failed("a note that was acknowledged is lost", note);
        }
    }
    Ok(())
}

/// Whether a note with this word is found.
pub(super) fn recalled(world: &World, word: &str) -> Result<bool, String> {
    let mut pipe = Pipe::start(world, &[])?;
    let limit = Duration::from_secs(20);
    let said = pipe.call("recall", &json!({"query": word, "max_tokens": 25_000}), limit);
    Ok(said.is_some_and(|said| said.to_string().contains(&format!("{word} was decided"))))
}
