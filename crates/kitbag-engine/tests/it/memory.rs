//! Memories against real code (MEM-1 to MEM-3, MEM-6), feedback (MEM-5) and threads (MEM-4).

use kitbag_engine::api::{
    self, AppendRequest, BuildRequest, FeedbackRequest, ImportMemoriesRequest, Memory, MemoryKind,
    MergeMemoriesRequest, RecallRequest, RememberRequest, SearchRequest, ThreadMessage,
};
use kitbag_engine::{EngineError, Timestamp};

use crate::world::{NOW, World};

const SHOP: &str = "//- src/cart.rs\n/// Adds up.\npub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n\npub fn tax(total: u32) -> u32 {\n    total / 5\n}\n//- src/mail.rs\npub fn send(to: &str) -> bool {\n    !to.is_empty()\n}\n";
const DAY: i64 = 24 * 60 * 60 * 1000;

fn remember(world: &World, user: &str, content: &str, cites: &[&str]) -> api::RememberReply {
    let request = RememberRequest {
        content: content.into(),
        kind: MemoryKind::Decision,
        cites: cites.iter().map(|cite| (*cite).to_owned()).collect(),
        ..RememberRequest::default()
    };
    api::remember(&world.engine(), user, &request, NOW).unwrap()
}

fn recall(world: &World, user: &str, query: &str) -> Vec<Memory> {
    let request = RecallRequest {
        query: (!query.is_empty()).then(|| query.to_owned()),
        all: true,
        ..RecallRequest::default()
    };
    api::recall(&world.engine(), user, &request, NOW)
        .unwrap()
        .memories
}

fn file_text(world: &World, path: &str) -> String {
    String::from_utf8(world.tree.read(path)).unwrap()
}

fn states(world: &World) -> Vec<(String, Vec<String>)> {
    let found = recall(world, "", "");
    found
        .into_iter()
        .map(|memory| (memory.state, memory.changes))
        .collect()
}

fn shop() -> World {
    let world = World::new(SHOP);
    world.index();
    world
}

#[test]
fn mem_3_formatting_comments_and_moves_leave_a_memory_fresh() {
    let world = shop();
    remember(&world, "", "Totals are whole cents", &["src/cart.rs#total"]);
    world.tree.write(
        "src/cart.rs",
        "// New.\npub fn tax(total: u32) -> u32 {\n    total / 5\n}\n\n/// Adds it all up.\npub fn total(\n    prices: &[u32],\n) -> u32 {\n    // all of them\n    prices.iter().sum()\n}\n",
    );
    world.index();
    assert_eq!(states(&world), [("fresh".to_owned(), vec![])]);
    // To another file.
    world.tree.write(
        "src/cart.rs",
        "pub fn tax(total: u32) -> u32 {\n    total / 5\n}\n",
    );
    world.tree.write(
        "src/sums.rs",
        "pub fn total(prices: &[u32]) -> u32 { prices.iter().sum() }\n",
    );
    world.index();
    let found = recall(&world, "", "");
    assert_eq!(
        (found[0].state.as_str(), &found[0].files[..]),
        ("fresh", &["src/sums.rs".to_owned()][..])
    );
    // Under another name.
    world.tree.write(
        "src/sums.rs",
        "pub fn grand_total(prices: &[u32]) -> u32 { prices.iter().sum() }\n",
    );
    world.index();
    assert_eq!(
        states(&world),
        [(
            "fresh".to_owned(),
            vec!["`total` is now `grand_total`".to_owned()]
        )]
    );
}

#[test]
fn mem_3_a_change_is_told_with_what_and_since_when_and_comes_last() {
    let world = shop();
    world.tree.git(&["init", "-q"]);
    world.tree.git(&["add", "-A"]);
    world.tree.git(&["commit", "-q", "-m", "first"]);
    remember(&world, "", "Totals are whole cents", &["src/cart.rs#total"]);
    remember(
        &world,
        "",
        "Tax of totals is a fifth of the cents",
        &["src/cart.rs#tax"],
    );
    let text = file_text(&world, "src/cart.rs").replace(".sum()", ".map(|n| n * 2).sum()");
    world.tree.write("src/cart.rs", text);
    world.tree.git(&["commit", "-q", "-a", "-m", "double"]);
    world.index();
    let found = recall(&world, "", "cents of totals");
    assert_eq!(
        (found[0].state.as_str(), found[1].state.as_str()),
        ("fresh", "drifted")
    );
    assert_eq!(found[1].changes, ["the body of `total` changed"]);
    assert!(
        found[1].line.contains("[drifted: the body of `total` changed]"),
        "{}",
        found[1].line
    );
    let head = kitbag_repo::head(world.tree.root()).unwrap();
    let checked = api::check_memories(&world.engine(), "", &[], NOW).unwrap();
    assert_eq!((checked.fresh, checked.drifted), (1, 1));
    let drifted = &checked.memories[0].memory;
    assert_eq!(drifted.citations[0].since.as_deref(), Some(&head[..12]));
    // The new signature is told.
    let text = file_text(&world, "src/cart.rs").replace("total(prices: &[u32])", "total(prices: &[u64])");
    world.tree.write("src/cart.rs", text);
    world.index();
    let checked = api::check_memories(&world.engine(), "", &[drifted.id], NOW).unwrap();
    let now = &checked.memories[0].memory;
    assert!(
        now.changes[0].contains("is `pub fn total(prices: &[u64])"),
        "{:?}",
        now.changes
    );
    assert_eq!(now.citations[0].since.as_deref(), Some(&head[..12]));
}

#[test]
fn mem_3_what_is_gone_is_not_told_unless_asked() {
    let world = shop();
    remember(&world, "", "Totals are whole cents", &["src/cart.rs#total"]);
    world.tree.write(
        "src/cart.rs",
        "pub fn tax(total: u32) -> u32 {\n    total / 5\n}\n",
    );
    world.index();
    assert_eq!(states(&world)[0].0, "orphaned");
    let request = RecallRequest::default();
    assert_eq!(
        api::recall(&world.engine(), "", &request, NOW).unwrap().memories,
        []
    );
    // It comes back.
    world.tree.write(
        "src/back.rs",
        "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n",
    );
    world.index();
    assert_eq!(states(&world)[0].0, "fresh");
}

#[test]
fn mem_3_the_other_of_two_equal_functions_is_not_the_cited_one() {
    let world = World::new("//- a.py\ndef one():\n    return None\n\ndef two():\n    return None\n");
    world.index();
    remember(&world, "", "One gives nothing back", &["a.py#one"]);
    world.tree.write("a.py", "def two():\n    return None\n");
    world.index();
    assert_eq!(states(&world)[0].0, "orphaned");
}

#[test]
fn mem_3_files_and_lines_can_be_cited() {
    let world = shop();
    remember(&world, "", "The mail file is small", &["src/mail.rs"]);
    remember(&world, "", "Tax is a fifth", &["src/cart.rs:7-8"]);
    world.tree.write(
        "src/cart.rs",
        format!("// One line more.\n{}", file_text(&world, "src/cart.rs")),
    );
    world.index();
    let found = recall(&world, "", "");
    assert!(found.iter().all(|memory| memory.state == "fresh"), "{found:?}");
    assert_eq!(found[0].citations[0].line, Some(8));
    world
        .tree
        .write("src/mail.rs", "pub fn send(_: &str) -> bool {\n    true\n}\n");
    world.tree.write(
        "src/cart.rs",
        file_text(&world, "src/cart.rs").replace("/ 5", "/ 4"),
    );
    world.index();
    assert!(states(&world).iter().all(|(state, _)| state == "drifted"));
}

#[test]
fn mem_3_a_wrong_place_is_refused_and_the_right_ones_are_named() {
    let world = World::new("//- a.rs\npub fn run() {}\n//- b.rs\npub fn run() {}\n");
    world.index();
    let refused = |cite: &str| {
        let request = RememberRequest {
            content: "x y z".into(),
            cites: vec![cite.into()],
            ..RememberRequest::default()
        };
        api::remember(&world.engine(), "", &request, NOW)
            .unwrap_err()
            .to_string()
    };
    assert!(
        refused("run").contains("cite one of a.rs#run, b.rs#run"),
        "{}",
        refused("run")
    );
    assert!(refused("a.rs#walk").contains("defines no `walk`"));
    assert!(refused("nothing").contains("no file and no definition"));
    assert!(refused("../etc/passwd").contains("no file"));
    assert!(refused("a.rs:90-99").contains("says nothing on lines 90 to 99"));
}

#[test]
fn mem_3_without_a_citation_the_nearest_are_offered_and_it_expires() {
    let world = shop();
    let reply = remember(&world, "", "the total of prices is a sum", &[]);
    assert_eq!(
        (reply.cited, reply.nearest[0].cite.as_str()),
        (0, "src/cart.rs#total")
    );
    let seen = |days: i64| {
        let request = RecallRequest::default();
        let later = Timestamp(NOW.0 + days * DAY);
        api::recall(&world.engine(), "", &request, later)
            .unwrap()
            .memories
            .len()
    };
    assert_eq!((seen(0), seen(90), seen(91)), (1, 1, 0));
    // Being asked for keeps it.
    let request = RecallRequest {
        query: Some("sum of prices".into()),
        ..RecallRequest::default()
    };
    let later = Timestamp(NOW.0 + 60 * DAY);
    assert_eq!(
        api::recall(&world.engine(), "", &request, later)
            .unwrap()
            .memories
            .len(),
        1
    );
    assert_eq!(seen(91), 1);
}

#[test]
fn mem_3_nothing_is_stored_twice_and_contradictions_stand_together() {
    let world = shop();
    let first = remember(&world, "", "Retry payments on timeout.", &[]);
    let again = remember(&world, "", "retry payments on   timeout", &["src/mail.rs#send"]);
    assert_eq!((again.id, again.is_new, again.cited), (first.id, false, 1));
    let other = remember(&world, "", "Never retry payments on timeout", &[]);
    assert_eq!(
        (other.like[0].id, other.like[0].how.as_str()),
        (first.id, "contradicts")
    );
    let checked = api::check_memories(&world.engine(), "", &[], NOW).unwrap();
    assert_eq!(checked.memories[0].like[0].id, other.id);
    let merge = MergeMemoriesRequest {
        ids: vec![other.id, first.id],
        content: None,
    };
    let merged = api::merge_memories(&world.engine(), "", &merge).unwrap();
    assert_eq!(merged.deleted, [first.id]);
    let left = recall(&world, "", "");
    assert_eq!(
        (left.len(), left[0].id, left[0].citations.len()),
        (1, other.id, 1)
    );
}

#[test]
fn mem_1_secrets_are_never_stored() {
    let world = shop();
    let samples = kitbag_testkit::secrets::samples();
    for sample in samples.iter().filter(|sample| sample.text.len() < 3_000) {
        let reply = remember(&world, "", &format!("we use\n{}", sample.text), &[]);
        assert!(
            !reply.content.contains(&sample.secret),
            "{}: {}",
            sample.kind,
            reply.content
        );
    }
    let export = api::export_memories(&world.engine(), "").unwrap();
    let kept = samples.iter().find(|sample| export.text.contains(&sample.secret));
    assert!(kept.is_none(), "{:?}", kept.map(|sample| sample.kind));
}

#[test]
fn mem_1_documents_and_exports_are_imported_with_their_place() {
    let world = World::new(
        "//- docs/adr/001-cents.md\n# Prices in cents\n\n## Decision\n\nAll prices are whole cents.\n//- AGENTS.md\n# Rules\n\n- Never sort by score alone, please\n//- src/a.rs\npub fn run() {}\n",
    );
    world.tree.git(&["init", "-q"]);
    world.tree.git(&["add", "-A"]);
    world.tree.git(&[
        "commit",
        "-q",
        "-m",
        "x\n\nDecision: run is called once per start",
    ]);
    world.index();
    let import =
        || api::import_memories(&world.engine(), "", &ImportMemoriesRequest::default(), NOW).unwrap();
    let reply = import();
    let added: Vec<(&str, &str)> = reply
        .added
        .iter()
        .map(|one| (one.kind.as_str(), one.content.as_str()))
        .collect();
    assert_eq!(
        added,
        [
            ("convention", "Rules: Never sort by score alone, please"),
            ("decision", "Prices in cents: All prices are whole cents."),
            ("decision", "run is called once per start"),
        ]
    );
    assert_eq!(reply.added[1].source, "docs/adr/001-cents.md:5");
    assert_eq!((import().added.len(), import().known), (0, 3));
    world.tree.write(
        "docs/adr/001-cents.md",
        "# Prices in cents\n\n## Decision\n\nAll prices are whole euros.\n",
    );
    world.index();
    let found = recall(&world, "", "prices in cents");
    let record = found
        .iter()
        .find(|memory| memory.source == "docs/adr/001-cents.md:5");
    assert_eq!(record.unwrap().state, "drifted");
    // Into another project.
    let text = api::export_memories(&world.engine(), "").unwrap().text;
    let other = World::new(
        "//- src/a.rs\npub fn run() {}\n//- AGENTS.md\n# Rules\n\n- Never sort by score alone, please\n",
    );
    other.tree.write("MEMORIES.md", &text);
    other.index();
    let request = ImportMemoriesRequest {
        files: vec!["MEMORIES.md".into()],
        dry_run: false,
    };
    let reply = api::import_memories(&other.engine(), "", &request, NOW).unwrap();
    assert_eq!((reply.added.len(), reply.warnings.len()), (3, 1), "{reply:?}");
    assert_eq!(api::export_memories(&other.engine(), "").unwrap().memories, 3);
}

#[test]
fn mem_6_one_user_does_not_reach_what_is_another_ones() {
    let world = shop();
    let private = RememberRequest {
        content: "ann wants to rewrite the mail".into(),
        private: true,
        ..RememberRequest::default()
    };
    let hers = api::remember(&world.engine(), "ann", &private, NOW).unwrap().id;
    let shared = remember(&world, "ann", "Totals are whole cents", &["src/cart.rs#total"]).id;
    let ids = |user: &str| {
        recall(&world, user, "")
            .iter()
            .map(|memory| memory.id)
            .collect::<Vec<_>>()
    };
    assert_eq!((ids("ann"), ids("ben")), (vec![shared, hers], vec![shared]));
    let engine = world.engine();
    assert!(!api::forget(&engine, "ben", hers).unwrap() && !api::forget(&engine, "ben", shared).unwrap());
    assert!(!api::archive_memory(&engine, "ben", shared, true).unwrap());
    let merge = MergeMemoriesRequest {
        ids: vec![shared, hers],
        content: Some("mine now".into()),
    };
    assert!(api::merge_memories(&engine, "ben", &merge).is_err());
    assert!(api::check_memories(&engine, "ben", &[hers], NOW).is_err());
    assert!(
        !api::export_memories(&engine, "ben")
            .unwrap()
            .text
            .contains("rewrite")
    );
    // Ben saying what Ann keeps to herself tells him nothing.
    let said = RememberRequest {
        private: false,
        ..private
    };
    let his = api::remember(&engine, "ben", &said, NOW).unwrap();
    assert!(his.is_new && his.like.is_empty(), "{his:?}");
}

#[test]
fn mem_5_feedback_moves_a_result_a_little_and_only_for_who_gave_it() {
    let world = shop();
    let factor = |user: &str| {
        let request = SearchRequest {
            user,
            ..SearchRequest::new("total of prices")
        };
        let found = world.ask(&request);
        let hit = found
            .results
            .iter()
            .find(|hit| hit.path == "src/mail.rs" || hit.label.contains("total"));
        let reasons = &hit.unwrap().reasons;
        reasons
            .iter()
            .find(|one| one.factor == "feedback")
            .map(|one| one.value)
    };
    assert_eq!(factor("ann"), None);
    let engine = world.engine();
    let request = FeedbackRequest {
        useful: true,
        items: vec!["src/cart.rs:1-5".into()],
        pack: String::new(),
    };
    api::give_feedback(&engine, "ann", &request, NOW).unwrap();
    assert_eq!(
        (factor("ann"), factor("ben"), factor("")),
        (Some(1.05), None, None)
    );
    let list = api::feedback(&engine, "ann").unwrap();
    assert_eq!((list.given.len(), list.influence[0].factor), (1, 1.05));
    assert_eq!(
        api::undo_feedback(&engine, "ben", Some(list.given[0].id)).unwrap(),
        0
    );
    assert_eq!(
        api::undo_feedback(&engine, "ann", Some(list.given[0].id)).unwrap(),
        1
    );
    assert_eq!(factor("ann"), None);
    let wrong = FeedbackRequest {
        items: vec!["src/none.rs:1-5".into()],
        ..request
    };
    let error = api::give_feedback(&engine, "ann", &wrong, NOW).unwrap_err();
    assert_eq!(error.code(), "ITEM_NOT_FOUND");
}

#[test]
fn mem_4_the_pack_for_a_message_draws_on_references_search_and_history() {
    let world = shop();
    let engine = world.engine();
    let message = |text: &str| ThreadMessage {
        role: "user".into(),
        text: text.into(),
        at: None,
    };
    let append = AppendRequest {
        thread: "billing".into(),
        messages: (0..25)
            .map(|n| message(&format!("message {n} about the total of prices")))
            .collect(),
        references: vec!["src/mail.rs".into()],
        opened: Vec::new(),
    };
    api::append_to_thread(&engine, "ann", &append, NOW).unwrap();
    let build = |user: &str, thread: &str, max_tokens: usize| {
        let request = BuildRequest {
            thread: thread.into(),
            message: "how is the total of prices made".into(),
            max_tokens: Some(max_tokens),
            system_tokens: None,
        };
        let tokenizer = api::tokenizer_of("o200k").unwrap();
        api::build_for_thread(&engine, user, &request, &tokenizer, NOW).unwrap()
    };
    let reply = build("ann", "billing", 4_000);
    assert_eq!(
        (reply.budget, reply.counts["message"], reply.counts["reference"]),
        (3_500, 20, 1)
    );
    assert!(
        reply.counts["chunk"] >= 1 && reply.tokens <= reply.budget,
        "{reply:?}"
    );
    assert!(reply.text.contains("[src/cart.rs:"), "{}", reply.text);
    let sum: usize = reply.items.iter().map(|item| item.tokens).sum();
    assert_eq!(sum, reply.tokens);
    // What was served is a file of the thread now.
    assert!(build("ann", "billing", 4_001).counts["file"] >= 1);
    let small = build("ann", "billing", 700);
    assert!(
        small.tokens <= 200 && small.left_out.values().sum::<usize>() > 0,
        "{small:?}"
    );
    // Ben has no such thread, and gets nothing of Ann's.
    let other = build("ben", "billing", 4_000);
    assert!(
        !other.counts.contains_key("message") && !other.text.contains("message 3"),
        "{}",
        other.text
    );
    assert!(matches!(
        api::thread(&engine, "eve", "billing"),
        Err(EngineError::Invalid {
            code: "THREAD_NOT_FOUND",
            ..
        })
    ));
    assert!(!api::delete_thread(&engine, "eve", "billing").unwrap());
}
