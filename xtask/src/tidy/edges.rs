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
    /// What it takes and gives, for the table of ARCHITECTURE.md. Empty: it stands beside the house and not in the table.
    gives: &'static str,
    /// What it does not do.
    never: &'static str,
    /// Workspace crates it may use.
    rooms: &'static [&'static str],
    /// Crates from outside; a trailing `*` stands for any continuation.
    outside: &'static [&'static str],
}

/// The rooms of the house. The table of ARCHITECTURE.md is made from them and from cargo's metadata. Dev-dependencies from outside are free; see [`check`] for the others.
const ROOMS: &[Room] = &[
    Room {
        name: "kitbag-types",
        gives: "`RepoPath Chunk Symbol Link Query Candidate Reason Note` …; how text becomes terms",
        never: "I/O, serde",
        rooms: &[],
        outside: &[],
    },
    Room {
        name: "kitbag-repo",
        gives: "a folder → source files without secrets, and what changed",
        never: "parse source",
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
        gives: "text → chunks, symbols, links, notes",
        never: "touch disk or clock",
        rooms: &["kitbag-types"],
        outside: &["tree-sitter", "tree-sitter-*"],
    },
    Room {
        name: "kitbag-tokens",
        gives: "text + model family or tokenizer.json → count, exact or a stated over-estimate",
        never: "approximate without saying so",
        rooms: &["kitbag-types"],
        outside: &["blake3", "lru", "serde", "serde_json", "splintr", "tokenizers"],
    },
    Room {
        name: "kitbag-analyse",
        gives: "manifests → packages and their graph; facts of files → entry points and data access; settings and documents → constraints and claims",
        never: "touch disk, run a manifest",
        rooms: &["kitbag-types"],
        outside: &[
            "globset",
            "jsonc-parser",
            "quick-xml",
            "saphyr-parser",
            "sqlparser",
            "strsim",
            "toml",
        ],
    },
    Room {
        name: "kitbag-embed",
        gives: "a chunk or a question → a vector: built-in table, a model's folder, a server",
        never: "choose what to embed",
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
        gives: "rows ↔ SQLite (the record) and a full-text index (derived); gives `Snapshot`s; a `Journal` of sessions, usage, jobs, memories",
        never: "rank, or leak SQL",
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
        gives: "a question → `Query`; ordered lists → one ordered list",
        never: "read anything",
        rooms: &["kitbag-types"],
        outside: &[],
    },
    Room {
        name: "kitbag-pack",
        gives: "pieces + budget + what counts → a pack; a pack → text",
        never: "fetch more, reorder in a format",
        rooms: &["kitbag-types"],
        outside: &[],
    },
    Room {
        name: "kitbag-engine",
        gives: "index, providers, retrieve; `api`: the public requests and replies",
        never: "print, read clock or environment",
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
        gives: "the environment, files and flags → settings, an open engine; failures and text for people",
        never: "know a command, a protocol or an agent",
        rooms: &["kitbag-engine", "kitbag-tokens", "kitbag-types"],
        outside: &["cpu-time", "serde", "serde_json", "toml"],
    },
    Room {
        name: "kitbag-server",
        gives: "MCP, HTTP and JSON-RPC ↔ `engine::api`",
        never: "decide relevance",
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
        gives: "the configuration files of agents → the changes that add or remove Kitbag; a list of what is wrong",
        never: "write what it was not asked to",
        rooms: &["kitbag-door", "kitbag-engine"],
        outside: &["jsonc-parser", "serde", "serde_json", "toml", "toml_edit"],
    },
    Room {
        name: "kitbag",
        gives: "words ↔ `engine::api`, here or on a server",
        never: "decide relevance",
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
        gives: "",
        never: "",
        rooms: &["kitbag-types"],
        outside: &["proptest", "tempfile"],
    },
    Room {
        name: "kitbag-bench",
        gives: "",
        never: "",
        rooms: &["kitbag*"],
        outside: &["*"],
    },
    Room {
        name: "kitbag-train",
        gives: "",
        never: "",
        rooms: &["kitbag-embed", "kitbag-syntax", "kitbag-types"],
        outside: &["ndarray", "rayon", "serde_json"],
    },
    Room {
        name: "xtask",
        gives: "",
        never: "",
        // `torture` writes the same hostile projects as the tests do.
        rooms: &["kitbag-testkit"],
        outside: &["serde_json", "spdx", "tempfile"],
    },
];

/// The table of ARCHITECTURE.md, with the outside help that is really used.
pub(super) fn table(metadata: &Value) -> String {
    let packages = list(metadata, "packages");
    let members: Vec<&str> = packages.iter().map(name).collect();
    let mut lines = vec![
        "| room | takes → gives | outside help | never |".to_owned(),
        "| --- | --- | --- | --- |".to_owned(),
    ];
    for room in ROOMS.iter().filter(|room| !room.gives.is_empty()) {
        let package = packages.iter().find(|package| name(package) == room.name);
        let used = package.map_or(&[][..], |package| list(package, "dependencies"));
        let mut outside: Vec<&str> = used
            .iter()
            .filter(|dependency| dependency.get("kind").is_none_or(Value::is_null))
            .map(name)
            .filter(|name| !members.contains(name) && !name.starts_with("tree-sitter-"))
            .collect();
        outside.sort_unstable();
        outside.dedup();
        let mut outside = outside.join(", ");
        if outside == "tree-sitter" {
            outside.push_str(" and one grammar per language");
        }
        let outside = if outside.is_empty() { "none" } else { &outside };
        lines.push(format!(
            "| `{}` | {} | {outside} | {} |",
            room.name, room.gives, room.never
        ));
    }
    lines.join("\n") + "\n"
}

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
             if the edge is right, add it to ROOMS in xtask/src/tidy/edges.rs and write down why in docs/decisions/",
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
