//! What must not be learned from: the repositories that benchmarks measure on, and their relatives (excluded.txt).
//!
//! fetch.py applies the same rules before it downloads; this is the check that they held, over the list of packages and over
//! every path that was mined.

use std::collections::BTreeSet;
use std::path::Path;

use crate::args::{Args, Result};
use crate::packs;

#[cfg(test)]
mod tests;

const EXCLUDED: &str = include_str!("../excluded.txt");

#[derive(Default)]
struct Names {
    exact: BTreeSet<String>,
    prefixes: Vec<String>,
}

impl Names {
    fn add(&mut self, word: &str) {
        match word.strip_suffix('*') {
            Some(prefix) => self.prefixes.push(prefix.to_owned()),
            None => drop(self.exact.insert(word.to_owned())),
        }
    }

    fn matches(&self, word: &str) -> bool {
        self.exact.contains(word)
            || self
                .prefixes
                .iter()
                .any(|prefix| word.starts_with(prefix.as_str()))
    }
}

pub struct Excluded {
    packages: Names,
    segments: Names,
    /// `owner/name`, lower case.
    repositories: BTreeSet<String>,
}

impl Excluded {
    pub fn read() -> Excluded {
        let (mut packages, mut segments) = (Names::default(), Names::default());
        let mut repositories = BTreeSet::new();
        for line in EXCLUDED.lines() {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(repository) = words.next() else { continue };
            repositories.insert(repository.to_lowercase().replace("/-", "/"));
            let own = repository
                .split_once('/')
                .map(|(_, name)| name)
                .filter(|name| !name.is_empty() && !name.starts_with('-'));
            for word in own.into_iter().chain(words) {
                let word = word.to_lowercase();
                packages.add(word.trim_start_matches('='));
                if !word.starts_with('=') {
                    segments.add(&word);
                }
            }
        }
        Excluded {
            packages,
            segments,
            repositories,
        }
    }

    /// A repository, as `owner/name`: one of the list, or one that is called like it or like a relative (a fork, a port).
    pub fn repository(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let own = lower.split_once('/').map_or(lower.as_str(), |(_, own)| own);
        self.repositories.contains(&lower) || names_of(own).iter().any(|name| self.packages.matches(name))
    }

    pub fn package(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let has_word = lower
            .split(['-', '_', '.', '/', '@'])
            .any(|word| self.segments.exact.contains(word));
        has_word || names_of(name).iter().any(|name| self.packages.matches(name))
    }

    /// A path inside a package.
    pub fn path(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = file.split('.').next().unwrap_or_default();
        folders.split('/').any(|segment| self.segments.matches(segment)) || self.segments.exact.contains(stem)
    }
}

const DRESSING: [&str; 19] = [
    "golang-github-",
    "golang-gitlab-",
    "golang-gopkg-",
    "golang-google-",
    "golang-golang-",
    "golang-k8s-",
    "golang-go-",
    "golang-",
    "python-",
    "python3-",
    "ruby-",
    "haskell-",
    "node-",
    "rust-",
    "librust-",
    "php-",
    "lua-",
    "lib",
    "elixir-",
];
const TAILS: [&str; 14] = [
    "-java", "-dev", "-cpp", "-c", "-js", "js", ".js", "-py", "-go", "-rb", "-ruby", "-rs", "-php", "-ng",
];

/// A package's name and what is left as registry dressing comes off, every step of it.
fn names_of(package: &str) -> BTreeSet<String> {
    let is_go = package.starts_with("golang-");
    let mut names = BTreeSet::new();
    let mut left = vec![package.to_lowercase().replace('_', "-")];
    while let Some(name) = left.pop() {
        if name.is_empty() || names.contains(&name) {
            continue;
        }
        left.extend(
            DRESSING
                .iter()
                .filter_map(|dressing| name.strip_prefix(dressing))
                .map(str::to_owned),
        );
        left.extend(
            TAILS
                .iter()
                .filter_map(|tail| name.strip_suffix(tail))
                .map(str::to_owned),
        );
        left.push(
            name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
                .to_owned(),
        );
        left.extend(
            name.strip_prefix('@')
                .into_iter()
                .flat_map(|scoped| scoped.split('/'))
                .map(str::to_owned),
        );
        if is_go {
            left.extend(name.split_once('-').map(|(_, rest)| rest.to_owned()));
        }
        names.insert(name.replace('-', "_"));
        names.insert(name);
    }
    names
}

/// `check --packs DIR`: every package and every path. `check --list FILE`: the packages of a list; `--repositories FILE`: the
/// repositories of one.
pub fn run(args: &Args) -> Result {
    let excluded = Excluded::read();
    let mut problems = Vec::new();
    let mut n = 0;
    if let Ok(list) = args.path("list") {
        for name in listed(&std::fs::read_to_string(list)?) {
            n += 1;
            problems.extend(excluded.package(&name).then_some(name));
        }
    } else if let Ok(list) = args.path("repositories") {
        for name in repositories(&std::fs::read_to_string(list)?) {
            n += 1;
            problems.extend(excluded.repository(&name).then_some(name));
        }
    } else {
        for path in packs::list(Path::new(&args.path("packs")?))? {
            n += 1;
            let pack = packs::read(&path)?;
            problems.extend(excluded.package(&pack.name).then(|| pack.name.clone()));
            let paths = pack.files.iter().filter(|(path, _)| excluded.path(path));
            problems.extend(paths.map(|(path, _)| format!("{}: {path}", pack.name)));
        }
    }
    for problem in &problems {
        println!("{problem}");
    }
    println!("{n} checked, {} problems", problems.len());
    if problems.is_empty() {
        Ok(())
    } else {
        Err("data of a benchmark".into())
    }
}

/// The package names of a list of `registry name==version`.
pub fn listed(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' ')?.1.split("==").next().map(str::to_owned))
        .collect()
}

/// The repositories of a list of `owner/name`.
pub fn repositories(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
