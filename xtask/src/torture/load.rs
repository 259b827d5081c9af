//! Distinct questions at 64 connections, searches and packs: how long answers take, whether any is an error, and what memory does
//! before, during and after. Distinct, because equal questions are answered from a cache and prove nothing.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Connection, Server, request};
use super::process::{Used, forget_peak, peak_kb, resident_kb};
use super::project::generate;
use super::tally::Tally;
use super::world::Setup;

const CONNECTIONS: usize = 64;
const LIMIT: Duration = Duration::from_secs(120);
/// Memory above the idle server that a load may cost while it lasts, in KB.
const MOST_DURING_KB: u64 = 400 << 10;
/// And after it, when everybody has gone.
const MOST_AFTER_KB: u64 = 100 << 10;
/// How long memory may take to come back.
const REST: Duration = Duration::from_secs(5);

#[derive(Default)]
struct LoadResults {
    times: Vec<Duration>,
    errors: Vec<String>,
}

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let n_files = if setup.short { 150 } else { 3_000 };
    let mut world = setup.world("load")?;
    world.bounds.cpu *= 10;
    world.bounds.wall *= 10;
    generate(&world.root, setup.seed, n_files)?;
    let ran = world.run(&["--quiet", "index"])?;
    tally.saw(&ran);
    let server = Server::start(
        &world,
        "",
        &[
            ("KITBAG_SERVER_REQUESTS_PER_MINUTE", "10000000"),
            ("KITBAG_SERVER_TIMEOUT_MS", "100000"),
        ],
    )?;
    let id = server.child.id();
    // Warm: what any use costs is not what a load costs.
    for (path, body) in [question("search", 0), question("packs", 1)] {
        server.ask("POST", path, &body, LIMIT)?;
    }
    let idle = resident_kb(id);
    tally.begin();
    // Of each of the two; the rest is for memory to come back.
    let share = tally.left().mul_f64(0.4);
    for kind in ["search", "packs"] {
        if !tally.wants(&format!("{kind} at {CONNECTIONS} connections")) {
            continue;
        }
        forget_peak(id);
        let seen = load(&server, kind, share);
        let during = peak_kb(id);
        let after = rested(id, idle);
        tally.used(
            &Used {
                peak_kb: during,
                ..Used::default()
            },
            "",
        );
        report(kind, &seen, (idle, during, after), tally);
    }
    Ok(())
}

/// Until the time is over; each connection asks its next question when the last one is answered.
fn load(server: &Server, kind: &'static str, time: Duration) -> LoadResults {
    let seen = Mutex::new(LoadResults::default());
    let end = Instant::now() + time;
    std::thread::scope(|scope| {
        for n in 0..CONNECTIONS {
            let seen = &seen;
            scope.spawn(move || {
                let mut own = LoadResults::default();
                if let Err(message) = visit(server, kind, n, end, &mut own) {
                    own.errors.push(message);
                }
                let mut seen = seen.lock().expect("no thread panics while it notes");
                seen.times.append(&mut own.times);
                seen.errors.append(&mut own.errors);
            });
        }
    });
    seen.into_inner().unwrap_or_default()
}

fn visit(server: &Server, kind: &str, n: usize, end: Instant, seen: &mut LoadResults) -> Result<(), String> {
    let mut connection = Connection::open(&server.address, LIMIT)?;
    let mut number = n + 2;
    while Instant::now() < end {
        let (path, body) = question(kind, number);
        number += CONNECTIONS;
        let start = Instant::now();
        connection.send(&request("POST", path, "", &body.to_string()))?;
        let answer = connection.answer()?;
        match answer.status {
            200 | 404 => seen.times.push(start.elapsed()),
            status => seen.errors.push(format!(
                "{path} is answered with {status}: {}",
                String::from_utf8_lossy(&answer.body)
            )),
        }
    }
    Ok(())
}

fn question(kind: &str, number: usize) -> (&'static str, Value) {
    let words = format!(
        "where is the {} of {} number {number} checked before it is sent",
        ["price", "refund", "ledger", "session", "coupon"][number % 5],
        ["an order", "a cart", "a customer", "an invoice"][number % 4]
    );
    match kind {
        "search" => ("/v1/search", json!({"query": words})),
        _ => ("/v1/pack", json!({"task": words, "max_tokens": 4000})),
    }
}

/// The memory that is left when nobody asks, once it has come back or the time for that is over.
fn rested(id: u32, idle: u64) -> u64 {
    let end = Instant::now() + REST;
    loop {
        let now = resident_kb(id);
        if now < idle + MOST_AFTER_KB / 4 || Instant::now() > end {
            return now;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn report(kind: &str, seen: &LoadResults, (idle, during, after): (u64, u64, u64), tally: &mut Tally) {
    let mut times = seen.times.clone();
    times.sort();
    let at = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times
            .get(place.min(times.len().saturating_sub(1)))
            .map_or(0, Duration::as_millis)
    };
    let figures = format!(
        "{kind} at {CONNECTIONS} connections: {} answers, p50 {} ms, p99 {} ms, {} errors; memory {} MB before, {} during, {} after",
        times.len(),
        at(0.5),
        at(0.99),
        seen.errors.len(),
        idle >> 10,
        during >> 10,
        after >> 10
    );
    tally.note(figures.clone());
    if times.is_empty() {
        tally.failed("nothing is answered under load", &figures);
    }
    if !seen.errors.is_empty() {
        let first: Vec<&str> = seen.errors.iter().take(20).map(String::as_str).collect();
        tally.failed(
            &format!("{} errors under load", seen.errors.len()),
            &first.join("\n"),
        );
    }
    if during > idle + MOST_DURING_KB {
        tally.failed("a load takes too much memory", &figures);
    }
    if after > idle + MOST_AFTER_KB {
        tally.failed("memory does not come back after a load", &figures);
    }
}
