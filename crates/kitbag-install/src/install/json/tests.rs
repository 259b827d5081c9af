//! What is written into JSON and in which style, and that removing is the reverse (MCP-6).

use kitbag_testkit::fuzz::{Material, fuzz};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::install::entry::{Launch, Shape};

fn entry() -> Entry {
    let launch = Launch {
        command: "kitbag".to_owned(),
        args: vec!["mcp".to_owned()],
    };
    Entry::new(Shape::Plain, &launch)
}

#[track_caller]
fn check(before: &str, after: &str) {
    let set = set(before, "mcpServers", "kitbag", &entry()).expect("it parses");
    assert_eq!(set, after);
    let again = super::set(&set, "mcpServers", "kitbag", &entry()).expect("it still parses");
    assert_eq!(again, after, "twice is once");
}

/// The same, and removing without a backup restores the bytes from before.
#[track_caller]
fn check_both_ways(before: &str, after: &str) {
    check(before, after);
    assert_eq!(
        remove(after, "mcpServers", "kitbag", false).expect("it parses"),
        before
    );
}

#[test]
fn mcp_6_an_empty_file_and_an_empty_object() {
    let whole = "{\n  \"mcpServers\": {\n    \"kitbag\": {\n      \"command\": \"kitbag\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}";
    check("", &format!("{whole}\n"));
    check("{}", whole);
    check("{ }\n", &format!("{whole}\n"));
    check("// mine\n", &format!("// mine\n{whole}\n"));
    check_both_ways("{}\n", &format!("{whole}\n"));
}

#[test]
fn mcp_6_beside_other_servers_in_their_style() {
    check_both_ways(
        "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\"}\n\t}\n}\n",
        "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\"},\n\t\t\"kitbag\": {\n\t\t\t\"command\": \"kitbag\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n",
    );
    check_both_ways(
        "{\r\n    \"x\": 1,\r\n    \"mcpServers\": {\r\n        \"a\": {},\r\n    },\r\n}\r\n",
        "{\r\n    \"x\": 1,\r\n    \"mcpServers\": {\r\n        \"a\": {},\r\n        \"kitbag\": {\r\n            \"command\": \"kitbag\",\r\n            \"args\": [\"mcp\"]\r\n        },\r\n    },\r\n}\r\n",
    );
}

#[test]
fn mcp_6_one_line_stays_one_line() {
    check_both_ways(
        r#"{"a":1,"mcpServers":{"b":{"command":"b"}}}"#,
        r#"{"a":1,"mcpServers":{"b":{"command":"b"},"kitbag":{"command":"kitbag","args":["mcp"]}}}"#,
    );
    check_both_ways(
        r#"{"a": 1}"#,
        r#"{"a": 1, "mcpServers": {"kitbag": {"command": "kitbag", "args": ["mcp"]}}}"#,
    );
    check_both_ways(
        "{\n  \"mcpServers\": {\"b\": {}}\n}",
        "{\n  \"mcpServers\": {\"b\": {}, \"kitbag\": {\"command\": \"kitbag\", \"args\": [\"mcp\"]}}\n}",
    );
}

#[test]
fn mcp_6_comments_stay_with_what_they_explain() {
    check_both_ways(
        "{\n  // all of them\n  \"mcpServers\": {\n    \"a\": {} /* one */ // the first\n    // \"b\": {}\n  } // end\n}\n",
        "{\n  // all of them\n  \"mcpServers\": {\n    \"a\": {}, /* one */ // the first\n    \"kitbag\": {\n      \"command\": \"kitbag\",\n      \"args\": [\"mcp\"]\n    }\n    // \"b\": {}\n  } // end\n}\n",
    );
    let before = "{\n  \"mcpServers\": { // none yet\n    // \"a\": {}\n  }\n}\n";
    let after = set(before, "mcpServers", "kitbag", &entry()).expect("it parses");
    assert_eq!(
        remove(&after, "mcpServers", "kitbag", false).as_deref(),
        Ok(before)
    );
}

#[test]
fn mcp_6_an_entry_that_differs_is_mended_and_keeps_the_rest() {
    let before = "{\"mcpServers\": {\"kitbag\": {\n  \"command\": \"/old/kitbag\", // old\n  \"args\": [\"mcp\", \"--tools\", \"all\"],\n  \"env\": {\"A\": \"1\"}\n}}}";
    check(
        before,
        "{\"mcpServers\": {\"kitbag\": {\n  \"command\": \"kitbag\", // old\n  \"args\": [\"mcp\"],\n  \"env\": {\"A\": \"1\"}\n}}}",
    );
    check(
        r#"{"mcpServers": {"kitbag": {"url": "http://x/mcp"}}}"#,
        r#"{"mcpServers": {"kitbag": {"command": "kitbag", "args": ["mcp"]}}}"#,
    );
    check(
        r#"{"mcpServers": {"kitbag": null, "b": {}}}"#,
        r#"{"mcpServers": {"kitbag": {"command": "kitbag", "args": ["mcp"]}, "b": {}}}"#,
    );
    check(
        r#"{"mcpServers": {"kitbag": {"command": "kitbag"}}}"#,
        r#"{"mcpServers": {"kitbag": {"command": "kitbag", "args": ["mcp"]}}}"#,
    );
}

#[test]
fn mcp_6_taken_out_of_the_middle() {
    let text = "{\n  \"mcpServers\": {\n    \"a\": {},\n    \"kitbag\": {\"command\": \"k\"}, // ours\n    \"b\": {}\n  }\n}\n";
    let without = remove(text, "mcpServers", "kitbag", false).expect("it parses");
    assert_eq!(
        without,
        "{\n  \"mcpServers\": {\n    \"a\": {}, // ours\n    \"b\": {}\n  }\n}\n"
    );
    let first = r#"{"mcpServers": {"kitbag": {}, "b": {}}}"#;
    assert_eq!(
        value(&remove(first, "mcpServers", "kitbag", false).expect("it parses")),
        Ok(Some(json!({"mcpServers": {"b": {}}})))
    );
}

#[test]
fn mcp_6_a_container_that_was_there_is_kept() {
    let text = r#"{"mcpServers": {"kitbag": {}}}"#;
    assert_eq!(
        remove(text, "mcpServers", "kitbag", true).as_deref(),
        Ok(r#"{"mcpServers": {}}"#)
    );
    assert_eq!(remove(text, "mcpServers", "kitbag", false).as_deref(), Ok("{}"));
}

#[test]
fn mcp_6_what_cannot_be_edited_is_refused_with_its_place() {
    let refused = |text: &str| {
        let refusal = set(text, "mcpServers", "kitbag", &entry()).expect_err(text);
        (refusal.place(text), refusal.message)
    };
    assert_eq!(refused("{\n  \"a\": 1\n  \"b\": 2\n}").0, (2, 9));
    assert_eq!(
        refused("[]"),
        ((1, 1), "the document is not an object".to_owned())
    );
    assert_eq!(
        refused("{\n  \"ü\": 1, \"mcpServers\": []}"),
        ((2, 25), "mcpServers is not an object".to_owned())
    );
    assert!(
        set("{'a': 1}", "m", "k", &entry()).is_err(),
        "single quotes are no JSON"
    );
}

/// A document in any layout; each byte of `choices` makes one decision.
fn document(choices: &[u8]) -> String {
    struct Pen<'c> {
        choices: std::iter::Cycle<std::slice::Iter<'c, u8>>,
        newline: &'static str,
        out: String,
    }
    impl Pen<'_> {
        fn one_of(&mut self, n: u8) -> u8 {
            self.choices.next().map_or(0, |byte| byte % n)
        }
        fn gap(&mut self) {
            let gap = match self.one_of(12) {
                0 => " /* {\"x\": , */ ".to_owned(),
                1 => format!(" // \"kitbag\": }} ,{}", self.newline),
                2 | 3 => format!("{}  ", self.newline),
                4 => "\t".to_owned(),
                5..=7 => " ".to_owned(),
                _ => String::new(),
            };
            self.out.push_str(&gap);
        }
        fn value(&mut self, depth: u8) {
            let simple = ["1", "-0.5e3", "true", "null", "\"a \\\" // \\u00e9\"", "\"\""];
            match self.one_of(if depth > 2 { 6 } else { 9 }) {
                6 => {
                    self.out.push('[');
                    for n in 0..self.one_of(3) {
                        if n > 0 {
                            self.out.push(',');
                        }
                        self.gap();
                        self.value(depth + 1);
                    }
                    self.out.push(']');
                }
                7 | 8 => {
                    let names: Vec<String> = (0..self.one_of(4)).map(|n| format!("k{n}")).collect();
                    self.object(&names, depth + 1);
                }
                n => self.out.push_str(simple[usize::from(n)]),
            }
        }
        fn object(&mut self, names: &[String], depth: u8) {
            self.out.push('{');
            for (n, name) in names.iter().enumerate() {
                if n > 0 {
                    self.out.push(',');
                }
                self.gap();
                self.out.push_str(&format!("\"{name}\""));
                self.gap();
                self.out.push(':');
                self.gap();
                match (name.as_str(), depth) {
                    ("mcpServers", 0) => {
                        let n_servers = self.one_of(3) + 1;
                        let names: Vec<String> = (0..n_servers).map(|n| format!("s{n}")).collect();
                        self.object(&names, 1);
                    }
                    _ => self.value(depth),
                }
                self.gap();
            }
            if !names.is_empty() && self.one_of(3) == 0 {
                self.out.push(',');
                self.gap();
            }
            self.out.push('}');
        }
    }
    let mut pen = Pen {
        choices: choices.iter().cycle(),
        newline: "\n",
        out: String::new(),
    };
    if pen.one_of(2) == 0 {
        pen.newline = "\r\n";
    }
    let mut names: Vec<String> = (0..pen.one_of(4) + 1).map(|n| format!("p{n}")).collect();
    if pen.one_of(3) > 0 {
        let at = usize::from(pen.one_of(4)).min(names.len());
        names.insert(at, "mcpServers".to_owned());
    }
    pen.gap();
    pen.object(&names, 0);
    pen.gap();
    pen.out
}

proptest! {
    #[test]
    fn mcp_6_in_and_out_again_is_nothing(choices in prop::collection::vec(any::<u8>(), 1..80)) {
        let before = document(&choices);
        let old = value(&before).expect("a made document parses").expect("and is one");
        let after = set(&before, "mcpServers", "kitbag", &entry()).expect("it can be edited");
        let mut new = value(&after).expect("it still parses").expect("and is one");
        let servers = new["mcpServers"].as_object_mut().expect("it has servers");
        prop_assert_eq!(servers.remove("kitbag"), Some(entry().to_value()));
        if old.get("mcpServers").is_none() {
            new.as_object_mut().expect("it is one").remove("mcpServers");
        }
        prop_assert_eq!(new, old, "{}\n----\n{}", before, after);
        prop_assert_eq!(&set(&after, "mcpServers", "kitbag", &entry()).expect("again"), &after);
        let undone = remove(&after, "mcpServers", "kitbag", false).expect("it can be undone");
        prop_assert_eq!(undone, before, "by way of\n{}", after);
    }
}

#[test]
fn sec_6_fuzz_json_of_agents() {
    let material = Material::new(
        &["{\n  // note\n  \"mcpServers\": {\"other\": {\"command\": \"x\"},},\n}\n"],
        &[
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"mcpServers\"",
            "\"kitbag\"",
            "//",
            "/*",
            "*/",
            "null",
            "\n",
            "  ",
        ],
    );
    fuzz("json of agents", &material, |input| {
        let before = String::from_utf8_lossy(input);
        if let Ok(after) = set(&before, "mcpServers", "kitbag", &entry()) {
            let again = set(&after, "mcpServers", "kitbag", &entry());
            assert_eq!(again.as_deref(), Ok(after.as_str()), "twice is once");
        }
        let _ = remove(&before, "mcpServers", "kitbag", false);
    });
}
