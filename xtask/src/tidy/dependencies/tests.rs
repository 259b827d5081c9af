use super::*;

fn metadata(packages: &[(&str, &str, &str)]) -> Value {
    let id = |name: &str, version: &str| format!("{name}@{version}");
    let mut list =
        vec![serde_json::json!({"id": "kitbag@0", "name": "kitbag", "version": "0", "source": null})];
    let mut used = Vec::new();
    for (name, version, source) in packages {
        let id = id(name, version);
        used.push(serde_json::json!({"pkg": id, "dep_kinds": [{"kind": null}]}));
        list.push(serde_json::json!({"id": id, "name": name, "version": version, "source": source}));
    }
    serde_json::json!({
        "packages": list,
        "workspace_members": ["kitbag@0"],
        "resolve": {"nodes": [{"id": "kitbag@0", "deps": used}]},
    })
}

fn told(packages: &[(&str, &str, &str)]) -> Vec<String> {
    let mut found = check(&metadata(packages), &[]);
    found.retain(|problem| !problem.contains("take it out of the list"));
    found
}

#[test]
fn dlv_3_a_second_version_is_told() {
    assert_eq!(
        told(&[
            ("blake3", "1.0.0", "registry+x"),
            ("blake3", "2.0.0", "registry+x")
        ]),
        [
            "blake3 is in the program in several versions (1.0.0, 2.0.0); `cargo tree -i blake3` says who asks for them"
        ]
    );
    assert_eq!(told(&[("blake3", "1.0.0", "registry+x")]), [""; 0]);
    assert_eq!(
        told(&[("syn", "2.0.0", "registry+x"), ("syn", "3.0.0", "registry+x")]),
        [""; 0]
    );
}

#[test]
fn dlv_3_a_crate_from_elsewhere_is_told() {
    assert_eq!(
        told(&[("blake3", "1.0.0", "git+ssh://somewhere")]),
        ["blake3: comes from git+ssh://somewhere, not from the registry"]
    );
}

#[test]
fn an_exception_that_is_not_needed_is_told() {
    let found = check(&metadata(&[]), &[]);
    assert_eq!(found.len(), SEVERAL.len());
}

#[test]
fn the_rules_for_cargo_deny_are_ours() {
    let file = |text: &str| File {
        path: "deny.toml".to_owned(),
        text: text.to_owned(),
    };
    let list: String = ALLOWED.iter().map(|id| format!("    \"{id}\",\n")).collect();
    let has = |text: &str| {
        let found = check(&metadata(&[]), &[file(text)]);
        found.iter().any(|problem| problem.starts_with("deny.toml"))
    };
    assert!(!has(&format!("[licenses]\nallow = [\n{list}]\n")));
    assert!(has("[licenses]\nallow = [\n    \"MIT\",\n]\n"));
}
