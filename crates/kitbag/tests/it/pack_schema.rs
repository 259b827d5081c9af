//! The published schema and real replies: a field that is not in docs/pack.schema.json fails here.

use serde_json::{Value, json};

use crate::pack::big;
use crate::world::{SHOP, World};

fn check(schema: &jsonschema::Validator, reply: &Value) {
    let errors: Vec<String> = schema
        .iter_errors(reply)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn pack_71_replies_follow_the_published_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../../../docs/pack.schema.json")).unwrap();
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let world = World::new(SHOP);
    world.project.write(".env", "TOKEN=1\n");
    let cases: &[&[&str]] = &[
        &["verify_password"],
        &[
            "fix the crash in verify_password",
            "--format",
            "json",
            "--model",
            "claude",
        ],
        &["verify_password", "--session", "s"],
        &["verify_password", "--session", "s"],
        &["zzzqqq"],
        &["password", "--budget", "0"],
        &[
            "password",
            "--preview",
            "--open",
            ".env",
            "--open",
            "gone.rs",
            "--ref",
            "Cart",
            "--ref",
            "nothing",
        ],
        &[
            "password",
            "--tool-result",
            "README.md",
            "--diff",
            "--window",
            "11000",
        ],
    ];
    for args in cases {
        check(&schema, &world.json(&[&["pack"], *args].concat()).1);
    }
    check(
        &schema,
        &big().json(&["pack", "parse_token count", "--budget", "1000"]).1,
    );
}

#[test]
fn pack_71_the_schema_refuses_what_it_does_not_know() {
    let schema: Value = serde_json::from_str(include_str!("../../../../docs/pack.schema.json")).unwrap();
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let (_, reply) = World::new(SHOP).json(&["pack", "verify_password"]);
    for (place, value) in [
        ("/surprise", json!(1)),
        ("/items/0/surprise", json!(1)),
        ("/stats/surprise", json!(1)),
    ] {
        let mut other = reply.clone();
        let (parent, name) = place.rsplit_once('/').unwrap();
        other.pointer_mut(parent).unwrap()[name] = value;
        assert!(!schema.is_valid(&other), "{place}");
    }
}
