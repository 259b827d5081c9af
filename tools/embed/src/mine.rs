//! Packs in, pairs out: every package parsed on its own, then joined in the order of their names, without repeats.

use std::collections::HashMap;
use std::io::Write;
use std::panic::catch_unwind;
use std::path::Path;

use rayon::prelude::*;

use kitbag_syntax::LANGUAGES;

use crate::args::{Args, Result};
use crate::exclude::Excluded;
use crate::packs;
use crate::pairs::pairs_of;
use crate::random::{Random, hash};
use crate::record::{KINDS, Pair};

const MAX_PAIRS: usize = 4_000;
/// Many packages teach more than much of one: what is plentiful is taken in small helpings, what is rare in large ones.
const COMMON_BYTES: usize = 250_000;
const RARE_BYTES: usize = 3_000_000;
const RARE: [&str; 18] = [
    "kt", "kts", "swift", "cs", "scala", "ex", "exs", "zig", "ts", "tsx", "rb", "php", "lua", "sh", "bash",
    "hs", "vim", "sql",
];
/// One question may be answered by so many passages in all the data; "Returns the size" teaches little the tenth time.
const MAX_SAME_QUERY: u32 = 3;

/// `mine --packs DIR --out FILE`.
pub fn run(args: &Args) -> Result {
    let folder = args.path("packs")?;
    let out = args.path("out")?;
    let max_pairs = args.count("max", MAX_PAIRS)?;
    let excluded = Excluded::read();
    let paths = packs::list(&folder)?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(&out)?);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut tally: HashMap<(String, u8), [u32; KINDS.len() + 1]> = HashMap::new();
    let mut packages = Vec::new();
    let mut n = 0;
    for (turn, some) in paths.chunks(64).enumerate() {
        let mined: Vec<Vec<Pair>> = some
            .par_iter()
            .map(|path| mined(path, &excluded, max_pairs))
            .collect();
        for (path, pairs) in some.iter().zip(mined) {
            let (registry, name) = packs::name_of(path);
            let mut bytes = Vec::new();
            let mut n_kept = 0;
            for mut pair in pairs {
                if !is_news(&pair, &mut seen) {
                    continue;
                }
                pair.package = packages.len() as u32;
                pair.write(&mut bytes);
                let row = tally.entry((registry.clone(), pair.language)).or_default();
                row[usize::from(pair.kind)] += 1;
                row[KINDS.len()] += 1;
                n_kept += 1;
            }
            if n_kept > 0 {
                file.write_all(&bytes)?;
                packages.push(format!("{registry} {name} {n_kept}"));
                n += n_kept;
            }
        }
        if turn % 10 == 0 {
            eprintln!("{} of {} packs, {n} pairs", (turn + 1) * 64, paths.len());
        }
    }
    file.flush()?;
    std::fs::write(out.with_extension("packages"), packages.join("\n"))?;
    report(tally);
    println!("{} packages, {n} pairs", packages.len());
    Ok(())
}

fn mined(path: &Path, excluded: &Excluded, max_pairs: usize) -> Vec<Pair> {
    let Ok(pack) = packs::read(path) else {
        return Vec::new();
    };
    if excluded.package(&pack.name) {
        return Vec::new();
    }
    let seed = hash(pack.name.as_bytes());
    let mut pairs = Vec::new();
    let mut left = [COMMON_BYTES, RARE_BYTES];
    let mut files: Vec<_> = pack
        .files
        .iter()
        .filter(|(file, _)| !excluded.path(file))
        .collect();
    Random::new(seed).shuffle(&mut files);
    for (file, text) in files {
        let name = file.rsplit('/').next().unwrap_or_default();
        let is_rare = name
            .rsplit_once('.')
            .is_none_or(|(_, extension)| RARE.contains(&extension));
        let left = &mut left[usize::from(is_rare)];
        if *left < text.len() {
            continue;
        }
        *left -= text.len();
        pairs.extend(catch_unwind(|| pairs_of(file, text, seed)).unwrap_or_default());
    }
    Random::new(seed).shuffle(&mut pairs);
    pairs.truncate(max_pairs);
    pairs
}

/// Copies of a file live in many packages: a passage is taken once a kind of question.
fn is_news(pair: &Pair, seen: &mut HashMap<u64, u32>) -> bool {
    let passage = hash(pair.body.as_bytes()) ^ u64::from(pair.kind).wrapping_mul(0x9E37_79B9);
    let query = hash(pair.query.to_lowercase().as_bytes()).rotate_left(7);
    if seen.contains_key(&passage) || seen.get(&query).is_some_and(|n| *n >= MAX_SAME_QUERY) {
        return false;
    }
    seen.insert(passage, 1);
    *seen.entry(query).or_default() += 1;
    true
}

fn report(tally: HashMap<(String, u8), [u32; KINDS.len() + 1]>) {
    let mut rows: Vec<_> = tally.into_iter().collect();
    rows.sort();
    println!("registry language pairs {KINDS:?}");
    for ((registry, language), row) in rows {
        let language = LANGUAGES
            .get(usize::from(language))
            .map_or("none", |row| row.name);
        println!(
            "{registry} {language} {} {:?}",
            row[KINDS.len()],
            &row[..KINDS.len()]
        );
    }
}
