//! Samples in documents are what the program prints. Below the line `<!-- checked: a small shop -->` stands a fenced block whose first line is
//! `$ kitbag …`; the rest must be what that command prints in the shop of these tests. A line `…` at the end stands for what
//! follows. `INSTA_UPDATE=always` writes the blocks anew.

use std::path::{Path, PathBuf};

use crate::world::{SHOP, World};

const MARK: &str = "<!-- checked: a small shop -->";

/// A block: its command, and the lines of its output in the document.
struct Sample {
    command: String,
    lines: std::ops::Range<usize>,
    is_open: bool,
}

#[test]
fn samples_in_documents_are_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let is_update = std::env::var_os("INSTA_UPDATE").is_some_and(|mode| mode == "always");
    let mut n_samples = 0;
    for path in documents(&root) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the last on: a new text may have more lines.
        for sample in samples(&lines).into_iter().rev() {
            n_samples += 1;
            let mut printed = printed(&sample.command);
            let found = lines[sample.lines.clone()].to_vec();
            if sample.is_open {
                printed.truncate(found.len());
            }
            if !is_update {
                let place = format!("{}:{}: $ {}", path.display(), sample.lines.start, sample.command);
                let advice = "INSTA_UPDATE=always writes it anew";
                assert_eq!(masked(&found), masked(&printed), "{place}\n{advice}");
            } else if masked(&found) != masked(&printed) {
                lines.splice(sample.lines, printed);
            }
        }
        if is_update && lines.join("\n") + "\n" != text {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(n_samples >= 4, "only {n_samples} samples are marked");
}

fn documents(root: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root.join("docs"))
        .expect("the documents are there")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    paths.push(root.join("README.md"));
    paths.sort();
    paths
}

fn samples(lines: &[String]) -> Vec<Sample> {
    let mut found = Vec::new();
    for (mark, _) in lines.iter().enumerate().filter(|(_, line)| *line == MARK) {
        let fence: String = lines[mark + 1].chars().take_while(|c| *c == '`').collect();
        assert!(fence.len() >= 3, "line {}: no block follows the mark", mark + 2);
        let command = lines[mark + 2]
            .strip_prefix("$ kitbag ")
            .unwrap_or_else(|| panic!("line {}: a block begins with `$ kitbag …`", mark + 3));
        let first = mark + 3;
        let n_lines = lines[first..].iter().position(|line| *line == fence);
        let mut end = first + n_lines.expect("the block ends");
        let is_open = lines[end - 1] == "…";
        end -= usize::from(is_open);
        found.push(Sample {
            command: command.to_owned(),
            lines: first..end,
            is_open,
        });
    }
    found
}

/// What stands on the screen; `2>/dev/null` and `>/dev/null` at the end leave one half of it out.
fn printed(command: &str) -> Vec<String> {
    let world = World::new(SHOP);
    let (words, shows_out, shows_err) = match command {
        _ if command.ends_with(" 2>/dev/null") => (&command[..command.len() - 12], true, false),
        _ if command.ends_with(" >/dev/null") => (&command[..command.len() - 11], false, true),
        _ => (command, true, true),
    };
    let ran = world.run(arguments(words));
    let out = ran.out.lines().filter(|_| shows_out);
    let err = ran.err.lines().filter(|_| shows_err);
    out.chain(err).map(str::to_owned).collect()
}

/// The words of a command; `"…"` is one.
fn arguments(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (idx, part) in command.split('"').enumerate() {
        match idx % 2 {
            1 => words.push(part.to_owned()),
            _ => words.extend(part.split_whitespace().map(str::to_owned)),
        }
    }
    words
}

/// Without what no two runs share.
fn masked(lines: &[String]) -> Vec<String> {
    let mask = |line: &String| match line.starts_with("time ") {
        true => "time".to_owned(),
        false => line.clone(),
    };
    lines.iter().map(mask).collect()
}

/// Everything that `--explain` may name has a row in docs/ranking.md, docs/cli.md names every format of packs, and the README
/// counts the languages.
#[test]
fn lists_in_documents_are_whole() {
    let read = |path: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
    };
    let ranking = read("docs/ranking.md");
    let is_missing = |name: &&str| !ranking.contains(&format!("`{name}`"));
    let missing: Vec<&str> = kitbag_engine::api::switches()
        .into_iter()
        .filter(is_missing)
        .collect();
    assert_eq!(missing, [""; 0], "docs/ranking.md");
    let commands = read("docs/cli.md");
    let row = commands
        .lines()
        .find(|line| line.starts_with("| `--format FORMAT`"));
    let row = row.expect("docs/cli.md has a row for --format of `kitbag pack`");
    let is_missing = |name: &&str| !row.contains(&format!("`{name}`"));
    let missing: Vec<&str> = kitbag_engine::api::formats()
        .into_iter()
        .filter(is_missing)
        .collect();
    assert_eq!(missing, [""; 0], "docs/cli.md, --format");
    let counted = format!(
        "one parser per language ({})",
        kitbag_engine::api::languages().len()
    );
    assert!(
        read("README.md").replace('\n', " ").contains(&counted),
        "{counted}"
    );
}
