//! `kitbag config` and `validate-config`, and settings from every place they may come from.

use serde_json::json;

use crate::world::{SHOP, World, keys};

#[test]
fn cfg_1_config_init_show_path() {
    let world = World::new(SHOP);
    world.run(["config", "path"]).check(
        0,
        "user     [HOME]/config/kitbag/kitbag.toml  (not there)\nproject  [ROOT]/kitbag.toml                (not there)\n",
    );
    world
        .run(["config", "init"])
        .check(0, "wrote [ROOT]/kitbag.toml\n");
    assert_eq!(
        world.run(["config", "init", "--print"]).out.as_bytes(),
        world.project.read("kitbag.toml")
    );
    world.run(["config", "init"]).check_error(
        2,
        "error: [ROOT]/kitbag.toml is there already\nhint: --force replaces it, --print shows what would be written\n",
    );
    world.project.write("kitbag.toml", "[query]\ndefault_k = 3\n");
    let ran = world.run(["config", "show"]);
    assert!(
        ran.out.lines().any(|line| {
            line.split_whitespace().collect::<Vec<_>>() == ["query.default_k", "3", "[ROOT]/kitbag.toml:2:13"]
        }),
        "{ran:?}"
    );
    world
        .run(["config", "init", "--force"])
        .check(0, "wrote [ROOT]/kitbag.toml\n");
    world.run(["validate-config"]).check(
        0,
        "valid: [ROOT]/kitbag.toml\nlets in 7 files (auto 7)\nkeeps out, a folder counts once: built_in 1, gitignore 1\n",
    );
}

#[test]
fn cli_3_config_as_json() {
    let world = World::new(SHOP);
    let (code, reply) = world.json(&["config", "show"]);
    assert_eq!((code, keys(&reply)), (Some(0), vec!["settings"]));
    for entry in reply["settings"].as_array().unwrap() {
        assert_eq!(keys(entry), ["from", "key", "unset", "value"]);
        assert_eq!(entry["from"], "default");
        assert_ne!(entry["value"].is_null(), entry["unset"].is_null());
    }
    let (_, reply) = world.json(&["config", "path"]);
    assert_eq!(reply["project"]["path"], "[ROOT]/kitbag.toml");
    assert_eq!(
        (&reply["project"]["exists"], &reply["user"]["exists"]),
        (&json!(false), &json!(false))
    );
    let (code, reply) = world.json(&["config", "init"]);
    assert_eq!((code, keys(&reply)), (Some(0), vec!["path"]));
}

#[test]
fn cfg_1_flags_beat_variables_beat_the_project_beats_the_user() {
    let world = World::new(SHOP);
    let top = |args: &[&str], variable: Option<&str>| {
        let mut command = world.command([&["search", "password", "--json"], args].concat());
        command.envs(variable.map(|value| ("KITBAG_QUERY_DEFAULT_K", value)));
        let ran = world.ran(&command.output().unwrap());
        let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        reply["results"].as_array().unwrap().len()
    };
    world
        .home
        .write("config/kitbag/kitbag.toml", "[query]\ndefault_k = 4\n");
    assert_eq!(top(&[], None), 4);
    world.project.write("kitbag.toml", "[query]\ndefault_k = 3\n");
    assert_eq!(top(&[], None), 3);
    assert_eq!(top(&[], Some("2")), 2);
    assert_eq!(top(&["--top", "1"], Some("2")), 1);
}

#[test]
fn cfg_3_a_wrong_configuration_is_refused_with_line_and_column() {
    let world = World::new(SHOP);
    world.project.write(
        "kitbag.toml",
        "[query]\n  default_k = \"many\"\n[indexng]\nhidden = true\n",
    );
    let expected = "\
[ROOT]/kitbag.toml:2:15: query.default_k = \"many\": expected a whole number from 1 to 500
[ROOT]/kitbag.toml:3:2: unknown section [indexng]; did you mean [indexing]?
";
    world.run(["validate-config"]).check(2, expected);
    let ran = world.run(["search", "password"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(
        ran.err
            .starts_with("error: [ROOT]/kitbag.toml:2:15: query.default_k"),
        "{ran:?}"
    );
    let (code, reply) = world.json(&["status"]);
    assert_eq!((code, &reply["error"]["code"]), (Some(2), &json!("CONFIG_ERROR")));
    let (code, reply) = world.json(&["validate-config"]);
    assert_eq!(
        (code, keys(&reply)),
        (Some(2), vec!["errors", "files", "indexable", "valid"])
    );
    let error = &reply["errors"][0];
    assert_eq!(keys(error), ["column", "line", "message", "path", "place"]);
    assert_eq!((&error["line"], &error["column"]), (&json!(2), &json!(15)));
}

#[test]
fn cfg_3_one_file_can_be_checked_by_name() {
    let world = World::new(SHOP);
    world.project.write("ci/kitbag.toml", "[query]\ndefault_k = 5\n");
    let ran = world.run(["validate-config", "ci/kitbag.toml"]);
    assert!(ran.out.starts_with("valid: ci/kitbag.toml\nlets in "), "{ran:?}");
    world.project.write("ci/kitbag.toml", "query = 1\n");
    let ran = world.run(["validate-config", "ci/kitbag.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.starts_with("ci/kitbag.toml:1:"), "{ran:?}");
    let ran = world.run(["validate-config", "missing.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.out.starts_with("missing.toml:1:1: cannot be read: "),
        "{ran:?}"
    );
    let ran = world.run(["validate-config"]);
    assert!(
        ran.out
            .starts_with("valid: no configuration file, defaults\nlets in "),
        "{ran:?}"
    );
}

#[test]
fn cfg_3_what_only_the_engine_understands_is_named_by_line_too() {
    let world = World::new(SHOP);
    world.home.mkdir("elsewhere");
    let elsewhere = world.home.path("elsewhere");
    let outside = format!(
        "[indexing]\nhidden = true\nwatch_paths = ['{}']\n",
        elsewhere.display()
    );
    let cases = [
        (
            "[security]\nsecret_patterns = [\"(\"]\n",
            "2:19",
            "the secret pattern `(`",
            "CONFIG_ERROR",
        ),
        (outside.as_str(), "3:15", "outside the project", "PATH_DENIED"),
        (
            "[indexing]\nwatch_paths = [\"gone\"]\n",
            "2:15",
            "does not exist",
            "PATH_NOT_FOUND",
        ),
    ];
    for (text, place, message, code) in cases {
        world.project.write("kitbag.toml", text);
        let ran = world.run(["validate-config"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let expected = format!("[ROOT]/kitbag.toml:{place}: ");
        assert!(
            ran.out.starts_with(&expected) && ran.out.contains(message),
            "{ran:?}"
        );
        let ran = world.run(["status"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err.starts_with(&format!("error: {expected}")) && ran.err.contains(message),
            "{ran:?}"
        );
        let (_, reply) = world.json(&["status"]);
        assert_eq!(reply["error"]["code"], code);
    }
}

#[test]
fn sec_1_denied_paths_are_never_indexed() {
    let world = World::new(SHOP);
    world
        .project
        .write("kitbag.toml", "[security]\ndenied_paths = [\"shop/**\"]\n");
    assert_eq!(
        world.run(["check-file", "shop/cart.py"]).code,
        Some(1),
        "though git tracks it"
    );
    assert_eq!(world.run(["search", "add_item"]).code, Some(1));
}

#[test]
fn cfg_1_storage_path_is_relative_to_the_root() {
    let world = World::new(SHOP);
    world
        .project
        .write("kitbag.toml", "[storage]\npath = \".kitbag\"\n");
    let mut command = world.command(["status", "--json"]);
    let ran = world.ran(&command.current_dir(world.project.path("src")).output().unwrap());
    assert!(ran.out.contains("\"store\":\"[ROOT]/.kitbag\""), "{ran:?}");
    let ran = world.run(["config", "show", "--store", "elsewhere"]);
    assert!(
        ran.out.lines().any(|line| {
            line.split_whitespace().collect::<Vec<_>>() == ["storage.path", "\"[ROOT]/elsewhere\"", "--store"]
        }),
        "{ran:?}"
    );
}
