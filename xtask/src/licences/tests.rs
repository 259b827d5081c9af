//! Choices between licences, and which crates count.

use serde_json::json;

use super::*;

#[test]
fn dlv_3_of_a_choice_the_first_allowed_licence_is_taken() {
    let cases = [
        ("MIT OR Apache-2.0", Some("MIT")),
        ("Apache-2.0/MIT", Some("MIT")),
        ("Apache-2.0 / MIT / MPL-2.0", Some("MIT")),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", Some("MIT")),
        ("Apache-2.0", Some("Apache-2.0")),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", Some("MIT AND Unicode-3.0")),
        ("Unlicense OR MIT", Some("MIT")),
        ("GPL-3.0-or-later", None),
        ("MIT AND GPL-3.0-only", None),
        ("LicenseRef-Llama", None),
        ("", None),
    ];
    for (declared, expected) in cases {
        assert_eq!(chosen(declared).as_deref(), expected, "{declared}");
    }
}

fn metadata(licence: &str) -> Value {
    let package = |name: &str, licence: &str| {
        json!({
            "id": name, "name": name, "version": "1.0.0", "license": licence,
            "manifest_path": format!("/src/{name}/Cargo.toml"), "authors": ["Somebody"],
        })
    };
    let uses = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
    json!({
        "packages": [package("kitbag", "MIT"), package("room", "MIT"), package("inner", licence), package("tool", "GPL-3.0-only")],
        "workspace_members": ["kitbag", "room"],
        "resolve": {"nodes": [
            {"id": "kitbag", "deps": [uses("room", Value::Null), uses("tool", json!("dev"))]},
            {"id": "room", "deps": [uses("inner", Value::Null), uses("tool", json!("build"))]},
            {"id": "inner", "deps": []},
            {"id": "tool", "deps": []},
        ]},
    })
}

#[test]
fn dlv_3_what_is_in_the_program_counts_and_nothing_else() {
    let found = parts(&metadata("Apache-2.0 OR MIT"), &|folder| {
        assert_eq!(folder, "/src/inner/");
        vec!["Copyright (c) 2020 Inner".to_owned()]
    });
    let inner = Part {
        name: "inner".to_owned(),
        version: "1.0.0".to_owned(),
        licence: "MIT".to_owned(),
        notices: vec!["Copyright (c) 2020 Inner".to_owned()],
    };
    assert_eq!(found, Ok(vec![inner]));
}

#[test]
fn dlv_3_another_licence_is_a_problem() {
    let found = parts(&metadata("SSPL-1.0"), &|_| Vec::new());
    assert_eq!(
        found,
        Err("inner 1.0.0: no allowed licence in `SSPL-1.0`".to_owned())
    );
}

#[test]
fn dlv_3_a_licence_text_is_not_a_notice() {
    assert!(is_notice("Copyright (c) 2015 The Authors"));
    assert!(is_notice("Copyright 2020 Somebody"));
    assert!(!is_notice("Copyright [yyyy] [name of copyright owner]"));
    assert!(!is_notice(
        "copyright license to reproduce, prepare Derivative Works of,"
    ));
}

#[test]
fn dlv_3_the_page_names_each_licence_once_with_its_text() {
    let part = |name: &str, licence: &str| Part {
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        licence: licence.to_owned(),
        notices: vec!["Copyright (c) 2020 A | B".to_owned()],
    };
    let page = page(&[part("a", "MIT"), part("b", "MIT AND Unicode-3.0")]);
    assert!(
        page.contains("| a 1.0.0 | MIT | Copyright (c) 2020 A \\| B |\n"),
        "{page}"
    );
    assert_eq!(page.matches("\n### MIT\n").count(), 1);
    assert_eq!(page.matches("\n### ").count(), 2);
    assert!(page.contains("Permission is hereby granted, free of charge"));
}
