//! Templates that work, templates that are refused and why, and thousands of hostile ones. A stack that overflows would end this
//! process, so a test that comes to its end says that none did.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use kitbag_testkit::random::Random;
use kitbag_types::Stop;

use super::run::{Data, run};
use super::*;

fn pack_of(n_files: usize, text_bytes: usize) -> Data {
    let file = |n: usize| {
        Data::Fields(vec![
            ("path", Data::Text(format!("src/<{n}>.rs"))),
            ("line_start", Data::Whole(1)),
            ("text", Data::Text("let x;\n".repeat(text_bytes / 7))),
            (
                "items",
                list((0..3).map(|n| Data::Fields(vec![("score", Data::Decimal(f64::from(n) / 2.0))]))),
            ),
            ("copies", list((0..2).map(|n| Data::Text(format!("old/{n}.rs"))))),
            ("part", Data::Nothing),
        ])
    };
    let section = Data::Fields(vec![
        ("title", Data::Text("Code".to_owned())),
        ("files", list((0..n_files).map(file))),
    ]);
    Data::Fields(vec![
        ("task", Data::Text("fix it".to_owned())),
        ("sections", list(std::iter::once(section))),
        ("hints", list(std::iter::empty())),
    ])
}

fn ran(template: &str, top: &Data, stop: Stop<'_>) -> Result<String, Unwritten> {
    let template = Template::parse(template)?;
    run(&template.0, top, &Effort::new(stop))
}

fn check(template: &str, expected: &str) {
    let text = ran(template, &pack_of(2, 7), Stop::never());
    assert_eq!(text.as_deref(), Ok(expected), "{template}");
}

fn check_refused(template: &str, expected: &str) {
    let error = match ran(template, &pack_of(2, 7), Stop::never()) {
        Err(Unwritten::Bad(error)) => error.to_string(),
        other => panic!("{template}: {other:?}"),
    };
    assert!(error.contains(expected), "{template}: {error}");
}

const IN_FILES: &str = "{% for s in sections %}{% for f in s.files %}";
const END: &str = "{% endfor %}{% endfor %}";

#[test]
fn pack_70_a_template_writes_what_jinja_would() {
    check("", "");
    check("plain { } % text", "plain { } % text");
    check("{{ task }}{# not shown #}!", "fix it!");
    check("a\n{#- x -#}\n b", "ab");
    check("a {{- ' ' -}} b\n", "a b");
    check("{{ '{{' }} {{ \"a'b\\n\" }}", "{{ a'b\n");
    check(
        &format!("{IN_FILES}{{{{ f.path|escape }}}};{END}"),
        "src/&lt;0&gt;.rs;src/&lt;1&gt;.rs;",
    );
    check(
        &format!(
            "{IN_FILES}{{{{ loop.index }}}}/{{{{ loop.length }}}}{{% if not loop.last %}}, {{% endif %}}{END}"
        ),
        "1/2, 2/2",
    );
    check(
        &format!("{IN_FILES}{{% for i in f.items %}}{{{{ i.score }}}} {{% endfor %}}{END}"),
        "0.0 0.5 1.0 0.0 0.5 1.0 ",
    );
    check(
        &format!(
            "{IN_FILES}{{{{ f.copies|join(', ')|upper }}}}{{{{ f.copies|first }}}} {{{{ f.part }}}}{END}"
        ),
        "OLD/0.RS, OLD/1.RSold/0.rs OLD/0.RS, OLD/1.RSold/0.rs ",
    );
    check(
        "{% for hint in hints %}{{ hint }}{% else %}none{% endfor %}",
        "none",
    );
    check(
        "{% if task == 'x' %}a{% elif 'fix' in task and 1 < 2 %}b{% else %}c{% endif %}",
        "b",
    );
    check(
        "{% if task|length >= 6 and not (task == 'x' or 'q' in task) %}yes{% endif %}",
        "yes",
    );
    check(
        "{{ hints or 'nothing' }} {{ 1 == 1.0 }} {{ none }}{{ true }}",
        "nothing true true",
    );
    check("{% if 'old/0.rs' not in task %}{{ '  x '|trim }}{% endif %}", "x");
}

#[test]
fn sec_4_what_is_not_taken_is_refused_with_its_line_and_what_is() {
    for (template, expected) in [
        (
            "\n\n{% set x = task %}",
            "line 3: {% `set` %} is not taken; statements are for,",
        ),
        ("{% macro m() %}{% endmacro %}", "`macro`"),
        ("{% include 'x' %}", "`include`"),
        ("{% %}", "statements are for"),
        ("{{ task ~ task }}", "line 1: found `~`; an expression has names"),
        ("{{ 'x' * 900 }}", "`*`"),
        ("{{ --1 }}", "`-`"),
        ("{{ [task] }}", "`[`"),
        ("{{ {} }}", "`{`"),
        ("{{ range(9) }}", "found `(`"),
        ("{{ task.upper() }}", "found `(`"),
        ("{{ task|indent(9) }}", "the filter `indent` is not taken"),
        ("{{ task if task else task }}", "found `if`"),
        ("{{ 1 is odd }}", "found `is`"),
        ("{{ 1 < 2 < 3 }}", "found `<`"),
        ("{{ }}", "found the end of the tag"),
        ("{{ task", "{{ is not closed by }}"),
        ("{% if task", "{% is not closed by %}"),
        ("{# task", "{# is not closed"),
        ("{{ 'a", "does not end"),
        ("{{ 'a\\x' }}", "after \\"),
        ("{{ 1.2.3 }}", "`1.2.3` is not a number"),
        ("{{ 99999999999999999999 }}", "is not a number"),
        ("{% for a, b in sections %}{% endfor %}", "found `,`"),
        ("{% for x in 'abc' %}{% endfor %}", "has the form"),
        (
            "{% for x in sections recursive %}{% endfor %}",
            "found `recursive`",
        ),
        ("{% for loop in sections %}{% endfor %}", "has the form"),
        ("\n{% if task %}", "line 2: {% if %} is not closed"),
        ("{% for x in hints %}{% endif %}", "{% endif %} closes {% for %}"),
        ("{% endfor %}", "{% endfor %} closes the template"),
        ("{% if 1 %}{% else %}{% elif 2 %}{% endif %}", "in that order"),
        ("{% else %}", "stand inside"),
    ] {
        assert!(Template::parse(template).is_err(), "{template}");
        check_refused(template, expected);
    }
    for (template, expected) in [
        (
            "\n{{ tsk }}",
            "line 2: `the template` has no `tsk`; it has task, sections, hints",
        ),
        ("{{ task.nothing }}", "`task` is a text"),
        ("{{ sections }}", "a list cannot be written"),
        ("{% for x in task %}{% endfor %}", "`task` is a text, not a list"),
        ("{{ sections == sections }}", "lists cannot be compared"),
        ("{{ task|join }}", "expected a list, found a text"),
        ("{{ loop.index }}", "inside {% for %}"),
        (
            "{% for s in sections %}{{ loop.cycle }}{% endfor %}",
            "`loop` has index",
        ),
    ] {
        check_refused(template, expected);
    }
}

#[test]
fn sec_4_a_template_is_bounded_before_it_is_parsed() {
    let nested = |n: usize| format!("{}{}", "{% if task %}".repeat(n), "{% endif %}".repeat(n));
    assert_eq!(Template::parse(&nested(MAX_DEPTH)).map(|_| ()), Ok(()));
    check_refused(&nested(MAX_DEPTH + 1), "blocks in each other");
    check_refused(&nested(20_000), "65536 are taken");
    check_refused(&"{{1}}".repeat(MAX_TAGS + 1), "more than 2000 tags");
    check_refused(
        &format!("{{% if 1 %}}{}{{% endif %}}", "{% elif 1 %}".repeat(4_000)),
        "more than 2000 tags",
    );
    for chain in ["not ", "("] {
        check_refused(
            &format!("{{{{ {}1 }}}}", chain.repeat(20_000 / chain.len())),
            "more than 64 words",
        );
    }
    for chain in [".a", "|lower", " or 1", " == 1"] {
        check_refused(
            &format!("{{{{ task{} }}}}", chain.repeat(8_000)),
            "more than 64 words",
        );
    }
    for chain in ["-", "~", "**", "+"] {
        check_refused(&format!("{{{{ {}1 }}}}", chain.repeat(20_000)), "line 1: found");
    }
    assert!(Template::parse(&"{".repeat(MAX_BYTES)).is_err());
}

#[test]
fn sec_4_what_a_template_does_is_bounded() {
    let top = pack_of(300, 10_000);
    let files = |body: &str| format!("{IN_FILES}{body}{END}");
    let squared = |body: &str| {
        files(
            &files(body)
                .replace("for s in", "for t in")
                .replace("in s.", "in t."),
        )
    };
    for template in [
        squared("{{ f.text }}"),
        squared("{% if f.text == f.text %}{% endif %}"),
        squared("{% if 'zzz' in f.text %}{% endif %}"),
        squared("{% if f.text|upper|lower|upper|lower|upper %}{% endif %}"),
        squared(&files("")),
        squared(&format!(
            "{{% if f.copies|join('{}') %}}{{% endif %}}",
            "x".repeat(60_000)
        )),
    ] {
        let error = ran(&template, &top, Stop::never());
        let is_too_much =
            matches!(&error, Err(Unwritten::Bad(bad)) if bad.0.contains("too long or writes too much"));
        assert!(is_too_much, "{template:.200}");
    }
    let honest = ran(&files("{{ f.text|escape }}"), &top, Stop::never()).unwrap();
    assert_eq!(honest.len(), 300 * 9_996);
}

#[test]
fn sec_4_a_template_ends_when_nobody_waits() {
    let top = pack_of(300, 10_000);
    let template = format!("{IN_FILES}{IN_FILES}{{% if 'zzz' in f.text %}}{{% endif %}}{END}{END}");
    for n_allowed in [0, 1, 10, 1_000] {
        let n_checks = AtomicUsize::new(0);
        let is_stopped = || n_checks.fetch_add(1, Ordering::Relaxed) >= n_allowed;
        assert_eq!(
            ran(&template, &top, Stop::when(&is_stopped)),
            Err(Unwritten::Stopped)
        );
        assert_eq!(n_checks.into_inner(), n_allowed + 1);
    }
}

/// Pieces that templates are made of; each may be repeated, and all of them are put into each other.
const PIECES: &[&str] = &[
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "-",
    "-%}",
    "{%-",
    "'",
    "\"",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    ".",
    ",",
    "~",
    "*",
    "**",
    "//",
    "==",
    "!=",
    "<",
    ">=",
    "+",
    "not ",
    " and ",
    " or ",
    " in ",
    " is ",
    " if ",
    " else ",
    "for ",
    "x",
    "task",
    "sections",
    "loop",
    "{% for s in sections %}",
    "{% for f in s.files %}",
    "{% endfor %}",
    "{% if task %}",
    "{% elif task %}",
    "{% else %}",
    "{% endif %}",
    "{{ task }}",
    "{{ f.text }}",
    "{{ f.text|upper }}",
    "{{ s.title|join('xx') }}",
    "{% set x = x ~ x %}",
    "{% set x %}",
    "{% endset %}",
    "{% macro m() %}",
    "{% endmacro %}",
    "{{ m() }}",
    "{{ caller() }}",
    "{% raw %}",
    "{% filter upper %}",
    "|string",
    "|indent(1000000000)",
    "|first",
    "|last",
    "|length",
    "|e",
    "|tojson",
    "1",
    "1.5",
    "1e9",
    "99999999999999999999",
    "none",
    "true",
    "é",
    "\u{202e}",
    "\n",
    "\r\n",
    " ",
    "\0",
    "range(1000000000)",
    "{{ [[[]]] }}",
    "{{ 'x' * 1000000000 }}",
];

/// A template by chance: mostly nonsense, sometimes with a whole program around it.
fn hostile(random: &mut Random) -> String {
    let mut text = String::new();
    let open = random.pick(&["", "{{ ", "{% if ", IN_FILES, "{% for s in sections %}"]);
    text.push_str(open);
    for _ in 0..1 + random.below(12) {
        let piece = random.pick(PIECES);
        let n = random.pick(&[1, 1, 1, 2, 30, 70, 3_000]);
        text.push_str(&piece.repeat(n));
    }
    text.push_str(match open {
        "{{ " => " }}",
        "{% if " => " %}{% endif %}",
        IN_FILES => END,
        "" => "",
        _ => "{% endfor %}",
    });
    text
}

#[test]
fn sec_4_hostile_templates_end_soon_and_never_abort() {
    let top = pack_of(20, 2_000);
    let (n_parsed, n_ran) = (Cell::new(0), Cell::new(0));
    for seed in 0..20_000 {
        let text = hostile(&mut Random::new(seed));
        let Ok(template) = Template::parse(&text) else {
            continue;
        };
        n_parsed.set(n_parsed.get() + 1);
        let effort = Effort::new(Stop::never());
        if let Ok(written) = run(&template.0, &top, &effort) {
            n_ran.set(n_ran.get() + 1);
            assert!(written.len() <= 16 << 20, "seed {seed}");
        }
    }
    // The generator makes more than nonsense.
    assert!(
        n_parsed.get() > 500 && n_ran.get() > 300,
        "{n_parsed:?} {n_ran:?}"
    );
}
