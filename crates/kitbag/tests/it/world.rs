//! A project, a home folder and a way to run `kitbag` in them.

use std::ffi::OsStr;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use kitbag_testkit::TempTree;
use serde_json::Value;

/// Later than any file the tests write, so that no time stamp is too fresh to believe.
pub(crate) const NOW: i64 = 4_000_000_000_000;

/// A small shop in two languages.
pub(crate) const SHOP: &str = "\
//- src/auth.rs
//! Who may come in.

/// Checks a password against its stored hash.
pub fn verify_password(given: &str, stored: &str) -> bool {
    hash_password(given) == stored
}

fn hash_password(text: &str) -> String {
    text.chars().rev().collect()
}
//- src/main.rs
mod auth;

fn main() {
    if auth::verify_password(\"open\", \"nepo\") {
        println!(\"welcome\");
    }
}
//- tests/auth_test.rs
#[test]
fn a_good_password_opens() {
    let opens = shop::auth::verify_password(\"a\", \"a\");
    assert!(opens);
}
//- shop/cart.py
class Cart:
    \"\"\"What a customer is about to buy.\"\"\"

    def __init__(self):
        self.items = []

    def add_item(self, item, price):
        self.items.append((item, price))

    def total_price(self):
        return sum(price for _, price in self.items)
//- README.md
# Shop

Sells things to people who know the password.
//- .gitignore
*.log
target/
//- debug.log
nothing to see
";

pub(crate) struct World {
    pub(crate) project: TempTree,
    pub(crate) home: TempTree,
}

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    /// Paths of this run are `[ROOT]` and `[HOME]`.
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    /// The project of `fixture`, committed.
    pub(crate) fn new(fixture: &str) -> World {
        let world = World::without_git(fixture);
        world.project.git(&["init", "--quiet"]);
        world.project.git(&["add", "--all"]);
        world.project.git(&["commit", "--quiet", "--message", "first"]);
        world
    }

    pub(crate) fn without_git(fixture: &str) -> World {
        World {
            project: TempTree::new(fixture),
            home: TempTree::empty(),
        }
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kitbag"));
        command
            .current_dir(self.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.root())
            .env("XDG_CONFIG_HOME", self.home.path("config"))
            .env("XDG_CACHE_HOME", self.home.path("cache"))
            .args(["--now", &NOW.to_string()])
            .args(args)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        let output = self
            .command(args)
            .output()
            .expect("kitbag was built with these tests");
        self.ran(&output)
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("kitbag was built with these tests");
        child
            .stdin
            .take()
            .expect("it is piped")
            .write_all(input)
            .expect("kitbag reads its input");
        self.ran(&child.wait_with_output().expect("kitbag ends"))
    }

    pub(crate) fn ran(&self, output: &Output) -> Ran {
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec())
                .expect("kitbag writes UTF-8")
                .replace(&self.project.root().display().to_string(), "[ROOT]")
                .replace(&self.home.root().display().to_string(), "[HOME]")
        };
        // Whether a run takes long enough for progress is the machine's affair.
        let is_progress = |line: &&str| {
            [
                "looking for files",
                "indexing: ",
                "computing vectors",
                "making it searchable",
            ]
            .iter()
            .any(|word| line.starts_with(word))
        };
        let err = text(&output.stderr)
            .split_inclusive('\n')
            .filter(|line| !is_progress(line))
            .collect();
        Ran {
            code: output.status.code(),
            out: text(&output.stdout),
            err,
        }
    }

    /// Runs with `--json` and parses what comes.
    pub(crate) fn json(&self, args: &[&str]) -> (Option<i32>, Value) {
        let ran = self.run([&["--json"], args].concat());
        let value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (ran.code, value)
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn check(&self, code: i32, out: &str) {
        assert_eq!(self.out, out, "{self:?}");
        assert_eq!(self.code, Some(code), "{self:?}");
    }

    /// It failed with this code and message, and printed no data.
    #[track_caller]
    pub(crate) fn check_error(&self, code: i32, err: &str) {
        assert_eq!((self.err.as_str(), self.out.as_str()), (err, ""), "{self:?}");
        assert_eq!(self.code, Some(code), "{self:?}");
    }
}

/// The keys of an object, in alphabetical order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap_or_else(|| panic!("not an object: {value}"))
        .keys()
        .map(String::as_str)
        .collect()
}
