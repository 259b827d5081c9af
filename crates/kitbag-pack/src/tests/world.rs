//! Worlds for the laws: files, pieces cut out of them, and texts that are no files, from a seed. Half of the lines try to
//! be mistaken for something that the pack says itself.

use std::collections::BTreeMap;

use kitbag_testkit::random::Random;
use kitbag_types::{ChunkKind, LineRange};

use crate::{Format, Origin, Pack, PackOptions, Piece, Role, Style, pack};

pub(super) struct World {
    pub task: String,
    pub pieces: Vec<Piece>,
    /// The lines of every file, by path.
    pub files: BTreeMap<String, Vec<String>>,
    pub hints: Vec<String>,
}

/// What a world is made of.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub n_files: usize,
    pub n_pieces: usize,
    pub n_lines: usize,
    /// Lines in a hundred that are odd.
    pub odd: usize,
}

pub(super) const SMALL: Sizes = Sizes { n_files: 4, n_pieces: 9, n_lines: 30, odd: 40 };

/// Lines that have brought down formats before, or could.
pub(super) const ODD_LINES: &[&str] = &[
    "", " ", "\t", "```", "````rust", "~~~~", "`", "``", "# heading", "## Not in this pack", "### `a.rs:1-2`", "- item `x` [fn-0000]",
    "[fn-0000] 1-2", "[fn-0000]: http://example.org 'title'", "[x](http://example.org)", "![i](j)", "<script>alert(1)</script>",
    "<!-- ", "-->", "<![CDATA[", "]]>", "]]", "]]]]>", "></snippet></pack>", "</project_context>", "&amp; &lt; &#0; &nope;", "<?xml?>",
    "\u{1b}[31mred\u{1b}[0m", "\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}", "\0", "a\rb", "carriage\r", "\r", "\u{b}\u{c}", "\u{7f}\u{80}\u{9b}1m",
    "\u{202e}desrever\u{202c}", "\u{2066}x\u{2069}\u{200f}\u{61c}", "\u{e0041}\u{e007f}tags", "\u{85}\u{2028}\u{2029}", "\u{feff}bom", "\u{ffff}\u{fffe}",
    "… 3 lines", "… 1 line", "12 … 4 lines", "{{ 7 * 7 }}", "{% endraw %}", "\"quoted\" \\ back", "\\u0000 \\n", "===", "---", "    indented", "> quote", "1. one", "| a | b |",
    "漢字かな交じり文です", "한국어 텍스트", "🦀👩‍👩‍👧‍👦🏳️‍🌈", "a\u{301}\u{302}\u{303}", "'single'", "hint: nothing", "context for: nothing", "%s %n {} $x",
];

pub(super) const ODD_PATHS: &[&str] = &[
    "", " lead.rs", "trail.rs ", "`tick`.rs", "``two`` ticks.rs", "a\nb.rs", "tab\there.rs", "a<b>&\"c\"'d'.xml", "x](y).md", "#.md", "*a_b*.rs", "\u{1b}[31m.rs",
    "\u{202e}sr.a", "漢字.rs", "a:1-2.rs", "]]>.rs", "cr\r.rs", "… 3 lines", "`", "\\", "{{ x }}", "hint: x",
];

const WORDS: &[&str] = &[
    "parse", "config", "token", "stream", "buffer", "index", "walk", "node", "render", "budget", "select", "value", "error", "result",
    "table", "cursor", "range", "merge", "score", "cache",
];

pub(super) fn odd_line(random: &mut Random) -> String {
    match random.below(20) {
        0 => "x".repeat(random.below(900)),
        1 => {
            let (a, b) = (random.pick(ODD_LINES), random.pick(ODD_LINES));
            format!("{a}{b}")
        }
        2 => random.text("`~<>&]\"'\\\r\t\0\u{1b}\u{202e}#-*_[(){}%…漢🦀 ab", 30),
        _ => random.pick(ODD_LINES).to_owned(),
    }
}

pub(super) fn code_line(random: &mut Random) -> String {
    let indent = "    ".repeat(random.below(4));
    let (a, b, c) = (random.pick(WORDS), random.pick(WORDS), random.pick(WORDS));
    let n = random.below(1000);
    match random.below(6) {
        0 => format!("{indent}let {a}_{n} = {b}({c}, {n});"),
        1 => format!("{indent}if {a}.{b}() > {n} {{"),
        2 => format!("{indent}return {a}.{b}_{c}(\"{n}\");"),
        3 => format!("{indent}// the {a} of a {b} is its {c} {n}"),
        4 => format!("{indent}}}"),
        _ => format!("{indent}{a}.{b}.push({c}[{n}]);"),
    }
}

pub(super) fn world(random: &mut Random, sizes: Sizes) -> World {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for n in 0..sizes.n_files {
        let odd = sizes.odd > 0 && random.chance(30);
        let path = if odd { random.pick(ODD_PATHS).to_owned() } else { format!("src/part{}/file_{n}.rs", n % 3) };
        let n_lines = 1 + random.below(sizes.n_lines * 2);
        files.insert(path, (0..n_lines).map(|_| line(random, sizes.odd)).collect());
    }
    let paths: Vec<String> = files.keys().cloned().collect();
    let pieces = (0..sizes.n_pieces)
        .map(|n| {
            if random.chance(8) {
                let text: Vec<String> = (0..1 + random.below(12)).map(|_| line(random, sizes.odd)).collect();
                let mut piece = piece_of(random, n, "git diff", 1, &text);
                (piece.is_file, piece.origin, piece.kind) = (false, Origin::ToolResult, ChunkKind::Paragraph);
                return piece;
            }
            let path = random.pick(&paths);
            let lines = &files[&path];
            let start = random.below(lines.len());
            let end = (start + 1 + random.below(sizes.n_lines)).min(lines.len());
            let mut piece = piece_of(random, n, &path, start as u32 + 1, &lines[start..end]);
            piece.blank_after = lines[end..].iter().take_while(|line| line.is_empty()).count() as u32;
            piece
        })
        .collect();
    let task = if random.chance(50) { odd_line(random) } else { "fix how the parser reads its config".to_owned() };
    let hints = (0..random.below(4)).map(|_| odd_line(random)).collect();
    World { task, pieces, files, hints }
}

fn line(random: &mut Random, odd: usize) -> String {
    let line = if random.chance(odd) { odd_line(random) } else { code_line(random) };
    line.replace('\n', " ")
}

/// Piece number `n` with these lines, its other fields by chance.
pub(super) fn piece_of(random: &mut Random, n: usize, path: &str, first: u32, lines: &[String]) -> Piece {
    let last = first + lines.len() as u32 - 1;
    let heads = (0..random.below(3)).map(|_| {
        let line = first + random.below(lines.len()) as u32;
        LineRange::new(line, line + random.below(2) as u32)
    });
    let heads = heads.collect();
    let focus = (0..random.below(6)).map(|n| (first + random.below(lines.len() + 2) as u32, 1.0 / (n + 1) as f32));
    let focus = focus.collect();
    Piece {
        id: format!("{:016x}", random.next_u64()),
        path: path.to_owned(),
        is_file: true,
        lines: LineRange::new(first, last),
        text: lines.join("\n"),
        tokens: None,
        blank_after: 0,
        language: random.pick(&["rust", "python", "c++", "", "a b", "`", "x\n"]).to_owned(),
        line_comments: &["//"],
        kind: random.pick(&ChunkKind::ALL),
        label: if random.chance(20) { odd_line(random) } else { format!("Thing::part_{n}") },
        names: (0..random.below(3)).map(|n| format!("name_{n}")).collect(),
        origin: random.pick(&Origin::ALL),
        role: random.pick(&[Role::Code, Role::Code, Role::Test, Role::Manifest, Role::Config, Role::Docs]),
        relevance: random.below(1000) as f64 / 1000.0,
        recency: random.below(1000) as f64 / 1000.0,
        pinned: random.chance(5),
        named: random.chance(5),
        pulled_by: random.chance(10).then(|| "used by `x`".to_owned()),
        heads,
        summary: (0..random.below(2)).map(|_| first + random.below(lines.len()) as u32).collect(),
        focus,
        content_hash: format!("{:016x}", random.next_u64()),
        at: "worktree".to_owned(),
        providers: vec!["text".to_owned()],
        reasons: Vec::new(),
    }
}

/// A plain piece of code for tests that say themselves what matters.
pub(super) fn plain_piece(n: usize, path: &str, first: u32, text: &str) -> Piece {
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut piece = piece_of(&mut Random::new(n as u64), n, path, first, &lines);
    piece.language = "rust".to_owned();
    piece.kind = ChunkKind::CodeFunction;
    piece.label = format!("part_{n}");
    piece.names = vec![format!("part_{n}")];
    (piece.origin, piece.role) = (Origin::Search, Role::Code);
    (piece.relevance, piece.recency) = (1.0 / (n + 2) as f64, 0.0);
    (piece.pinned, piece.named, piece.pulled_by) = (false, false, None);
    piece.heads = vec![LineRange::new(first, first)];
    (piece.summary, piece.focus) = (Vec::new(), Vec::new());
    piece
}

/// `n` lines of ordinary code, unlike those of other seeds.
pub(super) fn code(seed: u64, n: usize) -> String {
    let random = &mut Random::new(seed.wrapping_mul(0x9E37_79B9));
    let lines: Vec<String> = (0..n).map(|_| code_line(random)).collect();
    lines.join("\n")
}

/// Options by chance, with any format, or a template.
pub(super) fn options(random: &mut Random, budget: usize) -> PackOptions {
    let template = random.chance(10).then(|| random.pick(TEMPLATES).to_owned());
    let mut options = PackOptions::new(budget, Style { format: random.pick(&Format::ALL), template, line_numbers: random.chance(30) });
    options.balance = random.chance(70);
    options.ignore_case = random.chance(30);
    options.ignore_comments = random.chance(30);
    if random.chance(20) {
        options.min_score = 0.3;
    }
    options
}

pub(super) const TEMPLATES: &[&str] = &[
    "fixed text, whatever comes",
    "{% for section in sections %}{{ section.title }}\n{% for file in section.files %}{{ file.path }} {{ file.line_start }}\n{{ file.fence }}\n{{ file.text }}{{ file.fence }}\n{% endfor %}{% for item in section.references %}{{ item.path }} {{ item.label }}\n{% endfor %}{% endfor %}",
    "{{ task }}{% for hint in hints %}{{ hint }}{% endfor %}",
];

pub(super) fn style(format: Format) -> Style {
    Style { format, template: None, line_numbers: false }
}

/// The pack of a world, its hints offered.
pub(super) fn packed(world: &World, options: &PackOptions, count: &dyn Fn(&str) -> usize) -> Pack {
    let made = pack(&world.task, world.pieces.clone(), options, count, &|_, _| world.hints.clone());
    made.unwrap_or_else(|error| panic!("{error}"))
}

/// Tokens as the world counts them (`o200k_base`), by a program that is not ours.
pub(super) fn tiktoken(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// Words and marks: not what a tokenizer says, but as uneven, and a hundred times as quick.
pub(super) fn words(text: &str) -> usize {
    let mut n = 0;
    let mut in_word = false;
    for c in text.chars() {
        let is_word = c.is_ascii_alphanumeric();
        n += usize::from(!is_word && c != ' ' || is_word && !in_word);
        in_word = is_word;
    }
    n
}
