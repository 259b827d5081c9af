//! Shows what redaction does to files, to judge it. `tools/secrets/compare.py` runs it beside other tools.
//!
//! `write DIR` writes the generated shapes as files (`secrets/` and `harmless/`) and prints for each whether a secret is left in
//! it, or the number of false alarms. `scan` reads paths from standard input and prints what would be cut out of them, with some of
//! the line around it. `speed` reads the same paths and prints bytes per second.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool that is run by hand reads files, clocks and arguments, and prints"
)]

use std::fs;
use std::io::{BufRead as _, stdin};
use std::path::Path;
use std::time::Instant;

use kitbag_repo::secrets::SecretRules;
use kitbag_testkit::secret_shapes::{harmless, shapes};

/// Characters of a line that are shown before a cut.
const LEAD: usize = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", folder] => write(Path::new(folder)),
        ["scan"] => scan(&SecretRules::built_in()),
        ["speed"] => speed(&SecretRules::built_in()),
        _ => println!("usage: redact write DIR | scan < PATHS | speed < PATHS"),
    }
}

fn write(folder: &Path) {
    let rules = SecretRules::built_in();
    for (idx, shape) in shapes(0).into_iter().enumerate() {
        let path = folder.join(format!("secrets/{idx}/{}", shape.file));
        put(&path, &shape.text);
        let clean = rules.redact(&shape.text).0;
        let leaks = shape.secrets.iter().any(|secret| clean.contains(secret.as_str()));
        println!("{}\t{}\t{}", path.display(), shape.name, u8::from(leaks));
    }
    for (idx, text) in harmless().into_iter().enumerate() {
        let path = folder.join(format!("harmless/{idx}/{}", text.file));
        put(&path, text.text);
        let alarms = rules.redact(text.text).1.len();
        println!("{}\t{}\t{alarms}", path.display(), text.name);
    }
}

fn put(path: &Path, text: &str) {
    let folder = path.parent().expect("a file stands in a folder");
    fs::create_dir_all(folder).expect("the folder can be made");
    fs::write(path, format!("{text}\n")).expect("the file can be written");
}

/// The files named on standard input that are text.
fn texts() -> Vec<(String, String)> {
    let paths = stdin().lock().lines().map_while(Result::ok);
    paths
        .filter_map(|path| {
            let text = fs::read_to_string(&path).ok()?;
            (text.len() <= 5_000_000 && !text.contains('\0')).then_some((path, text))
        })
        .collect()
}

fn scan(rules: &SecretRules) {
    for (path, text) in texts() {
        let (clean, findings) = rules.redact(&text);
        for finding in findings {
            let line = |text: &str| {
                text.lines()
                    .nth(finding.line as usize - 1)
                    .unwrap_or_default()
                    .to_owned()
            };
            let (before, after) = (line(&text), line(&clean));
            let n_same = before
                .chars()
                .zip(after.chars())
                .take_while(|(a, b)| a == b)
                .count();
            let shown = |line: &str| -> String {
                line.chars()
                    .skip(n_same.saturating_sub(LEAD))
                    .take(2 * LEAD)
                    .collect()
            };
            println!(
                "{path}:{}\t{}\t{}\t{}",
                finding.line,
                finding.rule,
                shown(&before),
                shown(&after)
            );
        }
    }
}

fn speed(rules: &SecretRules) {
    let texts = texts();
    let n_bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    for _ in 0..3 {
        let start = Instant::now();
        let n_found: usize = texts.iter().map(|(_, text)| rules.redact(text).1.len()).sum();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{} files, {n_bytes} bytes, {n_found} redactions, {:.1} MB/s",
            texts.len(),
            n_bytes as f64 / 1e6 / seconds
        );
    }
}
