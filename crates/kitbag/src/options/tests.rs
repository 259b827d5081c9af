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
    assert_eq!(options.boundary.denied_paths, ["vault/**"]);
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

#[test]
fn ret_12_the_embedder_is_what_the_settings_say() {
    assert_eq!(options_of("").embedder, Embedder::BuiltIn);
    assert_eq!(
        options_of("[embedding]\nmodel = \"models/mini\"\n").embedder,
        Embedder::Folder(PathBuf::from("models/mini"))
    );
    let variables = [
        ("KITBAG_EMBEDDING_URL", "https://host/v1"),
        ("KITBAG_EMBEDDING_MODEL", "m"),
        ("KITBAG_EMBEDDING_API_KEY", "sk-12345"),
        ("KITBAG_EMBEDDING_REQUESTS_PER_MINUTE", "60"),
    ];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let loaded = load(&[], &variables.to_vec(), &[], &[]).expect("the variables are right");
    let server = options(&loaded.settings, Machine::default()).embedder;
    assert_eq!(
        server,
        Embedder::Endpoint(EndpointOptions {
            url: "https://host/v1".to_owned(),
            model: "m".to_owned(),
            key: Some(kitbag_engine::ApiKey::new("sk-12345")),
            dims: None,
            batch: 128,
            timeout: Duration::from_secs(30),
            requests_per_minute: Some(60),
        })
    );
    assert!(!format!("{server:?}").contains("sk-12345"));
}

#[test]
fn ret_15_ret_30_fusion_and_diversity_are_settings() {
    let options = options_of(
        "[query]\nfusion = \"cascade\"\nmmr_lambda = 0.7\n[providers.dependency]\nenabled = false\nweight = 0.4\n",
    );
    assert_eq!(options.fusion, kitbag_engine::Fusion::Cascade);
    assert_eq!(
        options.dependency,
        ProviderOptions {
            enabled: false,
            weight: 0.4
        }
    );
    assert_eq!(
        options.packing.mmr_lambda, None,
        "packs are as they were measured"
    );
    let options = options_of("[packing]\ndiverse = true\n");
    assert_eq!(options.packing.mmr_lambda, Some(0.5));
}
