//! The published schema of a pack is the one of the struct (LIB-3). `KITBAG_UPDATE_SCHEMA=1 cargo test -p kitbag-engine lib_3` writes
//! it anew.

use kitbag_engine::api::PackReply;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};

const ABOUT: &str = "The reply to `kitbag pack --json`: the text of a pack and the account of every line of it. Lines count from 1, \
                     both ends included.";

#[test]
fn lib_3_the_published_schema_is_the_one_of_the_reply() {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<PackReply>();
    let closed = |schema: &mut Schema| {
        if schema.get("properties").is_some() {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
    };
    RecursiveTransform(closed).transform(&mut schema);
    schema.insert("title".to_owned(), "kitbag pack --json".into());
    schema.insert("description".to_owned(), ABOUT.into());
    let made = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pack.schema.json");
    if std::env::var_os("KITBAG_UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap();
    assert!(
        published == made,
        "docs/pack.schema.json is not the schema of PackReply; KITBAG_UPDATE_SCHEMA=1 writes it anew"
    );
}
