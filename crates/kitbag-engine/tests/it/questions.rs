//! SEC-4: no question costs much more than an ordinary one, whatever it is made of. Cost is counted in looks at the stop, of which
//! every long loop takes one per turn: the same on every machine.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ThreadId;
use std::time::Duration;

use kitbag_engine::api::{self, PackRequest, SearchRequest};
use kitbag_engine::{Engine, Stop, Tokenizer};

use crate::world::{NOW, World};

/// Against the ordinary question.
const TIMES_ORDINARY: usize = 12;

const ORDINARY: &str = "how is the value of an item computed in Item7::compute and src/gen/item3.rs";

/// Questions of the largest size that is taken, made of one thing each.
fn hostile() -> Vec<(&'static str, String)> {
    const SIZE: usize = 256 << 10;
    let filled = |make: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for n in 0.. {
            let next = make(n);
            if text.len() + next.len() > SIZE {
                return text;
            }
            text.push_str(&next);
        }
        text
    };
    vec![
        ("one long word", "a".repeat(SIZE)),
        ("one long name", filled(&|_| "aB_".to_owned())),
        (
            "sixteen long words",
            filled(&|n| if n % 16_000 == 15_999 { " " } else { "x" }.to_owned()),
        ),
        ("names", filled(&|n| format!("name_{n} "))),
        (
            "names of the project",
            filled(&|n| format!("Item{}::compute Item{} ", n % 40, n % 40)),
        ),
        ("names in back quotes", filled(&|n| format!("`a{n}` "))),
        (
            "words",
            filled(&|n| {
                format!(
                    "w{} ",
                    "abcdefghij"
                        .chars()
                        .cycle()
                        .skip(n % 10)
                        .take(3 + n % 17)
                        .collect::<String>()
                )
            }),
        ),
        (
            "a trace",
            filled(&|n| format!("  at f (src/gen/item{}.rs:{}:1)\n", n % 40, n + 1)),
        ),
        (
            "a deep trace",
            filled(&|n| format!("/a{}/item3.rs:{} ", "/b".repeat(140), n + 1)),
        ),
        ("dots", ".".repeat(100_000)),
        ("brackets", "([{<".repeat(25_000)),
        ("quotes", "'\"".repeat(50_000)),
        ("back quotes", "`".repeat(100_000)),
        ("colons", "a::".repeat(80_000)),
        ("no spaces", "名前".repeat(40_000)),
        ("slips", filled(&|n| format!("compuet{} ", n % 7))),
    ]
}

fn cost(work: &dyn Fn(Stop<'_>)) -> usize {
    let n_looks = AtomicUsize::new(0);
    let look = || {
        n_looks.fetch_add(1, Ordering::Relaxed);
        false
    };
    work(Stop::when(&look));
    n_looks.into_inner()
}

fn search(engine: &Engine, query: &str) -> usize {
    cost(&|stop| {
        let request = SearchRequest {
            update: false,
            stop,
            ..SearchRequest::new(query)
        };
        let reply = api::search(engine, &request, &mut |_| {}, NOW).unwrap();
        let said: usize = reply.warnings.iter().map(String::len).sum();
        assert!(said < 2_000, "what is said of it is short");
    })
}

fn pack(engine: &Engine, tokenizer: &Tokenizer, task: &str) -> usize {
    cost(&|stop| {
        let request = PackRequest {
            update: false,
            stop,
            ..PackRequest::new(task, 4_000, tokenizer)
        };
        api::pack(engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap();
    })
}

#[test]
fn sec_4_no_question_costs_much_more_than_an_ordinary_one() {
    let world = World::sample();
    world.index();
    let engine = world.engine();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let most_of_search = search(&engine, ORDINARY) * TIMES_ORDINARY;
    let most_of_pack = pack(&engine, &tokenizer, ORDINARY) * TIMES_ORDINARY;
    for (name, question) in hostile() {
        let n_looks = search(&engine, &question);
        assert!(
            n_looks <= most_of_search,
            "{name}: {n_looks}, at most {most_of_search}"
        );
        let n_looks = pack(&engine, &tokenizer, &question);
        assert!(
            n_looks <= most_of_pack,
            "{name}: {n_looks}, at most {most_of_pack}"
        );
    }
}

#[test]
fn sec_4_what_is_not_looked_for_is_said() {
    let world = World::sample();
    let reply = world.search(&format!("compute {}", "x".repeat(9_000)));
    let said = "words of more than 256 bytes in the question are not looked for";
    assert!(
        reply.warnings.iter().any(|warning| warning == said),
        "{:?}",
        reply.warnings
    );
    assert!(!reply.results.is_empty());
    assert_eq!(world.search(ORDINARY).warnings, Vec::<String>::new());
}

#[test]
fn sec_4_lists_of_a_request_are_bounded() {
    let world = World::sample();
    world.index();
    let engine = world.engine();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let refused = |change: &dyn Fn(&mut PackRequest<'_>)| {
        let mut request = PackRequest::new("x", 1_000, &tokenizer);
        change(&mut request);
        let made = api::pack(&engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW);
        made.unwrap_err().to_string()
    };
    assert!(refused(&|request| request.symbols = vec!["a".to_owned(); 201]).contains("at most 200 symbols"));
    assert!(refused(&|request| request.symbols = vec!["a".repeat(257)]).contains("of 256 bytes"));
    assert!(refused(&|request| request.languages = vec!["rust".to_owned(); 500]).contains("500 languages"));
    let lines = |start: u32| api::PackSource {
        kind: "reference".to_owned(),
        path: Some("src/lib.rs".to_owned()),
        line_start: Some(start),
        ..api::PackSource::default()
    };
    for line in [0, 10_000_001, u32::MAX] {
        assert!(refused(&|request| request.sources = vec![lines(line)]).contains("from 1 to 10000000"));
    }
    let then = |ms: i64| api::PackSource {
        timestamp_ms: Some(ms),
        ..lines(1)
    };
    for ms in [-1, i64::MIN, i64::MAX] {
        assert!(
            refused(&|request| request.sources = vec![then(ms)]).contains("timestamp_ms must be between")
        );
    }
}

/// A clock that runs on by 2 ms each time it is asked decides, as in the tests of the parser.
#[test]
fn sec_4_all_texts_that_are_handed_in_share_one_time_for_parsing() {
    fn hasty() -> Duration {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        Duration::from_millis(2 * ASKED.fetch_add(1, Ordering::Relaxed) as u64)
    }
    let mut world = World::new("//- src/lib.rs\nfn x() {}\n");
    world.index();
    world.options.clock = hasty;
    let engine = world.engine();
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let source = |n: usize| {
        let body = format!("    total += compute(row, {n});\n").repeat(60);
        let function = |part: usize| format!("fn part_{n}_{part}() {{\n{body}}}\n\n");
        api::PackSource {
            kind: "open_file".to_owned(),
            label: Some(format!("part{n}.rs")),
            content: Some((0..5).map(function).collect()),
            ..api::PackSource::default()
        }
    };
    let request = PackRequest {
        update: false,
        sources: (0..7).map(source).collect(),
        sources_only: true,
        ..PackRequest::new("x", 200_000, &tokenizer)
    };
    let made = api::pack(&engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap();
    let is_parsed = |n: usize| {
        let path = format!("part{n}.rs");
        let mut items = made.items.iter().filter(|item| item.path == path).peekable();
        assert!(items.peek().is_some(), "{path} is in, parsed or not");
        items.any(|item| item.kind == "code_function")
    };
    let parsed: Vec<bool> = (0..7).map(is_parsed).collect();
    assert!(parsed[0] && !parsed[6], "{parsed:?}");
}

/// A parser looks at the clock only now and then, so each one under way goes over its time. With a clock that runs on by a
/// second each time it is asked, the first text uses up all there is, and no other thread begins one.
#[test]
fn sec_4_texts_that_are_handed_in_are_parsed_one_after_the_other() {
    static THREADS: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());
    fn slow() -> Duration {
        let mut threads = THREADS.lock().unwrap();
        threads.push(std::thread::current().id());
        Duration::from_secs(threads.len() as u64)
    }
    let mut world = World::new("//- src/lib.rs\nfn x() {}\n");
    world.index();
    world.options.clock = slow;
    let tokenizer = Tokenizer::of_model("gpt-4o").unwrap();
    let source = |n: usize| api::PackSource {
        kind: "open_file".to_owned(),
        label: Some(format!("part{n}.rs")),
        content: Some(format!("fn part_{n}() {{}}\n")),
        ..api::PackSource::default()
    };
    let request = PackRequest {
        update: false,
        sources: (0..200).map(source).collect(),
        sources_only: true,
        ..PackRequest::new("x", 20_000, &tokenizer)
    };
    let made = api::pack(&world.engine(), &request, &mut |_| {}, &|| Duration::ZERO, NOW).unwrap();
    assert!(!made.items.is_empty());
    let mut threads = THREADS.lock().unwrap().clone();
    threads.dedup();
    assert_eq!(threads.len(), 1);
}

/// Files that changed since they were indexed are cut again when they are shown; a stranger decides how many, and what is in them.
#[test]
fn sec_4_files_that_changed_share_one_time_for_parsing() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    fn slow() -> Duration {
        Duration::from_secs(ASKED.fetch_add(1, Ordering::Relaxed) as u64)
    }
    let mut world = World::sample();
    world.index();
    world.options.clock = slow;
    let request = SearchRequest {
        update: false,
        top: Some(40),
        ..SearchRequest::new("item value compute")
    };
    let looks = |n_changed: u32| {
        for n in 0..n_changed {
            world
                .tree
                .write(format!("src/gen/item{n}.rs"), crate::world::item(n, n_changed));
        }
        let before = ASKED.load(Ordering::Relaxed);
        let reply = world.ask(&request);
        let n_shown = reply
            .results
            .iter()
            .filter(|hit| hit.path.starts_with("src/gen/"));
        assert!(n_shown.count() > 20);
        ASKED.load(Ordering::Relaxed) - before
    };
    // Providers are timed too, whatever changed.
    let of_none = looks(0);
    let of_one = looks(1);
    assert!(of_one > of_none);
    assert_eq!(looks(40), of_one);
}
