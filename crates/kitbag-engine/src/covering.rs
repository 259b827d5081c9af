//! Which tests cover some code, best first (CLI-6, PACK-5): by certain links, by links that only a name makes, by what test files are
//! called, by what they import, by what changed together before, by words that both have. No signal is enough alone: half of all
//! tests call through something else, and a name that everything has links to everything.

mod naming;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_rank::bm25;
use kitbag_store::{ChunkRow, FileRow, FileState, LinkRow, Snapshot, SymbolRow};
use kitbag_types::terms::{each_word, stemmed};
use kitbag_types::{LineRange, LinkKind, RepoPath, Stop};

use crate::conventions::is_test;
use crate::embed;
use crate::imports::strength;
use crate::uses::{Tie, Uses};
use crate::{Engine, EngineError};
use naming::{likeness, nearness};

/// Touched definitions that are followed, links to one name that are looked at, and words of a change that are.
const FOLLOWED: usize = 24;
const LINKS_TRIED: usize = 600;
const WORDS: usize = 40;
/// Cases that are named of one file.
const CASES: usize = 8;
/// Files that are told, at most.
const MOST_FILES: usize = 100;

/// What tests are wanted for.
#[derive(Debug, Default)]
pub(crate) struct Subject {
    /// Files of code.
    pub files: Vec<RepoPath>,
    /// Definitions of code.
    pub rows: Vec<ChunkRow>,
    /// Lines that changed, both sides.
    pub changed_text: String,
    /// Tests that are part of the change, and their lines.
    pub tests: Vec<(RepoPath, Option<Vec<LineRange>>)>,
}

/// What speaks for a test file, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Signals {
    /// Certain links to the touched definitions, less for those that every test has.
    pub certain: f64,
    /// Links by name where an import or the same file makes it likely.
    pub likely: f64,
    /// Links by name alone, and to the type around.
    pub by_name: f64,
    /// It is called after the code.
    pub naming: f64,
    /// It imports the file.
    pub imports: f64,
    /// They changed in the same commits.
    pub together: f64,
    /// Words of the change, rare ones more.
    pub words: f64,
    /// The folders are alike.
    pub folder: f64,
    /// Their vectors are near.
    pub similar: f64,
}

/// What each signal counts: fitted on past commits of public repositories, see tools/evals/tests_for_changes.py.
pub(crate) const WEIGHTS: Signals = Signals {
    certain: 0.75,
    likely: 0.6,
    by_name: 1.1,
    naming: 0.9,
    imports: 0.6,
    together: 2.5,
    words: 2.7,
    folder: 1.2,
    similar: 2.9,
};

impl Signals {
    pub(crate) fn named(&self) -> [(&'static str, f64); 9] {
        [
            ("certain", self.certain),
            ("likely", self.likely),
            ("by_name", self.by_name),
            ("naming", self.naming),
            ("imports", self.imports),
            ("together", self.together),
            ("words", self.words),
            ("folder", self.folder),
            ("similar", self.similar),
        ]
    }

    fn score(&self) -> f64 {
        let parts = self.named().into_iter().zip(WEIGHTS.named());
        parts.map(|((_, value), (_, weight))| value * weight).sum()
    }

    fn mut_links(&mut self, tie: Tie) -> &mut f64 {
        match tie {
            Tie::Certain(_) => &mut self.certain,
            Tie::File | Tie::Import => &mut self.likely,
            Tie::Name => &mut self.by_name,
        }
    }
}

/// A test file.
#[derive(Debug)]
pub(crate) struct Cover {
    pub path: RepoPath,
    pub signals: Signals,
    pub score: f64,
    /// A certain link, or part of the change.
    pub certain: bool,
    /// In words, the strongest first.
    pub reasons: Vec<String>,
    pub cases: Vec<Case>,
}

/// A test in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    pub name: String,
    pub lines: LineRange,
    /// What it uses.
    pub uses: String,
    pub certain: bool,
}

#[derive(Default)]
struct Found {
    signals: Signals,
    cases: Vec<Case>,
    /// Names that it uses, certain ones first.
    uses: BTreeSet<(bool, String)>,
    n_together: (u32, u32),
    named_after: Option<RepoPath>,
    imported: Option<RepoPath>,
}

/// Test files, best first.
pub(crate) fn covering(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    subject: &Subject,
    stop: Stop<'_>,
) -> Result<Vec<Cover>, EngineError> {
    let mut files: Vec<FileRow> = snapshot.files()?;
    files.retain(|file| file.state == FileState::Indexed && file.parse.is_some() && file.language != "text");
    let is_subject = |path: &RepoPath| subject.files.contains(path);
    let tests: BTreeMap<i64, &FileRow> = files
        .iter()
        .filter(|file| is_test(&file.path) && !is_subject(&file.path))
        .map(|file| (file.id, file))
        .collect();
    let mut found: BTreeMap<i64, Found> = tests.keys().map(|id| (*id, Found::default())).collect();
    add_links(snapshot, subject, &mut found, stop)?;
    add_names(subject, &tests, &mut found);
    add_imports(snapshot, subject, &tests, &mut found, stop)?;
    add_together(snapshot, subject, &tests, &mut found)?;
    add_words(snapshot, subject, &mut found)?;
    add_similar(engine, snapshot, subject, &tests, &mut found);
    stop.check()?;
    let mut covers: Vec<Cover> = Vec::new();
    for (id, one) in found {
        let file = tests[&id];
        let is_changed = subject.tests.iter().any(|(path, _)| *path == file.path);
        let score = one.signals.score() + if is_changed { 100.0 } else { 0.0 };
        let links = one.signals.certain + one.signals.likely + one.signals.by_name;
        let speaks =
            links + one.signals.naming + one.signals.imports + one.signals.together + one.signals.words;
        if speaks > 0.0 || is_changed {
            covers.push(Cover {
                path: file.path.clone(),
                score,
                certain: is_changed || one.signals.certain > 0.0,
                reasons: reasons(&one, is_changed),
                cases: cases(one.cases),
                signals: one.signals,
            });
        }
    }
    covers.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    covers.truncate(MOST_FILES);
    Ok(covers)
}

fn cases(mut cases: Vec<Case>) -> Vec<Case> {
    cases.sort_by(|a, b| (!a.certain, a.lines, &a.uses).cmp(&(!b.certain, b.lines, &b.uses)));
    let mut seen = BTreeSet::new();
    cases.retain(|case| seen.insert(case.lines));
    cases.truncate(CASES);
    cases
}

fn reasons(found: &Found, is_changed: bool) -> Vec<String> {
    let mut said: Vec<(f64, String)> = Vec::new();
    if is_changed {
        said.push((100.0, "is part of the change".to_owned()));
    }
    let used = |certain: bool| -> Option<String> {
        let names: Vec<&str> = found
            .uses
            .iter()
            .filter(|(doubt, _)| *doubt != certain)
            .map(|(_, name)| name.as_str())
            .collect();
        let more = if names.len() > 3 { " …" } else { "" };
        (!names.is_empty()).then(|| format!("{}{more}", names[..names.len().min(3)].join(", ")))
    };
    let signals = &found.signals;
    if let Some(names) = used(true) {
        said.push((signals.certain * WEIGHTS.certain + 0.01, format!("uses {names}")));
    }
    if let Some(names) = used(false) {
        let worth = signals.likely * WEIGHTS.likely + signals.by_name * WEIGHTS.by_name;
        said.push((worth, format!("uses {names}, by name")));
    }
    if let Some(path) = &found.named_after {
        said.push((signals.naming * WEIGHTS.naming, format!("is called after {path}")));
    }
    if let Some(path) = &found.imported {
        said.push((signals.imports * WEIGHTS.imports, format!("imports {path}")));
    }
    let (both, of) = found.n_together;
    if both > 0 {
        said.push((
            signals.together * WEIGHTS.together,
            format!("changed in {both} of {of} commits that changed the code"),
        ));
    }
    if signals.words > 0.2 {
        said.push((
            signals.words * WEIGHTS.words,
            "has rare words of the change".to_owned(),
        ));
    }
    said.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    said.into_iter().map(|(_, text)| text).collect()
}

/// A use of a touched name in a test.
struct TestUse {
    link: LinkRow,
    tie: Tie,
    name: String,
    worth: f64,
}

fn add_links(
    snapshot: &Snapshot<'_>,
    subject: &Subject,
    found: &mut BTreeMap<i64, Found>,
    stop: Stop<'_>,
) -> Result<(), EngineError> {
    let mut uses = Uses::new(snapshot, stop);
    let mut n_names = 0usize;
    for row in subject.rows.iter().take(FOLLOWED) {
        stop.check()?;
        let symbols = uses.symbols(row.at.file, row.at.parse)?.to_vec();
        let own: Vec<&SymbolRow> = symbols
            .iter()
            .filter(|symbol| row.names.contains(&symbol.name) && row.lines.contains(symbol.name_line))
            .collect();
        // The type around a method: tests make one and call what calls the method.
        let around = own
            .iter()
            .filter_map(|symbol| symbol.container.rsplit("::").next())
            .filter(|name| !name.is_empty());
        let around: BTreeSet<String> = around.map(str::to_owned).collect();
        let wanted = own
            .iter()
            .map(|symbol| (symbol.name.clone(), 1.0))
            .chain(around.into_iter().map(|name| (name, 0.4)));
        let wanted: BTreeMap<String, f64> = wanted.collect();
        for (name, worth) in wanted {
            if name.len() < 3 {
                continue;
            }
            let definitions: Vec<SymbolRow> = symbols
                .iter()
                .filter(|symbol| symbol.name == name)
                .cloned()
                .collect();
            let tests = uses_in_tests(snapshot, &mut uses, (&name, worth), &definitions, found, stop)?;
            n_names += usize::from(!tests.is_empty());
            let files: BTreeSet<i64> = tests.iter().map(|one| one.link.file).collect();
            // What every test uses tells little about any of them.
            let rarity = 1.0 / (files.len().max(1) as f64).sqrt();
            let mut seen = BTreeSet::new();
            for one in &tests {
                let Some(known) = found.get_mut(&one.link.file) else {
                    continue;
                };
                if seen.insert((one.link.file, one.tie.is_certain())) {
                    *known.signals.mut_links(one.tie) += one.worth * (0.3 + 0.7 * rarity);
                    known.uses.insert((!one.tie.is_certain(), one.name.clone()));
                }
                if known.cases.len() < CASES * 4
                    && let Some(chunk) = snapshot.chunk_at(one.link.file, one.link.parse, one.link.line)?
                {
                    known.cases.push(Case {
                        name: chunk.label.clone(),
                        lines: chunk.lines,
                        uses: one.name.clone(),
                        certain: one.tie.is_certain(),
                    });
                }
            }
        }
    }
    // Of many touched names, the share that a test uses.
    let all = (n_names.max(1) as f64).sqrt();
    for one in found.values_mut() {
        for value in [
            &mut one.signals.certain,
            &mut one.signals.likely,
            &mut one.signals.by_name,
        ] {
            *value = (*value / all).min(1.0);
        }
    }
    Ok(())
}

fn uses_in_tests(
    snapshot: &Snapshot<'_>,
    uses: &mut Uses<'_, '_>,
    (name, worth): (&str, f64),
    definitions: &[SymbolRow],
    found: &BTreeMap<i64, Found>,
    stop: Stop<'_>,
) -> Result<Vec<TestUse>, EngineError> {
    let mut tests = Vec::new();
    for kind in [LinkKind::Call, LinkKind::Reference, LinkKind::Inherit] {
        let links = snapshot.links_to(name, kind)?;
        let links = links.into_iter().filter(|link| found.contains_key(&link.file));
        for link in links.take(LINKS_TRIED) {
            stop.check()?;
            let Some(tie) = uses.leads_to(&link, definitions)? else {
                continue;
            };
            let doubt = match tie {
                Tie::Name => 1.0 / (uses.n_targets(&link)?.max(1) as f64).sqrt(),
                _ => 1.0,
            };
            tests.push(TestUse {
                link,
                tie,
                name: name.to_owned(),
                worth: worth * doubt,
            });
        }
    }
    Ok(tests)
}

fn add_names(subject: &Subject, tests: &BTreeMap<i64, &FileRow>, found: &mut BTreeMap<i64, Found>) {
    for (id, one) in found.iter_mut() {
        let test = &tests[id].path;
        for code in &subject.files {
            let alike = likeness(test, code);
            if alike > one.signals.naming {
                one.signals.naming = alike;
                one.named_after = Some(code.clone());
            }
            one.signals.folder = one.signals.folder.max(nearness(test, code));
        }
    }
}

fn add_imports(
    snapshot: &Snapshot<'_>,
    subject: &Subject,
    tests: &BTreeMap<i64, &FileRow>,
    found: &mut BTreeMap<i64, Found>,
    stop: Stop<'_>,
) -> Result<(), EngineError> {
    let mut importing: Vec<(i64, RepoPath)> = Vec::new();
    for (id, file) in tests {
        stop.check()?;
        let Some(parse) = file.parse else { continue };
        let imports = snapshot.imports_of(parse)?;
        let imported = subject.files.iter().find(|code| {
            imports
                .iter()
                .any(|import| strength(import, &file.path, code) > 0)
        });
        importing.extend(imported.map(|code| (*id, code.clone())));
    }
    let worth = 0.3 + 0.7 / (importing.len().max(1) as f64).sqrt();
    for (id, code) in importing {
        if let Some(one) = found.get_mut(&id) {
            one.signals.imports = worth;
            one.imported = Some(code);
        }
    }
    Ok(())
}

/// By the commits that the index keeps: how often both changed, against how often each did.
fn add_together(
    snapshot: &Snapshot<'_>,
    subject: &Subject,
    tests: &BTreeMap<i64, &FileRow>,
    found: &mut BTreeMap<i64, Found>,
) -> Result<(), EngineError> {
    let by_path: BTreeMap<&str, i64> = tests.iter().map(|(id, file)| (file.path.as_str(), *id)).collect();
    let code: BTreeSet<&str> = subject.files.iter().map(RepoPath::as_str).collect();
    let mut both: BTreeMap<i64, u32> = BTreeMap::new();
    let mut alone: BTreeMap<i64, u32> = BTreeMap::new();
    let mut n_code = 0u32;
    for commit in snapshot.commits()? {
        let is_code = commit.paths.iter().any(|path| code.contains(path.as_str()));
        n_code += u32::from(is_code);
        for id in commit.paths.iter().filter_map(|path| by_path.get(path.as_str())) {
            *alone.entry(*id).or_default() += 1;
            if is_code {
                *both.entry(*id).or_default() += 1;
            }
        }
    }
    for (id, n) in both {
        if let Some(one) = found.get_mut(&id) {
            let each = f64::from(alone[&id] + 1) * f64::from(n_code + 1);
            one.signals.together = f64::from(n) / each.sqrt();
            one.n_together = (n, n_code);
        }
    }
    Ok(())
}

/// Words of the touched names and of the changed lines, by how few test files have them.
fn add_words(
    snapshot: &Snapshot<'_>,
    subject: &Subject,
    found: &mut BTreeMap<i64, Found>,
) -> Result<(), EngineError> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    let mut add = |text: &str, weight: f64| {
        each_word(text, &mut |word| {
            if word.len() > 2 && !word.chars().all(|c| c.is_ascii_digit()) {
                let known = counts.entry(stemmed(&word.to_lowercase())).or_insert(0.0);
                *known = (*known + weight).min(3.0);
            }
        });
    };
    for row in subject.rows.iter().take(FOLLOWED) {
        row.names.iter().for_each(|name| add(name, 2.0));
    }
    subject
        .changed_text
        .lines()
        .take(2_000)
        .for_each(|line| add(line, 0.5));
    let words: Vec<(String, f64)> = counts.into_iter().collect();
    let terms: Vec<String> = words.iter().map(|(word, _)| word.clone()).collect();
    let text = snapshot.text();
    let postings = text.postings(&terms, &|_, _, _| 1.0)?;
    let files = text.files();
    let n_tests = found.len() as u64;
    let mut telling: Vec<(f64, BTreeSet<i64>)> = Vec::new();
    for ((_, weight), list) in words.iter().zip(&postings) {
        let holding = list
            .iter()
            .filter_map(|(doc, _)| files.get(*doc as usize).map(|file| i64::from(*file)));
        let holding: BTreeSet<i64> = holding.filter(|id| found.contains_key(id)).collect();
        if !holding.is_empty() {
            let rarity = f64::from(bm25::idf(n_tests, holding.len() as u64));
            telling.push((weight * rarity, holding));
        }
    }
    telling.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    telling.truncate(WORDS);
    let all: f64 = telling.iter().map(|(weight, _)| weight).sum();
    for (weight, holding) in telling {
        for id in holding {
            if let Some(one) = found.get_mut(&id) {
                one.signals.words += weight / all.max(1e-9);
            }
        }
    }
    Ok(())
}

/// The nearest chunk of each test file to any touched definition.
fn add_similar(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    subject: &Subject,
    tests: &BTreeMap<i64, &FileRow>,
    found: &mut BTreeMap<i64, Found>,
) {
    let Some((vectors, _)) = embed::vectors(engine, snapshot) else {
        return;
    };
    let rows: Vec<usize> = subject
        .rows
        .iter()
        .take(8)
        .filter_map(|row| vectors.row(row.at))
        .collect();
    for (id, one) in found.iter_mut() {
        let Some(of_test) = tests[id].parse.and_then(|parse| vectors.rows(*id, parse)) else {
            continue;
        };
        let near = of_test.flat_map(|test| rows.iter().map(move |row| (test, *row)));
        let near = near
            .map(|(test, row)| f64::from(vectors.similarity(test, row)))
            .fold(0.0, f64::max);
        one.signals.similar = near.clamp(0.0, 1.0);
    }
}
