//! Worlds for the laws: files, pieces cut out of them, and texts that are no files, from a seed. Half of the lines try to
//! be mistaken for something that the pack says itself.

use std::collections::BTreeMap;

use kitbag_testkit::random::Random;
use kitbag_types::{ChunkKind, LineRange, Stop};

use super::text::{ODD_PATHS, code_line, odd_line};
use crate::{
    Brief, Delivered, Format, Intent, Origin, Pack, PackError, PackOptions, Piece, Resolution, Role, Session,
    Style, Template, choose, runs_of, write,
};

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

pub(super) const SMALL: Sizes = Sizes {
    n_files: 4,
    n_pieces: 9,
    n_lines: 30,
    odd: 40,
};

pub(super) fn world(random: &mut Random, sizes: Sizes) -> World {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for n in 0..sizes.n_files {
        let odd = sizes.odd > 0 && random.chance(30);
        let path = if odd {
            random.pick(ODD_PATHS).to_owned()
        } else {
            format!("src/part{}/file_{n}.rs", n % 3)
        };
        let n_lines = 1 + random.below(sizes.n_lines * 2);
        files.insert(path, (0..n_lines).map(|_| line(random, sizes.odd)).collect());
    }
    let paths: Vec<String> = files.keys().cloned().collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for n in 0..sizes.n_pieces {
        let kind = random.below(100);
        if kind < 8 {
            let text: Vec<String> = (0..1 + random.below(12))
                .map(|_| line(random, sizes.odd))
                .collect();
            let mut piece = piece_of(random, n, "git diff", 1, &text);
            (piece.is_file, piece.origin, piece.kind) = (false, Origin::ToolResult, ChunkKind::Paragraph);
            (piece.given, piece.above, piece.part) = (n as u32 + 1, Vec::new(), None);
            piece.is_log = random.chance(50);
            pieces.push(piece);
        } else if kind < 18 && !pieces.is_empty() {
            // A copy, the same or with an edit, in a file of its own.
            let text = &pieces[random.below(pieces.len())].text;
            let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
            if random.chance(70) {
                lines.push(line(random, sizes.odd));
            }
            let path = format!("copies/{n}.rs");
            pieces.push(piece_of(random, n, &path, 1, &lines));
            files.insert(path, lines);
        } else {
            let path = random.pick(&paths);
            let lines = &files[&path];
            let start = random.below(lines.len());
            let end = (start + 1 + random.below(sizes.n_lines)).min(lines.len());
            let mut piece = piece_of(random, n, &path, start as u32 + 1, &lines[start..end]);
            piece.blank_after = lines[end..].iter().take_while(|line| line.is_empty()).count() as u32;
            if start > 0 && random.chance(25) {
                // Part of a definition that begins before it.
                let head = random.below(start);
                piece.above = vec![(head as u32 + 1, lines[head].clone())];
                piece.part = Some((2, 2 + random.below(3) as u32));
            }
            if random.chance(10) {
                let first = piece.lines.start() + random.below(end - start) as u32;
                let last = first + random.below((piece.lines.end() - first + 1) as usize) as u32;
                (piece.asked, piece.pinned) = (vec![LineRange::new(first, last)], true);
            }
            pieces.push(piece);
        }
    }
    let task = if random.chance(50) {
        odd_line(random)
    } else {
        "fix how the parser reads its config".to_owned()
    };
    let hints = (0..random.below(4)).map(|_| odd_line(random)).collect();
    World {
        task,
        pieces,
        files,
        hints,
    }
}

fn line(random: &mut Random, odd: usize) -> String {
    let line = if random.chance(odd) {
        odd_line(random)
    } else {
        code_line(random)
    };
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
    let focus =
        (0..random.below(6)).map(|n| (first + random.below(lines.len() + 2) as u32, 1.0 / (n + 1) as f32));
    let focus = focus.collect();
    Piece {
        id: format!("{:016x}", random.next_u64()),
        path: path.to_owned(),
        is_file: true,
        given: 0,
        lines: LineRange::new(first, last),
        text: lines.join("\n"),
        tokens: None,
        blank_after: 0,
        language: random
            .pick(&["rust", "python", "c++", "", "a b", "`", "x\n"])
            .to_owned(),
        line_comments: &["//"],
        kind: random.pick(&ChunkKind::ALL),
        label: if random.chance(20) {
            odd_line(random)
        } else {
            format!("Thing::part_{n}")
        },
        names: (0..random.below(3)).map(|n| format!("name_{n}")).collect(),
        origin: random.pick(&Origin::ALL),
        role: random.pick(&[
            Role::Code,
            Role::Code,
            Role::Test,
            Role::Manifest,
            Role::Config,
            Role::Docs,
        ]),
        relevance: random.below(1000) as f64 / 1000.0,
        recency: random.below(1000) as f64 / 1000.0,
        pinned: random.chance(5),
        asked: Vec::new(),
        is_log: false,
        named: random.chance(5),
        pulled_by: random.chance(10).then(|| "used by `x`".to_owned()),
        note: if random.chance(10) {
            "changed 3–4".to_owned()
        } else {
            String::new()
        },
        heads,
        above: Vec::new(),
        part: None,
        summary: (0..random.below(2))
            .map(|_| first + random.below(lines.len()) as u32)
            .collect(),
        focus,
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
    piece.note.clear();
    piece.heads = vec![LineRange::new(first, first)];
    (piece.summary, piece.focus) = (Vec::new(), Vec::new());
    piece
}

/// Options by chance, with any format, or a template.
pub(super) fn options(random: &mut Random, budget: usize) -> PackOptions {
    let template = random.chance(10).then(|| template(random.pick(TEMPLATES)));
    let mut options = PackOptions::new(
        budget,
        Style {
            format: random.pick(&Format::ALL),
            template,
            line_numbers: random.chance(30),
        },
    );
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

pub(super) fn template(text: &str) -> Template {
    Template::parse(text).unwrap()
}

pub(super) fn style(format: Format) -> Style {
    Style {
        format,
        template: None,
        line_numbers: false,
    }
}

/// What a pack is made for, by a reader who has seen nothing.
pub(super) fn brief<'b>(
    task: &'b str,
    options: &'b PackOptions,
    count: &'b dyn Fn(&str) -> usize,
) -> Brief<'b> {
    Brief {
        task,
        told: &[],
        options,
        session: None,
        count,
        stop: Stop::never(),
    }
}

/// The whole way, with these hints.
pub(super) fn pack(
    task: &str,
    pieces: Vec<Piece>,
    options: &PackOptions,
    count: &dyn Fn(&str) -> usize,
    hints: &[String],
) -> Result<Pack, PackError> {
    write(choose(pieces, brief(task, options, count))?, hints.to_vec())
}

/// The same for a reader who has seen what a session delivered.
pub(super) fn pack_again(
    pieces: Vec<Piece>,
    brief: Brief<'_>,
    session: Session<'_>,
    hints: &[String],
) -> Pack {
    let brief = Brief {
        session: Some(session),
        ..brief
    };
    let made = choose(pieces, brief).and_then(|chosen| write(chosen, hints.to_vec()));
    made.unwrap_or_else(|error| panic!("{error}"))
}

/// The pack of a world, its hints offered.
pub(super) fn packed(world: &World, options: &PackOptions, count: &dyn Fn(&str) -> usize) -> Pack {
    let made = pack(&world.task, world.pieces.clone(), options, count, &world.hints);
    made.unwrap_or_else(|error| panic!("{error}"))
}

/// The pack of a world, half of the time for a reader who had some of it before, as it is now or as it was.
pub(super) fn packed_sometimes_again(
    random: &mut Random,
    world: &World,
    options: &PackOptions,
    count: &dyn Fn(&str) -> usize,
) -> Pack {
    if random.chance(50) {
        return packed(world, options, count);
    }
    let earlier = earlier(random, world);
    let session = Session {
        delivered: &earlier,
        intent: random.pick(&Intent::ALL),
        hash: &line_hash,
    };
    let brief = brief(&world.task, options, count);
    pack_again(world.pieces.clone(), brief, session, &world.hints)
}

/// Deliveries of some of the pieces, whole or in parts, some of them before an edit or where they do not stand any more.
pub(super) fn earlier(random: &mut Random, world: &World) -> Vec<Delivered> {
    let mut all = Vec::new();
    for piece in world
        .pieces
        .iter()
        .filter(|_| random.chance(60))
        .collect::<Vec<_>>()
    {
        let lines = if random.chance(60) {
            vec![piece.lines]
        } else {
            let middle = piece.lines.start() + random.below(piece.lines.n_lines() as usize) as u32;
            let first = LineRange::new(piece.lines.start(), middle);
            let second = (middle < piece.lines.end()).then(|| LineRange::new(middle + 1, piece.lines.end()));
            [Some(first), second].into_iter().flatten().collect()
        };
        for (line_start, mut hashes) in runs_of(piece, &lines, &line_hash) {
            if random.chance(15) {
                let idx = random.below(hashes.len());
                hashes[idx] ^= 1;
            }
            all.push(Delivered {
                answer: 1 + random.below(4) as u32,
                path: piece.path.clone(),
                label: piece.label.clone(),
                line_start: line_start + if random.chance(15) { 3 } else { 0 },
                hashes,
                resolution: random.pick(&[Resolution::Full, Resolution::Outline, Resolution::Signature]),
                intent: random.pick(&Intent::ALL),
            });
        }
    }
    all
}

pub(super) fn line_hash(line: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
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
