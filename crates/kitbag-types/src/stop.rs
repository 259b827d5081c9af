//! Whether the work still has to be done. Who asked may have gone, run out of time or said so; long loops look and end early.
//!
//! A function and not a flag, because each door knows it in its own way: a connection that closed, a call that was cancelled,
//! a flag that a signal sets. Looking costs about as much as reading an atomic.

/// Asked in every long loop.
#[derive(Clone, Copy, Default)]
pub struct Stop<'a>(Option<&'a (dyn Fn() -> bool + Sync)>);

/// The answer is no longer wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Stop<'a> {
    /// The work is done to its end.
    pub const fn never() -> Self {
        Self(None)
    }

    /// The work ends soon after `is_stopped` says so. It must go on saying so.
    pub const fn when(is_stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self(Some(is_stopped))
    }

    pub fn is_stopped(&self) -> bool {
        self.0.is_some_and(|is_stopped| is_stopped())
    }

    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

impl std::fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() {
            "Stop(when)"
        } else {
            "Stop(never)"
        })
    }
}
