//! Which crate may depend on which: cargo's metadata in, edges that the table does not know out.
//!
//! The direction of data is the architecture (house rules, §1), and `Cargo.toml` is where it erodes: one convenient line
//! and a side room knows its neighbour. So the allowed edges are written down a second time, here, and a new one is a
//! decision that shows in review.

#[cfg(test)]
mod tests;

use serde_json::Value;

struct Room {
    name: &'static str,
    /// Workspace crates it may use.
    rooms: &'static [&'static str],
    /// Crates from outside; a trailing `*` stands for any continuation.
    outside: &'static [&'static str],
}

/// The dependency table of ARCHITECTURE.md. Dev-dependencies from outside are free; see [`check`] for the others.
const ROOMS: &[Room] = &[
    Room {
        name: "kitbag-types",
        rooms: &[],
        outside: &[],
    },
    Room {
        name: "kitbag-repo",
        rooms: &["kitbag-types"],
        outside: &[
            "aho-corasick",
            "blake3",
            "libc",
            "notify",
            "rayon",
            "regex",
            "thiserror",
        ],
    },
    Room {
        name: "kitbag-syntax",
        rooms: &["kitbag-types"],
        outside: &["tree-sitter", "tree-sitter-*"],
    },
    Room {
        name: "kitbag-tokens",
        rooms: &["kitbag-types"],
        outside: &["blake3", "lru", "serde", "serde_json", "splintr", "tokenizers"],
    },
    Room {
        name: "kitbag-analyse",
        rooms: &["kitbag-types"],
        outside: &[
            "globset",
            "jsonc-parser",
            "quick-xml",
            "saphyr-parser",
            "strsim",
            "toml",
        ],
    },
    Room {
        name: "kitbag-embed",
        rooms: &["kitbag-types"],
        outside: &[
            "blake3",
            "ndarray",
            "rayon",
            "serde",
            "serde_json",
            "thiserror",
            "tokenizers",
            "ureq",
        ],
    },
    Room {
        name: "kitbag-store",
        rooms: &["kitbag-types"],
        outside: &[
            "blake3",
            "crc32fast",
            "lz4_flex",
            "rusqlite",
            "tantivy",
            "thiserror",
        ],
    },
    Room {
        name: "kitbag-rank",
        rooms: &["kitbag-types"],
        outside: &[],
    },
    Room {
        name: "kitbag-pack",
        rooms: &["kitbag-types"],
        outside: &[],
    },
    Room {
        name: "kitbag-engine",
        rooms: &[
            "kitbag-analyse",
            "kitbag-embed",
            "kitbag-pack",
            "kitbag-rank",
            "kitbag-repo",
            "kitbag-store",
            "kitbag-syntax",
            "kitbag-tokens",
            "kitbag-types",
        ],
        outside: &[
            "blake3",
            "globset",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
        ],
    },
    Room {
        name: "kitbag-door",
        rooms: &["kitbag-engine", "kitbag-tokens", "kitbag-types"],
        outside: &["cpu-time", "serde", "serde_json", "toml"],
    },
    Room {
        name: "kitbag-server",
        rooms: &["kitbag-door", "kitbag-engine", "kitbag-types"],
        outside: &[
            "axum",
            "hyper",
            "hyper-util",
            "rmcp",
            "schemars",
            "serde",
            "serde_json",
            "serde_path_to_error",
            "subtle",
            "tokio",
            "tokio-util",
            "ureq",
        ],
    },
    Room {
        name: "kitbag-install",
        rooms: &["kitbag-door", "kitbag-engine"],
        outside: &["jsonc-parser", "serde", "serde_json", "toml", "toml_edit"],
    },
    Room {
        name: "kitbag",
        rooms: &[
            "kitbag-door",
            "kitbag-engine",
            "kitbag-install",
            "kitbag-server",
            "kitbag-tokens",
            "kitbag-types",
        ],
        outside: &[
            "clap",
            "clap_complete",
            "indicatif",
            "serde",
            "serde_json",
            "terminal_size",
            "tokio",
            "toml",
            "ureq",
        ],
    },
    // Beside the house: nobody but tests and people run these.
    Room {
        name: "kitbag-testkit",
        rooms: &["kitbag-types"],
        outside: &["proptest", "tempfile"],
    },
    Room {
        name: "kitbag-bench",
        rooms: &["kitbag*"],
        outside: &["*"],
    },
    Room {
        name: "kitbag-train",
        rooms: &["kitbag-embed", "kitbag-syntax", "kitbag-types"],
        outside: &["ndarray", "rayon", "serde_json"],
    },
    Room {
        name: "xtask",
        // `torture` writes the same hostile projects as the tests do.
        rooms: &["kitbag-testkit"],
        outside: &["serde_json", "spdx", "tempfile"],
    },
];

/// The only workspace crate that may be a dev-dependency without being a dependency.
const TESTKIT: &str = "kitbag-testkit";

pub(super) fn check(metadata: &Value) -> Vec<String> {
    let packages = list(metadata, "packages");
    let members: Vec<&str> = packages.iter().map(name).collect();
    let mut problems = Vec::new();
    for package in packages {
        let Some(room) = ROOMS.iter().find(|room| room.name == name(package)) else {
            problems.push(format!(
                "{}: a crate without a row in ROOMS (xtask/src/tidy/edges.rs); a new crate keeps a heavy or impure \
                 dependency out, or parts what changes weekly from what everyone stands on — otherwise it is a module",
                name(package)
            ));
            continue;
        };
        for dependency in list(package, "dependencies") {
            problems.extend(problem(room, dependency, &members));
        }
    }
    problems
}

fn problem(room: &Room, dependency: &Value, members: &[&str]) -> Option<String> {
    let to = name(dependency);
    let inside = members.contains(&to);
    let known = allows(if inside { room.rooms } else { room.outside }, to);
    match dependency.get("kind").and_then(Value::as_str) {
        Some("dev") if !inside || known || to == TESTKIT => None,
        Some("dev") => Some(format!(
            "{}: dev-dependency on {to}; tests of a room use {TESTKIT} or build their own data, else the room is not \
             testable alone (xtask/src/tidy/edges.rs)",
            room.name
        )),
        _ if known => None,
        _ => Some(format!(
            "{}: new edge to {to}. Ask first whether the engine can hand over the result as data, or whether std will do; \
             if the edge is right, add it to ROOMS in xtask/src/tidy/edges.rs and to the table in ARCHITECTURE.md, and \
             write down why in docs/decisions/",
            room.name
        )),
    }
}

fn allows(patterns: &[&str], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => *pattern == name,
    })
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn name(value: &Value) -> &str {
    value.get("name").and_then(Value::as_str).unwrap_or_default()
}
