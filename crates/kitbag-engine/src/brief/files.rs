//! Key files (INS-6) as insights: what each defines, how often it changes, and, in depth, its signatures.

use std::collections::BTreeSet;

use kitbag_pack::{BriefSection, Code, Depth, Insight, InsightPlace};
use kitbag_store::SymbolRow;
use kitbag_types::{RepoPath, SymbolKind};

use super::Ground;
use super::coupling::History;
use super::prove::Told;
use crate::EngineError;
use crate::central::{KeyRank, key_ranks};
use crate::conventions::classes;

/// What is told at most (INS-6).
const KEY_FILES: usize = 10;
/// Names of a file that are told.
const NAMES: usize = 5;
/// Signatures of a file that are shown.
const SIGNATURES: usize = 10;
const MOST_CHARS: usize = 120;

/// A key file with what it defines.
pub(super) struct KeyFile {
    pub rank: KeyRank,
    /// Of the outermost definitions, what others may use; all of them where nothing is marked so.
    defines: Vec<SymbolRow>,
}

/// The files of `is_asked` that the rest leans on and that change most, best first.
pub(super) fn key_files(
    ground: Ground<'_>,
    is_asked: &dyn Fn(&RepoPath) -> bool,
) -> Result<Vec<KeyFile>, EngineError> {
    let ranked = ground.facts.central(ground);
    let asked: Vec<(RepoPath, f64)> = ranked
        .iter()
        .filter(|(path, _)| is_asked(path) && classes(path).is_empty())
        .cloned()
        .collect();
    let history = ground.facts.history(ground);
    let changes = |path: &RepoPath| u64::from(history.map_or(0, |history| history.changes(path)));
    let mut files = Vec::new();
    for rank in key_ranks(&asked, &changes) {
        let file = ground.snapshot.file(&rank.path)?;
        let symbols = match file.and_then(|file| Some((file.id, file.parse?))) {
            Some((id, parse)) => ground.snapshot.symbols_of(id, parse)?,
            None => Vec::new(),
        };
        // `.gitignore` and a Dockerfile change often, and nobody starts to read there.
        if symbols.is_empty() {
            continue;
        }
        let defines = outermost(symbols);
        files.push(KeyFile { rank, defines });
        if files.len() == KEY_FILES {
            break;
        }
    }
    Ok(files)
}

fn outermost(symbols: Vec<SymbolRow>) -> Vec<SymbolRow> {
    let is_outer = |symbol: &SymbolRow| {
        // What a name is bound to says less about a file than what it defines.
        let is_defined = matches!(
            symbol.kind,
            SymbolKind::Function
                | SymbolKind::Method
                | SymbolKind::Class
                | SymbolKind::Interface
                | SymbolKind::Enum
                | SymbolKind::Macro
        );
        let is_type = symbol.kind == SymbolKind::Type && !symbol.signature.contains('=');
        (is_defined || is_type) && symbol.container.is_empty()
    };
    let outer: Vec<SymbolRow> = symbols.into_iter().filter(is_outer).collect();
    match outer.iter().any(|symbol| symbol.exported) {
        true => outer.into_iter().filter(|symbol| symbol.exported).collect(),
        false => outer,
    }
}

/// Types first: they say more about a file than its functions do.
pub(super) fn names(file: &KeyFile) -> Vec<&str> {
    let is_type = |symbol: &&SymbolRow| !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
    let (types, others): (Vec<&SymbolRow>, Vec<&SymbolRow>) =
        file.defines.iter().partition(|symbol| is_type(symbol));
    let mut named: Vec<&str> = Vec::new();
    for symbol in types.into_iter().chain(others) {
        if !named.contains(&symbol.name.as_str()) {
            named.push(&symbol.name);
        }
    }
    named.truncate(NAMES);
    named
}

/// One line per file; with signatures if `with_signatures`, else those follow on their own in depth.
pub(super) fn insights(ground: Ground<'_>, files: &[KeyFile], with_signatures: bool) -> Vec<Told> {
    let history = ground.facts.history(ground);
    let mut told = Vec::new();
    for file in files {
        let path = &file.rank.path;
        let names = names(file);
        let defines = match names.is_empty() {
            true => String::new(),
            false => format!("defines {}", names.join(", ")),
        };
        let changed = history.map_or_else(String::new, |history| changed(history, path));
        let text = match (defines.is_empty(), changed.is_empty()) {
            (false, false) => format!("{defines}; {changed}"),
            (true, true) => "central to the rest".to_owned(),
            _ => format!("{defines}{changed}"),
        };
        let mut insight = Insight::new(
            BriefSection::KeyFiles,
            "architectural",
            format!("key {path}"),
            text,
        );
        insight.place = Some(whole(path));
        insight.from = Depth::Standard;
        insight.confidence = file.rank.score.clamp(0.0, 1.0);
        insight.occurrences = file.rank.changes;
        let signatures = signatures(file);
        if with_signatures {
            insight.code = signatures.clone();
        }
        told.push(Told::new(insight.clone()).proved_by(
            path,
            0,
            names.iter().map(|name| (*name).to_owned()).collect(),
        ));
        if let Some(code) = signatures.filter(|_| !with_signatures) {
            let mut detail = Insight {
                id: format!("signatures {path}"),
                section: BriefSection::Examples,
                text: "its signatures".to_owned(),
                code: Some(code),
                from: Depth::Deep,
                ..insight
            };
            detail.confidence *= 0.9;
            told.push(Told::new(detail).proved_by(path, 0, Vec::new()));
        }
    }
    told
}

fn changed(history: &History, path: &RepoPath) -> String {
    match (history.changes(path), history.n_commits()) {
        (0, _) => String::new(),
        (n, of) => format!("changed in {n} of the last {of} commits"),
    }
}

/// What others may use of a file, a line each.
fn signatures(file: &KeyFile) -> Option<Code> {
    let language = &file.defines.first()?.language;
    // Overloads and implementations of one name are one line.
    let mut known = BTreeSet::new();
    let lines: Vec<String> = file
        .defines
        .iter()
        .filter(|symbol| !symbol.signature.trim().is_empty() && known.insert(symbol.name.as_str()))
        .take(SIGNATURES)
        .map(|symbol| one_line(&symbol.signature))
        .collect();
    (!lines.is_empty()).then(|| Code {
        language: language.clone(),
        text: lines.join("\n"),
    })
}

fn one_line(signature: &str) -> String {
    let line = signature.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn whole(path: &RepoPath) -> InsightPlace {
    InsightPlace {
        path: path.to_string(),
        line: 0,
    }
}
