//! RET-13, RET-28, CLI-6: history, every place of a name, tests for a change, what is related. Real git, real files, and for the list that calls
//! itself complete an oracle that reads the files line by line.

use std::collections::BTreeMap;

use kitbag_engine::api::{
    self, HistoryReply, HistoryRequest, PackReply, PackRequest, QueryRequest, RelatedReply, RelatedRequest,
    SearchReply, SearchRequest, TestsReply, TestsRequest,
};
use kitbag_engine::{Stop, Tokenizer};

use crate::world::{NOW, World};

/// A little shop in Python with a history: prices are rounded because of an issue, and tests change with the code.
fn shop() -> World {
    let world = World::new(
        "//- shop/cart.py\nfrom shop.price import rounded\n\n\nclass Cart:\n    def __init__(self):\n        self.items = []\n\n    \
         def add(self, name, price):\n        self.items.append((name, rounded(price)))\n\n    def total(self):\n        return \
         sum(price for _, price in self.items)\n//- shop/price.py\ndef rounded(price):\n    return price\n//- \
         shop/mail.py\ndef send_receipt(address, text):\n    return (address, text)\n//- tests/test_cart.py\nfrom shop.cart import \
         Cart\n\n\ndef test_total():\n    cart = Cart()\n    cart.add('tea', 3)\n    assert cart.total() == 3\n//- \
         tests/test_mail.py\nfrom shop.mail import send_receipt\n\n\ndef test_receipt():\n    assert send_receipt('a', 'b') == ('a', \
         'b')\n//- README.md\n# Shop\n",
    );
    world.tree.git(&["init", "-q"]);
    commit(&world, "Begin the shop");
    world.tree.write(
        "shop/price.py",
        "def rounded(price):\n    return round(price, 2)\n",
    );
    commit(
        &world,
        "Round prices to cents\n\nThe tax office refuses sums like 0.30000000000000004.",
    );
    for n in 0..3 {
        world.tree.write(
            "shop/mail.py",
            format!("def send_receipt(address, text):\n    return (address, text)\n\n\nLIMIT = {n}\n"),
        );
        world.tree.write("tests/test_mail.py", format!("from shop.mail import send_receipt\n\n\ndef test_receipt():\n    assert send_receipt('a', 'b') == ('a', 'b')\n\n\nEXPECTED = {n}\n"));
        commit(&world, &format!("Limit receipts, step {n}"));
    }
    world
}

fn commit(world: &World, message: &str) {
    world.tree.git(&["add", "-A"]);
    world.tree.git(&["commit", "-q", "-m", message]);
}

fn history(world: &World, of: &str) -> HistoryReply {
    api::history(&world.engine(), &HistoryRequest::new(of), &mut |_| {}, NOW).unwrap()
}

fn subjects(reply: &HistoryReply) -> Vec<&str> {
    reply
        .commits
        .iter()
        .map(|commit| commit.subject.as_str())
        .collect()
}

fn pack(world: &World, task: &str) -> PackReply {
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    api::pack(
        &world.engine(),
        &PackRequest::new(task, 3_000, &tokenizer),
        &mut |_| {},
        &|| std::time::Duration::ZERO,
        NOW,
    )
    .unwrap()
}

#[test]
fn ret_13_history_of_a_file_a_name_and_some_lines() {
    let world = shop();
    let file = history(&world, "shop/price.py");
    assert_eq!(subjects(&file), ["Round prices to cents", "Begin the shop"]);
    assert!(file.commits[0].body.contains("tax office"));
    assert!(
        file.commits[0].files[0].hunks[0]
            .text
            .contains("+    return round(price, 2)")
    );
    let name = history(&world, "rounded");
    assert_eq!(name.places[0].name.as_deref(), Some("rounded"));
    assert_eq!(
        (name.blame[1].subject.as_str(), name.blame[1].line_start),
        ("Round prices to cents", 2)
    );
    assert_eq!(name.people[0].name, "Kit Bag");
    let line = history(&world, "shop/price.py:1");
    assert_eq!(subjects(&line), ["Begin the shop"]);
    let mail = history(&world, "shop/mail.py");
    assert_eq!(
        (mail.changes_with[0].path.as_str(), mail.changes_with[0].commits),
        ("tests/test_mail.py", 4)
    );
    let gone = api::history(
        &world.engine(),
        &HistoryRequest::new("nobody_is_called_so"),
        &mut |_| {},
        NOW,
    );
    assert_eq!(gone.unwrap_err().code(), "PLACE_NOT_FOUND");
}

#[test]
fn ret_13_without_git_there_is_no_history_and_no_error() {
    let world = World::new("//- a.py\ndef f():\n    pass\n");
    assert!(history(&world, "a.py").is_empty());
    let reply = world.search("what changed lately in a.py");
    assert!(reply.history.is_none());
    assert_eq!(reply.results[0].path, "a.py");
}

#[test]
fn ret_13_a_question_about_history_is_answered_with_commits() {
    let world = shop();
    let reply = world.search("why was rounded changed?");
    let told = reply.history.expect("it is about history");
    assert_eq!(told.commits[0].subject, "Round prices to cents");
    assert_eq!(
        reply.results[0].path, "shop/price.py",
        "the code that it is about"
    );
    let lately = world
        .search("what changed lately in shop/mail.py")
        .history
        .unwrap();
    assert_eq!(lately.commits[0].subject, "Limit receipts, step 2");
    assert_eq!(lately.commits.len(), 4);
    let with = world
        .search("what usually changes with shop/mail.py")
        .history
        .unwrap();
    assert_eq!(with.changes_with[0].path, "tests/test_mail.py");
    let who = world.search("who touched send_receipt").history.unwrap();
    assert!(!who.blame.is_empty() && who.people[0].name == "Kit Bag");
    let first = world.search("when was rounded added").history.unwrap();
    assert_eq!(first.commits[0].subject, "Begin the shop");
    let all = world.search("what changed lately?").history.unwrap();
    assert_eq!(all.commits[0].subject, "Limit receipts, step 2");
    assert!(world.search("how are prices rounded").history.is_none());
}

#[test]
fn ret_13_commits_are_items_of_packs_with_their_ids() {
    let world = shop();
    let reply = pack(&world, "why was rounded changed?");
    let id = world
        .tree
        .git(&["log", "-1", "--format=%H", "--", "shop/price.py"]);
    let item = reply.items.iter().find(|item| item.at == id.trim());
    let item = item.expect("the commit is an item and names its id");
    assert_eq!(item.path, format!("commit {}", &id[..10]));
    assert!(
        reply.text.contains("+    return round(price, 2)") && reply.text.contains("tax office"),
        "{}",
        reply.text
    );
    assert!(
        reply.items.iter().any(|item| item.path == "shop/price.py"),
        "and the code"
    );
}

#[test]
fn ret_13_query_context_answers_with_commits_within_its_tokens() {
    let world = shop();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    for max_tokens in [200, 600, 2_000] {
        let request = QueryRequest {
            max_tokens,
            ..QueryRequest::new("what changed lately in shop/mail.py", &tokenizer)
        };
        let reply = api::query(&world.engine(), &request, &mut |_| {}, NOW).unwrap();
        assert!(
            reply.tokens <= max_tokens && tokenizer.count(&reply.text).tokens <= max_tokens,
            "{}",
            reply.text
        );
        assert!(
            max_tokens < 600 || reply.text.contains("Limit receipts, step 2"),
            "{}",
            reply.text
        );
    }
}

#[test]
fn sec_1_secrets_of_the_past_are_not_told() {
    let key = "AKIAIOSFODNN7EXAMPLF";
    let world = shop();
    world.tree.write("shop/mail.py", format!("KEY = \"{key}\"\n"));
    commit(&world, "Send with a key");
    world.tree.write("shop/mail.py", "KEY = None\n");
    commit(&world, "Without the key");
    let said = serde_json::to_string(&history(&world, "shop/mail.py")).unwrap();
    assert!(said.contains("Without the key") && !said.contains(key));
    assert!(
        !pack(&world, "what changed lately in shop/mail.py")
            .text
            .contains(key)
    );
}

fn all(world: &World, query: &str, change: impl Fn(&mut SearchRequest<'_>)) -> SearchReply {
    let mut request = SearchRequest {
        all: true,
        ..SearchRequest::new(query)
    };
    change(&mut request);
    world.ask(&request)
}

/// Path, line, count: as a reader of the files would count them.
fn oracle(texts: &[(&str, &str)], sought: &str, is_name: bool) -> Vec<(String, u32, u32)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let sorted: BTreeMap<&str, &str> = texts.iter().copied().collect();
    for (path, text) in sorted {
        for (line, number) in text.split('\n').zip(1..) {
            let count = line.match_indices(sought).filter(|(at, _)| {
                let before = line[..*at].chars().next_back().is_some_and(is_word);
                let after = line[at + sought.len()..].chars().next().is_some_and(is_word);
                !is_name || (!before && !after)
            });
            let count = count.count() as u32;
            if count > 0 {
                found.push((path.to_owned(), number, count));
            }
        }
    }
    found
}

fn told(reply: &SearchReply) -> Vec<(String, u32, u32)> {
    let files = &reply.places.as_ref().unwrap().files;
    let lines = files.iter().flat_map(|file| {
        file.lines
            .iter()
            .map(|line| (file.path.clone(), line.line, line.count))
    });
    lines.collect()
}

#[test]
fn ret_28_every_place_is_told_as_the_files_have_it() {
    let texts = [
        (
            "a/crlf.py",
            "retry = 1\r\nprint(retry, retry)\r\n\r\n# retry_limit\r\n",
        ),
        (
            "b.rs",
            "fn retry() {}\n// über-retry; retrying\nlet größe_retry = retry;\n",
        ),
        ("c.md", "# Retry\n\nretry\n\nRETRY retry."),
        ("d.txt", "no such thing\nretry"),
        (
            "e/long.js",
            &format!("const x = '{}retry{}'\n", "y ".repeat(3000), " z".repeat(3000)),
        ),
    ];
    let world = World::new("//- placeholder.txt\nx\n");
    for (path, text) in &texts {
        world.tree.write(path, text);
    }
    // Windows' UTF-16 and Latin-1: lines count as in the decoded text.
    let utf16: Vec<u8> = [0xFFu8, 0xFE]
        .into_iter()
        .chain("x\r\nretry ü\r\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    world.tree.write("f/utf16.txt", utf16);
    world
        .tree
        .write("g/binary.bin", b"retry\0\x01\x02retry".as_slice());
    let mut expected_texts: Vec<(&str, &str)> = texts.to_vec();
    expected_texts.push(("f/utf16.txt", "x\r\nretry ü\r\n"));
    for (query, sought, is_name) in [
        ("retry", "retry", true),
        ("\"retry\"", "retry", false),
        ("retry;", "retry;", false),
        ("größe_retry", "größe_retry", true),
    ] {
        let reply = all(&world, query, |_| {});
        assert_eq!(told(&reply), oracle(&expected_texts, sought, is_name), "{query}");
        let places = reply.places.unwrap();
        assert!(places.complete && places.cursor.is_none(), "{places:?}");
        assert!(
            places.statement.starts_with("Complete: ") && places.statement.contains("1 binary"),
            "{}",
            places.statement
        );
    }
    let loose = all(&world, "RETRY", |request| request.ignore_case = true);
    assert_eq!(loose.places.unwrap().total_occurrences, 3 + 3 + 4 + 1 + 1 + 1);
}

#[test]
fn ret_28_pages_are_the_whole_list_and_a_changed_project_is_said() {
    let world = World::new("//- a.py\nx = 1\n");
    for n in 0..7 {
        world
            .tree
            .write(format!("p{n}/same.py"), "value = 1\nother = 2\nvalue = 3\n");
    }
    let whole = told(&all(&world, "value", |_| {}));
    assert_eq!(whole.len(), 14);
    let mut pages = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let reply = all(&world, "value", |request| {
            request.top = Some(4);
            request.cursor.clone_from(&cursor);
        });
        assert_eq!(reply.warnings, [""; 0]);
        assert_eq!(reply.places.as_ref().unwrap().total_lines, 14);
        pages.extend(told(&reply));
        cursor = reply.places.unwrap().cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(pages, whole);
    let first = all(&world, "value", |request| request.top = Some(4))
        .places
        .unwrap();
    world.tree.write("p0/new.py", "value = 9\n");
    let second = all(&world, "value", |request| {
        request.cursor.clone_from(&first.cursor)
    });
    assert!(
        second.warnings[0].contains("changed since the page before"),
        "{:?}",
        second.warnings
    );
    let request = SearchRequest {
        all: true,
        cursor: Some("nonsense".to_owned()),
        ..SearchRequest::new("value")
    };
    let refused = api::search(&world.engine(), &request, &mut |_| {}, NOW);
    assert_eq!(refused.unwrap_err().code(), "INVALID_CURSOR");
}

#[test]
fn ret_28_filters_hold_and_secrets_are_not_found_by_their_value() {
    let key = "AKIAIOSFODNN7EXAMPLF";
    let world = World::new("//- a.py\nx = 1\n");
    world
        .tree
        .write("src/keys.py", format!("AWS_KEY = \"{key}\"\nx = 2\n"));
    assert_eq!(told(&all(&world, key, |_| {})), []);
    assert_eq!(told(&all(&world, "AWS_KEY", |_| {})).len(), 1);
    // Written after the last run, and used as it is.
    world
        .tree
        .write("src/keys.py", format!("\nAWS_KEY = \"{key}\"\n"));
    let stale = all(&world, key, |request| request.update = false);
    assert_eq!(told(&stale), []);
    let moved = all(&world, "AWS_KEY", |request| request.update = false);
    assert_eq!(
        told(&moved),
        [("src/keys.py".to_owned(), 2, 1)],
        "no stale line numbers"
    );
    let only = all(&world, "x", |request| request.paths = vec!["src/**".to_owned()]);
    assert_eq!(told(&only), []);
    assert_eq!(told(&all(&world, "x", |_| {})).len(), 1);
}

#[test]
fn ret_28_query_context_pages_by_tokens() {
    let world = World::new("//- a.py\nx = 1\n");
    for n in 0..30 {
        world
            .tree
            .write(format!("p{n:02}/same.py"), "value = 1\nother = 2\nvalue = 3\n");
    }
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let (mut cursor, mut n_lines, mut n_pages) = (None, 0, 0);
    loop {
        let request = QueryRequest {
            max_tokens: 300,
            all: true,
            cursor,
            ..QueryRequest::new("value", &tokenizer)
        };
        let reply = api::query(&world.engine(), &request, &mut |_| {}, NOW).unwrap();
        assert!(tokenizer.count(&reply.text).tokens <= 300, "{}", reply.text);
        n_lines += reply.text.matches(": value = ").count();
        n_pages += 1;
        cursor = reply.places.unwrap().cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(n_lines, 60);
    assert!(n_pages > 2);
}

fn tests_of(world: &World, of: Option<&str>, diff: Option<&str>) -> TestsReply {
    let request = TestsRequest {
        of: of.map(str::to_owned),
        diff: diff.map(str::to_owned),
        limit: None,
        update: true,
        stop: Stop::never(),
    };
    api::tests(&world.engine(), &request, &mut |_| {}, NOW).unwrap()
}

#[test]
fn cli_6_tests_for_a_change_best_first_with_reasons() {
    let world = shop();
    world.tree.write(
        "shop/mail.py",
        "def send_receipt(address, text):\n    return (address, text.strip())\n\n\nLIMIT = 2\n",
    );
    let reply = tests_of(&world, None, Some(""));
    let best = &reply.tests[0];
    assert_eq!((best.path.as_str(), best.certain), ("tests/test_mail.py", true));
    assert_eq!(
        (best.cases[0].name.as_str(), best.cases[0].certain),
        ("test_receipt, EXPECTED", true)
    );
    let reasons = best.reasons.join("; ");
    assert!(
        reasons.contains("uses send_receipt") && reasons.contains("is called after shop/mail.py"),
        "{reasons}"
    );
    assert!(reasons.contains("changed in 4 of 4 commits"), "{reasons}");
    let place = tests_of(&world, Some("Cart::total"), None);
    assert_eq!(place.tests[0].path, "tests/test_cart.py");
    let file = tests_of(&world, Some("shop/cart.py"), None);
    assert_eq!(file.tests[0].path, "tests/test_cart.py");
    // A test that is part of the change comes first.
    world.tree.write(
        "tests/test_cart.py",
        "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    );
    assert_eq!(
        tests_of(&world, None, Some("")).tests[0].path,
        "tests/test_cart.py"
    );
    world.tree.git(&["checkout", "-q", "--", "."]);
    assert!(tests_of(&world, None, Some("")).tests.is_empty());
}

#[test]
fn cli_6_tests_want_a_change_or_a_place() {
    let world = shop();
    let request = TestsRequest {
        update: true,
        ..TestsRequest::default()
    };
    let refused = api::tests(&world.engine(), &request, &mut |_| {}, NOW);
    assert_eq!(refused.unwrap_err().code(), "INVALID_REQUEST");
}

#[test]
fn cli_6_related_tells_what_belongs_to_a_place_and_why() {
    let world = shop();
    let reply: RelatedReply = api::related(
        &world.engine(),
        &RelatedRequest::new("shop/price.py:2"),
        &mut |_| {},
        NOW,
    )
    .unwrap();
    assert_eq!(reply.name.as_deref(), Some("rounded"));
    let of = |kind: &str| -> Vec<(&str, &str, bool)> {
        let places = reply.related.iter().filter(|place| place.kind == kind);
        places
            .map(|place| (place.path.as_str(), place.name.as_str(), place.certain))
            .collect()
    };
    assert_eq!(of("definition"), [("shop/price.py", "rounded", true)]);
    assert_eq!(of("caller"), [("shop/cart.py", "Cart::add", true)]);
    assert!(reply.related.iter().all(|place| !place.reason.is_empty()));
    let mail = api::related(
        &world.engine(),
        &RelatedRequest::new("send_receipt"),
        &mut |_| {},
        NOW,
    )
    .unwrap();
    let kinds: Vec<&str> = mail.related.iter().map(|place| place.kind.as_str()).collect();
    assert!(
        kinds.contains(&"test") && kinds.contains(&"changes_with"),
        "{kinds:?}"
    );
}
