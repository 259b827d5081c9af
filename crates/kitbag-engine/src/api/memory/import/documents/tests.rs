//! MEM-1: what documents and commits say.

use kitbag_types::Timestamp;

use super::*;

fn contents(said: &[Said]) -> Vec<(&str, u32, u32)> {
    said.iter()
        .map(|one| (one.content.as_str(), one.line, one.last_line))
        .collect()
}

#[test]
fn mem_1_a_decision_record_is_its_title_and_its_decision() {
    let path = RepoPath::new("docs/adr/007-cents.md").unwrap();
    let text = "# 7. Prices in cents\n\nStatus: accepted\n\n## Context\n\nFloats lie.\n\n## Decision\n\nPrices are whole\ncents everywhere.\n\n## Consequences\n\nNone.\n";
    assert_eq!(
        contents(&said_in(&path, text)),
        [("7. Prices in cents: Prices are whole cents everywhere.", 11, 12)]
    );
    let over = text.replace("accepted", "Superseded by 9");
    assert_eq!(said_in(&path, &over), []);
    assert!(!is_record(&RepoPath::new("docs/adr/README.md").unwrap()));
    assert!(!is_record(&RepoPath::new("src/addresses/a.md").unwrap()));
}

#[test]
fn mem_1_a_file_for_agents_is_its_list_items() {
    let path = RepoPath::new("AGENTS.md").unwrap();
    let text = "# Rules\n\n- Never sort by score\n  alone.\n- short\n- [Contents](#a-b-c-d)\n\n```\n- not this one either here\n```\n\n## Tests\n1. Run the tests of a room\n";
    assert_eq!(
        contents(&said_in(&path, text)),
        [
            ("Rules: Never sort by score alone.", 3, 4),
            ("Tests: Run the tests of a room", 13, 13),
        ]
    );
}

#[test]
fn mem_1_trailers_that_give_a_reason_are_kept() {
    let commit = Commit {
        id: "a".repeat(40),
        at: Timestamp(0),
        by_bot: false,
        subject: "Mend".into(),
        body: "Words.\n\nDecision: retry twice and\n then give up\nSigned-off-by: A B <a@b>\nRejected: a queue would be slower\nRationale: short".into(),
        paths: Vec::new(),
        n_removed: 0,
    };
    let said = said_by(&commit);
    assert_eq!(
        said.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(),
        [
            "retry twice and then give up",
            "Rejected: a queue would be slower"
        ]
    );
    assert_eq!(said[0].kind, MemoryKind::Decision);
}
