//! Which questions are about history, and their subjects (RET-13).

use super::history_question;

fn asked(text: &str) -> Option<String> {
    history_question(text).map(|asked| format!("{} {}", asked.kind.as_str(), asked.subject))
}

#[test]
fn ret_13_questions_about_history_are_told_from_others() {
    let table = [
        ("what changed lately in the tokenizer?", "lately tokenizer"),
        ("What changed recently in src/parse.rs", "lately src/parse.rs"),
        ("what has changed in `Parser::next`", "lately `Parser::next`"),
        ("what changed lately?", "lately "),
        (
            "please show me the recent changes to the session store",
            "lately session store",
        ),
        (
            "latest commits in crates/kitbag-pack",
            "lately crates/kitbag-pack",
        ),
        ("the history of crates/a.rs", "lately crates/a.rs"),
        ("git log of parse_config", "lately parse_config"),
        ("when was retry_limit added", "first retry_limit"),
        (
            "when did the default timeout change?",
            "lately default timeout change",
        ),
        ("which commit introduced the retry loop", "first retry loop"),
        ("what happened to the old scheduler", "lately old scheduler"),
        ("who touched src/lib.rs:10-20", "who src/lib.rs:10-20"),
        ("who wrote the tokenizer", "who tokenizer"),
        ("Who knows about the session store?", "who session store"),
        ("git blame src/a.py", "who src/a.py"),
        ("what usually changes with schema.rs", "with schema.rs"),
        ("which files change together with src/api.rs?", "with src/api.rs"),
        ("why is this so", "why "),
        ("why is the limit of src/a.rs:12 so", "why limit of src/a.rs:12"),
        (
            "why was the cache removed from the loader",
            "why cache removed from the loader",
        ),
        ("why is max_retries set to 3?", "why max_retries set to 3"),
        ("why is the parser written like this?", "why parser written"),
        ("why do we pin serde", "why pin serde"),
        ("what is the rationale behind the two indexes", "why two indexes"),
    ];
    for (text, expected) in table {
        assert_eq!(asked(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn ret_13_questions_about_code_are_not_taken_for_history() {
    let table = [
        "how does the history provider work",
        "what does changed() return",
        "why does parsing fail on empty input",
        "why is the parser so slow",
        "why does the loader crash when the cache was removed",
        "who calls parse_config",
        "what changes are needed to support Zig",
        "where is the commit message parsed",
        "recent files list",
        "when is the index rebuilt",
        "command history",
        "undo history stack",
        "what happens on startup",
        "blame",
        "",
        "which function writes the commit",
        "add a test for the change detector",
    ];
    for text in table {
        assert_eq!(asked(text), None, "{text}");
    }
    let long = format!("what changed lately in {}", "x".repeat(400));
    assert_eq!(asked(&long), None);
}

#[test]
fn sec_4_odd_questions_do_no_harm() {
    for text in [
        "?",
        "why",
        "who",
        "why is",
        "when was",
        "what",
        "\u{202E}why was ẞ removed",
        "why was \0 removed",
    ] {
        let _ = asked(text);
    }
}
