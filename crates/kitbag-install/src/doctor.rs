//! Finds problems and says what to do about them: a list of checks, each ok, a warning or a problem. Changes nothing.
//!
//! `agents.rs` checks the configuration of coding agents and starts what they would start, `project.rs` checks the project and its
//! index, `machine.rs` checks what both need. The checks are independent: one that fails does not stop the others.

mod agents;
mod handshake;
mod machine;
mod project;

use serde::Serialize;

pub use agents::agents;
pub use machine::{git, others, program, space, watches};
pub use project::project;

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Stable, for programs: `program`, `agent`, `settings`, `root`, `store`, `database`, `index`, `failures`, `git`, `watches`,
    /// `space`, `servers`.
    pub check: &'static str,
    /// The id of the agent, where there is one check per agent.
    pub of: Option<String>,
    pub state: Verdict,
    pub detail: String,
    /// What to do about it.
    pub advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Ok,
    /// It works, but perhaps not as intended.
    Warning,
    Problem,
}

impl Check {
    pub fn ok(check: &'static str, detail: impl Into<String>) -> Check {
        Check {
            check,
            of: None,
            state: Verdict::Ok,
            detail: detail.into(),
            advice: None,
        }
    }

    pub fn warning(check: &'static str, detail: impl Into<String>, advice: impl Into<String>) -> Check {
        Check {
            state: Verdict::Warning,
            advice: Some(advice.into()),
            ..Check::ok(check, detail)
        }
    }

    pub fn problem(check: &'static str, detail: impl Into<String>, advice: impl Into<String>) -> Check {
        Check {
            state: Verdict::Problem,
            ..Check::warning(check, detail, advice)
        }
    }

    fn of(mut self, whose: &str) -> Check {
        self.of = Some(whose.to_owned());
        self
    }
}
