//! A process under watch: its processor time and its peak of memory are read from `/proc` while it runs, and it is killed when
//! it passes a bound. What it wrote comes back with what it used.
//!
//! Processor time and not the clock decides whether something is slow, because the machine is shared; the clock only tells what
//! hangs. Output goes to files, so that a child never waits for a reader and no thread is needed. Linux only.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Of the output that is kept.
const MOST_OUTPUT: u64 = 32 << 20;
/// Ticks per second in `/proc/<pid>/stat`; fixed by Linux for programs.
const TICKS: u64 = 100;

#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    pub(super) memory_kb: u64,
}

impl Bounds {
    /// Of one run of the command line on a small project: generous, because starting, indexing and answering are all in it.
    pub(super) fn of_a_command(factor: u32) -> Bounds {
        Bounds {
            wall: Duration::from_secs(60),
            cpu: Duration::from_secs(3) * factor,
            memory_kb: 700 << 10,
        }
    }
}

#[derive(Debug)]
pub(super) struct Ran {
    /// The whole command line, and the arguments without the program.
    pub(super) line: String,
    pub(super) args: String,
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
    pub(super) used: Used,
    /// The bound that it passed, if it was killed for one.
    pub(super) over: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    pub(super) peak_kb: u64,
}

impl Ran {
    /// What is wrong with any run, whatever it was asked: a bound passed, a signal, a bug that was caught.
    pub(super) fn trouble(&self) -> Option<String> {
        if let Some(bound) = self.over {
            return Some(format!("it was ended because it passed its bound of {bound}"));
        }
        if let Some(signal) = self.signal {
            return Some(format!("it died of signal {signal}"));
        }
        if self.code == Some(101) || self.err.contains("panicked") || self.err.contains("INTERNAL_ERROR") {
            return Some("it panicked".to_owned());
        }
        None
    }

    /// For the file of a failure.
    pub(super) fn told(&self) -> String {
        format!(
            "$ {}\ncode {:?}, signal {:?}, over {:?}, processor {:.2} s, clock {:.2} s, peak {} MB\n--- out\n{}\n--- err\n{}\n",
            self.line,
            self.code,
            self.signal,
            self.over,
            self.used.cpu.as_secs_f64(),
            self.used.wall.as_secs_f64(),
            self.used.peak_kb >> 10,
            shortened(&self.out, 4_000),
            shortened(&self.err, 4_000),
        )
    }
}

/// The beginning and the end of a long text.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let (head, tail) = (most / 2, text.len() - most / 2);
    format!(
        "{}\n… {} bytes …\n{}",
        part(text, 0, head),
        tail - head,
        part(text, tail, text.len())
    )
}

/// Bytes of a text, which may begin or end within a character or lie behind its end.
pub(super) fn part(text: &str, from: usize, to: usize) -> String {
    let to = to.min(text.len());
    String::from_utf8_lossy(&text.as_bytes()[from.min(to)..to]).into_owned()
}

static N_OUTPUTS: AtomicUsize = AtomicUsize::new(0);

/// Runs it to its end, or to the first bound it passes.
pub(super) fn run(command: &mut Command, bounds: Bounds, space: &Path) -> Result<Ran, String> {
    let number = N_OUTPUTS.fetch_add(1, Ordering::Relaxed);
    let place = |what: &str| space.join(format!("{what}-{number}"));
    let open = |what: &str| {
        let path = place(what);
        File::create(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    command.stdout(open("out")?).stderr(open("err")?);
    let line = line_of(command);
    let mut child = command.spawn().map_err(|error| format!("{line}: {error}"))?;
    let (used, over) = watch(&mut child, bounds);
    let status = child.wait().map_err(|error| format!("{line}: {error}"))?;
    let read = |what: &str| {
        let path = place(what);
        let mut bytes = Vec::new();
        let done = File::open(&path).and_then(|file| file.take(MOST_OUTPUT).read_to_end(&mut bytes));
        let _ = std::fs::remove_file(&path);
        done.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<String, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Ran {
        args: line
            .split_once(' ')
            .map_or_else(String::new, |(_, args)| args.to_owned()),
        line,
        code: status.code(),
        signal: status.signal(),
        out: read("out")?,
        err: read("err")?,
        used,
        over,
    })
}

/// Waits until it has ended, without taking its exit code: `/proc` tells the time it used only until then.
fn watch(child: &mut Child, bounds: Bounds) -> (Used, Option<&'static str>) {
    let start = Instant::now();
    let mut used = Used::default();
    let mut pause = Duration::from_millis(1);
    let mut over = None;
    loop {
        let state = state(child.id());
        used.wall = start.elapsed();
        if let Some(state) = &state {
            used.cpu = state.cpu;
            used.peak_kb = used.peak_kb.max(peak_kb(child.id()));
        }
        if state.is_none_or(|state| state.has_ended) {
            return (used, over);
        }
        if over.is_none() {
            over = passed(&used, bounds);
            if over.is_some() {
                // It may have ended this moment, which is as well.
                let _ = child.kill();
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn passed(used: &Used, bounds: Bounds) -> Option<&'static str> {
    if used.cpu > bounds.cpu {
        Some("processor time")
    } else if used.peak_kb > bounds.memory_kb {
        Some("memory")
    } else if used.wall > bounds.wall {
        Some("time by the clock")
    } else {
        None
    }
}

pub(super) struct ProcessState {
    pub(super) cpu: Duration,
    pub(super) has_ended: bool,
}

/// Processor time of a process and of the children it has waited for, and whether it is over.
pub(super) fn state(pid: u32) -> Option<ProcessState> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold spaces and brackets.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<u64>().ok());
    let sum: u64 = (11..=14).filter_map(ticks).sum();
    Some(ProcessState {
        cpu: Duration::from_millis(sum * 1000 / TICKS),
        has_ended: fields.first().is_some_and(|state| matches!(*state, "Z" | "X")),
    })
}

/// The most memory it has had at once, in KB; 0 if it is gone.
pub(super) fn peak_kb(pid: u32) -> u64 {
    memory(pid, "VmHWM:")
}

/// The memory it has now, in KB.
pub(super) fn resident_kb(pid: u32) -> u64 {
    memory(pid, "VmRSS:")
}

/// Lets the peak of a process begin anew from what it has now.
pub(super) fn forget_peak(pid: u32) {
    // Not allowed everywhere; then the peak is that of its whole life, and a bound is met later than it could be.
    let _ = std::fs::write(format!("/proc/{pid}/clear_refs"), "5");
}

fn memory(pid: u32, key: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix(key))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

/// Asks a process that was started here to end, as a service manager does.
pub(super) fn terminate(child: &Child) {
    signal("-TERM", child.id());
}

/// SIGKILL, where the process is in use by another thread. The id is that of a child that nobody has waited for.
pub(super) fn kill(pid: u32) {
    signal("-KILL", pid);
}

fn signal(name: &str, pid: u32) {
    // It may have ended this moment, which is as well.
    let _ = Command::new("kill")
        .args([name, &pid.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Waits for its end; `None` if it has not ended by then, and is killed.
pub(super) fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(super) fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| shortened(&word.to_string_lossy(), 300))
        .collect();
    words.join(" ")
}
