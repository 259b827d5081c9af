//! `kitbag check-file` and `list-indexable`, and paths that lead out of the project.

use serde_json::json;

use crate::world::{SHOP, World, keys};

#[test]
fn idx_7_check_file_says_why() {
    let world = World::new(SHOP);
    world
        .run(["check-file", "src/auth.rs"])
        .check(0, "src/auth.rs: will be indexed (rust)\n");
    world.run(["index"]);
    world
        .run(["check-file", "src/auth.rs"])
        .check(0, "src/auth.rs: indexed (rust, 1 chunk)\n");
    world
        .run(["check-file", "debug.log"])
        .check(1, "debug.log: not indexed: gitignore (.gitignore:1: *.log)\n");
    let mut command = world.command(["check-file", "../src/./auth.rs"]);
    let ran = world.ran(&command.current_dir(world.project.path("shop")).output().unwrap());
    ran.check(0, "src/auth.rs: indexed (rust, 1 chunk)\n");
}

#[test]
fn cli_3_check_file_as_json() {
    let world = World::new(SHOP);
    let fields = [
        "chunks",
        "detail",
        "indexable",
        "indexed",
        "language",
        "notes",
        "path",
        "reason",
    ];
    let (code, reply) = world.json(&["check-file", "debug.log"]);
    assert_eq!((code, keys(&reply)), (Some(1), fields.to_vec()));
    assert_eq!(
        (&reply["reason"], &reply["indexable"]),
        (&json!("gitignore"), &json!(false))
    );
    let (code, reply) = world.json(&["check-file", "src/main.rs"]);
    assert_eq!((code, keys(&reply)), (Some(0), fields.to_vec()));
    assert_eq!(
        (&reply["language"], &reply["indexed"]),
        (&json!("rust"), &json!(false))
    );
}

#[test]
fn idx_6_paths_that_lead_out_are_refused() {
    let world = World::new(SHOP);
    world.home.write("secret.txt", "s");
    world.project.symlink(world.home.path("secret.txt"), "link.txt");
    for path in ["../outside.txt", "/etc/passwd", "src/../../x", "link.txt"] {
        let (code, reply) = world.json(&["check-file", path]);
        assert_eq!(
            (code, &reply["error"]["code"]),
            (Some(2), &json!("PATH_DENIED")),
            "{path}"
        );
    }
    let (code, reply) = world.json(&["check-file", "missing.rs"]);
    assert_eq!(
        (code, &reply["error"]["code"]),
        (Some(2), &json!("PATH_NOT_FOUND"))
    );
}

#[test]
fn idx_2_roots_that_are_no_projects_are_refused() {
    let world = World::new(SHOP);
    for root in ["/", "/etc", "/usr/bin"] {
        let (code, reply) = world.json(&["status", "--root", root]);
        assert_eq!(
            (code, &reply["error"]["code"]),
            (Some(2), &json!("PATH_DENIED")),
            "{root}"
        );
    }
    let ran = world.run([
        "status".as_ref(),
        "--root".as_ref(),
        world.home.root().as_os_str(),
    ]);
    ran.check_error(
        2,
        "error: [HOME] is your home folder; choose a project folder below it\n",
    );
    world
        .run(["status", "--root", "nowhere"])
        .check_error(2, "error: [ROOT]/nowhere does not exist\n");
    world
        .run(["status", "--root", "README.md"])
        .check_error(2, "error: [ROOT]/README.md is not a folder\n");
}

#[test]
fn cli_2_list_indexable_and_what_is_left_out() {
    let world = World::new(SHOP);
    world.run(["list-indexable"]).check(
        0,
        ".gitignore\nREADME.md\nshop/cart.py\nsrc/auth.rs\nsrc/main.rs\ntests/auth_test.rs\n",
    );
    let skipped = world.run(["list-indexable", "--skipped"]);
    assert!(
        skipped
            .out
            .lines()
            .any(|line| line == "debug.log  gitignore  .gitignore:1: *.log"),
        "{skipped:?}"
    );
    let (code, reply) = world.json(&["list-indexable"]);
    assert_eq!(
        (code, keys(&reply)),
        (Some(0), vec!["files", "skipped", "warnings"])
    );
    assert_eq!(reply["files"][0], json!({"path": ".gitignore", "bytes": 14}));
    assert_eq!(keys(&reply["skipped"][0]), ["detail", "path", "reason"]);
}

#[test]
fn idx_7_every_command_counts_the_same_files() {
    let world = World::new(SHOP);
    // Binary by their content, not by their names.
    for n in 0..5 {
        world.project.write(format!("data/blob{n}.txt"), b"a\0b");
        world
            .project
            .write(format!("data/image{n}.rs"), b"\x89PNG\r\n\x1A\n....");
    }
    let (_, listed) = world.json(&["list-indexable"]);
    let n_listed = listed["files"].as_array().unwrap().len() as u64;
    let binary = |list: &serde_json::Value| {
        let list = list.as_array().unwrap();
        list.iter().filter(|one| one["reason"] == "binary").count() as u64
    };
    assert_eq!((n_listed, binary(&listed["skipped"])), (6, 10), "{listed}");
    let (_, valid) = world.json(&["validate-config"]);
    let (_, plan) = world.json(&["rebuild", "--dry-run"]);
    let (_, indexed) = world.json(&["index"]);
    let (_, status) = world.json(&["status"]);
    let (_, stats) = world.json(&["project-stats"]);
    let (_, found) = world.json(&["search", "password"]);
    for (what, n) in [
        ("validate-config", &valid["indexable"]["files"]),
        ("rebuild --dry-run", &plan["files"]),
        ("index", &indexed["files"]),
        ("status", &status["files"]),
        ("status", &status["expected"]),
        ("project-stats", &stats["files"]),
        ("search", &found["index"]["files"]),
        ("search", &found["index"]["expected"]),
    ] {
        assert_eq!(n, &json!(6), "{what}");
    }
    for (what, n) in [
        ("validate-config", &valid["indexable"]["skipped"]["binary"]),
        ("index", &indexed["skipped"]),
        ("project-stats", &stats["skipped"]["binary"]),
    ] {
        assert_eq!(n, &json!(10), "{what}");
    }
    assert_eq!(valid["indexable"]["watch_paths"], json!([["auto", 6]]));
    let (_, unchanged) = world.json(&["index"]);
    assert_eq!(
        (&unchanged["unchanged"], &unchanged["files"]),
        (&json!(6), &json!(6))
    );
}
