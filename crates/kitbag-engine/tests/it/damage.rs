//! IDX-30: every file of a store, damaged in every way we can think of. One run mends it, and a search finds what a fresh index finds.
//!
//! The store is one that was written in two runs while somebody read, so that the second one still lies in SQLite's log: to
//! damage the log is to let the database fall back, as a power cut does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use kitbag_engine::api::{self, IndexReply, IndexRequest, SearchRequest};
use kitbag_engine::{Engine, EngineError};
use kitbag_store::{OpenMode, Snapshot, Store};

use crate::world::{NOW, World, item};

/// A case takes well under a second; one that takes this long hangs.
const HANGS: Duration = Duration::from_secs(120);

struct Case {
    world: World,
    /// The store as it was after the first run, and after the second.
    older: tempfile::TempDir,
    sound: tempfile::TempDir,
    expected: String,
}

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (from, to) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

fn answers(world: &World) -> String {
    let mut out = String::new();
    for query in [
        "item value",
        "open the session store",
        "Item2::compute",
        "late_banana",
    ] {
        let request = SearchRequest {
            update: false,
            top: Some(20),
            ..SearchRequest::new(query)
        };
        let mut reply = world.ask(&request);
        assert!(reply.index.complete, "{:?}", reply.index);
        // Whoever opens a mended journal first is told of it.
        reply.warnings.retain(|warning| !warning.contains("journal"));
        out += &serde_json::to_string(&reply).unwrap();
        out.push('\n');
    }
    out
}

fn remember(engine: &Engine) {
    let request = api::RememberRequest {
        content: "errors are handled in one place".into(),
        kind: api::MemoryKind::Decision,
        ..api::RememberRequest::default()
    };
    api::remember(engine, "", &request, NOW).unwrap();
}

fn case() -> Case {
    let world = World::new(
        "//- src/session.rs\n/// An open session.\npub struct Session;\nimpl Session {\n    pub fn open(&self) -> u32 {\n        1\n    }\n}\n",
    );
    for n in 0..4 {
        world.tree.write(format!("src/gen/item{n}.rs"), item(n, 0));
    }
    world.index();
    remember(&world.engine());
    let (older, sound) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&world.store_dir(), older.path());
    // Whoever reads keeps SQLite from folding its log in.
    let reader = Store::open(&world.store_dir(), OpenMode::ReadOnly).unwrap();
    let snapshot = Snapshot::open(&reader, world.tree.root()).unwrap().unwrap();
    world.tree.write("src/gen/item1.rs", item(1, 7));
    world
        .tree
        .write("src/late.rs", "pub fn late_banana() -> u32 {\n    7\n}\n");
    world.tree.remove("src/gen/item3.rs");
    world.index();
    copy(&world.store_dir(), sound.path());
    drop(snapshot);
    drop(reader);
    assert!(
        std::fs::metadata(sound.path().join("kitbag.db-wal"))
            .unwrap()
            .len()
            > 0
    );
    world.forget();
    world.index();
    let expected = answers(&world);
    Case {
        world,
        older,
        sound,
        expected,
    }
}

/// Paths of files below `dir`, one of each kind: segments of the text index are alike.
fn files(dir: &Path) -> Vec<PathBuf> {
    let (mut found, mut kinds) = (Vec::new(), BTreeSet::new());
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().unwrap().to_str().unwrap();
            let kind = match path.extension() {
                Some(ending) if name.len() > 36 => ending.to_str().unwrap(),
                _ => name,
            };
            if kinds.insert(kind.to_owned()) {
                found.push(path.strip_prefix(dir).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

const DAMAGES: [&str; 11] = [
    "empty",
    "half",
    "zeros",
    "first bit",
    "middle bit",
    "bits",
    "garbage",
    "older",
    "gone",
    "folder",
    "fifo",
];

fn damage(how: &str, path: &Path, older: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let flipped = |places: &[usize]| {
        let mut bytes = bytes.clone();
        for at in places {
            if let Some(byte) = bytes.get_mut(*at) {
                *byte ^= 0x10;
            }
        }
        bytes
    };
    let write = |bytes: &[u8]| std::fs::write(path, bytes).unwrap();
    match how {
        "empty" => write(&[]),
        "half" => write(&bytes[..bytes.len() / 2]),
        "zeros" => write(&vec![0; bytes.len()]),
        "first bit" => write(&flipped(&[0])),
        "middle bit" => write(&flipped(&[bytes.len() / 2])),
        "bits" => write(&flipped(
            &(0..16).map(|n| bytes.len() * n / 16 + 3).collect::<Vec<_>>(),
        )),
        "garbage" => write(&b"no such thing ".repeat(bytes.len() / 14 + 1)),
        "older" => match std::fs::read(older) {
            Ok(older) => write(&older),
            Err(_) => write(&bytes),
        },
        "gone" => std::fs::remove_file(path).unwrap(),
        "folder" => {
            std::fs::remove_file(path).unwrap();
            std::fs::create_dir(path).unwrap();
            std::fs::write(path.join("inside"), "x").unwrap();
        }
        _ => {
            std::fs::remove_file(path).unwrap();
            let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        }
    }
}

fn index(world: &World, thorough: bool) -> Result<IndexReply, EngineError> {
    let request = IndexRequest {
        wait: true,
        thorough,
        stop: None,
    };
    api::index(&world.engine(), request, &mut |_| {}, NOW)
}

/// Runs `work` and fails if it does not come back.
fn within<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = channel();
    std::thread::spawn(move || send.send(work()));
    receive
        .recv_timeout(HANGS)
        .unwrap_or_else(|error| panic!("{what}: {error}"))
}

#[test]
fn idx_30_every_file_damaged_in_every_way_is_mended_by_one_run() {
    let Case {
        mut world,
        older,
        sound,
        expected,
    } = case();
    let names = files(sound.path());
    for wanted in ["kitbag.db", "kitbag.db-wal", "journal.db", "writer.lock"] {
        assert!(names.contains(&PathBuf::from(wanted)), "{names:?}");
    }
    assert!(names.len() > 12, "{names:?}");
    // All of them are some two hundred runs; otherwise each file is damaged in four ways, and each way is tried on some files.
    let n_damages = if std::env::var_os("KITBAG_SLOW").is_some() {
        DAMAGES.len()
    } else {
        4
    };
    for (file_idx, name) in names.iter().enumerate() {
        let damages = DAMAGES.iter().copied().cycle().skip(file_idx * n_damages);
        for how in damages.take(n_damages) {
            let what = format!("{}: {how}", name.display());
            copy(sound.path(), &world.store_dir());
            damage(how, &world.store_dir().join(name), &older.path().join(name));
            // What stands in rows has checksums that only a thorough run compares.
            let thorough = name.starts_with("kitbag.db") && how.contains("bit");
            let (back, reply, found) = within(&what.clone(), move || {
                let reply = index(&world, thorough).unwrap_or_else(|error| panic!("{what}: {error}"));
                let found = answers(&world);
                let kept = api::recall(&world.engine(), "", &api::RecallRequest::default(), NOW)
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                if !what.starts_with("journal") {
                    assert_eq!(kept.memories.len(), 1, "{what}: the memory is lost");
                }
                (world, reply, found)
            });
            world = back;
            assert!(reply.complete, "{}: {how}", name.display());
            assert_eq!(found, expected, "{}: {how}: {:?}", name.display(), reply.warnings);
            let state = api::status(&world.engine()).unwrap();
            assert!(
                state.complete && state.damage.is_empty(),
                "{}: {how}",
                name.display()
            );
        }
    }
}

#[test]
fn idx_30_derived_files_that_are_damaged_are_named_until_they_are_mended() {
    let Case {
        world,
        sound,
        expected,
        ..
    } = case();
    for name in files(sound.path()) {
        let is_derived = name
            .extension()
            .is_some_and(|end| end == "fast" || end == "fieldnorm" || end == "bin");
        if !is_derived {
            continue;
        }
        let what = name.display().to_string();
        copy(sound.path(), &world.store_dir());
        damage("middle bit", &world.store_dir().join(&name), Path::new(""));
        let part = if what.ends_with("bin") {
            "vectors"
        } else {
            "text index"
        };
        let state = api::status(&world.engine()).unwrap();
        assert!(
            !state.complete && state.damage[0].contains(part),
            "{what}: {state:?}"
        );
        let health = api::doctor(&world.engine(), NOW).unwrap();
        assert!(health.derived[0].contains(part), "{what}: {health:?}");
        // A question that brings nothing up to date mends it all the same, and says so.
        let request = SearchRequest {
            update: false,
            ..SearchRequest::new("late_banana")
        };
        let reply = world.ask(&request);
        assert_eq!(reply.results[0].path, "src/late.rs");
        let said = |warning: &String| warning.contains(part) && warning.contains("made again");
        assert!(reply.warnings.iter().any(said), "{what}: {:?}", reply.warnings);
        assert_eq!(answers(&world), expected, "{what}");
    }
}

#[test]
fn idx_30_a_text_folder_that_is_gone_is_not_called_well() {
    let Case { world, .. } = case();
    std::fs::remove_dir_all(world.store_dir().join("text")).unwrap();
    let state = api::status(&world.engine()).unwrap();
    assert_eq!((state.complete, state.text), (false, 0.0));
    assert_eq!(state.damage, ["the text index is missing"]);
    assert_eq!(
        api::doctor(&world.engine(), NOW).unwrap().derived,
        ["the text index is missing"]
    );
    let state = api::index_state(&world.engine()).unwrap().unwrap();
    assert!(!state.complete && state.damage.len() == 1);
    let reply = index(&world, false).unwrap();
    assert!(
        reply.complete && reply.warnings[0].contains("the text index was missing"),
        "{reply:?}"
    );
}

#[test]
fn idx_30_flipped_postings_are_found_by_an_index_run() {
    let Case {
        world,
        sound,
        expected,
        ..
    } = case();
    for name in files(sound.path()) {
        if name.extension().is_none_or(|end| end != "idx" && end != "term") {
            continue;
        }
        copy(sound.path(), &world.store_dir());
        damage("middle bit", &world.store_dir().join(&name), Path::new(""));
        let health = api::doctor(&world.engine(), NOW).unwrap();
        assert!(health.derived[0].contains("checksum"), "{health:?}");
        let reply = index(&world, false).unwrap();
        assert!(reply.warnings[0].contains("text index"), "{:?}", reply.warnings);
        assert_eq!(answers(&world), expected);
    }
}

#[test]
fn idx_30_a_damaged_journal_stands_in_the_way_of_nothing() {
    let Case { world, sound, .. } = case();
    let journal = world.store_dir().join("journal.db");
    let clock = || NOW;
    let job = |engine: &Engine| {
        let request = api::RebuildRequest {
            confirm: true,
            ..api::RebuildRequest::default()
        };
        let open = api::create_rebuild(engine, "", &request, NOW).unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        api::run_job(engine, open, &mut |_| {}, &stop, &clock).unwrap()
    };
    for how in ["garbage", "half", "zeros", "folder", "bits"] {
        copy(sound.path(), &world.store_dir());
        damage(how, &journal, Path::new(""));
        if how == "garbage" {
            let health = api::doctor(&world.engine(), NOW).unwrap();
            assert!(health.journal.is_some());
        }
        assert_eq!(job(&world.engine()).status, "completed", "{how}");
        api::recall(&world.engine(), "", &api::RecallRequest::default(), NOW).unwrap();
        assert_eq!(api::doctor(&world.engine(), NOW).unwrap().journal, None, "{how}");
        remember(&world.engine());
    }
}
