//! What the doors share: settings, the environment, failures, the surroundings of a command, and text for people.
//!
//! The command line (`kitbag`), the servers (`kitbag-server`) and the installer (`kitbag-install`) use it. It reads the clock
//! and the environment and passes them on. It knows no command, no protocol and no agent.
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
