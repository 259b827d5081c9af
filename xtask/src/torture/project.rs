//! Repositories of any size, the same for the same seed: small source files in several languages that call each other, with a
//! history in git, and an editor that changes them as people do.
//!
//! Generated and not cloned: nothing is downloaded, and a repository may have as many files as a case needs.

use std::path::{Path, PathBuf};

use kitbag_testkit::git;
use kitbag_testkit::random::Random;

/// What the code is about. Words that are found again by questions.
const THINGS: &[&str] = &[
    "cart", "price", "order", "invoice", "refund", "customer", "address", "stock", "shipping", "coupon",
    "ledger", "session",
];
const DEEDS: &[&str] = &[
    "check", "parse", "merge", "send", "load", "store", "rank", "split", "encode", "retry", "close", "verify",
];
/// How many commits a history has.
const COMMITS: usize = 5;

/// Writes a project of so many files and commits it.
pub(super) fn generate(root: &Path, seed: u64, n_files: usize) -> Result<(), String> {
    let mut random = Random::new(seed);
    git(root, &["init", "--quiet"]);
    write(
        root,
        "README.md",
        "# Shop\n\nMany small modules that call each other.\n",
    )?;
    write(root, ".gitignore", "target/\n*.log\n")?;
    for commit in 0..COMMITS {
        for n in (commit..n_files).step_by(COMMITS) {
            write(root, &path(n), &text(n, n_files, &mut random))?;
        }
        git(root, &["add", "--all"]);
        let message = format!("Add part {commit}: {} and {}", THINGS[commit], DEEDS[commit]);
        git(root, &["commit", "--quiet", "--message", &message]);
    }
    // Two branches to switch between.
    git(root, &["checkout", "--quiet", "-b", "other"]);
    for n in (0..n_files).step_by(7) {
        write(root, &path(n), &text(n, n_files, &mut random))?;
    }
    git(
        root,
        &[
            "commit",
            "--quiet",
            "--all",
            "--message",
            "Change every seventh part",
        ],
    );
    git(root, &["checkout", "--quiet", "main"]);
    Ok(())
}

/// Changes one thing, as an editor, a person or a tool would.
pub(super) fn edit(root: &Path, n_files: usize, random: &mut Random) -> Result<(), String> {
    let n = random.below(n_files);
    let place = root.join(path(n));
    match random.below(10) {
        0 => {
            let _ = std::fs::remove_file(&place);
        }
        1 => {
            let name = format!("moved/{}_{n}.rs", random.pick(THINGS));
            write(root, &name, "")?;
            // The file may have been removed by an earlier edit.
            let _ = std::fs::rename(&place, root.join(name));
        }
        2 => write(
            root,
            &format!("added/{}_{}.py", random.pick(THINGS), random.below(50)),
            &python(n, random),
        )?,
        3 => {
            // Half of a file, as a tool leaves it for a moment.
            let text = text(n, n_files, random);
            write(root, &path(n), &text[..text.len() / 2])?;
        }
        4 | 5 => {
            // Written beside and moved over, as editors do.
            let beside = format!("{}.tmp", path(n));
            write(root, &beside, &text(n, n_files, random))?;
            std::fs::rename(root.join(beside), place).map_err(|error| format!("rename: {error}"))?;
        }
        _ => write(root, &path(n), &text(n, n_files, random))?,
    }
    Ok(())
}

/// Throws the edits away and goes to the other branch, or back.
pub(super) fn switch(root: &Path, random: &mut Random) {
    let branch = random.pick(&["main", "other"]);
    // A reader of git's index may hold its lock for a moment; the next switch will do.
    let _ = kitbag_testkit::git_output(root, &["checkout", "--quiet", "--force", branch]);
}

pub(super) fn path(n: usize) -> String {
    let thing = THINGS[n % THINGS.len()];
    let extension = ["rs", "py", "ts", "go", "java", "md", "c", "yml"][n % 8];
    format!("src/{thing}{}/{thing}_{n}.{extension}", n / 96)
}

/// A name that file `n` defines, whatever edits came over it.
pub(super) fn name(n: usize) -> String {
    format!("{}_{}_{n}", DEEDS[n % DEEDS.len()], THINGS[n % THINGS.len()])
}

fn text(n: usize, n_files: usize, random: &mut Random) -> String {
    let name = name(n);
    let (thing, deed) = (random.pick(THINGS), random.pick(DEEDS));
    let callee = self::name(random.below(n_files));
    let number = random.below(10_000);
    match n % 8 {
        0 => format!(
            "//! {thing} number {n}.\n\n/// Will {deed} the {thing} and pass it on.\npub fn {name}(work: u64) -> u64 {{\n    let carried = \
             work.wrapping_mul({number});\n    {callee}(carried)\n}}\n\npub struct {}{n} {{\n    pub amount: u64,\n}}\n",
            capital(thing)
        ),
        1 => python(n, random),
        2 => format!(
            "/** Will {deed} the {thing}. */\nexport function {name}(work: number): number {{\n  const carried = work * {number};\n  return \
             {callee}(carried);\n}}\n\nexport interface {}{n} {{\n  amount: number;\n}}\n",
            capital(thing)
        ),
        3 => format!(
            "package {thing}\n\n// {name} will {deed} the {thing}.\nfunc {name}(work int) int {{\n\treturn {callee}(work * {number})\n}}\n"
        ),
        4 => format!(
            "package shop.{thing};\n\n/** Will {deed} the {thing}. */\npublic class {}{n} {{\n    public int {name}(int work) {{\n        \
             return {callee}(work * {number});\n    }}\n}}\n",
            capital(thing)
        ),
        5 => format!(
            "# {} {n}\n\nHow to {deed} a {thing}: call `{name}`, then `{callee}`.\n\n## Numbers\n\nIt takes {number} steps.\n",
            capital(thing)
        ),
        6 => format!(
            "/* Will {deed} the {thing}. */\nint {name}(int work)\n{{\n    return {callee}(work * {number});\n}}\n"
        ),
        _ => format!("{thing}:\n  {deed}: {number}\n  {name}:\n    next: {callee}\n"),
    }
}

fn python(n: usize, random: &mut Random) -> String {
    let (name, thing) = (name(n), random.pick(THINGS));
    format!(
        "\"\"\"{thing} number {n}.\"\"\"\n\n\nclass {}{n}:\n    \"\"\"Holds the {thing}.\"\"\"\n\n    def total(self, load):\n        return \
         load * {}\n\n\ndef {name}(work):\n    return {}{n}().total(work)\n",
        capital(thing),
        random.below(10_000),
        capital(thing)
    )
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

pub(super) fn write(root: &Path, path: &str, text: &str) -> Result<(), String> {
    let place: PathBuf = root.join(path);
    let folder = place.parent().unwrap_or(root);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&place, text))
        .map_err(|error| format!("{}: {error}", place.display()))
}
