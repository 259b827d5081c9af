//! Whatever comes in, nothing panics (SEC-4), and what goes out is clean (SEC-3).

use kitbag_testkit::fuzz::{Material, fuzz};
use kitbag_testkit::random::Random;
use kitbag_types::LineRange;
use kitbag_types::terms::terms_of;
use proptest::prelude::*;

use super::read::check_clean;
use super::text::odd_line;
use super::world::{TEMPLATES, pack, piece_of, plain_piece, style, template, words};
use crate::{
    Format, Intent, Origin, PackOptions, Piece, Resolution, Section, Template, citations_in, clean_text,
    coverage,
};

/// Bytes of any kind, read as text as far as they are text.
fn any_text(random: &mut Random) -> String {
    match random.below(3) {
        0 => {
            let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.next_u64() as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        1 => (0..random.below(60))
            .filter_map(|_| char::from_u32(random.next_u64() as u32 % 0x11_0000))
            .collect(),
        _ => (0..random.below(5)).map(|_| odd_line(random) + "\n").collect(),
    }
}

#[test]
fn sec_3_cleaning_leaves_nothing_hidden_and_everything_else_alone() {
    for c in (0..=0x10_ffff).filter_map(char::from_u32) {
        let text = format!("a{c}b");
        let clean = clean_text(&text);
        check_clean(&clean);
        assert!(clean.starts_with('a') && clean.ends_with('b'));
        if c == '\n' || c == '\t' || (!c.is_control() && c.is_alphanumeric()) {
            assert_eq!(clean, text);
        }
        assert_eq!(clean_text(&clean), clean, "clean text is clean");
    }
}

#[test]
fn sec_3_what_was_hidden_can_be_told_apart() {
    let table = [
        ("\u{1b}[31m", "␛[31m"),
        ("\0", "␀"),
        ("a\rb", "a␍b"),
        ("\u{7f}", "␡"),
        ("\u{202e}", "⟨U+202E⟩"),
        ("\u{9b}", "⟨U+009B⟩"),
        ("\u{e0041}", "⟨U+E0041⟩"),
        ("a\tb\nc", "a\tb\nc"),
    ];
    for (text, expected) in table {
        assert_eq!(clean_text(text), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sec_4_small_functions_take_any_text(a in any::<String>(), b in "\\PC{0,80}", c in proptest::collection::vec(any::<u8>(), 0..120)) {
        let c = String::from_utf8_lossy(&c);
        for text in [&a, &b, &*c] {
            let found = citations_in(text);
            prop_assert!(found.iter().all(|citation| text.contains(citation.as_str())));
            check_clean(&clean_text(text));
            prop_assert_eq!(clean_text(text).lines().count(), text.lines().count(), "lines keep their numbers");
            let _ = Template::parse(text);
            let _ = Intent::infer(text);
            let share = coverage(&terms_of(&a), text);
            prop_assert!((0.0..=1.0).contains(&share));
            let _ = (Format::parse(text), Intent::parse(text), Origin::parse(text), Resolution::parse(text), Section::parse(text));
        }
    }
}

#[test]
fn sec_4_a_pack_of_anything_is_a_pack() {
    for seed in 0..1_500 {
        let random = &mut Random::new(seed);
        let pieces: Vec<Piece> = (0..random.below(6))
            .map(|n| {
                let text = any_text(random);
                let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
                let path = any_text(random);
                let first = if random.chance(5) {
                    u32::MAX - lines.len() as u32 + 1
                } else {
                    1 + random.below(50) as u32
                };
                let mut piece = piece_of(random, n, &path, 1, &lines);
                piece.lines = LineRange::new(first, first + (lines.len() as u32 - 1));
                (piece.label, piece.id, piece.language) =
                    (any_text(random), any_text(random), any_text(random));
                piece.blank_after = random.pick(&[0, 1, u32::MAX]);
                piece.relevance = random.pick(&[f64::NAN, f64::INFINITY, -1.0, 0.5]);
                piece
            })
            .collect();
        let budget = random.pick(&[0, 1, 50, 700, 1 << 40]);
        let mut options = PackOptions::new(budget, style(random.pick(&Format::ALL)));
        options.style.line_numbers = random.chance(50);
        options.style.template = random.chance(20).then(|| template(random.pick(TEMPLATES)));
        let (task, hint) = (any_text(random), any_text(random));
        let pack = pack(&task, pieces, &options, &words, &[hint]).unwrap();
        assert!(words(&pack.text) <= budget, "seed {seed}");
        check_clean(&pack.text);
    }
}

/// A caller's mistake is not a crash: fewer or more lines than the range says.
#[test]
fn sec_4_a_text_that_is_not_its_lines_does_no_harm() {
    for (text, n_lines) in [("", 9), ("one\ntwo", 9), ("a\nb\nc\nd\ne\nf", 2)] {
        let mut piece = plain_piece(0, "a.rs", 3, text);
        piece.lines = LineRange::new(3, 3 + n_lines - 1);
        piece.heads = vec![LineRange::new(3, 30)];
        let other = plain_piece(1, "a.rs", 4, "x\ny\nz");
        for budget in [10, 40, 80, 1_000] {
            for format in Format::ALL {
                let pieces = vec![piece.clone(), other.clone()];
                let pack = pack("", pieces, &PackOptions::new(budget, style(format)), &words, &[]).unwrap();
                assert!(words(&pack.text) <= budget);
            }
        }
    }
}

/// What is refused need not be rendered; what is taken is rendered within its bounds or gives an error.
#[test]
fn sec_6_fuzz_templates() {
    let material = Material::new(
        TEMPLATES,
        &[
            "{{",
            "}}",
            "{%",
            "%}",
            "{#",
            "#}",
            " for ",
            " in ",
            " if ",
            " else ",
            " endfor ",
            " endif ",
            " set ",
            " macro ",
            " items ",
            "task",
            "|",
            "indent(9)",
            "upper",
            "(",
            ")",
            "[",
            "]",
            "~",
            "-",
            "not ",
            "**",
            "range(9)",
            "\"",
            "'",
            ".",
            "loop.index",
            "x=x~x",
        ],
    );
    fuzz("templates", &material, |input| {
        let Ok(template) = Template::parse(&String::from_utf8_lossy(input)) else {
            return;
        };
        let mut style = style(Format::Markdown);
        style.template = Some(template);
        let pieces = vec![plain_piece(1, "a.rs", 4, "x\ny\nz")];
        let _ = pack("task", pieces, &PackOptions::new(200, style), &words, &[]);
    });
}
