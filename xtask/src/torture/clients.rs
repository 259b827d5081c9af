//! Rude clients of a server with keys (SEC-4, HTTP-2): slow, deaf, half gone, in floods, with and without a key, with requests
//! from `requests.rs`. All the while a polite client asks; it must be answered in time, and afterwards the server must be as
//! small and as idle as before.
//!
//! What they do stands in `clients/rude.rs`. What a request costs is the server's own processor time and
//! peak of memory, so a busy machine changes nothing.

mod rude;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use rude::{RUDENESS, hostile_request, text};

use super::client::{Pipe, Server, ask};
use super::process::{Used, forget_peak, kill, peak_kb, resident_kb, state};
use super::project::generate;
use super::requests;
use super::tally::Tally;
use super::world::{Setup, World};

const KEYS: &str = "ann:ann-has-a-long-key-1,ben:ben-has-a-long-key-2";
const BEN: &str = "authorization: Bearer ben-has-a-long-key-2\r\n";
/// Of one request: processor time, and memory above the idle server (issue 12).
const MOST_CPU: Duration = Duration::from_secs(2);
const MOST_MEMORY_KB: u64 = 200 << 10;
/// Where a server is ended, in KB: the machine is needed for other things.
const END_KB: u64 = 3 << 20;
/// In which a polite client is answered whatever the others do. Its question is a cheap one, so a debug build gets no more.
const PATIENCE: Duration = Duration::from_secs(6);
/// For how long rude clients hold what they have: longer than a polite one waits.
const HOLD: Duration = Duration::from_secs(8);
/// What a log may grow by in one try.
const MOST_LOG: u64 = 2 << 20;
/// For an answer that nobody waits for politely.
const LIMIT: Duration = Duration::from_secs(40);

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let n_files = if setup.short { 100 } else { 3_000 };
    let mut world = setup.world("clients")?;
    world.bounds.cpu *= 10;
    world.bounds.wall *= 10;
    generate(&world.root, setup.seed, n_files)?;
    tally.saw(&world.run(&["--quiet", "index"])?);
    let mut serving = Serving::start(setup, &world)?;
    tally.begin();
    let mut random = setup.random();
    // Rude connections and hostile requests in turn, so that a short run has some of both.
    let mut hostile = requests::all();
    for last in (1..hostile.len()).rev() {
        hostile.swap(last, random.below(last + 1));
    }
    let mut hostile = hostile.iter();
    let mut rude = RUDENESS.iter();
    loop {
        let next_rude = rude.next();
        if let Some(one) = next_rude
            && tally.wants(one.name)
        {
            let most = if setup.short { one.most.1 } else { one.most.0 };
            serving.try_one(tally, None, |server| (one.deed)(server, most))?;
        }
        let mut none_left = true;
        for one in hostile.by_ref().take(if setup.short { 1 } else { 5 }) {
            none_left = false;
            if tally.wants(&one.name) {
                let most = MOST_CPU * setup.factor;
                serving.try_one(tally, Some(most), |server| hostile_request(server, one))?;
            }
        }
        if next_rude.is_none() && none_left {
            break;
        }
    }
    if tally.wants("SIGTERM under load") {
        end(&mut serving.server, tally);
    }
    pipes(setup, &world, tally)?;
    Ok(())
}

/// A server with what is compared before and after each try.
struct Serving<'w> {
    setup: &'w Setup,
    world: &'w World,
    server: Server,
    idle_kb: u64,
}

impl<'w> Serving<'w> {
    fn start(setup: &'w Setup, world: &'w World) -> Result<Serving<'w>, String> {
        let server = Server::start(
            world,
            KEYS,
            &[
                ("KITBAG_SERVER_REQUESTS_PER_MINUTE", "100000"),
                ("KITBAG_SERVER_TIMEOUT_MS", "10000"),
            ],
        )?;
        // Warm: what any use costs is not what an attack costs.
        for (path, body) in [
            ("/v1/search", json!({"query": "check the cart"})),
            ("/v1/pack", json!({"task": "check the cart", "max_tokens": 2000})),
        ] {
            server.ask("POST", path, &body, Duration::from_secs(60))?;
        }
        let idle_kb = resident_kb(server.child.id());
        Ok(Serving {
            setup,
            world,
            server,
            idle_kb,
        })
    }

    /// Does it beside a polite client, then looks at what it cost. `most_cpu` is what the deed may cost in processor time.
    fn try_one(
        &mut self,
        tally: &mut Tally,
        most_cpu: Option<Duration>,
        deed: impl FnOnce(&Server) -> Vec<String>,
    ) -> Result<(), String> {
        let id = self.server.child.id();
        let log = self.world.home.join("serve.log");
        let size = |path| std::fs::metadata(path).map_or(0, |log: std::fs::Metadata| log.len());
        let log_before = size(&log);
        forget_peak(id);
        let cpu_before = state(id).map_or(Duration::ZERO, |state| state.cpu);
        let start = Instant::now();
        let is_over = AtomicBool::new(false);
        let polite = Mutex::new(Vec::new());
        let peak = AtomicU64::new(0);
        let server = &self.server;
        let mut wrong = std::thread::scope(|scope| {
            scope.spawn(|| politely(server, &is_over, &polite));
            scope.spawn(|| guard(id, &is_over, &peak));
            let wrong = deed(server);
            is_over.store(true, Ordering::Relaxed);
            wrong
        });
        let polite = polite.into_inner().unwrap_or_default();
        wrong.extend(polite.iter().map(|what| format!("a polite client: {what}")));
        // It must come to rest: the work of those who have gone does not go on.
        let rested = rests(id, most_cpu.unwrap_or(MOST_CPU * self.setup.factor));
        let used = Used {
            cpu: state(id)
                .map_or(Duration::ZERO, |state| state.cpu)
                .saturating_sub(cpu_before),
            wall: start.elapsed(),
            peak_kb: peak_kb(id).max(peak.into_inner()),
        };
        tally.used(&used, "");
        let is_dead = state(id).is_none_or(|state| state.has_ended);
        let figures = format!(
            "processor {:.1} s, peak {} MB, idle {} MB\n{}",
            used.cpu.as_secs_f64(),
            used.peak_kb >> 10,
            self.idle_kb >> 10,
            log_end(&log),
        );
        if used.peak_kb > self.idle_kb + MOST_MEMORY_KB {
            wrong.push(format!("it takes too much memory ({} MB)", used.peak_kb >> 10));
        }
        if is_dead {
            // What else went wrong follows from that.
            wrong.retain(|what| what.contains("memory"));
            let most = END_KB >> 20;
            wrong.push(format!(
                "the server died, or was ended when it had taken {most} GB"
            ));
        } else if !rested {
            wrong.push("the server works on although nobody waits".to_owned());
        } else if most_cpu.is_some_and(|most| used.cpu > most) {
            wrong.push("one request takes too much processor time".to_owned());
        }
        for what in wrong {
            tally.failed(&what, &figures);
        }
        let grown = size(&log).saturating_sub(log_before);
        if grown > MOST_LOG {
            tally.failed("the log grows with every rude request", &format!("{grown} bytes"));
        }
        // Each try begins with a server in good health.
        let ill = is_dead || !rested || resident_kb(id) > self.idle_kb + MOST_MEMORY_KB;
        if ill {
            *self = Serving::start(self.setup, self.world)?;
        }
        Ok(())
    }
}

/// Asks again and again; notes answers that are late or wrong.
fn politely(server: &Server, is_over: &AtomicBool, wrong: &Mutex<Vec<String>>) {
    let body = json!({"query": "where is the cart checked"});
    loop {
        let said = match server.ask("POST", "/v1/search", &body, PATIENCE) {
            Ok((answer, _)) if matches!(answer.status, 200 | 404) => None,
            Ok((answer, _)) => Some(format!(
                "answered with {}: {}",
                answer.status,
                String::from_utf8_lossy(&answer.body)
            )),
            Err(message) => Some(format!("not answered within {} s: {message}", PATIENCE.as_secs())),
        };
        if let Some(said) = said {
            // One is enough: all that follow are the same.
            wrong.lock().expect("no thread panics while it notes").push(said);
            return;
        }
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// Notes the peak, which is gone when a process is, and ends the server before it takes the memory of the whole machine. That
/// counts as its death.
fn guard(id: u32, is_over: &AtomicBool, peak: &AtomicU64) {
    while !is_over.load(Ordering::Relaxed) {
        peak.fetch_max(peak_kb(id), Ordering::Relaxed);
        if resident_kb(id) > END_KB {
            kill(id);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the process uses next to no processor time for a second before it has used this much of it. A second, because on a
/// busy machine a process that works may get nothing for a moment.
fn rests(id: u32, most: Duration) -> bool {
    let cpu = || state(id).map_or(Duration::ZERO, |state| state.cpu);
    let start = cpu();
    let mut n_quiet = 0;
    while n_quiet < 4 {
        let before = cpu();
        std::thread::sleep(Duration::from_millis(250));
        let is_quiet = cpu().saturating_sub(before) < Duration::from_millis(30);
        n_quiet = if is_quiet { n_quiet + 1 } else { 0 };
        if resident_kb(id) > END_KB {
            kill(id);
        }
        if cpu().saturating_sub(start) > most {
            return false;
        }
    }
    true
}

fn log_end(log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&text[text.len().saturating_sub(2_000)..]).into_owned()
}

/// While requests are under way: the end comes in time, they are answered, and new ones are refused at once.
fn end(server: &mut Server, tally: &mut Tally) {
    let (address, key) = (server.address.clone(), server.key.clone());
    let body = json!({"task": "check the cart before it is sent", "max_tokens": 8000});
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| ask(&address, &key, "POST", "/v1/pack", &body, LIMIT));
        // Long enough to be under way, not long enough to be done.
        std::thread::sleep(Duration::from_millis(60));
        super::process::terminate(&server.child);
        std::thread::sleep(Duration::from_millis(500));
        let start = Instant::now();
        let late = ask(
            &address,
            &key,
            "GET",
            "/health",
            &Value::Null,
            Duration::from_secs(10),
        );
        if late.is_err() && start.elapsed() > Duration::from_secs(9) {
            tally.failed(
                "after SIGTERM a new connection hangs",
                &format!("{:?}", late.err()),
            );
        }
        match asked.join() {
            Ok(Ok((answer, _))) if answer.status == 200 => {}
            Ok(Ok((answer, _))) => tally.failed(
                &format!("what was under way at SIGTERM is answered with {}", answer.status),
                &text(&answer),
            ),
            other => tally.failed(
                "what was under way at SIGTERM is not answered",
                &format!("{:?}", other.map(|one| one.err())),
            ),
        }
    });
    if super::process::wait(&mut server.child, Duration::from_secs(30)).is_none() {
        tally.failed("after SIGTERM the server does not end", "");
    }
}

/// Rude clients of `kitbag mcp`: a line without end, calls without end, calls that are cancelled.
fn pipes(setup: &Setup, world: &World, tally: &mut Tally) -> Result<(), String> {
    if tally.wants("mcp: a line of 17 MB") {
        let mut pipe = Pipe::start(world, &[])?;
        pipe.send(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"{}\"}}",
            "a".repeat(17 << 20)
        ))?;
        match pipe.line(LIMIT) {
            Some(answer) if answer.get("error").is_some() => {}
            other => tally.failed("no error for a line that is too long", &format!("{other:?}")),
        }
        still_there(&mut pipe, world, tally);
    }
    if tally.wants("mcp: 500 calls at once") {
        let mut pipe = Pipe::start(world, &[])?;
        let id = pipe.child.id();
        pipe.call("query_context", &json!({"query": "cart"}), LIMIT);
        let idle = resident_kb(id);
        let n_calls = if setup.short { 100 } else { 500 };
        let mut last = 0;
        for number in 0..n_calls {
            let task =
                json!({"name": "build_context_pack", "arguments": {"task": format!("check cart {number}")}});
            last = pipe.start_asking("tools/call", &task)?;
        }
        // All but the first few are not wanted any more; the last one is.
        for number in 10..last {
            let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}});
            pipe.send(&cancel.to_string())?;
        }
        if pipe.answer(last, LIMIT * 2).is_none() {
            tally.failed("the last call is not answered", "");
        }
        let peak = peak_kb(id);
        tally.used(
            &Used {
                peak_kb: peak,
                ..Used::default()
            },
            "",
        );
        if peak > idle + MOST_MEMORY_KB {
            tally.failed(
                &format!("calls at once take too much memory ({} MB)", peak >> 10),
                &format!("idle {} MB", idle >> 10),
            );
        }
        still_there(&mut pipe, world, tally);
    }
    if tally.wants("mcp: nonsense") {
        let mut pipe = Pipe::start(world, &[])?;
        for line in [
            "",
            "null",
            "[]",
            "{}",
            "[[[[",
            "{\"jsonrpc\":\"2.0\",\"id\":{}}",
            "\u{0}",
            &"[".repeat(1 << 20),
        ] {
            pipe.send(line)?;
        }
        still_there(&mut pipe, world, tally);
    }
    Ok(())
}

fn still_there(pipe: &mut Pipe, world: &World, tally: &mut Tally) {
    let asked = json!({"query": "where is the cart checked"});
    if pipe.call("query_context", &asked, LIMIT).is_none() {
        tally.failed(
            "it does not answer any more",
            &format!("{}", world.root.display()),
        );
    }
}
