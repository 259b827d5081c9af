//! SEC-6: what strangers hand to the engine: packs that were kept or sent, and sources.

use std::time::Duration;

use kitbag_engine::Tokenizer;
use kitbag_engine::api::{self, PackReply, PackRequest, PackSource};
use kitbag_testkit::fuzz::{Material, fuzz};

use crate::world::{NOW, World};

const PROJECT: &str =
    "//- a.rs\n//! One.\nfn one() {\n    two();\n}\n\nfn two() {}\n//- b.py\ndef three():\n    return 1\n";

#[test]
fn sec_6_fuzz_packs() {
    let world = World::new(PROJECT);
    world.index();
    let engine = world.engine();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let request = PackRequest::new("one and three", 600, &tokenizer);
    let pack = api::pack(&engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap();
    let sample = serde_json::to_string(&pack).unwrap();
    let material = Material::new(
        &[sample],
        &[
            "\"line_start\":",
            "\"line_end\":",
            "4294967295",
            "0",
            "null",
            "\"a.rs\"",
            "\"\"",
            "../x",
            "{",
            "}",
            "[",
            "]",
            ",",
            "\\u0000",
        ],
    );
    fuzz("packs", &material, |input| {
        if let Ok(pack) = serde_json::from_slice::<PackReply>(input) {
            let reply = api::verify(&engine, &pack);
            assert_eq!(reply.items.len(), pack.items.len());
        }
    });
    // Most edits of a text make no JSON of it. So the numbers of a pack are changed one by one as well.
    for number in [0, 1, 3, 1_000, u32::MAX] {
        for item in 0..pack.items.len() {
            let mut changed = pack.clone();
            changed.items[item].line_start = number;
            api::verify(&engine, &changed);
            changed.items[item].line_end = number;
            api::verify(&engine, &changed);
            changed.items[item].line_start = 2;
            api::verify(&engine, &changed);
        }
    }
}

#[test]
fn sec_6_fuzz_sources() {
    let world = World::new(PROJECT);
    let engine = world.engine();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let material = Material::new(
        &[
            "fn one() {\n    two();\n}\n",
            "diff --git a/a.rs b/a.rs\n@@ -1,2 +1,2 @@\n-a\n+b\n",
            "test a ... FAILED\nthread 'a' panicked at a.rs:3:5:\nassertion failed\n",
        ],
        &[
            "a.rs",
            "b.py",
            "../..",
            "/etc/passwd",
            "@@ -1 +1 @@\n",
            "fn ",
            "{",
            "}",
            "error:",
            "\n",
            "```",
            "</item>",
            "\u{0}",
        ],
    );
    let kinds = [
        "tool_result",
        "open_file",
        "search",
        "reference",
        "message",
        "memory",
        "odd",
    ];
    fuzz("sources", &material, |input| {
        let text = String::from_utf8_lossy(input).into_owned();
        let pick = |n: usize| input.get(n).copied().unwrap_or_default();
        let word = |n: usize| text.split_whitespace().nth(n).map(str::to_owned);
        let source = PackSource {
            commit: None,
            kind: kinds[usize::from(pick(0)) % kinds.len()].to_owned(),
            path: match pick(1) % 3 {
                0 => None,
                1 => Some("a.rs".to_owned()),
                _ => word(0),
            },
            line_start: (pick(2) % 2 == 0).then(|| u32::from(pick(3)) % 9),
            line_end: (pick(4) % 2 == 0).then(|| u32::from(pick(5)).wrapping_sub(2)),
            content: (pick(6) % 4 > 0).then(|| text.clone()),
            label: word(1),
            relevance: (pick(7) % 2 == 0).then(|| f64::from(pick(8)) / 100.0 - 0.5),
            timestamp_ms: Some(i64::from(pick(9)) << (pick(10) % 56)),
            pinned: pick(11) % 2 == 0,
        };
        let mut request = PackRequest::new("one and three", 600, &tokenizer);
        request.sources = vec![
            source.clone(),
            PackSource {
                label: None,
                ..source
            },
        ];
        if let Ok(pack) = api::pack(&engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW) {
            assert!(pack.tokens <= pack.budget, "{} of {}", pack.tokens, pack.budget);
        }
    });
}
