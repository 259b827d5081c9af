//! What the doors share: settings, the environment, failures, where a command stands, and text for people.
//!
//! The command line (`kitbag`), the servers (`kitbag-server`) and the installer (`kitbag-install`) stand on this. The clock and the
//! environment are read here and handed down. Nothing here knows a command, a protocol or an agent.
#![expect(
    clippy::disallowed_methods,
    reason = "a door reads the clock, the environment and its own files"
)]

mod blame;
pub mod env;
pub mod failure;
pub mod panics;
pub mod printer;
pub mod settings;
pub mod surroundings;
pub mod tokenizer;
