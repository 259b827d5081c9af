//! The hostile corpus (`kitbag_testkit::hostile`) and token soups of every language, up to five megabytes each: every command of
//! the command line runs on them within its bounds (IDX-15, SEC-4), `honest.rs` is found all the same, nothing that a repository
//! names is started, and nothing is written outside.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use kitbag_testkit::hostile::{self, HONEST, Hostile};
use serde_json::Value;

use super::process::Bounds;
use super::tally::Tally;
use super::world::{NOBODY, Setup, World, is_root, remove};

/// Of a large file; the documented limit of a file that is parsed.
const LARGE: usize = 5 << 20;
const SMALL: usize = 40 << 10;
/// No file takes more than this to index (issue 12), and an index run as such has its own cost.
const MOST_CPU: Duration = Duration::from_secs(2);

/// The commands that look at a project. `FILE` is a file of it.
const COMMANDS: &[&[&str]] = &[
    &["index"],
    &["search", HONEST],
    &["status"],
    &["pack", HONEST, "--budget", "2000"],
    &["pack", "what is here", "--diff"],
    &[
        "pack",
        "x",
        "--open",
        "FILE",
        "--ref",
        "FILE:1-3",
        "--tool-result",
        "FILE",
    ],
    &["symbol", HONEST],
    &["explain"],
    &["verify"],
    &["check-file", "FILE"],
    &["tokens", "FILE"],
    &["refresh", "FILE"],
    &["list-indexable"],
    &["list-indexable", "--skipped"],
    &["project-stats"],
    &["doctor"],
    &["stats"],
    &["jobs"],
    &["config", "show"],
    &["validate-config"],
    &["validate-config", "FILE"],
    &["eval", "--from-history", "2"],
    &["rebuild", "--force"],
];

/// What one try writes.
enum What {
    Corpus(Hostile),
    /// A source file of a language, and how large its soup is.
    Soup(PathBuf, usize),
    /// Files that change while they are read.
    Changing,
}

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let bytes = if setup.short { SMALL } else { LARGE };
    let mut tries: Vec<(String, What)> = hostile::corpus()
        .into_iter()
        .map(|one| (one.name.to_owned(), What::Corpus(one)))
        .collect();
    for fixture in fixtures(&setup.fixtures)? {
        let name = fixture
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for (size, told) in [(40 << 10, "40 KB"), (1 << 20, "1 MB"), (LARGE, "5 MB")] {
            if size <= bytes {
                tries.push((
                    format!("soup of {name}, {told}"),
                    What::Soup(fixture.clone(), size),
                ));
            }
        }
    }
    tries.push(("files that change".to_owned(), What::Changing));
    let mut random = setup.random();
    for last in (1..tries.len()).rev() {
        tries.swap(last, random.below(last + 1));
    }
    for (name, what) in &tries {
        if tally.wants(name) {
            try_one(setup, what, bytes, tally)?;
        }
    }
    Ok(())
}

fn try_one(setup: &Setup, what: &What, bytes: usize, tally: &mut Tally) -> Result<(), String> {
    let mut world = setup.world("files")?;
    world.bounds = Bounds {
        cpu: (MOST_CPU + Duration::from_secs(1)) * setup.factor,
        ..setup.bounds
    };
    let nothing = Hostile {
        name: "",
        write: |_| {},
        is_refused: false,
    };
    match what {
        What::Corpus(one) => hostile::make(one, &world.root, bytes, setup.seed),
        What::Soup(fixture, size) => {
            hostile::make(&nothing, &world.root, bytes, setup.seed);
            let sample = std::fs::read_to_string(fixture)
                .map_err(|error| format!("{}: {error}", fixture.display()))?;
            let soup = hostile::soup(&sample, *size, &mut setup.random());
            let name = fixture.file_name().unwrap_or_default();
            std::fs::write(world.root.join(name), soup).map_err(|error| format!("{name:?}: {error}"))?;
        }
        What::Changing => hostile::make(&nothing, &world.root, bytes, setup.seed),
    }
    let is_refused = matches!(what, What::Corpus(one) if one.is_refused);
    // Without rights, as most people are: root may open what nobody else may.
    if is_root() {
        let done = Command::new("chown")
            .args(["-R", "--no-dereference", &NOBODY.to_string()])
            .args([&world.root, &world.home])
            .status();
        world.as_nobody = done.is_ok_and(|status| status.success());
    }
    let mut writer = match what {
        What::Changing => Some(changing(&world)?),
        _ => None,
    };
    let file = victim(&world.root);
    // A short run takes the first two and one of the others in turn.
    let turn = 2 + tally.n_tries % (COMMANDS.len() - 2);
    for (number, args) in COMMANDS.iter().enumerate() {
        if setup.short && number >= 2 && number != turn {
            continue;
        }
        let args: Vec<String> = args.iter().map(|word| word.replace("FILE", &file)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = world.run(&[&["--json"], args.as_slice()].concat())?;
        if !tally.saw(&ran) {
            continue;
        }
        let wanted = match args.first() {
            _ if is_refused => matches!(ran.code, Some(0..=3)),
            Some(&"index" | &"rebuild") => ran.code == Some(0),
            Some(&"search" | &"symbol") => ran.code == Some(0) && ran.out.contains("honest.rs"),
            _ => matches!(ran.code, Some(0..=3)),
        };
        if !wanted {
            tally.failed(&format!("{args:?} does not do its work beside it"), &ran.told());
        }
        if serde_json::from_str::<Value>(&ran.out).is_err() {
            tally.failed(&format!("{args:?} --json does not answer in JSON"), &ran.told());
        }
        let control = |sign: char| sign.is_control() && !matches!(sign, '\n' | '\t' | '\r');
        if ran.err.contains(control) {
            tally.failed(
                &format!("{args:?} writes control characters to a terminal"),
                &ran.told(),
            );
        }
    }
    if let Some(writer) = &mut writer {
        let _ = writer.kill();
        let _ = writer.wait();
    }
    if world.root.join("started").exists() {
        tally.failed("a program that the repository names was started", "");
    }
    remove(&world.root)
}

/// The largest file, which is what a command is asked about; else the honest one.
fn victim(root: &Path) -> String {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut files: Vec<(u64, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let kind = entry.metadata().ok()?;
            let size = if kind.is_dir() { 0 } else { kind.len() };
            (!name.starts_with('-') && name != ".git").then_some((size, name))
        })
        .collect();
    files.sort();
    files
        .pop()
        .map_or_else(|| "honest.rs".to_owned(), |(_, name)| name)
}

/// A process that rewrites, cuts and moves files until it is killed.
fn changing(world: &World) -> Result<std::process::Child, String> {
    let script = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); \
        echo \"pub fn grows_$i() {}\" >> grows.rs; : > cut.rs; echo \"pub fn cut_$i() {}\" > cut.rs; \
        echo \"pub fn moved_$i() {}\" > moved.tmp; mv moved.tmp moved.rs; rm -f gone.rs; echo x > gone.rs; \
        [ -d becomes.rs ] && rmdir becomes.rs || mkdir becomes.rs; done";
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .current_dir(&world.root)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if world.as_nobody {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.spawn().map_err(|error| format!("sh: {error}"))
}

fn fixtures(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    Ok(files)
}
