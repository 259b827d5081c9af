//! A project in a temporary folder and an engine over it. Every test calls the API through here.

use std::path::{Path, PathBuf};

use kitbag_engine::api::{self, IndexReply, SearchReply, SearchRequest};
use kitbag_engine::{Engine, Options, Timestamp};
use kitbag_store::{OpenMode, Snapshot, Store};
use kitbag_testkit::TempTree;

/// Long after every file of the test was made, so that time stamps are believed.
pub const NOW: Timestamp = Timestamp(4_000_000_000_000);

pub struct World {
    pub tree: TempTree,
    store: tempfile::TempDir,
    pub options: Options,
}

impl World {
    pub fn new(fixture: &str) -> Self {
        Self {
            tree: TempTree::new(fixture),
            store: tempfile::tempdir().unwrap(),
            options: Options::default(),
        }
    }

    /// A mixed project, large enough for several segments and batches.
    pub fn sample() -> Self {
        let world = Self::new(SAMPLE);
        for n in 0..40 {
            world.tree.write(format!("src/gen/item{n}.rs"), item(n, 0));
        }
        world
    }

    /// Throws the store away.
    pub fn forget(&self) {
        std::fs::remove_dir_all(self.store_dir()).unwrap();
    }

    pub fn store_dir(&self) -> PathBuf {
        self.store.path().join("store")
    }

    pub fn engine(&self) -> Engine {
        Engine::open(self.tree.root(), self.store_dir(), self.options.clone()).unwrap()
    }

    pub fn index(&self) -> IndexReply {
        self.index_at(NOW)
    }

    pub fn index_at(&self, now: Timestamp) -> IndexReply {
        let request = api::IndexRequest {
            wait: true,
            thorough: false,
            stop: None,
        };
        api::index(&self.engine(), request, &mut |_| {}, now).unwrap()
    }

    pub fn search(&self, query: &str) -> SearchReply {
        self.ask(&SearchRequest::new(query))
    }

    pub fn ask(&self, request: &SearchRequest) -> SearchReply {
        api::search(&self.engine(), request, &mut |_| {}, NOW).unwrap()
    }

    pub fn paths(&self, query: &str) -> Vec<String> {
        self.search(query)
            .results
            .into_iter()
            .map(|hit| hit.path)
            .collect()
    }

    /// Everything the index says that does not depend on the order of arrival, and the answers to a few questions.
    pub fn dump(&self) -> String {
        let store = Store::open(&self.store_dir(), OpenMode::ReadOnly).unwrap();
        let snapshot = Snapshot::open(&store, self.tree.root()).unwrap().unwrap();
        let mut out = format!(
            "{} files, {} chunks\n",
            snapshot.state().n_files,
            snapshot.state().n_chunks
        );
        for file in snapshot.files().unwrap() {
            out += &format!(
                "{} {:?} {} {:?}\n",
                file.path, file.state, file.language, file.hash
            );
            let Some(parse) = file.parse else { continue };
            for chunk in snapshot.chunks_of(file.id, parse).unwrap() {
                out += &format!(
                    "  {:?} {:?} {} {:?} {}\n",
                    chunk.lines, chunk.kind, chunk.label, chunk.hash, chunk.tokens
                );
            }
            for symbol in snapshot.symbols_of(file.id, parse).unwrap() {
                out += &format!(
                    "  {:?} {}::{} {}\n",
                    symbol.kind, symbol.container, symbol.name, symbol.name_line
                );
            }
            for link in snapshot.links_of(file.id, parse).unwrap() {
                out += &format!(
                    "  {:?} {} {:?} {} {}\n",
                    link.kind, link.name, link.from_symbol, link.line, link.count
                );
            }
        }
        for query in [
            "item value",
            "Session",
            "open the session store",
            "how are errors handled",
            "Item7::compute",
            "docs",
        ] {
            let request = SearchRequest {
                update: false,
                top: Some(40),
                ..SearchRequest::new(query)
            };
            out += &serde_json::to_string(&self.ask(&request)).unwrap();
            out.push('\n');
        }
        out
    }

    /// The lines of a file as they are on disk, counted from 1, both ends included.
    pub fn lines(&self, path: impl AsRef<Path>, start: u32, end: u32) -> String {
        let text = String::from_utf8(self.tree.read(path)).unwrap();
        let lines: Vec<&str> = text.split('\n').collect();
        lines[start as usize - 1..end as usize].join("\n")
    }
}

/// A source file that differs from its siblings and from its other version.
pub fn item(n: u32, version: u32) -> String {
    format!(
        "//! Item number {n}.\n\nuse crate::session::Session;\n\npub struct Item{n} {{\n    value: u32,\n}}\n\nimpl Item{n} {{\n    \
         /// Computes the value of item {n}, version {version}.\n    pub fn compute(&self, session: &Session) -> u32 {{\n        \
         session.open() + self.value * {version}\n    }}\n}}\n"
    )
}

const SAMPLE: &str = r#"
//- README.md
# Sample

How errors are handled, and where the docs are.

## Sessions

Sessions are opened by the session store.
//- src/session.rs
//! Sessions.

/// An open session.
pub struct Session {
    id: u32,
}

impl Session {
    /// Opens the session and gives its number.
    pub fn open(&self) -> u32 {
        self.id
    }
}
//- src/store.rs
use crate::session::Session;

/// Keeps sessions.
pub struct SessionStore {
    sessions: Vec<Session>,
}

pub fn open_store() -> SessionStore {
    SessionStore { sessions: Vec::new() }
}
//- app/errors.py
"""How errors are handled."""


class AppError(Exception):
    """Base of all errors."""

    def handle(self):
        return str(self)


def handle_error(error: AppError) -> str:
    return error.handle()
//- app/test_errors.py
from app.errors import AppError, handle_error


def test_handle_error():
    assert handle_error(AppError("x")) == "x"
//- config.toml
[session]
timeout = 30
"#;
