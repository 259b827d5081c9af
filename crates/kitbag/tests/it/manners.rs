//! CLI-3: help, exit codes, broken pipes, errors as JSON, completions.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::world::{SHOP, World};

const VERBS: &[&str] = &[
    "pack",
    "explain",
    "verify",
    "cite",
    "index",
    "search",
    "symbol",
    "packages",
    "constraints",
    "key-files",
    "check-docs",
    "entry-points",
    "data-access",
    "status",
    "languages",
    "tokens",
    "check-file",
    "list-indexable",
    "project-stats",
    "validate-config",
    "config",
    "completions",
];

#[test]
fn cli_3_every_verb_has_help_with_examples() {
    let world = World::without_git("//- a.txt\nx\n");
    for verb in VERBS {
        let ran = world.run([*verb, "--help"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{verb}");
        let examples = ran.out.split("Examples:").nth(1).unwrap_or_default();
        let n_examples = examples
            .lines()
            .filter(|line| line.contains(&format!("kitbag {verb}")) || line.contains(verb))
            .count();
        assert!(n_examples >= 2, "{verb}: {}", ran.out);
    }
}

#[test]
fn cli_3_help_names_every_verb_and_the_exit_codes() {
    let world = World::without_git("//- a.txt\nx\n");
    let alone = world.run([""; 0]);
    let help = world.run(["--help"]);
    for ran in [&alone, &help] {
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        for verb in VERBS {
            assert!(
                ran.out.lines().any(|line| line.trim_start().starts_with(verb)),
                "{verb}: {}",
                ran.out
            );
        }
        assert!(ran.out.contains("Exit codes:\n  0  fine\n"));
    }
    world
        .run(["--version"])
        .check(0, &format!("kitbag {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn cli_3_wrong_use_exits_2_for_people_and_for_programs() {
    let world = World::without_git("//- a.txt\nx\n");
    let cases: &[&[&str]] = &[
        &["serch"],
        &["search"],
        &["search", "x", "--tpo", "3"],
        &["completions", "tcsh"],
        &["index", "-q", "-v"],
    ];
    for args in cases {
        let ran = world.run(*args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
        let (code, reply) = world.json(args);
        assert_eq!(
            (code, &reply["error"]["code"]),
            (Some(2), &json!("INVALID_ARGUMENTS")),
            "{args:?}"
        );
    }
    assert!(
        world.run(["serch"]).err.contains("'search'"),
        "the nearest is named"
    );
}

#[test]
fn cli_3_a_reader_who_has_seen_enough_is_no_error() {
    let world = World::new(SHOP);
    // More than a pipe holds, so that the writer meets the closed end.
    for n in 0..3_000 {
        world.project.write(format!("many/{:0>60}.txt", n), "x\n");
    }
    let mut child = world
        .command(["list-indexable"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, ".gitignore\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn cli_3_output_that_cannot_be_written_is_trouble() {
    let world = World::new(SHOP);
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has /dev/full");
    let ran = world.ran(&world.command(["list-indexable"]).stdout(full).output().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.starts_with("error: standard output cannot be written: "),
        "{ran:?}"
    );
}

#[test]
fn cli_3_json_is_one_line_in_a_pipe() {
    let world = World::new(SHOP);
    for args in [
        &["index"][..],
        &["search", "password"],
        &["status"],
        &["languages"],
        &["check-file", "../x"],
    ] {
        let ran = world.run([&["--json"], args].concat());
        assert_eq!(ran.out.matches('\n').count(), 1, "{ran:?}");
        assert!(ran.out.ends_with('\n') && ran.err.is_empty(), "{ran:?}");
    }
}

#[test]
fn cli_3_verbose_says_where_and_quiet_says_nothing() {
    let world = World::new(SHOP);
    let ran = world.run(["search", "password", "--verbose"]);
    assert!(
        ran.err
            .starts_with("root: [ROOT]\nstore: [ROOT]/.git/kitbag\ntook: "),
        "{ran:?}"
    );
    let ran = world.run(["tokens", "--text", "x", "-q"]);
    assert_eq!(ran.err, "");
}

#[test]
fn cli_2_completions_are_scripts_their_shells_accept() {
    let world = World::without_git("//- a.txt\nx\n");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = world.run(["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        for verb in VERBS {
            assert!(ran.out.contains(verb), "{shell} completes {verb}");
        }
        world.project.write(shell, &ran.out);
        // Only the shells that are installed can be asked.
        if let Ok(output) = Command::new(shell)
            .arg("-n")
            .arg(world.project.path(shell))
            .output()
        {
            assert!(
                output.status.success(),
                "{shell}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

#[test]
fn cli_3_a_folder_that_is_gone_is_told_so() {
    let world = World::new(SHOP);
    world.project.mkdir("gone");
    let gone = world.project.path("gone");
    let script = format!(
        "rmdir '{}' && exec '{}' status",
        gone.display(),
        env!("CARGO_BIN_EXE_kitbag")
    );
    let output = Command::new("sh")
        .arg("-c")
        .arg(script)
        .current_dir(&gone)
        .output()
        .unwrap();
    let ran = world.ran(&output);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.starts_with("error: the current folder cannot be used: "),
        "{ran:?}"
    );
}

#[test]
fn cli_3_the_document_names_every_verb_and_flag() {
    let document = include_str!("../../../../docs/cli.md");
    let world = World::without_git("//- a.txt\nx\n");
    for verb in VERBS.iter().chain(&["config init"]) {
        assert!(document.contains(verb), "{verb}");
        let args = verb.split(' ').chain(["--help"]);
        let help = world.run(args).out;
        let flags = help
            .split_whitespace()
            .filter(|word| word.starts_with("--") && *word != "--help");
        for flag in flags {
            let flag = flag.trim_end_matches(|c: char| !c.is_ascii_lowercase());
            assert!(document.contains(flag), "{verb} {flag}");
        }
    }
}
