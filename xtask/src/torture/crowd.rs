//! Ten processes of one project at once (IDX-32): two servers, a watcher and seven people who search, pack, index and look, while
//! an editor writes, renames, deletes and switches branches. Nobody meets an error or a lock; when the editor rests, all of them
//! answer what a fresh index answers.

use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kitbag_testkit::random::Random;
use serde_json::{Value, json};

use super::client::{Pipe, Server};
use super::process::{Ran, Used, peak_kb, state, terminate, wait};
use super::project::{edit, generate, switch};
use super::same::{Answers, answers, difference, fresh};
use super::tally::Tally;
use super::world::{Setup, World};

/// What each of the seven does again and again.
const PEOPLE: &[&[&str]] = &[
    &["--json", "search", "will verify the session"],
    &["--json", "search", "check_cart_0"],
    &["--json", "pack", "retry the refund of an order"],
    &["--json", "symbol", "parse_price_1"],
    &["--json", "index"],
    &["--json", "status"],
    &["--json", "rebuild", "--force"],
];
/// Words that tell that one process stood in another's way.
const LOCKED: &[&str] = &[
    "locked",
    "STORAGE_ERROR",
    "INTERNAL_ERROR",
    "damaged",
    "busy",
    "panicked",
];
const LIMIT: Duration = Duration::from_secs(60);
/// Between two changes.
const PACE: Duration = Duration::from_millis(40);

/// What the people saw.
#[derive(Default)]
struct CrowdResults {
    n_runs: usize,
    used: Used,
    failures: Vec<(String, String)>,
}

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let n_files = if setup.short { 150 } else { 2_000 };
    let mut world = setup.world("crowd")?;
    world.bounds.wall = Duration::from_secs(180);
    // Ten share two cores, and a rebuild is a whole run.
    world.bounds.cpu *= 4;
    generate(&world.root, setup.seed, n_files)?;
    tally.begin();
    if !tally.wants("ten processes and an editor") {
        return Ok(());
    }
    let mut watcher = watcher(&world)?;
    let mut server = Server::start(&world, "", &[("KITBAG_SERVER_REQUESTS_PER_MINUTE", "1000000")])?;
    let mut pipe = Pipe::start(&world, &[])?;
    let is_over = AtomicBool::new(false);
    let seen = Mutex::new(CrowdResults::default());
    // A third of the time is for the look at the end.
    let end = Instant::now() + tally.left().mul_f64(0.6);
    let edited = std::thread::scope(|scope| {
        for args in PEOPLE {
            let (world, seen, is_over) = (&world, &seen, &is_over);
            scope.spawn(move || person(world, args, seen, is_over));
        }
        let (asked, seen_by_all, over) = (&server, &seen, &is_over);
        scope.spawn(move || visitor(asked, seen_by_all, over));
        let (pipe, seen_by_all, over) = (&mut pipe, &seen, &is_over);
        scope.spawn(move || agent(pipe, seen_by_all, over));
        let edited = editor(&world, n_files, end, setup.random());
        is_over.store(true, Ordering::Relaxed);
        edited
    });
    let n_edits = edited?;
    let seen = seen.into_inner().map_err(|_| "a thread of the crowd panicked")?;
    tally.n_tries = seen.n_runs;
    tally.used(&seen.used, "");
    for (what, detail) in &seen.failures {
        tally.failed(what, detail);
    }
    tally.note(format!("{} answers beside {n_edits} changes", seen.n_runs));
    end_well(&world, &server, &mut pipe, tally)?;
    for (name, id) in [
        ("serve", server.child.id()),
        ("mcp", pipe.child.id()),
        ("watch", watcher.id()),
    ] {
        let peak = peak_kb(id);
        tally.note(format!("{name}: peak {} MB", peak >> 10));
        tally.used(
            &Used {
                peak_kb: peak,
                ..Used::default()
            },
            "",
        );
        if peak > world.bounds.memory_kb {
            tally.failed(
                &format!("{name} passed its bound of memory"),
                &format!("{peak} KB"),
            );
        }
        if state(id).is_none_or(|state| state.has_ended) {
            tally.failed(&format!("{name} has ended"), "");
        }
    }
    terminate(&watcher);
    let ended = [
        ("serve", server.end(LIMIT)),
        ("mcp", pipe.end(LIMIT)),
        (
            "watch",
            wait(&mut watcher, LIMIT).and_then(|status| status.code()),
        ),
    ];
    for (name, code) in ended {
        if code != Some(0) {
            tally.failed(
                &format!("{name} does not end well"),
                &format!("exit code {code:?}"),
            );
        }
    }
    Ok(())
}

fn watcher(world: &World) -> Result<Child, String> {
    world
        .command(&["--quiet", "watch"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("kitbag watch: {error}"))
}

fn editor(world: &World, n_files: usize, end: Instant, mut random: Random) -> Result<usize, String> {
    let mut n_edits = 0;
    while Instant::now() < end {
        edit(&world.root, n_files, &mut random)?;
        n_edits += 1;
        if n_edits % 60 == 0 {
            switch(&world.root, &mut random);
        }
        std::thread::sleep(PACE);
    }
    Ok(n_edits)
}

fn person(world: &World, args: &[&str], seen: &Mutex<CrowdResults>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        let ran = world.run(args);
        let failure = match &ran {
            Err(message) => Some((message.clone(), String::new())),
            Ok(ran) => wrong(ran).map(|what| (format!("{what}: {args:?}"), ran.told())),
        };
        note(seen, ran.ok().map(|ran| ran.used), failure);
    }
}

/// What is wrong with an answer of the command line in a crowd. A rebuild may find another one under way, and says that.
fn wrong(ran: &Ran) -> Option<String> {
    if let Some(trouble) = ran.trouble() {
        return Some(trouble);
    }
    let said = format!("{}{}", ran.out, ran.err);
    if said.contains("JOB_RUNNING") || said.contains("TOO_MANY_JOBS") {
        return None;
    }
    // An answer quotes files, and files may hold any word; an error message does not.
    if !matches!(ran.code, Some(0 | 1)) {
        return Some(format!("exit code {:?}", ran.code));
    }
    LOCKED
        .iter()
        .find(|word| ran.err.contains(**word))
        .map(|word| format!("it says `{word}`"))
}

fn visitor(server: &Server, seen: &Mutex<CrowdResults>, is_over: &AtomicBool) {
    let questions = [
        ("/v1/search", json!({"query": "will verify the session"})),
        (
            "/v1/pack",
            json!({"task": "retry the refund of an order", "max_tokens": 1500}),
        ),
        ("/v1/symbol", json!({"name": "check_cart_0"})),
    ];
    for (path, body) in questions.iter().cycle() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let failure = match server.ask("POST", path, body, LIMIT) {
            Err(message) => Some((format!("{path}: {message}"), String::new())),
            Ok((answer, _)) if answer.status == 200 => None,
            // Nothing is indexed yet, or nothing is found.
            Ok((answer, _)) if answer.json()["code"] == "BUSY" || answer.status == 404 => None,
            Ok((answer, _)) => Some((
                format!("{path} is answered with {}", answer.status),
                String::from_utf8_lossy(&answer.body).into_owned(),
            )),
        };
        note(seen, None, failure);
    }
}

fn agent(pipe: &mut Pipe, seen: &Mutex<CrowdResults>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        let task = json!({"task": "retry the refund of an order", "max_tokens": 1500});
        let failure = match pipe.call("build_context_pack", &task, LIMIT) {
            None => Some(("mcp does not answer".to_owned(), String::new())),
            Some(answer) if answer["result"]["isError"] == true || answer.get("error").is_some() => {
                Some(("mcp answers with an error".to_owned(), answer.to_string()))
            }
            Some(_) => None,
        };
        note(seen, None, failure);
    }
}

fn note(seen: &Mutex<CrowdResults>, used: Option<Used>, failure: Option<(String, String)>) {
    let mut seen = seen.lock().expect("no thread panics while it notes");
    seen.n_runs += 1;
    if let Some(used) = used {
        seen.used.cpu = seen.used.cpu.max(used.cpu);
        seen.used.peak_kb = seen.used.peak_kb.max(used.peak_kb);
    }
    seen.failures.extend(failure);
}

/// The editor rests: the command line, the server and the agent's server answer as a fresh index does.
fn end_well(world: &World, server: &Server, pipe: &mut Pipe, tally: &mut Tally) -> Result<(), String> {
    let ran = world.run(&["--quiet", "index"])?;
    if let Some(what) = wrong(&ran) {
        tally.failed(&format!("the run at the end: {what}"), &ran.told());
    }
    let expected = fresh(world)?;
    match answers(world, &world.store())? {
        Answers::Given { text, .. } if text == expected => {}
        Answers::Given { text, .. } => tally.failed(
            "at the end the answers differ from those of a fresh index",
            &difference(&expected, &text),
        ),
        Answers::Refused(ran) => tally.failed("at the end nothing is answered", &ran.told()),
    }
    let question = "will verify the session and pass it on";
    let ran = world.run_in(
        &world.home.join("fresh"),
        &["--json", "search", "--no-update", "--top", "12", question],
    )?;
    let here = places(&serde_json::from_str(&ran.out).unwrap_or_default());
    let body = json!({"query": question, "top": 12});
    let mut there = Vec::new();
    // A server looks for changes before it answers, within a limit; it need not be done at once.
    for _ in 0..40 {
        let (answer, _) = server.ask("POST", "/v1/search", &body, LIMIT)?;
        there = places(&answer.json());
        if there == here {
            break;
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    if here.is_empty() || there != here {
        tally.failed(
            "the server does not come to the answer of a fresh index",
            &format!("fresh: {here:?}\nserver: {there:?}"),
        );
    }
    let answer = pipe.call("locate_symbol", &json!({"name": "check_cart_0"}), LIMIT);
    let answer = answer.map(|answer| answer.to_string()).unwrap_or_default();
    let defined = expected.contains("check_cart_0");
    if defined && !answer.contains("check_cart_0") {
        tally.failed("the agent's server does not find a name", &answer);
    }
    Ok(())
}

fn places(reply: &Value) -> Vec<String> {
    let results = reply["results"].as_array().cloned().unwrap_or_default();
    results
        .iter()
        .map(|hit| format!("{}:{}", hit["path"], hit["line_start"]))
        .collect()
}
