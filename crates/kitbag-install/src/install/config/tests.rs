//! Only the entry changes, in every format; a file without values is recognised (MCP-6).

use serde_json::json;

use super::*;
use crate::install::entry::{Launch, Shape};

const JSON: Slot = Slot {
    format: Format::Json,
    container: "mcpServers",
    name: "kitbag",
};
const TOML: Slot = Slot {
    format: Format::Toml,
    container: "mcp_servers",
    name: "kitbag",
};

fn entry() -> Entry {
    let launch = Launch {
        command: r"C:\tools\kitbag.exe".to_owned(),
        args: vec!["mcp".to_owned(), "--tools".to_owned(), "all".to_owned()],
    };
    Entry::new(Shape::Plain, &launch)
}

#[test]
fn mcp_6_both_formats_hold_the_same_entry() {
    for slot in [JSON, TOML] {
        let text = set("", slot, &entry()).expect("an empty file is fine");
        let found = find(&text, slot).expect("it parses").expect("it is there");
        assert_eq!(
            found,
            json!({"command": r"C:\tools\kitbag.exe", "args": ["mcp", "--tools", "all"]})
        );
        assert_eq!(has_container(&text, slot), Ok(true));
        assert!(
            is_blank(&remove(&text, slot, false).expect("it parses"), slot.format),
            "{text}"
        );
    }
}

#[test]
fn mcp_6_a_duplicate_entry_is_not_half_removed() {
    // The last one counts; removing it would activate the first.
    let text = r#"{"mcpServers": {"kitbag": {"command": "a"}, "kitbag": {"command": "b"}}}"#;
    assert!(remove(text, JSON, false).is_err());
    assert!(
        set(text, JSON, &entry()).is_ok(),
        "mending the one that counts is fine"
    );
}

#[test]
fn mcp_6_a_file_is_blank_if_nobody_misses_it() {
    let blank = |format, text| is_blank(text, format);
    assert!(
        ["", " \n", "{}", "{\n}\n"]
            .into_iter()
            .all(|text| blank(Format::Json, text))
    );
    assert!(
        !["{\"a\": 1}", "// mine\n{}", "{ /* x */ }", "[]"]
            .into_iter()
            .any(|text| blank(Format::Json, text))
    );
    assert!(blank(Format::Toml, "\n") && !blank(Format::Toml, "# mine\n"));
}
