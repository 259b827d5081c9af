//! Folder models against their own libraries (`minilm`, `tiny`, `static_folder`; `reference.py` makes the vectors), and the
//! endpoint against a real server (`endpoint`, `server`).
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod endpoint;
mod minilm;
mod reference;
mod server;
mod static_folder;
mod tiny;
