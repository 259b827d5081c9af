//! `kitbag status`, `project-stats` and `languages`.

use serde_json::json;

use crate::world::{NOW, SHOP, World, keys};

#[test]
fn cli_2_status_before_and_after() {
    let world = World::new(SHOP);
    world.run(["status"]).check(
        0,
        "root   [ROOT]\nstore  [ROOT]/.git/kitbag\nindex  not indexed yet: run `kitbag index`\n",
    );
    world.run(["index"]);
    let ran = world.run(["status"]);
    let shown: Vec<&str> = ran
        .out
        .lines()
        .filter(|line| !line.starts_with("on disk"))
        .collect();
    assert_eq!(
        shown,
        [
            "root      [ROOT]",
            "store     [ROOT]/.git/kitbag",
            "index     complete, just now",
            "files     6",
            "chunks    6",
            "symbols   9",
            "packages  1",
            "redacted  0",
            "",
            "files by language",
            "  rust      3",
            "  markdown  1",
            "  python    1",
            "  text      1",
        ]
    );
}

#[test]
fn cli_3_status_as_json_field_by_field() {
    let world = World::new(SHOP);
    let fields = [
        "bytes",
        "chunks",
        "complete",
        "damage",
        "expected",
        "failures",
        "files",
        "languages",
        "manifests",
        "packages",
        "redacted",
        "root",
        "set_aside",
        "store",
        "symbols",
        "text",
        "updated_at",
        "vectors",
    ];
    let (code, before) = world.json(&["status"]);
    assert_eq!((code, keys(&before)), (Some(0), fields.to_vec()));
    assert_eq!(
        (&before["files"], &before["complete"], &before["updated_at"]),
        (&json!(0), &json!(false), &json!(null))
    );
    assert!(
        !world.project.path(".git/kitbag").exists(),
        "asking makes nothing"
    );
    world.run(["index"]);
    let (code, after) = world.json(&["status"]);
    assert_eq!((code, keys(&after)), (Some(0), fields.to_vec()));
    assert_eq!(after["files"], 6);
    assert_eq!(after["chunks"], 6);
    assert_eq!(after["symbols"], 9);
    assert_eq!(
        after["languages"],
        json!({"rust": 3, "python": 1, "markdown": 1, "text": 1})
    );
    assert_eq!(after["complete"], true);
    assert_eq!(after["expected"], 6);
    assert_eq!(after["redacted"], 0);
    assert_eq!(after["updated_at"], NOW);
    assert_eq!(after["failures"], json!([]));
    assert_eq!(after["root"], "[ROOT]");
    assert_eq!(after["store"], "[ROOT]/.git/kitbag");
    assert!(after["bytes"].as_u64().unwrap() > 1_000);
}

#[test]
fn sec_1_status_counts_what_was_redacted() {
    let world = World::new(SHOP);
    world
        .project
        .write("settings.py", "DB_PASSWORD = \"hunter2-Xk9!\"\n");
    world.run(["index"]);
    let (_, reply) = world.json(&["status"]);
    assert_eq!(reply["redacted"], 1);
    let ran = world.run(["search", "DB_PASSWORD"]);
    assert!(
        ran.out.contains("[REDACTED]") && !ran.out.contains("hunter2"),
        "{ran:?}"
    );
}

#[test]
fn cli_2_project_stats_are_tables() {
    let world = World::new(SHOP);
    let ran = world.run(["project-stats"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.starts_with("root     [ROOT]\nfiles    6\nlines    "),
        "{ran:?}"
    );
    let after = |title: &str| {
        ran.out
            .lines()
            .skip_while(|line| !line.starts_with(title))
            .nth(1)
            .unwrap_or_default()
    };
    assert!(
        after("language").starts_with("rust "),
        "the most lines first: {ran:?}"
    );
    assert!(after("most used files").ends_with("src/auth.rs"), "{ran:?}");
    assert_eq!(after("left out"), "  1  built_in");
    let (code, reply) = world.json(&["project-stats"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        keys(&reply),
        [
            "bytes",
            "central",
            "chunks",
            "files",
            "languages",
            "lines",
            "root",
            "skipped",
            "symbols",
            "warnings"
        ]
    );
    assert_eq!(reply["skipped"], json!({"built_in": 1, "gitignore": 1}));
    assert_eq!(keys(&reply["central"][0]), ["path", "rank"]);
    assert_eq!(
        keys(&reply["languages"][0]),
        ["bytes", "chunks", "files", "language", "lines", "tokens"]
    );
}

#[test]
fn cli_2_languages_are_a_table() {
    let world = World::new("//- a.txt\nx\n");
    let ran = world.run(["languages"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let rust = ran.out.lines().find(|line| line.starts_with("rust ")).unwrap();
    assert_eq!(rust.split_whitespace().collect::<Vec<_>>(), ["rust", ".rs"]);
    let (code, reply) = world.json(&["languages"]);
    let languages = reply.as_array().unwrap();
    assert_eq!((code, languages.len()), (Some(0), ran.out.lines().count()));
    assert!(languages.len() >= 26, "IDX-13");
    assert_eq!(keys(&languages[0]), ["extensions", "filenames", "name"]);
}
