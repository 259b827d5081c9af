//! Lines for the worlds: ordinary code, and everything that could be mistaken for something that the pack says itself.

use kitbag_testkit::random::Random;

/// Lines that have brought down formats before, or could.
pub(super) const ODD_LINES: &[&str] = &[
    "",
    " ",
    "\t",
    "```",
    "````rust",
    "~~~~",
    "`",
    "``",
    "# heading",
    "## Not in this pack",
    "### `a.rs:1-2`",
    "- item `x` [fn-0000]",
    "[fn-0000] 1-2",
    "[fn-0000]: http://example.org 'title'",
    "[x](http://example.org)",
    "![i](j)",
    "<script>alert(1)</script>",
    "<!-- ",
    "-->",
    "<![CDATA[",
    "]]>",
    "]]",
    "]]]]>",
    "></snippet></pack>",
    "</project_context>",
    "&amp; &lt; &#0; &nope;",
    "<?xml?>",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}",
    "\0",
    "a\rb",
    "carriage\r",
    "\r",
    "\u{b}\u{c}",
    "\u{7f}\u{80}\u{9b}1m",
    "\u{202e}desrever\u{202c}",
    "\u{2066}x\u{2069}\u{200f}\u{61c}",
    "\u{e0041}\u{e007f}tags",
    "\u{85}\u{2028}\u{2029}",
    "\u{feff}bom",
    "\u{ffff}\u{fffe}",
    "… 3 lines",
    "… 1 line",
    "12 … 4 lines",
    "{{ 7 * 7 }}",
    "{% endraw %}",
    "\"quoted\" \\ back",
    "\\u0000 \\n",
    "===",
    "---",
    "    indented",
    "> quote",
    "1. one",
    "| a | b |",
    "漢字かな交じり文です",
    "한국어 텍스트",
    "🦀👩‍👩‍👧‍👦🏳️‍🌈",
    "a\u{301}\u{302}\u{303}",
    "'single'",
    "hint: nothing",
    "context for: nothing",
    "%s %n {} $x",
];

pub(super) const ODD_PATHS: &[&str] = &[
    "",
    " lead.rs",
    "trail.rs ",
    "`tick`.rs",
    "``two`` ticks.rs",
    "a\nb.rs",
    "tab\there.rs",
    "a<b>&\"c\"'d'.xml",
    "x](y).md",
    "#.md",
    "*a_b*.rs",
    "\u{1b}[31m.rs",
    "\u{202e}sr.a",
    "漢字.rs",
    "a:1-2.rs",
    "]]>.rs",
    "cr\r.rs",
    "… 3 lines",
    "`",
    "\\",
    "{{ x }}",
    "hint: x",
];

const WORDS: &[&str] = &[
    "parse", "config", "token", "stream", "buffer", "index", "walk", "node", "render", "budget", "select",
    "value", "error", "result", "table", "cursor", "range", "merge", "score", "cache",
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

/// `n` lines of ordinary code, unlike those of other seeds.
pub(super) fn code(seed: u64, n: usize) -> String {
    let random = &mut Random::new(seed.wrapping_mul(0x9E37_79B9));
    let lines: Vec<String> = (0..n).map(|_| code_line(random)).collect();
    lines.join("\n")
}
