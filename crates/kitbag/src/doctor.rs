//! What is wrong, and what to do about it: a list of checks, each fine, doubtful or a problem. Changes nothing.
//!
//! `agents.rs` looks at the configuration of coding agents and really starts what they would start, `project.rs` at the project and
//! its index, `machine.rs` at what both need. Every check stands alone: one that fails does not keep the others from being made.

mod agents;
mod handshake;
mod machine;
mod project;

use serde::Serialize;

pub(crate) use agents::agents;
pub(crate) use machine::{git, others, program, space, watches};
pub(crate) use project::project;

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Check {
    /// Stable, for programs: `program`, `agent`, `settings`, `root`, `store`, `database`, `index`, `failures`, `git`, `watches`,
    /// `space`, `servers`.
    pub(crate) check: &'static str,
    /// Which one, where there are several: an agent's id.
    pub(crate) of: Option<String>,
    pub(crate) state: Verdict,
    pub(crate) detail: String,
    /// What to do about it.
    pub(crate) advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Ok,
    /// It works, but perhaps not as meant.
    Warning,
    Problem,
}

impl Check {
    pub(crate) fn ok(check: &'static str, detail: impl Into<String>) -> Check {
        Check {
            check,
            of: None,
            state: Verdict::Ok,
            detail: detail.into(),
            advice: None,
        }
    }

    pub(crate) fn warning(
        check: &'static str,
        detail: impl Into<String>,
        advice: impl Into<String>,
    ) -> Check {
        Check {
            state: Verdict::Warning,
            advice: Some(advice.into()),
            ..Check::ok(check, detail)
        }
    }

    pub(crate) fn problem(
        check: &'static str,
        detail: impl Into<String>,
        advice: impl Into<String>,
    ) -> Check {
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
