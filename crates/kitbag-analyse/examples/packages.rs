//! Prints the packages of a checkout: the form that the scorer of the insights data reads, or a picture with `--graph`.
//!
//! `cargo run --example packages -- ROOT [--graph text|mermaid|dot | --time]`. It reads files itself, since the room does not; the
//! engine will do that when the room is wired in.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program of its own that stands in for the engine"
)]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use kitbag_analyse::packages::{self, Graph, Manifest, Packages, draw};
use kitbag_types::RepoPath;
use serde_json::json;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = arguments.first().map_or(".", String::as_str);
    let mode: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .output();
    let listed = listed.expect("git is installed").stdout;
    let listed = String::from_utf8_lossy(&listed);
    let files: Vec<RepoPath> = listed
        .split('\0')
        .filter_map(|path| RepoPath::new(path).ok())
        .collect();

    let started = Instant::now();
    let wanted = files.iter().filter(|path| packages::is_manifest(path));
    let texts: Vec<(&RepoPath, String)> = wanted
        .filter_map(|path| {
            Some((
                path,
                String::from_utf8_lossy(&std::fs::read(Path::new(root).join(path.as_str())).ok()?)
                    .into_owned(),
            ))
        })
        .collect();
    let read_files = started.elapsed();
    let manifests: Vec<(&RepoPath, Manifest)> = texts
        .iter()
        .filter_map(|(path, text)| Some((*path, packages::read(path, text)?)))
        .collect();
    let parsed = started.elapsed();
    let manifests: Vec<(&RepoPath, &Manifest)> = manifests
        .iter()
        .map(|(path, manifest)| (*path, manifest))
        .collect();
    let root_name = Path::new(root)
        .file_name()
        .map_or("root".into(), |name| name.to_string_lossy());
    let (found, notes) = packages::assemble(&files, &manifests, &root_name);
    let graph = Graph::new(&found, &[]);
    let done = started.elapsed();
    match mode.as_slice() {
        ["--graph", "mermaid"] => print!("{}", draw::mermaid(&found, &graph)),
        ["--graph", "dot"] => print!("{}", draw::dot(&found, &graph)),
        ["--graph", ..] => print!("{}", draw::text(&found, &graph)),
        ["--time"] => println!(
            "{} files, {} manifests, {} packages, {} edges: disk {:.1} ms, parse {:.1} ms, assemble {:.1} ms",
            files.len(),
            manifests.len(),
            found.list().len(),
            graph.edges().len(),
            read_files.as_secs_f64() * 1e3,
            (parsed - read_files).as_secs_f64() * 1e3,
            (done - parsed).as_secs_f64() * 1e3,
        ),
        _ => println!("{}", as_json(&found)),
    }
    for note in notes {
        let line = note.note.lines.map_or(0, |lines| lines.start());
        eprintln!("{}:{line}: {} ({})", note.path, note.note.message, note.note.code);
    }
}

fn as_json(found: &Packages) -> serde_json::Value {
    let packages = found.list().iter().map(|package| {
        json!({
            "name": package.name,
            "path": if package.path.is_empty() { "." } else { &package.path },
            "manager": package.manager,
            "language": package.language,
            "version": package.version.as_ref().map(|version| &version.text),
            "internal_dependencies": package.internal().map(|(_, dependency)| &dependency.name).collect::<Vec<_>>(),
            "external_dependencies": package.external().map(|dependency| &dependency.name).collect::<Vec<_>>(),
            "is_root": package.is_root,
            "files": package.n_files,
        })
    });
    json!({ "packages": packages.collect::<Vec<_>>() })
}
