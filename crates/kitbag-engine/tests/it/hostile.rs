//! Input that breaks other tools. Nothing here may panic, hang or take other files down with it.

use kitbag_engine::api;

use crate::world::World;

#[test]
fn idx_15_hostile_files_do_not_stop_the_others() {
    let world = World::new("//- src/fine.rs\npub fn fine_function() {}\n");
    let deep = 50_000;
    world
        .tree
        .write("deep.json", format!("{}{}", "[".repeat(deep), "]".repeat(deep)));
    world
        .tree
        .write("deep.rs", format!("fn f() {{ {} }}", "{".repeat(deep)));
    world.tree.write(
        "deep.py",
        format!("x = {}1{}", "(".repeat(deep), ")".repeat(deep)),
    );
    world
        .tree
        .write("line.js", format!("var a = \"{}\";", "x".repeat(4_900_000)));
    world.tree.write("latin.py", b"# caf\xe9\nname = 1\n");
    world.tree.write("bom.rs", b"\xef\xbb\xbfpub fn with_bom() {}\n");
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain("pub fn wide() {}\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    world.tree.write("wide.rs", utf16);
    world
        .tree
        .write("crlf.rs", "pub fn one() {}\r\n\r\npub fn two() {}\r\n");
    world.tree.write("nul.bin", b"abc\0def");
    world.tree.write(
        "late_nul.rs",
        format!("{}\npub fn after\0() {{}}\n", "// x\n".repeat(3000)),
    );
    world.tree.write("empty.rs", "");
    world.tree.write("blank.rs", "\n\n\n");
    world.tree.write("a b \"c\" 'd'.rs", "pub fn odd_name() {}\n");
    world.tree.write("new\nline.rs", "pub fn newline_name() {}\n");
    let reply = world.index();
    assert_eq!(reply.failed, 0);
    for (query, path) in [
        ("fine_function", "src/fine.rs"),
        ("with_bom", "bom.rs"),
        ("wide", "wide.rs"),
        ("odd_name", "a b \"c\" 'd'.rs"),
        ("newline_name", "new\nline.rs"),
    ] {
        assert_eq!(world.paths(query)[0], path, "{query}");
    }
    let crlf = world.search("two").results;
    let hit = crlf.iter().find(|hit| hit.path == "crlf.rs").unwrap();
    assert_eq!(
        hit.text,
        world
            .lines("crlf.rs", hit.line_start, hit.line_end)
            .trim_end_matches('\r')
    );
}

#[test]
fn idx_42_a_file_that_cannot_be_read_is_listed_and_tried_again() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new("//- a.rs\npub fn a() {}\n//- b.rs\npub fn b() {}\n");
    let locked = world.tree.path("b.rs");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads everything: then there is nothing to fail, and the kill and door tests cover the rest.
    let readable = std::fs::read(&locked).is_ok();
    let reply = world.index();
    assert_eq!(reply.failed, u64::from(!readable));
    let status = api::status(&world.engine()).unwrap();
    assert_eq!(status.failures.len(), usize::from(!readable));
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o644)).unwrap();
    let reply = world.index();
    assert_eq!((reply.failed, reply.files), (0, 2));
    assert!(api::status(&world.engine()).unwrap().failures.is_empty());
}

#[test]
fn a_project_without_files_has_no_answers() {
    let world = World::new("");
    assert_eq!(world.index().files, 0);
    assert!(world.search("anything").results.is_empty());
}
