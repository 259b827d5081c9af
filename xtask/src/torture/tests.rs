//! The chore itself: what it is told, what it sees of a process, and that a failure is one.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::process::{Bounds, run as run_bounded};
use super::tally::{Tally, table};
use super::{Options, options, project};

fn bounds() -> Bounds {
    Bounds {
        wall: Duration::from_secs(30),
        cpu: Duration::from_secs(30),
        memory_kb: 1 << 20,
    }
}

fn shell(script: &str, bounds: Bounds) -> super::process::Ran {
    let space = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::null());
    run_bounded(&mut command, bounds, space.path()).unwrap()
}

#[test]
fn arguments_are_read() {
    let read = options(&[
        "--short",
        "--only",
        "damages:journal",
        "--seed",
        "7",
        "--minutes",
        "2",
    ])
    .unwrap();
    let expected = Options {
        short: true,
        only: Some(("damages".into(), "journal".into())),
        seed: 7,
        kitbag: None,
        minutes: 2,
    };
    assert_eq!(read, expected);
    let message = options(&["--only", "wars"]).unwrap_err();
    assert!(message.contains("expected one of files, kills"), "{message}");
    assert!(options(&["--seed", "x"]).unwrap_err().contains("whole number"));
    assert!(options(&["--loud"]).is_err());
}

#[test]
fn what_passes_a_bound_is_ended_and_said() {
    let hangs = shell(
        "exec sleep 1000",
        Bounds {
            wall: Duration::from_millis(100),
            ..bounds()
        },
    );
    assert_eq!(hangs.over, Some("time by the clock"));
    let burns = shell(
        "while :; do :; done",
        Bounds {
            cpu: Duration::from_millis(100),
            ..bounds()
        },
    );
    assert_eq!(burns.over, Some("processor time"));
    let grows = shell(
        "a=aaaaaaaaaaaaaaaa; while :; do a=$a$a; done",
        Bounds {
            memory_kb: 20 << 10,
            ..bounds()
        },
    );
    assert_eq!(grows.over, Some("memory"));
    assert!(grows.trouble().is_some() && grows.used.peak_kb > 20 << 10);
    let well = shell("echo out; echo err >&2; exit 3", bounds());
    assert_eq!((well.code, well.over, well.trouble()), (Some(3), None, None));
    assert_eq!((well.out.as_str(), well.err.as_str()), ("out\n", "err\n"));
    assert!(
        shell("kill -SEGV $$", bounds())
            .trouble()
            .unwrap()
            .contains("signal 11")
    );
    assert!(shell("exit 101", bounds()).trouble().is_some());
}

#[test]
fn failures_are_counted_kept_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut tally = Tally::new(
        "sample",
        "good",
        Duration::from_secs(60),
        folder.path().join("sample"),
    );
    assert!(tally.wants("a good try") && !tally.wants("a bad try"));
    tally.failed("it broke", "in two");
    let kept = std::fs::read_to_string(folder.path().join("sample/001.txt")).unwrap();
    assert!(kept.contains("a good try") && kept.contains("it broke") && kept.contains("in two"));
    let told = table(&[tally]);
    assert!(told.contains("| sample | 1 | 1 | 0 MB |"), "{told}");
    let mut over = Tally::new("sample", "", Duration::ZERO, folder.path().join("sample"));
    // Something is always tried.
    assert!(over.wants("one") && over.wants("two") && !over.wants("three"));
    assert!(table(&[over]).contains("no time for 1 more tries"));
}

#[test]
fn the_same_seed_makes_the_same_repository() {
    let [one, two] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let heads: Vec<String> = [&one, &two]
        .iter()
        .map(|folder| {
            project::generate(folder.path(), 5, 40).unwrap();
            kitbag_testkit::git(folder.path(), &["rev-parse", "main", "other"])
        })
        .collect();
    assert_eq!(heads[0], heads[1]);
}
