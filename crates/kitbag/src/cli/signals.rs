//! Ctrl-C and SIGTERM end long work cleanly: writes are finished and locks are released. The second signal ends the process
//! at once.
//!
//! One thread with its own runtime waits for signals, so that the rest of the program needs no `async`.

use kitbag_door::failure::Failure;

/// From here on, the first signal calls `stop`.
pub(crate) fn on_signal(stop: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let trouble = |error: std::io::Error| {
        Failure::trouble("INTERNAL_ERROR", format!("signals cannot be waited for: {error}"))
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(trouble)?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::new().map_err(trouble)?
    };
    std::thread::spawn(move || {
        runtime.block_on(async {
            signals.next().await;
            stop();
            signals.next().await;
            // The exit code that shells use for a program that Ctrl-C ended.
            std::process::exit(130);
        });
    });
    Ok(())
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // Without a console there is no Ctrl-C to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
