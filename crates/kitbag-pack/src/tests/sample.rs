//! One pack in every format, as it is written: a change of a format shows here as a change of text.

use kitbag_types::{ChunkKind, LineRange, Stop};

use super::world::{TEMPLATES, brief, plain_piece, words};
use crate::format::{Effort, Frame, render};
use crate::pack::candidates;
use crate::{Format, Like, Origin, PackOptions, Piece, Resolution, Role, Style};

fn pieces() -> Vec<Piece> {
    let parser =
        "/// Reads a \"config\".\npub fn parse(text: &str) -> Config {\n    let a = 1 < 2;\n    a\n}";
    let mut parser = plain_piece(0, "src/parser.rs", 10, parser);
    (parser.label, parser.blank_after) = ("parse".to_owned(), 1);
    let mut next = plain_piece(1, "src/parser.rs", 16, "fn next() {\n    // ```\n}");
    next.label = "next".to_owned();
    (next.part, next.above) = (Some((2, 3)), vec![(4, "impl Parser {".to_owned())]);
    let mut test = plain_piece(2, "tests/it.rs", 1, "assert!(a[b[0]]>1);");
    (test.role, test.label) = (Role::Test, "it <works>".to_owned());
    let mut log = plain_piece(3, "cargo test", 1, "\u{1b}[31mFAILED\u{1b}[0m\nmore\nand more");
    (log.is_file, log.origin, log.kind, log.language) =
        (false, Origin::ToolResult, ChunkKind::Paragraph, "text".to_owned());
    vec![parser, next, test, log]
}

fn like(n: usize) -> Like {
    Like {
        place: format!("old/{n}.rs:1-3"),
        percent: 80 + n,
        differs: vec![LineRange::new(2, 3)],
    }
}

/// One item of each resolution, one with copies, one cut off; chosen here and not by any number that is tuned.
fn sample(format: Format, template: Option<&str>, line_numbers: bool) -> String {
    let style = Style {
        format,
        template: template.map(super::world::template),
        line_numbers,
    };
    let options = PackOptions::new(0, style.clone());
    let mut items = candidates(pieces(), &brief("", &options, &words), &mut Vec::new()).unwrap();
    for item in &mut items {
        let lines = |start, end| LineRange::new(start, end);
        (item.resolution, item.lines) = match item.piece.label.as_str() {
            "parse" => (Resolution::Outline, vec![lines(11, 11), lines(14, 14)]),
            "next" => (Resolution::Full, vec![item.piece.lines]),
            "part_3" => (Resolution::Outline, vec![lines(1, 1)]),
            _ => (Resolution::Reference, Vec::new()),
        };
        item.truncated = item.piece.label == "part_3";
        if item.piece.label == "next" {
            item.copies = vec!["old/1.rs:1-3".to_owned()];
            item.like = (2..=4).map(like).collect();
        }
    }
    let frame = Frame {
        task: "Fix [the] parser\nand more",
        note: "",
        told: &[],
        hints: &["search for `Config` *next*".to_owned()],
    };
    let effort = Effort::new(Stop::never());
    render(&items.iter().collect::<Vec<_>>(), frame, &style, &effort)
        .unwrap()
        .text
}

/// `␠` is a space at the end of a line.
fn check(found: &str, expected: &str) {
    assert_eq!(found.trim_end(), expected.trim().replace('␠', " "), "\n{found}");
}

#[test]
fn pack_70_markdown() {
    check(
        &sample(Format::Markdown, None, false),
        r#"
# Fix \[the\] parser

## Given

### `cargo test:1-3`
3 [tr-7rky] part_3 truncated

```text
␛[31mFAILED␛[0m
… 2–3
```

## Definitions

### `src/parser.rs:4-18`
1 [fn-3p2k] parse 10-14 · 2 [fn-8dfw] next 16-18 part 2 of 3 = `old/1.rs:1-3` like `old/2.rs:1-3`, 82 % of the lines, not 2–3 like `old/3.rs:1-3`, 83 % of the lines, not 2–3 and 1 more

````rust
impl Parser {
… 5–10
pub fn parse(text: &str) -> Config {
… 12–13
}

fn next() {
    // ```
}
````

## Tests

- `tests/it.rs` `1-1 it <works>` [fn-9syf]

## Not in this pack

- ``search for `Config` *next*``
"#,
    );
}

#[test]
fn pack_70_markdown_with_line_numbers() {
    check(
        &sample(Format::Markdown, None, true),
        r#"
# Fix \[the\] parser

## Given

### `cargo test:1-3`
3 [tr-7rky] part_3 truncated

```text
1 ␛[31mFAILED␛[0m
… 2–3
```

## Definitions

### `src/parser.rs:4-18`
1 [fn-3p2k] parse 10-14 · 2 [fn-8dfw] next 16-18 part 2 of 3 = `old/1.rs:1-3` like `old/2.rs:1-3`, 82 % of the lines, not 2–3 like `old/3.rs:1-3`, 83 % of the lines, not 2–3 and 1 more

````rust
 4 impl Parser {
… 5–10
11 pub fn parse(text: &str) -> Config {
… 12–13
14 }
15␠
16 fn next() {
17     // ```
18 }
````

## Tests

- `tests/it.rs` `1-1 it <works>` [fn-9syf]

## Not in this pack

- ``search for `Config` *next*``
"#,
    );
}

#[test]
fn pack_71_xml() {
    check(
        &sample(Format::Xml, None, false),
        r#"
<pack task="Fix [the] parser">
<section name="given">
<file path="cargo test">
<snippet rank="3" id="tr-7rky" name="part_3" lines="1-3" resolution="outline" truncated="true"><![CDATA[
␛[31mFAILED␛[0m
… 2–3
]]></snippet>
</file>
</section>
<section name="definitions">
<file path="src/parser.rs">
<snippet rank="1" id="fn-3p2k" name="parse" lines="10-14" resolution="outline"><![CDATA[
… 10
pub fn parse(text: &str) -> Config {
… 12–13
}
]]></snippet>
<snippet rank="2" id="fn-8dfw" name="next" lines="16-18" resolution="full" part="2 of 3" copies="old/1.rs:1-3" like="old/2.rs:1-3, 82 % of the lines, not 2–3; old/3.rs:1-3, 83 % of the lines, not 2–3, 1 more"><![CDATA[
impl Parser {
… 5–15
fn next() {
    // ```
}
]]></snippet>
</file>
</section>
<section name="tests">
<reference id="fn-9syf" path="tests/it.rs" lines="1-1" name="it &lt;works&gt;"/>
</section>
<hint>search for `Config` *next*</hint>
</pack>
"#,
    );
}

#[test]
fn pack_71_project_context() {
    check(
        &sample(Format::ProjectContext, None, false),
        r#"
<project_context>
<snippet path="cargo test" lines="1-3" label="part_3" kind="paragraph" score="0.34" id="tr-7rky" truncated="true"><![CDATA[
␛[31mFAILED␛[0m
… 2–3
]]></snippet>
<snippet path="src/parser.rs" lines="10-14" label="parse" kind="code_function" score="0.47" id="fn-3p2k"><![CDATA[
… 10
pub fn parse(text: &str) -> Config {
… 12–13
}
]]></snippet>
<snippet path="src/parser.rs" lines="16-18" label="next" kind="code_function" score="0.35" id="fn-8dfw" part="2 of 3" copies="old/1.rs:1-3" like="old/2.rs:1-3, 82 % of the lines, not 2–3; old/3.rs:1-3, 83 % of the lines, not 2–3, 1 more"><![CDATA[
impl Parser {
… 5–15
fn next() {
    // ```
}
]]></snippet>
<snippet path="tests/it.rs" lines="1-1" label="it &lt;works&gt;" kind="code_function" score="0.29" id="fn-9syf"/>
<hint>search for `Config` *next*</hint>
</project_context>
"#,
    );
}

#[test]
fn pack_71_json() {
    check(
        &sample(Format::Json, None, false),
        r#"
{"task":"Fix [the] parser","items":[
{"citation":"tr-7rky","rank":3,"section":"given","path":"cargo test","lines":[1,3],"resolution":"outline","label":"part_3","truncated":true,"text":"␛[31mFAILED␛[0m\n… 2–3\n"},
{"citation":"fn-3p2k","rank":1,"section":"definitions","path":"src/parser.rs","lines":[10,14],"resolution":"outline","label":"parse","text":"… 10\npub fn parse(text: &str) -> Config {\n… 12–13\n}\n"},
{"citation":"fn-8dfw","rank":2,"section":"definitions","path":"src/parser.rs","lines":[16,18],"resolution":"full","label":"next","part":[2,3],"n_copies":1,"copies":["old/1.rs:1-3"],"n_like":3,"like":[{"place":"old/2.rs:1-3","percent":82,"differs":[[2, 3]]},{"place":"old/3.rs:1-3","percent":83,"differs":[[2, 3]]}],"text":"impl Parser {\n… 5–15\nfn next() {\n    // ```\n}\n"},
{"citation":"fn-9syf","rank":4,"section":"tests","path":"tests/it.rs","lines":[1,1],"resolution":"reference","label":"it <works>"}],"hints":["search for `Config` *next*"]}
"#,
    );
}

#[test]
fn pack_70_plain() {
    check(
        &sample(Format::Plain, None, true),
        r#"
context for: Fix [the] parser

Given:

cargo test:1-3 3 [tr-7rky] part_3 truncated
 1 ␛[31mFAILED␛[0m
 … 2–3

Definitions:

src/parser.rs:4-18 1 [fn-3p2k] parse 10-14 2 [fn-8dfw] next 16-18 part 2 of 3 = old/1.rs:1-3 like old/2.rs:1-3, 82 % of the lines, not 2–3 like old/3.rs:1-3, 83 % of the lines, not 2–3 and 1 more
  4 impl Parser {
 … 5–10
 11 pub fn parse(text: &str) -> Config {
 … 12–13
 14 }
 15␠
 16 fn next() {
 17     // ```
 18 }

Tests:

tests/it.rs:1-1 it <works> [fn-9syf]

hint: search for `Config` *next*
"#,
    );
}

#[test]
fn pack_70_a_template() {
    check(
        &sample(Format::Markdown, Some(TEMPLATES[1]), false),
        r#"
Given
cargo test 1
```
␛[31mFAILED␛[0m
… 2–3
```
Definitions
src/parser.rs 4
````
impl Parser {
… 5–10
pub fn parse(text: &str) -> Config {
… 12–13
}

fn next() {
    // ```
}
````
Tests
tests/it.rs it <works>
"#,
    );
}
