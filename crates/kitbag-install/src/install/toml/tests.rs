//! What is written into TOML, and that removing is the reverse (MCP-6).

use kitbag_testkit::fuzz::{Material, fuzz};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::install::entry::{Launch, Shape};

const OURS: &str = "[mcp_servers.kitbag]\ncommand = \"kitbag\"\nargs = [\"mcp\"]";

fn entry() -> Entry {
    let launch = Launch {
        command: "kitbag".to_owned(),
        args: vec!["mcp".to_owned()],
    };
    Entry::new(Shape::Plain, &launch)
}

#[track_caller]
fn check(before: &str, after: &str) {
    let text = set(before, "mcp_servers", "kitbag", &entry()).expect("it parses");
    assert_eq!(text, after);
    assert_eq!(
        set(&text, "mcp_servers", "kitbag", &entry()).as_deref(),
        Ok(after),
        "twice is once"
    );
}

#[track_caller]
fn check_both_ways(before: &str, after: &str) {
    check(before, after);
    assert_eq!(remove(after, "mcp_servers", "kitbag").as_deref(), Ok(before));
}

#[test]
fn mcp_6_a_table_at_the_end() {
    check_both_ways("", &format!("{OURS}\n"));
    check_both_ways("model = \"o\"\n", &format!("model = \"o\"\n\n{OURS}\n"));
    check_both_ways("model = \"o\"", &format!("model = \"o\"\n\n{OURS}"));
    check_both_ways("[a]\nb = 1\n\n\n", &format!("[a]\nb = 1\n\n\n\n{OURS}\n"));
    check_both_ways("\n", &format!("\n\n{OURS}\n"));
    check_both_ways(
        "[mcp_servers.a]\r\ncommand = \"a\" # x\r\n",
        &format!(
            "[mcp_servers.a]\r\ncommand = \"a\" # x\r\n\r\n{}\r\n",
            OURS.replace('\n', "\r\n")
        ),
    );
    check_both_ways(
        "[mcp_servers]\na = { command = \"a\" }\n",
        &format!("[mcp_servers]\na = {{ command = \"a\" }}\n\n{OURS}\n"),
    );
    check_both_ways(
        "mcp_servers.a.command = \"a\"\n",
        &format!("mcp_servers.a.command = \"a\"\n\n{OURS}\n"),
    );
}

#[test]
fn mcp_6_servers_in_one_inline_table() {
    check_both_ways(
        "mcp_servers = { a = { command = \"a\" } } # all\nx = 1\n",
        "mcp_servers = { a = { command = \"a\" }, kitbag = { command = \"kitbag\", args = [\"mcp\"] } } # all\nx = 1\n",
    );
    check_both_ways(
        "mcp_servers = {}\n",
        "mcp_servers = { kitbag = { command = \"kitbag\", args = [\"mcp\"] } }\n",
    );
}

#[test]
fn mcp_6_a_table_that_differs_is_mended_and_keeps_the_rest() {
    check(
        "[mcp_servers.kitbag] # mine\ncommand = '/old' # old\nstartup_timeout_sec = 20\n\n[mcp_servers.kitbag.env]\nA = \"1\"\n",
        "[mcp_servers.kitbag] # mine\nargs = [\"mcp\"]\ncommand = \"kitbag\" # old\nstartup_timeout_sec = 20\n\n[mcp_servers.kitbag.env]\nA = \"1\"\n",
    );
    check(
        "[mcp_servers]\nkitbag = { command = \"old\", args = [] }\n",
        "[mcp_servers]\nkitbag = { command = \"kitbag\", args = [\"mcp\"] }\n",
    );
    check(
        "[mcp_servers.kitbag]\nurl = \"http://x\"\n\n[z]\na = 1\n",
        &format!("[z]\na = 1\n\n{OURS}\n"),
    );
}

#[test]
fn mcp_6_everything_of_the_entry_goes_and_nothing_else() {
    let check = |text: &str, without: &str| {
        assert_eq!(remove(text, "mcp_servers", "kitbag").as_deref(), Ok(without));
    };
    check(
        &format!("a = 1\n\n{OURS}\n\n[mcp_servers.kitbag.env]\nA = \"1\"\n\n# of b\n[b]\nc = 2\n"),
        "a = 1\n\n# of b\n[b]\nc = 2\n",
    );
    check(
        "[mcp_servers]\nkitbag = { command = \"k\" }\nb = { command = \"b\" }\n",
        "[mcp_servers]\nb = { command = \"b\" }\n",
    );
    check(
        "mcp_servers.kitbag.command = \"k\"\nmcp_servers.kitbag.args = []\nx = 1\n",
        "x = 1\n",
    );
    check(
        "mcp_servers = { kitbag = { command = \"k\" }, b = { command = \"b\" } }\n",
        "mcp_servers = { b = { command = \"b\" } }\n",
    );
    check(
        "[mcp_servers.kitbag]\ncommand = \"k\"\nargs = [\n  \"mcp\", # [x]\n]\nenv.A = \"[b]\"\n[b]\n",
        "[b]\n",
    );
}

#[test]
fn mcp_6_what_cannot_be_edited_is_refused_with_its_place() {
    let refused = |text: &str| {
        set(text, "mcp_servers", "kitbag", &entry())
            .expect_err(text)
            .place(text)
    };
    assert_eq!(refused("a = 1\nb = = 2\n"), (2, 5));
    assert_eq!(refused("mcp_servers = [1]\n"), (1, 15));
}

/// Lines that a table may contain.
const LINES: [&str; 6] = [
    "n = 1",
    "date = 2026-01-02 # then",
    "text = \"\"\"\n[mcp_servers.kitbag]\n\"\"\"",
    "list = [\n  \"a\", # [x]\n  \"b\",\n]",
    "inline = { command = \"x\", args = [] }",
    "dotted.key.path = 'q'",
];
const HEADERS: [&str; 6] = [
    "[mcp_servers.a]",
    "[mcp_servers.a.env]",
    "[projects.\"/home/me\"]",
    "  [mcp_servers.\"b c\"] # spaced",
    "[[profiles]]",
    "[tools]",
];

proptest! {
    #[test]
    fn mcp_6_in_and_out_again_is_nothing(
        blocks in prop::collection::vec((prop::collection::btree_set(0..6usize, 0..4), 0..3usize), 1..6),
        headers in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
        crlf in any::<bool>(),
        ends in any::<bool>(),
    ) {
        let mut before = String::new();
        for (block_idx, (lines, n_empty)) in blocks.iter().enumerate() {
            if block_idx > 0 {
                before.push_str(HEADERS[headers[block_idx]]);
                before.push('\n');
            }
            for line in lines {
                before.push_str(LINES[*line]);
                before.push('\n');
            }
            before.push_str(&"\n".repeat(*n_empty));
        }
        if !ends {
            before.truncate(before.trim_end().len());
        }
        if crlf {
            before = before.replace('\n', "\r\n");
        }
        let old = value(&before).expect("a made document parses").expect("always");
        let after = set(&before, "mcp_servers", "kitbag", &entry()).expect("it can be edited");
        let mut new = value(&after).expect("it still parses").expect("always");
        let servers = new["mcp_servers"].as_object_mut().expect("it has servers");
        prop_assert_eq!(servers.remove("kitbag"), Some(json!({"command": "kitbag", "args": ["mcp"]})));
        if old.get("mcp_servers").is_none() {
            new.as_object_mut().expect("it is one").remove("mcp_servers");
        }
        prop_assert_eq!(new, old);
        let undone = remove(&after, "mcp_servers", "kitbag").expect("it can be undone");
        prop_assert_eq!(undone, before, "by way of\n{}", after);
    }
}

#[test]
fn sec_6_fuzz_toml_of_agents() {
    let material = Material::new(
        &["model = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[mcp_servers.kitbag.env]\nA = \"1\"\n"],
        &[
            "[mcp_servers",
            ".kitbag",
            "]",
            "[",
            "=",
            "\"",
            "{",
            "}",
            "\n",
            "#",
            "command",
            ".",
            "'''",
        ],
    );
    fuzz("toml of agents", &material, |input| {
        let before = String::from_utf8_lossy(input);
        if let Ok(after) = set(&before, "mcp_servers", "kitbag", &entry()) {
            assert_eq!(
                set(&after, "mcp_servers", "kitbag", &entry()).as_deref(),
                Ok(after.as_str()),
                "twice is once"
            );
        }
        let _ = remove(&before, "mcp_servers", "kitbag");
    });
}
