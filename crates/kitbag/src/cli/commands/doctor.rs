//! `kitbag doctor`: what is wrong with an installation, and what to do about it (MCP-6). Exit code 1 if there is a problem.

use kitbag_engine::{SecretRules, api};
use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style, counted};
use kitbag_install::doctor::{self, Check, Verdict};

#[derive(Serialize)]
struct DoctorAnswer {
    /// No problem was found; there may be warnings.
    healthy: bool,
    checks: Vec<Check>,
}

pub(crate) fn run(context: &Context) -> Result<Answer, Failure> {
    let mut checks = vec![doctor::program(&context.around.variables)];
    checks.extend(doctor::agents(&context.around.root(), &context.around.variables));
    checks.extend(project(context));
    checks.push(doctor::git(&context.around.variables));
    checks.extend(doctor::others(&context.around.root()));
    // Details quote commands and values of configuration files (SEC-7).
    let rules = SecretRules::built_in();
    for check in &mut checks {
        check.detail = rules.redact(&check.detail).0.into_owned();
        check.advice = check
            .advice
            .take()
            .map(|advice| rules.redact(&advice).0.into_owned());
    }
    let count = |verdict: Verdict| checks.iter().filter(|check| check.state == verdict).count() as u64;
    let (n_problems, n_warnings) = (count(Verdict::Problem), count(Verdict::Warning));
    let reply = DoctorAnswer {
        healthy: n_problems == 0,
        checks,
    };
    let exit = if reply.healthy {
        Exit::Fine
    } else {
        Exit::NothingFound
    };
    let verdict = format!(
        "{}, {}",
        counted(n_problems, "problem"),
        counted(n_warnings, "warning")
    );
    let answer = Answer::new(context, &reply, |page| render(page, &reply.checks)).exit(exit);
    Ok(answer.remark(context, &verdict))
}

/// Checks the settings first: if they are wrong, nothing else about the project can be checked.
fn project(context: &Context) -> Vec<Check> {
    let root = context.around.root();
    let opened = context.around.settings(&root, Vec::new()).and_then(|loaded| {
        let engine = context.engine(&root, &loaded);
        engine.map_err(|(failure, place)| match place {
            Some(place) => Failure {
                message: format!("{place}: {}", failure.message),
                ..failure
            },
            None => failure,
        })
    });
    let engine = match opened {
        Ok(engine) => engine,
        Err(failure) => {
            let check = if failure.code == "CONFIG_ERROR" {
                "settings"
            } else {
                "root"
            };
            let advice = failure
                .hint
                .unwrap_or_else(|| "`kitbag validate-config` says more".to_owned());
            return vec![Check::problem(check, failure.message, advice)];
        }
    };
    let mut checks = vec![Check::ok("settings", "valid")];
    let looked = api::doctor(&engine, context.around.now).and_then(|health| {
        let status = match health.damage {
            None => Some(api::status(&engine)?),
            Some(_) => None,
        };
        Ok((status, health))
    });
    match looked {
        Ok((status, health)) => {
            checks.extend(doctor::project(status.as_ref(), &health, context.around.now.0));
            checks.extend(doctor::watches(health.folders));
        }
        Err(error) => {
            let advice = error
                .hint()
                .unwrap_or_else(|| "`kitbag index` tries to repair it".to_owned());
            checks.push(Check::problem("store", error.to_string(), advice));
        }
    }
    checks.extend(doctor::space(engine.store_dir(), &context.around.variables));
    checks
}

fn render(page: &mut Page, checks: &[Check]) {
    for check in checks {
        let (style, word) = match check.state {
            Verdict::Ok => (Style::Good, "ok      "),
            Verdict::Warning => (Style::Warning, "warning "),
            Verdict::Problem => (Style::Error, "problem "),
        };
        page.styled(style, word).put(" ");
        page.styled(Style::Label, &format!("{:<9}", check.check)).put(" ");
        let mut lines = check.detail.lines();
        page.line(lines.next().unwrap_or_default());
        for line in lines {
            page.put(&" ".repeat(19)).line(line);
        }
        if let Some(advice) = &check.advice {
            page.put(&" ".repeat(19)).styled(Style::Quiet, "→ ").line(advice);
        }
    }
}
