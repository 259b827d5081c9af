//! What the query of each language finds in a few lines.

use kitbag_types::{Fact, FactKind, Value};

use crate::{ChunkSettings, LANGUAGES, by_name, parse};

fn facts(language: &str, text: &str) -> Vec<Fact> {
    parse(text, by_name(language), &ChunkSettings::default()).facts
}

fn shown(value: &Value, facts: &[Fact]) -> String {
    let all = |items: &[Value]| {
        items
            .iter()
            .map(|item| shown(item, facts))
            .collect::<Vec<_>>()
            .join(" ")
    };
    match value {
        Value::Text(text) => format!("'{text}'"),
        Value::Name(name) => name.clone(),
        Value::Fact(idx) => {
            let fact = &facts[*idx as usize];
            format!("<{} {}>", fact.kind.as_str(), fact.name)
        }
        Value::List(items) => format!("[{}]", all(items)),
        Value::Pair(key, value) => format!("{key}={}", shown(value, facts)),
        Value::Joined(items) => format!("({})", all(items)),
        Value::Other => "?".to_owned(),
    }
}

/// Calls and marks on one line each: the fact around it, its receiver and name, its arguments.
fn told(language: &str, text: &str) -> Vec<String> {
    let facts = facts(language, text);
    let wanted = facts
        .iter()
        .filter(|fact| matches!(fact.kind, FactKind::Call | FactKind::Mark));
    wanted
        .map(|fact| {
            let holder = fact.parent.map_or("", |parent| &facts[parent as usize].name);
            let sign = if fact.kind == FactKind::Mark { "@" } else { "" };
            let before = fact
                .receiver
                .as_ref()
                .map_or(String::new(), |value| format!("{}.", shown(value, &facts)));
            let arguments: Vec<String> = fact.arguments.iter().map(|value| shown(value, &facts)).collect();
            format!("{holder}: {sign}{before}{}({})", fact.name, arguments.join(", "))
        })
        .collect()
}

#[test]
fn ins_4_calls_and_marks_of_each_language() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "python",
            "@app.get('/x', methods=['GET'])\ndef show(): db.run(f'a {b}')\n",
            &["show: @app.get('/x', methods=['GET'])", "show: db.run(('a ' b))"],
        ),
        (
            "typescript",
            "class A {\n  @Get(':id') one() { this.db.find({ id: 1 }) }\n}\napp.use('/x', r)\n",
            &[
                "one: @Get(':id')",
                "one: this.db.find([id=1])",
                ": app.use('/x', r)",
            ],
        ),
        (
            "go",
            "package a\nfunc F(r chi.Router) { r.Route(\"/x\", func(r chi.Router) { r.Get(\"/y\", s.get) }) }\n",
            &["F: r.Route('/x', <block >)", ": r.Get('/y', s.get)"],
        ),
        (
            "rust",
            "#[get(\"/x\")]\nfn h() {}\nfn r() { Router::new().route(\"/y\", get(h)); }\n",
            &[
                "h: @get('/x')",
                "r: <call new>.route('/y', <call get>)",
                "r: Router.new()",
                "route: get(h)",
            ],
        ),
        (
            "ruby",
            "resources :a, only: [:show] do\n  get 'x', to: 'a#b'\nend\n",
            &[
                ": resources('a', only=['show'], <block >)",
                ": get('x', to='a#b')",
            ],
        ),
        (
            "php",
            "<?php\nRoute::prefix('a')->group(function () { Route::get('b', [C::class, 'm']); });\n",
            &[
                ": <call prefix>.group(<block >)",
                ": Route.prefix('a')",
                ": Route.get('b', [C::class 'm'])",
            ],
        ),
        (
            "elixir",
            "defmodule R do\n  scope \"/a\", W do\n    get \"/#{x}\", C, :show\n  end\nend\n",
            &[": scope('/a', W, <block >)", ": get(('/' x), C, 'show')"],
        ),
        (
            "java",
            "class A {\n  @GetMapping(path = \"/x\") B b() { return repo.find(1); }\n}\n",
            &["b: @GetMapping(path='/x')", "b: repo.find(1)"],
        ),
        (
            "kotlin",
            "fun Route.a() { route(\"/x\") { get { c.b() } } }\n",
            &["a: route('/x', <block >)", ": get(<block >)", ": c.b()"],
        ),
        (
            "csharp",
            "class A : B {\n  [HttpGet(\"{id}\")] public X One(int id) => db.As.First(a => a.Id == id);\n}\n",
            &["One: @HttpGet('{id}')", "One: db.As.First(<block >)"],
        ),
    ];
    for (language, text, expected) in cases {
        assert_eq!(told(language, text), *expected, "{language}");
    }
}

#[test]
fn ins_4_definitions_bindings_imports_and_errors_are_facts() {
    let text = "from a.b import c as d\nLIMIT: int = 3\nclass A(Base, m.Mixin):\n    async def f(self, s: Session) -> str:\n        try:\n            raise Odd('x')\n        except KeyError:\n            pass\n";
    let facts = facts("python", text);
    let one = |kind: FactKind| {
        facts
            .iter()
            .find(|fact| fact.kind == kind)
            .expect("the text has one of each")
    };
    let import = one(FactKind::Import);
    assert_eq!((import.name.as_str(), import.annotation.as_str()), ("d", "a.b"));
    assert_eq!(import.arguments, [Value::Text("c".to_owned())]);
    assert_eq!(one(FactKind::Bind).annotation, "int");
    let class = one(FactKind::Type);
    assert_eq!(
        class.arguments,
        [Value::Name("Base".to_owned()), Value::Name("m.Mixin".to_owned())]
    );
    let function = one(FactKind::Function);
    assert_eq!(
        (function.annotation.as_str(), function.words.as_str()),
        ("str", "async def")
    );
    assert_eq!((function.line, function.end_line), (4, 8));
    assert_eq!(one(FactKind::Parameter).annotation, "Session");
    assert_eq!(one(FactKind::Raise).name, "Odd");
    assert_eq!(one(FactKind::Catch).annotation, "KeyError");
}

#[test]
fn ins_5_statements_are_kept_whole_and_other_texts_are_cut() {
    let columns = "column, ".repeat(200);
    let text = format!("db.run('select {columns} x from t')\nlog.info('{columns}')\n");
    let facts = facts("python", &text);
    let length = |fact: &Fact| match fact.arguments.first() {
        Some(Value::Text(text)) => text.len(),
        _ => 0,
    };
    assert!(length(&facts[0]) > 1_600, "{}", length(&facts[0]));
    assert_eq!(length(&facts[1]), 300);
}

/// Holders come before what they hold, values point to facts, lines are in order; also in the fixtures of all languages and in
/// halves of them.
#[test]
fn ins_4_facts_are_in_order_on_every_fixture() {
    for language in LANGUAGES {
        let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(format!("{}.{}", language.name, language.extensions[0]));
        #[expect(clippy::disallowed_methods, reason = "fixtures are files")]
        let Ok(text) = std::fs::read_to_string(&fixture) else {
            continue;
        };
        let mut half = text.len() / 2;
        while !text.is_char_boundary(half) {
            half -= 1;
        }
        for text in [&text[..], &text[..half]] {
            let facts = facts(language.name, text);
            assert_eq!(facts.is_empty(), language.facts.is_empty(), "{}", language.name);
            for (idx, fact) in facts.iter().enumerate() {
                let holder = fact.parent.map(|parent| parent as usize);
                assert!(
                    holder.is_none_or(|holder| holder < facts.len()),
                    "{}",
                    language.name
                );
                let is_held = fact.kind == FactKind::Mark || holder.is_none_or(|holder| holder < idx);
                assert!(is_held, "{} {fact:?}", language.name);
                assert!(
                    fact.line >= 1 && fact.line <= fact.end_line,
                    "{} {fact:?}",
                    language.name
                );
                let bytes = kitbag_types::fact::to_bytes(&facts);
                assert_eq!(
                    kitbag_types::fact::from_bytes(&bytes).map(|back| back.len()),
                    Some(facts.len())
                );
            }
        }
    }
}
