//! Histories in, pairs out: the message of a commit is the question, the definitions that it changed are the answers, as they stood
//! before it. Small changes of code only; tests go into files of their own, documents into none.

mod git;
mod message;
mod patch;
mod tasks;

use std::io::Write;
use std::panic::catch_unwind;
use std::path::Path;

use rayon::prelude::*;

use kitbag_syntax::{ChunkSettings, LANGUAGES, conventions, language_of, parse};
use kitbag_types::{Chunk, RepoPath};

use crate::args::{Args, Result};
use crate::exclude::{Excluded, repositories};
use crate::pairs::pairs_of;
use crate::queries::clipped;
use crate::random::{Random, hash};
use crate::record::{Kind, Pair};
use git::{Commit, Git};
use patch::Changes;

pub use tasks::run as tasks;

/// Read of a history, newest first.
const MAX_COMMITS: usize = 12_000;
/// Taken of it.
const MAX_PAIRS: usize = 1_200;
/// A wider commit is a mass edit.
const MAX_FILES: usize = 12;
const MAX_CODE_FILES: usize = 5;
const MAX_CHANGED_LINES: usize = 160;
/// A commit that touches more definitions says little of each.
const MAX_TOUCHED: usize = 8;
/// So many of one commit, those with the most changed lines first.
const MAX_OF_COMMIT: usize = 3;
const MAX_FILE_BYTES: usize = 150_000;
const MIN_CHUNK_BYTES: usize = 40;
const MAX_BODY_BYTES: usize = 3_500;
/// Pairs of the newest tree: documentation and names, as of a package.
const MAX_TREE_PAIRS: usize = 1_500;
const MAX_TREE_BYTES: usize = 1_500_000;
const AT_ONCE: usize = 200;

/// `commits --clones DIR --list repositories.txt --out DIR`: writes `<owner>+<name>.commits`, `.tests` and `.tree`; what is there is
/// kept, so a run that was stopped goes on. `join --from DIR --out FILE --kinds commits,tree` makes one file of them.
pub fn run(args: &Args) -> Result {
    let (clones, out) = (args.path("clones")?, args.path("out")?);
    let max_pairs = args.count("max", MAX_PAIRS)?;
    let names = repositories(&std::fs::read_to_string(args.path("list")?)?);
    let excluded = Excluded::read();
    if let Some(name) = names.iter().find(|name| excluded.repository(name)) {
        return Err(format!("{name} is excluded").into());
    }
    std::fs::create_dir_all(&out)?;
    let n_pairs: usize = names
        .par_iter()
        .with_max_len(1)
        .map(|name| {
            let folder = name.replace('/', "+");
            let clone = clones.join(&folder).join("repo");
            let clone = if clone.join(".git").is_dir() {
                clone.join(".git")
            } else {
                clone
            };
            if !clone.is_dir() {
                eprintln!("{name}: no clone");
                return 0;
            }
            if out.join(format!("{folder}.tree")).exists() {
                return 0;
            }
            match mined(&clone, name, &excluded, max_pairs) {
                Ok(mined) => {
                    let n = mined.code.len();
                    eprintln!(
                        "{name}: {n} pairs, {} of tests, {} of the tree",
                        mined.tests.len(),
                        mined.tree.len()
                    );
                    let files = [
                        ("commits", mined.code),
                        ("tests", mined.tests),
                        ("tree", mined.tree),
                    ];
                    for (extension, pairs) in files {
                        if let Err(error) = write(&out.join(format!("{folder}.{extension}")), &pairs) {
                            eprintln!("{name}: {error}");
                        }
                    }
                    n
                }
                Err(error) => {
                    eprintln!("{name}: {error}");
                    0
                }
            }
        })
        .sum();
    println!("{} repositories, {n_pairs} new pairs", names.len());
    Ok(())
}

fn write(path: &Path, pairs: &[Pair]) -> Result {
    let mut bytes = Vec::new();
    pairs.iter().for_each(|pair| pair.write(&mut bytes));
    let part = path.with_extension("part");
    std::fs::write(&part, bytes)?;
    Ok(std::fs::rename(part, path)?)
}

/// `join`: files of one repository each become one file of pairs, with the list of packages that `vocabulary` reads.
pub fn join(args: &Args) -> Result {
    let (from, out) = (args.path("from")?, args.path("out")?);
    let kinds = args.text("kinds", "commits");
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&from)? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut file = std::io::BufWriter::new(std::fs::File::create(&out)?);
    let mut packages: Vec<String> = Vec::new();
    let mut rows = vec![0_usize; LANGUAGES.len() + 1];
    let stems: std::collections::BTreeSet<_> = paths.iter().filter_map(|path| path.file_stem()).collect();
    for stem in stems {
        let name = stem.to_string_lossy().replace('+', "/");
        let mut n = 0;
        for kind in kinds.split(',') {
            let path = from.join(format!("{}.{kind}", stem.to_string_lossy()));
            let Ok(bytes) = std::fs::read(path) else { continue };
            let mut rest = bytes.as_slice();
            while let Some(mut pair) = Pair::read(&mut rest)? {
                pair.package = packages.len() as u32;
                let mut bytes = Vec::new();
                pair.write(&mut bytes);
                file.write_all(&bytes)?;
                rows[usize::from(pair.language).min(LANGUAGES.len())] += 1;
                n += 1;
            }
        }
        if n > 0 {
            packages.push(format!("git {name} {n}"));
        }
    }
    file.flush()?;
    std::fs::write(out.with_extension("packages"), packages.join("\n"))?;
    for (row, n) in LANGUAGES.iter().zip(&rows).filter(|(_, n)| **n > 0) {
        println!("{} {n}", row.name);
    }
    println!(
        "{} repositories, {} pairs",
        packages.len(),
        rows.iter().sum::<usize>()
    );
    Ok(())
}

#[derive(Default)]
struct Mined {
    code: Vec<Pair>,
    tests: Vec<Pair>,
    tree: Vec<Pair>,
}

fn mined(clone: &Path, name: &str, excluded: &Excluded, max_pairs: usize) -> Result<Mined> {
    let git = Git(clone);
    let seed = hash(name.as_bytes());
    let mut chosen: Vec<(Commit, String)> = git
        .commits(MAX_COMMITS)?
        .into_iter()
        .filter_map(|commit| {
            let message = asked(&commit)?;
            Some((commit, message))
        })
        .collect();
    // Spread over the history, not the newest alone.
    Random::new(seed).shuffle(&mut chosen);
    let mut mined = Mined::default();
    for some in chosen.chunks(AT_ONCE) {
        if mined.code.len() >= max_pairs {
            break;
        }
        let ids: Vec<&str> = some.iter().map(|(commit, _)| commit.id.as_str()).collect();
        let patches = patch::patches(&git.patches(&ids)?);
        let blobs: Vec<&str> = some
            .iter()
            .flat_map(|(commit, _)| &commit.files)
            .filter(|file| file.how == 'M' && is_code(&file.path) && !excluded.path(&file.path))
            .map(|file| file.old_blob.as_str())
            .collect();
        let texts = git.texts(&blobs, MAX_FILE_BYTES)?;
        for (commit, message) in some {
            let Some(patch) = patches.iter().find(|patch| patch.commit == commit.id) else {
                continue;
            };
            let touched = commit.files.iter().filter_map(|file| {
                let changes = patch.files.get(&file.path)?;
                let text = texts.get(&file.old_blob)?;
                Some((file.path.as_str(), text.as_str(), changes))
            });
            let touched: Vec<_> = touched.collect();
            let n_lines: usize = patch.files.values().map(|changes| changes.n_lines).sum();
            if n_lines > MAX_CHANGED_LINES
                || !touched.iter().any(|(_, _, changes)| changes.is_more_than_blanks)
            {
                continue;
            }
            let (tests, code): (Vec<_>, Vec<_>) = touched.into_iter().partition(|(path, _, _)| is_test(path));
            mined.code.extend(pairs(message, &code));
            mined.tests.extend(pairs(message, &tests));
        }
    }
    mined.code.truncate(max_pairs);
    mined.tests.truncate(max_pairs);
    mined.tree = tree_pairs(&git, excluded, seed)?;
    Ok(mined)
}

/// The message of a small change of code by a person.
fn asked(commit: &Commit) -> Option<String> {
    let is_bot = commit.author.to_lowercase().contains("bot") || commit.author.ends_with("[bot]");
    let n_code = commit
        .files
        .iter()
        .filter(|file| file.how == 'M' && is_code(&file.path))
        .count();
    if is_bot || commit.files.len() > MAX_FILES || !(1..=MAX_CODE_FILES).contains(&n_code) {
        return None;
    }
    message::cleaned(&commit.message)
}

fn is_code(path: &str) -> bool {
    let Ok(path) = RepoPath::new(path) else {
        return false;
    };
    let is_foreign = |folder: &str| {
        [
            "vendor",
            "node_modules",
            "third_party",
            "thirdparty",
            "deps",
            "dist",
            "generated",
        ]
        .contains(&folder)
    };
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    !path.as_str().split('/').any(is_foreign)
        && !name.contains(".min.")
        && language_of(&path, "").is_some_and(|language| !PROSE.contains(&language.name))
}

/// Languages whose changes are no changes of code.
const PROSE: [&str; 12] = [
    "markdown",
    "json",
    "yaml",
    "toml",
    "html",
    "css",
    "scss",
    "xml",
    "rst",
    "ini",
    "dockerfile",
    "make",
];

fn is_test(path: &str) -> bool {
    RepoPath::new(path).is_ok_and(|path| conventions().is_test(&path))
}

/// One pair for each definition that the commit changed, the most changed first.
fn pairs(message: &str, files: &[(&str, &str, &Changes)]) -> Vec<Pair> {
    let mut found: Vec<(u32, Pair)> = Vec::new();
    for (path, text, changes) in files {
        found.extend(catch_unwind(|| touched(message, path, text, changes)).unwrap_or_default());
    }
    if found.len() > MAX_TOUCHED {
        return Vec::new();
    }
    found.sort_by(|(a_size, a), (b_size, b)| {
        b_size
            .cmp(a_size)
            .then_with(|| (&a.path, a.chunk).cmp(&(&b.path, b.chunk)))
    });
    found
        .into_iter()
        .take(MAX_OF_COMMIT)
        .map(|(_, pair)| pair)
        .collect()
}

fn touched(message: &str, path: &str, text: &str, changes: &Changes) -> Vec<(u32, Pair)> {
    let Ok(repo_path) = RepoPath::new(path) else {
        return Vec::new();
    };
    let Some(language) = language_of(&repo_path, text.lines().next().unwrap_or_default()) else {
        return Vec::new();
    };
    let parsed = parse(text, Some(language), &ChunkSettings::default());
    let number = LANGUAGES
        .iter()
        .position(|row| row.name == language.name)
        .unwrap_or(255) as u8;
    let size = |chunk: &Chunk| -> u32 {
        let (first, last) = (chunk.lines.start(), chunk.lines.end());
        let own = changes.hunks.iter().filter(|hunk| hunk.touches(first, last));
        own.map(|hunk| hunk.size).sum()
    };
    let is_definition = |chunk: &&Chunk| {
        chunk.kind.is_code() && !chunk.names.is_empty() && chunk.bytes.len() >= MIN_CHUNK_BYTES
    };
    let chunks = parsed.chunks.iter().filter(is_definition);
    let changed = chunks
        .map(|chunk| (size(chunk), chunk))
        .filter(|(size, _)| *size > 0);
    changed
        .map(|(size, chunk)| {
            let body = &text[chunk.bytes.clone()];
            let pair = Pair {
                package: 0,
                kind: Kind::Message as u8,
                language: number,
                chunk: hash(body.as_bytes()),
                query: message.to_owned(),
                path: path.to_owned(),
                names: chunk.names.clone(),
                docs: clipped(&chunk.docs, 1_000).to_owned(),
                capsule: chunk.capsule.clone(),
                body: clipped(body, MAX_BODY_BYTES).to_owned(),
            };
            (size, pair)
        })
        .collect()
}

/// What the newest tree says of itself, as `mine` takes it from a package.
fn tree_pairs(git: &Git<'_>, excluded: &Excluded, seed: u64) -> Result<Vec<Pair>> {
    let mut files = git.tree()?;
    files.retain(|(path, _)| is_code(path) && !is_test(path) && !excluded.path(path));
    Random::new(seed).shuffle(&mut files);
    files.truncate(400);
    let blobs: Vec<&str> = files.iter().map(|(_, blob)| blob.as_str()).collect();
    let texts = git.texts(&blobs, MAX_FILE_BYTES)?;
    let mut left = MAX_TREE_BYTES;
    let mut pairs = Vec::new();
    for (path, blob) in &files {
        let Some(text) = texts.get(blob).filter(|text| text.len() <= left) else {
            continue;
        };
        left -= text.len();
        pairs.extend(catch_unwind(|| pairs_of(path, text, seed)).unwrap_or_default());
    }
    Random::new(seed).shuffle(&mut pairs);
    pairs.truncate(MAX_TREE_PAIRS);
    Ok(pairs)
}
