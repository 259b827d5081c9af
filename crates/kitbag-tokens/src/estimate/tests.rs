//! The over-estimate: a table for its arithmetic; it is above every public count, and above counts taken elsewhere.

use kitbag_types::Stop;

use super::{CLAUDE, GEMINI, corrections, over_estimate, with_headroom};
use crate::{Family, count};

#[test]
fn headroom_rounds_up() {
    for (tokens, expected) in [(0, 0), (1, 2), (2, 3), (20, 27), (100, 135), (101, 137)] {
        assert_eq!(with_headroom(tokens, 35), expected, "{tokens}");
    }
    assert_eq!(with_headroom(usize::MAX, 35), usize::MAX);
}

#[test]
fn each_family_corrects_what_it_cuts_finer() {
    // text, tokens more for Claude, for Gemini
    let cases = [
        ("", 0, 0),
        ("plain words", 0, 0),
        ("7", 0, 0),
        ("2024", 0, 2),
        ("1234567890", 0, 6),
        ("fn main() {}", 2, 0),
        ("MAX_LINES", 5, 0),
        ("        indented", 0, 0),
        ("                    indented", 1, 1),
        ("================================", 3 + 10, 3),
    ];
    for (text, claude, gemini) in cases {
        assert_eq!(corrections(text, &CLAUDE), claude, "Claude {text:?}");
        assert_eq!(corrections(text, &GEMINI), gemini, "Gemini {text:?}");
    }
}

#[test]
fn decision_2_the_estimate_lies_above_every_public_vocabulary() {
    let texts = [
        "fn main() { println!(\"hello\"); }",
        "上下文引擎把仓库变成一个小而精的文本。",
        "コンテキストエンジン",
        "컨텍스트 엔진은 저장소를 읽습니다",
        "контекст и хранилище",
        "ตัวอย่างข้อความภาษาไทย",
        "👩‍👩‍👧‍👦🇩🇪🏳️‍🌈",
        "0.1234567,0.9876543,0.5555555\n",
        "\t\t\t\treturn x;\n",
        "<|endoftext|>",
    ];
    for text in texts {
        for (name, closed) in [("claude", &CLAUDE), ("gemini", &GEMINI)] {
            let estimate = over_estimate(text, closed, Stop::never()).unwrap();
            for family in [Family::O200k, Family::Cl100k] {
                let public = count(text, family).tokens;
                assert!(
                    estimate as f64 >= public as f64 * 1.1,
                    "{name} {text:?}: {estimate} against {public}"
                );
            }
        }
    }
}

#[test]
fn decision_2_the_estimate_lies_above_counts_measured_elsewhere() {
    // Repeated text, its Claude count (ctok 1.3, Opus 4.7 family) and its Gemma 3 count, taken once in November 2026.
    let cases = [
        (
            "SELECT FOO_BAR FROM SOME_TABLE WHERE THIS_COLUMN IS NOT NULL;\n",
            10,
            449,
            180,
        ),
        (
            "pub fn as_bytes(&self) -> Result<Vec<u8>, ParseError> {\n    self.inner.iter().map(|b| b ^ 0x2a).collect()\n}\n",
            10,
            629,
            450,
        ),
        (
            "A context engine is a pipe: a repository goes in, a small well-chosen text comes out. ",
            5,
            146,
            106,
        ),
        (
            "it(\"renders\", async () => { expect(await screen.findByText(\"Hello\")).toBeInTheDocument(); });\n",
            8,
            303,
            200,
        ),
        ("上下文引擎把一个仓库变成一个小而精的文本。", 8, 185, 96),
        (
            "컨텍스트 엔진은 저장소를 작고 잘 선택된 텍스트로 바꿉니다. ",
            8,
            329,
            161,
        ),
        ("3141592,6535897,9323846,2643383\n", 20, 320, 640),
        ("}}]);\n\t\t\t}\n\t\t}));\n", 20, 239, 180),
        ("👩‍👩‍👧‍👦 🇩🇪 🚀 ", 20, 521, 260),
    ];
    for (unit, n, claude, gemma) in cases {
        let text = unit.repeat(n);
        let estimate = over_estimate(&text, &CLAUDE, Stop::never()).unwrap();
        assert!(estimate >= claude, "Claude {unit:?}: {estimate} against {claude}");
        assert!(
            estimate <= claude * 3,
            "Claude {unit:?}: {estimate} against {claude} is not an estimate any more"
        );
        let estimate = over_estimate(&text, &GEMINI, Stop::never()).unwrap();
        assert!(estimate >= gemma, "Gemini {unit:?}: {estimate} against {gemma}");
    }
}
