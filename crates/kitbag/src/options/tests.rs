//! The defaults of both sides are the same, and nothing set is lost on the way.

use super::*;
use crate::settings::{ConfigFile, load};

fn options_of(text: &str) -> Options {
    let file = ConfigFile {
        path: "kitbag.toml".into(),
        text: text.to_owned(),
    };
    let loaded = load(&[file], &Vec::new(), &[], &["rust", "go"]).expect("the text is right");
    options(&loaded.settings, Machine::default())
}

#[test]
fn cfg_1_the_documented_defaults_are_the_engines() {
    assert_eq!(
        format!("{:#?}", options_of("")),
        format!("{:#?}", Options::default())
    );
}

#[test]
fn cfg_2_a_language_inherits_what_it_leaves_open() {
    let options = options_of("[chunking]\nmax_chunk_tokens = 500\n[chunking.rust]\nmin_chunk_tokens = 9\n");
    let rust = &options.chunking_by_language["rust"];
    assert_eq!((rust.max_tokens, rust.min_tokens), (Some(500), Some(9)));
    assert_eq!(
        (options.chunking.max_tokens, options.chunking.min_tokens),
        (Some(500), None)
    );
}

#[test]
fn sec_1_denied_paths_outlive_an_exception() {
    let options = options_of(
        "[security]\ndenied_paths = [\"vault/**\"]\n[indexing]\nignore_patterns = [\"!vault/**\"]\n",
    );
    assert_eq!(options.boundary.ignore_patterns, ["!vault/**", "vault/**"]);
}

#[test]
fn cfg_2_packs_are_made_as_the_settings_say() {
    let packing = options_of(
        "[budget]\ndefault_max_tokens = 500\n[ranking]\nrelevance = 0.6\nrecency = 0.3\nsource = 0.1\n\
         [source_priority]\ntool_result = 1\nopen_file = 2\nsearch = 3\nreference = 4\nmessage = 5\nmemory = 6\n\
         [deduplication]\noverlap_percent = 45\nignore_case = true\n[packing]\nsource_timeout_ms = 7\n",
    )
    .packing;
    assert_eq!(packing.default_max_tokens, 500);
    assert_eq!(packing.weights, Weights::new(0.6, 0.3, 0.1));
    assert_eq!(packing.priorities, [1, 2, 3, 4, 5, 6]);
    assert_eq!((packing.overlap_share, packing.ignore_case), (0.45, true));
    assert_eq!(packing.source_limit, Duration::from_millis(7));
}
