//! Checks the project and its index: settings, root, store, and how complete and fresh the index is.

use kitbag_engine::api::{DoctorReply, StatusReply};

use super::Check;
use kitbag_door::printer::{ago, counted, grouped, sized};

/// Checks made from a closer look at the files and from the status. A damaged database has no reliable status.
pub fn project(status: Option<&StatusReply>, health: &DoctorReply, now: i64) -> Vec<Check> {
    if let Some(damage) = &health.damage {
        let advice = "`kitbag index --thorough` moves the damaged file away and makes a new one";
        let mut checks = vec![Check::problem("database", damage.clone(), advice)];
        checks.extend(journal(health));
        return checks;
    }
    let Some(status) = status else {
        return Vec::new();
    };
    let mut checks = vec![Check::ok("root", status.root.clone()), store(status, health)];
    if health.exists {
        checks.push(Check::ok("database", "sound"));
        checks.extend(journal(health));
        checks.push(index(status, health, now));
        checks.push(failures(status));
    } else {
        let advice = "`kitbag index`, or just ask: the first question indexes";
        checks.push(Check::warning("index", "not indexed yet", advice));
    }
    checks.extend(set_aside(status));
    checks
}

/// `None` if it is intact or does not exist.
fn journal(health: &DoctorReply) -> Option<Check> {
    let advice = "the next command that needs it moves it away, saves the memories that can be read, and starts a new one";
    let damage = health.journal.as_ref()?;
    Some(Check::problem("journal", damage.clone(), advice))
}

fn set_aside(status: &StatusReply) -> Option<Check> {
    let names: Vec<&str> = status.set_aside.iter().map(|one| one.path.as_str()).collect();
    let bytes = status.set_aside.iter().map(|one| one.bytes).sum();
    let detail = format!("damaged files are kept in {}: {}", sized(bytes), names.join(", "));
    let advice = format!("they are no longer used: `rm -r {}`", names.join(" "));
    (!names.is_empty()).then(|| Check::warning("set aside", detail, advice))
}

fn store(status: &StatusReply, health: &DoctorReply) -> Check {
    match &health.unwritable {
        None => Check::ok("store", status.store.clone()),
        Some(why) => Check::problem(
            "store",
            why.clone(),
            "make the folder writable for you, or choose another with `storage.path`",
        ),
    }
}

fn index(status: &StatusReply, health: &DoctorReply, now: i64) -> Check {
    let Some(at) = status.updated_at else {
        return Check::warning("index", "not indexed yet", "`kitbag index`");
    };
    let files = counted(status.files, "file");
    if !health.derived.is_empty() {
        let detail = health.derived.join("; ");
        return Check::problem("index", detail, "`kitbag index` makes it again");
    }
    if !status.complete {
        let detail = format!(
            "{} of {} files, {}: the last run did not finish",
            grouped(status.files),
            grouped(status.expected),
            ago(at, now)
        );
        return Check::warning("index", detail, "`kitbag index` continues from there");
    }
    if health.outstanding > 0 {
        let detail = format!(
            "{files}, {}; {} changed since",
            ago(at, now),
            counted(health.outstanding, "file")
        );
        return Check::ok("index", format!("{detail}, which the next question will index"));
    }
    Check::ok("index", format!("{files}, up to date"))
}

fn failures(status: &StatusReply) -> Check {
    let Some(first) = status.failures.first() else {
        return Check::ok("failures", "every file could be read");
    };
    let detail = format!(
        "{} could not be read; the first is {}: {}",
        counted(status.failures.len() as u64, "file"),
        first.path,
        first.message
    );
    Check::warning(
        "failures",
        detail,
        "`kitbag status` lists them, `kitbag index` tries again",
    )
}
