//! Disks that are full or may not be written (IDX-30): indexing says so and how much is missing, reading works, and with room
//! again one run gives what a fresh index gives.
//!
//! Root mounts a small disk in memory. Others get a limit on the size of a file, which is the nearest thing a process may do to
//! itself; the table says which of the two was tried.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kitbag_testkit::random::Random;

use super::process::{Ran, run as run_bounded};
use super::project::{edit, generate};
use super::same::{Answers, answers, difference, fresh};
use super::tally::Tally;
use super::world::{Setup, World, is_root};

/// Large enough for any index that is made here, in KB.
const ROOMY_KB: usize = 256 << 10;

/// A disk of its own, in memory; unmounted when dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(place: &Path, size_kb: usize) -> Result<Disk, String> {
        std::fs::create_dir_all(place).map_err(|error| format!("{}: {error}", place.display()))?;
        mount(
            &["-t", "tmpfs", "-o", &format!("size={size_kb}k,mode=755"), "tmpfs"],
            place,
        )?;
        Ok(Disk(place.to_owned()))
    }

    fn remount(&self, options: &str) -> Result<(), String> {
        mount(&["-o", &format!("remount,{options}")], &self.0)
    }

    /// Leaves no byte.
    fn fill(&self) {
        let filler = self.0.join("filler");
        // Its failure is the point.
        let _ = std::fs::File::create(&filler)
            .and_then(|mut file| std::io::copy(&mut std::io::repeat(1), &mut file));
    }

    fn empty(&self) {
        let _ = std::fs::remove_file(self.0.join("filler"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let done = Command::new("umount").arg(&self.0).status();
        if !done.is_ok_and(|status| status.success()) {
            eprintln!("torture: {} is still mounted", self.0.display());
        }
    }
}

fn mount(options: &[&str], place: &Path) -> Result<(), String> {
    let done = Command::new("mount")
        .args(options)
        .arg(place)
        .stderr(Stdio::null())
        .status();
    match done {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("mount {options:?} {}: {other:?}", place.display())),
    }
}

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let n_files = if setup.short { 40 } else { 600 };
    let world = setup.world("disks")?;
    generate(&world.root, setup.seed, n_files)?;
    let expected = fresh(&world)?;
    let mut random = setup.random();
    tally.begin();
    file_limit(&world, &expected, tally)?;
    output_full(&world, tally)?;
    small_disks(&world, n_files, &mut random, tally)
}

/// Mounts a disk and takes its room away: after a run, for reading only, and at any point of a run.
fn small_disks(world: &World, n_files: usize, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let disk = is_root().then(|| Disk::mount(&world.home.join("disk"), ROOMY_KB));
    let disk = match disk {
        Some(Ok(disk)) => disk,
        Some(Err(message)) => {
            tally.note(format!("no small disks were tried: {message}"));
            return Ok(());
        }
        None => {
            tally.note("no small disks were tried: only root can mount them".to_owned());
            return Ok(());
        }
    };
    let store = disk.0.join("store");
    let ran = world.run_in(&store, &["--quiet", "index"])?;
    tally.saw(&ran);
    let needed_kb = used_kb(&disk.0);
    tally.note(format!("the index takes {needed_kb} KB"));
    full_after(world, &disk, &store, n_files, random, tally)?;
    read_only(world, &disk, &store, tally)?;
    for round in 0..200 {
        let size_kb = needed_kb * random.below(100) / 100 + 64;
        let deed = ["first index", "update", "rebuild"][round % 3];
        if !tally.wants(&format!("{deed} on a disk with {size_kb} KB")) {
            if tally.has_enough() {
                break;
            }
            continue;
        }
        let _ = std::fs::remove_dir_all(&store);
        disk.empty();
        if deed != "first index" {
            disk.remount(&format!("size={ROOMY_KB}k"))?;
            tally.saw(&world.run_in(&store, &["--quiet", "index"])?);
            for _ in 0..n_files / 4 {
                edit(&world.root, n_files, random)?;
            }
            let room_kb = used_kb(&disk.0) + size_kb / 4;
            disk.remount(&format!("size={room_kb}k"))?;
        } else {
            disk.remount(&format!("size={size_kb}k"))?;
        }
        let args: &[&str] = match deed {
            "rebuild" => &["--json", "rebuild", "--force"],
            _ => &["--json", "index"],
        };
        let ran = world.run_in(&store, args)?;
        if tally.saw(&ran) {
            says_full(&ran, tally);
        }
        let ran = world.run_in(&store, &["--json", "search", "check_cart_0"])?;
        if tally.saw(&ran) && !matches!(ran.code, Some(0 | 1 | 3)) {
            tally.failed("a search on a full disk", &ran.told());
        }
        disk.remount(&format!("size={ROOMY_KB}k"))?;
        well_again(world, &store, tally)?;
    }
    Ok(())
}

/// It failed for want of space and says so, or it had enough.
fn says_full(ran: &Ran, tally: &mut Tally) {
    let honest = ran.code == Some(0) || (ran.code == Some(3) && says_space(ran));
    if !honest {
        tally.failed("a full disk is not told as one", &ran.told());
    }
}

fn says_space(ran: &Ran) -> bool {
    let said = format!("{}{}", ran.out, ran.err);
    said.contains("space") || said.contains("full")
}

/// With room again, one run gives what a fresh index gives.
fn well_again(world: &World, store: &Path, tally: &mut Tally) -> Result<(), String> {
    let ran = world.run_in(store, &["--quiet", "index"])?;
    if tally.saw(&ran) && ran.code != Some(0) {
        tally.failed("with room again it does not go on", &ran.told());
        return Ok(());
    }
    let expected = fresh(world)?;
    match answers(world, store)? {
        Answers::Given { text, .. } if text == expected => {}
        Answers::Given { text, .. } => tally.failed(
            "after a full disk the answers differ from those of a fresh index",
            &difference(&expected, &text),
        ),
        Answers::Refused(ran) => tally.failed("no answer after a full disk", &ran.told()),
    }
    Ok(())
}

/// The disk is full after a good run: reading works, and what is said is not about writing unless something was to be written.
fn full_after(
    world: &World,
    disk: &Disk,
    store: &Path,
    n_files: usize,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    if !tally.wants("reading from a full disk") {
        return Ok(());
    }
    let expected = fresh(world)?;
    disk.fill();
    reads(world, store, &expected, "a full disk", tally)?;
    for _ in 0..10 {
        edit(&world.root, n_files, random)?;
    }
    for args in [
        &["--json", "search", "check_cart_0"][..],
        &["--json", "pack", "check the cart"],
    ] {
        let ran = world.run_in(store, args)?;
        if tally.saw(&ran) && !(ran.code == Some(0) && says_space(&ran)) {
            tally.failed(
                "after an edit, on a full disk: an answer and a warning that names the space",
                &ran.told(),
            );
        }
    }
    disk.empty();
    well_again(world, store, tally)
}

fn read_only(world: &World, disk: &Disk, store: &Path, tally: &mut Tally) -> Result<(), String> {
    if !tally.wants("reading from a read-only disk") {
        return Ok(());
    }
    let expected = fresh(world)?;
    disk.remount("ro")?;
    let done = reads(world, store, &expected, "a read-only disk", tally);
    let ran = world.run_in(store, &["--json", "rebuild", "--force"])?;
    if tally.saw(&ran) && ran.code != Some(3) {
        tally.failed(
            "a rebuild on a read-only disk does not fail as storage",
            &ran.told(),
        );
    }
    disk.remount("rw")?;
    done
}

/// Answers as ever, and the commands that only look.
fn reads(world: &World, store: &Path, expected: &str, disk: &str, tally: &mut Tally) -> Result<(), String> {
    match answers(world, store)? {
        Answers::Given { text, .. } if text == expected => {}
        Answers::Given { text, .. } => {
            tally.failed(&format!("{disk} changes answers"), &difference(expected, &text));
        }
        Answers::Refused(ran) => tally.failed(&format!("no answer from {disk}"), &ran.told()),
    }
    for args in [
        &["--json", "search", "check_cart_0"][..],
        &["--json", "pack", "check the cart"],
        &["--json", "symbol", "parse_price_1"],
        &["--json", "status"],
        &["--json", "stats"],
        &["--json", "jobs"],
        &["--json", "project-stats"],
    ] {
        let ran = world.run_in(store, args)?;
        if tally.saw(&ran) && (ran.code != Some(0) || ran.err.contains("writing")) {
            tally.failed(&format!("{disk}: only reading was asked for"), &ran.told());
        }
    }
    Ok(())
}

/// A limit on the size of a file, for everybody: what grows meets it as it would meet the end of a disk.
fn file_limit(world: &World, expected: &str, tally: &mut Tally) -> Result<(), String> {
    for blocks in [200, 20, 1_000] {
        if !tally.wants(&format!("files end at {} KB", blocks / 2)) {
            continue;
        }
        let store = world.home.join(format!("limited{blocks}"));
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let inner = world.command(&["--store", &store.display().to_string(), "--json", "index"]);
        let mut command = Command::new("bash");
        command
            .args(["-c", &script])
            .arg(inner.get_program())
            .args(inner.get_args());
        command.current_dir(&world.root).env_clear();
        for (name, value) in inner.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.stdin(Stdio::null());
        let ran = run_bounded(&mut command, world.bounds, &world.space)?;
        if tally.saw(&ran) {
            says_full(&ran, tally);
        }
        let ran = world.run_in(&store, &["--quiet", "index"])?;
        let same = matches!(answers(world, &store)?, Answers::Given { text, .. } if text == expected);
        if tally.saw(&ran) && !same {
            tally.failed(
                "without the limit it does not become as a fresh index",
                &ran.told(),
            );
        }
    }
    Ok(())
}

/// Standard output that takes nothing.
fn output_full(world: &World, tally: &mut Tally) -> Result<(), String> {
    for args in [
        &["search", "check_cart_0"][..],
        &["pack", "check the cart"],
        &["--json", "status"],
    ] {
        if !tally.wants(&format!("{args:?} > /dev/full")) {
            continue;
        }
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec \"$0\" \"$@\" > /dev/full"])
            .arg(&world.kitbag)
            .args(args)
            .current_dir(&world.root)
            .env("HOME", &world.home)
            .stdin(Stdio::null());
        let ran = run_bounded(&mut command, world.bounds, &world.space)?;
        if tally.saw(&ran) && (ran.code == Some(0) || !ran.err.contains("error:")) {
            tally.failed("output that was lost is not told", &ran.told());
        }
    }
    Ok(())
}

fn used_kb(place: &Path) -> usize {
    let output = Command::new("du").arg("-sk").arg(place).output();
    let text = output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    text.split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}
