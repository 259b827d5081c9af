//! Whether an index is as good as a fresh one: the same questions are put to both, and every byte of the answers is compared,
//! with the counts that `status` tells.
//!
//! Asked of the index as it is (`--no-update`) and at a fixed time, so that nothing heals or ages between two questions.

use std::path::Path;

use serde_json::Value;

use super::process::{Ran, part};
use super::world::World;

/// Later than any file that is written here.
const NOW: &str = "4000000000000";

/// By name, by words, by meaning; a symbol with its callers; a pack.
const QUESTIONS: &[&[&str]] = &[
    &["search", "--no-update", "--top", "30", "check_cart_0"],
    &[
        "search",
        "--no-update",
        "--top",
        "30",
        "will verify the session and pass it on",
    ],
    &[
        "search",
        "--no-update",
        "--top",
        "30",
        "where is an amount of money held",
    ],
    &["symbol", "--no-update", "parse_price_1"],
    &[
        "pack",
        "--no-update",
        "--budget",
        "2000",
        "retry the refund of an order",
    ],
];

pub(super) enum Answers {
    /// What was answered, and warnings that came with it.
    Given { text: String, warnings: Vec<String> },
    /// The first question that was not answered, and how.
    Refused(Box<Ran>),
}

/// What the index in this store answers.
pub(super) fn answers(world: &World, store: &Path) -> Result<Answers, String> {
    let mut text = String::new();
    let mut warnings = Vec::new();
    for question in QUESTIONS {
        let ran = world.run_in(store, &[&["--json", "--now", NOW], *question].concat())?;
        let reply: Option<Value> = serde_json::from_str(&ran.out).ok();
        let (Some(reply), Some(0 | 1), None) = (reply, ran.code, ran.trouble()) else {
            return Ok(Answers::Refused(Box::new(ran)));
        };
        for key in ["results", "definitions", "callers", "callees", "text"] {
            if let Some(part) = reply.get(key) {
                text += &format!("{question:?} {key} {part}\n");
            }
        }
        let told = reply.get("warnings").and_then(Value::as_array);
        warnings.extend(told.into_iter().flatten().map(Value::to_string));
    }
    let ran = world.run_in(store, &["--json", "status"])?;
    let Ok(status) = serde_json::from_str::<Value>(&ran.out) else {
        return Ok(Answers::Refused(Box::new(ran)));
    };
    for key in ["files", "chunks", "symbols", "languages"] {
        text += &format!("status {key} {}\n", status[key]);
    }
    Ok(Answers::Given { text, warnings })
}

/// What a fresh index of the project as it is now answers.
pub(super) fn fresh(world: &World) -> Result<String, String> {
    let store = world.home.join("fresh");
    let _ = std::fs::remove_dir_all(&store);
    let ran = world.run_in(&store, &["--quiet", "index"])?;
    if ran.code != Some(0) {
        return Err(format!("a fresh index: {}", ran.told()));
    }
    match answers(world, &store)? {
        Answers::Given { text, .. } => Ok(text),
        Answers::Refused(ran) => Err(format!("a fresh index does not answer: {}", ran.told())),
    }
}

/// The lines in which two sets of answers differ, shortened.
pub(super) fn difference(expected: &str, found: &str) -> String {
    let mut told = String::new();
    for (expected, found) in expected.lines().zip(found.lines()) {
        if expected != found {
            let at = expected
                .bytes()
                .zip(found.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            let around = |text: &str| part(text, at.saturating_sub(200), at + 400);
            told += &format!(
                "differs at byte {at}\nfresh: …{}…\nfound: …{}…\n",
                around(expected),
                around(found)
            );
        }
    }
    if told.is_empty() {
        told = format!("{} and {} lines", expected.lines().count(), found.lines().count());
    }
    told
}

/// What `status` and `doctor` say about an index.
pub(super) struct Health {
    complete: bool,
    /// The checks of `doctor` that are not well. Some never are here, such as those about agents.
    unwell: Vec<String>,
    pub(super) said: String,
}

impl Health {
    /// Whether nothing is called worse than in `sound`, the health of an index that is sound.
    pub(super) fn is_as_good_as(&self, sound: &Health) -> bool {
        self.complete && self.unwell.iter().all(|check| sound.unwell.contains(check))
    }
}

pub(super) fn health(world: &World, store: &Path) -> Result<Health, String> {
    let status = world.run_in(store, &["--json", "status"])?;
    let doctor = world.run_in(store, &["--json", "doctor"])?;
    let parsed = |ran: &Ran| serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
    let checks = parsed(&doctor)["checks"].as_array().cloned().unwrap_or_default();
    // That something damaged was put aside and can be deleted is true, and says nothing against what is there now.
    let unwell = checks
        .iter()
        .filter(|check| check["state"] != "ok" && check["check"] != "set aside");
    let mut unwell: Vec<String> = unwell.map(|check| check["check"].to_string()).collect();
    for ran in [&status, &doctor] {
        unwell.extend(ran.trouble());
    }
    Ok(Health {
        complete: status.code == Some(0) && parsed(&status)["complete"] == true && !checks.is_empty(),
        unwell,
        said: format!("{}\n{}", status.told(), doctor.told()),
    })
}
