//! Whether the work still has to be done. Who asked may have gone, run out of time or said so; long loops look and end early.
//!
//! A flag or a function, because each door knows it in its own way: a connection that closed, a call that was cancelled, a flag
//! that a signal sets. Looking costs about as much as reading an atomic.

use std::sync::atomic::{AtomicBool, Ordering};

/// Asked in every long loop.
#[derive(Clone, Copy, Default)]
pub struct Stop<'a>(How<'a>);

#[derive(Clone, Copy, Default)]
enum How<'a> {
    #[default]
    Never,
    Flag(&'a AtomicBool),
    When(&'a (dyn Fn() -> bool + Sync)),
}

/// The answer is no longer wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Stop<'a> {
    /// The work is done to its end.
    pub const fn never() -> Self {
        Self(How::Never)
    }

    /// The work ends soon after `is_stopped` says so. It must go on saying so.
    pub const fn when(is_stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self(How::When(is_stopped))
    }

    /// The flag that stops the work, if it is one.
    pub fn flag(&self) -> Option<&'a AtomicBool> {
        match self.0 {
            How::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub fn is_stopped(&self) -> bool {
        match self.0 {
            How::Never => false,
            How::Flag(flag) => flag.load(Ordering::Relaxed),
            How::When(is_stopped) => is_stopped(),
        }
    }

    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

impl<'a> From<&'a AtomicBool> for Stop<'a> {
    fn from(flag: &'a AtomicBool) -> Self {
        Self(How::Flag(flag))
    }
}

impl std::fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            How::Never => "Never",
            How::Flag(_) => "Flag",
            How::When(_) => "When",
        })
    }
}
