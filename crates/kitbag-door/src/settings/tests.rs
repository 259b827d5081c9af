//! Precedence, variables, flags, and the texts of errors, through [`load`] alone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kitbag_engine::{Embedder, EndpointOptions, Fusion, ProviderOptions, Weights};

use super::{ConfigFile, Flag, Loaded, Place, Settings, commented_file, files, load, user_file};
use crate::env::Variables;

const LANGUAGES: &[&str] = &["c", "python", "rust"];

fn file(path: &str, text: &str) -> ConfigFile {
    ConfigFile {
        path: PathBuf::from(path),
        text: text.to_owned(),
    }
}

fn variables(pairs: &[(&str, &str)]) -> Variables {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn loaded(text: &str) -> Loaded {
    load(&[file("kitbag.toml", text)], &Vec::new(), &[], LANGUAGES)
        .unwrap_or_else(|errors| panic!("{errors}"))
}

fn defaults() -> Settings {
    load(&[], &Vec::new(), &[], LANGUAGES).expect("defaults").settings
}

/// The only caller of `load` for errors: a file and variables in, the whole message out.
fn check_errors(text: &str, pairs: &[(&str, &str)], expected: &str) {
    let errors = load(&[file("kitbag.toml", text)], &variables(pairs), &[], LANGUAGES).expect_err(text);
    assert_eq!(errors.to_string(), expected, "{text}");
}

#[test]
fn cfg_1_defaults_are_those_of_the_specification() {
    let settings = defaults();
    assert_eq!(settings.storage_path, None);
    assert_eq!(settings.options().boundary.watch_paths, ["auto"]);
    assert_eq!(
        (
            settings.options().boundary.max_file_bytes,
            settings.options().boundary.warn_file_bytes
        ),
        (5_000_000, 2_000_000)
    );
    assert_eq!(settings.options().workers, 0);
    assert!(
        !settings.options().boundary.follow_symlinks
            && !settings.options().boundary.hidden
            && !settings.options().fail_fast
    );
    assert_eq!(
        (settings.query.default_k, settings.query.min_score_threshold),
        (12, 0.0)
    );
    assert!(
        settings.options().full_text.enabled
            && settings.options().symbol.enabled
            && settings.options().scrub_secrets
    );
    assert_eq!(settings.tokenizer_model, "gpt-5");
    let budget = &settings.budget;
    assert_eq!(
        (
            settings.options().packing.default_max_tokens,
            budget.total_tokens,
            budget.system_reserve,
            budget.response_reserve,
            settings.options().packing.warn_threshold_percent
        ),
        (8_000, 100_000, 2_000, 8_000, 80)
    );
    assert_eq!(settings.options().packing.weights, None);
    assert_eq!(settings.options().packing.overlap_share, 0.3);
    assert!(settings.options().packing.balance);
    assert!(settings.options().chunking_by_language.is_empty());
}

#[test]
fn cfg_1_every_section_is_read() {
    let settings = loaded(
        r#"
        [storage]
        path = "idx"
        [indexing]
        allowed_extensions = [".RS", "py"]
        max_file_bytes = 0x100
        workers = 3
        [chunking]
        max_chunk_tokens = 900
        [chunking.rust]
        min_chunk_tokens = 50
        overlap_percent = 10
        [query]
        min_score_threshold = 1
        [providers]
        symbol = { enabled = false, weight = 0.5 }
        [security]
        secret_patterns = ['tok_\d+']
        [budget]
        default_max_tokens = 4000
        [ranking]
        relevance = 0.8
        recency = 0.1
        source = 0.1
        [source_priority]
        memory = 100
        [deduplication]
        overlap_percent = 50
        ignore_comments = true
        [packing]
        balance = false
        min_score = 0.2
        [tokenizer]
        model = "claude-sonnet-4-5"
        "#,
    )
    .settings;
    assert_eq!(settings.storage_path, Some(PathBuf::from("idx")));
    assert_eq!(settings.options().boundary.allowed_extensions, ["rs", "py"]);
    assert_eq!(
        (
            settings.options().boundary.max_file_bytes,
            settings.options().workers
        ),
        (256, 3)
    );
    assert_eq!(settings.options().chunking.max_tokens, Some(900));
    let rust = &settings.options().chunking_by_language["rust"];
    assert_eq!(
        (rust.max_tokens, rust.min_tokens, rust.overlap_percent),
        (Some(900), Some(50), 10)
    );
    assert_eq!(settings.query.min_score_threshold, 1.0);
    assert!(
        !settings.options().symbol.enabled
            && settings.options().symbol.weight == 0.5
            && settings.options().full_text.enabled
    );
    assert_eq!(settings.options().secret_patterns, [r"tok_\d+"]);
    assert_eq!(settings.tokenizer_model, "claude-sonnet-4-5");
    assert_eq!(settings.options().packing.default_max_tokens, 4_000);
    assert_eq!(settings.options().packing.weights, Weights::new(0.8, 0.1, 0.1));
    assert_eq!(settings.options().packing.priorities, [100, 80, 60, 40, 60, 100]);
    assert_eq!(settings.options().packing.overlap_share, 0.5);
    assert!(settings.options().packing.ignore_comments && !settings.options().packing.ignore_case);
    assert!(!settings.options().packing.balance && settings.options().packing.min_score == 0.2);
}

#[test]
fn cfg_1_later_wins_and_show_says_who_won() {
    let user = file(
        "/home/a/.config/kitbag/kitbag.toml",
        "[query]\ndefault_k = 1\n[indexing]\nhidden = true\nworkers = 1\n",
    );
    let project = file("kitbag.toml", "[query]\ndefault_k = 2\n[indexing]\nworkers = 2\n");
    let environment = variables(&[
        ("KITBAG_QUERY_DEFAULT_K", "3"),
        ("KITBAG_CHUNKING_RUST_OVERLAP_PERCENT", "9"),
    ]);
    let flags = [Flag {
        flag: "--top",
        key: "query.default_k",
        text: "4".to_owned(),
    }];
    let k = |files: &[ConfigFile], variables: &Variables, flags: &[Flag]| {
        load(files, variables, flags, LANGUAGES)
            .expect("good")
            .settings
            .query
            .default_k
    };
    let none = Vec::new();
    assert_eq!(k(std::slice::from_ref(&user), &none, &[]), 1);
    assert_eq!(k(&[user.clone(), project.clone()], &none, &[]), 2);
    assert_eq!(k(&[user.clone(), project.clone()], &environment, &[]), 3);

    let all = load(&[user, project], &environment, &flags, LANGUAGES).expect("good");
    assert_eq!(all.settings.query.default_k, 4);
    let shown = |key: &str| {
        let entry = all.entries.iter().find(|entry| entry.key == key).expect(key);
        (entry.value.clone().unwrap_or_default(), entry.place.to_string())
    };
    let pair = |value: &str, place: &str| (value.to_owned(), place.to_owned());
    assert_eq!(shown("query.default_k"), pair("4", "--top"));
    assert_eq!(shown("indexing.workers"), pair("2", "kitbag.toml:4:11"));
    assert_eq!(
        shown("indexing.hidden"),
        pair("true", "/home/a/.config/kitbag/kitbag.toml:4:10")
    );
    assert_eq!(
        shown("chunking.rust.overlap_percent"),
        pair("9", "KITBAG_CHUNKING_RUST_OVERLAP_PERCENT")
    );
    assert_eq!(shown("tokenizer.model"), pair("\"gpt-5\"", "default"));
    assert_eq!(shown("storage.path"), pair("", "default"));
}

#[test]
fn cfg_1_variables_are_filled_into_strings() {
    let text =
        "[storage]\npath = \"${CACHE}/kitbag\"\n[indexing]\nignore_patterns = [\"${DIR}/**\", \"$${x}\"]\n";
    let environment = variables(&[("CACHE", "c"), ("DIR", "gen")]);
    let settings = load(&[file("kitbag.toml", text)], &environment, &[], LANGUAGES)
        .expect("good")
        .settings;
    assert_eq!(settings.storage_path, Some(PathBuf::from("c/kitbag")));
    assert_eq!(settings.options().boundary.ignore_patterns, ["gen/**", "${x}"]);
    check_errors(
        text,
        &[("CACHE", "c")],
        "kitbag.toml:4:21: indexing.ignore_patterns = [\"${DIR}/**\", \"$${x}\"]: the variable DIR is not set",
    );
    check_errors(
        "[storage]\npath = \"a/${CACHE}\"\n",
        &[],
        "kitbag.toml:2:11: storage.path = \"a/${CACHE}\": the variable CACHE is not set",
    );
}

#[test]
fn sec_2_what_a_variable_held_is_not_shown() {
    check_errors(
        "[tokenizer]\nmodel = \"${TOKEN}\"\n",
        &[("TOKEN", "hunter2")],
        "kitbag.toml:2:9: tokenizer.model = \"${TOKEN}\": expected a model with a known tokenizer (gpt-5, \
         claude-sonnet-4-5, gemini-2.5-pro, llama3.3 …) or a family: o200k, cl100k, llama3, claude, gemini",
    );
}

#[test]
fn cfg_3_wrong_files_are_refused_with_place_value_and_what_is_allowed() {
    let cases = [
        (
            "[indexing]\nmax_file_bytes = \"5MB\"\n",
            "kitbag.toml:2:18: indexing.max_file_bytes = \"5MB\": expected a whole number from 1 to 1099511627776",
        ),
        (
            "[indexing]\nmax_file_bytes = -1\n",
            "kitbag.toml:2:18: indexing.max_file_bytes = -1: expected a whole number from 1 to 1099511627776",
        ),
        (
            "[query]\ndefault_k = 0\n",
            "kitbag.toml:2:13: query.default_k = 0: expected a whole number from 1 to 500",
        ),
        (
            "[query]\nmin_score_threshold = nan\n",
            "kitbag.toml:2:23: query.min_score_threshold = nan: expected a number from 0.0 to 1.0",
        ),
        (
            "[query]\nmmr_lambda = 1.01\n",
            "kitbag.toml:2:14: query.mmr_lambda = 1.01: expected a number from 0.0 to 1.0",
        ),
        (
            "[query]\nfusion = \"borda\"\n",
            "kitbag.toml:2:10: query.fusion = \"borda\": expected rrf, weighted_average or cascade",
        ),
        (
            "[indexing]\nhidden = 1\n",
            "kitbag.toml:2:10: indexing.hidden = 1: expected true or false",
        ),
        (
            "[indexing]\nignore_patterns = \"*.md\"\n",
            "kitbag.toml:2:19: indexing.ignore_patterns = \"*.md\": expected a list, each a glob, such as \"docs/**/*.pdf\"",
        ),
        (
            "[indexing]\nignore_patterns = [\"ok\", \"a[b\"]\n",
            "kitbag.toml:2:19: indexing.ignore_patterns = [\"ok\", \"a[b\"]: expected a list, each a glob, such as \
             \"docs/**/*.pdf\"; \"a[b\" is not",
        ),
        (
            "[indexing]\nworkers = [1]\n",
            "kitbag.toml:2:11: indexing.workers = [1]: expected a whole number from 0 to 1024",
        ),
        (
            "[storage]\npath = 1979-05-27\n",
            "kitbag.toml:2:8: storage.path = 1979-05-27: expected a path, such as \"src\"",
        ),
        (
            "[storage]\npath = {}\n",
            "kitbag.toml:2:8: storage.path = {}: expected a path, such as \"src\"",
        ),
        (
            "[indexing]\nmax_file_byte = 1\n",
            "kitbag.toml:2:1: unknown key indexing.max_file_byte; did you mean max_file_bytes?",
        ),
        (
            "[query]\nhidden = true\n",
            "kitbag.toml:2:1: unknown key query.hidden; hidden belongs in [indexing]",
        ),
        (
            "max_file_bytes = 1\n",
            "kitbag.toml:1:1: unknown key max_file_bytes; max_file_bytes belongs in [indexing]",
        ),
        (
            "[storage]\nplace = \"x\"\n",
            "kitbag.toml:2:1: unknown key storage.place; [storage] has path",
        ),
        (
            "zzz = 1\n",
            "kitbag.toml:1:1: unknown key zzz; keys stand in sections: [storage], [indexing], [chunking], [embedding], [query], \
             [providers.full_text], [providers.symbol], [providers.semantic], [providers.git_history], \
             [providers.dependency], [budget], [ranking], [source_priority], [deduplication], [packing], [sessions], [security], \
             [engine], [server], [tokenizer], [metrics], [jobs], [watcher]",
        ),
        (
            "[indxing]\nhidden = true\n",
            "kitbag.toml:1:2: unknown section [indxing]; did you mean [indexing]?",
        ),
        (
            "[providers.fulltext]\nenabled = true\n",
            "kitbag.toml:1:12: unknown section [providers.fulltext]; did you mean [providers.full_text]?",
        ),
        (
            "[elephants]\n",
            "kitbag.toml:1:2: unknown section [elephants]; there are [storage], [indexing], [chunking], [embedding], [query], \
             [providers.full_text], [providers.symbol], [providers.semantic], [providers.git_history], \
             [providers.dependency], [budget], [ranking], [source_priority], [deduplication], [packing], [sessions], [security], \
             [engine], [server], [tokenizer], [metrics], [jobs], [watcher]",
        ),
        (
            "query = 1\n",
            "kitbag.toml:1:1: query is a section: write [query] above its keys",
        ),
        (
            "[[query]]\n",
            "kitbag.toml:1:3: query is a section: write [query] above its keys",
        ),
        (
            "[chunking.rsut]\nmax_chunk_tokens = 1\n",
            "kitbag.toml:1:11: unknown language in [chunking.rsut]; did you mean [chunking.rust]?",
        ),
        (
            "[chunking.cobol]\n",
            "kitbag.toml:1:11: unknown language in [chunking.cobol]; `kitbag languages` lists them",
        ),
        (
            "[chunking.rust]\nmax_chunk_token = 1\n",
            "kitbag.toml:2:1: unknown key chunking.rust.max_chunk_token; did you mean max_chunk_tokens?",
        ),
        (
            "[chunking]\nmin_chunk_tokens = 9\nmax_chunk_tokens = 8\n",
            "kitbag.toml:2:20: chunking.min_chunk_tokens = 9: expected at most chunking.max_chunk_tokens, which is 8 \
             (kitbag.toml:3:20)",
        ),
        (
            "[ranking]\nrelevance = 0.5\nrecency = 0.3\nsource = 0.3\n",
            "kitbag.toml:4:10: ranking.relevance, ranking.recency, ranking.source: expected weights with the sum 1, not \
             0.5 + 0.3 + 0.3 = 1.1",
        ),
        (
            "[ranking]\nrelevance = 0.5\n",
            "kitbag.toml:2:13: ranking.relevance = 0.5: expected all of ranking.relevance, ranking.recency, ranking.source \
             or none",
        ),
        (
            "[budget]\ntotal_tokens = 9000\n",
            "kitbag.toml:2:16: budget.total_tokens = 9000: a window of 9000 tokens has no room for reserves of 2000 and 8000",
        ),
        (
            "[source_priority]\nsearch = 101\n",
            "kitbag.toml:2:10: source_priority.search = 101: expected a whole number from 0 to 100",
        ),
        (
            "# é\n[query]\n\"défault_k\" = 0\n",
            "kitbag.toml:3:1: unknown key query.défault_k; did you mean default_k?",
        ),
    ];
    for (text, expected) in cases {
        check_errors(text, &[], expected);
    }
}

#[test]
fn cfg_3_all_errors_are_reported_together_in_order_of_place() {
    check_errors(
        "[query]\ndefault_k = 0\n[indexing]\nhiden = 1\nworkers = 2000\n",
        &[
            ("KITBAG_QUERY_DEFAULT_K", "many"),
            ("KITBAG_INDEXING_HIDDE", "1"),
            ("KITBAG_SLOW", "1"),
        ],
        "kitbag.toml:2:13: query.default_k = 0: expected a whole number from 1 to 500\n\
         kitbag.toml:4:1: unknown key indexing.hiden; did you mean hidden?\n\
         kitbag.toml:5:11: indexing.workers = 2000: expected a whole number from 0 to 1024\n\
         KITBAG_QUERY_DEFAULT_K: query.default_k = many: expected a whole number from 1 to 500\n\
         KITBAG_INDEXING_HIDDE: unknown variable; did you mean KITBAG_INDEXING_HIDDEN?",
    );
}

#[test]
fn cfg_3_wrong_flags_name_the_flag() {
    let flags = [Flag {
        flag: "--top",
        key: "query.default_k",
        text: "0".to_owned(),
    }];
    let errors = load(&[], &Vec::new(), &flags, LANGUAGES).expect_err("0");
    assert_eq!(
        errors.to_string(),
        "--top: query.default_k = 0: expected a whole number from 1 to 500"
    );
    assert_eq!(errors.0[0].place, Place::Flag("--top".to_owned()));
}

#[test]
fn cfg_3_broken_toml_has_a_place() {
    for (text, place) in [
        ("[query\n", "1:"),
        ("[query]\ndefault_k = \n", "2:"),
        ("[query]\ndefault_k = 1\ndefault_k = 2\n", "3:1"),
    ] {
        let errors = load(&[file("kitbag.toml", text)], &Vec::new(), &[], LANGUAGES).expect_err(text);
        assert!(
            errors.to_string().starts_with(&format!("kitbag.toml:{place}")),
            "{text}: {errors}"
        );
    }
}

#[test]
fn a_byte_order_mark_and_windows_lines_do_not_matter() {
    assert_eq!(
        loaded("\u{feff}[query]\r\ndefault_k = 7\r\n")
            .settings
            .query
            .default_k,
        7
    );
}

#[test]
fn cfg_1_the_init_file_says_exactly_the_defaults() {
    assert_eq!(
        format!("{:#?}", loaded(&commented_file()).settings),
        format!("{:#?}", defaults())
    );
    // Uncommented, every line is valid, and those with a default repeat it.
    let active: String = commented_file()
        .lines()
        .map(|line| {
            line.strip_prefix('#')
                .filter(|rest| !rest.starts_with(' '))
                .unwrap_or(line)
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let active = loaded(&active);
    let plain = loaded("");
    assert_eq!(plain.entries.len(), super::KEYS.len());
    for entry in &plain.entries {
        let now = active
            .entries
            .iter()
            .find(|other| other.key == entry.key)
            .expect(&entry.key);
        if super::keys::of(&entry.key).expect(&entry.key).users_own {
            // Explained there, but not for this file.
            let name = entry.key.rsplit('.').next().unwrap_or_default();
            assert!(commented_file().contains(&format!("\n# {name} = ")), "{name}");
            continue;
        }
        assert_ne!(now.place, Place::Default, "{} is in the file", entry.key);
        if entry.value.is_some() {
            assert_eq!(now.value, entry.value, "{}", entry.key);
        }
    }
}

#[test]
fn cfg_1_files_are_found_in_the_user_folder_and_the_project() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    let home = folder.path().join("config");
    let environment = variables(&[("XDG_CONFIG_HOME", home.to_str().expect("UTF-8"))]);
    std::fs::create_dir_all(home.join("kitbag")).expect("created");
    std::fs::create_dir_all(&root).expect("created");
    assert!(files(&root, &environment).expect("none is fine").is_empty());

    write(&root.join("kitbag.toml"), b"[query]\n");
    let user = user_file(&environment).expect("a place");
    write(&user, b"[storage]\n");
    let found: Vec<PathBuf> = files(&root, &environment)
        .expect("two")
        .into_iter()
        .map(|file| file.path)
        .collect();
    assert_eq!(found, [user.clone(), root.join("kitbag.toml")]);

    write(&user, b"\xff\xfe");
    write(&root.join("kitbag.toml"), &vec![b'#'; 1_000_001]);
    let errors = files(&root, &environment).expect_err("unreadable");
    assert_eq!(errors.0.len(), 2, "{errors}");
    assert!(
        errors
            .to_string()
            .contains("cannot be read: more than 1000000 bytes"),
        "{errors}"
    );
}

#[expect(clippy::disallowed_methods, reason = "the files under test are real")]
fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("written");
}

const SERVER: &str =
    "[embedding]\nurl = \"https://host/v1\"\nmodel = \"m\"\napi_key = \"${TOKEN}\"\ndimension = 256\n";

#[test]
fn ret_12_the_embedder_is_built_in_a_folder_or_a_server() {
    let embedding = defaults().embedding;
    assert_eq!((embedding.model.as_str(), embedding.url), ("built-in", None));
    assert_eq!(
        (embedding.batch_size, embedding.timeout),
        (128, Duration::from_secs(30))
    );
    assert_eq!(
        loaded("[embedding]\nmodel = \"models/mini\"\n")
            .settings
            .embedding
            .model,
        "models/mini"
    );

    let pairs = [("XDG_CONFIG_HOME", "/u"), ("TOKEN", "sk-12345")];
    let loaded = load(
        &[file("/u/kitbag/kitbag.toml", SERVER)],
        &variables(&pairs),
        &[],
        LANGUAGES,
    )
    .expect("right");
    let embedding = &loaded.settings.embedding;
    assert_eq!(embedding.url.as_deref(), Some("https://host/v1"));
    assert_eq!(embedding.dimension, Some(256));
    assert_eq!(embedding.api_key, Some(kitbag_engine::ApiKey::new("sk-12345")));
    // The key is shown nowhere, not even by `config show`.
    let entry = loaded
        .entries
        .iter()
        .find(|entry| entry.key == "embedding.api_key");
    assert_eq!(
        entry.and_then(|entry| entry.value.as_deref()),
        Some("\"[REDACTED]\"")
    );
    assert!(!format!("{loaded:?}").contains("sk-12345"));
}

#[test]
fn sec_1_a_project_does_not_decide_where_code_is_sent() {
    check_errors(
        SERVER,
        &[("XDG_CONFIG_HOME", "/u"), ("TOKEN", "sk-12345")],
        "kitbag.toml:4:11: a project's file may not set embedding.api_key: whoever wrote the project must not decide \
         where code goes or what is kept secret; write it into /u/kitbag/kitbag.toml or set KITBAG_EMBEDDING_API_KEY\n\
         kitbag.toml:2:7: a project's file may not set embedding.url: whoever wrote the project must not decide where \
         code goes or what is kept secret; write it into /u/kitbag/kitbag.toml or set KITBAG_EMBEDDING_URL",
    );
}

#[test]
fn sec_1_a_project_does_not_switch_redaction_off_or_write_elsewhere() {
    let refused = |text: &str, key: &str| {
        let errors = load(
            &[file("kitbag.toml", text)],
            &variables(&[("XDG_CONFIG_HOME", "/u")]),
            &[],
            LANGUAGES,
        );
        let said = errors.err().map(|errors| errors.to_string()).unwrap_or_default();
        assert!(
            said.contains(&format!("a project's file may not set {key}")),
            "{text}: {said}"
        );
    };
    refused("[security]\nscrub_secrets = false\n", "security.scrub_secrets");
    refused("[server]\ntemplates = true\n", "server.templates");
    for path in ["/tmp/x", "../x", "a/../../x"] {
        refused(
            &format!("[storage]\npath = \"{path}\"\n"),
            "storage.path to a folder outside the project",
        );
    }
    // The user may.
    let own = "[security]\nscrub_secrets = false\n[storage]\npath = \"/tmp/x\"\n";
    let environment = variables(&[("XDG_CONFIG_HOME", "/u")]);
    let loaded = load(
        &[file("/u/kitbag/kitbag.toml", own)],
        &environment,
        &[],
        LANGUAGES,
    )
    .expect("good");
    assert!(!loaded.settings.options().scrub_secrets);
}

#[test]
fn cfg_3_an_embedder_that_cannot_work_is_refused() {
    let check = |pairs: &[(&str, &str)], expected: &str| check_errors("", pairs, expected);
    let url = "https://host/v1";
    check(
        &[("KITBAG_EMBEDDING_URL", url)],
        "KITBAG_EMBEDDING_URL: embedding.url = \"https://host/v1\": expected embedding.model, the server's name for a \
         model, as well",
    );
    for wrong in [
        "host/v1",
        "ftp://host",
        "https://me:word@host/v1",
        "https:///v1",
        "https://host/a b",
    ] {
        check(
            &[("KITBAG_EMBEDDING_URL", wrong)],
            &format!(
                "KITBAG_EMBEDDING_URL: embedding.url = {}: expected an address such as \"https://host/v1\", without \
                 user and password",
                // A message shows no password, even where none is allowed (SEC-7).
                wrong.replace("me:word@", "me:[REDACTED]@")
            ),
        );
    }
    check(
        &[("KITBAG_EMBEDDING_API_KEY", "sk 12345")],
        "KITBAG_EMBEDDING_API_KEY: embedding.api_key = \"[REDACTED]\": expected a key: letters, digits and signs, no spaces",
    );
    check_errors(
        "[embedding]\napi_key = \"sk 12345\"\nbatch_size = 0\n",
        &[],
        "kitbag.toml:2:11: embedding.api_key = \"[REDACTED]\": expected a key: letters, digits and signs, no spaces\n\
         kitbag.toml:3:14: embedding.batch_size = 0: expected a whole number from 1 to 2048",
    );
}

fn options_of(text: &str) -> kitbag_engine::Options {
    loaded(text).settings.options()
}

#[test]
fn cfg_1_the_documented_defaults_are_the_engines() {
    // The clock is the door's own.
    let engines = kitbag_engine::Options {
        clock: options_of("").clock,
        ..kitbag_engine::Options::default()
    };
    assert_eq!(format!("{:#?}", options_of("")), format!("{engines:#?}"));
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
    let server = loaded.settings.options().embedder;
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
    assert_eq!(options.fusion, Fusion::Cascade);
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
