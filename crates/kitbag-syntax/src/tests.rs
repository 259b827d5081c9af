//! Loops over the table: every language has a query that compiles, a fixture, and a snapshot of its result. A new language needs no
//! code here. `laws` tests what holds for any text.

mod formats;
mod fuzz;
mod hostile;
mod laws;

use std::fmt::Write as _;

use kitbag_types::{Parsed, RepoPath};

use crate::grammar::Grammar;
use crate::{ChunkSettings, LANGUAGES, Language, language_of, parse};

/// The fixture of a language: `fixtures/<name>.<first extension>`.
fn fixture(language: &Language) -> (RepoPath, String) {
    let extension = language.extensions.first().copied().unwrap_or("txt");
    let name = format!("{}.{extension}", language.name);
    let path = format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    (RepoPath::new(name).unwrap(), text)
}

#[expect(
    clippy::disallowed_methods,
    reason = "fixtures are looked up by the table, so that a row needs no code"
)]
fn read(path: &str) -> std::io::Result<String> {
    std::fs::read_to_string(path)
}

/// Chunks, symbols and links as lines of text.
fn show(parsed: &Parsed) -> String {
    let mut out = String::from("== chunks\n");
    for chunk in &parsed.chunks {
        let lines = format!("{}-{}", chunk.lines.start(), chunk.lines.end());
        let _ = write!(out, "{lines} {} `{}`", chunk.kind.as_str(), chunk.label);
        if chunk.part != (1, 1) {
            let _ = write!(out, " part {}/{}", chunk.part.0, chunk.part.1);
        }
        let _ = writeln!(
            out,
            "\n    path: {}\n    names: {}",
            chunk.symbol_path,
            chunk.names.join(" ")
        );
        if !chunk.docs.is_empty() {
            let _ = writeln!(out, "    docs: {}", chunk.docs.replace('\n', " / "));
        }
        let _ = writeln!(out, "    capsule: {}", chunk.capsule);
    }
    out.push_str("== symbols\n");
    for symbol in &parsed.symbols {
        let lines = format!(
            "{}-{}@{}",
            symbol.lines.start(),
            symbol.lines.end(),
            symbol.name_line
        );
        let _ = write!(
            out,
            "{lines} {} {} ",
            symbol.visibility.as_str(),
            symbol.kind.as_str()
        );
        let _ = writeln!(out, "{} | {}", symbol.qualified(), symbol.signature);
        if !symbol.doc.is_empty() {
            let _ = writeln!(out, "    {}", symbol.doc);
        }
        if !symbol.declared.is_empty() {
            let _ = writeln!(out, "    declared: {}", symbol.declared.replace('\n', " / "));
        }
    }
    out.push_str("== links\n");
    for link in &parsed.links {
        let from = link.from.map_or("(file)".to_owned(), |idx| {
            parsed.symbols[idx as usize].qualified()
        });
        let times = if link.count > 1 {
            format!(" x{}", link.count)
        } else {
            String::new()
        };
        let path = link
            .path
            .as_ref()
            .map_or(String::new(), |path| format!(" by `{path}`"));
        let _ = writeln!(
            out,
            "{from} {} {} @{}{times}{path}",
            link.kind.as_str(),
            link.name,
            link.line
        );
    }
    for note in &parsed.notes {
        let _ = writeln!(out, "== note {}: {}", note.code, note.message);
    }
    out
}

#[test]
fn idx_13_table_is_sorted_and_unambiguous() {
    let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    let mut claims: Vec<&str> = LANGUAGES
        .iter()
        .flat_map(|language| language.extensions)
        .copied()
        .collect();
    claims.sort_unstable();
    assert!(
        claims.windows(2).all(|pair| pair[0] != pair[1]),
        "an extension has two languages: {claims:?}"
    );
}

#[test]
fn idx_13_every_query_compiles() {
    let faults: Vec<String> = LANGUAGES
        .iter()
        .filter_map(|row| Grammar::compile(row).err())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Each fixture twice: with the default limits, and with limits so small that nearly everything must be split.
#[test]
fn idx_10_fixtures_give_the_chunks_symbols_and_links_of_their_snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for language in LANGUAGES {
            let (path, text) = fixture(language);
            assert_eq!(
                language_of(&path, "").map(|found| found.name),
                Some(language.name)
            );
            let parsed = parse(&text, Some(language), &ChunkSettings::default());
            assert!(parsed.notes.is_empty(), "{}: {:?}", language.name, parsed.notes);
            let small = ChunkSettings {
                max_tokens: Some(80),
                min_tokens: Some(15),
                overlap_percent: 0,
            };
            let cut = parse(&text, Some(language), &small);
            let mut shown = show(&parsed);
            shown.push_str("== chunks of at most 80 tokens\n");
            for chunk in &cut.chunks {
                let (from, to) = (chunk.lines.start(), chunk.lines.end());
                let part = if chunk.part == (1, 1) {
                    String::new()
                } else {
                    format!(" part {:?}", chunk.part)
                };
                let _ = writeln!(
                    shown,
                    "{from}-{to} {} `{}`{part}",
                    chunk.kind.as_str(),
                    chunk.label
                );
            }
            insta::assert_snapshot!(language.name, shown);
        }
    });
}

/// Checks that fixtures parse: a fixture that its grammar cannot read tests little.
#[test]
fn idx_13_fixtures_parse_without_errors() {
    for language in LANGUAGES {
        let (_, text) = fixture(language);
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&(language.grammar)()).unwrap();
        let tree = parser.parse(&text, None).unwrap();
        assert!(
            !tree.root_node().has_error(),
            "{}: {}",
            language.name,
            tree.root_node().to_sexp()
        );
    }
}
