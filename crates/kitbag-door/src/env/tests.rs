//! Names and folders derived from variables, without touching the real environment.

use std::path::PathBuf;

use super::{Variables, config_home, variable_of_key};

fn variables(pairs: &[(&str, &str)]) -> Variables {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn cfg_1_variables_are_named_after_keys() {
    assert_eq!(variable_of_key("storage.path"), "KITBAG_STORAGE_PATH");
    assert_eq!(
        variable_of_key("providers.full_text.weight"),
        "KITBAG_PROVIDERS_FULL_TEXT_WEIGHT"
    );
    assert_eq!(
        variable_of_key("chunking.c++.overlap_percent"),
        "KITBAG_CHUNKING_C___OVERLAP_PERCENT"
    );
}

#[test]
fn cfg_1_the_user_folder_follows_xdg() {
    let both = [("XDG_CONFIG_HOME", "/x"), ("HOME", "/home/a")];
    let relative = [("XDG_CONFIG_HOME", "relative"), ("HOME", "/home/a")];
    let empty = [("XDG_CONFIG_HOME", ""), ("HOME", "/home/a")];
    let cases = [
        (&both[..], Some("/x")),
        (&relative[..], Some("/home/a/.config")),
        (&empty[..], Some("/home/a/.config")),
        (&[], None),
    ];
    for (pairs, expected) in cases {
        assert_eq!(
            config_home(&variables(pairs)),
            expected.map(PathBuf::from),
            "{pairs:?}"
        );
    }
}
