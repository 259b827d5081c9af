//! Rude clients of a server with keys (SEC-4, HTTP-2): slow, deaf, half gone, in floods, with and without a key, with requests
//! from `requests.rs`. All the while a polite client asks; it must be answered in time, and afterwards the server must be as
//! small and as idle as before.
//!
//! What a request costs is the server's own processor time and peak of memory, so a busy machine changes nothing.

use std::net::Shutdown;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Answer, Connection, Pipe, Server, ask, request};
use super::process::{Used, forget_peak, peak_kb, resident_kb, state};
use super::project::generate;
use super::requests::{self, Hostile};
use super::tally::Tally;
use super::world::{Setup, World};

const KEYS: &str = "ann:ann-has-a-long-key-1,ben:ben-has-a-long-key-2";
const BEN: &str = "authorization: Bearer ben-has-a-long-key-2\r\n";
/// Of one request: processor time, and memory above the idle server (issue 12).
const MOST_CPU: Duration = Duration::from_secs(2);
const MOST_MEMORY_KB: u64 = 200 << 10;
/// In which a polite client is answered whatever the others do, on a release build.
const PATIENCE: Duration = Duration::from_secs(3);
/// What a log may grow by in one try.
const MOST_LOG: u64 = 2 << 20;

/// A deed, done with a server at hand. What it gives back is what is wrong.
type Deed = fn(&Server, usize) -> Vec<String>;

struct Rudeness {
    name: &'static str,
    /// How often or how many, in a long and in a short run.
    most: (usize, usize),
    deed: Deed,
}

const RUDENESS: &[Rudeness] = &[
    Rudeness {
        name: "headers byte by byte",
        most: (300, 50),
        deed: slow_headers,
    },
    Rudeness {
        name: "bodies byte by byte",
        most: (300, 50),
        deed: slow_bodies,
    },
    Rudeness {
        name: "connections that say nothing",
        most: (1_500, 1_100),
        deed: silent,
    },
    Rudeness {
        name: "clients that never read, without a key",
        most: (1_500, 1_100),
        deed: deaf_strangers,
    },
    Rudeness {
        name: "clients that never read, with a key",
        most: (1_500, 200),
        deed: deaf_users,
    },
    Rudeness {
        name: "half-closed connections",
        most: (500, 50),
        deed: half_open,
    },
    Rudeness {
        name: "clients that leave at once",
        most: (500, 40),
        deed: leavers,
    },
    Rudeness {
        name: "a flood of requests without a key",
        most: (10_000, 1_000),
        deed: flood,
    },
    Rudeness {
        name: "paths of other folders without a key",
        most: (50, 10),
        deed: roots,
    },
    Rudeness {
        name: "huge lines and many headers",
        most: (20, 3),
        deed: huge_heads,
    },
    Rudeness {
        name: "bodies that are larger than announced, or endless",
        most: (20, 3),
        deed: endless_bodies,
    },
    Rudeness {
        name: "MCP sessions without end",
        most: (2_000, 150),
        deed: sessions,
    },
];

pub(super) fn run(setup: &Setup, tally: &mut Tally) -> Result<(), String> {
    let n_files = if setup.short { 100 } else { 3_000 };
    let mut world = setup.world("clients")?;
    world.bounds.cpu *= 10;
    world.bounds.wall *= 10;
    generate(&world.root, setup.seed, n_files)?;
    tally.saw(&world.run(&["--quiet", "index"])?);
    let mut serving = Serving::start(setup, &world)?;
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
        let server = Server::start(world, KEYS, &[("KITBAG_SERVER_REQUESTS_PER_MINUTE", "100000")])?;
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
        let patience = PATIENCE * self.setup.factor;
        let server = &self.server;
        let wrong = std::thread::scope(|scope| {
            scope.spawn(|| politely(server, patience, &is_over, &polite));
            let wrong = deed(server);
            is_over.store(true, Ordering::Relaxed);
            wrong
        });
        for what in wrong {
            tally.failed(&what, "");
        }
        for what in polite.into_inner().unwrap_or_default() {
            tally.failed(&format!("a polite client: {what}"), "");
        }
        // It must come to rest: the work of those who have gone does not go on.
        let rested = rests(id, most_cpu.unwrap_or(MOST_CPU * self.setup.factor));
        let used = Used {
            cpu: state(id)
                .map_or(Duration::ZERO, |state| state.cpu)
                .saturating_sub(cpu_before),
            wall: start.elapsed(),
            peak_kb: peak_kb(id),
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
        if is_dead {
            tally.failed("the server died", &figures);
        } else if !rested {
            tally.failed("the server works on although nobody waits", &figures);
        } else if most_cpu.is_some_and(|most| used.cpu > most) {
            tally.failed("one request takes too much processor time", &figures);
        }
        if used.peak_kb > self.idle_kb + MOST_MEMORY_KB {
            tally.failed(
                &format!("it takes too much memory ({} MB)", used.peak_kb >> 10),
                &figures,
            );
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
fn politely(server: &Server, patience: Duration, is_over: &AtomicBool, wrong: &Mutex<Vec<String>>) {
    for number in 0.. {
        let body = json!({"query": format!("where is cart {number} checked")});
        let said = match server.ask("POST", "/v1/search", &body, patience) {
            Ok((answer, _)) if matches!(answer.status, 200 | 404) => None,
            Ok((answer, _)) => Some(format!(
                "answered with {}: {}",
                answer.status,
                String::from_utf8_lossy(&answer.body)
            )),
            Err(message) => Some(format!("not answered within {} s: {message}", patience.as_secs())),
        };
        if let Some(said) = said {
            // One is enough: all that follow are the same.
            wrong.lock().expect("no thread panics while it notes").push(said);
            return;
        }
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Whether the process uses next to no processor time before it has used this much of it.
fn rests(id: u32, most: Duration) -> bool {
    let cpu = || state(id).map_or(Duration::ZERO, |state| state.cpu);
    let start = cpu();
    loop {
        let before = cpu();
        std::thread::sleep(Duration::from_millis(250));
        if cpu().saturating_sub(before) < Duration::from_millis(30) {
            return true;
        }
        if cpu().saturating_sub(start) > most {
            return false;
        }
    }
}

fn log_end(log: &std::path::Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text[text.ceil_char_boundary(text.len().saturating_sub(2_000))..].to_owned()
}

const LIMIT: Duration = Duration::from_secs(40);

fn hostile_request(server: &Server, one: &Hostile) -> Vec<String> {
    let sent = Connection::open(&server.address, LIMIT).and_then(|mut connection| {
        let headers = format!("{}connection: close\r\n", server.key);
        connection.send(&request("POST", one.path, &headers, &one.body))?;
        connection.answer()
    });
    match sent {
        // Out of time is an answer; what it cost is measured.
        Ok(answer) if answer.status < 500 || matches!(answer.status, 503 | 504) => Vec::new(),
        Ok(answer) => vec![format!("answered with {}: {}", answer.status, text(&answer))],
        Err(message) => vec![format!("no answer: {message}")],
    }
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// Opens as many as it can; a server may refuse the rest.
fn many(server: &Server, n: usize) -> Vec<Connection> {
    (0..n)
        .map_while(|_| Connection::open(&server.address, Duration::from_secs(2)).ok())
        .collect()
}

/// Holds connections for a while, doing `more` to each from time to time. That it fails is the server's good right.
fn hold(connections: &mut [Connection], more: &[u8]) {
    let end = Instant::now() + Duration::from_secs(4);
    while Instant::now() < end {
        for connection in connections.iter_mut() {
            let _ = connection.send(more);
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn slow_headers(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    for connection in &mut all {
        let _ = connection.send(b"POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: ");
    }
    hold(&mut all, b"a");
    Vec::new()
}

fn slow_bodies(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    let head = format!(
        "POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\n{}content-type: application/json\r\ncontent-length: 100000\r\n\r\n",
        server.key
    );
    for connection in &mut all {
        let _ = connection.send(head.as_bytes());
    }
    hold(&mut all, b"a");
    Vec::new()
}

fn silent(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    hold(&mut all, b"");
    Vec::new()
}

fn deaf_strangers(server: &Server, n: usize) -> Vec<String> {
    deaf(server, n, "")
}

fn deaf_users(server: &Server, n: usize) -> Vec<String> {
    deaf(server, n, BEN)
}

/// Asks for much, many times over, and reads nothing.
fn deaf(server: &Server, n: usize, key: &str) -> Vec<String> {
    let one = request("GET", "/openapi.json", key, "");
    let requests = one.repeat(40);
    let mut all = many(server, n);
    for connection in &mut all {
        // What does not fit is the point; waiting for it is not.
        let _ = connection
            .stream()
            .set_write_timeout(Some(Duration::from_millis(20)));
        let _ = connection.send(&requests);
    }
    hold(&mut all, b"");
    Vec::new()
}

fn half_open(server: &Server, n: usize) -> Vec<String> {
    let mut all = many(server, n);
    for (number, connection) in all.iter_mut().enumerate() {
        let body = json!({"query": format!("half open {number}")}).to_string();
        let bytes = request("POST", "/v1/search", BEN, &body);
        let part = if number % 2 == 0 {
            bytes.len()
        } else {
            bytes.len() / 2
        };
        let _ = connection.send(&bytes[..part]);
        let _ = connection.stream().shutdown(Shutdown::Write);
    }
    hold(&mut all, b"");
    Vec::new()
}

/// Asks something long and has gone before the answer.
fn leavers(server: &Server, n: usize) -> Vec<String> {
    for number in 0..n {
        let body = json!({"task": format!("left {number}: {}", "cart price order ".repeat(200)), "max_tokens": 20_000});
        if let Ok(mut connection) = Connection::open(&server.address, Duration::from_secs(2)) {
            let _ = connection.send(&request("POST", "/v1/pack", BEN, &body.to_string()));
        }
    }
    Vec::new()
}

fn flood(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let body = json!({"query": "cart"}).to_string();
    let mut connection = None;
    for number in 0..n {
        let key = ["", "authorization: Bearer wrong-key-wrong-key\r\n"][number % 2];
        let asked = match connection.take() {
            Some(open) => Ok(open),
            None => Connection::open(&server.address, Duration::from_secs(2)),
        };
        // A server may close or refuse; it may not let anybody in.
        let Ok(mut open) = asked else { continue };
        if open.send(&request("POST", "/v1/search", key, &body)).is_err() {
            continue;
        }
        if let Ok(answer) = open.answer() {
            if answer.status < 400 {
                wrong.push(format!("answered with {} without a key", answer.status));
                return wrong;
            }
            connection = Some(open);
        }
    }
    wrong
}

/// What a stranger learns about folders: nothing, whether they are there or not.
fn roots(server: &Server, n: usize) -> Vec<String> {
    let mut seen = Vec::new();
    for number in 0..n {
        let folder = ["/etc", "/nowhere", "/root", "/proc/self/exe", "/tmp"][number % 5];
        let key = format!("x-kitbag-root: {folder}\r\n");
        let body = json!({"query": "cart"});
        if let Ok((answer, _)) = ask(&server.address, &key, "POST", "/v1/search", &body, LIMIT) {
            let text = text(&answer);
            if text.contains(folder) {
                return vec![format!("it repeats {folder}: {text}")];
            }
            seen.push((answer.status, answer.json()["code"].clone()));
        }
    }
    // Refusals may become "too many requests" after a while, and nothing else.
    seen.retain(|(status, _)| *status != 429);
    seen.dedup();
    if seen.len() > 1 {
        return vec![format!("folders are told apart: {seen:?}")];
    }
    Vec::new()
}

fn huge_heads(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for _ in 0..n {
        let long = "a".repeat(8 << 20);
        let heads = [
            format!("GET /{long} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"),
            format!("GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: {long}\r\n\r\n"),
            format!(
                "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n{}\r\n",
                (0..100_000).map(|n| format!("x-{n}: 1\r\n")).collect::<String>()
            ),
            long.clone(),
        ];
        for head in heads {
            let Ok(mut connection) = Connection::open(&server.address, Duration::from_secs(20)) else {
                continue;
            };
            let _ = connection.send(head.as_bytes());
            if let Ok(answer) = connection.answer()
                && answer.status < 400
            {
                wrong.push(format!("answered with {}", answer.status));
            }
        }
    }
    wrong
}

fn endless_bodies(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for _ in 0..n {
        for length in ["content-length: 10000000000", "transfer-encoding: chunked"] {
            let Ok(mut connection) = Connection::open(&server.address, Duration::from_secs(20)) else {
                continue;
            };
            let head = format!(
                "POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\n{}{length}\r\n\r\n",
                server.key
            );
            let _ = connection.send(head.as_bytes());
            let part = format!("10000\r\n{}\r\n", "a".repeat(0x10000));
            let sent = (0..2_000)
                .take_while(|_| connection.send(part.as_bytes()).is_ok())
                .count();
            if sent == 2_000 {
                wrong.push(format!("{length}: it takes 130 MB without a word"));
            }
        }
    }
    wrong
}

/// One user opens as many sessions as there are; another one must still get one.
fn sessions(server: &Server, n: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}}});
    let headers = |key: &str| format!("{key}accept: application/json, text/event-stream\r\n");
    for _ in 0..n {
        // The limit of one client's requests ends this too, which is as well.
        match ask(&server.address, &headers(BEN), "POST", "/mcp", &hello, LIMIT) {
            Ok((answer, _)) if answer.status < 400 => {}
            Ok((answer, _)) if matches!(answer.status, 429 | 503) => break,
            Ok((answer, _)) => {
                wrong.push(format!(
                    "a session too many is answered with {}: {}",
                    answer.status,
                    text(&answer)
                ));
                break;
            }
            Err(_) => break,
        }
    }
    match ask(
        &server.address,
        &headers(&server.key),
        "POST",
        "/mcp",
        &hello,
        LIMIT,
    ) {
        Ok((answer, _)) if answer.status < 400 => {}
        Ok((answer, _)) => wrong.push(format!(
            "another user gets no session: {} {}",
            answer.status,
            text(&answer)
        )),
        Err(message) => wrong.push(format!("another user gets no session: {message}")),
    }
    wrong
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
