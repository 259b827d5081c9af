//! SEC-3 and colour: what is in a repository never steers the terminal of the person who searches it.

use crate::world::{SHOP, World};

const NAME: &str = "src/ev\x1b[2Jil\u{202e}.rs";

fn nasty() -> World {
    let world = World::new(SHOP);
    world.project.write(
        NAME,
        "/// Opens\x1b]0;owned\x07 the \u{9b}31mvault\u{202e}.\nfn open_vault() {\n\tvault(\"\x1b[31m\u{2066}\");\r\n}\n",
    );
    world
        .project
        .write("src/new\nline.rs", "fn new_line_vault() {}\n");
    world
}

/// No control character but the line break, and a tab where source is shown; no bidirectional controls.
fn is_safe(text: &str) -> bool {
    text.chars().all(|c| {
        c == '\n'
            || c == '\t'
            || !(c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    })
}

#[test]
fn sec_3_names_and_contents_reach_no_stream_raw() {
    let world = nasty();
    let commands: &[&[&str]] = &[
        &["index"],
        &["search", "vault", "--explain"],
        &["search", "vault", "--json"],
        &["pack", "open the vault", "--explain", "--stats"],
        &["pack", "open \x1b[2J vault", "--preview"],
        &["pack", "vault", "--json"],
        &["pack", "vault", "--format", "xml", "--open", "\x1b[2J"],
        &[
            "pack",
            "vault",
            "--ref",
            "\x1b[2J",
            "--tool-result",
            "\x1b[2J/\u{202e}",
        ],
        &["explain"],
        &["explain", "open_vault"],
        &["explain", "\x1b[2J"],
        &["verify"],
        &["verify", "\x1b[2J"],
        &["cite", NAME],
        &["symbol", "open_vault"],
        &["symbol", "open_vaul"],
        &["symbol", "open_vault", "--json"],
        &["status"],
        &["list-indexable"],
        &["list-indexable", "--skipped"],
        &["list-indexable", "--json"],
        &["project-stats"],
        &["check-file", NAME],
        &["check-file", "no\x1b[2Jthing"],
        &["search", "x", "--lang", "\x1b[2J"],
        &["search", "\x1b[2J", "--verbose"],
        &["tokens", "\x1b[2J"],
        &["validate-config", "\x1b[2J"],
        &["--root", "\x1b[2J", "status"],
        &["--nonsense\x1b[2J"],
    ];
    for args in commands {
        let ran = world.run(*args);
        assert!(is_safe(&ran.out) && is_safe(&ran.err), "{args:?}: {ran:?}");
    }
    let ran = world.run(["search", "open_vault", "--top", "1"]);
    assert!(
        ran.out
            .starts_with("src/ev\\u{1b}[2Jil\\u{202e}.rs:1-4  open_vault  1.000  "),
        "{ran:?}"
    );
    let listed = world.run(["list-indexable"]).out;
    assert!(
        listed.contains("src/new\\nline.rs\n"),
        "a line is a file: {listed}"
    );
}

#[test]
fn sec_3_json_carries_the_true_name() {
    let world = nasty();
    let (_, reply) = world.json(&["search", "open_vault", "--top", "1"]);
    assert_eq!(reply["results"][0]["path"], NAME);
    assert!(
        reply["results"][0]["text"]
            .as_str()
            .unwrap()
            .contains("\x1b]0;owned\x07")
    );
}

#[test]
fn cli_3_no_colour_in_a_pipe_unless_asked() {
    let world = World::new(SHOP);
    let plain = world.run(["search", "password"]).out;
    assert!(!plain.contains('\x1b'));
    let coloured = world.run(["search", "password", "--color", "always"]).out;
    assert!(coloured.contains("\x1b[1;33mpassword\x1b[0m"), "{coloured:?}");
    assert_eq!(without_colour(&coloured), plain, "colour is only an addition");
    assert_eq!(world.run(["search", "password", "--color=never"]).out, plain);
    assert!(!world.run(["--help"]).out.contains('\x1b'));
}

fn without_colour(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        out.push_str(before);
        rest = after.split_once('m').expect("a colour ends in m").1;
    }
    out + rest
}

#[test]
fn cli_3_no_color_is_obeyed_and_a_flag_outranks_it() {
    let world = World::new(SHOP);
    let run = |args: &[&str]| {
        let mut command = world.command(args);
        world.ran(&command.env("NO_COLOR", "1").output().unwrap()).out
    };
    assert!(!run(&["search", "password"]).contains('\x1b'));
    assert!(run(&["search", "password", "--color", "always"]).contains('\x1b'));
}
