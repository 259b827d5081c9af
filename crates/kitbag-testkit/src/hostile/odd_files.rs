//! Files that are not ordinary, have odd names, or lie in odd places.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::time::{Duration, SystemTime};

use super::{Hostile, ProjectFolder, hostile, run};

const SOURCE: &str = "pub fn beside() {}\n";

pub(super) fn all() -> Vec<Hostile> {
    vec![
        hostile("pipes", pipes),
        hostile("a socket", socket),
        hostile("devices", devices),
        hostile("links that lead in circles", circles),
        hostile("links that lead outside", outside),
        hostile("a deep folder", deep),
        hostile("long names", long_names),
        hostile("names that are not text", bad_names),
        hostile("names with signs", odd_names),
        hostile("a sparse file of 20 GB", sparse),
        hostile("no permission", no_permission),
        hostile("times that cannot be", odd_times),
        hostile("many empty files", many_files),
        hostile("many links to one file", hard_links),
        hostile("folders named as files", folders),
    ]
}

fn pipes(made: &ProjectFolder<'_>) {
    for name in [
        "pipe.rs",
        "pipe.md",
        "Cargo.toml",
        "package.json",
        ".gitignore",
        ".contextignore",
        "README.md",
    ] {
        made.pipe(name);
    }
}

fn socket(made: &ProjectFolder<'_>) {
    // It stays when its listener is gone. The name of a socket may not be long, whatever the folder.
    let short = std::env::temp_dir().join(format!("kitbag-socket-{}-{}", std::process::id(), made.seed));
    drop(UnixListener::bind(&short));
    // Not on every file system.
    let _ = std::fs::rename(&short, made.path("socket.rs"));
    let _ = std::fs::remove_file(&short);
}

/// Of their own, which root may make, and by links, which anybody may.
fn devices(made: &ProjectFolder<'_>) {
    for (name, minor) in [("zero.rs", "5"), ("random.py", "9"), ("full.md", "7")] {
        let path = made.path(name);
        run(
            "mknod",
            &[
                path.as_os_str(),
                OsStr::new("c"),
                OsStr::new("1"),
                OsStr::new(minor),
            ],
        );
    }
    for device in ["zero", "random", "full", "tty", "stdin"] {
        made.link(format!("/dev/{device}"), &format!("link_{device}.rs"));
    }
    made.link("/proc/self/mem", "memory.rs");
    made.link("/proc", "proc");
}

fn circles(made: &ProjectFolder<'_>) {
    made.folder("a/b/c");
    made.link("self.rs", "self.rs");
    made.link("two.rs", "one.rs");
    made.link("one.rs", "two.rs");
    made.link("../..", "a/b/up");
    made.link(".", "here");
    for n in 0..50 {
        made.link(format!("chain{}", n + 1), &format!("chain{n}"));
    }
}

fn outside(made: &ProjectFolder<'_>) {
    made.link("/etc/passwd", "passwd.txt");
    made.link("/", "everything");
    made.link("../../../../../../../../etc", "etc");
    made.link("/nowhere/at/all.rs", "dangling.rs");
}

/// Deeper than a path may be long: made from inside, a level at a time.
fn deep(made: &ProjectFolder<'_>) {
    let script = "cd \"$0\" && n=0; while [ $n -lt 600 ]; do mkdir deepdeep && cd deepdeep || exit 1; n=$((n+1)); done; \
                  echo 'pub fn deep() {}' > deep.rs";
    run(
        "sh",
        &[OsStr::new("-c"), OsStr::new(script), made.root.as_os_str()],
    );
}

fn long_names(made: &ProjectFolder<'_>) {
    made.write(format!("{}.rs", "n".repeat(252)), SOURCE);
    made.write(format!("{}/{}.rs", "f".repeat(200), "n".repeat(60)), SOURCE);
    made.write(format!("{}.rs", "ü".repeat(126)), SOURCE);
    made.write(format!("{}/x.rs", vec!["d".repeat(250); 12].join("/")), SOURCE);
}

fn bad_names(made: &ProjectFolder<'_>) {
    for (number, bytes) in [&b"\xff\xfe"[..], b"a\x80b", b"\xed\xa0\x80", b"\xc3"]
        .iter()
        .enumerate()
    {
        let name = [bytes, format!("{number}.rs").as_bytes()].concat();
        made.write(OsString::from_vec(name), SOURCE);
        made.write(OsString::from_vec([bytes, &b"_folder/x.rs"[..]].concat()), SOURCE);
    }
}

fn odd_names(made: &ProjectFolder<'_>) {
    let names = [
        "-rf.rs",
        "--help.rs",
        "-",
        "a b.rs",
        "a\nb.rs",
        "a\rb.rs",
        "a\tb.rs",
        "\u{1b}[2J.rs",
        "quote'\".rs",
        "back\\slash.rs",
        "$(reboot).rs",
        "`id`.rs",
        "*.rs",
        "{a,b}.rs",
        "[a].rs",
        "!x.rs",
        "#x.rs",
        "a;b.rs",
        "\u{202e}sr.exe.rs",
        "e\u{301}.rs",
        "é.rs",
        "CON.rs",
        "a:b.rs",
        "..rs",
        "...",
        " ",
        "~",
        "%s%n.rs",
        "```.md",
        "</file>.md",
    ];
    for name in names {
        made.write(name, SOURCE);
    }
}

fn sparse(made: &ProjectFolder<'_>) {
    for name in ["sparse.rs", "sparse.json", "sparse.log"] {
        let file = std::fs::File::create(made.path(name)).expect("a file can be made");
        // Not on every file system.
        let _ = file.set_len(20 << 30);
    }
}

fn no_permission(made: &ProjectFolder<'_>) {
    made.write("shut.rs", SOURCE);
    made.write("shut/x.rs", SOURCE);
    made.write("unlisted/x.rs", SOURCE);
    for (name, mode) in [("shut.rs", 0), ("shut", 0), ("unlisted", 0o311)] {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(made.path(name), mode).expect("it is ours");
    }
}

fn odd_times(made: &ProjectFolder<'_>) {
    let day = Duration::from_secs(86_400);
    let times = [
        SystemTime::UNIX_EPOCH,
        SystemTime::UNIX_EPOCH - day * 300,
        SystemTime::UNIX_EPOCH + day * 80_000,
        SystemTime::UNIX_EPOCH + day * 10_000_000,
    ];
    for (number, time) in times.into_iter().enumerate() {
        let name = format!("time{number}.rs");
        made.write(&name, SOURCE);
        let file = std::fs::File::options().write(true).open(made.path(&name));
        // Not every file system knows every time.
        let _ = file.expect("it was just made").set_modified(time);
    }
}

fn many_files(made: &ProjectFolder<'_>) {
    for n in 0..made.bytes.div_ceil(1_000).min(5_000) {
        made.write(format!("many/{}/empty{n}.py", n % 7), "");
    }
}

fn hard_links(made: &ProjectFolder<'_>) {
    made.write("linked.py", "def linked():\n    return 1\n".repeat(50));
    for n in 0..300 {
        std::fs::hard_link(made.path("linked.py"), made.path(format!("linked{n}.py"))).expect("same folder");
    }
}

fn folders(made: &ProjectFolder<'_>) {
    for name in [
        "main.rs",
        ".gitignore",
        ".contextignore",
        "Cargo.toml",
        "README.md",
        "package.json",
    ] {
        made.folder(name);
    }
}
