//! The list of steps takes its commands from the README and ends with what a newcomer does first; a failing step fails.

use std::path::Path;

use super::{Place, Step, perform, steps};
use crate::readme::Commands;

#[test]
fn the_readme_commands_are_the_ones_that_run() {
    let list = steps(&Commands {
        show: "cargo run -- search x",
        test: "cargo test",
    });
    let by_name = |name: &str| list.iter().find(|step| step.name == name).expect(name);
    assert_eq!(by_name("test").command, "cargo test");
    assert_eq!(by_name("test").variables, [("KITBAG_SLOW", "1")]);
    assert_eq!(
        list.last().map(|step| step.command.as_str()),
        Some("cargo run -- search x")
    );
    // Slow tests fail without the weights, so they come first.
    let place = |name: &str| list.iter().position(|step| step.name == name);
    assert!(place("weights").is_some() && place("weights") < place("test"));
    // Clients drive the debug build that the tests leave, wherever it is.
    assert!(place("test") < place("clients") && place("clients").is_some());
    assert!(
        by_name("clients")
            .command
            .ends_with("${CARGO_TARGET_DIR:-target}/debug/kitbag\"")
    );
    // And is tortured when well-behaved clients are content with it.
    assert!(place("clients") < place("torture"));
    assert!(by_name("torture").command.contains("torture --short"));
    assert!(by_name("clippy").command.ends_with("-D warnings"));
    assert_eq!(
        by_name("doc").variables,
        [("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links")]
    );
}

#[test]
fn a_failing_step_is_an_error_that_names_it() {
    let step = |command: &str| Step {
        name: "sample",
        command: command.to_owned(),
        variables: &[("SAMPLE", "yes")],
        place: Place::Root,
    };
    assert_eq!(perform(&step("test \"$SAMPLE\" = yes"), Path::new(".")), Ok(()));
    let message = perform(&step("exit 3"), Path::new(".")).expect_err("fails");
    assert!(
        message.starts_with("sample failed (") && message.ends_with("exit 3"),
        "{message}"
    );
}
