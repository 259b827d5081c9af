//! Edits with known results: formatting, comments and moves keep the meaning, everything else changes it (MEM-3).

use std::time::Duration;

use super::*;
use crate::languages::by_name;

fn sense_of(language: &str, text: &str) -> Sense {
    let row = by_name(language).unwrap_or_else(|| panic!("no language {language}"));
    sense(text, Some(row), || Duration::ZERO, Duration::MAX)
}

/// The meaning of the first definition of a text.
fn meaning(language: &str, text: &str) -> String {
    let sense = sense_of(language, text);
    let first = sense
        .definitions
        .first()
        .unwrap_or_else(|| panic!("{language}: no definition in {text}"));
    sense.said(first.tokens.clone(), None)
}

fn same(language: &str, before: &str, after: &str) {
    let (before_said, after_said) = (meaning(language, before), meaning(language, after));
    assert_eq!(before_said, after_said, "{language}:\n{before}\n--\n{after}");
    assert!(!before_said.is_empty());
}

fn other(language: &str, before: &str, after: &str) {
    assert_ne!(
        meaning(language, before),
        meaning(language, after),
        "{language}:\n{before}\n--\n{after}"
    );
}

#[test]
fn mem_3_formatting_means_nothing() {
    same(
        "rust",
        "fn add(a: u32, b: u32) -> u32 { a + b }",
        "fn add(\n    a: u32,\n    b: u32,\n) -> u32 {\n    a\n        + b\n}",
    );
    same(
        "rust",
        "fn f(x: X) { match x { A => {}, B => g(1, 2) } }",
        "fn f(x: X) {\n    match x {\n        A => {}\n        B => g(1, 2),\n    }\n}",
    );
    same(
        "python",
        "def f(a, b):\n    return {'x': a, \"y\": b}\n",
        "def f(\n    a,\n    b,\n):\n    return {\n        \"x\": a,\n        \"y\": b,\n    }\n",
    );
    same(
        "python",
        "def f():\n    s = 'it\\'s'\n",
        "def f():\n    s = \"it's\"\n",
    );
    same(
        "python",
        "def f(a):\n    if a and \\\n            b:\n        return a\n",
        "def f(a):\n    if (\n        a\n        and b\n    ):\n        return a\n",
    );
    same(
        "python",
        "def f():\n\tif a:\n\t\tb()\n\tc()\n",
        "def f():\n    if a:\n        b()\n\n    c()\n",
    );
    same(
        "javascript",
        "function f(a) { const b = 'x'; return g(a, b) }",
        "function f(a) {\n  const b = \"x\";\n  return g(\n    a,\n    b,\n  );\n}",
    );
    same(
        "typescript",
        "export function f(a: string): void { g({ a }) }",
        "export function f(\n  a: string,\n): void {\n  g({\n    a,\n  });\n}",
    );
    same(
        "tsx",
        "function F() { return <p>some words here</p>; }",
        "function F() {\n  return (\n    <p>\n      some words\n      here\n    </p>\n  );\n}",
    );
    same(
        "go",
        "func f(a int) []int { return []int{a, 1} }",
        "func f(a int) []int {\n\treturn []int{\n\t\ta,\n\t\t1,\n\t}\n}",
    );
    same(
        "java",
        "class A { int f(int a){return a+1;} }",
        "class A {\n  int f(int a)\n  {\n    return a + 1;\n  }\n}",
    );
    same(
        "c",
        "int f(int a){return a+1;}",
        "int\nf(int a)\n{\n\treturn a + 1;\n}",
    );
    same(
        "cpp",
        "template <class T> T f(T a) { return a; }",
        "template <class T>\nT\nf(T a)\n{\n  return a;\n}",
    );
    same(
        "ruby",
        "def f(a)\n  g(a, 1)\nend\n",
        "def f(a)\n    g(a,\n      1)\nend\n",
    );
    same(
        "php",
        "<?php function f($a) { return $a + 1; }",
        "<?php\nfunction f($a)\n{\n    return $a + 1;\n}",
    );
    same(
        "kotlin",
        "fun f(a: Int): Int { return a + 1 }",
        "fun f(\n    a: Int,\n): Int {\n    return a + 1;\n}",
    );
}

#[test]
fn mem_3_comments_and_documentation_mean_nothing() {
    same(
        "rust",
        "fn f() { g(); }",
        "/// Says what it does.\nfn f() {\n    // First.\n    g(); /* then */\n}",
    );
    same(
        "python",
        "def f(a):\n    return a\n",
        "def f(a):\n    \"\"\"Gives a back.\"\"\"\n    # really\n    return a  # here\n",
    );
    same(
        "javascript",
        "function f() { g(); }",
        "/** Docs. */\nfunction f() {\n  // why\n  g();\n}",
    );
    same(
        "go",
        "func f() { g() }",
        "// f calls g.\nfunc f() {\n\t/* now */ g()\n}",
    );
    same(
        "java",
        "class A { void f() { g(); } }",
        "/** Docs. */\nclass A {\n  // why\n  void f() { g(); /* so */ }\n}",
    );
    same(
        "ruby",
        "def f\n  g\nend\n",
        "# Docs.\ndef f\n  # why\n  g # so\nend\n",
    );
    same(
        "c",
        "int f(void) { return 1; }",
        "/* Docs. */\nint f(void) {\n  // why\n  return 1;\n}",
    );
}

#[test]
fn mem_3_moves_mean_nothing() {
    let method = "    pub fn next(&self) -> u32 { self.n + 1 }\n";
    let here = sense_of("rust", &format!("impl Row {{\n{method}}}\n"));
    let there = sense_of(
        "rust",
        &format!(
            "use a::b;\n\nmod deep {{\nimpl Row {{\n    fn other(&self) {{}}\n\n    // Moved.\n{method}}}\n}}\n"
        ),
    );
    let said = |sense: &Sense| {
        let next = sense
            .definitions
            .iter()
            .find(|definition| definition.name == "next");
        sense.said(next.expect("it is defined").tokens.clone(), None)
    };
    assert_eq!(said(&here), said(&there));
}

#[test]
fn mem_3_everything_else_is_a_change() {
    other("rust", "fn f() -> u32 { 1 }", "fn f() -> u32 { 2 }");
    other("rust", "fn f() { g() }", "fn f() { g(); }");
    other("rust", "fn f() {}", "pub fn f() {}");
    other("rust", "#[test]\nfn f() {}", "#[ignore]\nfn f() {}");
    other("rust", "fn f() { a(1,) }", "fn f() { a((1,)) }");
    other(
        "rust",
        "fn f() { let s = \"a b\"; }",
        "fn f() { let s = \"a  b\"; }",
    );
    other(
        "python",
        "def f(a):\n    if a:\n        b()\n        c()\n",
        "def f(a):\n    if a:\n        b()\n    c()\n",
    );
    other(
        "python",
        "def f(a):\n    return (a,)\n",
        "def f(a):\n    return (a)\n",
    );
    other(
        "python",
        "def f(a):\n    return a,\n",
        "def f(a):\n    return a\n",
    );
    other(
        "python",
        "def f():\n    return 'a\\nb'\n",
        "def f():\n    return 'x\\nb'\n",
    );
    other(
        "python",
        "def f():\n    return 'a\\n b'\n",
        "def f():\n    return 'a\\nb'\n",
    );
    other(
        "python",
        "def f():\n    return r'\\''\n",
        "def f():\n    return '\\''\n",
    );
    other(
        "python",
        "@cached\ndef f():\n    return 1\n",
        "def f():\n    return 1\n",
    );
    other(
        "python",
        "def f(a: int):\n    return a\n",
        "def f(a: str):\n    return a\n",
    );
    other(
        "python",
        "def f(a, b):\n    return (a + b) * 2\n",
        "def f(a, b):\n    return a + b * 2\n",
    );
    other(
        "python",
        "def f(a):\n    return f'{a} b'\n",
        "def f(a):\n    return f'{a}  b'\n",
    );
    other(
        "javascript",
        "function f() { return [1,,] }",
        "function f() { return [1,] }",
    );
    other(
        "javascript",
        "function f(a) { return (a?.b).c }",
        "function f(a) { return a?.b.c }",
    );
    other(
        "javascript",
        "function f(a) { return `x ${a}` }",
        "function f(a) { return `x  ${a}` }",
    );
    other(
        "javascript",
        "function f(a) { for (;;) {} }",
        "function f(a) { for (;a;) {} }",
    );
    other(
        "javascript",
        "function f(a) { return a + 1 }",
        "function f(a) { return\na + 1 }",
    );
    other("go", "func f() int { return 1 }", "func f() int64 { return 1 }");
    other(
        "java",
        "class A { int f() { return 1; } }",
        "class A { int f() { return 1 + 0; } }",
    );
    other("ruby", "def f\n  'a\\n'\nend\n", "def f\n  \"a\\n\"\nend\n");
    other(
        "ruby",
        "def f\n  \"a #{b}\"\nend\n",
        "def f\n  \"a  #{b}\"\nend\n",
    );
    other("bash", "f() {\n  echo 'a'\n}\n", "f() {\n  echo \"a\"\n}\n");
    other("c", "int f(void) { return a->b; }", "int f(void) { return a.b; }");
}

#[test]
fn mem_3_a_name_can_be_passed_over() {
    let nameless = |text: &str| {
        let sense = sense_of("python", text);
        let first = sense.definitions.first().expect("it is defined").clone();
        sense.said(first.tokens, Some(&first.name))
    };
    assert_eq!(
        nameless("def fib(n):\n    return fib(n - 1)\n"),
        nameless("def fibonacci(n):\n    return fibonacci(n - 1)\n")
    );
    assert_ne!(
        nameless("def fib(n):\n    return fib(n - 1)\n"),
        nameless("def fibonacci(n):\n    return other(n - 1)\n")
    );
}

#[test]
fn mem_3_lines_and_prose_have_a_meaning_too() {
    let text = "def f():\n    a()\n    b()\n\n    c()\n";
    let sense = sense_of("python", text);
    let lines = sense.on_lines(text, LineRange::new(3, 4));
    assert_eq!(sense.line_of(text, lines.start), 3);
    let said = sense.said(lines, None);
    assert!(said.starts_with('b') && !said.contains('c'), "{said:?}");
    assert!(sense.on_lines(text, LineRange::new(90, 99)).is_empty());
    same(
        "markdown",
        "# Prices\n\nAll prices are in cents.\n",
        "# Prices\n\nAll prices\nare in   cents.\n",
    );
    other(
        "markdown",
        "# Prices\n\nAll prices are in cents.\n",
        "# Prices\n\nAll prices are in euros.\n",
    );
    let plain = crate::sense("some words", None, || Duration::ZERO, Duration::MAX);
    assert_eq!((plain.n_tokens(), plain.definitions.len()), (2, 0));
}

/// No text, however broken, gives tokens out of order or definitions with tokens that do not exist.
#[test]
fn sec_6_fuzz_sense() {
    use kitbag_testkit::fuzz::{Material, fuzz};
    let material = Material::new(
        &[
            "def f(a):\n    return 'x', (a,)\n",
            "fn f() { g(\"{}\", 1,); }",
            "/* a */ // b\n",
        ],
        &["'", "\"", "(", ",", "\n", "#", "é", "\u{0}", "`${", "*/"],
    );
    fuzz("sense", &material, |input| {
        let text = String::from_utf8_lossy(input);
        for name in ["python", "rust", "javascript"] {
            let sense = sense_of(name, &text);
            assert!(
                sense.tokens.windows(2).all(|pair| pair[0].at <= pair[1].at),
                "{name}: {text:?}"
            );
            let n = sense.n_tokens();
            assert!(
                sense
                    .definitions
                    .iter()
                    .all(|one| one.tokens.end <= n && one.tokens.start <= one.tokens.end)
            );
        }
    });
}
