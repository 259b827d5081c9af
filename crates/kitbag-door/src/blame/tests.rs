//! The wrong setting is found among right ones.

use super::*;
use crate::settings::{ConfigFile, load};

fn blame(text: &str, opens: &dyn Fn(&Settings) -> bool) -> Option<String> {
    let file = ConfigFile {
        path: "kitbag.toml".into(),
        text: text.to_owned(),
    };
    let loaded = load(&[file], &Vec::new(), &[], &[]).expect("the text is right");
    blamed(&loaded, opens).map(|place| place.to_string())
}

#[test]
fn cfg_3_the_setting_that_alone_refuses_is_named() {
    let text = "[indexing]\nignore_patterns = [\"a\"]\n[security]\nsecret_patterns = [\"(\"]\n";
    let opens = |settings: &Settings| settings.options().secret_patterns.is_empty();
    assert_eq!(blame(text, &opens).as_deref(), Some("kitbag.toml:4:19"));
    let opens = |settings: &Settings| settings.options().boundary.ignore_patterns.is_empty();
    assert_eq!(blame(text, &opens).as_deref(), Some("kitbag.toml:2:19"));
}

#[test]
fn cfg_3_a_root_that_is_refused_is_no_settings_fault() {
    assert_eq!(blame("[security]\nsecret_patterns = [\"(\"]\n", &|_| false), None);
}
