//! Requests that cost a stranger nothing and may cost a server much: templates that grow, words without end, nested and endless
//! bodies. Data for `clients.rs`: a name, a path and a body that is at most the documented size.
//!
//! Each is legal HTTP. An answer may be a refusal or a result; what counts is what it costs.

use serde_json::{Value, json};

pub(super) struct Hostile {
    pub(super) name: String,
    pub(super) path: &'static str,
    pub(super) body: String,
}

pub(super) fn all() -> Vec<Hostile> {
    let mut all = templates();
    all.extend(words());
    all.extend(shapes());
    all
}

/// Chains overflow a stack that goes down one level for each link; the others grow a value.
fn templates() -> Vec<Hostile> {
    let n = 20_000;
    let chains: [(&str, String); 8] = [
        ("minus", format!("{{{{ {}1 }}}}", "-".repeat(n))),
        ("not", format!("{{{{ {}1 }}}}", "not ".repeat(n))),
        ("concatenation", format!("{{{{ 1{} }}}}", "~1".repeat(n))),
        ("attribute", format!("{{{{ a{} }}}}", ".a".repeat(n))),
        ("power", format!("{{{{ 1{} }}}}", "**2".repeat(n))),
        ("filter", format!("{{{{ 1{} }}}}", "|string".repeat(n))),
        ("if else", format!("{{{{ {}1 }}}}", "1 if 1 else ".repeat(n))),
        (
            "elif",
            format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(n)),
        ),
    ];
    let doubled = "{% set x = x ~ x %}".repeat(30);
    let captured = "{% set x %}{{ x }}{{ x }}{% endset %}".repeat(30);
    let nested: String = format!("{{{{ {}{} }}}}", "[".repeat(n), "]".repeat(n));
    let loops = format!(
        "{}x{}",
        "{% for a in range(1000) %}".repeat(6),
        "{% endfor %}".repeat(6)
    );
    let bombs: [(&str, String); 8] = [
        (
            "doubling",
            format!("{{% set x = \"aaaaaaaaaa\" %}}{doubled}{{{{ x|length }}}}"),
        ),
        (
            "captures",
            format!("{{% set x = \"aaaaaaaaaa\" %}}{captured}{{{{ x|length }}}}"),
        ),
        ("indent", "{{ task|indent(1000000000) }}".to_owned()),
        ("times", "{{ \"aaaaaaaaaa\" * 1000000000 }}".to_owned()),
        ("lists", nested),
        ("loops", loops),
        (
            "macro",
            "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}".to_owned(),
        ),
        ("range", "{{ range(100000)|list|string|length }}".repeat(100)),
    ];
    let body = |template: &str| json!({"task": "check the cart", "template": template}).to_string();
    chains
        .iter()
        .chain(&bombs)
        .map(|(name, template)| Hostile {
            name: format!("template {name}"),
            path: "/v1/pack",
            body: body(template),
        })
        .collect()
}

fn words() -> Vec<Hostile> {
    let distinct = |n: usize| -> String { (0..n).map(|n| format!("name_of_thing_{n}_x ")).collect() };
    let frames: String = (0..8_000)
        .map(|n| format!("  at check_cart_{n} (src/cart{n}/cart_{n}.rs:{n}:7)\n"))
        .collect();
    let letters: String = (0..260_000_u32)
        .map(|n| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 26))
        .collect();
    let sixteen = letters.as_bytes().chunks(16_000).take(16);
    let sixteen: Vec<String> = sixteen
        .map(|part| String::from_utf8_lossy(part).into_owned())
        .collect();
    let texts = [
        ("one word of 260 KB", letters.clone()),
        ("sixteen long words", sixteen.join(" ")),
        ("5,000 names", distinct(5_000)),
        ("40,000 names", distinct(40_000)),
        ("a stack trace", frames),
        ("dots", ".".repeat(100_000)),
        ("brackets", "(".repeat(100_000)),
        ("quotes", "\"'`".repeat(30_000)),
        ("colons", "a::".repeat(30_000)),
        ("paths", "a/".repeat(50_000)),
        ("numbers", (0..50_000).map(|n| format!("{n}:{n} ")).collect()),
        ("marks", "e\u{301}".repeat(50_000)),
    ];
    let mut all = Vec::new();
    for (name, text) in &texts {
        for (path, key) in [
            ("/v1/search", "query"),
            ("/v1/pack", "task"),
            ("/query_context", "query"),
        ] {
            all.push(Hostile {
                name: format!("{name} to {path}"),
                path,
                body: Value::Object([(key.to_owned(), json!(text))].into_iter().collect()).to_string(),
            });
        }
    }
    all.push(Hostile {
        name: "a name of a thousand parts".to_owned(),
        path: "/v1/symbol",
        body: json!({"name": "a::".repeat(1_000) + "b"}).to_string(),
    });
    all
}

fn shapes() -> Vec<Hostile> {
    let sources: Vec<Value> = (0..500)
        .map(
            |n| json!({"kind": "tool_result", "content": format!("error {n}\n").repeat(100), "label": "log"}),
        )
        .collect();
    let globs: Vec<String> = (0..2_000)
        .map(|n| format!("**/{}*{n}*", "{a,b}".repeat(12)))
        .collect();
    let calls: Vec<Value> = (0..50)
        .map(|n| json!({"jsonrpc": "2.0", "id": n, "method": "search", "params": {"query": format!("cart number {n}")}}))
        .collect();
    let many: Vec<Value> = (0..20_000)
        .map(|n| json!({"jsonrpc": "2.0", "id": n, "method": "search"}))
        .collect();
    let one = |name: &str, path, body: String| Hostile {
        name: name.to_owned(),
        path,
        body,
    };
    vec![
        one(
            "nested arrays",
            "/rpc",
            format!("{}{}", "[".repeat(400_000), "]".repeat(400_000)),
        ),
        one(
            "nested objects",
            "/v1/pack",
            format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000)),
        ),
        one("a batch of 50", "/rpc", Value::Array(calls).to_string()),
        one("a batch of 20,000", "/rpc", Value::Array(many).to_string()),
        one(
            "500 sources",
            "/v1/pack",
            json!({"task": "errors", "sources": sources}).to_string(),
        ),
        one("versions of one path", "/v1/pack", versions()),
        one("an open file and its lines", "/v1/pack", open_file_and_lines()),
        one(
            "a source of one line",
            "/v1/pack",
            json!({"task": "errors", "sources": [{"kind": "tool_result", "content": "a".repeat(900_000)}]})
                .to_string(),
        ),
        one(
            "globs",
            "/v1/search",
            json!({"query": "cart", "paths": globs}).to_string(),
        ),
        one(
            "symbols",
            "/v1/pack",
            json!({"task": "x", "symbols": (0..20_000).map(|n| format!("name_{n}")).collect::<Vec<_>>()})
                .to_string(),
        ),
        one(
            "a large budget",
            "/v1/pack",
            json!({"task": "cart", "max_tokens": 100_000_000}).to_string(),
        ),
        one(
            "a large number",
            "/v1/search",
            json!({"query": "cart", "top": u64::MAX}).to_string(),
        ),
        one(
            "half a surrogate",
            "/v1/search",
            "{\"query\": \"\\ud800\"}".to_owned(),
        ),
        one(
            "bytes that are not text",
            "/v1/search",
            "\u{0}\u{1}\u{2}".repeat(1_000),
        ),
    ]
}

/// Texts of one path that differ only in their last lines.
fn versions() -> String {
    let content = |n: usize| format!("{}{n}", "a\n".repeat(4_000));
    let sources: Vec<Value> = (0..500)
        .map(|n| json!({"kind": "open_file", "path": "README.md", "content": content(n)}))
        .collect();
    json!({"task": "check the cart", "sources": sources}).to_string()
}

/// Each of the lines is one of the file as it is open.
fn open_file_and_lines() -> String {
    let path = "README.md";
    let line = json!({"kind": "reference", "path": path, "line_start": 1, "line_end": 1});
    let mut sources = vec![line; 499];
    sources.push(json!({"kind": "open_file", "path": path, "content": "a\n".repeat(1_500_000)}));
    json!({"task": "check the cart", "sources": sources}).to_string()
}
