//! The marked block is added once, updated, and removed without a trace (MCP-6).

use super::*;

#[test]
fn mcp_6_in_and_out_again_is_nothing() {
    for before in [
        "",
        "\n",
        "# A\n",
        "# A",
        "# A\n\n\n",
        "# A\r\n\r\ntext\r\n",
        "a\n\nb",
    ] {
        let after = set(before);
        assert!(is_in(&after) && after.starts_with(before), "{before:?}");
        assert_eq!(set(&after), after, "twice is once");
        assert_eq!(remove(&after), before, "by way of {after:?}");
        assert_eq!(after.contains("\r\n"), before.contains("\r\n"), "{after:?}");
        assert_eq!(
            after.ends_with('\n'),
            before.is_empty() || before.ends_with('\n'),
            "{after:?}"
        );
    }
}

#[test]
fn mcp_6_an_older_block_is_replaced_where_it_stands() {
    let old = "# A\n\n<!-- kitbag:begin -->\nold advice\n<!-- kitbag:end -->\n\n# B\n";
    let new = set(old);
    assert!(
        !new.contains("old advice")
            && new.starts_with("# A\n\n<!-- kitbag:begin -->\n")
            && new.ends_with("\n\n# B\n")
    );
    assert_eq!(remove(&new), "# A\n\n# B\n");
}

#[test]
fn mcp_6_half_a_mark_is_prose() {
    let text = "we write <!-- kitbag:begin --> into files\n";
    assert!(!is_in(text));
    assert_eq!(remove(text), text);
}

#[test]
fn mcp_6_the_advice_names_the_tools_and_the_commands() {
    let text = set("");
    for word in [
        "build_context_pack",
        "query_context",
        "locate_symbol",
        "kitbag pack",
        "kitbag search",
    ] {
        assert!(text.contains(word), "{word}");
    }
    assert!(
        text.len() < 1_200,
        "every session pays for it: {} bytes",
        text.len()
    );
}
