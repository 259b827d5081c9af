//! Fuzzing (SEC-6): many generated inputs for one parser of foreign input, from a seed, so that each run can be repeated.
//!
//! A target is a test that calls [`fuzz`] with real inputs, words of its format and a check that panics when something is wrong.
//! Tests because they reach what is private, and because a short run of each is then part of `cargo test`. `cargo xtask fuzz`
//! runs them for longer; it says so by variables (`KITBAG_FUZZ_*`). cargo-fuzz would need a nightly compiler and
//! would see the public surface only.
//!
//! A long run writes down each input before it is tried, so that one that ends the process is known, and it also measures:
//! the slowest inputs are made longer, and the time must not grow by the square of the length.

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{Seek as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::random::Random;

/// Inputs of a run that is part of `cargo test`, where a target does not say otherwise.
const N_SHORT: u64 = 300;
/// Of an input, in bytes; one in twenty is ten times as long.
const MOST_BYTES: usize = 2_000;
/// How many of the slowest inputs are looked at again.
const N_SLOWEST: usize = 5;
/// Their length when they are measured, in bytes, and again when it is doubled.
const MEASURED_BYTES: usize = 256 << 10;
/// What takes less is not judged: it does no harm, and the clock is not that exact.
const LEAST_TIME: Duration = Duration::from_millis(500);
/// Twice the text may take this many times as long. Linear work takes 2, work by the square 4.
const MOST_GROWTH: f64 = 3.2;
/// Memory that a measured input may take, in bytes for each of its own.
const MOST_MEMORY_RATIO: u64 = 4_000;

/// What inputs are made of.
pub struct Material {
    /// Inputs as they should be.
    samples: Vec<Vec<u8>>,
    /// Words and signs of the format.
    words: Vec<Vec<u8>>,
    /// Inputs of a run that is part of `cargo test`.
    n_short: u64,
}

impl Material {
    pub fn new(samples: &[impl AsRef<[u8]>], words: &[impl AsRef<[u8]>]) -> Self {
        let words = words.iter().map(|word| word.as_ref().to_vec());
        Self {
            samples: samples.iter().map(|sample| sample.as_ref().to_vec()).collect(),
            words: words
                .chain(ODD.iter().map(|word| word.as_bytes().to_vec()))
                .collect(),
            n_short: N_SHORT,
        }
    }

    /// For a target with many materials, or one that is slow.
    pub fn with_short_runs(self, n_short: u64) -> Self {
        Self { n_short, ..self }
    }
}

/// Words that are odd in any format.
const ODD: &[&str] = &[
    "0",
    "-1",
    "a",
    "é",
    "漢",
    "🦀",
    "\u{feff}",
    "\u{202e}",
    "\0",
    "\r\n",
    "\n",
    "\\",
    "\"",
    "'",
    "(",
    "{",
    "[",
    "18446744073709551616",
    "1e999",
    "..",
    "/",
    "\u{1b}[31m",
    "%",
    "\u{301}",
];

/// How long, and from which seed. Without variables it is a short run that measures nothing.
struct FuzzRun {
    seed: u64,
    n_runs: u64,
    most_time: Option<Duration>,
    is_long: bool,
}

impl FuzzRun {
    fn from_variables(n_short: u64) -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|word| word.parse::<u64>().ok());
        let (runs, seconds) = (number("KITBAG_FUZZ_RUNS"), number("KITBAG_FUZZ_SECONDS"));
        let is_long = runs.is_some() || seconds.is_some();
        Self {
            seed: number("KITBAG_FUZZ_SEED").unwrap_or(1),
            n_runs: runs.unwrap_or(if seconds.is_some() { u64::MAX } else { n_short }),
            most_time: seconds.map(Duration::from_secs),
            is_long,
        }
    }
}

/// Tries `check` on inputs made of `material`. An input that makes it panic is saved, and the panic goes on.
pub fn fuzz(target: &str, material: &Material, check: impl Fn(&[u8])) {
    run(
        target,
        material,
        &FuzzRun::from_variables(material.n_short),
        &folder(),
        &check,
    );
}

fn run(target: &str, material: &Material, course: &FuzzRun, folder: &Path, check: &dyn Fn(&[u8])) {
    let start = Instant::now();
    let mut slowest: Vec<(Duration, Vec<u8>)> = Vec::new();
    let mut n_runs = 0;
    let current_path = folder.join(format!("{}.current", file_name(target)));
    let mut current = course.is_long.then(|| {
        fs::create_dir_all(folder).expect("a folder for inputs can be made");
        fs::File::create(&current_path).expect("an input can be saved")
    });
    while n_runs < course.n_runs && course.most_time.is_none_or(|most| start.elapsed() < most) {
        let mut random = Random::new(course.seed.wrapping_mul(0x1000_0000_01B3).wrapping_add(n_runs));
        let input = input(&mut random, material);
        if let Some(current) = &mut current {
            note(current, &input);
        }
        let before = processor_time();
        attempt(target, folder, check, &input);
        n_runs += 1;
        if course.is_long {
            let took = processor_time() - before;
            if slowest.len() < N_SLOWEST || slowest.iter().any(|(time, _)| took > *time) {
                slowest.push((took, input));
                slowest.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
                slowest.truncate(N_SLOWEST);
            }
        }
    }
    if course.is_long {
        let growth = judge(target, folder, check, &slowest, current.as_mut());
        let _ = fs::remove_file(&current_path);
        let (took, n_bytes) = slowest
            .first()
            .map_or((Duration::ZERO, 0), |(time, input)| (*time, input.len()));
        tell(&format!(
            "fuzz: {target}: {n_runs} runs in {} s, the slowest {:.1} ms for {n_bytes} bytes, {growth}",
            start.elapsed().as_secs(),
            took.as_secs_f64() * 1e3,
        ));
    }
}

/// Where inputs are saved that fail.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz")
}

/// Overwrites what is in the file. A new file for each input would make the system write it to the disk.
fn note(current: &mut fs::File, input: &[u8]) {
    let noted = current
        .rewind()
        .and_then(|()| current.write_all(input))
        .and_then(|()| current.set_len(input.len() as u64));
    noted.expect("an input can be saved");
}

/// A target may be one of several: `languages/rust`.
fn file_name(target: &str) -> String {
    target.replace('/', "-")
}

fn save(folder: &Path, name: &str, input: &[u8]) -> PathBuf {
    let path = folder.join(file_name(name));
    fs::create_dir_all(folder).expect("a folder for inputs can be made");
    fs::write(&path, input).expect("an input can be saved");
    path
}

fn attempt(target: &str, folder: &Path, check: &dyn Fn(&[u8]), input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(input))) {
        let path = save(folder, &format!("{target}.failed"), input);
        tell(&format!(
            "fuzz: {target}: failed on {}: {:?}",
            path.display(),
            String::from_utf8_lossy(&input[..input.len().min(400)]),
        ));
        resume_unwind(panic);
    }
}

#[expect(clippy::print_stderr, reason = "for the person who runs it")]
fn tell(message: &str) {
    eprintln!("{message}");
}

/// Makes the slowest inputs long and longer, by repeating them. Says by how much the time grew at most.
fn judge(
    target: &str,
    folder: &Path,
    check: &dyn Fn(&[u8]),
    slowest: &[(Duration, Vec<u8>)],
    mut current: Option<&mut fs::File>,
) -> String {
    let time = |input: &[u8]| {
        let once = |_| {
            let start = processor_time();
            attempt(target, folder, check, input);
            processor_time() - start
        };
        (0..3).map(once).min().unwrap_or_default()
    };
    let mut most: f64 = 0.0;
    for (_, input) in slowest.iter().filter(|(_, input)| !input.is_empty()) {
        let once = input.repeat(MEASURED_BYTES.div_ceil(input.len()));
        let twice = once.repeat(2);
        if let Some(current) = &mut current {
            note(current, &twice);
        }
        let memory = memory_peak(|| attempt(target, folder, check, &twice));
        if memory.is_some_and(|bytes| bytes > MOST_MEMORY_RATIO * twice.len() as u64) {
            let path = save(folder, &format!("{target}.memory"), input);
            panic!("{target}: too much memory for the repeated {}", path.display());
        }
        let (short, long) = (time(&once), time(&twice));
        if long < LEAST_TIME {
            continue;
        }
        let growth = long.as_secs_f64() / short.as_secs_f64().max(1e-9);
        most = most.max(growth);
        if growth > MOST_GROWTH {
            let path = save(folder, &format!("{target}.slow"), input);
            panic!(
                "{target}: {long:?} for {} bytes, {short:?} for half of it: the repeated {}",
                twice.len(),
                path.display()
            );
        }
    }
    match most {
        0.0 => "too fast to measure its growth".to_owned(),
        growth => format!("twice the length takes {growth:.1} times as long"),
    }
}

/// Time on the processor of this thread, so that a busy machine does not spoil the figures; of the clock where the system does not tell
/// (only Linux does).
pub fn processor_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => START.get_or_init(Instant::now).elapsed(),
    }
}

/// By how many bytes the process grew at most while `work` ran; `None` where the system does not tell (only Linux does).
fn memory_peak(work: impl FnOnce()) -> Option<u64> {
    let kilobytes = |name: &str| -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    // Resets the peak.
    let reset = fs::write("/proc/self/clear_refs", "5");
    let before = kilobytes("VmRSS:");
    work();
    reset.ok()?;
    Some(kilobytes("VmHWM:")?.saturating_sub(before?) << 10)
}

fn input(random: &mut Random, material: &Material) -> Vec<u8> {
    let most = match random.below(20) {
        0 => 10 * MOST_BYTES,
        _ => MOST_BYTES,
    };
    let mut input = match random.below(10) {
        0..5 if !material.samples.is_empty() => sample(random, material, most),
        0..8 => soup(random, material, most),
        8 => repeats(random, material, most),
        _ => (0..random.below(most)).map(|_| random.next_u64() as u8).collect(),
    };
    if random.chance(60) {
        for _ in 0..1 + random.below(8) {
            edit(random, material, &mut input);
        }
    }
    input.truncate(most);
    input
}

/// A stretch of a sample, which may be all of it.
fn sample(random: &mut Random, material: &Material, most: usize) -> Vec<u8> {
    let sample = random.pick(&material.samples);
    if sample.len() <= most && random.chance(70) {
        return sample;
    }
    let start = random.below(sample.len().max(1));
    let end = (start + 1 + random.below(most)).min(sample.len());
    sample[start..end].to_vec()
}

fn soup(random: &mut Random, material: &Material, most: usize) -> Vec<u8> {
    let length = random.below(most);
    let between = random.pick(&["", "", " ", "\n", "\t", ","]);
    let mut soup = Vec::new();
    while soup.len() < length {
        soup.extend(word(random, material));
        soup.extend(between.as_bytes());
        if random.chance(8) {
            soup.push(b'\n');
        }
    }
    soup
}

/// One to three words over and over.
fn repeats(random: &mut Random, material: &Material, most: usize) -> Vec<u8> {
    let unit: Vec<u8> = (0..1 + random.below(3))
        .flat_map(|_| word(random, material))
        .collect();
    unit.repeat(random.below(most) / unit.len().max(1) + 1)
}

fn word(random: &mut Random, material: &Material) -> Vec<u8> {
    match random.below(12) {
        0 => vec![random.next_u64() as u8],
        _ => random.pick(&material.words),
    }
}

fn edit(random: &mut Random, material: &Material, input: &mut Vec<u8>) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(40)).min(input.len());
    match random.below(6) {
        0 => drop(input.drain(at..end)),
        1 => {
            let word = word(random, material);
            drop(input.splice(at..end, word));
        }
        2 => {
            let word = word(random, material);
            drop(input.splice(at..at, word));
        }
        3 => {
            let part = input[at..end].repeat(1 + random.below(20));
            drop(input.splice(at..at, part));
        }
        4 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        _ => input.truncate(at),
    }
}
