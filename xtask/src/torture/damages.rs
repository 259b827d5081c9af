//! Every file of the store, damaged in every way of a list: cut, zeroed, flipped, older than the rest, gone, a folder, a pipe, without
//! permission (IDX-30). One command heals it or says what is wrong; then the answers equal a fresh index's; and nothing is called
//! healthy that does not answer like one.
//!
//! The store that is damaged has lived: a first run, notes, edits, and a watcher killed with its last changes in the log of the
//! database. An older copy of it gives the files that "fell back", as after a power cut.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kitbag_testkit::random::Random;
use serde_json::json;

use super::client::Pipe;
use super::kills::recalled;
use super::process::{Ran, wait};
use super::project::{edit, generate};
use super::same::{Answers, Health, answers, difference, fresh, health};
use super::tally::Tally;
use super::world::{NOBODY, Setup, World, copy, is_root, remove};

const PAGE: usize = 4096;
const NOTE: &str = "note0";

#[derive(Clone, Copy, PartialEq)]
enum Damage {
    Truncate,
    Empty,
    ZeroPage,
    FlipBits,
    Older,
    Delete,
    Folder,
    Fifo,
    NoPermission,
}

const DAMAGES: &[(Damage, &str)] = &[
    (Damage::Truncate, "truncated"),
    (Damage::Empty, "empty"),
    (Damage::ZeroPage, "a page zeroed"),
    (Damage::FlipBits, "bits flipped"),
    (Damage::Older, "an older copy"),
    (Damage::Delete, "deleted"),
    (Damage::Folder, "a folder"),
    (Damage::Fifo, "a pipe"),
    (Damage::NoPermission, "no permission"),
];

/// A store worth damaging, and what to compare it with.
struct Sample {
    world: World,
    whole: PathBuf,
    older: PathBuf,
    expected: String,
    sound: Health,
}

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let mut random = setup.random();
    let sample = sample(setup, &mut random)?;
    tally.begin();
    let mut tries = Vec::new();
    for file in files(&sample.whole)? {
        for (damage, how) in DAMAGES {
            tries.push((file.clone(), *damage, format!("{} {how}", file.display())));
        }
    }
    for folder in ["text", "vectors"] {
        if sample.whole.join(folder).is_dir() {
            for (damage, how) in [(Damage::Delete, "deleted"), (Damage::Older, "an older copy")] {
                tries.push((PathBuf::from(folder), damage, format!("{folder}/ {how}")));
            }
        }
    }
    tally.note(format!(
        "{} files of the store, {} damages",
        tries.len() / DAMAGES.len(),
        tries.len()
    ));
    // A short run takes some of each kind, not all of the first file.
    shuffle(&mut tries, &mut random);
    for (file, damage, name) in &tries {
        if tally.wants(name) {
            try_one(&sample, file, *damage, &mut random, tally)?;
        }
    }
    Ok(())
}

fn sample(setup: &Setup, random: &mut Random) -> Result<Sample, String> {
    let n_files = if setup.short { 60 } else { 300 };
    let mut world = setup.world("damages")?;
    // Every command here takes a tenth of a second; what takes so long waits for a pipe.
    world.bounds.wall = Duration::from_secs(15);
    generate(&world.root, setup.seed, n_files)?;
    // Root may open everything, and git trusts no folder of another user: so all of it is done by one user without rights.
    if is_root() {
        give(&world.root)?;
        give(&world.home)?;
        world.as_nobody = true;
    }
    index(&world)?;
    let mut pipe = Pipe::start(&world, &[])?;
    let content = format!("{NOTE} was decided on purpose");
    pipe.call("remember", &json!({"content": content}), Duration::from_secs(20))
        .ok_or("kitbag mcp does not remember")?;
    pipe.end(Duration::from_secs(20));
    let store = world.store();
    let folder = world.home.join("kept");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (older, whole) = (folder.join("older"), folder.join("whole"));
    copy(&store, &older)?;
    // A watcher writes into the log of the database and is killed before it moves that into the database.
    let mut watcher = world
        .command(&["--quiet", "watch"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("kitbag watch: {error}"))?;
    for _ in 0..n_files / 4 {
        edit(&world.root, n_files, random)?;
    }
    let end = Instant::now() + Duration::from_secs(30);
    let log = store.join("kitbag.db-wal");
    let expected = fresh(&world)?;
    loop {
        let same = matches!(answers(&world, &store)?, Answers::Given { text, .. } if text == expected);
        if same || Instant::now() > end {
            break;
        }
    }
    let _ = watcher.kill();
    wait(&mut watcher, Duration::from_secs(10));
    if !log.exists() {
        eprintln!("torture: damages: the watcher left no log of the database");
    }
    copy(&store, &whole)?;
    index(&world)?;
    let sound = health(&world, &store)?;
    Ok(Sample {
        world,
        whole,
        older,
        expected,
        sound,
    })
}

fn index(world: &World) -> Result<Ran, String> {
    let ran = world.run(&["--quiet", "index"])?;
    if ran.code == Some(0) {
        Ok(ran)
    } else {
        Err(ran.told())
    }
}

fn try_one(
    sample: &Sample,
    file: &Path,
    damage: Damage,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let world = &sample.world;
    let store = world.store();
    remove(&store)?;
    copy(&sample.whole, &store)?;
    let place = store.join(file);
    let older = sample.older.join(file);
    if !hurt(&place, &older, damage, random)? {
        tally.n_tries -= 1;
        return Ok(());
    }
    if world.as_nobody {
        give(&store)?;
    }
    let mut story = String::new();
    // Before anything is mended: what is said must fit what is answered.
    let before = health(world, &store)?;
    let asked = answers(world, &store)?;
    let sound = matches!(&asked, Answers::Given { text, .. } if *text == sample.expected);
    let warned = match &asked {
        Answers::Given { warnings, .. } => !warnings.is_empty(),
        Answers::Refused(ran) => {
            story += &ran.told();
            tally.saw(ran)
        }
    };
    // A database that fell back is an older index in good health, and `--no-update` asks for no newer one.
    let fell_back = damage == Damage::Older || file.to_string_lossy().starts_with("kitbag.db-");
    let is_called_healthy = before.is_as_good_as(&sample.sound);
    if !sound && !fell_back && is_called_healthy {
        let what = if warned {
            "it answers badly and warns, but status and doctor call it healthy"
        } else {
            "it answers badly without a warning, and status and doctor call it healthy"
        };
        tally.failed(
            what,
            &format!("{}\n{}", before.said, told(&asked, &sample.expected)),
        );
    }
    // One command mends it.
    let ran = world.run(&["index"])?;
    story += &ran.told();
    if !tally.saw(&ran) {
        return Ok(());
    }
    let after = answers(world, &store)?;
    let sound = matches!(&after, Answers::Given { text, .. } if *text == sample.expected);
    if ran.code != Some(0) {
        // What cannot be mended is said: a message, and a hint what to do.
        let honest =
            ran.code == Some(3) && ran.err.contains("error:") && ran.err.contains(&*store.to_string_lossy());
        if !honest {
            tally.failed(
                "`kitbag index` fails and does not say where and what to do",
                &story,
            );
        }
        let cannot = matches!(damage, Damage::Folder | Damage::Fifo | Damage::NoPermission);
        if !cannot {
            tally.failed("`kitbag index` does not mend it", &story);
        }
        return Ok(());
    }
    let healthy = health(world, &store)?.is_as_good_as(&sample.sound);
    if !(sound && healthy) {
        mended_at_last(sample, (sound, healthy), &after, &mut story, tally)?;
    }
    if !file.to_string_lossy().starts_with("journal") {
        if !recalled(world, NOTE)? {
            tally.failed("a note is lost by damage to another file", &story);
        }
        return Ok(());
    }
    journal_works(world, damage, is_called_healthy, &mut story, tally)
}

/// What one command left wrong, a thorough one puts right, if something was said about it: damage that only a look at everything finds
/// is named by `doctor`, with that command.
fn mended_at_last(
    sample: &Sample,
    (sound, healthy): (bool, bool),
    after: &Answers,
    story: &mut String,
    tally: &mut Tally,
) -> Result<(), String> {
    let world = &sample.world;
    let store = world.store();
    *story += &world.run(&["index", "--thorough"])?.told();
    if sound {
        let last = health(world, &store)?;
        if !last.is_as_good_as(&sample.sound) {
            tally.failed(
                "it answers well again, and is not called healthy even after `index --thorough`",
                &format!("{story}\n{}", last.said),
            );
        }
        return Ok(());
    }
    let at_last = matches!(answers(world, &store)?, Answers::Given { text, .. } if text == sample.expected);
    let what = match (healthy, at_last) {
        (false, true) => return Ok(()),
        (true, true) => "wrong answers stay, called healthy, until `index --thorough`",
        (true, false) => "wrong answers stay for good, called healthy",
        (false, false) => "wrong answers stay for good, although something is said",
    };
    tally.failed(what, &format!("{story}\n{}", told(after, &sample.expected)));
    Ok(())
}

/// Whatever happened to the journal: jobs run, notes are taken, and those that are lost are not lost without a word.
fn journal_works(
    world: &World,
    damage: Damage,
    is_called_healthy: bool,
    story: &mut String,
    tally: &mut Tally,
) -> Result<(), String> {
    for args in [&["refresh"][..], &["rebuild", "--force"]] {
        let ran = world.run(args)?;
        *story += &ran.told();
        if tally.saw(&ran) && ran.code != Some(0) {
            tally.failed(&format!("a damaged journal blocks {args:?}"), story);
        }
    }
    let was_said = story.contains("journal") || !is_called_healthy;
    // What fell back may have been before the note.
    if damage != Damage::Older && !was_said && !recalled(world, NOTE)? {
        tally.failed("notes are lost without a word", story);
    }
    let mut pipe = Pipe::start(world, &[])?;
    let note = json!({"content": "note1 was decided on purpose"});
    let said = pipe.call("remember", &note, Duration::from_secs(20));
    drop(pipe);
    let is_taken = said
        .as_ref()
        .is_some_and(|said| said["result"]["isError"] == false);
    if is_taken && !recalled(world, "note1")? {
        tally.failed("a note is taken and lost", story);
    }
    if !is_taken {
        tally.failed("a damaged journal takes no notes", &format!("{said:?}\n{story}"));
    }
    Ok(())
}

fn told(answers: &Answers, expected: &str) -> String {
    match answers {
        Answers::Given { text, .. } => difference(expected, text),
        Answers::Refused(ran) => ran.told(),
    }
}

/// Does it; false if this damage changes nothing about this file.
fn hurt(place: &Path, older: &Path, damage: Damage, random: &mut Random) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", place.display());
    let write = |bytes: &[u8]| std::fs::write(place, bytes).map_err(failed);
    let is_folder = place.is_dir();
    let bytes = if is_folder {
        Vec::new()
    } else {
        std::fs::read(place).map_err(failed)?
    };
    match damage {
        Damage::Truncate | Damage::Empty | Damage::ZeroPage | Damage::FlipBits if bytes.is_empty() => {
            return Ok(false);
        }
        Damage::Truncate => write(&bytes[..random.below(bytes.len())])?,
        Damage::Empty => write(b"")?,
        Damage::ZeroPage => {
            let mut bytes = bytes;
            let from = random.below(bytes.len().div_ceil(PAGE)) * PAGE;
            let to = (from + PAGE).min(bytes.len());
            bytes[from..to].fill(0);
            write(&bytes)?;
        }
        Damage::FlipBits => {
            let mut bytes = bytes;
            for _ in 0..8 {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            write(&bytes)?;
        }
        Damage::Older => {
            if !is_folder && std::fs::read(older).ok().as_ref() == Some(&bytes) {
                return Ok(false);
            }
            remove(place)?;
            if older.exists() {
                copy(older, place)?;
            }
        }
        Damage::Delete => remove(place)?,
        Damage::Folder | Damage::Fifo => {
            remove(place)?;
            let program = if damage == Damage::Fifo { "mkfifo" } else { "mkdir" };
            let done = Command::new(program).arg(place).status();
            if !done.is_ok_and(|status| status.success()) {
                return Err(format!("{program} {}", place.display()));
            }
        }
        Damage::NoPermission => {
            std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o000)).map_err(failed)?;
        }
    }
    Ok(true)
}

/// Gives a folder to the user without rights, so that only what was taken away is missing.
fn give(folder: &Path) -> Result<(), String> {
    let done = Command::new("chown")
        .args(["-R", "--no-dereference", &NOBODY.to_string()])
        .arg(folder)
        .status();
    match done {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("chown {}: {other:?}", folder.display())),
    }
}

/// The files of a store, by path from its folder, in the order of their names.
fn files(store: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![store.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(inside) = path.strip_prefix(store) {
                found.insert(inside.to_owned(), ());
            }
        }
    }
    Ok(found.into_keys().collect())
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}
