//! What holds for any text in any language (IDX-15 to IDX-18), tested with fixtures, mutations of them, and noise.

use std::time::Duration;

use kitbag_types::{Chunk, Link, LinkKind, Parsed, Symbol, SymbolKind};
use proptest::prelude::*;

use super::fixture;
use crate::{ChunkSettings, Clock, LANGUAGES, Language, parse, parse_within};

/// IDX-17: in order, disjoint, on line boundaries, every non-blank line exactly once, bytes and lines in agreement.
pub(super) fn check(text: &str, language: Option<&Language>, settings: &ChunkSettings) -> Parsed {
    check_within(text, language, settings, || Duration::ZERO)
}

pub(super) fn check_within(
    text: &str,
    language: Option<&Language>,
    settings: &ChunkSettings,
    clock: Clock,
) -> Parsed {
    let name = language.map_or("none", |language| language.name);
    let parsed = parse_within(text, language, settings, clock);
    let lines: Vec<&str> = text.split('\n').collect();
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let mut covered = vec![0_u32; lines.len()];
    let mut last_end = 0;
    for chunk in &parsed.chunks {
        let (first, last) = (chunk.lines.start() as usize - 1, chunk.lines.end() as usize - 1);
        assert!(
            last < lines.len(),
            "{name}: lines of {} end behind the file",
            chunk.label
        );
        assert_eq!(chunk.bytes.start, starts[first], "{name}: {}", chunk.label);
        let expected = text[starts[first]..starts[last] + lines[last].len()].trim_end_matches('\r');
        assert_eq!(
            text[chunk.bytes.clone()].trim_end_matches('\r'),
            expected,
            "{name}: {}",
            chunk.label
        );
        assert!(chunk.bytes.end <= starts[last] + lines[last].len(), "{name}");
        assert!(
            !lines[first].trim().is_empty() && !lines[last].trim().is_empty(),
            "{name}: blank edge"
        );
        covered[first..=last].iter_mut().for_each(|n| *n += 1);
        if settings.overlap_percent == 0 {
            assert!(
                first >= last_end,
                "{name}: chunk {} begins inside the one before",
                chunk.label
            );
        }
        last_end = last + 1;
        assert!(
            chunk.part.0 >= 1 && chunk.part.0 <= chunk.part.1,
            "{name}: part {:?}",
            chunk.part
        );
        assert!(
            !chunk.label.is_empty() && chunk.label.chars().count() <= 260,
            "{name}: {:?}",
            chunk.label
        );
    }
    for (idx, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let fine = if settings.overlap_percent == 0 {
            covered[idx] == 1
        } else {
            covered[idx] >= 1
        };
        assert!(
            fine,
            "{name}: line {} is in {} chunks: {line:?}",
            idx + 1,
            covered[idx]
        );
    }
    for symbol in &parsed.symbols {
        assert!(
            symbol.lines.end() as usize <= lines.len(),
            "{name}: {}",
            symbol.name
        );
        assert!(
            symbol.lines.contains(symbol.name_line),
            "{name}: {} {:?}",
            symbol.name,
            symbol.lines
        );
        assert!(symbol.signature.chars().count() <= 200);
    }
    for (class, chunk) in classes(&parsed) {
        let kind = language.map(|language| language.kinds.container);
        assert_eq!(
            Some(chunk.kind),
            kind,
            "{name}: {} begins in {}",
            class.name,
            chunk.label
        );
    }
    for link in &parsed.links {
        assert!(link.from.is_none_or(|idx| (idx as usize) < parsed.symbols.len()));
        assert!(link.line as usize <= lines.len() && link.count >= 1);
    }
    // Inherited types have their own order.
    let name = |link: &Link| match link.kind {
        LinkKind::Inherit => String::new(),
        _ => link.name.clone(),
    };
    assert!(
        parsed
            .links
            .is_sorted_by_key(|link| (link.from, link.kind, name(link)))
    );
    for link in &parsed.links {
        assert_eq!(link.count as usize, 1 + link.more_lines.len());
        assert!(link.more_lines.iter().all(|line| *line >= link.line));
    }
    parsed
}

/// The classes, interfaces and enums outside functions and values, each with the chunk that it starts in.
fn classes(parsed: &Parsed) -> Vec<(&Symbol, &Chunk)> {
    let is_class = |symbol: &&Symbol| {
        matches!(
            symbol.kind,
            SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum
        )
    };
    let is_local = |class: &Symbol| {
        let mut values = parsed.symbols.iter().filter(|symbol| !symbol.kind.is_container());
        values
            .any(|value| value.lines.start() <= class.lines.start() && class.lines.end() <= value.lines.end())
    };
    let all = parsed.symbols.iter().filter(is_class);
    all.filter(|class| !is_local(class))
        .filter_map(|class| {
            let chunk = parsed
                .chunks
                .iter()
                .find(|chunk| chunk.lines.contains(class.lines.start()))?;
            Some((class, chunk))
        })
        .collect()
}

/// The chunk of a class starts at its head, or at the head of what contains or precedes it (IDX-18).
fn check_heads(parsed: &Parsed, language: &Language) {
    for (class, chunk) in classes(parsed) {
        let start = chunk.lines.start();
        let is_head = |symbol: &Symbol| symbol.kind.is_container() && symbol.lines.start() == start;
        assert!(
            chunk.part.0 > 1 || parsed.symbols.iter().any(is_head),
            "{}: {} stands in {} {:?}, which starts at no head",
            language.name,
            class.name,
            chunk.label,
            chunk.lines
        );
    }
}

fn settings(max_tokens: u32, min_tokens: u32, overlap_percent: u32) -> ChunkSettings {
    ChunkSettings {
        max_tokens: Some(max_tokens),
        min_tokens: Some(min_tokens),
        overlap_percent,
    }
}

#[test]
fn idx_17_holds_for_every_fixture_at_every_limit() {
    for language in LANGUAGES {
        let (_, text) = fixture(language);
        for max_tokens in [1, 7, 30, 80, 200, 600, 2_000] {
            for min_tokens in [0, 10, 100] {
                check(&text, Some(language), &settings(max_tokens, min_tokens, 0));
            }
        }
        check(&text, Some(language), &settings(60, 10, 15));
        check(
            &text.replace('\n', "\r\n"),
            Some(language),
            &ChunkSettings::default(),
        );
    }
}

#[test]
fn idx_18_a_class_starts_in_a_chunk_of_classes_at_every_limit() {
    for language in LANGUAGES {
        let (_, text) = fixture(language);
        for max_tokens in [20, 40, 80, 200, 600, 2_000] {
            for min_tokens in [0, 30, 100] {
                let parsed = check(&text, Some(language), &settings(max_tokens, min_tokens, 0));
                if language.kinds == crate::ChunkKinds::CODE {
                    check_heads(&parsed, language);
                }
            }
        }
    }
}

/// If a class is too large for one chunk and its head too small for one, its members join the head, not the reverse.
#[test]
fn idx_18_the_head_of_a_class_is_not_its_first_member() {
    let body = "        total = self.add(total, value, other)\n".repeat(8);
    let text = format!(
        "import x\n\nclass Small(Exception):\n    pass\n\ndef after():\n    return 1\n\n\
         class Large(Base):\n    limit = 10\n\n    def first(self):\n{body}\n    def second(self):\n{body}"
    );
    let parsed = check(&text, crate::by_name("python"), &settings(150, 50, 0));
    let shown: Vec<String> = parsed
        .chunks
        .iter()
        .map(|chunk| {
            format!(
                "{}-{} {} {}",
                chunk.lines.start(),
                chunk.lines.end(),
                chunk.kind.as_str(),
                chunk.label
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "1-1 code_block imports",
            "3-4 code_class Small",
            "6-7 code_function after",
            "9-20 code_class Large, Large::limit, first",
            "22-30 code_function Large::second",
        ]
    );
}

/// A part says which part of how many it is, and its path leads to the definition, whose head is its first lines.
#[test]
fn idx_18_a_part_knows_its_definition() {
    for language in LANGUAGES
        .iter()
        .filter(|language| language.kinds == crate::ChunkKinds::CODE)
    {
        let (_, text) = fixture(language);
        let parsed = parse(&text, Some(language), &settings(20, 0, 0));
        for chunk in parsed.chunks.iter().filter(|chunk| chunk.part.1 > 1) {
            let same =
                |other: &&Chunk| other.symbol_path == chunk.symbol_path && other.part.1 == chunk.part.1;
            let n_parts = parsed.chunks.iter().filter(same).count();
            assert!(
                n_parts >= chunk.part.1 as usize,
                "{}: {}",
                language.name,
                chunk.label
            );
            let holds = |symbol: &&Symbol| {
                symbol.qualified() == chunk.symbol_path
                    && symbol.lines.start() <= chunk.lines.start()
                    && chunk.lines.end() <= symbol.lines.end()
            };
            // A scope is not a symbol: its parts have a path and no definition.
            let Some(symbol) = parsed.symbols.iter().find(holds) else {
                continue;
            };
            if chunk.part.0 == 1 {
                assert!(chunk.lines.start() <= symbol.name_line, "{}", chunk.label);
            }
        }
    }
}

#[test]
fn idx_16_same_text_same_result_whatever_was_parsed_before() {
    for language in LANGUAGES {
        let (_, text) = fixture(language);
        let first = parse(&text, Some(language), &ChunkSettings::default());
        parse(
            "{{{{ unfinished \" ' `",
            Some(language),
            &ChunkSettings::default(),
        );
        assert_eq!(
            first,
            parse(&text, Some(language), &ChunkSettings::default()),
            "{}",
            language.name
        );
    }
}

/// What is below an edit keeps its path and its text, and so its id (IDX-16).
#[test]
fn idx_16_chunks_below_an_edit_keep_path_and_text() {
    for language in LANGUAGES {
        let (_, text) = fixture(language);
        let settings = settings(120, 0, 0);
        let key = |text: &str| -> Vec<(String, String)> {
            let parsed = parse(text, Some(language), &settings);
            parsed
                .chunks
                .into_iter()
                .map(|chunk| (chunk.symbol_path, text[chunk.bytes].to_owned()))
                .collect()
        };
        let before = key(&text);
        let after = key(&format!("\n\n{text}"));
        let kept = before.iter().filter(|chunk| after.contains(chunk)).count();
        assert!(
            kept + 1 >= before.len(),
            "{}: {kept} of {} kept",
            language.name,
            before.len()
        );
    }
}

/// Pieces of syntax of many languages, so that noise gets past the lexer.
fn noise() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "fn ",
        "def ",
        "class ",
        "impl ",
        "function ",
        "x",
        "Foo",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        "\n",
        "\n\n",
        "\r\n",
        "  ",
        "\t",
        ":",
        ";",
        ",",
        ".",
        "::",
        "=>",
        "=",
        "\"",
        "'",
        "`",
        "\"\"\"",
        "//",
        "/*",
        "*/",
        "#",
        "# ",
        "## ",
        "```\n",
        "---\n",
        "===\n",
        "|",
        "> ",
        "@",
        "export ",
        "import ",
        "from ",
        "use ",
        "pub ",
        "1",
        "é",
        "漢字",
        "\u{0}",
        "\u{feff}",
        "\u{2028}",
        "🦀",
        "<!--",
        "-->",
        "- ",
        "end\n",
        "do\n",
        "$",
        "\\",
        "return ",
        "type ",
        "struct ",
    ]);
    prop::collection::vec(word, 0..120).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn idx_17_holds_for_noise(text in noise(), idx in any::<prop::sample::Index>(), max in 1_u32..200) {
        check(&text, Some(&LANGUAGES[idx.index(LANGUAGES.len())]), &settings(max, max / 4, 0));
        check(&text, None, &settings(max, 0, 0));
    }

    #[test]
    fn idx_17_holds_for_any_text(text in any::<String>(), idx in any::<prop::sample::Index>()) {
        check(&text, Some(&LANGUAGES[idx.index(LANGUAGES.len())]), &ChunkSettings::default());
    }

    #[test]
    fn idx_17_holds_for_mutated_fixtures(
        idx in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), noise()), 1..4),
        max in 1_u32..400,
    ) {
        let language = &LANGUAGES[idx.index(LANGUAGES.len())];
        let (_, mut text) = fixture(language);
        for (from, length, with) in edits {
            let from = text.floor_char_boundary(from.index(text.len() + 1));
            let to = text.floor_char_boundary((from + length.index(80)).min(text.len())).max(from);
            text.replace_range(from..to, &with);
        }
        check(&text, Some(language), &settings(max, max / 5, 0));
    }
}
