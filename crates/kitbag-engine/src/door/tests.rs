//! PACK-63: each call as its door takes it.

use super::*;

fn lines() -> LineRange {
    LineRange::new(3, 9)
}

#[test]
fn pack_63_a_terminal_gets_command_lines() {
    let door = Door::Terminal;
    assert_eq!(door.symbol("Cart::add"), "kitbag symbol Cart::add");
    assert_eq!(
        door.more("it's odd", 2_000).as_deref(),
        Some("kitbag pack 'it'\\''s odd' --budget 4000")
    );
    assert_eq!(
        door.place("why", "a b.rs", lines()),
        "kitbag pack --ref='a b.rs:3-9' -- why"
    );
    assert_eq!(door.state(), "kitbag status");
}

#[test]
fn pack_63_a_model_gets_calls_of_its_tools() {
    let door = |project: Option<&str>| Door::Mcp {
        most_tokens: 25_000,
        project: project.map(str::to_owned),
    };
    assert_eq!(door(None).symbol("add"), "locate_symbol {\"name\":\"add\"}");
    assert_eq!(
        door(Some("/shop")).symbol("add"),
        "locate_symbol {\"name\":\"add\",\"project\":\"/shop\"}"
    );
    assert_eq!(
        door(None).more("say \"hi\"", 20_000).as_deref(),
        Some("build_context_pack {\"task\":\"say \\\"hi\\\"\",\"max_tokens\":25000}")
    );
    assert_eq!(door(None).more("x", 25_000), None, "there is no more to be had");
    assert_eq!(
        door(None).place("why", "a.rs", lines()),
        "build_context_pack {\"task\":\"why\",\"files\":[\"a.rs\"]}"
    );
    assert_eq!(door(None).state(), "get_context_stats {}");
}

#[test]
fn pack_63_a_program_gets_requests() {
    let door = Door::Http;
    assert_eq!(door.symbol("add"), "POST /v1/symbol {\"name\":\"add\"}");
    assert_eq!(
        door.more("why", 100).as_deref(),
        Some("POST /v1/pack {\"task\":\"why\",\"max_tokens\":1000}")
    );
    assert_eq!(
        door.place("why", "a.rs", lines()),
        "POST /v1/pack {\"task\":\"why\",\"sources\":[{\"kind\":\"reference\",\"path\":\"a.rs\",\"line_start\":3,\"line_end\":9}]}"
    );
    assert_eq!(door.state(), "GET /stats");
}
