//! `kitbag watch`: real processes, real signals, real files, the real clock (IDX-50).

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::crowd::command;
use crate::world::{SHOP, World};

/// Only a failure takes this long.
const LIMIT: Duration = Duration::from_secs(60);

/// A watcher and what it says, line by line.
struct Watcher {
    child: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(world: &World, args: &[&str]) -> Watcher {
        let is_json = args.contains(&"--json");
        let mut command = command(world, &[&["watch"], args].concat());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kitbag was built");
        let stdout = child.stdout.take().expect("it is piped");
        let stderr = child.stderr.take().expect("it is piped");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let read: Box<dyn std::io::Read> = if is_json {
                Box::new(stdout)
            } else {
                Box::new(stderr)
            };
            for line in BufReader::new(read).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Watcher { child, lines }
    }

    #[track_caller]
    fn line(&self) -> String {
        self.lines.recv_timeout(LIMIT).expect("a line comes")
    }

    /// The next object that says `event`; nothing else is lost on the way than updates.
    #[track_caller]
    fn event(&self, event: &str) -> Value {
        loop {
            let line = self.line();
            let value: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if value["event"] == event {
                return value;
            }
            assert_eq!(value["event"], "updated", "{line}");
        }
    }

    /// Waits for an update about `path`.
    #[track_caller]
    fn updated(&self, path: &str) {
        loop {
            let update = self.event("updated");
            if update["paths"]
                .as_array()
                .is_some_and(|paths| paths.iter().any(|named| named == path))
            {
                return;
            }
        }
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status()
            .expect("there is kill");
        assert!(status.success());
    }

    /// The exit code, once it ends.
    #[track_caller]
    fn ended(mut self) -> Option<i32> {
        let start = std::time::Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child of ours") {
                return status.code();
            }
            assert!(start.elapsed() < LIMIT, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn idx_50_every_update_is_a_line_and_a_signal_ends_it() {
    let world = World::new(SHOP);
    for signal in ["-TERM", "-INT"] {
        let watcher = Watcher::start(&world, &["--json"]);
        let first = watcher.event("watching");
        assert_eq!(first["files"], 6, "{first}");
        world
            .project
            .write("src/trip.rs", format!("fn fly_to_{}() {{}}\n", &signal[1..]));
        watcher.updated("src/trip.rs");
        let found = crate::crowd::run(&world, &["search", "--no-update", "--json", "fly_to"]);
        assert!(found.out.contains("src/trip.rs"), "{found:?}");
        world.project.remove("src/trip.rs");
        watcher.updated("src/trip.rs");
        watcher.signal(signal);
        assert_eq!(watcher.ended(), Some(0), "{signal}");
    }
}

#[test]
fn cli_3_people_get_sentences() {
    let world = World::new(SHOP);
    let watcher = Watcher::start(&world, &[]);
    let said = |line: String| line.replace(&world.project.root().display().to_string(), "[ROOT]");
    let first = loop {
        // A slow machine shows progress first.
        let line = said(watcher.line());
        if line.starts_with("watching") {
            break line;
        }
    };
    assert_eq!(
        first,
        "watching [ROOT]: 6 files, 6 added: .gitignore, README.md, shop/cart.py and 3 more"
    );
    world.project.write("README.md", "# Shop\n\nClosed.\n");
    assert_eq!(watcher.line(), "updated, 1 changed: README.md");
    std::fs::rename(world.project.root(), world.home.path("aside")).expect("it can be moved");
    assert_eq!(
        watcher.line(),
        "the project folder is gone; waiting for it to come back"
    );
    std::fs::rename(world.home.path("aside"), world.project.root()).expect("and back");
    assert_eq!(watcher.line(), "the project folder is back");
    watcher.signal("-TERM");
    assert_eq!(watcher.ended(), Some(0));
}

#[test]
fn idx_50_the_second_watcher_takes_over_from_a_killed_one() {
    let world = World::new(SHOP);
    let mut first = Watcher::start(&world, &["--json"]);
    first.event("watching");
    let second = Watcher::start(&world, &["--json"]);
    second.event("waiting");
    world.project.write("src/one.rs", "fn one() {}\n");
    first.updated("src/one.rs");
    // SIGKILL: no handler, no clean-up.
    first.child.kill().expect("it is ours to kill");
    first.child.wait().expect("it has ended");
    world.project.write("src/two.rs", "fn two() {}\n");
    let watching = second.event("watching");
    assert!(watching["files"].as_u64() >= Some(7), "{watching}");
    world.project.write("src/three.rs", "fn three() {}\n");
    second.updated("src/three.rs");
    second.signal("-TERM");
    assert_eq!(second.ended(), Some(0));
}

#[test]
fn idx_50_whoever_only_waits_can_be_stopped() {
    let world = World::new(SHOP);
    let first = Watcher::start(&world, &["--json"]);
    first.event("watching");
    let second = Watcher::start(&world, &["--json"]);
    second.event("waiting");
    second.signal("-TERM");
    assert_eq!(second.ended(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn idx_50_an_idle_watcher_takes_no_time() {
    let world = World::new(SHOP);
    let watcher = Watcher::start(&world, &["--json"]);
    watcher.event("watching");
    world.project.write("src/one.rs", "fn one() {}\n");
    watcher.updated("src/one.rs");
    // In user and in kernel mode, in ticks of 10 ms: fields 14 and 15 of the line, which begin after the name's bracket.
    let ticks = || -> u64 {
        let path = format!("/proc/{}/stat", watcher.child.id());
        let stat = std::fs::read_to_string(path).expect("it is alive");
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        fields[11..=12]
            .iter()
            .map(|field| field.parse::<u64>().expect("a number"))
            .sum()
    };
    // The run that told us may still be tidying up.
    let mut before = ticks();
    for _ in 0..50 {
        std::thread::sleep(Duration::from_millis(200));
        let now = ticks();
        if now == before {
            break;
        }
        before = now;
    }
    std::thread::sleep(Duration::from_secs(3));
    let after = ticks();
    assert!(
        after <= before + 2,
        "{} ticks in three idle seconds",
        after - before
    );
}

#[test]
fn cli_3_a_reader_that_left_ends_it() {
    let world = World::new(SHOP);
    let mut child = command(&world, &["watch", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("kitbag was built");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    out.read_line(&mut line).expect("a line");
    drop(out);
    world.project.write("src/one.rs", "fn one() {}\n");
    let (_keep, lines) = channel();
    assert_eq!(Watcher { child, lines }.ended(), Some(0));
}

#[test]
fn cfg_1_watching_can_be_switched_off() {
    let world = World::new(SHOP);
    world.project.write("kitbag.toml", "[watcher]\nenabled = false\n");
    world.run(["watch"]).check_error(
        2,
        "error: watching is switched off: watcher.enabled is false\n\
         hint: `kitbag config show` says where that comes from\n",
    );
}
