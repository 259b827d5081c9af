//! CMake: a `CMakeLists.txt` with `project()` is a package, `add_subdirectory()` leads to more of it.
//!
//! A package depends on another when one of its targets links to one of the other's. What is behind a variable stays unknown.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Standing, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::tree;

const FAMILY: Family = Family {
    name: "cmake",
    languages: &[
        ("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx"]),
        ("c", &["c", "h"]),
        ("cuda", &["cu", "cuh"]),
        ("fortran", &["f90", "f"]),
    ],
    lists_vendored: true,
    ..Family::PLAIN
};

pub(super) const CMAKE: PackageManager = PackageManager {
    name: "cmake",
    family: &FAMILY,
    manifests: &["CMakeLists.txt"],
    lockfiles: &[],
    read,
};

/// Words of `target_link_libraries` that are not libraries.
const LINK_WORDS: &[&str] = &["PUBLIC", "PRIVATE", "INTERFACE", "debug", "optimized", "general"];

fn read(_: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let mut members = Vec::new();
    let mut project = Project {
        line: 1,
        standing: Standing::Part,
        ..Project::default()
    };
    for command in commands(text) {
        let first = command.arguments.first().copied();
        let after = |key: &str| {
            let at = command.arguments.iter().position(|argument| *argument == key)?;
            command.arguments.get(at + 1).copied()
        };
        let line = command.line;
        match (command.name.to_ascii_lowercase().as_str(), first) {
            ("project", Some(name)) if project.standing == Standing::Part => {
                project.standing = Standing::Declared;
                project.line = line;
                project.name = (!name.contains('$')).then(|| Stated::new(name, line));
                project.version = after("VERSION")
                    .filter(|text| !text.contains('$'))
                    .map(|text| Stated::new(text, line));
                project.description = after("DESCRIPTION").map(|text| Stated::new(text, line));
            }
            ("add_subdirectory", Some(folder)) if !folder.contains('$') => {
                members.push(Member::new(folder, line, false));
            }
            ("add_library" | "add_executable", Some(target)) => project.aliases.push(target.to_owned()),
            ("target_link_libraries", Some(_)) => {
                for library in &command.arguments[1..] {
                    if !LINK_WORDS.contains(library) && !library.contains(['$', '-', '/']) {
                        project
                            .dependencies
                            .push(Dependency::named(*library, DependencyKind::Direct, line));
                    }
                }
            }
            ("find_package", Some(name)) => {
                let kind = DependencyKind::Build;
                project
                    .dependencies
                    .push(Dependency::named(name, kind, line).to(Target::Outside));
            }
            _ => {}
        }
    }
    Manifest {
        members: (!members.is_empty()).then_some(members),
        ..Manifest::of(project)
    }
}

struct Command<'a> {
    name: &'a str,
    arguments: Vec<&'a str>,
    line: u32,
}

/// `name(a "b c" d)`, comments taken out. Bracket arguments count as words.
fn commands(text: &str) -> Vec<Command<'_>> {
    let mut commands: Vec<Command<'_>> = Vec::new();
    let mut is_open = false;
    let mut n_inner = 0;
    let mut word = "";
    let mut line = 1;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '#' | ';');
        let n_bytes = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let end = closing_quote(rest);
                if let Some(command) = commands.last_mut().filter(|_| is_open) {
                    command.arguments.push(rest[1..end].trim());
                }
                (end + 1).min(rest.len())
            }
            '(' if is_open => {
                n_inner += 1;
                1
            }
            '(' => {
                is_open = true;
                commands.push(Command {
                    name: word,
                    arguments: Vec::new(),
                    line,
                });
                1
            }
            ')' => {
                match n_inner {
                    0 => is_open = false,
                    _ => n_inner -= 1,
                }
                1
            }
            c if is_end(c) => c.len_utf8(),
            _ => {
                let end = rest.find(is_end).unwrap_or(rest.len());
                word = &rest[..end];
                if let Some(command) = commands.last_mut().filter(|_| is_open) {
                    command.arguments.push(word);
                }
                end
            }
        };
        line += rest[..n_bytes].bytes().filter(|byte| *byte == b'\n').count() as u32;
        rest = &rest[n_bytes..];
    }
    commands
}

fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}
