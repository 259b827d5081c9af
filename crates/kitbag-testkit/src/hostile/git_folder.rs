//! Crafted `.git` folders, ignore files and settings: what Kitbag reads before it reads any source.

use super::{Hostile, ProjectFolder, hostile};

pub(super) fn all() -> Vec<Hostile> {
    vec![
        hostile("git: HEAD is a pipe", |made| made.pipe(".git/HEAD")),
        hostile("git: commondir is a pipe", |made| made.pipe(".git/commondir")),
        hostile("git: index is a pipe", |made| made.pipe(".git/index")),
        hostile("git: config is a pipe", |made| made.pipe(".git/config")),
        hostile("git: packed-refs is a pipe", |made| made.pipe(".git/packed-refs")),
        hostile("git: exclude is a pipe", |made| made.pipe(".git/info/exclude")),
        hostile("git: the branch is a pipe", |made| {
            made.pipe(".git/refs/heads/main")
        }),
        hostile("git: HEAD is a device", |made| {
            made.link("/dev/zero", ".git/HEAD")
        }),
        hostile("git: commondir is a device", |made| {
            made.link("/dev/zero", ".git/commondir")
        }),
        hostile("git: HEAD without end", |made| {
            made.repeat(".git/HEAD", "ref: refs/heads/")
        }),
        hostile("git: packed-refs without end", packed_refs),
        hostile("git: config without end", |made| {
            made.repeat(".git/config", "[include]\n\tpath = config\n");
        }),
        hostile("git: references in a circle", circle),
        hostile("git: an index of noise", |made| {
            let mut random = made.random();
            let noise: Vec<u8> = (0..20_000).map(|_| random.below(256) as u8).collect();
            made.write(
                ".git/index",
                [b"DIRC\0\0\0\x02\xff\xff\xff\xff", noise.as_slice()].concat(),
            );
        }),
        hostile("git: alternates in a circle", |made| {
            made.write(
                ".git/objects/info/alternates",
                format!("{}\n", made.path(".git/objects").display()),
            );
        }),
        hostile("git: commondir leads to the root", |made| {
            made.write(".git/commondir", "/")
        }),
        hostile("git: an empty folder", |made| {
            std::fs::remove_dir_all(made.path(".git")).expect("it was made");
            made.folder(".git");
        }),
        hostile("git: a file that names itself", |made| {
            std::fs::remove_dir_all(made.path(".git")).expect("it was made");
            made.write(".git", "gitdir: .git\n");
        }),
        hostile("git: a link to the root", |made| {
            std::fs::remove_dir_all(made.path(".git")).expect("it was made");
            made.link("/", ".git");
        }),
        hostile("git: programs to start", programs),
        hostile("ignore: many stars", stars),
        hostile("ignore: many lines", |made| {
            let lines: String = (0..made.bytes / 12)
                .map(|n| format!("/no/{n}\n!/yes{n}\n"))
                .collect();
            made.write(".gitignore", lines);
        }),
        hostile("ignore: a line without end", |made| {
            made.repeat(".gitignore", "*a?[!b]")
        }),
        hostile("ignore: open brackets", |made| {
            made.write(
                ".gitignore",
                format!("{}\n{}\n\\\n!\n", "[".repeat(10_000), "{a,".repeat(10_000)),
            );
        }),
        hostile("ignore: one in every folder", |made| {
            for n in 0..300 {
                let folder = vec!["d"; n % 40 + 1].join("/");
                made.write(format!("{folder}/f{n}.rs"), "pub fn f() {}\n");
                made.write(format!("{folder}/.gitignore"), "**/x**/y**/z\n!*.rs\n".repeat(20));
            }
        }),
        refused("settings without end", |made| {
            made.repeat("kitbag.toml", "[query]\n")
        }),
        refused("settings that nest", |made| {
            let nested = format!("a = {}{}\n", "[".repeat(50_000), "]".repeat(50_000));
            made.write("kitbag.toml", nested);
        }),
        refused("settings with patterns that grow", |made| {
            made.write(
                "kitbag.toml",
                "[security]\nsecret_patterns = [\"((a{100}){100}){100}\"]\n",
            );
        }),
        hostile("settings with many patterns", |made| {
            let globs: Vec<String> = (0..2_000).map(|n| format!("\"**/*{n}*/**/*x{n}\"")).collect();
            made.write(
                "kitbag.toml",
                format!("[security]\ndenied_paths = [{}]\n", globs.join(", ")),
            );
        }),
    ]
}

fn refused(name: &'static str, write: fn(&ProjectFolder<'_>)) -> Hostile {
    Hostile {
        is_refused: true,
        ..hostile(name, write)
    }
}

fn packed_refs(made: &ProjectFolder<'_>) {
    let id = "0123456789abcdef0123456789abcdef01234567";
    let lines: String = (0..made.bytes / 60)
        .map(|n| format!("{id} refs/heads/b{n}\n"))
        .collect();
    made.write(".git/packed-refs", lines);
}

fn circle(made: &ProjectFolder<'_>) {
    made.write(".git/HEAD", "ref: refs/heads/one\n");
    made.write(".git/refs/heads/one", "ref: refs/heads/two\n");
    made.write(".git/refs/heads/two", "ref: refs/heads/one\n");
}

/// Nothing that a repository names may be started: each would leave a file `started`.
fn programs(made: &ProjectFolder<'_>) {
    let script = format!("#!/bin/sh\ntouch '{}'\n", made.path("started").display());
    made.write("program.sh", script);
    let program = made.path("program.sh");
    crate::git(
        made.root,
        &["config", "core.fsmonitor", &format!("sh {}", program.display())],
    );
    crate::git(
        made.root,
        &["config", "diff.external", &format!("sh {}", program.display())],
    );
    crate::git(
        made.root,
        &["config", "filter.x.clean", &format!("sh {}", program.display())],
    );
    made.write(".gitattributes", "* filter=x diff=x\n");
}

fn stars(made: &ProjectFolder<'_>) {
    let lines: String = (0..500)
        .map(|n| format!("{}{n}\n{}{n}\n", "**/a*".repeat(20), "*a".repeat(40)))
        .collect();
    made.write(".gitignore", lines);
    let long = vec!["a".repeat(60); 12].join("/");
    for n in 0..20 {
        made.write(format!("{long}/{}{n}.rs", "a".repeat(100)), "pub fn a() {}\n");
    }
}
